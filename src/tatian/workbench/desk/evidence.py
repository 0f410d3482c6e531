"""Passages behind a verdict, and the words of an edited sentence that lack support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.result import Account, SourceSentence
from tatian.consolidation.verification.result import Stretch, TracedSentence
from tatian.text import Token
from tatian.text.content import concept, is_content, is_exact
from tatian.text.documents import Claim
from tatian.text.tokenizer import tokenize
from tatian.workbench.desk.manuscript import TokenLayout

Offsets = tuple[int, int]
Stance = Literal["for", "against", "near"]

_HALF = 0.5
"""Share of a sentence's content words that a passage must have to be shown without evidence."""
_NEAREST = 2
"""Passages that are shown for a sentence without evidence, at most."""
_UNSUPPORTED = "the sources do not say this"


class PassageView(Struct, frozen=True):
    """A source sentence for or against a sentence of the text, with its neighbours."""

    account: str
    stance: Stance
    start: int
    end: int
    """Offset in the source."""
    before: str
    text: str
    after: str
    supporting: list[Offsets]
    """Offsets in `text` of words that the sentence repeats."""
    opposing: list[Offsets]
    """Offsets in `text` of words that say otherwise."""


class VerdictView(Struct, frozen=True):
    """Verdict of the sources on a sentence; ``waiting`` until it is known."""

    verdict: str
    support: float = 0.0
    why: str = ""
    unsupported: list[Offsets] = []
    passages: list[PassageView] = []


def worst_verdict(
    traced: Sequence[TracedSentence], words: str = "", accounts: Sequence[Account] = ()
) -> VerdictView:
    """Return the worst verdict on several sentences, with the evidence of all."""
    if not traced:
        return VerdictView("unknown", why="there is nothing to verify")
    order = ("supported", "unknown", "partly", "unsupported", "contradicted")
    bad = max(traced, key=lambda sentence: order.index(sentence.verdict))
    sources = {account.id: account for account in accounts}
    return VerdictView(
        bad.verdict,
        min(sentence.support for sentence in traced),
        bad.why,
        [(part.start, part.end) for sentence in traced for part in sentence.unsupported],
        [passage for sentence in traced for passage in find_passages(sentence, words, sources)],
    )


def find_passages(
    sentence: TracedSentence, words: str, accounts: Mapping[str, Account]
) -> list[PassageView]:
    """Return the passages for and against a sentence, those against it first.

    `words` is the text that the offsets of the sentence count in.
    """
    sources = _sources(sentence)
    stances: dict[tuple[str, int], Stance] = {}
    sides: tuple[tuple[Sequence[Claim], Stance], ...] = (
        (sentence.against, "against"),
        (sentence.evidence, "for"),
    )
    for claims, stance in sides:
        for claim in claims:
            if place := _place(accounts, claim.document, claim.start):
                stances.setdefault(place, stance)
    counts: dict[tuple[str, int], int] = {}
    for document, start, end in sources:
        place = _place(accounts, document, start)
        if place and is_content(accounts[document].text[start:end]):
            counts[place] = counts.get(place, 0) + 1
    ranked = sorted(counts, key=lambda place: (-counts[place], place))
    content = [token for token in sentence.tokens if is_content(words[token.start : token.end])]
    least = _HALF * max(1, len(content))
    if sentence.verdict in ("supported", "partly"):
        more = [place for place in ranked if counts[place] >= least or not stances]
        more = more[:_NEAREST] if not stances else more
        stances |= {place: "for" for place in more if place not in stances}
    elif not stances:
        stances |= dict.fromkeys(ranked[:_NEAREST], "near")
    return [
        _passage(sentence, words, accounts[document], number, stance, sources)
        for (document, number), stance in stances.items()
    ]


