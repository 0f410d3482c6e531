"""Reading and writing what the mentions commands work on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tatian.cli.common import STREAM, say, writer
from tatian.cli.outcomes import ending_of

if TYPE_CHECKING:
    from tatian.mentions.data import LinkedText


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
