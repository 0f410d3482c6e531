"""Options that the commands which measure unions share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from tatian.union.metrics import Family

F = TypeVar("F", bound=Callable[..., Any])


def metric_options(command: F) -> F:
    """Add ``--no-nli``, ``--nli-model`` and ``--with``."""
    for option in (
        click.option(
            "--with",
            "also",
            type=click.Choice(["novelty", "definition"]),
            multiple=True,
            help="Also measure novel words, pairs and triples, or whether the union entails its "
            "sources and they entail it. May be given twice.",
        ),
        click.option(
            "--nli-model",
            metavar="NAME",
            help="Entailment model of a hub, by name or path; by default the shipped one.",
        ),
        click.option("--no-nli", is_flag=True, help="Leave out entailment, which takes seconds."),
    ):
        command = option(command)
    return command


def families(no_nli: bool, also: tuple[str, ...]) -> tuple[Family, ...]:
    """The families of metrics that the options ask for."""
    from tatian.union.metrics import FAMILIES, USUAL

    return tuple(
        family
        for family in FAMILIES
        if (family in USUAL and not (no_nli and family == "nli")) or family in also
    )
