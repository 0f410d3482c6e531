"""How often every term stands in the texts, linked or not: one half of its link probability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from tatian.knowledge.dictionary import CHUNK, Dictionary

_PARAGRAPH = "\n\n"
"""What no term runs across."""


def count_terms(texts: Iterable[str], dictionary: Dictionary, size: int) -> npt.NDArray[np.int64]:
    """For the term with each number below `size`, how often it stands in `texts`.

    Every occurrence counts, also one inside a longer term.
    """
    seen = np.zeros(size, dtype=np.int64)
    for text in _together(texts):
        np.add.at(seen, dictionary.find(text).term, 1)
    return seen


def _together(texts: Iterable[str]) -> Iterator[str]:
    """Short texts joined, since looking at many at once takes hardly longer than at one."""
    held: list[str] = []
    length = 0
    for text in texts:
        held.append(text)
        length += len(text)
        if length >= CHUNK:
            yield _PARAGRAPH.join(held)
            held, length = [], 0
    yield _PARAGRAPH.join(held)
