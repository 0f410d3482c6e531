"""TESA's logistic regression (§5.2) on the 15 features of Appendix C, trained as in D.1.

Texts have no capitals and punctuation. Candidates have no stop words; contexts and background have
none either, and are lemmatised. As in the original code, names of entities keep all their words.
Each "word" counts once, each "token" at every occurrence. Each instance is one step of Adam, in
order, and the epoch with the best average precision on the validation set is kept. The original
code applies softmax twice, so that it often learns to reject all candidates. Here it is applied
once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from threadpoolctl import threadpool_limits

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking, candidates_of, order_candidates
from tatian.aggregation.models.baselines import PhraseFrequencies
from tatian.errors import AssetError, EmptyInput, InputError
from tatian.progress import Progress, silent
from tatian.scoring.average_precision import average_precision
from tatian.scoring.ranking import blocks
from tatian.text.lexicon import STOP_WORDS
from tatian.text.plurals import singulars

Vector = npt.NDArray[np.float32]

COMMON_DIRECTIONS = 3
"""Number of principal components that are removed from the encoder's vectors."""
_JOINTS = re.compile(r"[-‐‑–—/]")
"""Marks at which words are split rather than joined."""
_PUNCTUATION = re.compile(r"['’]s\b|[^\w\s]|_")
_STOP_WORDS = STOP_WORDS - {"us"}
"""Stop words without "us", which can be the United States."""
_SINGULAR_ONLY = frozenset("news politics series species means headquarters".split())
"""Singular nouns that look like plurals."""
_CACHE_SIZE = 1 << 16


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation, with repetitions."""
    return _PUNCTUATION.sub("", _JOINTS.sub(" ", text.lower())).split()


def content(text: str) -> list[str]:
    """Return the words of a text that are not stop words."""
    return [word for word in words(text) if word not in _STOP_WORDS]


class EncoderVectors:
    """Input embeddings of the shipped encoder; the vector of a word is the mean of its pieces.

    The mean of all vectors and their first principal components are removed (Mu and Viswanath
    2018), since they carry little meaning and make every cosine high.
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
        self._common = directions[:, -COMMON_DIRECTIONS:].astype(np.float32)
        self.vector = lru_cache(_CACHE_SIZE)(self._vector)

    def _vector(self, word: str) -> Vector | None:
        rows = [row for row in self._pieces.word(word) if row != self._pieces.unknown]
        if not rows:
            return None
        centred = self._weights.embeddings(np.array(rows)).mean(axis=0) - self._mean
        vector: Vector = centred - self._common @ (centred @ self._common)
        return vector

    def knows(self, word: str) -> bool:
        """Return whether the word is a single piece."""
        return word in self._pieces.rows


class Bag(Struct, frozen=True):
    """Words with the number of their occurrences."""

    counts: Mapping[str, int]
    direction: Vector
    """Mean of their vectors, normalised to length one; zero if no word is known."""


class InstanceTexts(Struct, frozen=True):
    """Words of an instance's texts, as TESA's Appendix C combines them."""

    backgrounds: tuple[frozenset[str], ...]
    """Words of each entity that has background information."""
    background_union: Bag
    background_intersection: Bag
    """Words that occur in the background of every entity that has any."""
    context: Bag
    """Title and excerpt."""
    everything: Bag
    """Background information, context and the names of the entities."""
    context_or_shared: Bag
    """Words of the context and of the intersection, each once."""


class WordBags:
    """Converter of instances and phrases to bags of words."""

    def __init__(self, vectors: EncoderVectors | None = None) -> None:
        self.vectors = EncoderVectors() if vectors is None else vectors
        self.lemma = lru_cache(_CACHE_SIZE)(self._lemma)
        self.phrase = lru_cache(_CACHE_SIZE)(self._phrase)

    def _lemma(self, word: str) -> str:
        """Return the singular of a noun, like the original lemmatiser, which has no tags."""
        if word in _SINGULAR_ONLY:
            return word
        return next(filter(self.vectors.knows, singulars(word)), word)

    def _phrase(self, text: str) -> Bag:
        """Return the words of a candidate."""
        return self._bag(content(text))

    def _lemmas(self, text: str) -> list[str]:
        return [self.lemma(word) for word in content(text)]

    def texts(self, instance: Instance) -> InstanceTexts:
        """Return the words of the instance's title, context, background and names."""
        texts = (instance.background.get(entity, "") for entity in dict.fromkeys(instance.entities))
        backgrounds = [tokens for text in texts if (tokens := self._lemmas(text))]
        union = [token for tokens in backgrounds for token in tokens]
        shared = sorted(set.intersection(*map(set, backgrounds))) if backgrounds else []
        context = self._lemmas(instance.title) + self._lemmas(instance.context)
        names = [word for entity in instance.entities for word in words(entity)]
        return InstanceTexts(
            backgrounds=tuple(map(frozenset, backgrounds)),
            background_union=self._bag(union),
            background_intersection=self._bag(shared),
            context=self._bag(context),
            everything=self._bag(union + context + names),
            context_or_shared=self._bag(sorted({*context, *shared})),
        )

    def _bag(self, tokens: Iterable[str]) -> Bag:
        """Return a bag of words; unknown words do not count in its mean vector."""
        counts = Counter(tokens)
        vectors = ((self.vectors.vector(word), count) for word, count in counts.items())
        weighted = [(vector, count) for vector, count in vectors if vector is not None]
        if not weighted:
            return Bag(counts, np.zeros(self.vectors.width, dtype=np.float32))
        weights = np.array([n for _, n in weighted], dtype=np.float32)
        mean: Vector = weights @ np.stack([v for v, _ in weighted]) / weights.sum()
        length = float(np.sqrt(mean @ mean))
        return Bag(counts, mean / length if length else mean)


