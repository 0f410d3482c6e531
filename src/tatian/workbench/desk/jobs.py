"""Jobs of the worker process, and its reports."""

from __future__ import annotations

from msgspec import Raw, Struct

from tatian.chat import Answer
from tatian.consolidation.verification.verdict import SMALL
from tatian.workbench.desk.models import DeskModels
from tatian.workbench.desk.projects import ProjectSource


class ConsolidateJob(Struct, frozen=True, tag="weave"):
    """Consolidate sources; `length` is the wanted number of words."""

    accounts: tuple[ProjectSource, ...]
    length: int | None = None
    models: DeskModels = DeskModels()
    answers: dict[str, Answer] = {}
    """Earlier answers of the language model, by the fingerprint of the question."""

    @property
    def judge(self) -> str:
        """Name of the judge."""
        return self.models.judge


class TraceJob(Struct, frozen=True, tag="trace"):
    """Verify a text against sources."""

    accounts: tuple[ProjectSource, ...]
    text: str
    judge: str = SMALL


class VerifyJob(Struct, frozen=True, tag="verify"):
    """Verify the sentences of a text that begin at `start` or later."""

    accounts: tuple[ProjectSource, ...]
    text: str
    start: int
    judge: str = SMALL


class UnionJob(Struct, frozen=True, tag="union"):
    """Merge source sentences into their union."""

    accounts: tuple[ProjectSource, ...]
    sentences: tuple[tuple[str, int, int], ...]
    """Source id, start and end of each sentence."""
    judge: str = SMALL


class WriteJob(Struct, frozen=True, tag="write"):
    """Reword source sentences by a language model."""

    accounts: tuple[ProjectSource, ...]
    sentences: tuple[tuple[str, int, int], ...]
    """Source id, start and end of each sentence."""
    writer: str
    judge: str = SMALL
    answers: dict[str, Answer] = {}
    """Earlier answers of the language model, by the fingerprint of the question."""


Job = ConsolidateJob | TraceJob | VerifyJob | UnionJob | WriteJob


class Stop(Struct, frozen=True, tag="stop"):
    """Stop the current job."""


class Report(Struct, frozen=True, omit_defaults=True):
    """Report of the worker: progress, answers to store, the job's result, or its problem."""

    stage: str = ""
    done: int = 0
    of: int = 0
    result: Raw = Raw(b"")
    problem: str = ""
    stopped: bool = False
    answers: dict[str, Answer] = {}
    """New answers of a language model, by the fingerprint of the question."""
