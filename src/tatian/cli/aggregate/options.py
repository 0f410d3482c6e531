"""Options that aggregate commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tatian.aggregation.data.rules import INSTANCE_ANSWERS, WORKER_ASSIGNMENTS

F = TypeVar("F", bound=Callable[..., Any])


def lenient_option(command: F) -> F:
    """Add ``--lenient``, which leaves out lines that cannot be used."""
    text = "Leave out lines that cannot be used, and count them, instead of stopping at the first."
    return click.option("--lenient", is_flag=True, help=text)(command)


def checkpoint_option(command: F) -> F:
    """Add ``--checkpoint``, which names the weights of models that have none of their own."""
    text = "An encoder-decoder for 'pretrained', 'generative' or 'discriminative': name or folder."
    return click.option("--checkpoint", metavar="NAME", help=text)(command)


def threshold_options(command: F) -> F:
    """Add ``--assignments`` and ``--at-least``, whom and what the clean-up of answers keeps."""
    assignments = click.option(
        "--assignments",
        type=click.IntRange(min=1),
        default=WORKER_ASSIGNMENTS,
        show_default=True,
        metavar="N",
        help="Discard workers with fewer answers.",
    )
    at_least = click.option(
        "--at-least",
        type=click.IntRange(min=1),
        default=INSTANCE_ANSWERS,
        show_default=True,
        metavar="N",
        help="Discard instances that fewer annotators named.",
    )
    return assignments(at_least(command))
