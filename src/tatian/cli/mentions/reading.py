"""What the mentions commands share: options, and reading and writing what they work on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tatian.cli.common import STREAM, say, writer
from tatian.cli.outcomes import ending_of
from tatian.errors import EmptyInput, InputError
from tatian.mentions.data.formats import FORMATS

if TYPE_CHECKING:
    from tatian.mentions.data import LinkedText
    from tatian.mentions.data.formats import Format


def read_texts(paths: Sequence[str], origin: str | None = None) -> list[LinkedText]:
    """The texts of all files, directories and archives, in order."""
    from tatian.mentions.data.formats import read

    return [text for path in paths for text in read(path, origin)]


def note_form(output: str) -> None:
    """Warn that a file whose name promises something else will hold JSONL."""
    ending = ending_of(output)
    if ending not in ("", ".jsonl", ".ndjson"):
        say("warning", f"{output}: JSONL is written, though the name ends in '{ending}'")


def write_jsonl(texts: Iterable[LinkedText], output: str = STREAM) -> None:
    """Texts as Tatian's JSONL."""
    from tatian.mentions.data.jsonl import encode

    with writer(output) as put:
        for text in texts:
            put(encode(text) + "\n")


F = TypeVar("F", bound=Callable[..., Any])

NAMES = tuple(sorted(format.name for format in FORMATS))
"""The formats that can be read."""
WRITTEN = tuple(sorted(format.name for format in FORMATS if format.writer))
"""Those that can be written."""


def from_option(command: F) -> F:
    """Add ``--from``, the format of what is read."""
    text = "What is read; by default what each file looks like."
    return click.option("--from", "origin", type=click.Choice(NAMES), help=text)(command)


def read_plain(path: str, origin: str | None = None) -> list[LinkedText]:
    """The texts of a file with linked mentions, or the lines of plain text, called by number."""
    from tatian.mentions.data.sources import open_files

    source = open_files(path)
    if source.several:
        return read_texts([path], origin)
    ((name, text),) = source.files.items()
    format = _format(text, name, origin)
    return list(format.read(text, name)) if format else _lines(text, name)


def _format(text: str, name: str, origin: str | None) -> Format | None:
    from tatian.mentions.data.formats import find, recognize

    if origin:
        return find(origin)
    try:
        return recognize(text, name)
    except InputError:
        return None


def _lines(text: str, name: str) -> list[LinkedText]:
    from tatian.mentions.data import LinkedText

    lines = (line.strip() for line in text.removeprefix("\ufeff").split("\n"))
    found = [LinkedText(str(number), line) for number, line in enumerate(lines, 1) if line]
    if not found:
        raise EmptyInput("no text in it", path=name)
    return found
