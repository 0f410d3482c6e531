"""One scheme's decisions about a document: its mentions, and which goes back to which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from tatian.coreference.clusters import Clusters, PersonName
from tatian.coreference.models.antecedents import choose
from tatian.coreference.models.network import Candidates, Floats, Network, sigmoid, span_input
from tatian.coreference.models.pairs import codes, name_keys
from tatian.coreference.models.words import (
    FEMALE,
    MALE,
    NAME_TYPE,
    NAME_TYPES,
    NONE,
    SCHEMES,
    Integers,
    Text,
)
from tatian.text import Chain, Document, Mention, Span

Pair = tuple[int, int, float]
"""Anaphor and antecedent, by their head words, and the probability of the link."""
Options = tuple[int, Sequence[tuple[int, float]]]
"""An anaphor and its antecedents with their probabilities, the likeliest first."""


def compatible(options: Iterable[Options], clusters: Clusters) -> list[Pair]:
    """For each anaphor the likeliest antecedent that it can be joined with, in order.

    The anaphors that the model is surest of come first.
    """
    found: list[Pair] = []
    for anaphor, antecedents in sorted(options, key=lambda one: (-one[1][0][1], one[0])):
        for antecedent, probability in antecedents:
            if clusters.join(anaphor, antecedent):
                found.append((anaphor, antecedent, probability))
                break
    return sorted(found)


SHARE = 0.3
"""At the most this share of all words are candidates."""
FEWEST = 4
HOPELESS = -5.0
"""Log-odds below which a word is no candidate."""
SINGLE = 0.5
"""The probability from which a word that nothing links is a mention of its own."""
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

    def pairs(self, scheme: str, threshold: float | None) -> list[Pair]:
        """The links of one scheme; without a threshold, where a link is likelier than none.

        A link that would make a man and a woman, people of different names, or the subject and
        the object of one verb the same thing gives way to the next one.
        """
        number, places = SCHEMES.index(scheme), self.candidates(scheme)
        ready = Candidates(self.network, self.vectors[places], self.odds[places, number], number)
        chosen = choose(self._codes[places], ready, self.threads)
        least = chosen.none[:, None] if threshold is None else threshold
        held = (chosen.antecedent != NONE) & (chosen.probability >= least)
        options = [
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
        return compatible(options, Clusters(self._people, self._sexes, self.text.apart))

    @cached_property
    def _sexes(self) -> dict[int, int]:
        """Words that stand for a man or a woman."""
        sexes = ((place, gender) for place, gender in enumerate(self.text.gender.tolist()))
        return {place: gender for place, gender in sexes if gender in (MALE, FEMALE)}

    @cached_property
    def _people(self) -> dict[int, PersonName]:
        """The telling words of persons' names, by each word of them."""
        named = np.flatnonzero(self.text.name == NAME_TYPE["PER"]).tolist()
        known = ((place, frozenset(name_keys(self.text, place))) for place in named)
        return {place: name for place, name in known if name}

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
