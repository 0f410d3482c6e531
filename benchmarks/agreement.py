"""Agreement of two annotators on the facts of a bundle: the ceiling of the measures.

    python benchmarks/agreement.py             the second annotator of docs/readings/second
    python benchmarks/agreement.py FILE        another: JSONL with id, facts (text, sources), noise

Facts are paired, the most similar first. They must have a sentence in common, and half of the
content words of the shorter one. Coverage is the overlap of the sentences of paired facts; the
order is compared by Kendall's tau over the pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

import msgspec
from msgspec import Struct

from data_folder import DATA
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.statistics import Column, Table
from tatian.text.content import concepts

ROOT = Path(__file__).resolve().parent.parent
MIN_SHARED_SHARE = 0.5
"""Share of the shorter fact's words that the other must have."""


class SecondFact(Struct):
    """A fact in the second annotator's words."""

    text: str
    sources: tuple[str, ...]


class Annotation(Struct):
    """The second annotation of one bundle."""

    id: str
    facts: tuple[SecondFact, ...]
    noise: tuple[str, ...] = ()


def pair_facts(bundle: Bundle, second: Annotation) -> list[tuple[int, int]]:
    """Pair the facts of both annotators, each at most once."""
    first_words = [set(concepts(fact.text.split())) for fact in bundle.facts]
    second_words = [set(concepts(fact.text.split())) for fact in second.facts]
    rated = []
    for first, fact in enumerate(bundle.facts):
        for other_index, other in enumerate(second.facts):
            shared = first_words[first] & second_words[other_index]
            shorter = min(len(first_words[first]), len(second_words[other_index])) or 1
            if set(fact.sources) & set(other.sources) and len(shared) >= MIN_SHARED_SHARE * shorter:
                common = len(shared) / (len(first_words[first] | second_words[other_index]) or 1)
                rated.append((common, -first, -other_index))
    matches: dict[int, int] = {}
    for _, first, second_index in sorted(rated, reverse=True):
        if -first not in matches and -second_index not in matches.values():
            matches[-first] = -second_index
    return sorted(matches.items())


def kendall_tau(pairs: Sequence[tuple[int, int]]) -> float:
    """Return Kendall's tau-a of the two orders."""
    signs = [1 if earlier[1] < later[1] else -1 for earlier, later in combinations(pairs, 2)]
    return fmean(signs) if signs else 0.0


def bundle_row(bundle: Bundle, second: Annotation) -> tuple[str | float, ...]:
    """Return the agreement on one bundle."""
    pairs = pair_facts(bundle, second)
    marked = [(set(bundle.facts[n].sources), set(second.facts[m].sources)) for n, m in pairs]
    coverage = fmean(len(a & b) / len(a | b) for a, b in marked) if marked else 0.0
    noise, other_noise = set(bundle.noise), set(second.noise)
    main = [number for number, fact in enumerate(bundle.facts) if fact.main]
    matched = {n for n, _ in pairs}
    return (
        bundle.id,
        len(bundle.facts),
        len(second.facts),
        100 * len(pairs) / len(bundle.facts),
        100 * len(matched.intersection(main)) / len(main),
        100 * len(pairs) / len(second.facts),
        100 * coverage,
        100 * len(noise & other_noise) / max(1, len(noise | other_noise)),
        kendall_tau(pairs),
    )


COLUMNS = (
    Column("facts of the first", precision=1),
    Column("of the second", precision=1),
    Column("of the first's found, %", precision=1),
    Column("of importance 2 and 3, %", precision=1),
    Column("of the second's found, %", precision=1),
    Column("coverage, %", precision=1),
    Column("noise, %", precision=1),
    Column("tau", precision=2),
)


def main() -> None:
    """Print the table of agreement."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = ROOT / "docs" / "readings" / "second" / "facts.jsonl"
    parser.add_argument("annotation", nargs="?", type=Path, default=default)
    parser.add_argument("--bundles", type=Path, default=DATA / "consolidation" / "dev")
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    options = parser.parse_args()
    bundles = {bundle.id: bundle for bundle in read_bundles(str(options.bundles))}
    lines = options.annotation.read_text(encoding="utf-8").splitlines()
    seconds = [msgspec.json.decode(line, type=Annotation) for line in lines if line.strip()]
    rows = [bundle_row(bundles[annotation.id], annotation) for annotation in seconds]
    means = [fmean(float(cells[column]) for cells in rows) for column in range(1, len(rows[0]))]
    print(
        Table.of(["bundle", *COLUMNS], [*rows, ("mean", *means)], "Two annotators").render(
            options.format
        )
    )


if __name__ == "__main__":
    main()
