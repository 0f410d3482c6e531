"""Data for the page of a project: sentences with sources, outcomes, conflicts, decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tatian.consolidation.result import Account, Consolidation, SentenceOutcome, Writing
from tatian.consolidation.verification.result import TracedSentence
from tatian.text.content import concept
from tatian.text.documents import Claim
from tatian.views.wording import short, squeeze
from tatian.workbench.desk import decisions as kinds
from tatian.workbench.desk.additions import ADDED
from tatian.workbench.desk.conflicts import conflict_id
from tatian.workbench.desk.decisions import EditedText, Effect, StoredDecision
from tatian.workbench.desk.evidence import Offsets, VerdictView, restrict_doubts, worst_verdict
from tatian.workbench.desk.manuscript import PART, Line, TokenLayout
from tatian.workbench.desk.output import sentences_by_conflict
from tatian.workbench.desk.projects import ProjectSource
from tatian.workbench.desk.service import Desk
from tatian.workbench.desk.state import ProjectState, verdict_key
from tatian.workbench.storage.codec import to_struct

MIN_TEXT_WORDS = 50
"""Minimum target length, in words."""
_MAX_QUOTED_CHARACTERS = 60
"""Maximum length of quotations in the list of decisions, in characters."""
_LABELS = {
    kinds.Drop: "Dropped",
    kinds.AddSentence: "Added:",
    kinds.Exclude: "Not part of the story:",
    kinds.Move: "Moved",
    kinds.Reword: "Other words for",
    kinds.Split: "Split",
    kinds.Retype: "Edited:",
    kinds.WriteSentence: "Wrote",
}
"""Label of a decision before the quoted sentence."""


class SentenceView(Struct, frozen=True, gc=False, rename={"conflicts": "disputes"}):
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
    """True if a language model wrote it."""
    new: bool
    """True if it is from a source that was added to an edited text."""
    conflicts: list[str]
    """Ids of the conflicts that it mentions."""
    verdict: VerdictView | None


class OutcomeView(Struct, frozen=True, gc=False, rename={"outcome": "fate"}):
    """Outcome of a source sentence."""

    id: str
    outcome: SentenceOutcome
    into: list[str]
    """Ids of the sentences of the text that word or cover it."""
    why: str
    decision: int | None
    """Number of the last decision about it."""


class ConflictView(Struct, frozen=True):
    """Conflict between sources."""

    id: str
    kind: str
    why: str
    claims: tuple[Claim, ...]
    values: list[str]
    """Distinct values of the claims; "thirteen" and "13" are the same."""
    sentences: list[str]
    settled: kinds.Settle | None
    relation: str = "conflict"
    """``superseded`` if a later source updates a figure."""


class DecisionView(Struct, frozen=True):
    """A decision as one line of the list of decisions."""

    number: int
    kind: str
    label: str
    at: int
    applies: bool
    why: str
    undone: bool


class DocumentView(ProjectSource, frozen=True):
    """A source as it was consolidated."""

    sentences: list[Offsets]
    first: int
    """Number of the first sentence: 1, or less if it is a headline."""


class LengthView(Struct, frozen=True):
    """Target length and possible lengths of the text, in words."""

    value: int | None
    least: int
    most: int


class TextView(Struct, frozen=True, rename={"outcomes": "fates", "conflicts": "disputes"}):
    """The current text of a project."""

    revision: int
    stale: str
    """Reason why the text is out of date; empty if it is not."""
    title: str | None
    words: int
    writing: Writing | None
    """Contribution of a language model."""
    documents: list[DocumentView] | None
    sentences: list[SentenceView | str]
    """Sentences; only the ids of those that the page already shows."""
    outcomes: dict[str, list[OutcomeView] | None]
    """Outcomes by source; None for a source whose outcomes have not changed."""
    conflicts: list[ConflictView]
    decisions: list[DecisionView]
    can_undo: bool
    can_redo: bool
    length: LengthView


def build_text_view(
    desk: Desk, state: ProjectState, *, documents: bool = False, seen: int | None = None
) -> TextView:
    """Return a project's text for its page; with its sources if `documents`.

    Sources, sentences and outcomes that have not changed since the revision `seen` are left out.
    """
    edited, manuscript = state.edited, state.manuscript
    line_ids = [line.id for line in edited.lines]
    conflicts = list(_conflicts(edited, line_ids))
    sentences = []
    for line in edited.lines:
        layout = manuscript.layout(line)
        sentences.append(
            to_struct(
                SentenceView,
                line,
                text=layout.text,
                tokens=layout.tokens,
                accounts=layout.source_ids,
                new=line.why.startswith(ADDED),
                conflicts=[conflicts[number].id for number in sorted(layout.conflicts)],
                verdict=_verdict(desk, state, line) if line.typed else None,
            )
        )
    outcomes = _outcomes(edited, line_ids)
    view = {sentence.id: sentence for sentence in sentences}, outcomes
    version = state.project.id, state.text_stamp, state.project.revision
    seen_view = desk.exchange_view(*version, view, seen)
    nothing: dict[str, Any] = {}
    seen_sentences, seen_outcomes = seen_view or (nothing, nothing)
    total_words = sum(len(account.text.split()) for account in state.sources)
    return TextView(
        revision=state.project.revision,
        stale=_stale_reason(desk, state),
        title=edited.title,
        words=sum(manuscript.layout(line).count for line in edited.lines),
        writing=manuscript.consolidation.writer,
        documents=list(map(_document, edited.sources)) if documents and not seen_view else None,
        sentences=[
            sentence.id if sentence == seen_sentences.get(sentence.id) else sentence
            for sentence in sentences
        ],
        outcomes={
            id: None if views == seen_outcomes.get(id) else views for id, views in outcomes.items()
        },
        conflicts=conflicts,
        decisions=list(_decisions(state)),
        can_undo=state.project.done > 0,
        can_redo=state.project.done < len(state.decisions),
        length=LengthView(edited.length, MIN_TEXT_WORDS, max(MIN_TEXT_WORDS, total_words)),
    )


def _stale_reason(desk: Desk, state: ProjectState) -> str:
    """Return the reason why the text is out of date; empty if it is not."""
    if state.stamp == state.text_stamp:
        return desk.writer_problem(state.manuscript)
    now = {(account.id, account.text, account.source) for account in state.sources}
    documents = state.manuscript.consolidation.documents
    consolidated = {(account.id, account.text, account.source) for account in documents}
    if now != consolidated or len(now) != len(documents):
        return "the sources have changed since the text was made: consolidate again"
    return "the text is of another length, or of other dates: consolidate again"


def _verdict(desk: Desk, state: ProjectState, line: Line) -> VerdictView:
    layout = state.manuscript.layout(line)
    key = verdict_key(layout.text, state.manuscript, desk.judge)
    if (stored := state.findings.get(key)) is not None:
        traced = msgspec.json.decode(stored, type=list[TracedSentence])
        doubts = [restrict_doubts(sentence, layout.text, layout.tokens) for sentence in traced]
        return worst_verdict(doubts, layout.text, state.manuscript.consolidation.documents)
    problem = desk.problem(state.project.id, key)
    return VerdictView("failed", why=problem) if problem else VerdictView("waiting")


def _document(account: Account) -> DocumentView:
    return to_struct(
        DocumentView,
        account,
        file=account.path,
        sentences=[(sentence.start, sentence.end) for sentence in account.sentences],
        first=account.numbers.start,
    )


def _outcomes(edited: EditedText, ids: Sequence[str]) -> dict[str, list[OutcomeView]]:
    outcomes: dict[str, list[OutcomeView]] = {account.id: [] for account in edited.sources}
    for id, outcome in edited.outcomes.items():
        into = [ids[number] for number in outcome.into]
        account = edited.manuscript.sources[id].source.id
        outcomes[account].append(
            OutcomeView(id, outcome.fate, into, outcome.why, edited.last_decisions.get(id))
        )
    return outcomes


def _conflicts(edited: EditedText, ids: Sequence[str]) -> Iterator[ConflictView]:
    conflicts = edited.manuscript.consolidation.contradictions
    sentences = sentences_by_conflict(edited.manuscript, edited.lines)
    for conflict, numbers in zip(conflicts, sentences, strict=True):
        id = conflict_id(conflict)
        values: dict[str, str] = {}
        for claim in conflict.claims:
            values.setdefault(" ".join(map(concept, claim.text.split())), claim.text)
        yield to_struct(
            ConflictView,
            conflict,
            id=id,
            values=list(values.values()),
            sentences=[ids[number] for number in numbers],
            settled=edited.settled.get(id),
        )


def _decisions(state: ProjectState) -> Iterator[DecisionView]:
    effects = {effect.number: effect for effect in state.edited.effects}
    lines = state.edited.lines
    texts = {line.id: state.manuscript.layout(line).text for line in lines}
    for stored in state.decisions:
        yield to_struct(
            DecisionView,
            effects.get(stored.number, Effect(stored.number)),
            kind=str(stored.decision.__struct_config__.tag),
            label=describe_decision(stored, texts, state.manuscript.consolidation),
            at=stored.at,
            undone=stored.number > state.project.done,
        )


def describe_decision(
    stored: StoredDecision, texts: dict[str, str], consolidation: Consolidation
) -> str:
    """Return a decision as one line."""
    decision = stored.decision
    match decision:
        case kinds.Settle():
            return _describe_settlement(decision, consolidation)
        case kinds.MarkConflict():
            first, second = (f"“{_shorten(place.words)}”" for place in decision.places)
            return f"Marked: {first} and {second} disagree"
        case kinds.SetLength():
            return f"About {decision.words} words" if decision.words else "No limit of length"
        case kinds.SetTitle():
            return f"Title: “{_shorten(decision.text)}”" if decision.text.strip() else "No title"
        case kinds.Retype() | kinds.WriteSentence():
            text = decision.text
        case _:
            id = kinds.sentence_ids(decision)[0]
            undivided = id.partition(PART)[0]
            text = stored.sentence_texts.get(id) or texts.get(id) or texts.get(undivided) or ""
    quoted = f"“{_shorten(text)}”" if text else "a sentence"
    return f"{_LABELS[type(decision)]} {quoted}"


def _describe_settlement(settling: kinds.Settle, consolidation: Consolidation) -> str:
    conflicts = {conflict_id(conflict): conflict for conflict in consolidation.contradictions}
    settled = conflicts.get(settling.conflict)
    if settling.how == "both":
        return "Settled: both are given"
    if settling.how == "write":
        return f"Settled: “{_shorten(settling.text)}”" if settling.text else "Settled: written out"
    if settled is None or settling.claim >= len(settled.claims):
        return "Settled: one is given"
    return f"Settled: “{_shorten(settled.claims[settling.claim].text)}”"


def _shorten(text: str) -> str:
    return short(squeeze(text), _MAX_QUOTED_CHARACTERS)
