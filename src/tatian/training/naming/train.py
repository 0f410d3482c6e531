"""Every set is ranked by the memory of other documents' sets, as a new one will be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.remembering.facts import Known
from tatian.aggregation.models.remembering.features import FEATURES, rows
from tatian.aggregation.models.remembering.memory import Encode, Floats, Memory
from tatian.aggregation.models.remembering.ranker import Encoder
from tatian.knowledge import open_base
from tatian.training.boosting import Boosting, Grown, forest, grow
from tatian.training.naming.labels import Label, labels, with_judgements
from tatian.trees import Trees

SEEDS = (1, 2, 3)
SETTINGS = Boosting(trees=350, leaves=15, rate=0.06, least=30, rows=0.6, columns=0.35, ridge=5.0)
MINED = 0.7
"""How much the forest counts that learned what was mined, beside the one that learned what is
right: of the phrases that are right, people write those first."""


def train(instances: Sequence[Instance], encode: Encode | None = None) -> tuple[Memory, Trees]:
    """The memory of `instances` and the trees that read it; facts come from the starter base."""
    encoder = encode or Encoder()
    known = Known(open_base("starter"))
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
