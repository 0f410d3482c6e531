"""Whether a phrase lists things instead of naming them all at once, or may be read as a list.

TESA §3.3 forbids enumerations, and "and", which mostly makes one. Who writes *Ines, Bo* lists the
entities of the set; who writes *the city, the state* probably lists something; but *Bosnia and
Herzegovina* is one name, and *large, old cities* are no list at all.
``page/lists.js`` says the same in the browser; a test holds the two against
each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.aggregation.data.rules import OTHER_DETERMINERS
from tatian.text.lexicon import NUMBER_WORDS
from tatian.text.plurals import ends_as_plural

_TOKEN = re.compile(
    r"(?<!\S)(?P<joins>as\s+well\s+as|and|or|&)(?!\S)|(?P<mark>[,;،、，；])|[^\W_]+", re.IGNORECASE
)
"""What joins, a word or a sign, or any other word; "AT&T" and "rock-and-roll" join nothing."""
_COMMAS = frozenset(",،、，")
_SHORTEST_PLURAL = 4


class Token(Struct, frozen=True):
    """A word or a sign of a phrase."""

    text: str
    joins: bool

    @property
    def word(self) -> str:
        """In small letters."""
        return self.text.lower()

    @property
    def capital(self) -> bool:
        """Whether it is written as names are."""
        return self.text[0] != self.text[0].lower()


class Joined(Struct, frozen=True):
    """What joins parts of a phrase."""

    lists: bool
    """Parts of it are names, or parts of names, of several entities."""
    named: bool
    """Each "and" of it belongs to a name, as far as can be seen."""
    doubtful: bool
    """It may be read as a list."""


def joined(phrase: str, entities: Sequence[str]) -> Joined:
    """How the parts of a phrase hang together; the names of the entities tell what is one name."""
    tokens = _tokens(phrase)
    names = [_tokens(name) for name in entities]
    own = _within_names(tokens, names)
    places = [place for place in _joints(tokens) if place not in own]
    known = [frozenset(token.word for token in name if not token.joins) for name in names]
    theirs = frozenset().union(*known)
    ands = (place for place, token in enumerate(tokens) if token.word == "and" and token.joins)
    return Joined(
        _lists(_parts(tokens, places), known),
        all(place in own or _within_name(tokens, place, theirs) for place in ands),
        any(_doubtful(tokens, place) for place in places),
    )


def _tokens(phrase: str) -> list[Token]:
    from tatian.pipeline.instances.entities import plain

    return [
        Token(" ".join(found[0].split()), bool(found["joins"] or found["mark"]))
        for found in _TOKEN.finditer(plain(phrase))
    ]


def _joints(tokens: Sequence[Token]) -> Iterator[int]:
    """Where something joins two words; a comma within a number does not."""
    words = [place for place, token in enumerate(tokens) if not token.joins]
    for before, after in pairwise(words):
        digits = tokens[before].text.isdecimal() and tokens[after].text.isdecimal()
        if not digits:
            yield from range(before + 1, after)


def _within_names(tokens: Sequence[Token], names: Sequence[Sequence[Token]]) -> frozenset[int]:
    """The places of tokens that belong to an entity's whole name."""
    said = [token.word for token in tokens]
    found: set[int] = set()
    for name in names:
        wanted = [token.word for token in name]
        for start in range(len(said) - len(wanted) + 1):
            if wanted and said[start : start + len(wanted)] == wanted:
                found.update(range(start, start + len(wanted)))
    return frozenset(found)


def _parts(tokens: Sequence[Token], joints: Sequence[int]) -> Iterator[frozenset[str]]:
    """The words between joints, without determiners."""
    ends = [-1, *joints, len(tokens)]
    for before, after in pairwise(ends):
        words = [token.word for token in tokens[before + 1 : after] if not token.joins]
        yield frozenset(word for word in words if word != "the" and word not in OTHER_DETERMINERS)


def _lists(parts: Iterator[frozenset[str]], known: Sequence[frozenset[str]]) -> bool:
    """Whether two parts are made of the words of two entities' names: first names, *Sony*."""
    fits = [{place for place, name in enumerate(known) if part <= name} for part in parts if part]
    fitting = [places for places in fits if places]
    return len(fitting) > 1 and len(set().union(*fitting)) > 1


def _within_name(tokens: Sequence[Token], place: int, theirs: frozenset[str]) -> bool:
    """Whether an "and" stands between capitals that are in no entity's name: in another name."""
    around = (*tokens[max(place - 1, 0) : place], *tokens[place + 1 : place + 2])
    return len(around) > 1 and all(one.capital and one.word not in theirs for one in around)


def _doubtful(tokens: Sequence[Token], place: int) -> bool:
    """Whether what stands here joins two things; a comma may divide adjectives instead."""
    if tokens[place].word == "and":
        return False
    if tokens[place].text not in _COMMAS:
        return True
    before, after = tokens[place - 1], tokens[place + 1]
    begins = after.word == "the" or after.word in OTHER_DETERMINERS or _is_number(after.word)
    names = before.capital and after.capital
    last = next(token for token in reversed(tokens) if not token.joins)
    return begins or names or (_plural(before.word) and _plural(last.word))


def _plural(word: str) -> bool:
    return len(word) >= _SHORTEST_PLURAL and ends_as_plural(word)


def _is_number(word: str) -> bool:
    return word in NUMBER_WORDS or word.isdecimal()
