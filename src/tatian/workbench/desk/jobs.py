"""What the models are asked to do, and what they answer."""

from __future__ import annotations

from msgspec import Raw, Struct

from tatian.chat import Answer
from tatian.consolidation.proof.verdict import SMALL
from tatian.workbench.desk.projects import ProjectAccount


class WeaveJob(Struct, frozen=True, tag="weave"):
    """Weave accounts into one text."""

    accounts: tuple[ProjectAccount, ...]
    length: int | None = None
    writer: str = ""
    judge: str = SMALL
    answers: dict[str, Answer] = {}
    """What the language model answered before, by the fingerprint of the question."""


class TraceJob(Struct, frozen=True, tag="trace"):
    """Hold a text against accounts."""

    accounts: tuple[ProjectAccount, ...]
    text: str
    judge: str = SMALL


class ProofJob(Struct, frozen=True, tag="proof"):
    """Say of the sentences of a text, from a place on, whether accounts tell them."""

    accounts: tuple[ProjectAccount, ...]
    text: str
    start: int
    judge: str = SMALL


class UnionJob(Struct, frozen=True, tag="union"):
    """Say in one sentence what some sentences of accounts say."""

    accounts: tuple[ProjectAccount, ...]
    sentences: tuple[tuple[str, int, int], ...]
    """Account, start and end of each."""
    judge: str = SMALL


class WriteJob(Struct, frozen=True, tag="write"):
    """Let a language model word what some sentences of accounts say."""

    accounts: tuple[ProjectAccount, ...]
    sentences: tuple[tuple[str, int, int], ...]
    writer: str
    judge: str = SMALL
    answers: dict[str, Answer] = {}
    """As of `WeaveJob`."""


Job = WeaveJob | TraceJob | ProofJob | UnionJob | WriteJob


class Stop(Struct, frozen=True, tag="stop"):
    """Give up what is being done."""


class Report(Struct, frozen=True, omit_defaults=True):
    """What the worker says: how far it is, an answer to be kept, the result, or a problem."""

    stage: str = ""
    done: int = 0
    of: int = 0
    result: Raw = Raw(b"")
    problem: str = ""
    stopped: bool = False
    answers: dict[str, Answer] = {}
    """What a language model answered just now, by the fingerprint of the question."""
