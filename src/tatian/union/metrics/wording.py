"""When two content words say the same: one stem, number, name or derivation, or nearly one meaning.

Nearness of meaning is read off the encoder's table of word vectors, without running the encoder;
where it is not installed, words that look different count as unlike.
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
"""The likeness of words of one derivation, such as "polygamy" and "polygamist"."""

_WORD = re.compile(r"\d+(?:[.,:]\d+)*(?![^\W_])|(?:[^\W\d_]\.){2,}|[^\W_]+(?:['’][^\W_]+)*")
_ENDING = re.compile(r"(?:['’]s|n['’]t|['’](?:re|ve|ll|d|m))$", re.IGNORECASE)
_RELATIVE_DAYS = word_set("today yesterday tonight tomorrow")
_DAYS = frozenset(WEEKDAYS) | frozenset(MONTHS)
_LONGEST_ACRONYM = 6
_ROOT = 4
"""Letters that words of one derivation have in common at least."""


class ContentWord(Span, frozen=True, order=True):
    """A word that says something of its own, and what it stands for."""

    text: str
    concept: str

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name; the first word of a sentence tells nothing."""
        return self.start > 0 and self.text[:1].isupper()

    @property
    def is_number(self) -> bool:
        """Whether it counts something."""
        return self.text[:1].isdigit() or self.text.lower() in NUMBER_WORDS


class Wording:
    """The content words of a text, with what comparing them needs worked out once."""

    def __init__(self, text: str) -> None:
        self.words = tuple(_content(text))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each concept stands among the words."""
        found: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            found.setdefault(word.concept, []).append(index)
        return found

    def place(self, word: ContentWord) -> int | None:
        """Where what the word stands for comes first; None if it does not come."""
        return next(iter(self.places.get(word.concept, ())), None)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each concept occurs."""
        return Counter({concept: len(places) for concept, places in self.places.items()})

    @cached_property
    def roots(self) -> dict[str, list[str]]:
        """The concepts that begin with the same letters."""
        found: dict[str, list[str]] = {}
        for one in self.places:
            found.setdefault(one[:_ROOT], []).append(one)
        return found

    @cached_property
    def exact(self) -> list[int]:
        """Where numbers and names of days stand, which are the same or are not alike at all."""
        return [
            index
            for index, word in enumerate(self.words)
            if word.is_number or word.text.lower() in _DAYS
        ]

    @cached_property
    def vectors(self) -> Numbers | None:
        """One row for each word; None where the encoder is not installed."""
        import numpy as np

        rows = [word_vector(word.text.lower()) for word in self.words]
        return None if not rows or rows[0] is None else np.array(rows)

    @cached_property
    def acronyms(self) -> dict[str, range]:
        """The initials of neighbouring capitalised words, and which words those are."""
        found: dict[str, range] = {}
        for start, end in runs(word.text[0].isupper() for word in self.words):
            for first in range(start, end):
                for last in range(first + 2, min(end, first + _LONGEST_ACRONYM) + 1):
                    initials = "".join(word.text[0] for word in self.words[first:last])
                    found.setdefault(initials, range(first, last))
        return found

    @cached_property
    def abbreviations(self) -> frozenset[str]:
        """The letters of words that may be acronyms: "WADA", "U.S."."""
        return frozenset(letters for word in self.words if (letters := _letters(word)))

    @cached_property
    def days(self) -> tuple[bool, bool]:
        """Whether it has the name of a day or month, and whether a word such as "yesterday"."""
        words = {word.text.lower() for word in self.words}
        return not words.isdisjoint(_DAYS), not words.isdisjoint(_RELATIVE_DAYS)

    def stands_for(self, word: ContentWord) -> bool:
        """Whether this text has the word in another form: its acronym, or another day's name.

        "Yesterday" and "Monday" are one, the day of publication being known (App. B).
        """
        lower = word.text.lower()
        return (
            (lower in _RELATIVE_DAYS and self.days[0])
            or (lower in _DAYS and self.days[1])
            or _letters(word) in self.acronyms
        )


@lru_cache(maxsize=512)
def wording(text: str) -> Wording:
    """The content words of a text, remembered: sources are compared with many candidates."""
    return Wording(text)


def likeness(first: Wording, second: Wording) -> Numbers:
    """How near each word of `first` is to each of `second`: 1 for the same, about 0 for others."""
    import numpy as np

    left, right = first.vectors, second.vectors
    if left is None or right is None:
        near = np.zeros((len(first), len(second)), dtype=np.float32)
    else:
        near = left @ right.T
        near[np.ix_(first.exact, second.exact)] = 0.0
    rows, columns, values = [], [], []
    for one, here in first.places.items():
        for other in second.roots.get(one[:_ROOT], ()):
            if other == one or derived(one, other):
                there = second.places[other]
                rows += [row for row in here for _ in there]
                columns += there * len(here)
                values += [1.0 if other == one else ALIKE] * (len(here) * len(there))
    near[rows, columns] = values
    return near


@lru_cache(maxsize=1 << 16)
def derived(first: str, second: str) -> bool:
    """Whether two stems have one origin: "polygami" and "polygamist"; numbers never do."""
    if first[:_ROOT] != second[:_ROOT] or first[:1].isdigit():
        return False
    shorter, longer = sorted((first, second), key=len)
    shared = Prefix.similarity(first, second)
    return shared >= max(_ROOT, 0.75 * len(shorter)) and len(longer) - shared <= 4


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
    """The average of a word's pieces in the encoder's table, of length one; None without it."""
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
