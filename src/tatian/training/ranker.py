"""Every set is ranked by the memory of other documents' sets, as a new one will be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from tatian.aggregation.data.jsonl import read
from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.boosted import Encoder, save
from tatian.aggregation.models.boosted.features import FEATURES, KnownEntities, rows
from tatian.aggregation.models.boosted.memory import Encode, Floats, Memory, stems
from tatian.knowledge.base import open_base
from tatian.training.forest import Boosting, Grown, forest, grow
from tatian.trees import Trees

Label = tuple[bool, float]
"""Whether a candidate is right, and how much that counts."""
_JUDGED = Path(__file__).with_name("judged.json")
_UNREAD = 0.3
_SAYS_LESS = 0.7
_SAME_HEAD = 0.2


@cache
def judged() -> Mapping[str, tuple[int, ...]]:
    """The right candidates by place, of the instances that were read."""
    found: dict[str, tuple[int, ...]]
    found = msgspec.json.decode(_JUDGED.read_bytes(), type=dict[str, tuple[int, ...]])
    return found


def with_judgements(instance: Instance) -> Instance:
    """The instance with all phrases that a judge found right; as it was if none has read it."""
    places = judged().get(instance.id)
    if places is None or max(places) >= len(instance.candidates):
        return instance
    return replace(instance, aggregations=tuple(instance.candidates[at] for at in places))


def labels(instance: Instance) -> list[Label]:
    """One for each candidate of an instance that `with_judgements` gave."""
    right = set(instance.aggregations)
    if instance.id in judged():
        return [(candidate in right, 1.0) for candidate in instance.candidates]
    named = [stems(phrase) for phrase in instance.aggregations]
    return [
        _guessed(candidate in right, stems(candidate), named) for candidate in instance.candidates
    ]


def _guessed(mined: bool, words: Sequence[str], named: Sequence[Sequence[str]]) -> Label:
    alike = [phrase for phrase in named if words and phrase and phrase[-1] == words[-1]]
    if mined:
        return True, _UNREAD
    if any(set(words) <= set(phrase) for phrase in alike):
        return True, _UNREAD * _SAYS_LESS
    return False, _UNREAD * (_SAME_HEAD if alike else 1.0)


SEEDS = (1, 2, 3)
SETTINGS = Boosting(trees=350, leaves=15, rate=0.06, least=30, rows=0.6, columns=0.35, ridge=5.0)
MINED = 0.7
"""How much the forest counts that learned what was mined, beside the one that learned what is
right: of the phrases that are right, people write those first."""


def train(instances: Sequence[Instance], encode: Encode | None = None) -> tuple[Memory, Trees]:
    """The memory of `instances` and the trees that read it; facts come from the starter base."""
    encoder = encode or Encoder()
    known = KnownEntities(open_base("starter"))
    read = [with_judgements(one) for one in instances]
    memory = Memory.of(read, encoder)
    tables = [
        rows(one, one.candidates, memory, encoder, known, without=beside)
        for one, beside in zip(read, of_one_document(read), strict=True)
    ]
    matrix = np.concatenate(tables)
    judged = [label for one in read for label in labels(one)]
    mined = [
        (candidate in one.aggregations, 1.0) for one in instances for candidate in one.candidates
    ]
    parts = [(_grown(matrix, judged, seed), 1 / len(SEEDS)) for seed in SEEDS]
    parts += [(_grown(matrix, mined, seed), MINED / len(SEEDS)) for seed in SEEDS]
    return memory, forest(parts, FEATURES)


def of_one_document(instances: Sequence[Instance]) -> list[frozenset[int]]:
    """For each set the places of those from the same document, itself among them."""
    places: dict[str, set[int]] = {}
    for at, one in enumerate(instances):
        places.setdefault(one.source or one.id, set()).add(at)
    return [frozenset(places[one.source or one.id]) for one in instances]


def _grown(matrix: Floats, labelled: Sequence[Label], seed: int) -> Grown:
    return grow(
        matrix,
        np.array([right for right, _ in labelled], dtype=bool),
        weights=np.array([weight for _, weight in labelled], dtype=np.float32),
        settings=replace(SETTINGS, seed=seed),
    )


def run_ranker(options: Any) -> None:
    """The step ``ranker``."""
    instances = list(read(options.task))
    memory, trees = train(instances)
    save(options.out, memory, trees)
    print(f"{len(instances)} sets and their trees in {options.out}")
