"""How commands print examples: in colours on a terminal, plain anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tatian.cli.common import STREAM, console, wants_colour, write
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.views import Example


def form_of(output: str, forms: Mapping[str, str]) -> str:
    """What the ending of a file's name asks for; text where it has none, or is no plain file."""
    ending = Path(output.lower().removesuffix(".gz")).suffix
    special = Path(output).exists() and not Path(output).is_file()
    if not ending or special:
        return "text"
    if ending not in forms:
        known = ", ".join(forms)
        raise InputError(f"no form for the ending '{ending}' ({known}): give --to", path=output)
    return forms[ending]


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 instance``, ``2 instances``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def show_examples(shown: Sequence[Example], output: str = STREAM) -> None:
    """Print examples, or write them to a file."""
    from tatian.aggregation.views import print_examples, to_text

    if output == STREAM and wants_colour(sys.stdout):
        print_examples(shown, console(sys.stdout))
    else:
        write(to_text(shown), output)