class CandidateWords(Struct, frozen=True):
    """A candidate phrase to be scored."""

    words: Bag
    frequency: int
    """Number of training instances in which it is gold."""


def _count_tokens(candidate: CandidateWords, text: Bag) -> float:
    """Count the tokens of a text that are words of the candidate."""
    return sum(text.counts.get(word, 0) for word in candidate.words.counts)


def _count_shared_words(candidate: CandidateWords, text: Bag) -> float:
    """Count the words of the candidate that occur in a text."""
    return len(candidate.words.counts.keys() & text.counts.keys())


def _cosine(candidate: CandidateWords, text: Bag) -> float:
    """Return the cosine of the mean vectors; 0 if one has no known word."""
    return float(candidate.words.direction @ text.direction)


FEATURES: dict[str, Callable[[CandidateWords, InstanceTexts], float]] = {
    "frequency": lambda phrase, texts: phrase.frequency,
    "background_tokens": lambda phrase, texts: _count_tokens(phrase, texts.background_union),
    "background_words": lambda phrase, texts: _count_shared_words(phrase, texts.background_union),
    "shared_background_words": lambda phrase, texts: _count_shared_words(
        phrase, texts.background_intersection
    ),
    "entities_touched": lambda phrase, texts: sum(
        bool(words & phrase.words.counts.keys()) for words in texts.backgrounds
    ),
    "background_similarity": lambda phrase, texts: _cosine(phrase, texts.background_union),
    "shared_background_similarity": lambda phrase, texts: _cosine(
        phrase, texts.background_intersection
    ),
    "context_tokens": lambda phrase, texts: _count_tokens(phrase, texts.context),
    "context_words": lambda phrase, texts: _count_shared_words(phrase, texts.context),
    "context_similarity": lambda phrase, texts: _cosine(phrase, texts.context),
    "all_tokens": lambda phrase, texts: _count_tokens(phrase, texts.everything),
    "all_words": lambda phrase, texts: _count_shared_words(phrase, texts.everything),
    "context_or_shared_words": lambda phrase, texts: _count_shared_words(
        phrase, texts.context_or_shared
    ),
    "all_similarity": lambda phrase, texts: _cosine(phrase, texts.everything),
    "context_or_shared_similarity": lambda phrase, texts: _cosine(phrase, texts.context_or_shared),
}
"""Features by name, in the order of the paper."""


Numbers = npt.NDArray[np.float64]

SHIPPED = Path(__file__).parents[1] / "weights" / "logistic.json"
EPOCHS = 50
LEARNING_RATE = 3e-3
_FIRST_DECAY, _SECOND_DECAY, _EPSILON = 0.9, 0.999, 1e-8
"""Adam's usual decay rates of the moments, and the term that avoids division by zero."""
_VALIDATION_STEP = 5
"""Without a validation set, one training instance of this many is used for validation."""


