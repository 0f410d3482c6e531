"""Whether a draft says what a passage says: each is proved by the other, stretch by stretch.

The proof of a text against its accounts is sure of most sentences, not of all. So a draft is held
against the passage alone that it is a wording of, in both directions, and what a proof may overlook
must be the same on both sides: names, figures, quotations, and the words on which truth hangs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tatian.consolidation.proof import trace
from tatian.consolidation.proof.result import TracedSentence
from tatian.errors import NotEnglish
from tatian.pipeline import Pipeline
from tatian.text import Document, Span
from tatian.text.content import concept, is_content
from tatian.text.lexicon import NEGATIONS, REPORTING_VERBS
from tatian.text.tokenizer import tokenize

_SHARED = 0.25
"""The share of its words that a sentence must have from another to be a wording of it."""
_LOST, _NOVEL = 0.1, 0.1
"""The share of content words that may be missing, or stand in the draft alone."""
_HINGES = NEGATIONS | frozenset(
    "if unless whether although though because despite except only even least most about until"
    " while when after before since then therefore thus"
    " may might could would should alleged allegedly accused suspected suspects believed likely"
    " possibly probably perhaps reportedly apparently according planned expected some all".split()
)
"""Words on which the truth of the rest may hang: neither side has one that the other lacks."""
_ENDINGS = frozenset('.!?:"“')
_CLOSED = (".", "!", "?", '"', "”", "’", "'", ")")
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_PASSAGE, _DRAFT = "passage", "draft"
_WHO = ("he", "she", "they")
_SHOWN = 8
_INSIDE = frozenset("&-'’.$")
"""Marks that may stand within a name or a figure."""


class DraftBlock(Struct, frozen=True):
    """Neighbouring sentences of the passage, and what the draft has for them."""

    first: int
    after: int
    """Indices of the passage's sentences, the second exclusive."""
    text: str
    """What the draft has for them; empty where it leaves them out."""
    draft: tuple[TracedSentence, ...] = ()
    """Its sentences; offsets index the whole draft."""
    why: str = ""
    """Why it cannot stand for them; empty if it can."""


def compared(
    passage: str, spans: Sequence[Span], draft: str, pipeline: Pipeline
) -> list[DraftBlock]:
    """The passage in blocks, from its first sentence to its last, each proved or not.

    `spans` are its sentences. The sources of the draft's words are places in the passage. Sentences
    of the draft that word nothing of it come last, as blocks without any of the passage.
    """
    if not any(map(str.isalnum, draft)):
        return [DraftBlock(0, len(spans), draft, why="it has no words")]
    try:
        forth = trace(draft, [Document(_PASSAGE, passage)], pipeline=pipeline)
        back = trace(passage, [Document(_DRAFT, draft)], pipeline=pipeline)
    except NotEnglish:
        return [DraftBlock(0, len(spans), draft, why="it is not English")]
    edges = _edges(passage, spans, forth.sentences, draft)
    found, strays = [], set(range(len(forth.sentences)))
    for first, after, mine in _blocks(len(spans), edges):
        start, end = spans[first].start, spans[after - 1].end
        sentences = tuple(forth.sentences[number] for number in mine)
        strays -= set(mine)
        if not sentences:
            found.append(DraftBlock(first, after, "", why="it is left out"))
            continue
        written = " ".join(draft[one.start : one.end] for one in sentences)
        untold = [one for one in back.sentences if start <= one.start < end]
        why = (
            difference(passage[start:end], written, draft[: sentences[0].start])
            or _unproved(sentences)
            or _unproved(untold, "not all is told: ")
        )
        found.append(DraftBlock(first, after, written, sentences, why))
    for one in (forth.sentences[number] for number in sorted(strays)):
        count, said = len(spans), draft[one.start : one.end]
        found.append(DraftBlock(count, count, said, (one,), "it words nothing of the passage"))
    return found


def _unproved(sentences: Sequence[TracedSentence], before: str = "") -> str:
    """The first reason why something is not proved."""
    return next((before + one.why for one in sentences if one.verdict != "supported"), "")


def difference(said: str, written: str, before: str = "") -> str:
    """What may not differ between a passage and a wording of it, and does; empty if nothing.

    What was named `before` need not be named again.
    """
    if strange := _strange(said, written, before):
        return f"it lost {', '.join(strange[:_SHOWN])}"
    if strange := _strange(written, said):
        return f"it has {', '.join(strange[:_SHOWN])} of its own"
    mine, theirs = _meanings(said), _meanings(written)
    told = theirs.keys() | _meanings(before).keys()
    lost = [word for meaning, word in mine.items() if meaning not in told]
    novel = [word for meaning, word in theirs.items() if meaning not in mine]
    if len(lost) > _LOST * len(mine):
        return f"it lost {', '.join(lost[:_SHOWN])}"
    if len(novel) > _NOVEL * len(theirs):
        return f"it has {', '.join(novel[:_SHOWN])} of its own"
    if moved := _moved(said, written):
        return f"it has {', '.join(moved[:_SHOWN])} in another place"
    if not written.endswith(_CLOSED):
        return "it breaks off"
    longer = len(written.split()) > len(said.split())
    return "it says the same in more words" if longer else ""


