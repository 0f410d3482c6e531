"""From markup of heads alone to maximal noun phrases with MIN (§4: foreseen, done here).

Every mention grows to the whole phrase that its head stands for; its head becomes MIN where the two
differ by more than an article. Nothing shrinks: a mention that is already longer stays as it is.
Two things are never marked at one place, and marks never cross: where growing would do that, the
mention keeps its old extent, and the report says so.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from tatian.coreference.analysis import analysed
from tatian.coreference.annotation import Markable
from tatian.coreference.definition.markable import MaximalPhrases, expected_minimum
from tatian.coreference.definition.phrases import Mark, MarkedText
from tatian.formats.muc import MARKABLES
from tatian.formats.muc.markables import needs_minimum
from tatian.text import CHAINS, LINKS, MENTIONS, Chain, Document, LayerKey, Mention, Span
from tatian.text.lexicon import PRONOUNS
from tatian.text.spans import S

Fate = Literal["grown", "merged", "taken", "crossing"]
Kind = Fate | Literal["minimum"]

KINDS: dict[Kind, str] = {
    "grown": "grown to the maximal phrase",
    "minimum": "given a MIN, extent unchanged",
    "merged": "left out: another mention of the same chain has the same phrase",
    "taken": "not grown: the phrase belongs to another mention",
    "crossing": "not grown: it would cross another mention",
}
"""What can become of a mention, in words."""


class Change(Struct, frozen=True):
    """What became of one mention."""

    kind: Kind
    document: str
    before: str
    after: str
    minimum: str | None = None


class Expansion(Struct, frozen=True):
    """A document with whole phrases marked, and how it came about."""

    document: Document
    mentions: int
    """How many there were before."""
    changes: tuple[Change, ...]

    def counts(self) -> Counter[Kind]:
        """How many mentions met with each fate."""
        return Counter(change.kind for change in self.changes)


def expand(document: Document, *, widest: bool = True) -> Expansion:
    """Grow the mentions of a document's chains to maximal noun phrases, and give them MIN.

    A prepositional phrase that could belong to the noun or to the verb goes to the noun, as §4.2
    wants it, or with ``widest=False`` to where the tree has it.
    """
    chains = document.get(CHAINS)
    full = analysed(document)
    wanted = _wanted(document, chains, MaximalPhrases(full, widest=widest))
    settled = settle(chains, wanted)
    minima = _minima(full, settled.places)
    grown, changes = _grown(document, chains, settled, minima)
    result = document.with_layer(CHAINS, grown, document.layers[CHAINS.name].made)
    if document.has(MARKABLES):
        made = document.layers[MARKABLES.name].made
        result = result.with_layer(MARKABLES, _markables(document, grown, settled), made)
    result = _along(result, MENTIONS, settled)
    result = _along(result, LINKS, settled)
    return Expansion(result, sum(len(chain.mentions) for chain in chains), tuple(changes))


def _wanted(
    document: Document, chains: Sequence[Chain], phrases: MaximalPhrases
) -> dict[Mention, Span]:
    """How far each mention would reach."""
    found: dict[Mention, Span] = {}
    for mention in _all(chains):
        old = Span(mention.start, mention.end)
        found[mention] = old
        if mention.of(document.text).lower() in PRONOUNS or mention.parts or not len(mention):
            continue
        whole = phrases.around(mention.head or mention)
        if whole is not None and whole.contains(mention):
            found[mention] = whole
    return found


def _minima(full: Document, places: dict[Mention, Span]) -> dict[Mention, Span]:
    """The MIN of each mention, its own where it has one."""
    marks = {
        Mark(span.start, span.end, str(number), "", minimum=mention.head or mention): mention
        for number, (mention, span) in enumerate(places.items())
    }
    page = MarkedText(full, tuple(sorted(marks)), markup=True)
    found = {marks[phrase.mark]: expected_minimum(page, phrase) for phrase in page.phrases}
    return {mention: mention.head or found.get(mention, places[mention]) for mention in places}


def _grown(
    document: Document,
    chains: Sequence[Chain],
    settled: _Settled,
    minima: dict[Mention, Span],
) -> tuple[list[Chain], list[Change]]:
    text = document.text
    grown: list[Chain] = []
    changes: list[Change] = []
    for chain in chains:
        mentions: list[Mention] = []
        for mention in chain.mentions:
            before = _words(text, mention)
            if mention in settled.merged:
                changes.append(Change("merged", document.id, before, before))
                continue
            new = _with_extent(document, mention, settled.places[mention], minima[mention])
            mentions.append(new)
            kind: Kind | None = settled.fates.get(mention)
            if kind is None and new.head is not None and mention.head is None:
                kind = "minimum"
            if kind is not None:
                minimum = _words(text, new.head) if new.head else None
                changes.append(Change(kind, document.id, before, _words(text, new), minimum))
        grown.append(msgspec.structs.replace(chain, mentions=tuple(sorted(mentions))))
    return grown, changes


def _with_extent(document: Document, mention: Mention, span: Span, minimum: Span) -> Mention:
    """The mention with its new extent and its MIN, where that says anything new (§4.3)."""
    head: Span | None = Span(minimum.start, minimum.end)
    if document.has(MARKABLES):
        if mention.head is None and not needs_minimum(document.text, span, head):
            head = None
    elif head == span:
        head = None
    if head is not None and not span.contains(head):
        head = mention.head
    return msgspec.structs.replace(mention, start=span.start, end=span.end, head=head)


def _markables(document: Document, grown: Sequence[Chain], settled: _Settled) -> list[Markable]:
    """The markables with their ids and links; one that was merged hands its links on."""
    new = {(one.start, one.end): one for one in _all(grown)}
    old = {(one.start, one.end): span for one, span in settled.places.items()}
    marked = {one.id: one for one in document.get(MARKABLES)}
    ids = {(one.start, one.end): one.id for one in marked.values()}
    heir = {
        ids[gone.start, gone.end]: ids[other.start, other.end]
        for gone, other in settled.merged.items()
    }
    links = _inherited({one.id: one.antecedent for one in marked.values()}, heir)
    found: list[Markable] = []
    for markable in marked.values():
        if markable.id in heir:
            continue
        span = old[markable.start, markable.end]
        mention = new[span.start, span.end]
        antecedent = links[markable.id]
        found.append(
            msgspec.structs.replace(
                markable,
                start=span.start,
                end=span.end,
                head=mention.head,
                antecedent=antecedent,
                optional=markable.optional and antecedent is not None,
            )
        )
    return found


def _along(document: Document, key: LayerKey[S], settled: _Settled) -> Document:
    """The document with what stood at a mention's old place at its new one."""
    if not document.has(key):
        return document
    new = {(one.start, one.end): span for one, span in settled.places.items()}
    gone = {(one.start, one.end) for one in settled.merged} - new.keys()
    moved = [
        msgspec.structs.replace(item, start=span.start, end=span.end)
        for item in document.get(key)
        if (item.start, item.end) not in gone
        for span in [new.get((item.start, item.end), item)]
    ]
    return document.with_layer(key, moved, document.layers[key.name].made)


