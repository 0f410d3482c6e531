"""Candidate wordings of the union of two sentences, with scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from msgspec import Struct

from tatian.analysis.installed import weights_directory
from tatian.analysis.loading import Weights, load
from tatian.text import SourcedToken
from tatian.text.layers import render
from tatian.union.models.edit.decoder import FIRST, Decoder
from tatian.union.models.edit.ranking import WalkCandidates, WalkRanker, features
from tatian.union.models.edit.search import (
    FULL,
    Effort,
    Walk,
    log_likelihoods,
    search,
    swap_sentences,
)
from tatian.union.models.edit.words import (
    PairEncoding,
    SourceWord,
    in_pieces,
    read_pair,
    source_words,
)
from tatian.union.models.edit.writing import (
    UnionInput,
    is_balanced,
    keeps_names,
    keeps_quotations,
    write,
)

MAX_WALK_LENGTH = 150
Tokens = tuple[SourcedToken, ...]
_decoder, _ranker = lru_cache(maxsize=2)(Decoder), lru_cache(maxsize=2)(WalkRanker)


class EditWording(Struct, frozen=True):
    """A candidate wording of both sentences."""

    walk: Walk
    tokens: tuple[SourcedToken, ...]
    score: float
    """Score by the ranker; comparable within one pair."""
    missing: tuple[int, ...]
    """Indices of content words of the pair that the wording lacks."""
    wanted: float
    """Expected number of missing words that belong in the union."""
    sound: bool
    """True if marks are paired, quotations unaltered and names whole."""


class EditReading(Struct, frozen=True):
    """All wordings of one pair, best first, with the model's word probabilities."""

    words: tuple[SourceWord, ...]
    used: tuple[float, ...]
    wordings: tuple[EditWording, ...]


class Editor:
    """The trained model: reads a pair in both orders, searches, and ranks the results."""

    def __init__(self, weights: str | None = None, effort: Effort = FULL) -> None:
        self.effort = effort
        self._directory = Path(weights).resolve() if weights else weights_directory()

    @cached_property
    def _weights(self) -> Weights:
        return load(self._directory)

    @cached_property
    def _decoder(self) -> Decoder:
        return _decoder(self._weights.file("edit.npz"))

    @cached_property
    def _ranker(self) -> WalkRanker:
        return _ranker(self._weights.file("edit-rank.npz"))

    @cached_property
    def _shapes(self) -> dict[str, int]:
        return {shape: number for number, shape in enumerate(self._weights.labels.shapes)}

    def read(self, first: UnionInput, second: UnionInput) -> EditReading | None:
        """Return wordings of the union of a pair; None if the pair is too long for the encoder."""
        entries = self.entries(first, second)
        if entries is None:
            return None
        candidates, tokens = entries
        scores = self._ranker.scores(features(candidates))
        wordings = [
            EditWording(
                walk,
                written,
                float(score),
                missing := find_missing_words(candidates.words, walk),
                float(sum(candidates.word_probability[place] for place in missing)),
                sound,
            )
            for walk, written, score, sound in zip(
                candidates.walks, tokens, scores, candidates.sound, strict=True
            )
        ]
        wordings.sort(key=lambda wording: -wording.score)
        used = tuple(candidates.word_probability.tolist())
        return EditReading(tuple(candidates.words), used, tuple(wordings))

    def entries(
        self, first: UnionInput, second: UnionInput
    ) -> tuple[WalkCandidates, list[Tokens]] | None:
        """Return all candidate walks with their sentences, before ranking."""
        from threadpoolctl import threadpool_limits

        texts = [[token.text for token in sentence.tokens] for sentence in (first, second)]
        memories = []
        for source, other in (texts, texts[::-1]):
            pair = in_pieces(source_words(source, other), self._weights.pieces, self._shapes)
            if pair is None or not source or not other:
                return None
            memories.append(read_pair(pair, self._weights))
        with threadpool_limits(1, "blas"):
            return self._entries((first, second), memories)

    def _entries(
        self, pair: tuple[UnionInput, UnionInput], memories: Sequence[PairEncoding]
    ) -> tuple[WalkCandidates, list[Tokens]]:
        first, second = (len(sentence.tokens) for sentence in pair)
        by_walk: dict[Walk, Tokens] = {}
        for turned, memory in enumerate(memories):
            for walk in search(self._decoder, memory, self.effort):
                straight = swap_sentences(walk, second, first) if turned else walk
                by_walk.setdefault(straight, write(straight, pair))
        for walk in _whole(first, second):
            by_walk.setdefault(walk, write(walk, pair))
        walks = [walk for walk in by_walk if 0 < len(walk) <= MAX_WALK_LENGTH]
        likelihoods = np.stack(
            (
                log_likelihoods(self._decoder, memories[0], walks),
                log_likelihoods(
                    self._decoder, memories[1], [swap_sentences(w, first, second) for w in walks]
                ),
            ),
            1,
        )
        sentences = [render(sentence.tokens) for sentence in pair]
        candidates = WalkCandidates(
            (sentences[0], sentences[1]),
            source_words(*([token.text for token in sentence.tokens] for sentence in pair)),
            (memories[0].used + np.roll(memories[1].used, -second)) / 2,
            walks,
            likelihoods.tolist(),
            [render(by_walk[walk]) for walk in walks],
            [
                is_balanced(by_walk[walk])
                and keeps_quotations(walk, pair)
                and keeps_names(walk, pair)
                for walk in walks
            ],
        )
        return candidates, [by_walk[walk] for walk in walks]


def find_missing_words(words: Sequence[SourceWord], walk: Walk) -> tuple[int, ...]:
    """Return the first index of each content word that the walk omits."""
    stems = {words[item - FIRST].stem for item in walk if item >= FIRST}
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        if word.content and word.stem not in stems:
            places.setdefault(word.stem, place)
    return tuple(places.values())


def _whole(first: int, second: int) -> tuple[Walk, Walk]:
    """Return each sentence unchanged, as a walk."""
    return (
        tuple(range(FIRST, FIRST + first)),
        tuple(range(FIRST + first, FIRST + first + second)),
    )
