"""The default ranker: learned from similar sets, the knowledge base and the text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
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

_encode = partial(vectors, threads=1)
WEIGHTS = PACKAGE / "aggregation" / "weights" / "ranker.npz"


class BoostedRanker:
    """Boosted trees over sentence vectors, sets of the training corpus and facts (the default)."""

    licence = "learned from sets of our own and GFDL texts: see LICENSE.md of the weights"

    def __init__(self, kb: str | None = None, *, weights: Path = WEIGHTS) -> None:
        from tatian.knowledge import open_base

        bases = [open_base("starter")]
        if kb is not None and kb != "starter":
            bases.append(open_base(kb))
        self._known = KnownEntities(*bases)
        self._memory, self._trees = load(weights)

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with the probability that each names the set."""
        candidates = candidates_of(instance)
        table = rows(instance, candidates, self._memory, _encode, self._known)
        return order_candidates(candidates, self._trees.probability(table).tolist())


@cache
def load(path: Path) -> tuple[Memory, Trees]:
    """Load what `save` wrote."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    return Memory(arrays), Trees.of(arrays)


def save(path: Path, memory: Memory, trees: Trees) -> None:
    """Save memory and trees in one file."""
    arrays: Iterable[tuple[str, Any]] = {**memory.arrays(), **trees.arrays()}.items()
    np.savez_compressed(path, **dict(arrays))


_CACHE_SIZE = 1 << 14
_DESCRIPTION_CHARACTERS = 300


class EntityFacts(Struct, frozen=True):
    """Knowledge about one entity; empty if no base has it."""

    words: frozenset[str] = frozenset()
    """Stemmed words of its facts, description and categories."""
    traits: frozenset[str] = frozenset()
    """Words that may name it: kinds and their hypernyms, nationalities, parties."""
    description: str = ""


class KnownEntities:
    """Facts of entities in one or more knowledge bases."""

    def __init__(self, *bases: KnowledgeBase) -> None:
        self._bases = bases
        self.of = lru_cache(_CACHE_SIZE)(self._of)
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
            texts += [thing.description[:_DESCRIPTION_CHARACTERS], *thing.categories]
            words.update(word for text in texts for word in stems(text))
            found_traits = traits_of(thing.facts, partial(_page, base))
            traits.update(word for _, value in found_traits for word in stems(value))
            description = description or thing.description[:_DESCRIPTION_CHARACTERS]
        return EntityFacts(frozenset(words), frozenset(traits), description)


def _page(base: KnowledgeBase, title: str) -> Entity | None:
    candidates = base.lookup(title).candidates
    return base.entity(candidates[0].id) if candidates else None


_NEAREST_SETS = 30
_AVERAGED = 5
_CONTEXT_CHARACTERS = 400
_TITLE_CHARACTERS = 200
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
"""Indices of features that also occur as a difference from the best candidate's, and as a rank."""
FEATURES = (
    *BASE_FEATURES,
    *(f"{BASE_FEATURES[index]}_behind" for index in COMPARED),
    *(f"{BASE_FEATURES[index]}_rank" for index in COMPARED),
)


