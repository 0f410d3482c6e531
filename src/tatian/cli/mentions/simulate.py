"""``tatian mentions simulate``: text as a recogniser of speech would give it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

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
from tatian.cli.mentions.options import from_option
from tatian.cli.mentions.plain import read_plain
from tatian.cli.mentions.reading import note_form, write_jsonl
from tatian.mentions.simulation import Rates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tatian.mentions.data import LinkedText

F = TypeVar("F", bound=Callable[..., Any])

_HELP = {
    "case": "words that lose their capitals",
    "stops": "stops, commas, question and exclamation marks lost",
    "marks": "other marks lost",
    "numbers": "numbers said in words",
    "acronyms": "acronyms spelt as u_k",
    "homophones": "words with a homophone, heard as it",
    "garbled": "words with one sound heard wrongly",
    "dropped": "words lost, five times as often small ones",
    "split": "long words heard as two",
    "merged": "blanks between words lost",
    "stray": "stops where no sentence ends",
    "fillers": 'words before which an "uh" is heard',
}


def _rate_options(command: F) -> F:
    for name in reversed(Rates.__struct_fields__):
        command = click.option(
            f"--{name}", type=float, metavar="RATE", help=f"How many {_HELP[name]}."
        )(command)
    return command


@click.command(
    epilog=examples(
        "tatian mentions simulate gold.jsonl --seed 7 -o asr.jsonl",
        "tatian mentions simulate speech.txt --homophones 0.3 --dropped 0",
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
@_rate_options
@from_option
@output_option
@quiet_option
def simulate(
    file: str,
    seed: int,
    transcript: bool,
    origin: str | None,
    output: str,
    quiet: bool,
    **rates: float | None,
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
    given = {name: rate for name, rate in rates.items() if rate is not None}
    chosen = replace(Rates.transcript() if transcript else Rates(), **given)
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
