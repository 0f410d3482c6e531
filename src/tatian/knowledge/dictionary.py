"""Search for millions of terms in running text, at a cost that hardly depends on their number.

    >>> dictionary = Dictionary.from_terms([("Open-source software", 1), ("software", 2)])
    >>> dictionary.find("OPEN SOURCE SOFTWARE is software").term.tolist()
    [1, 2, 2]

Terms have the normal form of `tatian.knowledge.entities`. `find` splits a text into words and
hashes all phrases that begin like a term, in arrays. A small filter rules out nearly all phrases.
The others are compared with the terms byte by byte, so that hash collisions give no wrong terms.
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
    MAX_GAP_CHARACTERS,
    Flags,
    Ints,
    are_digits,
    are_upper,
    split_words,
)

__all__ = ["CHUNK", "EXACT", "PLURAL", "SPELLED", "Dictionary", "Matches"]

CHUNK = 1 << 16
"""Characters searched at once; longer texts are split at white space, without effect."""

_MAX_UNSPLIT_CHARACTERS = 1 << 18
"""Characters after which a text is split even if it has no white space."""
_WHITE = re.compile(r"\s")
_BREAK = "\f"
"""Separator of texts that are searched together; no phrase crosses it."""


class Matches(Struct, frozen=True):
    """Occurrences of terms in a text, in order; they may overlap."""

    start: Ints
    """Character offsets."""
    end: Ints
    term: Ints
    """The caller's numbers of the terms."""
    entry: Ints
    """The dictionary's numbers of the terms, from 0 without gaps; see `Dictionary.listed`."""
    form: NDArray[np.uint8]
    """`EXACT`, `PLURAL` or `SPELLED`."""
    half: Flags
    """True if a hyphen before or after it makes it part of a compound."""
    capitals: Flags
    """True if it begins and ends with a capital."""
    figures: Flags
    """True if it begins and ends with a digit."""
    article: Flags
    """True if it begins with "a", "an" or "the" in small letters."""

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, rows: slice | Ints | Flags) -> Matches:
        return Matches(*(getattr(self, name)[rows] for name in _FIELDS))


_FIELDS = Matches.__struct_fields__


class Dictionary:
    """Terms and their numbers; safe to share between threads and to open in many processes."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        self._search = Search(sections)

    @classmethod
    def from_terms(cls, terms: Iterable[tuple[str, int]]) -> Dictionary:
        """Build a dictionary in memory; see `write` for valid terms."""
        from tatian.knowledge.dictionary_writer import write

        with TemporaryDirectory() as folder:
            write(Path(folder) / "terms", terms)
            return cls.open(Path(folder) / "terms")

    @classmethod
    def open(cls, path: str | Path) -> Dictionary:
        """Map a dictionary that `write` wrote."""
        return cls(load(Path(path)))

    def __len__(self) -> int:
        return len(self._sections.hashes)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Yield all terms in their normal form with their numbers, in no particular order."""
        for entry in range(len(self)):
            yield form(self._sections, entry), int(self._sections.ids[entry])

    def __contains__(self, term: str) -> bool:
        return self.get(term) is not None

    def get(self, term: str) -> int | None:
        """Return the number of `term`, in any spelling; None if there is no such term."""
        return self.numbers([term]).get(term)

    def numbers(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the numbers of those of `terms` that exist."""
        queries = list(terms)
        rows, entry = self._search.lookup(queries)
        pairs = zip(rows.tolist(), self._sections.ids[entry].tolist(), strict=True)
        return {queries[place]: number for place, number in sorted(pairs)}

    def listed(self, terms: Iterable[str]) -> Flags:
        """Return for each entry (see `Matches`) whether it is one of `terms`."""
        table = np.zeros(len(self), dtype=bool)
        table[self._search.lookup(list(terms))[1]] = True
        return table

    def find(self, text: str, *, derived: bool = False) -> Matches:
        """Find every occurrence of a term in `text`, whole words only.

        A phrase does not cross the end of a sentence or paragraph, brackets or quotes, nor a comma
        or colon unless capitals stand on both sides ("Denton, Texas") or the text has none. With
        `derived`, the last word of a term may be a plural, and an abbreviation may be spelled out.
        """
        capitals = not text.islower()
        if len(text) <= CHUNK:
            return self._find(text, capitals, derived)
        parts = []
        for begin, limit, end in self._chunks(text):
            part = self._find(text[begin:end], capitals, derived)
            part = part[: int(np.searchsorted(part.start, limit - begin))]
            parts.append(replace(part, start=part.start + begin, end=part.end + begin))
        return Matches(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS)
        )

    def find_in(self, texts: Iterable[str], *, derived: bool = False) -> Iterator[Matches]:
        """Yield the result of `find` for each text; for short texts this is much faster."""
        batch: list[str] = []
        size, lower = 0, False
        for text in texts:
            if batch and (size + len(text) > CHUNK or text.islower() != lower):
                yield from self._find_joined(batch, derived)
                batch, size = [], 0
            lower = text.islower()
            batch.append(text)
            size += len(text)
        yield from self._find_joined(batch, derived)

    def _find_joined(self, texts: list[str], derived: bool) -> Iterator[Matches]:
        """Search several texts as one, with breaks between them; one alone may be long."""
        if len(texts) < 2:
            yield from (self.find(text, derived=derived) for text in texts)
            return
        matches = self._find(_BREAK.join(texts), not texts[0].islower(), derived)
        begin = 0
        for text in texts:
            low, high = np.searchsorted(matches.start, (begin, begin + len(text)))
            part = matches[low:high]
            yield replace(part, start=part.start - begin, end=part.end - begin)
            begin += len(text) + len(_BREAK)

    def _chunks(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield the start of each chunk, its end, and the end of what is searched for it."""
        beyond = self._sections.longest_bytes + 2 * MAX_GAP_CHARACTERS
        beyond += (self._sections.longest_words + 1) * MAX_GAP_CHARACTERS
        begin = 0
        while begin < len(text):
            limit = _find_blank(text, begin + CHUNK)
            yield begin, limit, _find_blank(text, limit + beyond)
            begin = limit

    def _find(self, text: str, capitals: bool, derived: bool) -> Matches:
        text_words = split_words(text, capitals=capitals)
        phrases = self._search.terms(text_words, derived=derived)
        if derived:
            spelled = self._search.spelled(text_words)
            names = Phrases.__struct_fields__
            phrases = Phrases(*(np.append(getattr(phrases, n), getattr(spelled, n)) for n in names))
        length = phrases.high - phrases.low
        order = np.argsort(((phrases.low << 16) + length << 2) + phrases.form, kind="stable")
        low, high = phrases.low[order], phrases.high[order]
        entry = phrases.entry[order]
        start, end = text_words.start[low], text_words.end[high]
        first, last = text_words.codes[start], text_words.codes[end - 1]
        return Matches(
            start=start,
            end=end,
            term=self._sections.ids[entry],
            entry=entry,
            form=phrases.form[order],
            half=text_words.hyphen[low] | text_words.hyphen[high + 1],
            capitals=are_upper(first) & are_upper(last),
            figures=are_digits(first) & are_digits(last),
            article=text_words.articles(low) & ~are_upper(first),
        )


def _find_blank(text: str, position: int) -> int:
    """Return the first white space from `position` on; else the end of the text or a far limit."""
    farthest = min(position + _MAX_UNSPLIT_CHARACTERS, len(text))
    blank = _WHITE.search(text, position, farthest)
    return blank.start() if blank else farthest
