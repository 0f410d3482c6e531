"""The 15 features of a candidate, as TESA lists them (paper: Appendix C, thesis: §5.2.2).

"During the feature extraction, we removed any capitalization and any punctuation. We removed the
stop-words from the candidates' tokens. We removed the stop-words and we lemmatized the tokens of
the context and of the background information." The names of the entities keep all their words, as
in the original code, in which candidates are not lemmatised. A "word" counts once, a "token" as
often as it stands there; an entity without background information takes no part in the
intersection.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from threadpoolctl import threadpool_limits

from tatian.aggregation.data.records import Instance
from tatian.knowledge.forms import singulars
from tatian.text.lexicon import STOP_WORDS

Vector = npt.NDArray[np.float32]

COMMON = 3
"""How many directions the encoder's vectors are freed of."""
_JOINTS = re.compile(r"[-‐‑–—/]")
"""Marks between words, which are parted there rather than glued together."""
_DROPPED = re.compile(r"['’]s\b|[^\w\s]|_")
_STOPPED = STOP_WORDS - {"us"}
"""Lower-cased, the United States and the pronoun are one; in phrases it is the country."""
_SAME = frozenset("news politics series species means headquarters".split())
"""Nouns that look like plurals of other words."""
_REMEMBERED = 1 << 16


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation, in order, repeats kept."""
    return _DROPPED.sub("", _JOINTS.sub(" ", text.lower())).split()


def content(text: str) -> list[str]:
    """The words of a text that are no stop words."""
    return [word for word in words(text) if word not in _STOPPED]


class EncoderVectors:
    """The input embeddings of the shipped encoder; a word of several pieces is their mean.

    All of them share a few strong directions that say little of meaning and make every cosine
    high: their mean and their first principal components are taken off (Mu and Viswanath 2018).
    """

    def __init__(self) -> None:
        from tatian.analysis.loading import load

        self._weights = load()
        self._pieces = self._weights.pieces
        self.width = self._weights.labels.width
        whole = [row for piece, row in self._pieces.rows.items() if piece.isalpha()]
        table = self._weights.embeddings(np.array(whole)).astype(np.float64)
        mean = table.mean(axis=0)
        table -= mean
        with threadpool_limits(1, "blas"):
            _, directions = np.linalg.eigh(table.T @ table)
        self._mean = mean.astype(np.float32)
        self._common = directions[:, -COMMON:].astype(np.float32)
        self.vector = lru_cache(_REMEMBERED)(self._vector)

    def _vector(self, word: str) -> Vector | None:
        rows = [row for row in self._pieces.word(word) if row != self._pieces.unknown]
        if not rows:
            return None
        centred = self._weights.embeddings(np.array(rows)).mean(axis=0) - self._mean
        found: Vector = centred - self._common @ (centred @ self._common)
        return found

    def knows(self, word: str) -> bool:
        """Whether the word is one piece."""
        return word in self._pieces.rows


class Bag(Struct, frozen=True):
    """Words with how often each occurs."""

    counts: Mapping[str, int]
    direction: Vector
    """Of the mean of their vectors, at length one; zero where no word is known."""


class Texts(Struct, frozen=True):
    """What an instance says, in the pieces that TESA's Appendix C speaks of."""

    backgrounds: tuple[frozenset[str], ...]
    """The words of each entity that has background information."""
    background_union: Bag
    background_intersection: Bag
    """Words that the background information of every entity that has any contains."""
    context: Bag
    """Title and excerpt."""
    everything: Bag
    """Background information, context and the names of the entities."""
    context_or_shared: Bag
    """The context's words and those of the intersection, each once."""


