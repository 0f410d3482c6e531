"""How commands print examples: in colours on a terminal, plain anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tatian.cli.common import STREAM, console, wants_colour, write

if TYPE_CHECKING:
    from tatian.aggregation.views import Example


def show_examples(shown: Sequence[Example], output: str = STREAM) -> None:
    """Print examples, or write them to a file."""
    from tatian.aggregation.views import print_examples, to_text

    if output == STREAM and wants_colour(sys.stdout):
        print_examples(shown, console(sys.stdout))
    else:
        write(to_text(shown), output)
