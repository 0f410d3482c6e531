"""Where the string that MIN gives stands in its markable, and when it is needed (§1.4, §4.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from tatian.formats.muc.elements import ScannedDocument
from tatian.text import Span
from tatian.text.lexicon import ARTICLES

_ARTICLE = re.compile(rf"(?:{'|'.join(sorted(ARTICLES))})\s+", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_POSSESSIVE = re.compile(r"['’](?:s\b|(?=\s|$))")


def locate(
    text: str, phrase: Span, minimum: str, nested: Callable[[], Sequence[Span]] = tuple
) -> Span | None:
    """Where `minimum` stands in `phrase`, any white space being as good as any other.

    Whole words are preferred: "art" in "the party's art" is the last word. Of several places the
    first is taken that is neither inside one of the `nested` markables, which have heads of their
    own, nor a possessor ("Ford's Ford"), because modifiers that repeat the head mostly follow it
    ("the man who knew a man"); failing that the first that is no possessor, then the first.
    """
    words = minimum.split()
    if not words:
        return None
    found = list(_places(text, phrase, words))
    places = [place for place in found if _is_whole(text, phrase, place)] or found[:1]
    if not places:
        return None
    if len(places) == 1:
        return places[0]
    possible = [place for place in places if not _POSSESSIVE.match(text, place.end, phrase.end)]
    inner = nested()
    for place in possible:
        if not any(one.contains(place) for one in inner):
            return place
    return (possible or places)[0]


def minimum(document: ScannedDocument, index: int) -> Span | None:
    """Where the MIN of ``document.markables[index]`` stands; None if it has none that is there."""
    element = document.markables[index]
    written = element.get("MIN")
    if not written:
        return None
    return locate(document.text, element.span, written, lambda: _nested(document, index))


def without_article(text: str, phrase: Span) -> Span:
    """A phrase without "the", "a" or "an" at its beginning (§4.3)."""
    found = _ARTICLE.match(text, phrase.start, phrase.end)
    return Span(found.end(), phrase.end) if found else phrase


def needs_minimum(text: str, phrase: Span, head: Span | None) -> bool:
    """Whether a phrase and its head differ by more than an article, so that MIN must be given."""
    if head is None:
        return False
    return (head.start, head.end) not in (
        (phrase.start, phrase.end),
        (without_article(text, phrase).start, phrase.end),
    )


def _places(text: str, phrase: Span, words: Sequence[str]) -> Iterator[Span]:
    """Every place in `phrase` where these words follow each other, with white space between."""
    start = text.find(words[0], phrase.start, phrase.end)
    while start >= 0:
        end = start + len(words[0])
        for word in islice(words, 1, None):
            blanks = _BLANKS.match(text, end, phrase.end)
            if not (blanks and text.startswith(word, blanks.end(), phrase.end)):
                break
            end = blanks.end() + len(word)
        else:
            yield Span(start, end)
        start = text.find(words[0], start + 1, phrase.end)


def _is_whole(text: str, phrase: Span, place: Span) -> bool:
    """Whether no letter or digit of `phrase` touches the place."""
    before, after = place.start - 1, place.end
    return not (
        (before >= phrase.start and _is_word(text[before]))
        or (after < phrase.end and _is_word(text[after]))
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _nested(document: ScannedDocument, index: int) -> list[Span]:
    """The spans of the markables inside the one at `index`: they follow it."""
    markables = document.markables
    spans = []
    for other in range(index + 1, len(markables)):
        if markables[other].start > markables[index].end:
            break
        spans.append(markables[other].span)
    return spans
