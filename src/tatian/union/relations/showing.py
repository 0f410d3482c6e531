"""The table of Figure 2: what each sentence says, by its relation to what the other says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.union.relations import SYMBOLS, Kind, Relation
from tatian.union.relations.instances import Related

if TYPE_CHECKING:
    from tatian.statistics import Table

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
