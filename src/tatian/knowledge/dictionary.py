"""Millions of terms, found in running text at a cost that hardly depends on how many there are.

    >>> dictionary = Dictionary.from_terms([("Open-source software", 1), ("software", 2)])
    >>> dictionary.find("OPEN SOURCE SOFTWARE is software").term.tolist()
    [1, 2, 2]

A term is its words (see `tatian.knowledge.entities`). `find` cuts a text into words and hashes
every phrase that begins like some term, all at once in arrays; a small filter says at once of
nearly every phrase that it is no term. What passes is compared with the term letter by letter: a
collision of hashes never gives a wrong term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.knowledge.dictionary_search import (
    EXACT,
    PLURAL,
    SPELLED,
    Phrases,
    Search,
    Sections,
    form,
    load,
)
from tatian.knowledge.dictionary_words import (
    LONGEST_GAP,
    Flags,
    Ints,
    digit,
    upper,
    words,
)

__all__ = ["CHUNK", "EXACT", "PLURAL", "SPELLED", "Dictionary", "Matches"]

CHUNK = 1 << 16
"""Characters looked at together; longer texts are cut at white space, with the same result."""

_FARTHEST = 1 << 18
"""Characters after which a text without white space is cut all the same."""
_WHITE = re.compile(r"\s")
_BREAK = "\f"
"""Stands between texts that are looked at together; no phrase runs across it."""


class Matches(Struct, frozen=True):
    """Where terms stand in a text, in its order; phrases within others are there as well."""

    start: Ints
    """Character offsets."""
    end: Ints
    term: Ints
    """The caller's numbers of the terms."""
    entry: Ints
    """The dictionary's own: from 0 on, without gaps; see `Dictionary.listed`."""
    how: NDArray[np.uint8]
    """`EXACT`, `PLURAL` or `SPELLED`."""
    half: Flags
    """Whether it is part of a compound, a hyphen before or behind it."""
    capitals: Flags
    """Whether it begins and ends with a capital."""
    figures: Flags
    """Whether it begins and ends with a digit."""
    article: Flags
    """Whether it begins with "a", "an" or "the" in small letters."""

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, which: slice | Ints | Flags) -> Matches:
        return Matches(*(getattr(self, name)[which] for name in _FIELDS))


_FIELDS = Matches.__struct_fields__


class Dictionary:
    """Terms and their numbers; safe to share between threads and to open in many processes."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        self._search = Search(sections)

    @classmethod
    def from_terms(cls, terms: Iterable[tuple[str, int]]) -> Dictionary:
        """A dictionary in memory; see `write` for what terms may be."""
        from tatian.knowledge.dictionary_writer import write

        with TemporaryDirectory() as room:
            write(Path(room) / "terms", terms)
            return cls.open(Path(room) / "terms")

    @classmethod
    def open(cls, path: str | Path) -> Dictionary:
        """A dictionary that `write` wrote, mapped and not read."""
        return cls(load(Path(path)))

    def __len__(self) -> int:
        return len(self._sections.hashes)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """All terms in their normal form with their numbers, in no telling order."""
        for entry in range(len(self)):
            yield form(self._sections, entry), int(self._sections.ids[entry])

    def __contains__(self, term: str) -> bool:
        return self.get(term) is not None

    def get(self, term: str) -> int | None:
        """The number of `term`, however it is written; None if there is no such term."""
        return self.numbers([term]).get(term)

    def numbers(self, terms: Iterable[str]) -> dict[str, int]:
        """The numbers of those of `terms` that there are."""
        asked = list(terms)
        which, entry = self._search.lookup(asked)
        found = zip(which.tolist(), self._sections.ids[entry].tolist(), strict=True)
        return {asked[place]: number for place, number in sorted(found)}

    def listed(self, terms: Iterable[str]) -> Flags:
        """For each entry (see `Matches`) whether it is one of `terms`."""
        table = np.zeros(len(self), dtype=bool)
        table[self._search.lookup(list(terms))[1]] = True
        return table

    def find(self, text: str, *, derived: bool = False) -> Matches:
        """Every place of `text` where a term stands, whole words only.

        A phrase does not run across the end of a sentence or paragraph, brackets or quotes, nor
        across a comma or colon unless capitals stand on both sides ("Denton, Texas") or the text
        has none. With `derived`, the last word of a term may be a plural, and an abbreviation may
        be spelled out.
        """
        capitals = not text.islower()
        if len(text) <= CHUNK:
            return self._found(text, capitals, derived)
        parts = []
        for begin, limit, end in self._chunks(text):
            part = self._found(text[begin:end], capitals, derived)
            part = part[: int(np.searchsorted(part.start, limit - begin))]
            parts.append(replace(part, start=part.start + begin, end=part.end + begin))
        return Matches(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS)
        )

    def find_in(self, texts: Iterable[str], *, derived: bool = False) -> Iterator[Matches]:
        """What `find` gives for each of `texts`, several times as fast where they are short."""
        batch: list[str] = []
        size, lower = 0, False
        for text in texts:
            if batch and (size + len(text) > CHUNK or text.islower() != lower):
                yield from self._together(batch, derived)
                batch, size = [], 0
            lower = text.islower()
            batch.append(text)
            size += len(text)
        yield from self._together(batch, derived)

    def _together(self, texts: list[str], derived: bool) -> Iterator[Matches]:
        """Some texts without or with capitals, looked at as one with breaks between them."""
        if len(texts) < 2:
            yield from (self.find(text, derived=derived) for text in texts)
            return
        found = self._found(_BREAK.join(texts), not texts[0].islower(), derived)
        begin = 0
        for text in texts:
            low, high = np.searchsorted(found.start, (begin, begin + len(text)))
            part = found[low:high]
            yield replace(part, start=part.start - begin, end=part.end - begin)
            begin += len(text) + len(_BREAK)

    def _chunks(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Where a chunk begins, where the next does, and how far it must look beyond that."""
        beyond = self._sections.longest_bytes + 2 * LONGEST_GAP
        beyond += (self._sections.longest_words + 1) * LONGEST_GAP
        begin = 0
        while begin < len(text):
            limit = _blank(text, begin + CHUNK)
            yield begin, limit, _blank(text, limit + beyond)
            begin = limit

    def _found(self, text: str, capitals: bool, derived: bool) -> Matches:
        found = words(text, capitals=capitals)
        phrases = self._search.terms(found, derived=derived)
        if derived:
            phrases = _both(phrases, self._search.spelled(found))
        length = phrases.high - phrases.low
        order = np.argsort(((phrases.low << 16) + length << 2) + phrases.how, kind="stable")
        low, high = phrases.low[order], phrases.high[order]
        entry = phrases.entry[order]
        start, end = found.start[low], found.end[high]
        first, last = found.codes[start], found.codes[end - 1]
        return Matches(
            start=start,
            end=end,
            term=self._sections.ids[entry],
            entry=entry,
            how=phrases.how[order],
            half=found.hyphen[low] | found.hyphen[high + 1],
            capitals=upper(first) & upper(last),
            figures=digit(first) & digit(last),
            article=found.articles(low) & ~upper(first),
        )


def _both(one: Phrases, other: Phrases) -> Phrases:
    if not len(other.low):
        return one
    names = Phrases.__struct_fields__
    return Phrases(*(np.append(getattr(one, name), getattr(other, name)) for name in names))


def _blank(text: str, position: int) -> int:
    """The first white space from `position` on; without any, the end of the text or far on."""
    farthest = min(position + _FARTHEST, len(text))
    found = _WHITE.search(text, position, farthest)
    return found.start() if found else farthest
