"""Files that commands name: formats by their endings, names of systems, protection of inputs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tatian.atomic import same_file
from tatian.cli.options import STREAM
from tatian.errors import InputError

if TYPE_CHECKING:
    pass


T = TypeVar("T")
ENDINGS = {
    "text": (".txt",),
    "html": (".html", ".htm"),
    "json": (".json",),
    "jsonl": (".jsonl",),
    "csv": (".csv",),
    "md": (".md",),
    "markdown": (".md",),
    "latex": (".tex",),
    "docx": (".docx",),
    "tei": (".tei", ".xml"),
    "nif": (".ttl", ".nif"),
    "muc": (".sgm", ".sgml", ".muc"),
    "conll": (".conll",),
    "corefud": (".conllu",),
}
"""Endings of file names by output format."""


def keep_inputs(output: str, inputs: tuple[str, ...]) -> None:
    """Refuse to write over an input, or into a directory that is read as a whole."""
    if output == STREAM:
        return
    folder = Path(os.path.realpath(output)).parent
    for input_path in (path for path in inputs if path != STREAM):
        if same_file(input_path, output):
            raise InputError("is one of the inputs: write to another file", path=output)
        if same_file(input_path, folder):
            raise InputError("lies in a directory that is read: write elsewhere", path=output)
        if Path(output).is_file() and Path(input_path).is_dir():
            for inside in Path(input_path).iterdir():
                if same_file(inside, output):
                    message = f"is a link to the input {inside}: write to another file"
                    raise InputError(message, path=output)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, if missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", path=str(folder)) from error


def choose_format(
    form: str | None, output: str, forms: Sequence[str], *, show: bool | None = None
) -> str:
    """Return the requested format, or else that of the output's ending, or else the first one.

    An unknown ending is refused, and so are HTML and .docx on a terminal. `show` says whether a
    page is to be opened in a browser; it is None for commands without ``--open``.
    """
    if show and form not in (None, "html"):
        raise click.UsageError("--open shows HTML: leave out --to")
    ending = ending_of(output)
    endings = {known: name for name in forms for known in ENDINGS.get(name, ())}
    if form is None and not show and ending and ending not in endings:
        known = ", ".join(endings)
        raise click.UsageError(f"no format ends in '{ending}': give --to (known: {known})")
    form = form or ("html" if show else endings.get(ending, forms[0]))
    if form in ("html", "docx") and output == STREAM and not show and sys.stdout.isatty():
        instead = "" if form == "docx" or show is None else ", or --open"
        raise click.UsageError(f"{form.upper()} is not for the terminal: give -o FILE{instead}")
    return form


def ending_of(output: str) -> str:
    """Return the ending of a file's name without ``.gz``, such as ``.json``; empty if none."""
    return Path(output.lower().removesuffix(".gz")).suffix


_ENDINGS = (".gz", ".csv", ".jsonl", ".ndjson", ".json")


def split_name(argument: str) -> tuple[str, str]:
    """Return the name and the file of ``NAME=FILE``, or of a file under its own name."""
    name, equals, path = argument.partition("=")
    if equals and name and path and not Path(argument).exists():
        return name, path
    file_name = Path(argument).name
    for ending in _ENDINGS:
        if file_name.lower().endswith(ending):
            file_name = file_name[: -len(ending)]
    return (file_name if file_name != STREAM else "standard input"), argument


def by_name(arguments: Iterable[str], what: str = "systems") -> dict[str, str]:
    """Return files by their names, as `split_name` gives them; names must differ."""
    paths_by_name: dict[str, str] = {}
    for name, path in map(split_name, arguments):
        if name in paths_by_name:
            raise InputError(f"two {what} are called '{name}': name one with NAME=FILE", path=path)
        paths_by_name[name] = path
    return paths_by_name


def select(
    items: Mapping[str, T], ids: Iterable[str], noun: str, path: str | None = None
) -> list[T]:
    """Return the items with these ids, in that order; all must exist."""
    for id in ids:
        if id not in items:
            raise InputError(f"no {noun} '{id}' among {len(items)}", path=path)
    return [items[id] for id in ids]
