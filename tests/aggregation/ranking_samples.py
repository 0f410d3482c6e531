"""A small world for the tests of rankers: word vectors in the plane, and sets to name."""

from __future__ import annotations

import numpy as np

from tatian.aggregation.data import Instance
from tatian.aggregation.models.logistic import Vector

PLANE = {
    "east": (1.0, 0.0),
    "north": (0.0, 1.0),
    "northeast": (1.0, 1.0),
    "poet": (0.0, 2.0),
    "city": (3.0, 0.0),
}


class PlaneVectors:
    """Words whose vectors a reader can add up in the head."""

    width = 2

    def vector(self, word: str) -> Vector | None:
        found = PLANE.get(word)
        return None if found is None else np.array(found, dtype=np.float32)

    def knows(self, word: str) -> bool:
        return word in PLANE or word == "river"


def named(
    at: int, gold: str, *others: str, type: str = "location", context: str = "", **background: str
) -> Instance:
    """An instance of two entities, Ada and Bela, with one gold phrase."""
    return Instance(
        f"n{at}",
        ("Ada", "Bela"),
        type,
        context=context,
        background=background,
        aggregations=(gold,),
        candidates=(*others, gold),
    )


def told(count: int) -> list[Instance]:
    """Instances whose gold phrase is the one that the context speaks of."""
    phrases = ("port cities", "river valleys", "mountain villages", "tropical islands")
    made = []
    for at in range(count):
        gold = phrases[at % 4]
        others = [one for one in phrases if one != gold]
        made.append(named(at, gold, *others, context=f"Ada and Bela, {gold}, met in {at}."))
    return made