class LogisticRanker:
    """TESA's logistic regression with 15 features, trained on `training` or as shipped."""

    licence = "coefficients learned from sets of our own and GFDL texts: any use"
    reads_background = True

    def __init__(
        self,
        training: Iterable[Instance] = (),
        *,
        validation: Sequence[Instance] = (),
        counting: bool = True,
        seed: int = 0,
        progress: Progress = silent,
    ) -> None:
        self._words = WordBags()
        instances = list(training)
        if validation and not instances:
            raise InputError("a validation set without a training set: give one with --train")
        self._frequencies = PhraseFrequencies.of(instances if counting else ())
        self.odds = (
            self._train(instances, validation, seed, progress)
            if instances
            else shipped_coefficients()
        )
        """Coefficients of the log odds by the names of the features, and the bias."""

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with their probabilities."""
        candidates = candidates_of(instance)
        rows = self._rows(instance, candidates, self._frequencies)
        odds = np.array(list(self.odds.values()))
        return order_candidates(candidates, _sigmoid(rows @ odds).tolist())

    def _rows(
        self, instance: Instance, candidates: Sequence[str], frequencies: PhraseFrequencies
    ) -> Numbers:
        """Return a row of features, with a one for the bias, for each candidate."""
        texts = self._words.texts(instance)
        counts = [frequencies.count(instance.type, candidate) for candidate in candidates]
        phrases = list(map(CandidateWords, map(self._words.phrase, candidates), counts))
        values = [
            [*(value(phrase, texts) for value in FEATURES.values()), 1.0] for phrase in phrases
        ]
        return np.array(values)

    def _train(
        self,
        tasks: Sequence[Instance],
        validation: Sequence[Instance],
        seed: int,
        progress: Progress,
    ) -> dict[str, float]:
        training = [task for task in tasks if task.candidates and task.aggregations]
        if not training:
            raise EmptyInput("no training instance has both candidates and gold phrases")
        Random(seed).shuffle(training)
        if not validation:
            validation = training[::_VALIDATION_STEP]
            others = [task for index, task in enumerate(training) if index % _VALIDATION_STEP]
            training = others or list(validation)
        counting = bool(self._frequencies.counts)
        frequencies = PhraseFrequencies.of(training if counting else ())
        training_rows = []
        for done, task in enumerate(training):
            progress("features", done, len(training))
            training_rows.append((self._rows(task, task.candidates, frequencies), _classes(task)))
        validation_rows = [
            (task, self._rows(task, task.candidates, frequencies))
            for task in validation
            if task.candidates and task.aggregations
        ]
        odds_found = fit(
            training_rows, lambda odds: _average_precision(odds, validation_rows), seed, progress
        )
        return dict(zip((*FEATURES, "bias"), odds_found.tolist(), strict=True))


def shipped_coefficients() -> dict[str, float]:
    """Return the coefficients that come with the package."""
    try:
        coefficients = msgspec.json.decode(SHIPPED.read_bytes(), type=dict[str, float])
        return {name: coefficients[name] for name in (*FEATURES, "bias")}
    except (OSError, KeyError, msgspec.DecodeError) as error:
        raise AssetError(f"{SHIPPED} cannot be read ({error}): reinstall tatian") from error


def fit(
    instances: Sequence[tuple[Numbers, Numbers]],
    evaluate: Callable[[Numbers], float],
    seed: int = 0,
    progress: Progress = silent,
) -> Numbers:
    """Return the coefficients of the best epoch; `instances` are feature rows with classes."""
    width = instances[0][0].shape[1] - 1
    bound = 1 / np.sqrt(width)
    parameters = np.random.default_rng(seed).uniform(-bound, bound, size=(width + 1, 2))
    mean, square, steps = np.zeros(parameters.shape), np.zeros(parameters.shape), 0
    best, best_value = parameters[:, 1] - parameters[:, 0], -np.inf
    for epoch in range(EPOCHS):
        progress("epochs", epoch, EPOCHS)
        for rows, classes in instances:
            gradients = gradient(parameters, rows, classes)
            steps += 1
            mean = _FIRST_DECAY * mean + (1 - _FIRST_DECAY) * gradients
            square = _SECOND_DECAY * square + (1 - _SECOND_DECAY) * gradients**2
            level = np.sqrt(square / (1 - _SECOND_DECAY**steps)) + _EPSILON
            parameters = parameters - LEARNING_RATE * (mean / (1 - _FIRST_DECAY**steps)) / level
        odds = parameters[:, 1] - parameters[:, 0]
        value = evaluate(odds)
        if value > best_value:
            best, best_value = odds, value
    progress("epochs", EPOCHS, EPOCHS)
    return best


def gradient(parameters: Numbers, rows: Numbers, classes: Numbers) -> Numbers:
    """Return the gradient of the mean cross entropy of one instance's candidates."""
    gradients: Numbers = rows.T @ (_softmax(rows @ parameters) - classes) / len(rows)
    return gradients


def _softmax(values: Numbers) -> Numbers:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _sigmoid(values: Numbers) -> Numbers:
    """Return the probabilities of log odds, without overflow or rounding of small ones."""
    powers = np.exp(-np.abs(values))
    return np.where(values < 0, powers, 1.0) / (1.0 + powers)


def _classes(instance: Instance) -> Numbers:
    gold = frozenset(instance.aggregations)
    labels = np.array([float(candidate in gold) for candidate in instance.candidates])
    return np.column_stack([1 - labels, labels])


def _average_precision(odds: Numbers, validation_rows: Sequence[tuple[Instance, Numbers]]) -> float:
    """Return the mean over instances; 0 if there are none."""
    values = []
    for instance, rows in validation_rows:
        ranking = order_candidates(instance.candidates, _sigmoid(rows @ odds).tolist())
        values.append(average_precision(blocks(ranking, frozenset(instance.aggregations))))
    return sum(values) / len(values) if values else 0.0
