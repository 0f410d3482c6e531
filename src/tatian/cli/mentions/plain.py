"""Reading texts that may have mentions or be nothing but text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tatian.cli.mentions.reading import read_texts
from tatian.errors import EmptyInput, InputError

if TYPE_CHECKING:
    from tatian.mentions.data import LinkedText
    from tatian.mentions.data.formats import Format


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
