"""One scheme's decisions about a document: its mentions, and which goes back to which.

All candidates within reach of the texts the model was trained on are weighed; of those farther
back, the ones that share a word of their names or the head noun. What looks poor at a first glance
is not scored in full, so that time grows with the length of a document and memory hardly does.
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
"""Candidates back that are all looked at: about 2,000 words."""
FAR = 40
"""Candidates farther back that are looked at, the nearest that share a word."""
SCORED = 128
"""Near candidates that are scored in full: those of the best coarse scores."""
CERTAIN = np.float32(1e4)
"""The coarse score of the same name: it is always scored in full."""
ROWS = 64
"""Candidates whose antecedents are sought at once."""
ALTERNATIVES = 4
"""Antecedents told of each candidate."""
BLOCK = 1024
"""Pairs scored at once."""


class Choices(Struct, frozen=True):
    """For each candidate its likeliest antecedents, the best first."""

    antecedent: Integers
    """``[candidates, ALTERNATIVES]``: numbers of candidates; -1 where there is none."""
    probability: npt.NDArray[np.float64]
    """That each is the antecedent."""
    none: npt.NDArray[np.float64]
    """The probability that there is no antecedent."""


def choose(codes: Integers, candidates: Candidates, threads: int) -> Choices:
    """The antecedents of candidates; `codes` are their rows of `pairs.codes`."""
    count = len(codes)
    distant = list(_distant(codes)) if count > NEAR else [[] for _ in range(count)]

    def chosen(first: int) -> Choices:
        rows = np.arange(first, min(first + ROWS, count))
        near = _near(rows, codes, candidates)
        far = _padded([distant[row] for row in rows])
        return _best(rows, np.concatenate((near, far), 1), codes, candidates)

    found = list(spread(chosen, range(0, count, ROWS), threads))
    if not found:
        nothing = np.zeros((0, ALTERNATIVES))
        return Choices(nothing.astype(np.int64), nothing, np.zeros(0))
    return Choices(
        np.concatenate([one.antecedent for one in found]),
        np.concatenate([one.probability for one in found]),
        np.concatenate([one.none for one in found]),
    )


def _near(rows: Integers, codes: Integers, candidates: Candidates) -> Integers:
    """``[rows, at most SCORED]``: the near candidates worth a full score, -1 for none."""
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
    """The best of each row's `columns`, each against all others and having none."""
    scores = np.full((len(rows), 1 + columns.shape[1]), BARRED, np.float32)
    scores[:, 0] = candidates.none[rows]
    place, slot = np.nonzero(columns != NONE)
    for first in range(0, len(place), BLOCK):
        at = place[first : first + BLOCK], slot[first : first + BLOCK]
        found = _scores(rows[at[0]], columns[at], codes, candidates)
        scores[at[0], 1 + at[1]] = found
    likely = np.exp(scores.astype(np.float64) - scores.max(1, keepdims=True))
    likely /= likely.sum(1, keepdims=True)
    best = np.argsort(-scores[:, 1:], axis=1, kind="stable")[:, :ALTERNATIVES]
    antecedent = np.full((len(rows), ALTERNATIVES), NONE)
    probability = np.zeros(antecedent.shape)
    kept = best.shape[1]
    antecedent[:, :kept] = np.take_along_axis(columns, best, 1)
    probability[:, :kept] = np.take_along_axis(likely[:, 1:], best, 1)
    return Choices(antecedent, np.where(antecedent == NONE, 0, probability), likely[:, 0])


def _scores(one: Integers, other: Integers, codes: Integers, candidates: Candidates) -> Floats:
    features, between, kinds = pair_features(codes[one], codes[other], np)
    classes = (
        np.searchsorted(DISTANCES, one - other, side="right"),
        np.searchsorted(SENTENCES_APART, between, side="right"),
        kinds,
    )
    return candidates.score(one, other, features, classes)


def _distant(codes: Integers) -> Iterator[list[int]]:
    """For each candidate the last `FAR` beyond `NEAR` that share a name's word or a noun."""
    side = CodedWords(codes)
    known: dict[tuple[str, int], list[int]] = {}
    keys = [
        [] if pronoun else [("key", key) for key in own if key] if named else [("noun", lemma)]
        for own, named, pronoun, lemma in zip(
            codes[:, COLUMNS:].tolist(),
            side.named.tolist(),
            side.pronoun.tolist(),
            side.lemma.tolist(),
            strict=True,
        )
    ]
    for number, own in enumerate(keys):
        left_behind = number - NEAR - 1
        for key in keys[left_behind] if left_behind >= 0 else ():
            known.setdefault(key, []).append(left_behind)
        yield _last(known.get(key, []) for key in own)


def _last(lists: Iterable[list[int]]) -> list[int]:
    found = {number for one in lists for number in islice(reversed(one), FAR)}
    return sorted(found)[-FAR:]


def _padded(rows: list[list[int]]) -> Any:
    width = max(map(len, rows), default=0)
    found = np.full((len(rows), width), NONE)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found


Pair = tuple[int, int, float]
"""Anaphor and antecedent, by their head words, and the probability of the link."""
Options = tuple[int, Sequence[tuple[int, float]]]
"""An anaphor and its antecedents with their probabilities, the likeliest first."""


class Trial(NamedTuple):
    """A link that was tried: what became of it."""

    anaphor: int
    antecedent: int
    probability: float
    refusal: Refusal | None
    """Why it was not made."""


