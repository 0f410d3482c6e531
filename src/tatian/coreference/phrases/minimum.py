"""What MIN of a marked phrase should be (§4.1)."""

from __future__ import annotations

from bisect import bisect_left

from tatian.analysis.minima import minimum
from tatian.coreference.phrases.page import Page, Phrase
from tatian.coreference.units import is_office, is_title
from tatian.text import Span
from tatian.text.lexicon import NUMBER_WORDS

_NOUNS = frozenset(("NOUN", "PROPN", "PRON", "SYM", "X"))
_BEFORE_HEAD = frozenset(("DET", "NUM", "ADJ", "ADV"))


def expected_minimum(page: Page, phrase: Phrase) -> Span:
    """The head, or the whole name, date, amount or percentage that it belongs to."""
    headless = headless_minimum(page, phrase)
    if headless is not None:
        return headless
    tree = phrase.tree
    unit = page.unit_at(tree.tokens[phrase.head])
    within = unit is not None and unit.contains(page.bare(phrase.mark))
    if within or _is_company(phrase) or _is_unknown_name(page, phrase):
        return phrase.mark
    if unit is not None and unit.start >= phrase.mark.start and unit.end <= phrase.mark.end + 1:
        end = bisect_left(tree.tokens, unit.end, key=lambda token: token.start)
        return Span(unit.start, tree.tokens[_with_flat(phrase, end) - 1].end)
    first, end = minimum(tree, phrase.head, [])
    return page.span(phrase, max(first, phrase.first), _with_flat(phrase, end))


def _is_company(phrase: Phrase) -> bool:
    """Whether the phrase is a firm called after its partners: "Simon & Schuster"."""
    words = [phrase.tree.text(place) for place in range(phrase.content, phrase.end)]
    return "&" in words and all(word[0].isupper() or word == "&" for word in words)


def _is_unknown_name(page: Page, phrase: Phrase) -> bool:
    """Whether the phrase is capitalised throughout, and no part of it is a name, title or office.

    Then it is a name that the encoder does not know, or a headline: there is nothing to add.
    """
    words = [phrase.tree.text(place) for place in range(phrase.content, phrase.end)]
    return (
        len(words) > 1
        and all(word[0].isupper() for word in words)
        and not page.units_in(phrase.mark)
        and not any(is_title(word) or is_office(word) for word in words)
    )


def _with_flat(phrase: Phrase, end: int) -> int:
    """Past the rest of a name that the encoder ended too early, as in "Century 21"."""
    while end < phrase.end and end in phrase.tree.under(phrase.head, "flat"):
        end += 1
    return min(end, phrase.end)


def headless_minimum(page: Page, phrase: Phrase) -> Span | None:
    """Of "the six youngest", "seven of the best": the last word before what follows the head.

    None where the phrase has a noun for its head, or is a date, amount or percentage.
    """
    end = phrase.first
    while end < phrase.end and phrase.tag(end) in _BEFORE_HEAD:
        end += 1
    if end == phrase.first or page.unit_at(phrase.tree.tokens[end - 1]) is not None:
        return None
    following = phrase.tag(end) if end < phrase.end else ""
    if following in _NOUNS and not _is_relative(phrase, end):
        return None
    last = end - 1
    if not following and not _may_head(phrase, last):
        return None
    if following == "PUNCT" and (phrase.word(end) not in (",", "(") or phrase.head != last):
        return None
    if following and following not in ("ADP", "PRON", "PUNCT", "SCONJ", "PART", "VERB"):
        return None
    return page.span(phrase, last, end) if _may_head(phrase, last) else None


def _may_head(phrase: Phrase, place: int) -> bool:
    """Whether a number, adjective or determiner stands where a noun would."""
    if phrase.tag(place) == "NUM" or phrase.word(place) in NUMBER_WORDS:
        return True
    degree = phrase.tree.words[place].features.get("Degree")
    return phrase.tag(place) in ("ADJ", "DET") and (degree == "Sup" or phrase.head == place)


def _is_relative(phrase: Phrase, place: int) -> bool:
    return phrase.word(place) in ("who", "whom", "which", "that", "whose")
