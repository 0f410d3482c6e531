"""Decisions of one annotation scheme about a document: its mentions and their antecedents.

All candidates within the reach of the training texts are considered. Of those farther back, only
the ones that share a word of their names or the head noun are. Candidates with poor coarse scores
are not scored in full, so that time grows with the length of a document and memory hardly does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.loading import spread
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
from tatian.coreference.words import (
    NAME_TYPES,
    NONE,
    SCHEMES,
    Integers,
    Text,
)
from tatian.text import Chain, Document, Mention, Span
from tatian.text.lexicon import word_set

NEAR = 600
"""Candidates back that are all considered: about 2,000 words."""
FAR = 40
"""Candidates farther back that are considered, the nearest that share a word."""
SCORED = 128
"""Near candidates that are scored in full: those with the best coarse scores."""
CERTAIN = np.float32(1e4)
"""Coarse score of an equal name, which is always scored in full."""
ROWS = 64
"""Candidates whose antecedents are sought at once."""
ALTERNATIVES = 4
"""Antecedents returned for each candidate."""
BLOCK = 1024
"""Pairs scored at once."""


class Choices(Struct, frozen=True):
    """The likeliest antecedents of each candidate, the best first."""

    antecedent: Integers
    """``[candidates, ALTERNATIVES]``: numbers of candidates; -1 where there is none."""
    probability: npt.NDArray[np.float64]
    """Probability that each is the antecedent."""
    none: npt.NDArray[np.float64]
    """Probability that there is no antecedent."""


def choose(codes: Integers, candidates: Candidates, threads: int) -> Choices:
    """Choose the antecedents of candidates; `codes` are their rows of `pairs.codes`."""
    count = len(codes)
    distant = list(_distant(codes)) if count > NEAR else [[] for _ in range(count)]

    def chosen(first: int) -> Choices:
        rows = np.arange(first, min(first + ROWS, count))
        near = _near(rows, codes, candidates)
        far = _padded([distant[row] for row in rows])
        return _best(rows, np.concatenate((near, far), 1), codes, candidates)

    parts = list(spread(chosen, range(0, count, ROWS), threads))
    if not parts:
        nothing = np.zeros((0, ALTERNATIVES))
        return Choices(nothing.astype(np.int64), nothing, np.zeros(0))
    return Choices(
        np.concatenate([part.antecedent for part in parts]),
        np.concatenate([part.probability for part in parts]),
        np.concatenate([part.none for part in parts]),
    )


def _near(rows: Integers, codes: Integers, candidates: Candidates) -> Integers:
    """Return the near candidates worth a full score: ``[rows, at most SCORED]``, -1 for none."""
    columns = np.arange(max(0, rows[0] - NEAR), rows[-1])
    allowed = (columns < rows[:, None]) & (columns >= rows[:, None] - NEAR)
    if len(columns) <= SCORED:
        return np.where(allowed, columns, NONE)
    features, _, _ = pair_features(codes[rows][:, None], codes[columns][None], np)
    scores = candidates.coarse(rows, columns, features)
    scores = np.where(features[SAME_NAME], CERTAIN, scores)
    scores = np.where(allowed, scores, BARRED)
    best = np.sort(np.argpartition(-scores, SCORED, axis=1)[:, :SCORED], axis=1)
    return np.where(np.take_along_axis(allowed, best, 1), columns[best], NONE)


def _best(rows: Integers, columns: Integers, codes: Integers, candidates: Candidates) -> Choices:
    """Return the best of each row's `columns`, against all others and against none."""
    scores = np.full((len(rows), 1 + columns.shape[1]), BARRED, np.float32)
    scores[:, 0] = candidates.none[rows]
    place, slot = np.nonzero(columns != NONE)
    for first in range(0, len(place), BLOCK):
        at = place[first : first + BLOCK], slot[first : first + BLOCK]
        full_scores = _scores(rows[at[0]], columns[at], codes, candidates)
        scores[at[0], 1 + at[1]] = full_scores
    likely = np.exp(scores.astype(np.float64) - scores.max(1, keepdims=True))
    likely /= likely.sum(1, keepdims=True)
    best = np.argsort(-scores[:, 1:], axis=1, kind="stable")[:, :ALTERNATIVES]
    antecedent = np.full((len(rows), ALTERNATIVES), NONE)
    probability = np.zeros(antecedent.shape)
    kept = best.shape[1]
    antecedent[:, :kept] = np.take_along_axis(columns, best, 1)
    probability[:, :kept] = np.take_along_axis(likely[:, 1:], best, 1)
    return Choices(antecedent, np.where(antecedent == NONE, 0, probability), likely[:, 0])


