"""Mentions of a document and their antecedents, by one annotation scheme.

All of the nearest `NEAR` earlier candidates are considered; farther back, only those that share a
word of their name or the head noun. Only the best of them by a coarse score are scored in full.
Time grows linearly with the length of a document, and memory hardly grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.loading import in_threads
from tatian.coreference.constraints import Clusters, Refusal
from tatian.coreference.definition import LinkDecision
from tatian.coreference.models.network import (
    BARRED,
    Candidates,
    Floats,
    Network,
    sigmoid,
    span_input,
)
from tatian.coreference.models.pairs import (
    COLUMNS,
    DISTANCES,
    SAME_NAME,
    SENTENCES_APART,
    CodedWords,
    codes,
    pair_features,
)
from tatian.coreference.traits import PhraseTraits
from tatian.coreference.words import NAME_TYPES, NONE, SCHEMES, Integers, Text
from tatian.grouping import most_frequent
from tatian.text import Chain, Document, Mention, Span
from tatian.text.lexicon import word_set

NEAR = 600
"""Number of nearest earlier candidates that are all considered: about 2,000 words."""
MAX_FAR = 40
"""Maximum number of candidates beyond `NEAR` that are considered: the nearest with shared words."""
MAX_SCORED = 128
"""Maximum number of near candidates scored in full: those with the best coarse scores."""
EQUAL_NAME_SCORE = np.float32(1e4)
"""Coarse score of a candidate with an equal name, so that it is always scored in full."""
ROWS_AT_ONCE = 64
"""Number of candidates whose antecedents are sought together."""
MAX_ANTECEDENTS = 4
"""Maximum number of antecedents returned for each candidate."""
PAIRS_AT_ONCE = 1024
"""Number of pairs scored together."""


class RankedAntecedents(Struct, frozen=True):
    """The likeliest antecedents of each candidate, the best first."""

    antecedent: Integers
    """Numbers of candidates, ``[candidates, MAX_ANTECEDENTS]``; -1 for none."""
    probability: npt.NDArray[np.float64]
    """Probability of each antecedent, ``[candidates, MAX_ANTECEDENTS]``."""
    none: npt.NDArray[np.float64]
    """Probability of having no antecedent, ``[candidates]``."""


def rank_antecedents(codes: Integers, candidates: Candidates, threads: int) -> RankedAntecedents:
    """Rank the antecedents of all candidates; `codes` are their rows of `pairs.codes`."""
    count = len(codes)
    distant = list(_distant_candidates(codes)) if count > NEAR else [[] for _ in range(count)]

    def rank_rows(first: int) -> RankedAntecedents:
        rows = np.arange(first, min(first + ROWS_AT_ONCE, count))
        near = _near_candidates(rows, codes, candidates)
        far = _pad([distant[row] for row in rows])
        return _best_antecedents(rows, np.concatenate((near, far), 1), codes, candidates)

    parts = list(in_threads(rank_rows, range(0, count, ROWS_AT_ONCE), threads))
    if not parts:
        nothing = np.zeros((0, MAX_ANTECEDENTS))
        return RankedAntecedents(nothing.astype(np.int64), nothing, np.zeros(0))
    return RankedAntecedents(
        np.concatenate([part.antecedent for part in parts]),
        np.concatenate([part.probability for part in parts]),
        np.concatenate([part.none for part in parts]),
    )


def _near_candidates(rows: Integers, codes: Integers, candidates: Candidates) -> Integers:
    """Select near candidates for the full score: ``[rows, at most SCORED]``; -1 for none."""
    columns = np.arange(max(0, rows[0] - NEAR), rows[-1])
    allowed = (columns < rows[:, None]) & (columns >= rows[:, None] - NEAR)
    if len(columns) <= MAX_SCORED:
        return np.where(allowed, columns, NONE)
    features, _, _ = pair_features(codes[rows][:, None], codes[columns][None], np)
    scores = candidates.coarse(rows, columns, features)
    scores = np.where(features[SAME_NAME], EQUAL_NAME_SCORE, scores)
    scores = np.where(allowed, scores, BARRED)
    best = np.sort(np.argpartition(-scores, MAX_SCORED, axis=1)[:, :MAX_SCORED], axis=1)
    return np.where(np.take_along_axis(allowed, best, 1), columns[best], NONE)


def _best_antecedents(
    rows: Integers, columns: Integers, codes: Integers, candidates: Candidates
) -> RankedAntecedents:
    """Rank the candidates in each row of `columns`, with "no antecedent" as an alternative."""
    scores = np.full((len(rows), 1 + columns.shape[1]), BARRED, np.float32)
    scores[:, 0] = candidates.none[rows]
    index, slot = np.nonzero(columns != NONE)
    for first in range(0, len(index), PAIRS_AT_ONCE):
        at = index[first : first + PAIRS_AT_ONCE], slot[first : first + PAIRS_AT_ONCE]
        full_scores = _score_pairs(rows[at[0]], columns[at], codes, candidates)
        scores[at[0], 1 + at[1]] = full_scores
    probabilities = np.exp(scores.astype(np.float64) - scores.max(1, keepdims=True))
    probabilities /= probabilities.sum(1, keepdims=True)
    best = np.argsort(-scores[:, 1:], axis=1, kind="stable")[:, :MAX_ANTECEDENTS]
    antecedent = np.full((len(rows), MAX_ANTECEDENTS), NONE)
    probability = np.zeros(antecedent.shape)
    kept = best.shape[1]
    antecedent[:, :kept] = np.take_along_axis(columns, best, 1)
    probability[:, :kept] = np.take_along_axis(probabilities[:, 1:], best, 1)
    probability = np.where(antecedent == NONE, 0, probability)
    return RankedAntecedents(antecedent, probability, probabilities[:, 0])


def _score_pairs(
    anaphors: Integers, antecedents: Integers, codes: Integers, candidates: Candidates
) -> Floats:
    features, between, kinds = pair_features(codes[anaphors], codes[antecedents], np)
    classes = (
        np.searchsorted(DISTANCES, anaphors - antecedents, side="right"),
        np.searchsorted(SENTENCES_APART, between, side="right"),
        kinds,
    )
    return candidates.score(anaphors, antecedents, features, classes)


def _distant_candidates(codes: Integers) -> Iterator[list[int]]:
    """Yield for each candidate the last `MAX_FAR` beyond `NEAR` that share a name word or noun."""
    words = CodedWords(codes)
    numbers_by_key: dict[tuple[str, int], list[int]] = {}
    keys: list[list[tuple[str, int]]] = [
        [("key", key) for key in name_keys if key] if is_name else [("noun", lemma)]
        for name_keys, is_name, lemma in zip(
            codes[:, COLUMNS:].tolist(), words.named.tolist(), words.lemma.tolist(), strict=True
        )
    ]
    for pronoun in np.flatnonzero(words.pronoun).tolist():
        keys[pronoun] = []
    for number, own_keys in enumerate(keys):
        distant = number - NEAR - 1
        for key in keys[distant] if distant >= 0 else ():
            numbers_by_key.setdefault(key, []).append(distant)
        yield _merge_nearest(numbers_by_key.get(key, []) for key in own_keys)


def _merge_nearest(lists: Iterable[list[int]]) -> list[int]:
    """Return the last `MAX_FAR` numbers of several ascending lists, in ascending order."""
    numbers = {number for ascending in lists for number in islice(reversed(ascending), MAX_FAR)}
    return sorted(numbers)[-MAX_FAR:]


def _pad(rows: list[list[int]]) -> Any:
    """Return lists as an array with -1 after the end of each."""
    width = max(map(len, rows), default=0)
    padded = np.full((len(rows), width), NONE)
    for index, row in enumerate(rows):
        padded[index, : len(row)] = row
    return padded


Pair = tuple[int, int, float]
"""Anaphor and antecedent, by their head words, and the probability of the link."""
AntecedentOptions = tuple[int, Sequence[tuple[int, float]]]
"""An anaphor and its antecedents with their probabilities, the likeliest first."""


class LinkAttempt(NamedTuple):
    """A link that was tried, and its outcome."""

    anaphor: int
    antecedent: int
    probability: float
    refusal: Refusal | None
    """Reason why it was refused; None if it was made."""


def try_antecedents(options: Iterable[AntecedentOptions], clusters: Clusters) -> list[LinkAttempt]:
    """Link each anaphor, the surest first, with its likeliest antecedent that breaks no rule."""
    attempts: list[LinkAttempt] = []
    for anaphor, antecedents in sorted(options, key=lambda option: (-option[1][0][1], option[0])):
        for antecedent, probability in antecedents:
            refusal = clusters.join(anaphor, antecedent)
            attempts.append(LinkAttempt(anaphor, antecedent, probability, refusal))
            if refusal is None:
                break
    return sorted(attempts, key=lambda link: (link.anaphor, -link.probability, link.antecedent))


def compatible_pairs(options: Iterable[AntecedentOptions], clusters: Clusters) -> list[Pair]:
    """Return the likeliest antecedent that each anaphor can be joined with, in order."""
    attempts = try_antecedents(options, clusters)
    return sorted(attempt[:3] for attempt in attempts if attempt.refusal is None)


def to_decision(
    decoding: DecodedDocument,
    pair: tuple[Mention, Mention],
    probability: float,
    refusal: Refusal | None,
) -> LinkDecision:
    """Return the outcome of a link that was tried, as mentions of the document."""
    if refusal is None:
        return LinkDecision(*pair, True, "", probability=probability)
    heads = (decoding.document.tokens[index] for index in (refusal.first, refusal.second))
    first, second = (Mention(head.start, head.end) for head in heads)
    return LinkDecision(*pair, False, refusal.rule, "", probability, (first, second))


MAX_CANDIDATE_SHARE = 0.3
"""Maximum number of candidates, as a share of the words of the document."""
MAX_CANDIDATES_OF_SHORT = 4
"""Maximum number of candidates in a very short document."""
LOWEST_LOG_ODDS = -5.0
"""Log-odds of heading a mention that a candidate must exceed."""
SINGLETON_THRESHOLD = 0.5
"""Probability of heading a mention that an unlinked word must exceed to be a singleton."""
ANAPHORIC = word_set("he him his himself she her hers herself its itself")
"""Third person pronouns that always have an antecedent."""
HEADS_AT_ONCE = 512
"""Number of mentions whose edges are predicted together."""


class DecodedDocument:
    """An encoded document, from which mentions and links of any scheme can be predicted."""

    def __init__(
        self, document: Document, text: Text, vectors: Floats, network: Network, threads: int
    ) -> None:
        """`vectors` are the result of `Network.vectors` for the encoder's states."""
        self.document = document
        self.text = text
        self.network = network
        self.threads = threads
        self.vectors = vectors
        self.odds = network.mentions(vectors)

    @cached_property
    def _codes(self) -> Integers:
        return codes(self.text)

    def candidates(self, scheme: str) -> Integers:
        """Return the positions of words that may head a mention, in the order of the text."""
        odds = self.odds[:, SCHEMES.index(scheme)]
        count = max(MAX_CANDIDATES_OF_SHORT, int(MAX_CANDIDATE_SHARE * self.text.count))
        allowed = np.flatnonzero(self.text.can_head & (odds > LOWEST_LOG_ODDS))
        best = np.argsort(-odds[allowed], kind="stable")[:count]
        return np.sort(allowed[best])

    def clusters(self) -> Clusters:
        """Return clusters of words that grow within the rules over chains."""
        return Clusters(self.traits.of, self.text.exclusions)

    def pairs(self, scheme: str, threshold: float | None) -> list[Pair]:
        """Return the links of one scheme.

        Without a threshold, an antecedent must be likelier than none. If it would break a rule over
        a chain, the next likeliest is taken.
        """
        return compatible_pairs(self.options(scheme, threshold), self.clusters())

    def options(
        self, scheme: str, threshold: float | None, *, strict: bool = False
    ) -> list[AntecedentOptions]:
        """Return each anaphor of one scheme with the antecedents that pass the threshold.

        Without a threshold, an antecedent must be likelier than none. If `strict`, pronouns that
        always have an antecedent keep the likeliest ones in any case.
        """
        number, places = SCHEMES.index(scheme), self.candidates(scheme)
        words = Candidates(self.network, self.vectors[places], self.odds[places, number], number)
        ranked = rank_antecedents(self._codes[places], words, self.threads)
        least = ranked.none if threshold is None else np.full(len(places), threshold)
        if strict:
            least = np.where(self._needs_antecedent[places], 0.0, least)
        passes = (ranked.antecedent != NONE) & (ranked.probability >= least[:, None])
        return [
            (
                int(places[row]),
                [
                    (int(places[antecedent]), round(float(probability), 6))
                    for antecedent, probability in zip(
                        ranked.antecedent[row][passes[row]],
                        ranked.probability[row][passes[row]],
                        strict=True,
                    )
                ],
            )
            for row in np.flatnonzero(passes[:, 0]).tolist()
        ]

    @cached_property
    def _needs_antecedent(self) -> npt.NDArray[np.bool_]:
        """True for pronouns that always have an antecedent: "he", "its", but not "it", "they"."""
        return np.array([word in ANAPHORIC for word in self.text.words], np.bool_)

    @cached_property
    def traits(self) -> PhraseTraits:
        """Certain properties of the phrase around each word."""
        return PhraseTraits(self.document, self.text)

    def singleton_heads(self, scheme: str) -> list[int]:
        """Return the head words that are mentions even without a link."""
        is_singleton = sigmoid(self.odds[:, SCHEMES.index(scheme)]) > SINGLETON_THRESHOLD
        heads: list[int] = np.flatnonzero(is_singleton).tolist()
        return heads

    def mentions(self, scheme: str, heads: Iterable[int]) -> dict[int, Mention]:
        """Return the mention of each head word, with its determiner and a following "of" phrase."""
        by_head: dict[int, Mention] = {}
        ordered = np.array(sorted(heads), np.int64)
        for first in range(0, len(ordered), HEADS_AT_ONCE):
            batch = ordered[first : first + HEADS_AT_ONCE]
            features, number = span_input(self.text, batch), SCHEMES.index(scheme)
            begins, ends = self.network.edges(self.vectors, batch, features, number)
            determined = np.minimum(begins, self.text.determined_by[batch])
            completed = np.maximum(ends, self.text.completed_by[batch])
            spans = zip(batch.tolist(), determined.tolist(), completed.tolist(), strict=True)
            for head, begin, end in spans:
                by_head[head] = self._mention(head, begin, end)
        return by_head

    def _mention(self, head: int, begin: int, end: int) -> Mention:
        """Return a mention with the name that contains the head, or the head, as its MIN."""
        tokens, text = self.document.tokens, self.text
        span = Span(tokens[begin].start, tokens[end].end)
        kind = text.name[head]
        first, last = (text.first[head], text.last[head]) if kind else (head, head)
        least = Span(tokens[max(first, begin)].start, tokens[min(last, end)].end)
        return Mention(
            span.start,
            span.end,
            NAME_TYPES[kind - 1] if kind else "",
            head=None if least == span else least,
        )

    def chains(self, scheme: str, pairs: Iterable[Pair], *, singletons: bool) -> list[Chain]:
        """Return the chains of links; mentions with the same extent count once."""
        clusters = Clusters()
        for anaphor, antecedent, _ in pairs:
            clusters.join(anaphor, antecedent)
        for index in self.singleton_heads(scheme) if singletons else ():
            clusters.group_of(index)
        groups = clusters.groups()
        mentions = self.mentions(scheme, (index for group in groups for index in group))
        head_by_span: dict[tuple[int, int], int] = {}
        for index in sorted(mentions):
            head_by_span.setdefault((mentions[index].start, mentions[index].end), index)
        heads = set(head_by_span.values())
        by_chain = ([mentions[index] for index in group if index in heads] for group in groups)
        kept = [group for group in by_chain if len(group) > (0 if singletons else 1)]
        kept.sort(key=min)
        types = (most_frequent(mention.type for mention in group if mention.type) for group in kept)
        return [
            Chain(f"{self.document.id}#{number}", tuple(sorted(group)), type)
            for number, (group, type) in enumerate(zip(kept, types, strict=True), start=1)
        ]
