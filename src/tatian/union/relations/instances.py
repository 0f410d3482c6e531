"""The relations between all sentences of an instance, two by two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct

from tatian.text import Document
from tatian.union.data import Instance
from tatian.union.generate import passages
from tatian.union.relations import Knowledge, Relations, relate


class Related(Struct, frozen=True):
    """Two sentences of an instance, and how what they say is related."""

    id: str
    numbers: tuple[int, int]
    """Which sentences of the instance they are, from 1."""
    sentences: tuple[str, str]
    relations: Relations

    def to_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`; offsets are into the sentences."""
        return {
            "id": self.id,
            "numbers": list(self.numbers),
            "sentences": list(self.sentences),
            "relations": msgspec.to_builtins(self.relations.rows),
        }


def relate_all(
    instances: Iterable[Instance],
    *,
    prepare: Callable[[Document], Document],
    knowledge: Knowledge | None = None,
) -> Iterator[Related]:
    """The relations of each pair of sentences.

    `prepare` is ``tatian.Pipeline.for_sentences().process``.
    """
    for instance in instances:
        every = list(enumerate(passages(instance, prepare), 1))
        for (one, first), (other, second) in combinations(every, 2):
            found = relate(first, second, knowledge=knowledge)
            yield Related(instance.id, (one, other), (first.text, second.text), found)