class Words:
    """Takes instances and phrases apart with one set of word vectors."""

    def __init__(self, vectors: EncoderVectors | None = None) -> None:
        self.vectors = EncoderVectors() if vectors is None else vectors
        self.lemma = lru_cache(_REMEMBERED)(self._lemma)
        self.phrase = lru_cache(_REMEMBERED)(self._phrase)

    def _lemma(self, word: str) -> str:
        """A noun's singular, as the original code's lemmatiser has it without tags."""
        if word in _SAME:
            return word
        return next((one for one in singulars(word) if self.vectors.knows(one)), word)

    def _phrase(self, text: str) -> Bag:
        """The words of a candidate."""
        return self._bag(content(text))

    def _lemmas(self, text: str) -> list[str]:
        return [self.lemma(word) for word in content(text)]

    def texts(self, instance: Instance) -> Texts:
        """The words of the instance's title, context, background and names."""
        known = (instance.background.get(entity, "") for entity in dict.fromkeys(instance.entities))
        backgrounds = [tokens for text in known if (tokens := self._lemmas(text))]
        union = [token for tokens in backgrounds for token in tokens]
        shared = sorted(set.intersection(*map(set, backgrounds))) if backgrounds else []
        context = self._lemmas(instance.title) + self._lemmas(instance.context)
        names = [word for entity in instance.entities for word in words(entity)]
        return Texts(
            backgrounds=tuple(map(frozenset, backgrounds)),
            background_union=self._bag(union),
            background_intersection=self._bag(shared),
            context=self._bag(context),
            everything=self._bag(union + context + names),
            context_or_shared=self._bag(sorted({*context, *shared})),
        )

    def _bag(self, found: Iterable[str]) -> Bag:
        """Unknown words have no part in the mean; without a known one it is zero."""
        counts = Counter(found)
        known = [(v, n) for one, n in counts.items() if (v := self.vectors.vector(one)) is not None]
        if not known:
            return Bag(counts, np.zeros(self.vectors.width, dtype=np.float32))
        weights = np.array([n for _, n in known], dtype=np.float32)
        mean: Vector = weights @ np.stack([v for v, _ in known]) / weights.sum()
        length = float(np.sqrt(mean @ mean))
        return Bag(counts, mean / length if length else mean)


class Candidate(Struct, frozen=True):
    """A phrase to be judged."""

    words: Bag
    frequency: int
    """How often it is gold in the training set."""


def _tokens(candidate: Candidate, text: Bag) -> float:
    """How many tokens of a text are words of the candidate."""
    return sum(text.counts.get(word, 0) for word in candidate.words.counts)


def _overlap(candidate: Candidate, text: Bag) -> float:
    """How many words of the candidate stand in a text."""
    return len(candidate.words.counts.keys() & text.counts.keys())


def _cosine(candidate: Candidate, text: Bag) -> float:
    """How nearly the mean vectors point the same way; 0 where one has no known word."""
    return float(candidate.words.direction @ text.direction)


FEATURES: dict[str, Callable[[Candidate, Texts], float]] = {
    "frequency": lambda one, texts: one.frequency,
    "background_tokens": lambda one, texts: _tokens(one, texts.background_union),
    "background_words": lambda one, texts: _overlap(one, texts.background_union),
    "shared_background_words": lambda one, texts: _overlap(one, texts.background_intersection),
    "entities_touched": lambda one, texts: sum(
        bool(words & one.words.counts.keys()) for words in texts.backgrounds
    ),
    "background_similarity": lambda one, texts: _cosine(one, texts.background_union),
    "shared_background_similarity": lambda one, texts: _cosine(one, texts.background_intersection),
    "context_tokens": lambda one, texts: _tokens(one, texts.context),
    "context_words": lambda one, texts: _overlap(one, texts.context),
    "context_similarity": lambda one, texts: _cosine(one, texts.context),
    "all_tokens": lambda one, texts: _tokens(one, texts.everything),
    "all_words": lambda one, texts: _overlap(one, texts.everything),
    "context_or_shared_words": lambda one, texts: _overlap(one, texts.context_or_shared),
    "all_similarity": lambda one, texts: _cosine(one, texts.everything),
    "context_or_shared_similarity": lambda one, texts: _cosine(one, texts.context_or_shared),
}
"""By name, in the order of the papers' list."""
