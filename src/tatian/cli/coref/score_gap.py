"""``tatian coref score`` on GAP files, which have figures of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tatian.cli.common import print_table, say, write
from tatian.cli.coref.data import Source, read_source
from tatian.scoring.gap import GROUPS, GapScores, score_gap

if TYPE_CHECKING:
    from tatian.statistics import Comparison


def score_gap_files(gold: Source, response: str, other: str | None, form: str, quiet: bool) -> None:
    """Score one system, or compare two."""
    found = _score(gold, response, quiet)
    comparison = _compare(found, _score(gold, other, quiet)) if other else None
    if form == "json":
        plain = found.to_json()
        score = found.score()
        plain["standard_error"] = score.standard_error
        plain["signature"] = str(score.signature)
        if comparison is not None:
            import msgspec

            plain["comparison"] = msgspec.to_builtins(comparison)
        write(json.dumps(plain, indent=2))
        return
    _print(found)
    if comparison is not None:
        write(str(comparison))


def _score(gold: Source, path: str, quiet: bool) -> GapScores:
    system = read_source(path)
    found = score_gap(gold.text, system.text, gold_path=gold.name, system_path=system.name)
    if found.missing and not quiet:
        lacking = f"examples that {system.name} lacks: {found.missing}"
        say("warning", f"{lacking}; both names of each count as missed")
    return found


def _compare(first: GapScores, second: GapScores) -> Comparison:
    from tatian.statistics import paired_bootstrap

    return paired_bootstrap(first.score(), second.score())


def _print(found: GapScores) -> None:
    from tatian.statistics import Cell, Column, Table

    rows: list[list[Cell]] = [
        [group, *found.rates(group), found.accuracy(group)] for group in GROUPS
    ]
    names = ("recall", "precision", "f1", "accuracy")
    print_table(Table.of(["pronouns", *(Column(name, scale=100) for name in names)], rows))
    bias = "-" if found.bias is None else f"{found.bias:.2f}"
    write(f"bias (feminine/masculine F1): {bias}")
