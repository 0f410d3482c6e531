"""Which phrases are markable (§3), how far each reaches and what its MIN is (§4).

Noun phrases are read off the trees. Names, dates, amounts and percentages are whole or nothing:
of all the phrases whose heads lie in one, the widest is kept. Then they are settled with each
other: one for each string, nested or apart.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tatian.analysis.phrases import NounPhrase, noun_phrases
from tatian.analysis.trees import Forest, Tree
from tatian.coreference.definition.markable import MaximalPhrases, expected_minimum, is_markable
from tatian.coreference.definition.phrases import Mark, MarkedPhrase, MarkedText
from tatian.coreference.definition.units import WholeUnit, is_title
from tatian.text import Span
from tatian.text.lexicon import NUMBER_WORDS, word_set

COMMON = frozenset(("NN", "NNS"))
"""Treebank tags of common nouns."""
_RELATIVE_TAGS = frozenset(("WP", "WDT", "WP$", "EX"))
_PARTITIVE = word_set("some most all many few several none each both either any")


class _Place(NamedTuple):
    tree: Tree
    head: int
    span: Span


def extents(forest: Forest, page: MarkedText) -> list[Extent]:
    """The markable phrases of a document in order, outer before inner, one for each string."""
    widest = MaximalPhrases(page.document)
    where = {
        word.token: (tree, place) for tree in forest.trees for place, word in enumerate(tree.words)
    }
    phrases = noun_phrases(page.document)
    found = [_place(phrase, widest, where) for phrase in phrases]
    more = list(_headless(forest.trees, phrases, page))
    wider = {(id(place.tree), place.head) for place in more}
    found = [place for place in found if (id(place.tree), place.head) not in wider] + more
    made = [_extent(place, page) for place in found if not _is_relative(place)]
    marked = [one for one in made if is_markable(page, one.phrase)]
    kept = list(whole(marked, page.units, forest))
    return sorted(settled(kept), key=reading_order)


def _place(
    phrase: NounPhrase, widest: MaximalPhrases, where: dict[int, tuple[Tree, int]]
) -> _Place:
    tree, head = where[phrase.head]
    span = widest.around(phrase.minimum) or phrase
    if not (span.start <= phrase.start and phrase.end <= span.end):
        span = phrase
    return _Place(tree, head, Span(span.start, _closed(tree, head, span.end)))


def _closed(tree: Tree, head: int, end: int) -> int:
    """Past the comma that closes "who was once director of Sudsy Soaps," too (§5.4).

    So it is for the last of several appositions.
    """
    after = tree.place(end)
    if after >= len(tree.words):
        return end
    first = tree.heads[head] if tree.relation(head) == "conj" else head
    if tree.words[first].relation not in ("acl:relcl", "appos"):
        return end
    clause = min(tree.subtree(first))
    marks = tree.text(after), tree.text(clause), tree.text(clause - 1) if clause else ""
    return tree.tokens[after].end if marks[0] == "," and "," in marks[1:] else end


def _is_relative(place: _Place) -> bool:
    """Whether it is a relative or question word, or the "there" of "there is" (§3.6)."""
    return place.tree.words[place.head].fine in _RELATIVE_TAGS


def _headless(
    trees: Sequence[Tree], phrases: Sequence[NounPhrase], page: MarkedText
) -> Iterator[_Place]:
    """Phrases such as "six of the best", whatever the tree makes of their first word (§4.1)."""
    spans = {phrase.head: phrase for phrase in phrases}
    ends = {phrase.start: phrase.end for phrase in reversed(phrases)}
    for tree in trees:
        for place in range(len(tree.words) - 2):
            word = tree.text(place).lower()
            known = spans.get(tree.words[place].token)
            if tree.text(place + 1) != "of" or (known and known.end > tree.tokens[place].end):
                continue
            if not (word in NUMBER_WORDS or word in _PARTITIVE or tree.tag(place) == "NUM"):
                continue
            end = ends.get(tree.tokens[place + 2].start) or _superlative(tree, place + 2)
            if end is not None and page.unit_at(tree.tokens[place]) is None:
                yield _Place(tree, place, Span(tree.tokens[place].start, end))


def _superlative(tree: Tree, place: int) -> int | None:
    """Where "the best" ends, if that is what begins here."""
    last = place + 1
    if tree.text(place).lower() != "the" or last >= len(tree.words) - 1:
        return None
    return tree.tokens[last].end if tree.words[last].fine == "JJS" else None


def _extent(place: _Place, page: MarkedText) -> Extent:
    phrase = phrase_of(place.tree, place.head, place.span)
    minimum = expected_minimum(page, phrase)
    span = Span(_with_titles(phrase), phrase.mark.end)
    unit = _unit_at(page, place.tree, place.head)
    if span.start < phrase.mark.start:
        phrase = phrase_of(place.tree, place.head, span)
    if unit is not None and unit.type == "LOC" and span.end == unit.end:
        span = Span(span.start, _with_region(page, place.tree, unit))
        phrase = phrase_of(place.tree, place.head, span)
    if unit is not None and not span.contains(unit):
        span = Span(min(span.start, unit.start), max(span.end, unit.end))
        phrase = phrase_of(place.tree, place.head, span)
    if unit is not None and unit.contains(page.bare(minimum)):
        minimum = unit
    inside = Span(max(span.start, minimum.start), min(span.end, minimum.end))
    return Extent(span, inside, phrase, unit)


def _unit_at(page: MarkedText, tree: Tree, place: int) -> WholeUnit | None:
    """The name, date or amount at a place; a common noun with a capital is no name."""
    unit = page.unit_at(tree.tokens[place])
    if unit is None or unit.kind != "name" or tree.words[place].fine not in COMMON:
        return unit
    return None if len(unit) == len(tree.tokens[place]) and place == 0 else unit


def _with_titles(phrase: MarkedPhrase) -> int:
    """Where the phrase begins with the titles before a name: "Herr Dr. Georg Rath" (§4.1)."""
    first = phrase.first
    if phrase.tag(phrase.head) == "PROPN":
        while first > 0 and is_title(phrase.tree.text(first - 1)):
            first -= 1
    return phrase.tree.tokens[first].start


def _with_region(page: MarkedText, tree: Tree, unit: WholeUnit) -> int:
    """Where "Newark, New Jersey" ends; in a list of places each is for itself (§4.1)."""
    comma = tree.place(unit.end)
    if comma + 1 >= len(tree.words) or tree.text(comma) != ",":
        return unit.end
    region = page.unit_at(tree.tokens[comma + 1])
    if region is None or region.type != "LOC":
        return unit.end
    after = tree.place(region.end)
    following = [tree.text(place) for place in range(after, min(after + 2, len(tree.words)))]
    listed = "and" in following or "or" in following
    if following[:1] == [","] and after + 1 < len(tree.words):
        another = page.unit_at(tree.tokens[after + 1])
        listed = listed or (another is not None and another.type == "LOC")
    return unit.end if listed else region.end


_PROPER = frozenset(("PROPN", "NOUN", "NUM", "SYM"))


class Extent(NamedTuple):
    """A phrase to be marked: from where to where, with which head."""

    span: Span
    minimum: Span
    phrase: MarkedPhrase
    unit: WholeUnit | None


def phrase_of(tree: Tree, head: int, span: Span) -> MarkedPhrase:
    """The words of a stretch of a sentence, with this head."""
    first, end = tree.place(span.start), tree.place(span.end)
    return MarkedPhrase(Mark(span.start, span.end, "", ""), tree, first, end, head)


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


def whole(found: Sequence[Extent], units: Sequence[WholeUnit], forest: Forest) -> Iterator[Extent]:
    """Without parts of names, dates and amounts; with those that no phrase was found for."""
    widest: dict[WholeUnit, Extent] = {}
    for one in found:
        if one.unit is None:
            yield one
        elif one.unit not in widest or len(widest[one.unit].span) < len(one.span):
            widest[one.unit] = one
    yield from widest.values()
    taken = {one.span for one in found}
    for unit in units:
        if unit not in widest and Span(unit.start, unit.end) not in taken:
            yield from _alone(unit, forest)


def _alone(unit: WholeUnit, forest: Forest) -> Iterator[Extent]:
    """A name, date or amount as a phrase of its own, unless it is an adjective ("French")."""
    tree = forest.at(unit.start)
    if tree is None or unit.end > tree.tokens[-1].end:
        return
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
