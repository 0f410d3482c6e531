"""What pages are shown of a project: sentences with their sources, fates, disputes, decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from tatian.consolidation.proof.result import TracedSentence
from tatian.consolidation.result import Account, Consolidation
from tatian.text.content import concept
from tatian.union.models import Claim, Fate
from tatian.views.wording import short, squeeze
from tatian.workbench.desk.additions import ADDED
from tatian.workbench.desk.decisions import (
    Differ,
    Drop,
    Edited,
    Effect,
    Entitle,
    Exclude,
    MadeDecision,
    Move,
    Retype,
    Reword,
    Settle,
    Shorten,
    Split,
    Tell,
    WriteIn,
)
from tatian.workbench.desk.evidence import (
    ClaimView,
    Offsets,
    VerdictView,
    claim_view,
    typed_doubts,
    worst,
)
from tatian.workbench.desk.manuscript import PART, LaidToken, Line
from tatian.workbench.desk.points import dispute_id
from tatian.workbench.desk.present import Present, verdict_key
from tatian.workbench.desk.room import Desk
from tatian.workbench.desk.sheet import touched
from tatian.workbench.storage.plain import struct

LEAST = 50
"""Words of the shortest text that can be asked for."""
_SHOWN = 60
"""Characters of a sentence that are shown in the list of decisions."""

_LABELS = {
    Drop: "Dropped",
    Tell: "Told too:",
    Exclude: "Not part of the story:",
    Move: "Moved",
    Reword: "Other words for",
    Split: "Split",
    Retype: "Edited:",
    WriteIn: "Wrote",
}


class SentenceView(Struct, frozen=True, gc=False):
    """A sentence of the text."""

    id: str
    opens: bool
    text: str
    tokens: list[LaidToken]
    accounts: list[str]
    origins: tuple[str, ...]
    decisions: tuple[int, ...]
    why: str
    """Why it stands where it stands."""
    model: bool
    new: bool
    """Whether it came with an account that was added to a text that was worked on."""
    disputes: list[str]
    verdict: VerdictView | None


class FateView(Struct, frozen=True, gc=False):
    """What became of a sentence of an account."""

    id: str
    fate: Fate
    into: list[str]
    why: str
    decision: int | None


class SettledView(Struct, frozen=True):
    """How a dispute was settled."""

    how: str
    claim: int | None


class DisputeView(Struct, frozen=True):
    """Where accounts differ."""

    id: str
    kind: str
    why: str
    claims: list[ClaimView]
    values: list[str]
    """What is claimed, "thirteen" and "13" once."""
    sentences: list[str]
    settled: SettledView | None
    relation: str = "conflict"
    """Whether accounts contradict each other, or a later one counted again."""


class DecisionView(Struct, frozen=True):
    """A decision, as the list of them shows it."""

    number: int
    kind: str
    label: str
    at: int
    applies: bool
    why: str
    undone: bool


class DocumentView(Struct, frozen=True):
    """An account as it was woven."""

    id: str
    title: str | None
    date: str | None
    source: str | None
    file: str | None
    text: str
    sentences: list[Offsets]
    first: int
    """The number of the first sentence: 1, or less if it is a headline."""


class LengthView(Struct, frozen=True):
    """How long the text is to be, and can be."""

    value: int | None
    least: int
    most: int


class WovenView(Struct, frozen=True):
    """The text as it stands."""

    revision: int
    stale: str
    title: str | None
    words: int
    writer: str
    """The language model that worded some of it; empty where none did."""
    documents: list[DocumentView] | None
    sentences: list[SentenceView | str]
    """A sentence's id alone where it is as it was when the page saw it."""
    fates: dict[str, list[FateView] | None]
    """Null where they are as they were."""
    disputes: list[DisputeView]
    decisions: list[DecisionView]
    can_undo: bool
    can_redo: bool
    length: LengthView


def shown(
    desk: Desk, present: Present, *, documents: bool = False, seen: int | None = None
) -> WovenView:
    """A project's text for its page; `documents`: with the accounts that it was woven of.

    What is as it was at the revision that the page has `seen` is left out, if that is known yet,
    and so are the accounts.
    """
    edited, manuscript = present.edited, present.manuscript
    writer = manuscript.woven.writer
    ids = [line.id for line in edited.lines]
    disputes = list(_disputes(edited, ids))
    sentences = []
    for line in edited.lines:
        laid = manuscript.laid(line)
        sentences.append(
            struct(
                SentenceView,
                line,
                text=laid.text,
                tokens=laid.tokens,
                accounts=laid.accounts,
                new=line.why.startswith(ADDED),
                disputes=[disputes[number].id for number in sorted(laid.disputes)],
                verdict=_verdict(desk, present, line) if line.typed else None,
            )
        )
    fates = _fates(edited, ids)
    new: list[SentenceView | str] = list(sentences)
    changed: dict[str, list[FateView] | None] = dict(fates)
    if (was := desk.seen(present.project.id, present.woven, seen)) is not None:
        documents = False
        new = [one.id if one == was[0].get(one.id) else one for one in sentences]
        changed = {id: None if one == was[1].get(id) else one for id, one in fates.items()}
    saw = {one.id: one for one in sentences}, fates
    desk.see(present.project.id, present.woven, present.project.revision, saw)
    told = sum(len(one.text.split()) for one in present.accounts)
    return WovenView(
        revision=present.project.revision,
        stale=_stale(desk, present),
        title=edited.title,
        words=sum(manuscript.laid(line).count for line in edited.lines),
        writer=writer.model if writer else "",
        documents=[_document(one) for one in edited.accounts] if documents else None,
        sentences=new,
        fates=changed,
        disputes=disputes,
        decisions=list(_decisions(present)),
        can_undo=present.project.done > 0,
        can_redo=present.project.done < len(present.decisions),
        length=LengthView(edited.length, LEAST, max(LEAST, told)),
    )


