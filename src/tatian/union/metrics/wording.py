"""Similarity of content words: by stem, number, name, derivation, or word vectors.

Similarity of meaning comes from the encoder's table of word vectors, without running the encoder.
If it is not installed, words that look different count as unlike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from rapidfuzz.distance import Prefix

from tatian.text.content import concept, is_content
from tatian.text.lexicon import MONTHS, NUMBER_WORDS, WEEKDAYS, word_set
from tatian.text.spans import Span, runs

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tatian.analysis.loading import Weights

    Numbers = npt.NDArray[np.float32]

ALIKE = 0.9
"""Similarity of words of one derivation, such as "polygamy" and "polygamist"."""

_WORD = re.compile(r"\d+(?:[.,:]\d+)*(?![^\W_])|(?:[^\W\d_]\.){2,}|[^\W_]+(?:['’][^\W_]+)*")
_ENDING = re.compile(r"(?:['’]s|n['’]t|['’](?:re|ve|ll|d|m))$", re.IGNORECASE)
_RELATIVE_DAYS = word_set("today yesterday tonight tomorrow")
_DAYS = frozenset(WEEKDAYS) | frozenset(MONTHS)
_MAX_ACRONYM_LENGTH = 6
_MIN_ROOT_LETTERS = 4
"""Minimum number of initial letters that words of one derivation share."""


class ContentWord(Span, frozen=True, order=True):
    """A content word and its concept."""

    text: str
    concept: str

    @property
    def is_name(self) -> bool:
        """True if the word is capitalised and does not open the text."""
        return self.start > 0 and self.text[:1].isupper()

    @property
    def is_number(self) -> bool:
        """True if the word is a number, in digits or letters."""
        return self.text[:1].isdigit() or self.text.lower() in NUMBER_WORDS


class Wording:
    """Content words of a text, with cached data for comparisons."""

    def __init__(self, text: str) -> None:
        self.words = tuple(_content(text))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Indices of the words of each concept."""
        places: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            places.setdefault(word.concept, []).append(index)
        return places

    def place(self, word: ContentWord) -> int | None:
        """Return the first index of the word's concept, or None."""
        return next(iter(self.places.get(word.concept, ())), None)

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of occurrences of each concept."""
        return Counter({concept: len(places) for concept, places in self.places.items()})

    @cached_property
    def roots(self) -> dict[str, list[str]]:
        """Concepts by their first letters."""
        roots: dict[str, list[str]] = {}
        for stemmed in self.places:
            roots.setdefault(stemmed[:_MIN_ROOT_LETTERS], []).append(stemmed)
        return roots

    @cached_property
    def exact(self) -> list[int]:
        """Indices of numbers and names of days and months: two of these are identical or unlike."""
        return [
            index
            for index, word in enumerate(self.words)
            if word.is_number or word.text.lower() in _DAYS
        ]

    @cached_property
    def vectors(self) -> Numbers | None:
        """Word vectors, one row for each word; None if the encoder is not installed."""
        import numpy as np

        rows = [word_vector(word.text.lower()) for word in self.words]
        return None if not rows or rows[0] is None else np.array(rows)

    @cached_property
    def acronyms(self) -> dict[str, range]:
        """Initials of neighbouring capitalised words, with the indices of those words."""
        acronyms: dict[str, range] = {}
        for start, end in runs(word.text[0].isupper() for word in self.words):
            for first in range(start, end):
                for last in range(first + 2, min(end, first + _MAX_ACRONYM_LENGTH) + 1):
                    initials = "".join(word.text[0] for word in self.words[first:last])
                    acronyms.setdefault(initials, range(first, last))
        return acronyms

    @cached_property
    def abbreviations(self) -> frozenset[str]:
        """Letters of words that may be acronyms: "WADA", "U.S."."""
        return frozenset(letters for word in self.words if (letters := _letters(word)))

    @cached_property
    def days(self) -> tuple[bool, bool]:
        """Two flags: has the name of a day or month; has a word such as "yesterday"."""
        words = {word.text.lower() for word in self.words}
        return not words.isdisjoint(_DAYS), not words.isdisjoint(_RELATIVE_DAYS)

    def stands_for(self, word: ContentWord) -> bool:
        """Return True if this text has the word in another form: its expansion or another day name.

        "Yesterday" and "Monday" match, because the day of publication is known (App. B).
        """
        lower = word.text.lower()
        return (
            (lower in _RELATIVE_DAYS and self.days[0])
            or (lower in _DAYS and self.days[1])
            or _letters(word) in self.acronyms
        )


@lru_cache(maxsize=512)
def wording(text: str) -> Wording:
    """Return the cached content words of a text: sources are compared with many candidates."""
    return Wording(text)


def likeness(first: Wording, second: Wording) -> Numbers:
    """Return the similarity of each word of `first` to each of `second`: 1 if they are the same."""
    import numpy as np

    left, right = first.vectors, second.vectors
    if left is None or right is None:
        near = np.zeros((len(first), len(second)), dtype=np.float32)
    else:
        near = left @ right.T
        near[np.ix_(first.exact, second.exact)] = 0.0
    rows, columns, values = [], [], []
    for stemmed, places in first.places.items():
        for other in second.roots.get(stemmed[:_MIN_ROOT_LETTERS], ()):
            if other == stemmed or share_origin(stemmed, other):
                there = second.places[other]
                rows += [row for row in places for _ in there]
                columns += there * len(places)
                values += [1.0 if other == stemmed else ALIKE] * (len(places) * len(there))
    near[rows, columns] = values
    return near


@lru_cache(maxsize=1 << 16)
def share_origin(first: str, second: str) -> bool:
    """Return True if two stems share an origin: "polygami" and "polygamist"; numbers never do."""
    if first[:_MIN_ROOT_LETTERS] != second[:_MIN_ROOT_LETTERS] or first[:1].isdigit():
        return False
    shorter, longer = sorted((first, second), key=len)
    shared = Prefix.similarity(first, second)
    return shared >= max(_MIN_ROOT_LETTERS, 0.75 * len(shorter)) and len(longer) - shared <= 4


def _content(text: str) -> Iterator[ContentWord]:
    shouted = text.isupper()
    for match in _WORD.finditer(text):
        word = _ENDING.sub("", match.group())
        acronym = len(word) > 1 and word.isupper() and not shouted
        if acronym or is_content(word):
            yield ContentWord(match.start(), match.start() + len(word), word, concept(word))


def _letters(word: ContentWord) -> str | None:
    letters = word.text.replace(".", "")
    return letters if len(letters) > 1 and letters.isupper() else None


@lru_cache(maxsize=1 << 14)
def word_vector(word: str) -> Numbers | None:
    """Return the normalised mean vector of a word's pieces; None without the encoder."""
    import numpy as np

    weights = _weights()
    if weights is None:
        return None
    middle: Numbers = weights.embeddings(np.array(weights.pieces.word(word))).mean(axis=0)
    return middle / max(float(np.linalg.norm(middle)), 1e-9)


@cache
def _weights() -> Weights | None:
    from tatian.analysis.installed import unavailable
    from tatian.analysis.loading import load

    return None if unavailable() else load()
