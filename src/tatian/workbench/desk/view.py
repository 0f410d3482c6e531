"""What pages are shown of a project: sentences with their sources, fates, disputes, decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from tatian.consolidation.proof.result import TracedSentence
from tatian.consolidation.result import Account, Consolidation, WrittenToken
from tatian.union.models import Claim, Fate
from tatian.views.wording import squeeze
from tatian.workbench.desk.decisions import (
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
from tatian.workbench.desk.manuscript import PART, Line, sentence_id
from tatian.workbench.desk.points import dispute_id
from tatian.workbench.desk.room import Desk, Present, verdict_key

LEAST = 50
"""Words of the shortest text that can be asked for."""
_SHOWN = 60
"""Characters of a sentence that are shown in the list of decisions."""

Offsets = tuple[int, int]


class TokenView(Struct, frozen=True, omit_defaults=True):
    """A word: its place in the sentence or text, and its sources."""

    start: int
    end: int
    sources: list[tuple[int, int, int, str]]
    """Index of the document, start and end there, kind."""
    glue: bool = False
    own: bool = False


class ClaimView(Struct, frozen=True):
    """What an account says."""

    account: str
    start: int
    end: int
    text: str


class VerdictView(Struct, frozen=True):
    """Whether the accounts bear a sentence out; ``waiting`` while nobody knows yet."""

    verdict: str
    support: float = 0.0
    why: str = ""
    unproved: list[Offsets] = []
    against: list[ClaimView] = []


class SentenceView(Struct, frozen=True):
    """A sentence of the text."""

    id: str
    opens: bool
    text: str
    tokens: list[TokenView]
    accounts: list[str]
    origins: list[str]
    decisions: list[int]
    model: bool
    disputes: list[str]
    verdict: VerdictView | None


class FateView(Struct, frozen=True):
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
    sentences: list[str]
    settled: SettledView | None


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
    documents: list[DocumentView] | None
    sentences: list[SentenceView]
    fates: dict[str, list[FateView]]
    disputes: list[DisputeView]
    decisions: list[DecisionView]
    can_undo: bool
    can_redo: bool
    length: LengthView


def shown(desk: Desk, present: Present, *, documents: bool = False) -> WovenView:
    """A project's text for its page; `documents`: with the accounts that it was woven of."""
    edited, woven = present.edited, present.edited.consolidation
    ids = [line.id for line in edited.lines]
    places = {account.id: index for index, account in enumerate(woven.documents)}
    disputes = list(_disputes(edited, ids))
    touched: dict[str, list[str]] = {}
    for one in disputes:
        for id in one.sentences:
            touched.setdefault(id, []).append(one.id)
    sentences = []
    for line, written in zip(edited.lines, woven.sentences, strict=True):
        tokens = token_views(written.tokens, places, written.start)
        held = sorted({source[0] for token in tokens for source in token.sources})
        sentences.append(
            SentenceView(
                id=line.id,
                opens=line.opens,
                text=woven.text[written.start : written.end],
                tokens=tokens,
                accounts=[woven.documents[index].id for index in held],
                origins=list(line.origins),
                decisions=list(line.decisions),
                model=line.model,
                disputes=touched.get(line.id, []),
                verdict=_verdict(desk, present, line) if line.typed else None,
            )
        )
    told = sum(len(one.text.split()) for one in present.accounts)
    return WovenView(
        revision=present.project.revision,
        stale=_stale(present),
        title=woven.title,
        words=len(woven.text.split()),
        documents=[_document(one) for one in woven.documents] if documents else None,
        sentences=sentences,
        fates={one.id: list(_fates(one, edited, ids)) for one in woven.documents},
        disputes=disputes,
        decisions=list(_decisions(present)),
        can_undo=present.project.done > 0,
        can_redo=present.project.done < len(present.decisions),
        length=LengthView(edited.length, LEAST, max(LEAST, told)),
    )


def token_views(
    tokens: Iterable[WrittenToken], places: dict[str, int], start: int = 0
) -> list[TokenView]:
    """Words by their places after `start`."""
    return [
        TokenView(
            token.start - start,
            token.end - start,
            [(places[one.document], one.start, one.end, one.kind) for one in token.sources],
            token.glue,
            token.own,
        )
        for token in tokens
    ]


def claim_view(claim: Claim) -> ClaimView:
    """What an account says."""
    return ClaimView(claim.document, claim.start, claim.end, claim.text)


