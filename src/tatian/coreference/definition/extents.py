"""Markable phrases (§3), their extent and their MIN (§4).

Noun phrases come from the trees. Names, dates, amounts and percentages are marked whole or not at
all: of several phrases with heads in one of them, the widest is kept. Finally, no two phrases have
the same extent, and all are nested or disjoint.
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
"""Treebank tags of relative and question words, and of the "there" of "there is" (§3.6)."""
_PARTITIVE = word_set("some most all many few several none each both either any")


class _HeadSpan(NamedTuple):
    tree: Tree
    head: int
    span: Span


def extents(forest: Forest, page: MarkedText) -> list[Extent]:
    """Return the markable phrases of a document in order, outer before inner, one per string."""
    maximal = MaximalPhrases(page.document)
    tree_positions = {
        word.token: (tree, index) for tree in forest.trees for index, word in enumerate(tree.words)
    }
    phrases = noun_phrases(page.document)
    headless = list(_find_headless(forest.trees, phrases, page))
    headless_heads = {(id(phrase.tree), phrase.head) for phrase in headless}
    headed = (_head_span(phrase, maximal, tree_positions) for phrase in phrases)
    head_spans = [
        *(phrase for phrase in headed if (id(phrase.tree), phrase.head) not in headless_heads),
        *headless,
    ]
    all_extents = [
        _extent(phrase, page)
        for phrase in head_spans
        if phrase.tree.words[phrase.head].fine not in _RELATIVE_TAGS
    ]
    markable_extents = [extent for extent in all_extents if is_markable(page, extent.phrase)]
    kept = list(keep_units_whole(markable_extents, page.units, forest))
    return sorted(resolve_overlaps(kept), key=reading_order)


def _head_span(
    phrase: NounPhrase, maximal: MaximalPhrases, tree_positions: dict[int, tuple[Tree, int]]
) -> _HeadSpan:
    tree, head = tree_positions[phrase.head]
    span = maximal.around(phrase.minimum) or phrase
    if not (span.start <= phrase.start and phrase.end <= span.end):
        span = phrase
    return _HeadSpan(tree, head, Span(span.start, _end_with_comma(tree, head, span.end)))


def _end_with_comma(tree: Tree, head: int, end: int) -> int:
    """Return the end, with the comma that closes a relative clause or an apposition (§5.4)."""
    after = tree.place(end)
    if after >= len(tree.words):
        return end
    first = tree.heads[head] if tree.relation(head) == "conj" else head
    if tree.words[first].relation not in ("acl:relcl", "appos"):
        return end
    clause = min(tree.subtree(first))
    marks = tree.text(after), tree.text(clause), tree.text(clause - 1) if clause else ""
    return tree.tokens[after].end if marks[0] == "," and "," in marks[1:] else end


def _find_headless(
    trees: Sequence[Tree], phrases: Sequence[NounPhrase], page: MarkedText
) -> Iterator[_HeadSpan]:
    """Yield phrases without a noun as head, such as "six of the best" (§4.1)."""
    spans = {phrase.head: phrase for phrase in phrases}
    ends = {phrase.start: phrase.end for phrase in reversed(phrases)}
    for tree in trees:
        for index in range(len(tree.words) - 2):
            word = tree.text(index).lower()
            headed = spans.get(tree.words[index].token)
            if tree.text(index + 1) != "of" or (headed and headed.end > tree.tokens[index].end):
                continue
            if not (word in NUMBER_WORDS or word in _PARTITIVE or tree.tag(index) == "NUM"):
                continue
            end = ends.get(tree.tokens[index + 2].start) or _find_superlative(tree, index + 2)
            if end is not None and page.unit_at(tree.tokens[index]) is None:
                yield _HeadSpan(tree, index, Span(tree.tokens[index].start, end))


def _find_superlative(tree: Tree, index: int) -> int | None:
    """Return the end of a phrase like "the best" that begins at a position; None if none does."""
    last = index + 1
    if tree.text(index).lower() != "the" or last >= len(tree.words) - 1:
        return None
    return tree.tokens[last].end if tree.words[last].fine == "JJS" else None


def _extent(head_span: _HeadSpan, page: MarkedText) -> Extent:
    phrase = phrase_of(head_span.tree, head_span.head, head_span.span)
    minimum = expected_minimum(page, phrase)
    span = Span(_with_titles(phrase), phrase.mark.end)
    unit = _unit_at(page, head_span.tree, head_span.head)
    if span.start < phrase.mark.start:
        phrase = phrase_of(head_span.tree, head_span.head, span)
    if unit is not None and unit.type == "LOC" and span.end == unit.end:
        span = Span(span.start, _with_region(page, head_span.tree, unit))
        phrase = phrase_of(head_span.tree, head_span.head, span)
    if unit is not None and not span.contains(unit):
        span = Span(min(span.start, unit.start), max(span.end, unit.end))
        phrase = phrase_of(head_span.tree, head_span.head, span)
    if unit is not None and unit.contains(page.strip_edges(minimum)):
        minimum = unit
    clipped = Span(max(span.start, minimum.start), min(span.end, minimum.end))
    return Extent(span, clipped, phrase, unit)


def _unit_at(page: MarkedText, tree: Tree, index: int) -> WholeUnit | None:
    """Return the unit at a position; a common noun that begins a sentence is not a name."""
    unit = page.unit_at(tree.tokens[index])
    if unit is None or unit.kind != "name" or tree.words[index].fine not in COMMON:
        return unit
    return None if len(unit) == len(tree.tokens[index]) and index == 0 else unit


def _with_titles(phrase: MarkedPhrase) -> int:
    """Return the start with the titles before a name: "Herr Dr. Georg Rath" (§4.1)."""
    first = phrase.first
    if phrase.tag(phrase.head) == "PROPN":
        while first > 0 and is_title(phrase.tree.text(first - 1)):
            first -= 1
    return phrase.tree.tokens[first].start


def _with_region(page: MarkedText, tree: Tree, unit: WholeUnit) -> int:
    """Return the end of "Newark, New Jersey"; in a list, each place is separate (§4.1)."""
    comma = tree.place(unit.end)
    if comma + 1 >= len(tree.words) or tree.text(comma) != ",":
        return unit.end
    region = page.unit_at(tree.tokens[comma + 1])
    if region is None or region.type != "LOC":
        return unit.end
    after = tree.place(region.end)
    following = [tree.text(index) for index in range(after, min(after + 2, len(tree.words)))]
    is_list = "and" in following or "or" in following
    if following[:1] == [","] and after + 1 < len(tree.words):
        next_unit = page.unit_at(tree.tokens[after + 1])
        is_list = is_list or (next_unit is not None and next_unit.type == "LOC")
    return unit.end if is_list else region.end


_NOMINAL_TAGS = frozenset(("PROPN", "NOUN", "NUM", "SYM"))


class Extent(NamedTuple):
    """A phrase to be marked: its span, its MIN and its head."""

    span: Span
    minimum: Span
    phrase: MarkedPhrase
    unit: WholeUnit | None


def phrase_of(tree: Tree, head: int, span: Span) -> MarkedPhrase:
    """Return the phrase of a span of a sentence, with this head."""
    first, end = tree.place(span.start), tree.place(span.end)
    return MarkedPhrase(Mark(span.start, span.end, "", ""), tree, first, end, head)


def reading_order(extent: Extent) -> tuple[int, int, int]:
    """Return a sort key that puts outer phrases before inner ones."""
    return extent.span.start, -extent.span.end, extent.phrase.head


def resolve_overlaps(extents_found: Sequence[Extent]) -> list[Extent]:
    """Return the phrases without repetitions, crossings and parts of names."""
    once = _without_repetitions(_merge_names(list(extents_found)))
    closed = _without_repetitions(_extend_to_inner_ends(list(_drop_name_parts(once))))
    return _resolve_crossings(closed)


def _without_repetitions(extents_found: Iterable[Extent]) -> list[Extent]:
    """Return the phrases in reading order, the first of each extent (§1.1)."""
    unique: dict[Span, Extent] = {}
    for extent in sorted(extents_found, key=reading_order):
        unique.setdefault(extent.span, extent)
    return list(unique.values())


def _merge_names(extents_found: list[Extent]) -> Iterator[Extent]:
    """Merge "presidential adviser Joe Smarty" into a phrase with the name as head (§4.1, §5.3)."""
    outer = {(id(extent.phrase.tree), extent.phrase.head): extent for extent in extents_found}
    dropped: set[int] = set()
    heads: dict[int, Extent] = {}
    for extent in extents_found:
        tree, head = extent.phrase.tree, extent.phrase.head
        host = outer.get((id(tree), tree.heads[head]))
        if tree.tag(head) != "PROPN" or host is None or host.unit is not None:
            continue
        before = range(host.phrase.head + 1, extent.phrase.first)
        is_attached = tree.relation(head) in ("appos", "flat") and not before
        if is_attached and host.span.contains(extent.span):
            dropped.add(id(extent))
            heads[id(host)] = extent
    for extent in extents_found:
        if id(extent) in heads:
            name = heads[id(extent)]
            yield extent._replace(minimum=name.minimum, unit=name.unit)
        elif id(extent) not in dropped:
            yield extent


def keep_units_whole(
    extents_found: Sequence[Extent], units: Sequence[WholeUnit], forest: Forest
) -> Iterator[Extent]:
    """Yield one phrase for each name, date or amount, and all other phrases."""
    widest: dict[WholeUnit, Extent] = {}
    for extent in extents_found:
        if extent.unit is None:
            yield extent
        elif extent.unit not in widest or len(widest[extent.unit].span) < len(extent.span):
            widest[extent.unit] = extent
    yield from widest.values()
    taken = {extent.span for extent in extents_found}
    for unit in units:
        if unit not in widest and Span(unit.start, unit.end) not in taken:
            yield from _unit_phrase(unit, forest)


def _unit_phrase(unit: WholeUnit, forest: Forest) -> Iterator[Extent]:
    """Yield a name, date or amount as a phrase, unless it is an adjective ("French")."""
    tree = forest.at(unit.start)
    if tree is None or unit.end > tree.tokens[-1].end:
        return
    span = Span(unit.start, unit.end)
    phrase = phrase_of(tree, 0, span)
    nouns = [index for index in phrase.places if tree.tag(index) in _NOMINAL_TAGS]
    tops = [index for index in nouns if tree.heads[index] not in phrase.places]
    if nouns:
        yield Extent(span, span, phrase._replace(head=(tops or nouns)[0]), unit)


def _drop_name_parts(extents_found: list[Extent]) -> Iterator[Extent]:
    """Drop phrases that are a part of another's MIN, or only a title (§3.2)."""
    minima = sorted(
        {extent.minimum for extent in extents_found}, key=lambda span: (span.start, -span.end)
    )
    reach: list[Span] = []
    end = -1
    for span in minima:
        if span.end > end:
            reach.append(span)
            end = span.end
    starts = [span.start for span in reach]
    for extent in extents_found:
        index = bisect_left(starts, extent.span.start + 1) - 1
        inside = index >= 0 and reach[index].contains(extent.span) and reach[index] != extent.span
        phrase = extent.phrase
        is_one_word = phrase.end - phrase.first == 1
        if not inside and not (is_one_word and is_title(phrase.tree.text(phrase.first))):
            yield extent