def rows(
    instance: Instance,
    candidates: Sequence[str],
    memory: Memory,
    encode: Encode,
    entities_known: KnownEntities,
    ignored: frozenset[int] = frozenset(),
) -> Floats:
    """Return a row of features for each candidate, without sets in `ignored`."""
    texts = [*candidates, ", ".join(instance.entities), *instance.entities]
    texts += [instance.context[:_CONTEXT_CHARACTERS], instance.title[:_TITLE_CHARACTERS]]
    vectors = memory.projected(encode(texts))
    phrases = vectors[: len(candidates)]
    set_vector, *entity_vectors = vectors[len(candidates) : -2]
    context, title = vectors[-2:]
    set_similarities = memory.sets @ set_vector
    if ignored:
        set_similarities = set_similarities.copy()
        set_similarities[list(ignored)] = -1.0
    neighbour_similarities = _neighbour_similarities(phrases, set_similarities, memory, ignored)
    similarities = phrases @ np.stack(entity_vectors).T
    with_entity = map(memory.sets_with_entity, instance.entities)
    entity_sets = [set(numbers.tolist()) - ignored for numbers in with_entity]
    text_stems = set(stems(f"{instance.context} {instance.title}"))
    text = 1.0 if text_stems else math.nan
    entity_facts = [entities_known.of(entity) for entity in instance.entities]
    facts = [facts_of_entity.words for facts_of_entity in entity_facts]
    features = []
    for row, candidate in enumerate(candidates):
        words = stems(candidate)
        naming_sets = [n for n in memory.sets_named_by(candidate).tolist() if n not in ignored]
        same_head_sets = [n for n in memory.sets_with_head(candidate).tolist() if n not in ignored]
        shares, heads = _support(words, facts)
        said, said_head = _support(words, [text_stems])
        features.append(
            [
                float(phrases[row] @ set_vector),
                float(similarities[row].mean()),
                float(similarities[row].min()),
                float(similarities[row].max()),
                float(phrases[row] @ context) if instance.context else math.nan,
                float(phrases[row] @ title) if instance.title else math.nan,
                math.log1p(len(naming_sets)),
                math.log1p(len(same_head_sets)),
                _overlap(entity_sets, naming_sets),
                _overlap(entity_sets, same_head_sets),
                max((float(set_similarities[number]) for number in naming_sets), default=0.0),
                max((float(set_similarities[number]) for number in same_head_sets), default=0.0),
                *neighbour_similarities[row],
                len(words),
                len(candidate),
                len(instance.entities),
                text * said[0],
                text * said_head[0],
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
        remembered_similarities(phrases, np.stack(entity_vectors), memory, ignored),
        description_similarities(phrases, entity_facts, memory, encode),
        trait_support(candidates, entity_facts),
        candidate_similarities(phrases),
    ]
    table = np.concatenate(parts, axis=1, dtype=np.float32)
    compared = table[:, COMPARED]
    ranks = compared.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    known_ranks = np.where(np.isnan(compared), np.nan, ranks)
    behind = compared - compared.max(axis=0)
    return np.concatenate([table, behind, known_ranks], axis=1, dtype=np.float32)


def _neighbour_similarities(
    phrases: Floats, set_similarities: Floats, memory: Memory, ignored: frozenset[int]
) -> list[tuple[float, float]]:
    """Return each candidate's best similarity to phrases of the nearest sets, and mean of five."""
    nearest = np.argsort(-set_similarities, kind="stable")[:_NEAREST_SETS]
    usable = (number for number in nearest.tolist() if number not in ignored)
    kept = [number for number in usable if len(memory.set_phrases[number])]
    if not kept:
        return [(0.0, 0.0)] * len(phrases)
    columns = [
        set_similarities[number]
        * (phrases @ memory.phrases[memory.set_phrases[number]].T).max(axis=1)
        for number in kept
    ]
    scores: npt.NDArray[np.float32] = np.sort(np.stack(columns, axis=1), axis=1)[:, ::-1]
    return [(float(row[0]), float(row[:_AVERAGED].mean())) for row in scores]


def _overlap(entity_sets: Sequence[set[int]], sets: Sequence[int]) -> float:
    """Return the share of the entities that one of the sets contains."""
    return float(np.mean([not sets_of_entity.isdisjoint(sets) for sets_of_entity in entity_sets]))


def _support(words: Sequence[str], texts: Sequence[Set[str]]) -> tuple[list[float], list[float]]:
    """Return for each text its share of the words, and whether it has the last one, the head."""
    shares = [sum(word in text for word in words) / max(1, len(words)) for text in texts]
    return shares, [float(bool(words) and words[-1] in text) for text in texts]


_SIMILAR_ENTITIES = 40
_COMPARED_ENTITIES = 20
_NEAREST_CANDIDATES = 4


def remembered_similarities(
    phrases: Floats, entity_vectors: Floats, memory: Memory, ignored: frozenset[int]
) -> Floats:
    """Return each candidate's similarity to phrases of sets that contain a similar entity.

    The columns are mean and minimum over the entities, of the best and of the mean of five.
    """
    similarities = phrases @ memory.phrases.T
    best, best_five = [], []
    for similar in entity_vectors @ memory.entities.T:
        scores = _similarities_to_sets(similarities, similar, memory, ignored)
        best.append(scores[:, 0])
        best_five.append(scores[:, :_AVERAGED].mean(axis=1))
    single, five = np.stack(best, axis=1), np.stack(best_five, axis=1)
    columns = [part(values, axis=1) for values in (single, five) for part in (np.mean, np.min)]
    return np.stack(columns, 1)


def _similarities_to_sets(
    similarities: Floats, similar: Floats, memory: Memory, ignored: frozenset[int]
) -> Floats:
    columns: list[Floats] = []
    for other in np.argsort(-similar, kind="stable")[:_SIMILAR_ENTITIES]:
        set_numbers = [n for n in memory.entity_sets[int(other)].tolist() if n not in ignored]
        phrases = [row for number in set_numbers for row in memory.set_phrases[number]]
        if phrases:
            columns.append(similar[other] * similarities[:, phrases].max(axis=1))
        if len(columns) == _COMPARED_ENTITIES:
            break
    if not columns:
        return np.zeros((len(similarities), 1), dtype=np.float32)
    return np.sort(np.stack(columns, axis=1), axis=1)[:, ::-1]


def description_similarities(
    phrases: Floats, entity_facts: Sequence[EntityFacts], memory: Memory, encode: Encode
) -> Floats:
    """Return mean and minimum of each candidate's similarity to the entities' descriptions."""
    texts = [facts.description for facts in entity_facts if facts.description]
    if not texts:
        return np.full((len(phrases), 2), np.nan, dtype=np.float32)
    similarities = phrases @ memory.projected(encode(texts)).T
    return np.stack([similarities.mean(axis=1), similarities.min(axis=1)], axis=1)


def trait_support(candidates: Sequence[str], entity_facts: Sequence[EntityFacts]) -> Floats:
    """Return the support of facts for each candidate's head and words: mean, minimum."""
    known_traits = [facts.traits for facts in entity_facts if facts.traits]
    if not known_traits:
        return np.full((len(candidates), 4), np.nan, dtype=np.float32)
    rows = []
    for candidate in candidates:
        shares, heads = _support(stems(candidate), known_traits)
        rows.append((np.mean(heads), min(heads), np.mean(shares), min(shares)))
    return np.array(rows, dtype=np.float32)


def candidate_similarities(phrases: Floats) -> Floats:
    """Return each candidate's similarity to the nearest other one, and to the nearest four."""
    similarities = phrases @ phrases.T
    np.fill_diagonal(similarities, -1.0)
    ordered = np.sort(similarities, axis=1)[:, ::-1]
    return np.stack([ordered[:, 0], ordered[:, :_NEAREST_CANDIDATES].mean(axis=1)], axis=1)
