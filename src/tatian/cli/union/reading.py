"""Reading what the union commands work on: instances, predictions by system, ratings, marks."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tatian.cli.common import by_name, warner
from tatian.errors import EmptyInput

if TYPE_CHECKING:
    from tatian.union.data import Format, UnionInstance
    from tatian.union.metrics import MarkedUnion
    from tatian.union.ratings import Rating


def read_text(path: str, quiet: bool) -> tuple[str, str]:
    """The text of a file or of standard input, plain or gzipped, and what errors call it."""
    from tatian.corpora.decoding import decode
    from tatian.text.streams import open_stream

    warn = warner(quiet)
    with open_stream(path) as stream:
        return decode(stream.read(), stream.name, warn), stream.name


def read_instances(path: str, quiet: bool) -> tuple[list[UnionInstance], Format]:
    """Instances from a file or standard input, plain or gzipped, CSV or JSONL."""
    found, form, _ = read_numbered(path, quiet)
    return [instance for _, instance in found], form


def read_numbered(path: str, quiet: bool) -> tuple[list[tuple[int, UnionInstance]], Format, str]:
    """As `read_instances`, each instance with its line; and what errors call the file."""
    from tatian.union import data

    text, name = read_text(path, quiet)
    form: Format = "jsonl" if text.lstrip("\ufeff \t\r\n").startswith("{") else "csv"
    found = list(data.numbered(io.StringIO(text, newline=""), form, path=name))
    if not found:
        raise EmptyInput("no sentences in it", path=name)
    return found, form, name


def read_ratings(paths: Iterable[str], quiet: bool) -> list[Rating]:
    """The ratings of several files together."""
    from tatian.union.ratings import parse

    found: list[Rating] = []
    for path in paths:
        text, name = read_text(path, quiet)
        found += parse(text, path=name)
    return found


def read_marks(given: Iterable[str], quiet: bool) -> dict[str, list[MarkedUnion]]:
    """Marked unions by dataset: as their lines say, otherwise by the file's name."""
    from tatian.union.metrics import parse_marks

    found: dict[str, list[MarkedUnion]] = {}
    for name, path in by_name(given, "datasets").items():
        text, called = read_text(path, quiet)
        for one in parse_marks(text, path=called):
            found.setdefault(one.dataset or name, []).append(one)
    return found


def read_systems(given: Iterable[str], quiet: bool) -> dict[str, list[UnionInstance]]:
    """Predictions by the name of their system: ``NAME=FILE``, or a file under its own name."""
    return {name: read_instances(path, quiet)[0] for name, path in by_name(given).items()}


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


def metric_names(no_nli: bool, also: tuple[str, ...]) -> tuple[str, ...]:
    """The metrics that the options ask for."""
    from tatian.union.metrics import NOVEL, USUAL

    return (
        *(name for name in USUAL if not (no_nli and name == "nli")),
        *(NOVEL if "novelty" in also else ()),
        *(("definition",) if "definition" in also else ()),
    )