def _stale(present: Present) -> str:
    if present.stamp == present.woven:
        return ""
    now = {(one.id, one.text, one.source) for one in present.accounts}
    was = {(one.id, one.text, one.source) for one in present.manuscript.woven.documents}
    if now != was or len(now) != len(present.manuscript.woven.documents):
        return "the accounts have changed since the text was woven: weave it again"
    return "the text is of another length, or of other dates: weave it again"


def _verdict(desk: Desk, present: Present, line: Line) -> VerdictView:
    key = verdict_key(line.text, present.manuscript)
    if (stored := present.found.get(key)) is not None:
        return worst(msgspec.json.decode(stored, type=list[TracedSentence]))
    problem = desk.problem(present.project.id, key)
    return VerdictView("failed", why=problem) if problem else VerdictView("waiting")


def worst(traced: Sequence[TracedSentence]) -> VerdictView:
    """The verdict on several sentences: the worst of theirs."""
    if not traced:
        return VerdictView("unknown", why="there is nothing to prove")
    order = ("supported", "unknown", "partly", "unsupported", "contradicted")
    bad = max(traced, key=lambda one: order.index(one.verdict))
    return VerdictView(
        bad.verdict,
        min(one.support for one in traced),
        bad.why,
        [(part.start, part.end) for one in traced for part in one.unproved],
        [claim_view(claim) for one in traced for claim in one.against],
    )


def _document(account: Account) -> DocumentView:
    return DocumentView(
        account.id,
        account.title,
        account.date,
        account.source,
        account.path,
        account.text,
        [(one.start, one.end) for one in account.sentences],
    )


def _fates(account: Account, edited: Edited, ids: Sequence[str]) -> Iterator[FateView]:
    by = {
        origin: line.decisions[-1]
        for line in edited.lines
        if line.decisions
        for origin in line.origins
    }
    for one in account.sentences:
        id = sentence_id(account.id, one)
        decision = edited.excluded.get(id, by.get(id))
        yield FateView(id, one.fate, [ids[n] for n in one.into], one.why, decision)


def _disputes(edited: Edited, ids: Sequence[str]) -> Iterator[DisputeView]:
    for found in edited.consolidation.contradictions:
        id = dispute_id(found)
        how = edited.settled.get(id)
        claim = how.claim if how and how.how == "one" else None
        yield DisputeView(
            id,
            found.kind,
            found.why,
            [claim_view(one) for one in found.claims],
            [ids[number] for number in found.sentences],
            SettledView(how.how, claim) if how else None,
        )


def _decisions(present: Present) -> Iterator[DecisionView]:
    effects = {one.number: one for one in present.edited.effects}
    texts = {line.id: line.text for line in present.edited.lines}
    for made in present.decisions:
        effect = effects.get(made.number, Effect(made.number))
        undone = made.number > present.project.done
        kind = made.decision.__struct_config__.tag
        yield DecisionView(
            made.number,
            str(kind),
            label(made, texts, present.edited.consolidation),
            made.at,
            effect.applies,
            effect.why,
            undone,
        )


def label(made: MadeDecision, texts: dict[str, str], woven: Consolidation) -> str:
    """A decision in one line."""

    def quoted(id: str) -> str:
        said = made.said.get(id) or texts.get(id) or texts.get(id.partition(PART)[0]) or ""
        return f"“{_short(said)}”" if said else "a sentence"

    one = made.decision
    match one:
        case Drop():
            return f"Dropped {quoted(one.sentence)}"
        case Tell():
            return f"Told too: {quoted(one.source)}"
        case Exclude():
            return f"Not part of the story: {quoted(one.source)}"
        case Move():
            return f"Moved {quoted(one.sentence)}"
        case Reword():
            return f"Other words for {quoted(one.sentence)}"
        case Split():
            return f"Split {quoted(one.sentence)}"
        case Retype():
            return f"Edited: “{_short(one.text)}”"
        case WriteIn():
            return f"Wrote “{_short(one.text)}”"
        case Settle():
            return _settling(one, woven)
        case Shorten():
            return f"About {one.words} words" if one.words else "Everything is told"
        case Entitle():
            return f"Title: “{_short(one.text)}”" if one.text.strip() else "No title"


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
    plain = squeeze(text)
    return plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 1].rstrip()}…"
