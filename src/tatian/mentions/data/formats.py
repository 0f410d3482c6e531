"""Mention formats by name, and files read whatever their format is.

Every reader gives `LinkedText`s: offsets count characters, mentions stand in the order of the text
(the longer first), and one place is one mention, with all pages that are right for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Protocol

from msgspec.structs import replace

from tatian.mentions.data.ids import Pages, title_through
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import formats
from tatian.text.formats import Losses

_KIND = "mention"


class Format(formats.Format[LinkedText], frozen=True):
    """One format of files with linked mentions.

    What it `holds` are names of `tatian.mentions.data.features.FEATURES`.
    """

    files: str = ""
    """The module whose `read_files` and `write_files` serve a format of several files a text."""

    def note(self, record: LinkedText, losses: Losses) -> None:
        """Note the features that the text has and the format does not hold."""
        from tatian.mentions.data.features import note

        note(record, self, losses)

    def takes(self, name: str) -> bool:
        """Whether a file of a directory or archive is in this format, by its name."""
        if self.files and formats.load(f"{self.files}:takes")(name):
            return True
        return name.lower().removesuffix(".gz").endswith(self.suffixes)

    def recognizes_files(self, names: Iterable[str]) -> bool:
        """Whether these files of a directory or archive are one benchmark in this format."""
        return bool(self.files) and bool(formats.load(f"{self.files}:recognizes_files")(names))

    def read_files(self, files: Mapping[str, str], path: str | None) -> Iterator[LinkedText]:
        """The texts of a directory's or archive's files."""
        reader: Callable[..., Iterator[LinkedText]] = formats.load(f"{self.files}:read_files")
        return reader(files, path)

    def write_files(self, texts: Iterable[LinkedText], losses: Losses) -> Iterator[tuple[str, str]]:
        """Names and contents of the files that hold the texts."""
        writer: Callable[..., Iterator[tuple[str, str]]]
        writer = formats.load(f"{self.files}:write_files")
        return writer(self.noting(texts, losses), losses)


def find(name: str) -> Format:
    """The format called `name`."""
    from tatian.mentions.data.known import FORMATS

    return formats.find(name, FORMATS, _KIND)


def recognize(text: str, path: str | None = None) -> Format:
    """Which format a file is in, by its first lines, then by its name."""
    from tatian.mentions.data.known import FORMATS

    return formats.recognize(text, path, FORMATS, _KIND)


def read(path: str, format: str | None = None) -> list[LinkedText]:
    """The texts of a file, a directory or an archive (``.tar.gz``); ``-`` is standard input.

    The format is recognised unless it is given. Of a directory or archive, all files are read that
    are named as files of a format are.
    """
    return read_as(path, format)[0]


def read_as(path: str, format: str | None = None) -> tuple[list[LinkedText], Format]:
    """As `read`, with the format that was found (that of the first file, if there are several)."""
    from tatian.mentions.data.known import FORMATS
    from tatian.mentions.data.sources import open_files

    chosen = find(format) if format else None
    source = open_files(
        str(path), lambda name: chosen is not None or any(one.takes(name) for one in FORMATS)
    )
    if source.several:
        for one in (chosen,) if chosen else FORMATS:
            if one.recognizes_files(source.files):
                return list(one.read_files(source.files, source.name)), one
    found: list[LinkedText] = []
    used: list[Format] = []
    for name, text in source.files.items():
        shown = f"{source.name}/{name}" if source.several else source.name
        used.append(chosen or recognize(text, shown))
        found += used[-1].read(text, shown)
    return found, used[0]


class Titles(Pages, Protocol):
    """What is asked of a knowledge base to find the pages that ids and labels stand for."""

    def title_of(self, title: str, /) -> str | None:
        """The title that a title leads to."""
        ...


def through(texts: Iterable[LinkedText], base: Titles) -> list[LinkedText]:
    """The texts with the titles that their ids stand for in a knowledge base."""
    return list(with_titles(texts, lambda id: title_through(id, base), base.title_of))


def with_titles(
    texts: Iterable[LinkedText],
    resolve: Callable[[str], str | None],
    by_name: Callable[[str], str | None] | None = None,
) -> Iterator[LinkedText]:
    """The texts with the titles that their ids stand for.

    `resolve` turns an id such as ``Q142`` into a title, or None where it does not know it;
    `by_name` may then try what the corpus calls the thing (a Wikidata label is often the title).
    Mentions that have titles keep them.
    """
    for text in texts:
        mentions = tuple(_with_titles(one, resolve, by_name) for one in text.mentions)
        yield replace(text, mentions=mentions)


def _with_titles(
    mention: LinkedMention,
    resolve: Callable[[str], str | None],
    by_name: Callable[[str], str | None] | None,
) -> LinkedMention:
    if mention.titles or not mention.ids:
        return mention
    found: dict[str, None] = {}
    for id, name in zip_longest(mention.ids, mention.names[: len(mention.ids)], fillvalue=""):
        title = resolve(id) or (by_name(name) if by_name and name else None)
        if title:
            found[title] = None
    return replace(mention, titles=tuple(found))
