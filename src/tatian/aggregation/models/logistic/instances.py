"""An instance taken apart into the collections of words that the features compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.logistic.vectors import (
    EncoderVectors,
    Vector,
    WordVectors,
    average,
    direction,
)
from tatian.aggregation.models.logistic.words import Lemmas, content, words

_REMEMBERED = 1 << 14


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
    """Takes instances and phrases apart with one set of word vectors.

    With `lemmas`, candidates are lemmatised too, so that "politicians" meets "politician".
    """

    def __init__(self, vectors: WordVectors | None = None, *, lemmas: bool = False) -> None:
        self.vectors: WordVectors = EncoderVectors() if vectors is None else vectors
        self.lemmas = lemmas
        self._reduced = Lemmas(self.vectors.knows)
        self.phrase = lru_cache(_REMEMBERED)(self._phrase)

    def _phrase(self, text: str) -> Bag:
        """The words of a candidate."""
        return self._bag(self._reduced.content(text) if self.lemmas else content(text))

    def texts(self, instance: Instance) -> Texts:
        """The words of the instance's title, context, background and names."""
        known = (instance.background.get(entity, "") for entity in dict.fromkeys(instance.entities))
        backgrounds = [tokens for text in known if (tokens := self._reduced.content(text))]
        union = [token for tokens in backgrounds for token in tokens]
        shared = sorted(set.intersection(*map(set, backgrounds))) if backgrounds else []
        context = self._reduced.content(instance.title) + self._reduced.content(instance.context)
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
        counts = Counter(found)
        return Bag(counts, direction(average(counts, self.vectors)))
