"""Answers of coreference annotators: marked phrases and links back to their antecedents.

The markup of the MUC-6 definition (§1.3 to §1.5) as the answer of a `tatian.text.layers.Record`:
``Record[Markup]``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import TypeVar

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.muc.elements import ScannedDocument
from tatian.grouping import grouped
from tatian.text import Chain, LayerKey, Mention, Span
from tatian.text.lexicon import ARTICLES

K = TypeVar("K", bound=Hashable)


class Markable(Span, frozen=True, order=True, omit_defaults=True):
    """A phrase marked by an annotator (COREF)."""

    id: str
    antecedent: str | None = None
    """ID of an earlier coreferent phrase (REF)."""
    head: Span | None = None
    """Shortest string that still counts (MIN); None when it is the whole phrase."""
    optional: bool = False
    """True if the annotator is not certain (STATUS="OPT")."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.end > self.start:
            raise ValueError(f"markable '{self.id}' is empty")
        if self.head is not None and not (len(self.head) and self.contains(self.head)):
            raise ValueError(f"the MIN of markable '{self.id}' does not lie inside it")
        if self.antecedent == self.id:
            raise ValueError(f"markable '{self.id}' refers to itself")
        if self.optional and self.antecedent is None:
            raise ValueError(f"markable '{self.id}' is OPT without REF: only an anaphor can be")


MARKABLES: LayerKey[Markable] = LayerKey("coreference.markables", Markable)
"""Marked phrases, with ids and links as the file has them."""


class Markup(Struct, frozen=True):
    """All phrases that one annotator marked in one document."""

    markables: tuple[Markable, ...] = ()

    def __post_init__(self) -> None:
        ids = {markable.id for markable in self.markables}
        places = {(markable.start, markable.end) for markable in self.markables}
        if len(ids) != len(self.markables):
            raise ValueError("two markables of one id")
        if len(places) != len(self.markables):
            raise ValueError("two markables on one string (§1.1 allows one)")
        for markable in self.markables:
            id, antecedent = markable.id, markable.antecedent
            if antecedent is not None and antecedent not in ids:
                raise ValueError(f"markable '{id}' refers to '{antecedent}', which is not marked")

    def check(self, text: str) -> None:
        """Refuse an answer that does not fit its text."""
        for markable in self.markables:
            if markable.end > len(text):
                raise InputError(f"markable '{markable.id}' lies outside the text ({len(text)})")

    def chains(self) -> tuple[Chain, ...]:
        """Return the chains of the links, which are symmetric and transitive (§1.1).

        Phrases without any link are left out. A chain's id is that of its first phrase.
        """
        return tuple(chain for chain in chains_of(self.markables) if len(chain.mentions) > 1)


def chains_of(markables: Iterable[Markable]) -> tuple[Chain, ...]:
    """Return the chains of links between markables; a markable without links is a chain of one.

    Every antecedent must be among the markables. A chain's id is that of its first markable.
    """
    ordered = sorted(markables, key=lambda markable: (markable.start, markable.end))
    mentions = {
        item.id: Mention(item.start, item.end, head=item.head, optional=item.optional)
        for item in ordered
    }
    links = [(item.id, item.antecedent) for item in ordered if item.antecedent is not None]
    return tuple(
        Chain(group[0], tuple(mentions[id] for id in group))
        for group in group_linked(mentions, links)
    )


def group_linked(keys: Iterable[K], links: Iterable[tuple[K, K]]) -> list[list[K]]:
    """Group the keys that links connect, in the order given."""
    root = {key: key for key in keys}

    def find(key: K) -> K:
        while root[key] != key:
            root[key] = root[root[key]]
            key = root[key]
        return key

    for first, second in links:
        root[find(first)] = find(second)
    return list(grouped((find(key), key) for key in root).values())


_ARTICLE = re.compile(rf"(?:{'|'.join(sorted(ARTICLES))})\s+", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_WORD_CHARACTER = re.compile(r"\w")
_POSSESSIVE = re.compile(r"['’](?:s\b|(?=\s|$))")


def locate(
    text: str, phrase: Span, minimum: str, nested: Callable[[], Sequence[Span]] = tuple
) -> Span | None:
    """Return the place of `minimum` in `phrase`, with any white space.

    Whole words are preferred: "art" in "the party's art" is the last word. Of several places the
    first is taken that is neither inside one of the `nested` markables, which have heads of their
    own, nor a possessor ("Ford's Ford"), because modifiers that repeat the head mostly follow it
    ("the man who knew a man"). Failing that, the first that is no possessor is taken, then the
    first.
    """
    words = minimum.split()
    if not words:
        return None
    all_places = list(_places(text, phrase, words))
    places = [place for place in all_places if _is_whole(text, phrase, place)] or all_places[:1]
    if not places:
        return None
    if len(places) == 1:
        return places[0]
    possible = [place for place in places if not _POSSESSIVE.match(text, place.end, phrase.end)]
    inner = nested()
    free = (place for place in possible if not any(span.contains(place) for span in inner))
    return next(free, (possible or places)[0])


def minimum(document: ScannedDocument, index: int) -> Span | None:
    """Return the place of the MIN of ``document.markables[index]``; None if it is missing."""
    element = document.markables[index]
    written = element.get("MIN")
    if not written:
        return None
    markables = document.markables
    following = (markables[other].span for other in range(index + 1, len(markables)))
    return locate(document.text, element.span, written, lambda: inside(following, element.span.end))


def without_article(text: str, phrase: Span) -> Span:
    """Return a phrase without "the", "a" or "an" at its beginning (§4.3)."""
    article = _ARTICLE.match(text, phrase.start, phrase.end)
    return Span(article.end(), phrase.end) if article else phrase


def needs_minimum(text: str, phrase: Span, head: Span | None) -> bool:
    """Return whether a phrase and its head differ by more than an article (then MIN is needed)."""
    if head is None:
        return False
    return (head.start, head.end) not in (
        (phrase.start, phrase.end),
        (without_article(text, phrase).start, phrase.end),
    )


def _places(text: str, phrase: Span, words: Sequence[str]) -> Iterator[Span]:
    """Yield every place in `phrase` of these words in a row, with white space between."""
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
    """Return whether no letter or digit of `phrase` touches the place."""
    before = text[max(place.start - 1, phrase.start) : place.start]
    after = text[place.end : min(place.end + 1, phrase.end)]
    return not (_WORD_CHARACTER.match(before) or _WORD_CHARACTER.match(after))


def inside(spans: Iterable[Span], end: int) -> list[Span]:
    """Return those of the spans after one, in reading order, that begin before its end."""
    return list(takewhile(lambda span: span.start < end, spans))
