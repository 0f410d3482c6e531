"""Patterns of a phrase with a list of names: Hearst's patterns, and appositions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.aggregation.data.records import MAX_ENTITIES, MIN_ENTITIES
from tatian.aggregation.mining.phrases import (
    NOUNS,
    between_adjectives,
    is_part,
    is_plural_noun,
    singular,
    start_of,
)
from tatian.analysis.trees import Tree
from tatian.text import Name, Span
from tatian.text.lexicon import NUMBER_WORDS, ROLE_TITLES, TITLES, word_set

_BETWEEN = re.compile(
    r"\s*(?P<comma>,)?\s*(?P<joint>and|or|&|as well as|along with)?\s*(?P<the>the)?"
    r"(?P<title>(?:\s*[A-Z][\w.-]*){0,3})\s*"
)
_ARTICLE = re.compile(r"\b[Tt]he\s+$")
_TITLE_BEFORE = re.compile(r"((?:[A-Z][\w.-]*\s+){1,3})$")


class NameList(Struct, frozen=True):
    """Two to six names side by side."""

    names: tuple[Name, ...]
    joined: bool
    """True if a conjunction stands before the last name."""
    span: Span
    """Span from the first name's title or article to the last name."""
    members: tuple[Span, ...]
    """Each name with its title, without article."""

    @property
    def start(self) -> int:
        """Start of its span."""
        return self.span.start

    @property
    def end(self) -> int:
        """End of its span."""
        return self.span.end


def name_lists(text: str, names: Sequence[Name], sentence: Span) -> Iterator[NameList]:
    """Yield the longest lists of names within a sentence, of any type."""
    inside = [name for name in names if sentence.contains(name)]
    run: list[Name] = []
    joined = False
    for first, second in pairwise(inside):
        joint = _BETWEEN.fullmatch(text, first.end, second.start)
        linked = bool(joint and (joint["comma"] or joint["joint"]) and _is_title(joint["title"]))
        if not linked or joined:
            yield from _list(text, run, joined, sentence)
            run, joined = [], False
        if linked and joint is not None:
            run = run or [first]
            run.append(second)
            joined = bool(joint["joint"])
    yield from _list(text, run, joined, sentence)


def _list(text: str, run: list[Name], joined: bool, sentence: Span) -> Iterator[NameList]:
    if not MIN_ENTITIES <= len(run) <= MAX_ENTITIES:
        return
    members = tuple(_with_title(text, name, sentence) for name in run)
    start = members[0].start
    if article := _ARTICLE.search(text, sentence.start, start):
        start = article.start()
    yield NameList(tuple(run), joined, Span(start, run[-1].end), members)


def _with_title(text: str, name: Name, sentence: Span) -> Span:
    before = _TITLE_BEFORE.search(text, sentence.start, name.start)
    if before is None:
        return Span(name.start, name.end)
    words = before[1].split()
    for count in range(len(words), 0, -1):
        title = " ".join(words[-count:])
        if _is_title(title):
            return Span(text.rindex(words[-count], before.start(), name.start), name.end)
    return Span(name.start, name.end)


def _is_title(written: str) -> bool:
    """Return whether the capitalised words before a name are a title, or empty."""
    title = " ".join(written.lower().split())
    return not title or title in TITLES or title in ROLE_TITLES


_CUES = (
    "such as|including|like|especially|notably|particularly|in particular|among them|for example|"
    "for instance|namely"
)
_BEFORE_LIST = re.compile(rf"(?P<comma>,)?\s*\b(?:{_CUES})\b,?\s*$", re.IGNORECASE)
_SUCH_AS = re.compile(r"\s+as\s*$")
_OF = re.compile(r"\s+of\s*$")
_OTHER = re.compile(
    r"\s*,?\s*(?:and|or|&)\s+(?:(?:the|some|many|several|most|all)\s+)?(?:other|similar)\s+"
)
_APPOSED = re.compile(r"\s*,\s*(?=(?:the|two|three|four|five|six|both|all|fellow|former)\b)")
_CLOSED = re.compile(r"\s*(?=[,;.)—–]|--|$)")
_CONTINUING_TAGS = frozenset(("VERB", "AUX", "ADP", "ADV", "PART"))
"""Tags of words that continue a clause after a comma that closes the removed part."""
_NUMBERED = re.compile(r"\s*[,:]\s*$")
_OTHERS = re.compile(r",?\s*(?:and|or)\s+others\b")
_APPOSED_PLACES = word_set(NOUNS["apposed places"])
"""Nouns whose "of" introduces their own name: the city of Lyon, but not the forests of Lyon."""
_MAX_WORDS_BETWEEN = 5
"""Maximum number of words between a noun and the cue: "countries in Western Europe such as"."""
_BOUNDARY_TAGS = frozenset(("VERB", "AUX", "PRON", "SCONJ"))