def _inherited(links: dict[str, str | None], heir: dict[str, str]) -> dict[str, str | None]:
    """The links without the markables that are gone: their heirs have all that was theirs."""
    kept: dict[str, str | None] = {}
    for id, antecedent in sorted(links.items(), key=lambda link: link[0] in heir):
        own = heir.get(id, id)
        if antecedent is not None:
            antecedent = heir.get(antecedent, antecedent)
        if kept.get(own) is None and not _leads_to(kept, antecedent, own):
            kept[own] = antecedent
        kept.setdefault(own, None)
    return kept


def _leads_to(links: dict[str, str | None], start: str | None, goal: str) -> bool:
    """Whether following links from `start` ends in a circle through `goal`."""
    seen: set[str] = set()
    while start is not None and start not in seen:
        if start == goal:
            return True
        seen.add(start)
        start = links.get(start)
    return False


def _all(chains: Iterable[Chain]) -> Iterator[Mention]:
    for chain in chains:
        yield from chain.mentions


def _words(text: str, span: Span) -> str:
    return " ".join(span.of(text).split())


class _Settled(Struct, frozen=True):
    """The mentions' new places and what became of those that wanted to grow."""

    places: dict[Mention, Span]
    """Of all mentions but the merged ones."""
    fates: dict[Mention, Fate]
    merged: dict[Mention, Mention]
    """Which mention of the same chain stands where a mention would have been."""


def settle(chains: Sequence[Chain], wanted: dict[Mention, Span]) -> _Settled:
    """Let the mentions grow one by one, the longest first.

    Whoever marked more of a phrase meant the phrase, so that a longer mention has the first claim
    on it; those that do not want to grow have the very first.
    """
    owner = {mention: chain.id for chain in chains for mention in chain.mentions}
    old = {mention: Span(mention.start, mention.end) for mention in owner}
    places = {mention: old[mention] for mention in owner if wanted[mention] == old[mention]}
    at = {(span.start, span.end): mention for mention, span in places.items()}
    spans = _Spans(old.values())
    fates: dict[Mention, Fate] = {}
    merged: dict[Mention, Mention] = {}
    growing = [mention for mention in owner if mention not in places]
    for mention in sorted(growing, key=lambda one: (-len(one), one.start)):
        span = wanted[mention]
        spans.remove(old[mention])
        other = at.get((span.start, span.end))
        if other is not None and owner[other] == owner[mention]:
            fates[mention], merged[mention] = "merged", other
            continue
        if other is not None:
            fates[mention] = "taken"
        elif spans.cross(span):
            fates[mention] = "crossing"
        else:
            fates[mention] = "grown"
        places[mention] = span if fates[mention] == "grown" else old[mention]
        spans.add(places[mention])
        at[places[mention].start, places[mention].end] = mention
    return _Settled(places, fates, merged)


class _Spans:
    """Spans by start and by end, so that those which cross one are found among its neighbours."""

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
        """Whether a span begins inside this one and ends behind it, or the other way round."""
        first = bisect_right(self._by_start, (span.start, span.end))
        last = bisect_left(self._by_start, (span.end, 0))
        if any(end > span.end for start, end in self._by_start[first:last] if start > span.start):
            return True
        first = bisect_right(self._by_end, (span.start, span.end))
        last = bisect_left(self._by_end, (span.end, 0))
        return any(start < span.start for _, start in self._by_end[first:last])
