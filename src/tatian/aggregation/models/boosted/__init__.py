"""The default ranker: learned from similar sets, the knowledge base and the text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.aggregation.data.records import TYPES, Instance
from tatian.aggregation.models import Ranking, candidates_of, order_candidates
from tatian.aggregation.models.boosted.memory import Encode, Floats, Memory, stems
from tatian.aggregation.models.facts.traits import traits_of
from tatian.analysis.meaning import vectors
from tatian.assets import PACKAGE
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Entity
from tatian.trees import Trees

_ENCODE = partial(vectors, threads=1)
WEIGHTS = PACKAGE / "aggregation" / "weights" / "ranker.npz"


class BoostedRanker:
    """Boosted trees over sentence vectors, remembered sets and facts (the default)."""

    licence = "learned from sets of our own and GFDL texts: see LICENSE.md of the weights"

    def __init__(self, kb: str | None = None, *, weights: Path = WEIGHTS) -> None:
        from tatian.knowledge import open_base

        bases = [open_base("starter")]
        if kb is not None and kb != "starter":
            bases.append(open_base(kb))
        self._known = KnownEntities(*bases)
        self._memory, self._trees = _loaded(weights)

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with the probability that each names the set."""
        candidates = candidates_of(instance)
        table = rows(instance, candidates, self._memory, _ENCODE, self._known)
        return order_candidates(candidates, self._trees.probability(table).tolist())


def load(path: Path) -> tuple[Memory, Trees]:
    """Load what `save` wrote."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    return Memory(arrays), Trees.of(arrays)


def save(path: Path, memory: Memory, trees: Trees) -> None:
    """Save memory and trees in one file."""
    arrays: Iterable[tuple[str, Any]] = {**memory.arrays(), **trees.arrays()}.items()
    np.savez_compressed(path, **dict(arrays))


@cache
def _loaded(path: Path) -> tuple[Memory, Trees]:
    return load(path)


_REMEMBERED = 1 << 14
_DESCRIPTION = 300


class EntityFacts(Struct, frozen=True):
    """Knowledge about one entity; empty if no base has it."""

    words: frozenset[str] = frozenset()
    """Stemmed words of its facts, description and categories."""
    traits: frozenset[str] = frozenset()
    """Words that may name it: its kinds and their ancestors, its nations, its parties."""
    description: str = ""


class KnownEntities:
    """Facts of entities in one or more knowledge bases."""

    def __init__(self, *bases: KnowledgeBase) -> None:
        self._bases = bases
        self.of = lru_cache(_REMEMBERED)(self._of)
        """Return the facts of an entity by its name."""

    def _of(self, entity: str) -> EntityFacts:
        words: set[str] = set()
        traits: set[str] = set()
        description = ""
        for base in self._bases:
            thing = _page(base, entity)
            if thing is None:
                continue
            texts = [fact.value for fact in thing.facts]
            texts += [thing.description[:_DESCRIPTION], *thing.categories]
            words.update(word for text in texts for word in stems(text))
            found_traits = traits_of(thing.facts, partial(_page, base))
            traits.update(word for _, value in found_traits for word in stems(value))
            description = description or thing.description[:_DESCRIPTION]
        return EntityFacts(frozenset(words), frozenset(traits), description)


def _page(base: KnowledgeBase, title: str) -> Entity | None:
    candidates = base.lookup(title).candidates
    return base.entity(candidates[0].id) if candidates else None


_NEIGHBOURS = 30
_NEAREST = 5
_CONTEXT = 400
_TITLE = 200
BASE_FEATURES = (
    "near_set near_mean near_least near_most near_context near_title times times_alike "
    "shares_entity shares_entity_alike nearest_named nearest_named_alike remembered "
    "remembered_mean words characters entities said said_head fact_mean fact_least fact_head_mean "
    "fact_head_least known person location organization "
    "each_mean each_least each_5_mean each_5_least described_mean described_least "
    "trait_head_mean trait_head_least trait_mean trait_least agrees agrees_4"
).split()
COMPARED = tuple(
    BASE_FEATURES.index(name)
    for name in (
        "near_set near_mean near_least near_most near_context near_title remembered "
        "remembered_mean fact_mean each_mean each_least each_5_mean each_5_least "
        "described_mean described_least"
    ).split()
)
"""Features that also occur as a difference from the best candidate's, and as a rank."""
FEATURES = (
    *BASE_FEATURES,
    *(f"{BASE_FEATURES[at]}_behind" for at in COMPARED),
    *(f"{BASE_FEATURES[at]}_rank" for at in COMPARED),
)


