"""What the ranker is told of a candidate: one row of numbers each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.aggregation.data.records import TYPES, Instance
from tatian.aggregation.models.boosted.memory import Encode, Floats, Memory, stems
from tatian.aggregation.models.facts.traits import traits_of
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Entity

_REMEMBERED = 1 << 14
_DESCRIPTION = 300


class EntityFacts(Struct, frozen=True):
    """What is known of one entity; nothing if no base knows it."""

    words: frozenset[str] = frozenset()
    """Of its facts, description and categories, without their endings."""
    traits: frozenset[str] = frozenset()
    """Words that may name it: its kinds and all above them, its nations, its parties."""
    description: str = ""


class KnownEntities:
    """What one or more knowledge bases say of entities."""

    def __init__(self, *bases: KnowledgeBase) -> None:
        self._bases = bases
        self.of = lru_cache(_REMEMBERED)(self._of)
        """An entity by its name."""

    def _of(self, entity: str) -> EntityFacts:
        words: set[str] = set()
        traits: set[str] = set()
        description = ""
        for base in self._bases:
            thing = _page(base, entity)
            if thing is None:
                continue
            said = [fact.value for fact in thing.facts]
            said += [thing.description[:_DESCRIPTION], *thing.categories]
            words.update(word for one in said for word in stems(one))
            found = traits_of(thing.facts, partial(_page, base))
            traits.update(word for _, value in found for word in stems(value))
            description = description or thing.description[:_DESCRIPTION]
        return EntityFacts(frozenset(words), frozenset(traits), description)


def _page(base: KnowledgeBase, title: str) -> Entity | None:
    candidates = base.lookup(title).candidates
    return base.entity(candidates[0].id) if candidates else None


_NEIGHBOURS = 30
_NEAREST = 5
_CONTEXT = 400
_TITLE = 200
OWN = (
    "near_set near_mean near_least near_most near_context near_title times times_alike "
    "shares_entity shares_entity_alike nearest_named nearest_named_alike remembered "
    "remembered_mean words characters entities said said_head fact_mean fact_least fact_head_mean "
    "fact_head_least known person location organization "
    "each_mean each_least each_5_mean each_5_least described_mean described_least "
    "trait_head_mean trait_head_least trait_mean trait_least agrees agrees_4"
).split()
COMPARED = tuple(
    OWN.index(name)
    for name in (
        "near_set near_mean near_least near_most near_context near_title remembered "
        "remembered_mean fact_mean each_mean each_least each_5_mean each_5_least "
        "described_mean described_least"
    ).split()
)
"""Features that are also given beside the best candidate's, and as a rank."""
FEATURES = (
    *OWN,
    *(f"{OWN[at]}_behind" for at in COMPARED),
    *(f"{OWN[at]}_rank" for at in COMPARED),
)


def rows(
    instance: Instance,
    candidates: Sequence[str],
    memory: Memory,
    encode: Encode,
    known: KnownEntities,
    without: frozenset[int] = frozenset(),
) -> Floats:
    """A row for each candidate; `without` are sets of the memory to be forgotten.

    What a missing text would tell is unknown.
    """
    texts = [*candidates, ", ".join(instance.entities), *instance.entities]
    texts += [instance.context[:_CONTEXT], instance.title[:_TITLE]]
    vectors = memory.projected(encode(texts))
    own = vectors[: len(candidates)]
    whole, *singles = vectors[len(candidates) : -2]
    context, title = vectors[-2:]
    near = memory.sets @ whole
    if without:
        near = near.copy()
        near[list(without)] = -1.0
    remembered = _remembered(own, near, memory, without)
    each = own @ np.stack(singles).T
    sharing = [{int(one) for one in memory.holding(e)} - without for e in instance.entities]
    said = set(stems(f"{instance.context} {instance.title}"))
    text = 1.0 if said else math.nan
    told_of = [known.of(entity) for entity in instance.entities]
    facts = [one.words for one in told_of]
    found = []
    for at, candidate in enumerate(candidates):
        words = stems(candidate)
        named = [int(one) for one in memory.named(candidate) if one not in without]
        alike = [int(one) for one in memory.named_alike(candidate) if one not in without]
        told = [_share(words, fact) for fact in facts]
        heads = [float(bool(words) and words[-1] in fact) for fact in facts]
        found.append(
            [
                float(own[at] @ whole),
                float(each[at].mean()),
                float(each[at].min()),
                float(each[at].max()),
                float(own[at] @ context) if instance.context else math.nan,
                float(own[at] @ title) if instance.title else math.nan,
                math.log1p(len(named)),
                math.log1p(len(alike)),
                _overlap(sharing, named),
                _overlap(sharing, alike),
                max((float(near[one]) for one in named), default=0.0),
                max((float(near[one]) for one in alike), default=0.0),
                *remembered[at],
                len(words),
                len(candidate),
                len(instance.entities),
                text * _share(words, said),
                text * float(bool(words) and words[-1] in said),
                float(np.mean(told)),
                min(told),
                float(np.mean(heads)),
                min(heads),
                float(np.mean([bool(fact) for fact in facts])),
                *(float(instance.type == kind) for kind in TYPES),
            ]
        )
    parts = [
        np.array(found, dtype=np.float32),
        each_remembered(own, np.stack(singles), memory, without),
        described(own, told_of, memory, encode),
        traits(candidates, told_of),
        agreement(own),
    ]
    table = np.concatenate(parts, axis=1, dtype=np.float32)
    compared = table[:, COMPARED]
    ranks = compared.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    known_ranks = np.where(np.isnan(compared), np.nan, ranks)
    return np.concatenate(
        [table, compared - compared.max(axis=0), known_ranks], axis=1, dtype=np.float32
    )


