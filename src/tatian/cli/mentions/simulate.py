"""``tatian mentions simulate``: text as a recogniser of speech would give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    output_option,
    quiet_option,
    say,
    seed_option,
)
from tatian.cli.mentions.reading import from_option, note_form, read_plain, write_jsonl
from tatian.mentions.simulation import Rates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tatian.mentions.data import LinkedText


@click.command(
    epilog=examples(
        "tatian mentions simulate gold.jsonl --seed 7 -o asr.jsonl",
        "tatian mentions simulate speech.txt --rate homophones=0.3 --rate dropped=0",
        "tatian mentions simulate gold.jsonl --transcript",
    )
)
@click.argument("file", type=any_path)
@seed_option
@click.option(
    "--transcript",
    is_flag=True,
    help="As people write it down: no capitals or numerals, with stops and commas.",
)
@click.option(
    "--rate",
    "rates",
    multiple=True,
    metavar="NAME=RATE",
    help=f"How often, from 0 to 1; repeatable. Names: {', '.join(Rates.__struct_fields__)}.",
)
@from_option
@output_option
@quiet_option
def simulate(
    file: str,
    seed: int,
    transcript: bool,
    rates: tuple[str, ...],
    origin: str | None,
    output: str,
    quiet: bool,
) -> None:
    """Make recognised speech of the texts of FILE, their mentions where they then truly are.

    FILE has linked mentions, or is plain text, where each line is a text. Rates go from 0 (never)
    to 1 (always); those not given are those of a recogniser of middling quality.
    """
    from msgspec.structs import replace

    from tatian.mentions.simulation import simulate as make

    keep_inputs(output, (file,))
    if not quiet:
        note_form(output)
    chosen = replace(Rates.transcript() if transcript else Rates(), **dict(map(_rate, rates)))
    chosen.__post_init__()
    lost = 0

    def heard() -> Iterator[LinkedText]:
        nonlocal lost
        for text in read_plain(file, origin):
            found = make(text, chosen, seed=seed)
            lost += len(found.vanished)
            yield found.text

    write_jsonl(heard(), output)
    if lost and not quiet:
        say("note", f"mentions of which nothing is left: {lost}")


def _rate(given: str) -> tuple[str, float]:
    name, _, rate = given.partition("=")
    try:
        if name in Rates.__struct_fields__:
            return name, float(rate)
    except ValueError:
        pass
    raise click.UsageError(f"--rate '{given}': give a name and a number, such as dropped=0.1")