def rows(
    instance: Instance,
    candidates: Sequence[str],
    memory: Memory,
    encode: Encode,
    entities_known: KnownEntities,
    without: frozenset[int] = frozenset(),
) -> Floats:
    """Return a row for each candidate; `without` are sets of the memory to be ignored.

    Features of a missing text are NaN.
    """
    texts = [*candidates, ", ".join(instance.entities), *instance.entities]
    texts += [instance.context[:_CONTEXT], instance.title[:_TITLE]]
    vectors = memory.projected(encode(texts))
    phrases = vectors[: len(candidates)]
    whole, *singles = vectors[len(candidates) : -2]
    context, title = vectors[-2:]
    near = memory.sets @ whole
    if without:
        near = near.copy()
        near[list(without)] = -1.0
    remembered = _remembered(phrases, near, memory, without)
    similarities = phrases @ np.stack(singles).T
    sharing = [{int(number) for number in memory.holding(e)} - without for e in instance.entities]
    text_stems = set(stems(f"{instance.context} {instance.title}"))
    text = 1.0 if text_stems else math.nan
    entity_facts = [entities_known.of(entity) for entity in instance.entities]
    facts = [facts_of_entity.words for facts_of_entity in entity_facts]
    features = []
    for at, candidate in enumerate(candidates):
        words = stems(candidate)
        named = [int(number) for number in memory.named(candidate) if number not in without]
        alike = [int(number) for number in memory.named_alike(candidate) if number not in without]
        shares = [_share(words, fact) for fact in facts]
        heads = [float(bool(words) and words[-1] in fact) for fact in facts]
        features.append(
            [
                float(phrases[at] @ whole),
                float(similarities[at].mean()),
                float(similarities[at].min()),
                float(similarities[at].max()),
                float(phrases[at] @ context) if instance.context else math.nan,
                float(phrases[at] @ title) if instance.title else math.nan,
                math.log1p(len(named)),
                math.log1p(len(alike)),
                _overlap(sharing, named),
                _overlap(sharing, alike),
                max((float(near[number]) for number in named), default=0.0),
                max((float(near[number]) for number in alike), default=0.0),
                *remembered[at],
                len(words),
                len(candidate),
                len(instance.entities),
                text * _share(words, text_stems),
                text * float(bool(words) and words[-1] in text_stems),
                float(np.mean(shares)),
                min(shares),
                float(np.mean(heads)),
                min(heads),
                float(np.mean([bool(fact) for fact in facts])),
                *(float(instance.type == kind) for kind in TYPES),
            ]
        )
    parts = [
        np.array(features, dtype=np.float32),
        remembered_similarities(phrases, np.stack(singles), memory, without),
        description_similarities(phrases, entity_facts, memory, encode),
        traits(candidates, entity_facts),
        agreement(phrases),
    ]
    table = np.concatenate(parts, axis=1, dtype=np.float32)
    compared = table[:, COMPARED]
    ranks = compared.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    known_ranks = np.where(np.isnan(compared), np.nan, ranks)
    return np.concatenate(
        [table, compared - compared.max(axis=0), known_ranks], axis=1, dtype=np.float32
    )