def tried(options: Iterable[Options], clusters: Clusters) -> list[Trial]:
    """For each anaphor its antecedents from the likeliest on, up to one that it can be joined with.

    The anaphors that the model is surest of come first.
    """
    found: list[Trial] = []
    for anaphor, antecedents in sorted(options, key=lambda one: (-one[1][0][1], one[0])):
        for antecedent, probability in antecedents:
            refusal = clusters.join(anaphor, antecedent)
            found.append(Trial(anaphor, antecedent, probability, refusal))
            if refusal is None:
                break
    return sorted(found, key=lambda trial: (trial.anaphor, -trial.probability, trial.antecedent))


def compatible(options: Iterable[Options], clusters: Clusters) -> list[Pair]:
    """For each anaphor the likeliest antecedent that it can be joined with, in order."""
    return sorted(trial[:3] for trial in tried(options, clusters) if trial.refusal is None)


def decided(
    decoding: DecodedDocument,
    pair: tuple[Mention, Mention],
    probability: float,
    refusal: Refusal | None,
) -> LinkDecision:
    """What became of a link that was tried, in words of the document."""
    if refusal is None:
        return LinkDecision(*pair, True, "", probability=probability)
    tokens = decoding.document.tokens
    one, other = (Mention(tokens[p].start, tokens[p].end) for p in (refusal.one, refusal.other))
    return LinkDecision(*pair, False, refusal.rule, "", probability, (one, other))


SHARE = 0.3
"""At the most this share of all words are candidates."""
FEWEST = 4
HOPELESS = -5.0
"""Log-odds below which a word is no candidate."""
SINGLE = 0.5
"""The probability from which a word that nothing links is a mention of its own."""
ANAPHORIC = word_set("he him his himself she her hers herself its itself")
"""Pronouns of the third person that always take something up."""
HEADS = 512
"""Mentions whose edges are sought at once."""


class DecodedDocument:
    """A document that has been read once, for whatever schemes are asked for."""

    def __init__(
        self, document: Document, text: Text, vectors: Floats, network: Network, threads: int
    ) -> None:
        """`vectors` are what `Network.vectors` makes of the encoder's states."""
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
        """The places of words that may head a mention, in the order of the text."""
        odds = self.odds[:, SCHEMES.index(scheme)]
        count = max(FEWEST, int(SHARE * self.text.count))
        allowed = np.flatnonzero(self.text.can_head & (odds > HOPELESS))
        best = np.argsort(-odds[allowed], kind="stable")[:count]
        return np.sort(allowed[best])

    def clusters(self) -> Clusters:
        """Words that grow to groups within the rules over chains."""
        return Clusters(self.traits.of, self.text.apart)

    def pairs(self, scheme: str, threshold: float | None) -> list[Pair]:
        """The links of one scheme; without a threshold, where a link is likelier than none.

        A link that would break a rule over a chain gives way to the next one.
        """
        return compatible(self.options(scheme, threshold), self.clusters())

    def options(
        self, scheme: str, threshold: float | None, *, strict: bool = False
    ) -> list[Options]:
        """The antecedents of each anaphor by one scheme that are likelier than none.

        If `strict`, pronouns that never stand for nothing have the likeliest ones in any case.
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
        """Pronouns that never stand for nothing: "he", "its"; "it" and "they" may."""
        return np.array([word in ANAPHORIC for word in self.text.words], np.bool_)

    @cached_property
    def traits(self) -> PhraseTraits:
        """What is surely known of each word's phrase."""
        return PhraseTraits(self.document, self.text)

    def lone(self, scheme: str) -> list[int]:
        """Head words that are mentions whether anything is linked to them or not."""
        likely = sigmoid(self.odds[:, SCHEMES.index(scheme)]) > SINGLE
        found: list[int] = np.flatnonzero(likely).tolist()
        return found

    def mentions(self, scheme: str, heads: Iterable[int]) -> dict[int, Mention]:
        """The mention around each head word, with its determiner and an "of" behind it."""
        found: dict[int, Mention] = {}
        ordered = np.array(sorted(heads), np.int64)
        for first in range(0, len(ordered), HEADS):
            some = ordered[first : first + HEADS]
            given = span_input(self.text, some)
            begins, ends = self.network.edges(self.vectors, some, given, SCHEMES.index(scheme))
            determined = np.minimum(begins, self.text.determined_by[some])
            completed = np.maximum(ends, self.text.completed_by[some])
            spans = zip(some.tolist(), determined.tolist(), completed.tolist(), strict=True)
            for head, begin, end in spans:
                found[head] = self._mention(head, begin, end)
        return found

    def _mention(self, head: int, begin: int, end: int) -> Mention:
        """Its MIN is the name that the head is in or, where it is in none, the head word."""
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
        """What links make of mentions; of two on one string the one with the earlier head stays."""
        clusters = Clusters()
        for anaphor, antecedent, _ in pairs:
            clusters.join(anaphor, antecedent)
        for place in self.lone(scheme) if singletons else ():
            clusters.of(place)
        groups = clusters.groups()
        mentions = self.mentions(scheme, (place for group in groups for place in group))
        first_on: dict[tuple[int, int], int] = {}
        for place in sorted(mentions):
            first_on.setdefault((mentions[place].start, mentions[place].end), place)
        heads = set(first_on.values())
        made = ([mentions[place] for place in group if place in heads] for group in groups)
        kept = [group for group in made if len(group) > (0 if singletons else 1)]
        kept.sort(key=min)
        return [
            Chain(f"{self.document.id}#{number}", tuple(sorted(group)), _type(group))
            for number, group in enumerate(kept, start=1)
        ]


def _type(group: Iterable[Mention]) -> str:
    """What most names of a chain are; of equals the first of the alphabet."""
    types = Counter(mention.type for mention in group if mention.type)
    return min(types, key=lambda name: (-types[name], name)) if types else ""
