"""``tatian union marks``: how good unions are by the words that experts marked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import examples, format_option, print_table, quiet_option, say, write
from tatian.cli.union.reading import read_marks

if TYPE_CHECKING:
    from tatian.union.metrics import Quality


@click.command(
    epilog=examples(
        "tatian union marks marks.jsonl",
        "tatian union marks ours=marks.jsonl earlier=others.jsonl --format json",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="[NAME=]FILE...")
@format_option
@quiet_option
def marks(files: tuple[str, ...], form: str, quiet: bool) -> None:
    """Summarise experts' marks: coverage, faithfulness and redundancy of a sample of unions.

    FILE is JSONL with id, sentences, merged, and the missing, unfaithful and redundant words as
    offsets, as a marking campaign exports it. Each file is a row; where lines name a dataset, each
    dataset is.
    """
    from tatian.union.metrics import quality

    found = {name: quality(given) for name, given in read_marks(files, quiet).items()}
    if form == "json":
        write(json.dumps({name: _plain(one) for name, one in found.items()}, indent=2))
        return
    _print(found, quiet)


def _plain(one: Quality) -> dict[str, Any]:
    scores = {name: score.to_json() for name, score in one.scores.items()}
    return {"scores": scores, "unions": one.unions, "words": one.words, "issues": one.issues}


def _print(found: dict[str, Quality], quiet: bool) -> None:
    from tatian.union.metrics import quality_table

    print_table(quality_table(found))
    if quiet:
        return
    for name, one in found.items():
        counted = ", ".join(f"{kind} {count}" for kind, count in one.issues.items())
        say("note", f"{name}: unions with a mark, of {one.unions}: {counted}")