def _extend_to_inner_ends(extents_found: list[Extent]) -> list[Extent]:
    """Extend phrases by a closing comma or the end of a name such as ", Inc." (§4.2)."""
    ends = {id(inner): inner.span.end for inner in extents_found}
    for other, inner in _find_crossing(extents_found):
        after = other.phrase.tree.tokens[other.phrase.end :]
        following = [token for token in after if token.start < inner.span.end]
        if [t.text for t in following] == [","] or inner.span == inner.minimum:
            ends[id(other)] = max(ends[id(other)], inner.span.end)
    return [_with_span(inner, Span(inner.span.start, ends[id(inner)])) for inner in extents_found]


def _resolve_crossings(extents_found: list[Extent]) -> list[Extent]:
    """Shrink the shorter of two crossing phrases to its MIN; drop it if they still cross."""
    short = {id(_shorter(*pair)) for pair in _find_crossing(extents_found)}
    if not short:
        return extents_found
    taken = {extent.span for extent in extents_found if id(extent) not in short}
    kept = [
        _with_span(extent, extent.minimum) if id(extent) in short else extent
        for extent in extents_found
        if id(extent) not in short or extent.minimum not in taken
    ]
    kept.sort(key=reading_order)
    dropped = {id(_shorter(*pair)) for pair in _find_crossing(kept)}
    return [extent for extent in kept if id(extent) not in dropped]


def _find_crossing(extents_found: list[Extent]) -> Iterator[tuple[Extent, Extent]]:
    """Yield pairs of phrases, in reading order, that overlap without being nested."""
    around: list[Extent] = []
    for extent in extents_found:
        around = [other for other in around if other.span.end > extent.span.start]
        for other in around:
            if other.span.end < extent.span.end and other.span.start < extent.span.start:
                yield other, extent
        around.append(extent)


def _shorter(first: Extent, second: Extent) -> Extent:
    return min((first, second), key=lambda extent: len(extent.span))


def _with_span(extent: Extent, span: Span) -> Extent:
    """Return the phrase with a new extent."""
    if span == extent.span:
        return extent
    phrase = phrase_of(extent.phrase.tree, extent.phrase.head, span)
    return extent._replace(span=span, phrase=phrase)
