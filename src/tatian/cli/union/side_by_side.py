"""``tatian union side-by-side``: several systems' unions in one file, for judges."""

from __future__ import annotations

import click
import msgspec

from tatian.cli.common import any_path, examples, keep_inputs, output_option, quiet_option, write
from tatian.cli.union.reading import read_instances, read_systems


@click.command(
    name="side-by-side",
    epilog=examples(
        "tatian union side-by-side gold.csv longer.csv mine=out.csv -o items.jsonl",
    ),
)
@click.argument("gold", type=any_path)
@click.argument("predicted", nargs=-1, required=True, metavar="[NAME=]PREDICTED...")
@output_option
@quiet_option
def side_by_side(gold: str, predicted: tuple[str, ...], output: str, quiet: bool) -> None:
    """Put several systems' unions of the same sentences side by side, for people to judge.

    GOLD holds the reference unions, each PREDICTED the unions of one system, as 'union generate'
    writes them. Prints JSONL that a campaign of the task 'union.judge' reads.
    """
    from tatian.union.ratings import side_by_side as put

    keep_inputs(output, (gold, *(one.partition("=")[2] or one for one in predicted)))
    found = put(read_instances(gold, quiet)[0], read_systems(predicted, quiet))
    write("".join(msgspec.json.encode(one).decode() + "\n" for one in found), output)