def _scores(
    anaphors: Integers, antecedents: Integers, codes: Integers, candidates: Candidates
) -> Floats:
    features, between, kinds = pair_features(codes[anaphors], codes[antecedents], np)
    classes = (
        np.searchsorted(DISTANCES, anaphors - antecedents, side="right"),
        np.searchsorted(SENTENCES_APART, between, side="right"),
        kinds,
    )
    return candidates.score(anaphors, antecedents, features, classes)


def _distant(codes: Integers) -> Iterator[list[int]]:
    """Yield for each candidate the last `FAR` beyond `NEAR` that share a name's word or a noun."""
    side = CodedWords(codes)
    seen: dict[tuple[str, int], list[int]] = {}
    keys = [
        []
        if pronoun
        else [("key", key) for key in name_keys if key]
        if named
        else [("noun", lemma)]
        for name_keys, named, pronoun, lemma in zip(
            codes[:, COLUMNS:].tolist(),
            side.named.tolist(),
            side.pronoun.tolist(),
            side.lemma.tolist(),
            strict=True,
        )
    ]
    for number, own_keys in enumerate(keys):
        left_behind = number - NEAR - 1
        for key in keys[left_behind] if left_behind >= 0 else ():
            seen.setdefault(key, []).append(left_behind)
        yield _last(seen.get(key, []) for key in own_keys)


def _last(lists: Iterable[list[int]]) -> list[int]:
    numbers_found = {number for numbers in lists for number in islice(reversed(numbers), FAR)}
    return sorted(numbers_found)[-FAR:]


def _padded(rows: list[list[int]]) -> Any:
    width = max(map(len, rows), default=0)
    padded = np.full((len(rows), width), NONE)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded


Pair = tuple[int, int, float]
"""Anaphor and antecedent, by their head words, and the probability of the link."""
Options = tuple[int, Sequence[tuple[int, float]]]
"""An anaphor and its antecedents with their probabilities, the likeliest first."""


class Trial(NamedTuple):
    """A link that was tried, and its outcome."""

    anaphor: int
    antecedent: int
    probability: float
    refusal: Refusal | None
    """Reason why it was not made."""


def try_antecedents(options: Iterable[Options], clusters: Clusters) -> list[Trial]:
    """Try the antecedents of each anaphor from the likeliest on, until one can be joined.

    The anaphors that the model is surest of come first.
    """
    trials: list[Trial] = []
    for anaphor, antecedents in sorted(options, key=lambda option: (-option[1][0][1], option[0])):
        for antecedent, probability in antecedents:
            refusal = clusters.join(anaphor, antecedent)
            trials.append(Trial(anaphor, antecedent, probability, refusal))
            if refusal is None:
                break
    return sorted(trials, key=lambda trial: (trial.anaphor, -trial.probability, trial.antecedent))


def compatible(options: Iterable[Options], clusters: Clusters) -> list[Pair]:
    """Return the likeliest antecedent that each anaphor can be joined with, in order."""
    return sorted(
        trial[:3] for trial in try_antecedents(options, clusters) if trial.refusal is None
    )


def to_decision(
    decoding: DecodedDocument,
    pair: tuple[Mention, Mention],
    probability: float,
    refusal: Refusal | None,
) -> LinkDecision:
    """Return the outcome of a link that was tried, as mentions of the document."""
    if refusal is None:
        return LinkDecision(*pair, True, "", probability=probability)
    tokens = decoding.document.tokens
    first, second = (
        Mention(tokens[p].start, tokens[p].end) for p in (refusal.first, refusal.second)
    )
    return LinkDecision(*pair, False, refusal.rule, "", probability, (first, second))


SHARE = 0.3
"""Largest share of words that are candidates."""
FEWEST = 4
HOPELESS = -5.0
"""Log-odds below which a word is no candidate."""
SINGLE = 0.5
"""Probability from which an unlinked word is a mention of its own."""
ANAPHORIC = word_set("he him his himself she her hers herself its itself")
"""Third person pronouns that always have an antecedent."""
HEADS = 512
"""Mentions whose edges are sought at once."""


