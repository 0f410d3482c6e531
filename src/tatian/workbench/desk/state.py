"""State of a project: the sources, decisions and findings that its text is made of."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.result import Account
from tatian.consolidation.verification.result import TracedSentence
from tatian.consolidation.verification.verdict import SMALL
from tatian.workbench.desk.decisions import EditedText, StoredDecision
from tatian.workbench.desk.manuscript import Manuscript
from tatian.workbench.desk.projects import Project, ProjectSource


class ProjectInputs(Struct, frozen=True):
    """Project with the sources, decisions and manuscript that its text is made of."""

    project: Project
    sources: tuple[ProjectSource, ...]
    decisions: tuple[StoredDecision, ...]
    stamp: str
    """Stamp that a consolidation of the present sources has."""
    text_stamp: str
    """Stamp of the consolidation that is shown."""
    manuscript: Manuscript

    @property
    def in_force(self) -> tuple[StoredDecision, ...]:
        """Decisions that are not undone."""
        return self.decisions[: self.project.done]


class ProjectState(ProjectInputs, frozen=True):
    """Project with its edited text and the findings about it."""

    edited: EditedText
    findings: dict[str, str]
    """Findings on sentences that a person typed, by `verdict_key`."""


def update_metadata(manuscript: Manuscript, accounts: Sequence[ProjectSource]) -> list[Account]:
    """Return the consolidated sources with their present title, date and publisher."""
    now = {account.id: account for account in accounts}
    return [
        replace(old, title=current.title, date=current.date or old.date, source=current.source)
        if (current := now.get(old.id))
        else old
        for old in manuscript.consolidation.documents
    ]


def verdict_key(text: str, manuscript: Manuscript, judge: str) -> str:
    """Return the key of the verdict on a sentence."""
    return finding_key("verdict", text, manuscript.stamp, judge)


def finding_key(kind: str, text: str, stamp: str, judge: str = SMALL) -> str:
    """Return the key of a judge's finding about a text and the sources with that stamp."""
    stamp += f"\0{judge}" if judge != SMALL else ""
    digest = hashlib.sha256(f"{stamp}\0{text}".encode("utf-8", "surrogatepass"))
    return f"{kind}-{digest.hexdigest()[:32]}"


def move_verdict(sentence: TracedSentence, by: int) -> TracedSentence:
    """Return a verdict whose offsets are moved."""
    tokens = [replace(word, start=word.start + by, end=word.end + by) for word in sentence.tokens]
    parts = [
        replace(part, start=part.start + by, end=part.end + by) for part in sentence.unsupported
    ]
    moved = {"start": sentence.start + by, "end": sentence.end + by}
    return replace(sentence, **moved, tokens=tuple(tokens), unsupported=tuple(parts))


def consolidated_sources(manuscript: Manuscript) -> tuple[ProjectSource, ...]:
    return tuple(
        ProjectSource(old.id, old.title, old.date, old.source, old.path, old.text)
        for old in manuscript.consolidation.documents
    )