class PatternMatch(Struct, frozen=True):
    """A phrase that names a list, and the span that the list can replace."""

    pattern: str
    first: int
    last: int
    """First and last word of the phrase, both included."""
    head: int
    """Its noun."""
    cut: Span
    """Span that the list replaces to remove the phrase."""


def matches(text: str, tree: Tree, name_list: NameList) -> Iterator[PatternMatch]:
    """Yield all phrases of a sentence that name the list, the likeliest first."""
    begin = {token.start: index for index, token in enumerate(tree.tokens)}
    sentence = Span(tree.tokens[0].start, tree.tokens[-1].end)
    before = text[sentence.start : name_list.start]
    if name_list.joined:
        yield from _match_after_phrase(text, tree, name_list, before, sentence)
        if (match := _match_adjacent(text, tree, name_list, before, sentence)) is not None:
            yield match
        yield from _match_apposed(text, tree, name_list, begin, sentence)
        yield from _match_numbered(text, tree, name_list, before, sentence)
    if not re.search(r"(?:[A-Z]\w*,|\band|\bor|&)\s*(?:the\s*)?$", before):
        yield from _match_and_other(text, tree, name_list, begin, sentence)


def _match_after_phrase(
    text: str, tree: Tree, name_list: NameList, before: str, sentence: Span
) -> Iterator[PatternMatch]:
    """Match "X such as A and B"; "X, including A and B"; "such X as A and B"."""
    cue = _BEFORE_LIST.search(before)
    name = "hearst"
    if cue is None:
        cue = _SUCH_AS.search(before)
        name = "such-as"
    if cue is None:
        return
    last = _last_before(tree, sentence.start + cue.start())
    bracket = last is not None and last > 0 and tree.text(last) == "("
    last = last - 1 if bracket and last else last
    head = None if last is None else _head(tree, last)
    if last is None or head is None:
        return
    first = start_of(tree, head)
    if name == "such-as" and tree.text(first).lower() != "such":
        return
    end = name_list.end
    if others := _OTHERS.match(text, end):
        end = others.end()
    if bracket and not text.startswith(")", end):
        return
    end += bracket
    if name == "hearst" and cue["comma"]:
        end += _has_closing_comma(text, tree, end)
    if not is_part(tree, first):
        yield PatternMatch(name, first, last, head, Span(tree.tokens[first].start, end))


def _match_adjacent(
    text: str, tree: Tree, name_list: NameList, before: str, sentence: Span
) -> PatternMatch | None:
    """Match "the mayors A and B"; "the cities of A and B"."""
    of = _OF.search(before)
    end = sentence.start + (of.start() if of else len(before.rstrip()))
    last = _last_before(tree, end)
    if last is None or not is_plural_noun(tree, last):
        return None
    names = {name.type for name in name_list.names}
    if of is None and names != {"PER"}:
        return None
    if of is not None and (names != {"LOC"} or singular(tree.text(last)) not in _APPOSED_PLACES):
        return None
    first = start_of(tree, last)
    if is_part(tree, first):
        return None
    cut = Span(tree.tokens[first].start, name_list.end)
    return PatternMatch("of" if of else "close", first, last, last, cut)


def _match_and_other(
    text: str, tree: Tree, name_list: NameList, begin: dict[int, int], sentence: Span
) -> Iterator[PatternMatch]:
    """Match "A, B and other X"."""
    cue = _OTHER.match(text, name_list.end, sentence.end)
    if cue is None or (first := begin.get(cue.end())) is None:
        return
    head = _head_after(tree, first)
    if head is not None and not any(other > head for other in tree.under(head, "conj")):
        last = _with_place(tree, head, begin.get(name_list.start, head))
        yield PatternMatch("other", first, last, head, Span(name_list.start, tree.tokens[last].end))


