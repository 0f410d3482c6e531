"""Which phrases are markable (§3), how far each reaches and what its MIN is (§4).

Noun phrases are read off the trees. Names, dates, amounts and percentages are whole or nothing:
of all the phrases whose heads lie in one, the widest is kept.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tatian.analysis.phrases import NounPhrase, noun_phrases
from tatian.analysis.trees import Tree
from tatian.coreference.definition.settling import (
    Extent,
    phrase_of,
    reading_order,
    settled,
    whole,
)
from tatian.coreference.maximal import MaximalPhrases
from tatian.coreference.phrases.markable import is_markable
from tatian.coreference.phrases.minimum import expected_minimum
from tatian.coreference.phrases.page import Page, Phrase
from tatian.coreference.units import Unit, is_title
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


def extents(trees: Sequence[Tree], page: Page) -> list[Extent]:
    """The markable phrases of a document in order, outer before inner, one for each string."""
    widest = MaximalPhrases(page.document)
    where = {word.token: (tree, place) for tree in trees for place, word in enumerate(tree.words)}
    phrases = noun_phrases(page.document)
    found = [_place(phrase, widest, where) for phrase in phrases]
    more = list(_headless(trees, phrases, page))
    wider = {(id(place.tree), place.head) for place in more}
    found = [place for place in found if (id(place.tree), place.head) not in wider] + more
    made = [_extent(place, page) for place in found if not _is_relative(place)]
    marked = [one for one in made if is_markable(page, one.phrase)]
    kept = list(whole(marked, page.units, trees))
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
    after = bisect_left(tree.tokens, end, key=lambda token: token.start)
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


def _headless(trees: Sequence[Tree], phrases: Sequence[NounPhrase], page: Page) -> Iterator[_Place]:
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


def _extent(place: _Place, page: Page) -> Extent:
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


def _unit_at(page: Page, tree: Tree, place: int) -> Unit | None:
    """The name, date or amount at a place; a common noun with a capital is no name."""
    unit = page.unit_at(tree.tokens[place])
    if unit is None or unit.kind != "name" or tree.words[place].fine not in COMMON:
        return unit
    return None if len(unit) == len(tree.tokens[place]) and place == 0 else unit


def _with_titles(phrase: Phrase) -> int:
    """Where the phrase begins with the titles before a name: "Herr Dr. Georg Rath" (§4.1)."""
    first = phrase.first
    if phrase.tag(phrase.head) == "PROPN":
        while first > 0 and is_title(phrase.tree.text(first - 1)):
            first -= 1
    return phrase.tree.tokens[first].start


def _with_region(page: Page, tree: Tree, unit: Unit) -> int:
    """Where "Newark, New Jersey" ends; in a list of places each is for itself (§4.1)."""
    comma = bisect_left(tree.tokens, unit.end, key=lambda token: token.start)
    if comma + 1 >= len(tree.words) or tree.text(comma) != ",":
        return unit.end
    region = page.unit_at(tree.tokens[comma + 1])
    if region is None or region.type != "LOC":
        return unit.end
    after = bisect_left(tree.tokens, region.end, key=lambda token: token.start)
    following = [tree.text(place) for place in range(after, min(after + 2, len(tree.words)))]
    listed = "and" in following or "or" in following
    if following[:1] == [","] and after + 1 < len(tree.words):
        another = page.unit_at(tree.tokens[after + 1])
        listed = listed or (another is not None and another.type == "LOC")
    return unit.end if listed else region.end
