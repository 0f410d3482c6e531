"""Phrases that are settled with each other: names whole, one for each string, nested or apart."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tatian.analysis.trees import Tree
from tatian.coreference.phrases.page import Mark, Phrase
from tatian.coreference.units import Unit, is_title
from tatian.text import Span

_PROPER = frozenset(("PROPN", "NOUN", "NUM", "SYM"))


class Extent(NamedTuple):
    """A phrase to be marked: from where to where, with which head."""

    span: Span
    minimum: Span
    phrase: Phrase
    unit: Unit | None


def phrase_of(tree: Tree, head: int, span: Span) -> Phrase:
    """The words of a stretch of a sentence, with this head."""
    first = bisect_left(tree.tokens, span.start, key=lambda token: token.start)
    end = bisect_left(tree.tokens, span.end, key=lambda token: token.start)
    return Phrase(Mark(span.start, span.end, "", ""), tree, first, end, head)


def reading_order(extent: Extent) -> tuple[int, int, int]:
    """Outer phrases before inner ones."""
    return extent.span.start, -extent.span.end, extent.phrase.head


def settled(found: Sequence[Extent]) -> list[Extent]:
    """Phrases of which no two have one string, cross, or have a part of a name for their own."""
    once = _unrepeated(_named(list(found)))
    closed = _unrepeated(_closed_together(list(_without_parts(once))))
    return _uncrossed(closed)


def _unrepeated(found: Iterable[Extent]) -> list[Extent]:
    """In reading order; of two phrases on one string the first (§1.1)."""
    unique: dict[Span, Extent] = {}
    for one in sorted(found, key=reading_order):
        unique.setdefault(one.span, one)
    return list(unique.values())


def _named(found: list[Extent]) -> Iterator[Extent]:
    """One phrase for "presidential adviser Joe Smarty", whose head is the name (§4.1, §5.3).

    A tree may hang the name on the noun before it; without punctuation it is no apposition.
    """
    outer = {(id(one.phrase.tree), one.phrase.head): one for one in found}
    gone: set[int] = set()
    heads: dict[int, Extent] = {}
    for one in found:
        tree, head = one.phrase.tree, one.phrase.head
        host = outer.get((id(tree), tree.heads[head]))
        if tree.tag(head) != "PROPN" or host is None or host.unit is not None:
            continue
        before = range(host.phrase.head + 1, one.phrase.first)
        if tree.relation(head) in ("appos", "flat") and not before and host.span.contains(one.span):
            gone.add(id(one))
            heads[id(host)] = one
    for one in found:
        if id(one) in heads:
            name = heads[id(one)]
            yield one._replace(minimum=name.minimum, unit=name.unit)
        elif id(one) not in gone:
            yield one


def whole(
    found: Sequence[Extent], units: Sequence[Unit], trees: Sequence[Tree]
) -> Iterator[Extent]:
    """Without parts of names, dates and amounts; with those that no phrase was found for."""
    widest: dict[Unit, Extent] = {}
    for one in found:
        if one.unit is None:
            yield one
        elif one.unit not in widest or len(widest[one.unit].span) < len(one.span):
            widest[one.unit] = one
    yield from widest.values()
    begins = [tree.tokens[0].start for tree in trees]
    taken = {one.span for one in found}
    for unit in units:
        if unit not in widest and Span(unit.start, unit.end) not in taken:
            yield from _alone(unit, trees, begins)


def _alone(unit: Unit, trees: Sequence[Tree], begins: Sequence[int]) -> Iterator[Extent]:
    """A name, date or amount as a phrase of its own, unless it is an adjective ("French")."""
    index = bisect_left(begins, unit.start + 1) - 1
    if index < 0 or unit.end > trees[index].tokens[-1].end:
        return
    tree = trees[index]
    span = Span(unit.start, unit.end)
    phrase = phrase_of(tree, 0, span)
    nouns = [place for place in phrase.places if tree.tag(place) in _PROPER]
    tops = [place for place in nouns if tree.heads[place] not in phrase.places]
    if nouns:
        yield Extent(span, span, phrase._replace(head=(tops or nouns)[0]), unit)


def _without_parts(found: list[Extent]) -> Iterator[Extent]:
    """Without what is only a part of another phrase's MIN, or a title before it (§3.2)."""
    minima = sorted({one.minimum for one in found}, key=lambda span: (span.start, -span.end))
    reach: list[Span] = []
    end = -1
    for span in minima:
        if span.end > end:
            reach.append(span)
            end = span.end
    starts = [span.start for span in reach]
    for one in found:
        index = bisect_left(starts, one.span.start + 1) - 1
        inside = index >= 0 and reach[index].contains(one.span) and reach[index] != one.span
        lone = one.phrase.end - one.phrase.first == 1 and is_title(
            one.phrase.tree.text(one.phrase.first)
        )
        if not inside and not lone:
            yield one


def _closed_together(found: list[Extent]) -> list[Extent]:
    """With the comma that closes a phrase inside, the phrase around it closes as well (§4.2).

    So it is with the end of a name, such as ", Inc.".
    """
    ends = {id(one): one.span.end for one in found}
    for other, one in _crossing(found):
        rest = [t for t in other.phrase.tree.tokens[other.phrase.end :] if t.start < one.span.end]
        if [t.text for t in rest] == [","] or one.span == one.minimum:
            ends[id(other)] = max(ends[id(other)], one.span.end)
    return [_reaching(one, Span(one.span.start, ends[id(one)])) for one in found]


def _uncrossed(found: list[Extent]) -> list[Extent]:
    """Phrases that lie apart or in each other: of two that cross, the shorter is its MIN only.

    Where the minima cross, too, only the longer one is kept.
    """
    short = {id(_shorter(*pair)) for pair in _crossing(found)}
    if not short:
        return found
    taken = {one.span for one in found if id(one) not in short}
    kept = [
        _reaching(one, one.minimum) if id(one) in short else one
        for one in found
        if id(one) not in short or one.minimum not in taken
    ]
    kept.sort(key=reading_order)
    gone = {id(_shorter(*pair)) for pair in _crossing(kept)}
    return [one for one in kept if id(one) not in gone]


def _crossing(found: list[Extent]) -> Iterator[tuple[Extent, Extent]]:
    """Pairs of phrases, in reading order, that overlap though neither lies in the other."""
    around: list[Extent] = []
    for one in found:
        around = [other for other in around if other.span.end > one.span.start]
        for other in around:
            if other.span.end < one.span.end and other.span.start < one.span.start:
                yield other, one
        around.append(one)


def _shorter(one: Extent, other: Extent) -> Extent:
    return min((one, other), key=lambda extent: len(extent.span))


def _reaching(one: Extent, span: Span) -> Extent:
    """The phrase with another extent."""
    if span == one.span:
        return one
    return one._replace(span=span, phrase=phrase_of(one.phrase.tree, one.phrase.head, span))