def _match_apposed(
    text: str, tree: Tree, name_list: NameList, begin: dict[int, int], sentence: Span
) -> Iterator[PatternMatch]:
    """Match "A and B, two X, ..."."""
    cue = _APPOSED.match(text, name_list.end, sentence.end)
    if cue is None or (first := begin.get(cue.end())) is None:
        return
    head = _head_after(tree, first)
    if head is None:
        return
    last = _with_place(tree, head, head)
    end = tree.tokens[last].end
    closed = _CLOSED.match(text, end, sentence.end)
    if closed is None:
        return
    cut = Span(name_list.start, closed.end() + _has_closing_comma(text, tree, closed.end()))
    yield PatternMatch("apposition", first, last, head, cut)


def _match_numbered(
    text: str, tree: Tree, name_list: NameList, before: str, sentence: Span
) -> Iterator[PatternMatch]:
    """Match "two X, A and B, ...", with the number of names that are listed."""
    cue = _NUMBERED.search(before)
    closed = _CLOSED.match(text, name_list.end, sentence.end)
    last = _last_before(tree, sentence.start + cue.start()) if cue else None
    if last is None or closed is None or not is_plural_noun(tree, last):
        return
    first = start_of(tree, last)
    numbers = {tree.text(index).lower() for index in range(first, last)}
    if any(NUMBER_WORDS.get(word) == len(name_list.names) for word in numbers) and not is_part(
        tree, first
    ):
        end = name_list.end + _has_closing_comma(text, tree, name_list.end)
        yield PatternMatch("numbered", first, last, last, Span(tree.tokens[first].start, end))


def _has_closing_comma(text: str, tree: Tree, end: int) -> bool:
    """Return whether a comma at `end` pairs with the one before the removed part."""
    after = next((index for index, token in enumerate(tree.tokens) if token.start > end), None)
    return text.startswith(",", end) and after is not None and tree.tag(after) in _CONTINUING_TAGS


def _last_before(tree: Tree, end: int) -> int | None:
    """Return the last word that ends at or before an offset."""
    last = None
    for index, token in enumerate(tree.tokens):
        if token.end <= end:
            last = index
    return last


def _head(tree: Tree, last: int) -> int | None:
    """Return the plural noun that heads a phrase with this last word."""
    if tree.tag(last) not in ("NOUN", "PROPN"):
        return None
    if is_plural_noun(tree, last):
        index = last
        above = tree.heads[index]
        if not (tree.relation(index) == "nmod" and above >= 0 and above < index):
            return index
    for index in range(last, max(-1, last - _MAX_WORDS_BETWEEN - 1), -1):
        if tree.tag(index) in _BOUNDARY_TAGS or tree.text(index) == ",":
            break
        if is_plural_noun(tree, index) and last in tree.subtree(index):
            return index
    return last if is_plural_noun(tree, last) else None


def _head_after(tree: Tree, first: int) -> int | None:
    """Return the plural noun that ends the run of nouns and modifiers beginning here."""
    noun = None
    for index in range(first, min(len(tree.words), first + 8)):
        if tree.tag(index) in ("NOUN", "PROPN", "ADJ", "NUM", "DET", "ADV") or tree.text(index) in (
            "-",
            "'s",
            "’s",
        ):
            if is_plural_noun(tree, index):
                noun = index
        elif tree.tag(index) != "PUNCT" or not between_adjectives(tree, index):
            break
    return noun


def _with_place(tree: Tree, head: int, first: int) -> int:
    """Return the end of a phrase with a short "from Lisbon" or "in the region" after its noun.

    The modifier belongs to the noun or, if the noun ends a list that begins at `first`, to the
    list.
    """
    for index in range(head + 1, min(len(tree.words), head + _MAX_WORDS_BETWEEN + 1)):
        if tree.relation(index) == "nmod" and first <= tree.heads[index] <= head:
            below = tree.subtree(index)
            if min(below) == head + 1 and max(below) - head <= _MAX_WORDS_BETWEEN:
                return max(below)
    return head