def _remembered(
    own: Floats, near: Floats, memory: Memory, without: frozenset[int]
) -> list[tuple[float, float]]:
    """How near each candidate is to what named the nearest sets: the best, the best five's mean."""
    nearest = np.argsort(-near, kind="stable")[:_NEIGHBOURS]
    kept = [int(one) for one in nearest if one not in without and len(memory.set_phrases[int(one)])]
    if not kept:
        return [(0.0, 0.0)] * len(own)
    columns = [
        near[one] * (own @ memory.phrases[memory.set_phrases[one]].T).max(axis=1) for one in kept
    ]
    scores: npt.NDArray[np.float32] = np.sort(np.stack(columns, axis=1), axis=1)[:, ::-1]
    return [(float(row[0]), float(row[:_NEAREST].mean())) for row in scores]


def _overlap(sharing: Sequence[set[int]], sets: Sequence[int]) -> float:
    """The share of the entities that one of the sets holds."""
    return float(np.mean([not one.isdisjoint(sets) for one in sharing]))


def _share(words: Sequence[str], among: set[str] | frozenset[str]) -> float:
    return sum(word in among for word in words) / max(1, len(words))


_LOOKED_AT = 40
_ALSO_HELD = 20
_ALIKE = 4


def each_remembered(
    own: Floats, singles: Floats, memory: Memory, without: frozenset[int]
) -> Floats:
    """How near each candidate is to what named sets that hold a similar entity.

    Mean and least over the entities, of the best and of the best five's mean.
    """
    near = own @ memory.phrases.T
    best, several = [], []
    for similar in singles @ memory.entities.T:
        scores = _entity(near, similar, memory, without)
        best.append(scores[:, 0])
        several.append(scores[:, :_NEAREST].mean(axis=1))
    one, five = np.stack(best, axis=1), np.stack(several, axis=1)
    return np.stack([one.mean(axis=1), one.min(axis=1), five.mean(axis=1), five.min(axis=1)], 1)


def _entity(near: Floats, similar: Floats, memory: Memory, without: frozenset[int]) -> Floats:
    columns: list[Floats] = []
    for other in np.argsort(-similar, kind="stable")[:_LOOKED_AT]:
        held = [int(one) for one in memory.entity_sets[int(other)] if one not in without]
        phrases = [at for one in held for at in memory.set_phrases[one]]
        if phrases:
            columns.append(similar[other] * near[:, phrases].max(axis=1))
        if len(columns) == _ALSO_HELD:
            break
    if not columns:
        return np.zeros((len(near), 1), dtype=np.float32)
    return np.sort(np.stack(columns, axis=1), axis=1)[:, ::-1]


def described(own: Floats, told: Sequence[EntityFacts], memory: Memory, encode: Encode) -> Floats:
    """How near each candidate is to the entities' descriptions, mean and least; else unknown."""
    texts = [one.description for one in told if one.description]
    if not texts:
        return np.full((len(own), 2), np.nan, dtype=np.float32)
    near = own @ memory.projected(encode(texts)).T
    return np.stack([near.mean(axis=1), near.min(axis=1)], axis=1)


def traits(candidates: Sequence[str], told: Sequence[EntityFacts]) -> Floats:
    """Whether facts allow to call the entities so: head noun and all words, mean and least.

    Unknown where no entity has traits; entities without any do not count.
    """
    known = [one.traits for one in told if one.traits]
    if not known:
        return np.full((len(candidates), 4), np.nan, dtype=np.float32)
    rows = []
    for candidate in candidates:
        words = stems(candidate)
        heads = [float(bool(words) and words[-1] in one) for one in known]
        shares = [sum(word in one for word in words) / max(1, len(words)) for one in known]
        rows.append((np.mean(heads), min(heads), np.mean(shares), min(shares)))
    return np.array(rows, dtype=np.float32)


def agreement(own: Floats) -> Floats:
    """How near each candidate is to the nearest other, and to the nearest four."""
    near = own @ own.T
    np.fill_diagonal(near, -1.0)
    ordered = np.sort(near, axis=1)[:, ::-1]
    return np.stack([ordered[:, 0], ordered[:, :_ALIKE].mean(axis=1)], axis=1)
