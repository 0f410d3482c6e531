"""``tatian models``: what there is to choose from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import examples, format_option, print_table, write

if TYPE_CHECKING:
    from tatian.registry import Registry


def registries() -> list[Registry[Any]]:
    """One registry per step, in the order the steps run."""
    from tatian.aggregation.models import aggregators
    from tatian.analysis import analysers
    from tatian.coreference.models import resolvers
    from tatian.mentions.models import detectors
    from tatian.union.models import mergers

    return [analysers, detectors, resolvers, aggregators, mergers]


@click.group(epilog=examples("tatian models list"))
def models() -> None:
    """The models of every step."""


@models.command("list", epilog=examples("tatian models list", "tatian models list --format json"))
@format_option
def list_models(form: str) -> None:
    """List every model: Tatian's own, and those of other installed packages.

    Give a NAME of step 'union' to --model; a star marks the default of each step.
    """
    from tatian.statistics import Table

    listed = [one for registry in registries() for one in registry.describe()]
    if form == "json":
        write(json.dumps([one._asdict() for one in listed], ensure_ascii=False, indent=2))
        return
    rows = [
        [
            one.step,
            one.name + ("*" if one.default else ""),
            one.problem or one.description,
            one.licence or "–",
        ]
        for one in listed
    ]
    print_table(Table.of(["step", "name", "description", "licence"], rows))