def restrict_doubts(
    sentence: TracedSentence, text: str, tokens: Sequence[TokenLayout]
) -> TracedSentence:
    """Return the verdict on an edited sentence with doubt on the typed words only.

    Words that stood there before come from a source, so the typed words are the doubtful ones. A
    sentence without typed words keeps its verdict.
    """
    if sentence.verdict in ("supported", "unknown"):
        return sentence
    within = [token for token in tokens if sentence.start <= token.start < sentence.end]
    typed = [token for token in within if token.own and is_content(text[token.start : token.end])]
    spans = [text[token.start : token.end] for token in within]
    if not typed or len(typed) == sum(map(is_content, spans)):
        return sentence
    lacking = [token for token in typed if _is_doubted(sentence, token.start, token.end)]
    marked = _join_places([(token.start, token.end) for token in lacking or typed])
    unsupported = tuple(Stretch(start, end) for start, end in marked)
    if unsupported == sentence.unsupported:
        return sentence
    quoted = ", ".join(text[start:end] for start, end in marked)
    reason = sentence.why.rpartition(": ")[2] if sentence.verdict == "contradicted" else ""
    return replace(sentence, unsupported=unsupported, why=f"{quoted}: {reason or _UNSUPPORTED}")


def _sources(sentence: TracedSentence) -> set[tuple[str, int, int]]:
    """Return the places in sources of the words that are not in doubt."""
    return {
        (source.document, source.start, source.end)
        for token in sentence.tokens
        if sentence.verdict == "unsupported" or not _is_doubted(sentence, token.start, token.end)
        for source in token.sources
    }


def _is_doubted(sentence: TracedSentence, start: int, end: int) -> bool:
    """Return True if a stretch of a sentence lacks support."""
    return any(part.start < end and start < part.end for part in sentence.unsupported)


def _place(accounts: Mapping[str, Account], document: str, start: int) -> tuple[str, int] | None:
    """Return the source and the index of its sentence at an offset."""
    account = accounts.get(document)
    for number, sentence in enumerate(account.sentences if account else ()):
        if sentence.start <= start < sentence.end:
            return document, number
    return None


def _passage(
    sentence: TracedSentence,
    words: str,
    account: Account,
    number: int,
    stance: Stance,
    sources: set[tuple[str, int, int]],
) -> PassageView:
    shown = account.sentences[number]
    text = _text(account, shown)
    supporting = [
        (start - shown.start, end - shown.start)
        for document, start, end in sources
        if document == account.id and shown.start <= start < shown.end
    ]
    opposing = _opposing(sentence, words, text) if stance == "against" else []
    return PassageView(
        account=account.id,
        stance=stance,
        start=shown.start,
        end=shown.end,
        before=_text(account, account.sentences[number - 1]) if number else "",
        text=text,
        after=_text(account, account.sentences[number + 1])
        if number + 1 < len(account.sentences)
        else "",
        supporting=[offsets for offsets in _join_places(supporting) if offsets not in opposing],
        opposing=opposing,
    )


def _text(account: Account, sentence: SourceSentence) -> str:
    return account.text[sentence.start : sentence.end]


def _opposing(sentence: TracedSentence, words: str, text: str) -> list[Offsets]:
    """Return the words of a passage that replace those in doubt, or else are of their kind."""
    mine = list(tokenize(words, sentence.start, sentence.end))
    theirs = list(tokenize(text))
    lacking = {at for at, token in enumerate(mine) if _is_doubted(sentence, token.start, token.end)}
    concepts = {concept(token.text) for token in mine}
    other = [
        at
        for at, token in enumerate(theirs)
        if is_content(token.text) and concept(token.text) not in concepts
    ]
    places = [at for at in _in_place(mine, theirs, lacking) if at in other]
    exact = any(is_exact(mine[at].text) for at in lacking)
    places = places or [at for at in other if is_exact(theirs[at].text) == exact] or other
    return _join_places([(theirs[at].start, theirs[at].end) for at in places])


def _in_place(mine: Sequence[Token], theirs: Sequence[Token], lacking: set[int]) -> Iterator[int]:
    """Yield the words of a passage between the same neighbours as words in doubt."""
    left = [token.text.casefold() for token in mine]
    right = [token.text.casefold() for token in theirs]
    for kind, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "replace" and not lacking.isdisjoint(range(a, b)) and d - c <= 2 * (b - a) + 1:
            yield from range(c, d)


def _join_places(places: Sequence[Offsets]) -> list[Offsets]:
    """Return the places in order, joining those that only a blank divides."""
    joined: list[Offsets] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
