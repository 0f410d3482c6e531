"""``tatian union ratings``: what judges say of systems, and which metrics agree with them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import (
    any_path,
    examples,
    format_option,
    print_table,
    progress_bar,
    quiet_option,
    say,
    write,
)
from tatian.cli.union.reading import (
    families,
    metric_options,
    read_instances,
    read_ratings,
    read_systems,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.statistics import Correlation
    from tatian.union.ratings import Opinion, Rating


@click.command(
    epilog=examples(
        "tatian union ratings judges.jsonl",
        "tatian union ratings judges.csv --gold eval.csv --predicted longer.csv "
        "--predicted mine=out.csv",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@click.option("--gold", type=any_path, metavar="FILE", help="Gold unions of the rated items.")
@click.option(
    "--predicted",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Unions of a rated system, to correlate metrics with ratings. May be given several times.",
)
@metric_options
@format_option
@quiet_option
def ratings(
    files: tuple[str, ...],
    gold: str | None,
    predicted: tuple[str, ...],
    no_nli: bool,
    nli_model: str | None,
    also: tuple[str, ...],
    form: str,
    quiet: bool,
) -> None:
    """Summarise judges' ratings: means with standard errors, and the lowest scores.

    FILE is JSONL of records or CSV with item, system, judge, coverage, faithfulness, redundancy and
    fluency. With --gold and --predicted, Kendall's tau says which metrics agree with the judges.
    """
    from tatian.union.ratings import agreement, opinions

    given = read_ratings(files, quiet)
    found, agreed = opinions(given), agreement(given)
    correlated = _correlated(given, gold, predicted, families(no_nli, also), nli_model, quiet=quiet)
    if form == "json":
        write(json.dumps(_plain(found, agreed, correlated), indent=2))
        return
    _print(found, agreed, correlated, quiet)


def _correlated(
    given: list[Rating],
    gold: str | None,
    predicted: tuple[str, ...],
    wanted: Any,
    nli_model: str | None,
    *,
    quiet: bool,
) -> dict[str, dict[str, Correlation]]:
    if (gold is None) != (not predicted):
        raise InputError("--gold and --predicted belong together: give both or neither")
    if gold is None:
        return {}
    from tatian.union.metrics import score
    from tatian.union.ratings import correlations

    instances = read_instances(gold, quiet)[0]
    with progress_bar(quiet=quiet) as progress:
        scores = {
            system: score(
                instances, unions, wanted, nli_model=nli_model, progress=progress, name=system
            )
            for system, unions in read_systems(predicted, quiet).items()
        }
    return correlations(given, scores)


def _plain(
    found: dict[str, Opinion],
    agreed: dict[Any, float],
    correlated: dict[str, dict[str, Correlation]],
) -> dict[str, Any]:
    return {
        "systems": {
            system: {
                "scores": {name: score.to_json() for name, score in one.scores.items()},
                "lowest": {str(score): count for score, count in one.lowest.items()},
                "lowest_shares": {str(score): share for score, share in one.shares.items()},
            }
            for system, one in found.items()
        },
        "agreement": {name: _finite(alpha) for name, alpha in agreed.items()},
        "correlations": {
            metric: {
                name: {"tau": _finite(one.tau), "p_value": _finite(one.p_value), "items": one.items}
                for name, one in row.items()
            }
            for metric, row in correlated.items()
        },
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _print(
    found: dict[str, Opinion],
    agreed: dict[Any, float],
    correlated: dict[str, dict[str, Correlation]],
    quiet: bool,
) -> None:
    from tatian.union.ratings import correlation_table, opinion_table

    print_table(opinion_table(found))
    if not quiet:
        say("note", "means ± standard error over items, * the best; lowest: per cent of ratings")
        if any(map(math.isfinite, agreed.values())):
            alphas = ", ".join(
                f"{name} {alpha:.2f}" for name, alpha in agreed.items() if math.isfinite(alpha)
            )
            say("note", f"agreement of judges (Krippendorff's alpha, ordinal): {alphas}")
    if correlated:
        write("")
        print_table(
            correlation_table(correlated, "Kendall's tau between metrics and judges († p < 0.05)")
        )
