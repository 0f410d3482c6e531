"""One scheme's decisions about a document: its mentions, and which goes back to which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tatian.coreference.constraints import Clusters, Refusal
from tatian.coreference.definition import Decision
from tatian.coreference.models.antecedents import choose
from tatian.coreference.models.network import Candidates, Floats, Network, sigmoid, span_input
from tatian.coreference.models.pairs import codes
from tatian.coreference.models.words import (
    NAME_TYPES,
    NONE,
    SCHEMES,
    Integers,
    Text,
)
from tatian.coreference.traits import PhraseTraits
from tatian.text import Chain, Document, Mention, Span
from tatian.text.lexicon import word_set

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
) -> Decision:
    """What became of a link that was tried, in words of the document."""
    if refusal is None:
        return Decision(*pair, True, "", probability=probability)
    tokens = decoding.document.tokens
    one, other = (Mention(tokens[p].start, tokens[p].end) for p in (refusal.one, refusal.other))
    return Decision(*pair, False, refusal.rule, "", probability, (one, other))


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
