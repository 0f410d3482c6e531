"""Views of a project for its pages: sentences with sources, outcomes, conflicts, decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from tatian.consolidation.result import Account, Consolidation, SentenceOutcome, Writing
from tatian.consolidation.verification.result import TracedSentence
from tatian.text.content import concept
from tatian.text.documents import Claim
from tatian.views.wording import short, squeeze
from tatian.workbench.desk.additions import ADDED
from tatian.workbench.desk.conflicts import conflict_id
from tatian.workbench.desk.decisions import (
    AddSentence,
    Drop,
    EditedText,
    Effect,
    Exclude,
    MarkConflict,
    Move,
    Retype,
    Reword,
    SetLength,
    SetTitle,
    Settle,
    Split,
    StoredDecision,
    WriteSentence,
)
from tatian.workbench.desk.evidence import (
    Offsets,
    VerdictView,
    restrict_doubts,
    worst_verdict,
)
from tatian.workbench.desk.manuscript import PART, Line, TokenLayout
from tatian.workbench.desk.output import sentences_by_conflict
from tatian.workbench.desk.service import Desk
from tatian.workbench.desk.state import ProjectState, verdict_key
from tatian.workbench.storage.plain import struct

LEAST = 50
"""Words of the shortest text that a person can ask for."""
_SHOWN = 60
"""Characters of a sentence that the list of decisions shows."""

_LABELS = {
    Drop: "Dropped",
    AddSentence: "Added:",
    Exclude: "Not part of the story:",
    Move: "Moved",
    Reword: "Other words for",
    Split: "Split",
    Retype: "Edited:",
    WriteSentence: "Wrote",
}


class SentenceView(Struct, frozen=True, gc=False):
    """A sentence of the text."""

    id: str
    opens: bool
    text: str
    tokens: list[TokenLayout]
    accounts: list[str]
    origins: tuple[str, ...]
    decisions: tuple[int, ...]
    why: str
    """Reason for its placement."""
    model: bool
    new: bool
    """True if it came with a source that was added to an edited text."""
    disputes: list[str]
    verdict: VerdictView | None


class OutcomeView(Struct, frozen=True, gc=False):
    """Outcome of a source sentence."""

    id: str
    fate: SentenceOutcome
    into: list[str]
    why: str
    decision: int | None


class ConflictView(Struct, frozen=True):
    """Conflict between sources."""

    id: str
    kind: str
    why: str
    claims: tuple[Claim, ...]
    values: list[str]
    """Distinct values of the claims; "thirteen" and "13" count once."""
    sentences: list[str]
    settled: Settle | None
    relation: str = "conflict"
    """A real conflict, or a later source that counted again."""


class DecisionView(Struct, frozen=True):
    """A decision in the list of decisions."""

    number: int
    kind: str
    label: str
    at: int
    applies: bool
    why: str
    undone: bool


class DocumentView(Struct, frozen=True):
    """A source as it was consolidated."""

    id: str
    title: str | None
    date: str | None
    source: str | None
    file: str | None
    text: str
    sentences: list[Offsets]
    first: int
    """Number of the first sentence: 1, or less if it is a headline."""


class LengthView(Struct, frozen=True):
    """Wanted and possible lengths of the text, in words."""

    value: int | None
    least: int
    most: int


class TextView(Struct, frozen=True):
    """The text in its present state."""

    revision: int
    stale: str
    title: str | None
    words: int
    writing: Writing | None
    """Contribution of a language model."""
    documents: list[DocumentView] | None
    sentences: list[SentenceView | str]
    """Sentences; only the id of one that has not changed since the page saw it."""
    fates: dict[str, list[OutcomeView] | None]
    """Outcomes by source; None for a source whose outcomes have not changed."""
    disputes: list[ConflictView]
    decisions: list[DecisionView]
    can_undo: bool
    can_redo: bool
    length: LengthView


def build_text_view(
    desk: Desk, present: ProjectState, *, documents: bool = False, seen: int | None = None
) -> TextView:
    """Return a project's text for its page; with its sources if `documents`.

    Sources, sentences and outcomes are left out if they are unchanged since the revision that the
    page has `seen`.
    """
    edited, manuscript = present.edited, present.manuscript
    ids = [line.id for line in edited.lines]
    disputes = list(_conflicts(edited, ids))
    sentences = []
    for line in edited.lines:
        laid = manuscript.layout(line)
        sentences.append(
            struct(
                SentenceView,
                line,
                text=laid.text,
                tokens=laid.tokens,
                accounts=laid.source_ids,
                new=line.why.startswith(ADDED),
                disputes=[disputes[number].id for number in sorted(laid.conflicts)],
                verdict=_verdict(desk, present, line) if line.typed else None,
            )
        )
    fates = _outcomes(edited, ids)
    new: list[SentenceView | str] = list(sentences)
    changed: dict[str, list[OutcomeView] | None] = dict(fates)
    if (was := desk.remembered_view(present.project.id, present.text_stamp, seen)) is not None:
        documents = False
        new = [view.id if view == was[0].get(view.id) else view for view in sentences]
        changed = {id: None if views == was[1].get(id) else views for id, views in fates.items()}
    saw = {sentence.id: sentence for sentence in sentences}, fates
    desk.remember_view(present.project.id, present.text_stamp, present.project.revision, saw)
    total = sum(len(account.text.split()) for account in present.sources)
    return TextView(
        revision=present.project.revision,
        stale=_stale(desk, present),
        title=edited.title,
        words=sum(manuscript.layout(line).count for line in edited.lines),
        writing=manuscript.consolidation.writer,
        documents=[_document(account) for account in edited.sources] if documents else None,
        sentences=new,
        fates=changed,
        disputes=disputes,
        decisions=list(_decisions(present)),
        can_undo=present.project.done > 0,
        can_redo=present.project.done < len(present.decisions),
        length=LengthView(edited.length, LEAST, max(LEAST, total)),
    )


def _stale(desk: Desk, present: ProjectState) -> str:
    if present.stamp == present.text_stamp:
        return desk.writer_problem(present.manuscript)
    now = {(account.id, account.text, account.source) for account in present.sources}
    documents = present.manuscript.consolidation.documents
    was = {(account.id, account.text, account.source) for account in documents}
    if now != was or len(now) != len(documents):
        return "the sources have changed since the text was made: consolidate again"
    return "the text is of another length, or of other dates: consolidate again"


def _verdict(desk: Desk, present: ProjectState, line: Line) -> VerdictView:
    laid = present.manuscript.layout(line)
    key = verdict_key(laid.text, present.manuscript, desk.judge)
    if (stored := present.findings.get(key)) is not None:
        traced = msgspec.json.decode(stored, type=list[TracedSentence])
        doubts = [restrict_doubts(sentence, laid.text, laid.tokens) for sentence in traced]
        return worst_verdict(doubts, laid.text, present.manuscript.consolidation.documents)
    problem = desk.problem(present.project.id, key)
    return VerdictView("failed", why=problem) if problem else VerdictView("waiting")


def _document(account: Account) -> DocumentView:
    return struct(
        DocumentView,
        account,
        file=account.path,
        sentences=[(sentence.start, sentence.end) for sentence in account.sentences],
        first=account.numbers.start,
    )


def _outcomes(edited: EditedText, ids: Sequence[str]) -> dict[str, list[OutcomeView]]:
    outcomes: dict[str, list[OutcomeView]] = {account.id: [] for account in edited.sources}
    for id, now in edited.outcomes.items():
        into = [ids[number] for number in now.into]
        account = edited.manuscript.sources[id].source.id
        outcomes[account].append(
            OutcomeView(id, now.fate, into, now.why, edited.last_decisions.get(id))
        )
    return outcomes


def _conflicts(edited: EditedText, ids: Sequence[str]) -> Iterator[ConflictView]:
    conflicts = edited.manuscript.consolidation.contradictions
    for conflict, numbers in zip(
        conflicts, sentences_by_conflict(edited.manuscript, edited.lines), strict=True
    ):
        id = conflict_id(conflict)
        yield struct(
            ConflictView,
            conflict,
            id=id,
            values=_values(conflict.claims),
            sentences=[ids[number] for number in numbers],
            settled=edited.settled.get(id),
        )


def _values(claims: Sequence[Claim]) -> list[str]:
    values: dict[str, str] = {}
    for claim in claims:
        values.setdefault(" ".join(map(concept, claim.text.split())), claim.text)
    return list(values.values())


def _decisions(present: ProjectState) -> Iterator[DecisionView]:
    effects = {effect.number: effect for effect in present.edited.effects}
    lines = present.edited.lines
    texts = {line.id: present.manuscript.layout(line).text for line in lines}
    for stored in present.decisions:
        yield struct(
            DecisionView,
            effects.get(stored.number, Effect(stored.number)),
            kind=str(stored.decision.__struct_config__.tag),
            label=describe_decision(stored, texts, present.manuscript.consolidation),
            at=stored.at,
            undone=stored.number > present.project.done,
        )


def describe_decision(stored: StoredDecision, texts: dict[str, str], woven: Consolidation) -> str:
    """Return a decision as one line."""
    decision = stored.decision
    match decision:
        case Settle():
            return _settling(decision, woven)
        case MarkConflict():
            first, second = (f"“{_short(place.words)}”" for place in decision.places)
            return f"Marked: {first} and {second} disagree"
        case SetLength():
            return f"About {decision.words} words" if decision.words else "No limit of length"
        case SetTitle():
            return f"Title: “{_short(decision.text)}”" if decision.text.strip() else "No title"
        case Retype() | WriteSentence():
            text = decision.text
        case _:
            id = (
                decision.source
                if isinstance(decision, AddSentence | Exclude)
                else decision.sentence
            )
            text = (
                stored.sentence_texts.get(id)
                or texts.get(id)
                or texts.get(id.partition(PART)[0])
                or ""
            )
    about = f"“{_short(text)}”" if text else "a sentence"
    return f"{_LABELS[type(decision)]} {about}"


def _settling(settling: Settle, woven: Consolidation) -> str:
    conflicts = {conflict_id(conflict): conflict for conflict in woven.contradictions}
    settled = conflicts.get(settling.dispute)
    if settling.how == "both":
        return "Settled: both are given"
    if settling.how == "write":
        return f"Settled: “{_short(settling.text)}”" if settling.text else "Settled: written out"
    if settled is None or settling.claim >= len(settled.claims):
        return "Settled: one is given"
    return f"Settled: “{_short(settled.claims[settling.claim].text)}”"


def _short(text: str) -> str:
    return short(squeeze(text), _SHOWN)
