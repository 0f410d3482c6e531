"""What the ranker is told of a candidate: one row of numbers each."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tatian.aggregation.data.records import TYPES, Instance
from tatian.aggregation.models.remembering.facts import Known
from tatian.aggregation.models.remembering.memory import Encode, Floats, Memory, stems
from tatian.aggregation.models.remembering.single import (
    agreement,
    described,
    each_remembered,
    traits,
)

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
    known: Known,
    without: frozenset[int] = frozenset(),
) -> Floats:
    """A row for each candidate; `without` are sets of the memory to be forgotten."""
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
                float(own[at] @ context),
                float(own[at] @ title),
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
                _share(words, said),
                float(bool(words) and words[-1] in said),
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
    return np.concatenate(
        [table, compared - compared.max(axis=0), ranks.astype(np.float32)], axis=1
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
