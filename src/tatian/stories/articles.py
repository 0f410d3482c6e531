"""What is kept of an article for finding its story: terms, a vector of its lead, shingles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from zlib import crc32

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.analysis import vectors
from tatian.analysis.loading import load
from tatian.text import Document
from tatian.text.content import stem
from tatian.text.dates import YEAR_UNKNOWN, published
from tatian.text.lexicon import MONTHS, STOP_WORDS, WEEKDAYS

Terms = NDArray[np.uint32]
Floats = NDArray[np.float32]

WORD, NAME, NUMBER = 0, 1, 2
"""What a term is, in its two lowest bits."""
LEAD, BODY = 60, 500
"""Words that are encoded, and that are read at all."""
_WORDS = re.compile(r"[^\W\d_][\w'’-]*|\d[\d.,:]*\d|\d")
_SHINGLE, _SAMPLE = 5, 8
"""Words of a shingle; one of so many shingles is kept, by its hash."""
_ZIPF = 400.0
"""An article has the word of this rank more often than not; chosen on topics 1 to 20 of ECB+."""
_UNHEARD = 0.0003
"""The share of articles that have a word which the encoder's vocabulary lacks."""


class Article(Struct, frozen=True):
    """An article as numbers, from which its text cannot be read again."""

    id: str
    day: int
    """Its publication as an ordinal of the calendar; 0 if unknown."""
    terms: Terms
    """Hashes of words, names and numbers, in order."""
    counts: Floats
    """One and the logarithm of how often each term occurs."""
    common: Floats
    """The share of all English articles that have each term, by its rank in the vocabulary."""
    shingles: Terms
    """Hashes of some of its runs of words, the same for the same run."""
    vector: Floats


def read_articles(documents: Sequence[Document]) -> list[Article]:
    """What is kept of each document."""
    texts = [_text(document) for document in documents]
    encoded = vectors([" ".join(text.split()[:LEAD]) for text in texts])
    return [
        _article(document, text, vector)
        for document, text, vector in zip(documents, texts, encoded, strict=True)
    ]


def _text(document: Document) -> str:
    """The text with its title before it, as far as it is read."""
    title = document.metadata.title or ""
    text = document.text.strip()
    return text if text.startswith(title) else f"{title}. {text}"


def _article(document: Document, text: str, vector: Floats) -> Article:
    words = _WORDS.findall(" ".join(text.split()[:BODY]))
    counted = Counter(_kinds(words))
    known = {_hash(kind, word): (1 + log(n), _common(word)) for (kind, word), n in counted.items()}
    terms = np.array(sorted(known), dtype=np.uint32)
    values = np.array([known[term] for term in terms.tolist()], dtype=np.float32).reshape(-1, 2)
    day = published(document)
    return Article(
        id=document.id,
        day=day.toordinal() if day and day.year != YEAR_UNKNOWN else 0,
        terms=terms,
        counts=values[:, 0],
        common=values[:, 1],
        shingles=_shingles(words),
        vector=vector,
    )


def _kinds(words: Sequence[str]) -> list[tuple[int, str]]:
    """What each word is: a name begins with a capital wherever the article has it."""
    small = {word for word in words if word[0].islower()}
    found = []
    for word in words:
        low = word.lower().replace("’", "'").removesuffix("'s")
        if word[0].isdigit():
            found.append((NUMBER, low))
        elif low not in STOP_WORDS and len(low) > 1:
            name = word[0].isupper() and low not in small
            calendar = low in MONTHS or low in WEEKDAYS
            found.append((NAME, low) if name and not calendar else (WORD, stem(low)))
    return found


def _hash(kind: int, word: str) -> int:
    return crc32(word.encode()) & 0xFFFFFFFC | kind


@lru_cache(1 << 18)
def _common(word: str) -> float:
    """By Zipf's law: the vocabulary has the words in the order of their frequency."""
    rows = load().pieces.rows
    row = rows.get(word) or rows.get(f"{word}e")
    return 1 - exp(-_ZIPF / max(1, row - rows["the"] + 1)) if row is not None else _UNHEARD


def _shingles(words: Sequence[str]) -> Terms:
    low = [word.lower() for word in words]
    runs = {
        crc32(" ".join(low[start : start + _SHINGLE]).encode())
        for start in range(max(1, len(low) - _SHINGLE + 1))
    }
    return np.array(sorted(run for run in runs if run % _SAMPLE == 0), dtype=np.uint32)