def _strange(text: str, other: str, before: str = "") -> list[str]:
    """Names, figures, hinges and quotations of one text that another one lacks."""
    tokens = tokenize(text)
    opens = [True, *(one.text in _ENDINGS for one in tokens)]
    held = {one.text.casefold() for one in tokenize(other)}
    held |= {one.text.casefold() for one in tokenize(before) if one.text.istitle()}
    exact = (
        token.text
        for token, first in zip(tokens, opens, strict=False)
        if token.text.casefold() in _HINGES
        or any(map(str.isdigit, token.text))
        or (token.text[0].isupper() and not first)
    )
    quotations = {_plain(one) for one in _QUOTED.findall(other)}
    return [
        *dict.fromkeys(word for word in exact if word.casefold() not in held),
        *(f"“{one}”" for one in _QUOTED.findall(text) if _plain(one) not in quotations),
    ]


def _moved(said: str, written: str) -> list[str]:
    """What stands beside nothing that it stands beside in the other text, neither left nor right.

    Sentences that are joined keep one side of every word; two names, figures or adverbs that
    change places lose both. Where somebody says something, both sides stay, so that no words change
    their speaker, who may be "he" or "she"; what is denied stays behind its "not". A name counts as
    one word, and so does a figure with what it counts.
    """
    held: dict[str, list[tuple[str, str]]] = {}
    for word, _, left, right in _beside(said):
        held.setdefault(word, []).append((left, right))

    def kept(word: str, text: str, left: str, right: str) -> bool:
        if text.lower() == "according" or text.lower() in NEGATIONS:
            return any(right == two for _, two in held[word])
        if text.lower() in REPORTING_VERBS:
            return any(left in (one, *_WHO) and right in (two, *_WHO) for one, two in held[word])
        return any(left == one or right == two for one, two in held[word])

    return [one[1] for one in _beside(written) if one[0] in held and not kept(*one)]


def _beside(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Each word that says something, as it is written, and what stands to its left and right."""
    units: list[list[str]] = []
    exact = False
    for token in tokenize(text):
        if token.text.lower() in (*_WHO, *NEGATIONS):
            units.append([token.text])
            exact = False
            continue
        if not is_content(token.text):
            exact = exact and not token.text.isalnum() and token.text in _INSIDE
            continue
        figure = any(map(str.isdigit, token.text))
        if exact and (figure or token.text[0].isupper() or any(map(str.isdigit, units[-1][-1]))):
            units[-1].append(token.text)
        else:
            units.append([token.text])
        exact = figure or token.text[0].isupper()
    meanings = [[concept(word) for word in unit] for unit in units]
    for before, (unit, here), after in zip(
        [["<"], *meanings], zip(units, meanings, strict=True), [*meanings[1:], [">"]], strict=False
    ):
        if here[-1] not in _WHO:
            yield here[-1], " ".join(unit), before[-1], after[0]


def _plain(quotation: str) -> str:
    return " ".join(quotation.casefold().split()).rstrip(",.")


def _meanings(text: str) -> dict[str, str]:
    """The content words, by what they mean."""
    return {concept(one.text): one.text for one in tokenize(text) if is_content(one.text)}


def _edges(
    passage: str, spans: Sequence[Span], draft: Sequence[TracedSentence], text: str
) -> set[tuple[int, int]]:
    """Which sentence of the draft is a wording, perhaps in part, of which of the passage."""
    sizes = [sum(is_content(one.text) for one in tokenize(span.of(passage))) for span in spans]
    found = set()
    for number, sentence in enumerate(draft):
        words = [one for one in sentence.tokens if is_content(text[one.start : one.end])]
        for place, span in enumerate(spans):
            shared = sum(
                any(span.start <= source.start < span.end for source in word.sources)
                for word in words
            )
            if shared >= _SHARED * max(1, min(len(words), sizes[place])):
                found.add((place, number))
    return found


def _blocks(count: int, edges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, list[int]]]:
    """The smallest blocks of both texts, in the order of both, that no edge leaves."""
    pairs = sorted(edges)
    first = 0
    for after in range(1, count + 1):
        here = {number for place, number in pairs if first <= place < after}
        later = [number for place, number in pairs if place >= after]
        if not here or not later or max(here) < min(later):
            yield first, after, sorted(here)
            first = after