def _remembered(
    phrases: Floats, near: Floats, memory: Memory, without: frozenset[int]
) -> list[tuple[float, float]]:
    """Return each candidate's similarity to phrases of the nearest sets: best, mean of five."""
    nearest = np.argsort(-near, kind="stable")[:_NEIGHBOURS]
    kept = [
        int(number)
        for number in nearest
        if number not in without and len(memory.set_phrases[int(number)])
    ]
    if not kept:
        return [(0.0, 0.0)] * len(phrases)
    columns = [
        near[number] * (phrases @ memory.phrases[memory.set_phrases[number]].T).max(axis=1)
        for number in kept
    ]
    scores: npt.NDArray[np.float32] = np.sort(np.stack(columns, axis=1), axis=1)[:, ::-1]
    return [(float(row[0]), float(row[:_NEAREST].mean())) for row in scores]


def _overlap(sharing: Sequence[set[int]], sets: Sequence[int]) -> float:
    """Return the share of the entities that one of the sets contains."""
    return float(np.mean([not sets_of_entity.isdisjoint(sets) for sets_of_entity in sharing]))


def _share(words: Sequence[str], among: set[str] | frozenset[str]) -> float:
    return sum(word in among for word in words) / max(1, len(words))


_LOOKED_AT = 40
_ALSO_HELD = 20
_ALIKE = 4


def remembered_similarities(
    phrases: Floats, singles: Floats, memory: Memory, without: frozenset[int]
) -> Floats:
    """Return each candidate's similarity to phrases of sets that contain a similar entity.

    Mean and minimum over the entities, of the best and of the best five's mean.
    """
    near = phrases @ memory.phrases.T
    best, several = [], []
    for similar in singles @ memory.entities.T:
        scores = _entity(near, similar, memory, without)
        best.append(scores[:, 0])
        several.append(scores[:, :_NEAREST].mean(axis=1))
    single, five = np.stack(best, axis=1), np.stack(several, axis=1)
    return np.stack(
        [single.mean(axis=1), single.min(axis=1), five.mean(axis=1), five.min(axis=1)], 1
    )


def _entity(near: Floats, similar: Floats, memory: Memory, without: frozenset[int]) -> Floats:
    columns: list[Floats] = []
    for other in np.argsort(-similar, kind="stable")[:_LOOKED_AT]:
        held = [int(number) for number in memory.entity_sets[int(other)] if number not in without]
        phrases = [at for number in held for at in memory.set_phrases[number]]
        if phrases:
            columns.append(similar[other] * near[:, phrases].max(axis=1))
        if len(columns) == _ALSO_HELD:
            break
    if not columns:
        return np.zeros((len(near), 1), dtype=np.float32)
    return np.sort(np.stack(columns, axis=1), axis=1)[:, ::-1]


def description_similarities(
    phrases: Floats, entity_facts: Sequence[EntityFacts], memory: Memory, encode: Encode
) -> Floats:
    """Return each candidate's similarity to the entities' descriptions: mean, minimum; else NaN."""
    texts = [facts.description for facts in entity_facts if facts.description]
    if not texts:
        return np.full((len(phrases), 2), np.nan, dtype=np.float32)
    near = phrases @ memory.projected(encode(texts)).T
    return np.stack([near.mean(axis=1), near.min(axis=1)], axis=1)


def traits(candidates: Sequence[str], entity_facts: Sequence[EntityFacts]) -> Floats:
    """Return how far facts allow the head noun and all words of each candidate: mean, minimum.

    NaN where no entity has traits; entities without any do not count.
    """
    known_traits = [facts.traits for facts in entity_facts if facts.traits]
    if not known_traits:
        return np.full((len(candidates), 4), np.nan, dtype=np.float32)
    rows = []
    for candidate in candidates:
        words = stems(candidate)
        heads = [float(bool(words) and words[-1] in stated) for stated in known_traits]
        shares = [
            sum(word in stated for word in words) / max(1, len(words)) for stated in known_traits
        ]
        rows.append((np.mean(heads), min(heads), np.mean(shares), min(shares)))
    return np.array(rows, dtype=np.float32)


def agreement(phrases: Floats) -> Floats:
    """Return each candidate's similarity to the nearest other, and to the nearest four."""
    near = phrases @ phrases.T
    np.fill_diagonal(near, -1.0)
    ordered = np.sort(near, axis=1)[:, ::-1]
    return np.stack([ordered[:, 0], ordered[:, :_ALIKE].mean(axis=1)], axis=1)
