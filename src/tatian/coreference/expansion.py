"""Expansion of head-only markup to maximal noun phrases with MIN (§4).

Every mention grows to the whole phrase of its head. The head becomes MIN if the two differ by more
than an article. No mention shrinks. Mentions never have equal or crossing extents: if growing would
cause that, the mention keeps its old extent, and the report says so.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from tatian.coreference.analysis import analyse
from tatian.coreference.definition.markable import MaximalPhrases, expected_minimum
from tatian.coreference.definition.phrases import Mark, MarkedText
from tatian.formats.muc import MARKABLES
from tatian.formats.muc.markables import Markable, needs_minimum
from tatian.text import CHAINS, LINKS, MENTIONS, Chain, Document, LayerKey, Mention, Span
from tatian.text.lexicon import PRONOUNS
from tatian.text.spans import S
from tatian.views.wording import squeeze

Outcome = Literal["grown", "merged", "taken", "crossing"]
Kind = Outcome | Literal["minimum"]

OUTCOMES: dict[Kind, str] = {
    "grown": "grown to the maximal phrase",
    "minimum": "given a MIN, extent unchanged",
    "merged": "left out: another mention of the same chain has the same phrase",
    "taken": "not grown: the phrase belongs to another mention",
    "crossing": "not grown: it would cross another mention",
}
"""Outcomes of a mention, in words."""


class Change(Struct, frozen=True):
    """Outcome of one mention."""

    kind: Kind
    document: str
    before: str
    after: str
    minimum: str | None = None


class Expansion(Struct, frozen=True):
    """A document with whole phrases marked, and the changes."""

    document: Document
    mentions: int
    """Number of mentions before."""
    changes: tuple[Change, ...]

    def counts(self) -> Counter[Kind]:
        """Return the number of mentions with each outcome."""
        return Counter(change.kind for change in self.changes)


def expand(document: Document, *, widest: bool = True) -> Expansion:
    """Grow the mentions of a document's chains to maximal noun phrases, and give them MIN.

    A prepositional phrase that may modify the noun or the verb goes to the noun, as §4.2 asks. With
    ``widest=False`` it goes to its head in the tree.
    """
    chains = document.get(CHAINS)
    full = analyse(document)
    maximal = _find_extents(document, chains, MaximalPhrases(full, widest=widest))
    settled = settle(chains, maximal)
    minima = _find_minima(full, settled.places)
    grown, changes = _grow(document, chains, settled, minima)
    result = document.with_layer(CHAINS, grown, document.layers[CHAINS.name].made)
    if document.has(MARKABLES):
        author = document.layers[MARKABLES.name].made
        result = result.with_layer(MARKABLES, _markables(document, grown, settled), author)
    result = _move_layer(result, MENTIONS, settled)
    result = _move_layer(result, LINKS, settled)
    return Expansion(result, sum(len(chain.mentions) for chain in chains), tuple(changes))


def _find_extents(
    document: Document, chains: Sequence[Chain], phrases: MaximalPhrases
) -> dict[Mention, Span]:
    """Return the extent to which each mention would grow."""
    extents: dict[Mention, Span] = {}
    for mention in _mentions(chains):
        old = Span(mention.start, mention.end)
        extents[mention] = old
        if mention.of(document.text).lower() in PRONOUNS or mention.parts or not len(mention):
            continue
        maximal = phrases.around(mention.head or mention)
        if maximal is not None and maximal.contains(mention):
            extents[mention] = maximal
    return extents


def _find_minima(full: Document, places: dict[Mention, Span]) -> dict[Mention, Span]:
    """Return the MIN of each mention: its own, or the expected one."""
    marks = {
        Mark(span.start, span.end, str(number), "", minimum=mention.head or mention): mention
        for number, (mention, span) in enumerate(places.items())
    }
    page = MarkedText(full, tuple(sorted(marks)), markup=True)
    expected = {marks[phrase.mark]: expected_minimum(page, phrase) for phrase in page.phrases}
    return {mention: mention.head or expected.get(mention, places[mention]) for mention in places}


def _grow(
    document: Document, chains: Sequence[Chain], settled: _NewExtents, minima: dict[Mention, Span]
) -> tuple[list[Chain], list[Change]]:
    """Return the chains with their new extents, and the changes to their mentions."""
    text = document.text
    grown: list[Chain] = []
    changes: list[Change] = []
    for chain in chains:
        mentions: list[Mention] = []
        for mention in chain.mentions:
            before = squeeze(mention.of(text))
            if mention in settled.merged:
                changes.append(Change("merged", document.id, before, before))
                continue
            new = _with_extent(document, mention, settled.places[mention], minima[mention])
            mentions.append(new)
            kind: Kind | None = settled.outcomes.get(mention)
            if kind is None and new.head is not None and mention.head is None:
                kind = "minimum"
            if kind is not None:
                minimum = squeeze(new.head.of(text)) if new.head else None
                changes.append(Change(kind, document.id, before, squeeze(new.of(text)), minimum))
        grown.append(msgspec.structs.replace(chain, mentions=tuple(sorted(mentions))))
    return grown, changes


def _with_extent(document: Document, mention: Mention, span: Span, minimum: Span) -> Mention:
    """Return the mention with its new extent, and with MIN if it adds information (§4.3)."""
    head: Span | None = Span(minimum.start, minimum.end)
    if document.has(MARKABLES):
        if mention.head is None and not needs_minimum(document.text, span, head):
            head = None
    elif head == span:
        head = None
    if head is not None and not span.contains(head):
        head = mention.head
    return msgspec.structs.replace(mention, start=span.start, end=span.end, head=head)


def _markables(document: Document, grown: Sequence[Chain], settled: _NewExtents) -> list[Markable]:
    """Return the markables with new extents; a merged one passes its links on."""
    new = {(mention.start, mention.end): mention for mention in _mentions(grown)}
    old = {(mention.start, mention.end): span for mention, span in settled.places.items()}
    marked = {markable.id: markable for markable in document.get(MARKABLES)}
    ids = {(markable.start, markable.end): markable.id for markable in marked.values()}
    merged = {
        ids[mention.start, mention.end]: ids[target.start, target.end]
        for mention, target in settled.merged.items()
    }
    links = _redirect({markable.id: markable.antecedent for markable in marked.values()}, merged)
    moved: list[Markable] = []
    for markable in marked.values():
        if markable.id in merged:
            continue
        span = old[markable.start, markable.end]
        mention = new[span.start, span.end]
        antecedent = links[markable.id]
        moved.append(
            msgspec.structs.replace(
                markable,
                start=span.start,
                end=span.end,
                head=mention.head,
                antecedent=antecedent,
                optional=markable.optional and antecedent is not None,
            )
        )
    return moved


def _move_layer(document: Document, key: LayerKey[S], settled: _NewExtents) -> Document:
    """Give the items of a layer the new extents of their mentions."""
    if not document.has(key):
        return document
    new = {(mention.start, mention.end): span for mention, span in settled.places.items()}
    dropped = {(mention.start, mention.end) for mention in settled.merged} - new.keys()
    moved = [
        msgspec.structs.replace(item, start=span.start, end=span.end)
        for item in document.get(key)
        if (item.start, item.end) not in dropped
        for span in [new.get((item.start, item.end), item)]
    ]
    return document.with_layer(key, moved, document.layers[key.name].made)


def _redirect(links: dict[str, str | None], merged: dict[str, str]) -> dict[str, str | None]:
    """Return the links, with merged markables replaced by those that they are merged into."""
    result: dict[str, str | None] = {}
    for id, antecedent in sorted(links.items(), key=lambda link: link[0] in merged):
        target = merged.get(id, id)
        if antecedent is not None:
            antecedent = merged.get(antecedent, antecedent)
        if result.get(target) is None and not _leads_to(result, antecedent, target):
            result[target] = antecedent
        result.setdefault(target, None)
    return result


def _leads_to(links: dict[str, str | None], start: str | None, goal: str) -> bool:
    """Return whether following links from `start` reaches `goal`."""
    seen: set[str] = set()
    while start is not None and start not in seen:
        if start == goal:
            return True
        seen.add(start)
        start = links.get(start)
    return False


def _mentions(chains: Iterable[Chain]) -> Iterator[Mention]:
    for chain in chains:
        yield from chain.mentions


class _NewExtents(Struct, frozen=True):
    """New extents of the mentions, and the outcome of those that could grow."""

    places: dict[Mention, Span]
    """New extents of all mentions but the merged ones."""
    outcomes: dict[Mention, Outcome]
    merged: dict[Mention, Mention]
    """The mention of the same chain that already has the extent of a merged mention."""


def settle(chains: Sequence[Chain], extents: dict[Mention, Span]) -> _NewExtents:
    """Grow the mentions one by one to their `extents`, the longest first.

    The longest mention of a phrase is the likeliest to mean all of it. Mentions that do not grow
    are placed before all others.
    """
    chain_of = {mention: chain.id for chain in chains for mention in chain.mentions}
    old = {mention: Span(mention.start, mention.end) for mention in chain_of}
    places = {mention: span for mention, span in old.items() if extents[mention] == span}
    by_span = {(span.start, span.end): mention for mention, span in places.items()}
    spans = _SpanIndex(old.values())
    outcomes: dict[Mention, Outcome] = {}
    merged: dict[Mention, Mention] = {}
    growing = [mention for mention in chain_of if mention not in places]
    for mention in sorted(growing, key=lambda mention: (-len(mention), mention.start)):
        span = extents[mention]
        spans.remove(old[mention])
        occupant = by_span.get((span.start, span.end))
        if occupant is not None and chain_of[occupant] == chain_of[mention]:
            outcomes[mention], merged[mention] = "merged", occupant
            continue
        if occupant is not None:
            outcomes[mention] = "taken"
        elif spans.cross(span):
            outcomes[mention] = "crossing"
        else:
            outcomes[mention] = "grown"
        places[mention] = span if outcomes[mention] == "grown" else old[mention]
        spans.add(places[mention])
        by_span[places[mention].start, places[mention].end] = mention
    return _NewExtents(places, outcomes, merged)


class _SpanIndex:
    """Spans sorted by start and by end, to find those that cross another."""

    def __init__(self, spans: Iterable[Span]) -> None:
        listed = list(spans)
        self._by_start = sorted((span.start, span.end) for span in listed)
        self._by_end = sorted((span.end, span.start) for span in listed)

    def add(self, span: Span) -> None:
        insort(self._by_start, (span.start, span.end))
        insort(self._by_end, (span.end, span.start))

    def remove(self, span: Span) -> None:
        self._by_start.pop(bisect_left(self._by_start, (span.start, span.end)))
        self._by_end.pop(bisect_left(self._by_end, (span.end, span.start)))

    def cross(self, span: Span) -> bool:
        """Return whether any span overlaps this one without being nested."""
        first = bisect_right(self._by_start, (span.start, span.end))
        last = bisect_left(self._by_start, (span.end, 0))
        if any(end > span.end for start, end in self._by_start[first:last] if start > span.start):
            return True
        first = bisect_right(self._by_end, (span.start, span.end))
        last = bisect_left(self._by_end, (span.end, 0))
        return any(start < span.start for _, start in self._by_end[first:last])
