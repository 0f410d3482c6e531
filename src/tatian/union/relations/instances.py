"""The relations between all sentences of an instance, two by two, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tatian.text import Document
from tatian.union.data import Instance
from tatian.union.generate import passages
from tatian.union.relations import SYMBOLS, Kind, Knowledge, Relation, Relations, relate

if TYPE_CHECKING:
    from tatian.statistics import Table


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


ORDER: tuple[Kind, ...] = ("entailed", "entails", "equivalent", "disjoint")
"""As Figure 2 orders them."""


class Row(Struct, frozen=True):
    """A row as people read it."""

    first: str
    second: str
    why: str = ""
    paraphrastic: bool = False


def label(kind: Kind, first: int, second: int) -> str:
    """What a relation is called, between the sentences of these numbers."""
    return {
        "entailed": f"S{second} entails S{first}",
        "entails": f"S{first} entails S{second}",
        "equivalent": f"S{first} equivalent to S{second}",
        "disjoint": "disjoint",
    }[kind]


def sections(related: Related) -> Iterator[tuple[Kind, list[Row]]]:
    """The rows of each relation there is; disjoint parts stand side by side."""
    for kind in ORDER:
        rows = related.relations.of(kind)
        if kind == "disjoint":
            ours = [one.first.text for one in rows if one.first is not None]
            theirs = [one.second.text for one in rows if one.second is not None]
            shown = [Row(*pair) for pair in zip_longest(ours, theirs, fillvalue="")]
        else:
            shown = [_row(one) for one in rows]
        if shown:
            yield kind, shown


def _row(relation: Relation) -> Row:
    first, second = (part.text if part else "" for part in (relation.first, relation.second))
    return Row(first, second, relation.why, relation.paraphrastic)


def to_table(related: Related) -> Table:
    """The relations as a table for the terminal; ``≈`` marks other words for the same."""
    from tatian.statistics import Table

    one, other = related.numbers
    rows = []
    for kind, shown in sections(related):
        name = f"{label(kind, one, other)} {SYMBOLS[kind]}"
        for row in shown:
            why = f"≈ {row.why}" if row.paraphrastic else row.why
            rows.append((name, row.first, row.second, why))
            name = ""
    return Table.of(["relation", f"S{one}", f"S{other}", "why"], rows)
