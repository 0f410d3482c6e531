"""State of a project: sources, decisions, edited text and verdicts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.result import Account, WrittenToken
from tatian.consolidation.verification.result import Stretch, TracedSentence
from tatian.consolidation.verification.verdict import SMALL
from tatian.workbench.desk.decisions import EditedText, StoredDecision
from tatian.workbench.desk.manuscript import Manuscript
from tatian.workbench.desk.projects import Project, ProjectSource
from tatian.workbench.storage.codec import to_struct

S = TypeVar("S", WrittenToken, Stretch, TracedSentence)


class ProjectInputs(Struct, frozen=True):
    """A project with its sources, its decisions and its consolidated text."""

    project: Project
    sources: tuple[ProjectSource, ...]
    decisions: tuple[StoredDecision, ...]
    stamp: str
    """Stamp of the present sources and length, by `results.compute_stamp`."""
    text_stamp: str
    """Stamp of the consolidation that is shown; different if it is out of date."""
    manuscript: Manuscript

    @property
    def in_force(self) -> tuple[StoredDecision, ...]:
        """Decisions that are not undone."""
        return self.decisions[: self.project.done]


class ProjectState(ProjectInputs, frozen=True):
    """A project with its edited text."""

    edited: EditedText
    findings: dict[str, str]
    """Verdicts on sentences that a person typed, as JSON, by `verdict_key`."""


def update_metadata(manuscript: Manuscript, accounts: Sequence[ProjectSource]) -> list[Account]:
    """Return the consolidated sources with their current title, date and publisher."""
    current_by_id = {account.id: account for account in accounts}
    updated = []
    for account in manuscript.consolidation.documents:
        if current := current_by_id.get(account.id):
            date = current.date or account.date
            account = replace(account, title=current.title, date=date, source=current.source)
        updated.append(account)
    return updated


def verdict_key(text: str, manuscript: Manuscript, judge: str) -> str:
    """Return the key of the verdict on a sentence."""
    return finding_key("verdict", text, manuscript.stamp, judge)


def finding_key(kind: str, text: str, stamp: str, judge: str = SMALL) -> str:
    """Return the key of a model's result for a text and the sources with that stamp."""
    stamp += f"\0{judge}" if judge != SMALL else ""
    digest = hashlib.sha256(f"{stamp}\0{text}".encode("utf-8", "surrogatepass"))
    return f"{kind}-{digest.hexdigest()[:32]}"


def move_verdict(sentence: TracedSentence, offset: int) -> TracedSentence:
    """Return a verdict with all offsets moved."""

    def move(span: S) -> S:
        return replace(span, start=span.start + offset, end=span.end + offset)

    tokens, unsupported = map(move, sentence.tokens), map(move, sentence.unsupported)
    return replace(move(sentence), tokens=tuple(tokens), unsupported=tuple(unsupported))


def consolidated_sources(manuscript: Manuscript) -> tuple[ProjectSource, ...]:
    """Return the sources of a consolidated text."""
    documents = manuscript.consolidation.documents
    return tuple(to_struct(ProjectSource, account, file=account.path) for account in documents)
