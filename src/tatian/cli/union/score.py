"""``tatian union score``: how good unions are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import print_table, progress_bar, say, write
from tatian.cli.options import any_path, examples, format_option, quiet_option
from tatian.cli.union.reading import families, metric_options, read_instances

if TYPE_CHECKING:
    from tatian.statistics import Score
    from tatian.union.data import Instance


@click.command(
    epilog=examples(
        "tatian union score eval.csv predicted.csv",
        "tatian union score eval.csv predicted.csv --with definition --errors",
        "tatian union generate eval.csv | tatian union score eval.csv - --format json",
    )
)
@click.argument("gold", type=any_path)
@click.argument("predicted", type=any_path)
@metric_options
@click.option("--errors", is_flag=True, help="Also count the kinds of errors, estimated.")
@click.option("--items", is_flag=True, help="In JSON, also the values of each item.")
@format_option
@quiet_option
def score(
    gold: str,
    predicted: str,
    no_nli: bool,
    nli_model: str | None,
    also: tuple[str, ...],
    errors: bool,
    items: bool,
    form: str,
    quiet: bool,
) -> None:
    """Score predicted unions against gold ones, both as 'union generate' reads them.

    ROUGE-1, -2 and -L (F-measure, stemmed); the share of unions that entail the gold one and are
    entailed by it (nli); the compression difference: its mean says whether too much was left out
    (above zero) or kept, its mean absolute value how much; and coverage, faithfulness and
    redundancy estimated from content words. JSON holds fractions of 1 with standard errors and 95%
    bootstrap intervals.
    """
    from tatian.union.metrics import score as measure

    wanted, guesses = read_instances(gold, quiet)[0], read_instances(predicted, quiet)[0]
    empty = sum(not guess.merged for guess in guesses)
    if empty and not quiet:
        say("warning", f"unions that are empty in {predicted}: {empty} of {len(guesses)}")
    with progress_bar(quiet=quiet) as progress:
        scores = measure(
            wanted,
            guesses,
            families(no_nli, also),
            nli_model=nli_model,
            progress=progress,
            name=predicted,
        )
    if form == "json":
        found = _plain(scores)
        if errors:
            found["errors"] = _counted(guesses)
        if items:
            found["items"] = _items(scores)
        write(json.dumps(found, indent=2))
        return
    _print(scores, quiet)
    if errors:
        from tatian.union.metrics import error_table
        from tatian.union.metrics import errors as find

        write("")
        print_table(error_table(find(one.sentences, one.merged or "") for one in guesses))


def _plain(scores: dict[str, Score]) -> dict[str, Any]:
    whole = {name: score.to_json() for name, score in scores.items()}
    return {
        **{name: one["value"] for name, one in whole.items()},
        **{
            f"{part}s": {name: one[part] for name, one in whole.items()}
            for part in ("standard_error", "interval", "signature")
        },
    }


def _counted(guesses: list[Instance]) -> list[dict[str, Any]]:
    from tatian.union.metrics import error_table
    from tatian.union.metrics import errors as find

    rows: list[dict[str, Any]] = error_table(
        find(one.sentences, one.merged or "") for one in guesses
    ).to_json()["rows"]
    return rows


def _items(scores: dict[str, Score]) -> list[dict[str, Any]]:
    first = next(iter(scores.values()))
    return [
        {"id": id, **{name: one.values[index] for name, one in scores.items()}}
        for index, id in enumerate(first.ids)
    ]


def _print(scores: dict[str, Score], quiet: bool) -> None:
    from tatian.statistics import Column, Table

    columns = [Column(name, scale=100, signed=name == "delta_cr", precision=1) for name in scores]
    print_table(Table.of(columns, [list(scores.values())]))
    if not quiet:
        items = scores["rouge1"].signature.items
        say("note", f"per cent ± standard error over {items} items")