class DecodedDocument:
    """A document that has been encoded once, for any schemes."""

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
        """Return the places of words that may head a mention, in the order of the text."""
        odds = self.odds[:, SCHEMES.index(scheme)]
        count = max(FEWEST, int(SHARE * self.text.count))
        allowed = np.flatnonzero(self.text.can_head & (odds > HOPELESS))
        best = np.argsort(-odds[allowed], kind="stable")[:count]
        return np.sort(allowed[best])

    def clusters(self) -> Clusters:
        """Return clusters of words that grow within the rules over chains."""
        return Clusters(self.traits.of, self.text.exclusions)

    def pairs(self, scheme: str, threshold: float | None) -> list[Pair]:
        """Return the links of one scheme; without a threshold, those likelier than none.

        A link that would break a rule over a chain gives way to the next one.
        """
        return compatible(self.options(scheme, threshold), self.clusters())

    def options(
        self, scheme: str, threshold: float | None, *, strict: bool = False
    ) -> list[Options]:
        """Return the antecedents of each anaphor by one scheme that are likelier than none.

        If `strict`, pronouns that always have an antecedent keep the likeliest ones in any case.
        """
        number, places = SCHEMES.index(scheme), self.candidates(scheme)
        ready = Candidates(self.network, self.vectors[places], self.odds[places, number], number)
        chosen = choose(self._codes[places], ready, self.threads)
        least = chosen.none if threshold is None else np.full(len(places), threshold)
        if strict:
            least = np.where(self._needs_antecedent[places], 0.0, least)
        held = (chosen.antecedent != NONE) & (chosen.probability >= least[:, None])
        return [
            (
                int(places[row]),
                [
                    (int(places[antecedent]), round(float(likely), 6))
                    for antecedent, likely, kept in zip(
                        chosen.antecedent[row], chosen.probability[row], held[row], strict=True
                    )
                    if kept
                ],
            )
            for row in np.flatnonzero(held[:, 0]).tolist()
        ]

    @cached_property
    def _needs_antecedent(self) -> npt.NDArray[np.bool_]:
        """Mask of pronouns that always have an antecedent: "he", "its", but not "it" and "they"."""
        return np.array([word in ANAPHORIC for word in self.text.words], np.bool_)

    @cached_property
    def traits(self) -> PhraseTraits:
        """Sure knowledge of each word's phrase."""
        return PhraseTraits(self.document, self.text)

    def lone(self, scheme: str) -> list[int]:
        """Return head words that are mentions whether anything is linked to them or not."""
        likely = sigmoid(self.odds[:, SCHEMES.index(scheme)]) > SINGLE
        heads: list[int] = np.flatnonzero(likely).tolist()
        return heads

    def mentions(self, scheme: str, heads: Iterable[int]) -> dict[int, Mention]:
        """Return the mention of each head word, with its determiner and an "of" behind it."""
        by_head: dict[int, Mention] = {}
        ordered = np.array(sorted(heads), np.int64)
        for first in range(0, len(ordered), HEADS):
            batch = ordered[first : first + HEADS]
            span_features = span_input(self.text, batch)
            begins, ends = self.network.edges(
                self.vectors, batch, span_features, SCHEMES.index(scheme)
            )
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
        """Return the chains of links; of two mentions on one string the earlier head stays."""
        clusters = Clusters()
        for anaphor, antecedent, _ in pairs:
            clusters.join(anaphor, antecedent)
        for place in self.lone(scheme) if singletons else ():
            clusters.group_of(place)
        groups = clusters.groups()
        mentions = self.mentions(scheme, (place for group in groups for place in group))
        first_on: dict[tuple[int, int], int] = {}
        for place in sorted(mentions):
            first_on.setdefault((mentions[place].start, mentions[place].end), place)
        heads = set(first_on.values())
        by_chain = ([mentions[place] for place in group if place in heads] for group in groups)
        kept = [group for group in by_chain if len(group) > (0 if singletons else 1)]
        kept.sort(key=min)
        return [
            Chain(f"{self.document.id}#{number}", tuple(sorted(group)), _type(group))
            for number, group in enumerate(kept, start=1)
        ]


def _type(group: Iterable[Mention]) -> str:
    """Return the type of most names of a chain; ties alphabetically."""
    types = Counter(mention.type for mention in group if mention.type)
    return min(types, key=lambda name: (-types[name], name)) if types else ""