def _stale(desk: Desk, present: Present) -> str:
    if present.stamp == present.woven:
        return desk.unworded(present.manuscript)
    now = {(one.id, one.text, one.source) for one in present.accounts}
    was = {(one.id, one.text, one.source) for one in present.manuscript.woven.documents}
    if now != was or len(now) != len(present.manuscript.woven.documents):
        return "the accounts have changed since the text was woven: weave it again"
    return "the text is of another length, or of other dates: weave it again"


def _verdict(desk: Desk, present: Present, line: Line) -> VerdictView:
    laid = present.manuscript.laid(line)
    key = verdict_key(laid.text, present.manuscript, desk.judge)
    if (stored := present.found.get(key)) is not None:
        traced = msgspec.json.decode(stored, type=list[TracedSentence])
        doubts = [typed_doubts(sentence, laid.text, laid.tokens) for sentence in traced]
        return worst(doubts, laid.text, present.manuscript.woven.documents)
    problem = desk.problem(present.project.id, key)
    return VerdictView("failed", why=problem) if problem else VerdictView("waiting")


def _document(account: Account) -> DocumentView:
    return struct(
        DocumentView,
        account,
        file=account.path,
        sentences=[(one.start, one.end) for one in account.sentences],
        first=account.numbers.start,
    )


def _fates(edited: Edited, ids: Sequence[str]) -> dict[str, list[FateView]]:
    found: dict[str, list[FateView]] = {account.id: [] for account in edited.accounts}
    for id, now in edited.fates.items():
        into = [ids[number] for number in now.into]
        account = edited.manuscript.sources[id].account.id
        found[account].append(FateView(id, now.fate, into, now.why, edited.touched.get(id)))
    return found


def _disputes(edited: Edited, ids: Sequence[str]) -> Iterator[DisputeView]:
    found = edited.manuscript.woven.contradictions
    for one, numbers in zip(found, touched(edited.manuscript, edited.lines), strict=True):
        id = dispute_id(one)
        how = edited.settled.get(id)
        claim = how.claim if how and how.how == "one" else None
        yield DisputeView(
            id,
            one.kind,
            one.why,
            [claim_view(each) for each in one.claims],
            _values(one.claims),
            [ids[number] for number in numbers],
            SettledView(how.how, claim) if how else None,
            one.relation,
        )


def _values(claims: Sequence[Claim]) -> list[str]:
    found: dict[str, str] = {}
    for one in claims:
        found.setdefault(" ".join(map(concept, one.text.split())), one.text)
    return list(found.values())


def _decisions(present: Present) -> Iterator[DecisionView]:
    effects = {one.number: one for one in present.edited.effects}
    lines = present.edited.lines
    texts = {line.id: present.manuscript.laid(line).text for line in lines}
    for made in present.decisions:
        yield struct(
            DecisionView,
            effects.get(made.number, Effect(made.number)),
            kind=str(made.decision.__struct_config__.tag),
            label=label(made, texts, present.manuscript.woven),
            at=made.at,
            undone=made.number > present.project.done,
        )


def label(made: MadeDecision, texts: dict[str, str], woven: Consolidation) -> str:
    """A decision in one line."""
    one = made.decision
    match one:
        case Settle():
            return _settling(one, woven)
        case Differ():
            first, second = (f"“{_short(place.words)}”" for place in one.places)
            return f"Marked: {first} and {second} disagree"
        case Shorten():
            return f"About {one.words} words" if one.words else "Everything is told"
        case Entitle():
            return f"Title: “{_short(one.text)}”" if one.text.strip() else "No title"
        case Retype() | WriteIn():
            said = one.text
        case _:
            id = one.source if isinstance(one, Tell | Exclude) else one.sentence
            said = made.said.get(id) or texts.get(id) or texts.get(id.partition(PART)[0]) or ""
    about = f"“{_short(said)}”" if said else "a sentence"
    return f"{_LABELS[type(one)]} {about}"


def _settling(one: Settle, woven: Consolidation) -> str:
    found = next((each for each in woven.contradictions if dispute_id(each) == one.dispute), None)
    if one.how == "both":
        return "Settled: both are told"
    if one.how == "write":
        return f"Settled: “{_short(one.text)}”" if one.text else "Settled: written out"
    if found is None or one.claim >= len(found.claims):
        return "Settled: one is told"
    return f"Settled: “{_short(found.claims[one.claim].text)}”"


def _short(text: str) -> str:
    return short(squeeze(text), _SHOWN)
