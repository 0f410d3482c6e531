"""A project as it stands: what its text is made of, and what is known of that text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.proof.verdict import SMALL
from tatian.consolidation.result import Account
from tatian.workbench.desk.decisions import Edited, MadeDecision
from tatian.workbench.desk.manuscript import Manuscript
from tatian.workbench.desk.projects import Project, ProjectAccount


class Ground(Struct, frozen=True):
    """What a project's text is made of."""

    project: Project
    accounts: tuple[ProjectAccount, ...]
    decisions: tuple[MadeDecision, ...]
    stamp: str
    """What a weave of it would have."""
    woven: str
    """What the weave that is shown has."""
    manuscript: Manuscript

    @property
    def in_force(self) -> tuple[MadeDecision, ...]:
        """The decisions that are not undone."""
        return self.decisions[: self.project.done]


class Present(Ground, frozen=True):
    """A project with everything that is known of its text."""

    edited: Edited
    found: dict[str, str]
    """Findings on sentences that a person typed, by `verdict_key`."""


def known(manuscript: Manuscript, accounts: Sequence[ProjectAccount]) -> list[Account]:
    """The woven accounts, with what is known of them by now."""
    now = {one.id: one for one in accounts}
    return [
        replace(one, title=told.title, date=told.date or one.date, source=told.source)
        if (told := now.get(one.id))
        else one
        for one in manuscript.woven.documents
    ]


def verdict_key(text: str, manuscript: Manuscript, judge: str) -> str:
    """Return the key of the verdict on a sentence."""
    return finding_key("verdict", text, manuscript.stamp, judge)


def finding_key(kind: str, text: str, stamp: str, judge: str = SMALL) -> str:
    """Return the key of what a judge found about a text and the accounts of that stamp."""
    stamp += f"\0{judge}" if judge != SMALL else ""
    told = hashlib.sha256(f"{stamp}\0{text}".encode("utf-8", "surrogatepass"))
    return f"{kind}-{told.hexdigest()[:32]}"


def as_woven(manuscript: Manuscript) -> tuple[ProjectAccount, ...]:
    return tuple(
        ProjectAccount(one.id, one.title, one.date, one.source, one.path, one.text)
        for one in manuscript.woven.documents
    )
