"""Agreement of the relations that Tatian finds with human unions.

    python benchmarks/union_relations.py [--data DIR] [--split eval|train] [--format ...]

There is no dataset of relations between spans, but unions are evidence. Of two equivalent phrases a
union keeps one; of a specific and a general one, the specific; and all that only one sentence says.
A phrase counts as kept if the union has at least half of the content words that distinguish it from
the other. The counts of paraphrastic relations are compared with those that people counted (Hirsch
et al. 2023, §5.3).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from data_folder import DATA
from tatian import Pipeline
from tatian.errors import TatianError
from tatian.statistics import Cell, Column, Score, Table
from tatian.text import Document, tokenize
from tatian.text.content import concepts
from tatian.union.data import UnionInstance, read
from tatian.union.relations import RelatedPart, Relation, relate
from union_sets import as_passages

BY_PEOPLE = {"entailment": 17.0, "equivalence": 21.0}
"""Relations per ten pairs, in the authors' sample of 30."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--split", choices=["eval", "train"], default="eval")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    try:
        unions = read(options.data / "union" / f"{options.split}.csv")
        for table in relation_tables(unions, Pipeline.for_sentences().process):
            print(table.render(options.format))
    except TatianError as error:
        sys.exit(f"error: {error}")


def relation_tables(
    unions: Sequence[UnionInstance], prepare: Callable[[Document], Document]
) -> tuple[Table, Table]:
    """Tabulate the relations per ten pairs, and how far the unions confirm them."""
    related = []
    for instance in unions:
        first, second = as_passages((instance.sentences[0], instance.sentences[1]), prepare)
        related.append((relate(first, second).rows, instance))
    return count_table(related), agreement_table(related)


Found = Sequence[tuple[Sequence[Relation], UnionInstance]]


def count_table(related: Found) -> Table:
    """Tabulate relations per ten pairs; the paraphrastic ones beside people's counts."""
    kinds: dict[str, Callable[[Relation], bool]] = {
        "equivalence": lambda row: row.kind == "equivalent",
        "entailment": lambda row: row.kind in ("entails", "entailed"),
        "said by one sentence only": lambda row: row.kind == "disjoint",
    }
    rows: list[Sequence[Cell]] = []
    for name, wanted in kinds.items():
        every = [10.0 * sum(map(wanted, rows)) for rows, _ in related]
        differing = [
            10.0 * sum(wanted(row) and row.paraphrastic for row in rows) for rows, _ in related
        ]
        paraphrastic = None if name.startswith("said") else Score.of(name, differing)
        rows.append((name, Score.of(name, every), paraphrastic, BY_PEOPLE.get(name)))
    columns = ["relation", Column("all", 1), Column("paraphrastic", 1), Column("by people", 0)]
    return Table.of(columns, rows, f"Relations per 10 pairs, {len(related)} pairs")


def agreement_table(related: Found) -> Table:
    """Tabulate whether the unions keep what the relations predict."""
    once: list[float] = []
    specific: list[float] = []
    longer: list[float] = []
    added: list[float] = []
    alone: list[float] = []
    apart: list[float] = []
    for relations, instance in related:
        union = _said(instance.merged or "")
        ours_only = [
            _said(_text(row.first)) for row in relations if row.kind == "disjoint" and row.first
        ]
        theirs_only = [
            _said(_text(row.second)) for row in relations if row.kind == "disjoint" and row.second
        ]
        apart.extend(
            float(not (_kept(ours, union) and _kept(theirs, union)))
            for ours in ours_only
            for theirs in theirs_only
        )
        for row in relations:
            if row.kind == "disjoint":
                alone.extend(float(word in union) for word in _said(_text(row.first or row.second)))
                continue
            ours, theirs = _said(_text(row.first)), _said(_text(row.second))
            kept = _kept(ours - theirs, union), _kept(theirs - ours, union)
            if row.paraphrastic and None not in kept:
                once.append(float(kept != (True, True)))
                if row.kind != "equivalent" and kept[0] != kept[1]:
                    specific.append(float(kept[0] == (row.kind == "entails")))
                    ahead = len(_text(row.first)) > len(_text(row.second))
                    longer.append(float(kept[0] == ahead))
            elif row.kind != "equivalent":
                more = kept[0] if row.kind == "entails" else kept[1]
                added.extend([float(more)] if more is not None else [])
    rows: list[Sequence[Cell]] = [
        ("paraphrases: the union keeps only one of them", *_score(once)),
        ("any two phrases that are kept apart (baseline)", *_score(apart)),
        ("of paraphrases, the one that entails the other", *_score(specific)),
        ("of paraphrases, the longer one (baseline)", *_score(longer)),
        ("a phrase with added words: the union keeps them", *_score(added)),
        ("words of one sentence only: the union keeps them", *_score(alone)),
    ]
    columns = ["what the relations say", Column("per cent", 1, scale=100), "cases"]
    return Table.of(columns, rows, "Borne out by the unions that people wrote")


def _score(values: Sequence[float]) -> tuple[Cell, Cell]:
    return (Score.of("agreement", values) if values else None), len(values)


def _text(part: RelatedPart | None) -> str:
    return part.text if part else ""


def _said(text: str) -> set[str]:
    return set(concepts(token.text for token in tokenize(text)))


def _kept(words: set[str], union: set[str]) -> bool | None:
    return len(words & union) >= len(words) / 2 if words else None


if __name__ == "__main__":
    main()
