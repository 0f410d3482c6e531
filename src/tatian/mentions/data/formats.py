"""Mention formats by name, and files read whatever their format is.

Every reader gives `LinkedText`s: offsets count characters, mentions stand in the order of the text
(the longer first), and one place is one mention, with all pages that are right for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct

from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import formats
from tatian.text.formats import Losses


class Feature(Struct, frozen=True):
    """One thing that some formats hold and others do not."""

    name: str
    lost: str
    """What to tell a user whose target does not hold it."""
    count: Callable[[LinkedText], int]
    """How often a text has it."""


def note(text: LinkedText, target: formats.Format[LinkedText], losses: Losses) -> None:
    """Note what `target` cannot hold of the text."""
    for feature in FEATURES:
        if feature.name not in target.holds and (found := feature.count(text)):
            losses.add(feature.lost, text.id, found)


def _where(has: Callable[[LinkedMention], object]) -> Callable[[LinkedText], int]:
    return lambda text: sum(1 for mention in text.mentions if has(mention))


def _overlapping(text: LinkedText) -> int:
    """Mentions that begin before the end of one before them."""
    count = end = 0
    for mention in text.mentions:
        count += mention.start < end
        end = max(end, mention.end)
    return count


def _same_place(text: LinkedText) -> int:
    return sum((one.start, one.end) == (two.start, two.end) for one, two in pairwise(text.mentions))


FEATURES: tuple[Feature, ...] = (
    Feature("topic", "topics", lambda text: bool(text.topic)),
    Feature("title", "titles of texts", lambda text: bool(text.title)),
    Feature("part_of", "which texts belong together", lambda text: bool(text.part_of)),
    Feature("evaluated", "which parts are evaluated", lambda text: bool(text.evaluated)),
    Feature("unlinked", "mentions without a page: left out", _where(lambda one: not one.titles)),
    Feature("pages", "further pages of a mention", lambda text: sum(map(_further, text.mentions))),
    Feature("overlaps", "mentions inside or across others: left out", _overlapping),
    Feature("places", "second mentions of one place", _same_place),
    Feature("score", "scores of mentions", _where(lambda one: one.score is not None)),
    Feature("named", "whether mentions are names", _where(lambda one: one.named is not None)),
    Feature("type", "types of mentions", _where(lambda one: one.type)),
    Feature("tags", "tags of mentions", lambda text: sum(len(one.tags) for one in text.mentions)),
    Feature("ids", "ids of pages in the corpus's own terms", _where(lambda one: one.ids)),
    Feature("names", "names of things beside their ids", _where(lambda one: any(one.names))),
)


def _further(mention: LinkedMention) -> int:
    return max(len(mention.titles) - 1, 0)


_KIND = "mention"


class Format(formats.Format[LinkedText], frozen=True):
    """One format of files with linked mentions.

    What it `holds` are names of `tatian.mentions.data.formats.FEATURES`.
    """

    files: str = ""
    """The module whose `read_files` serves a format of several files a text."""

    def note(self, record: LinkedText, losses: Losses) -> None:
        """Note the features that the text has and the format does not hold."""
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


def _looks_like(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE | re.IGNORECASE)


_DATA = "tatian.mentions.data"
_LABELS = _looks_like(r'"(?:labels|evaluation_span)"\s*:\s*\[')
_MENTIONS = _looks_like(r'"mentions"\s*:\s*\[')
_FOUND = _looks_like(r'"answer"\s*:\s*\{\s*"mentions"')
_JUDGED = _looks_like(r'"answer"\s*:\s*\{\s*"verdicts"')
_TURTLE = _looks_like(r"^\s*@?(?:prefix|base)\s+\S*\s*<|nif-core#|\bnif:(?:isString|Context)\b")
_WORD_ROW = _looks_like(r"^1(-\d+)?(\t[^\t\n]*){9}$")
_DOCSTART = _looks_like(r"^-DOCSTART-")
_PROBLEM = _looks_like(r"\A\s*<ReferenceProblem>")
_HEADER = _looks_like(r'\A"?id"?,')


def _is_json(head: str) -> bool:
    return head.lstrip().startswith("{")


EVERYTHING = frozenset(
    "topic title part_of evaluated unlinked pages overlaps places score named type tags ids "
    "names".split()
)
"""All features (`tatian.mentions.data.formats`), by name."""

FORMATS: tuple[Format, ...] = (
    Format(
        "elevant",
        "ELEVANT: articles with Wikidata ids, one a line",
        (".benchmark.jsonl",),
        f"{_DATA}.elevant:read",
        "",
        lambda head: _is_json(head) and bool(_LABELS.search(head)) and not _MENTIONS.search(head),
    ),
    Format(
        "detections",
        "labelers' records of the first round, with their texts",
        (".detections.jsonl",),
        f"{_DATA}.rounds:read_detections",
        f"{_DATA}.rounds:write_detections",
        lambda head: _is_json(head) and bool(_FOUND.search(head)),
        frozenset("topic pages overlaps".split()),
    ),
    Format(
        "confirmations",
        "labelers' records of the second round, with their texts",
        (".confirmations.jsonl",),
        f"{_DATA}.rounds:read_confirmations",
        f"{_DATA}.rounds:write_confirmations",
        lambda head: _is_json(head) and bool(_JUDGED.search(head)),
        frozenset("topic pages overlaps".split()),
    ),
    Format(
        "jsonl",
        "Tatian's mentions, a text a line",
        (".jsonl", ".json"),
        f"{_DATA}.jsonl:read",
        f"{_DATA}.jsonl:write",
        _is_json,
        EVERYTHING,
    ),
    Format(
        "nif",
        "NIF 2.0 in Turtle (GERBIL, VoxEL)",
        (".ttl", ".nif"),
        f"{_DATA}.nif:read",
        f"{_DATA}.nif:write",
        lambda head: bool(_TURTLE.search(head)),
        frozenset("topic title part_of unlinked pages overlaps score named type tags ids".split()),
    ),
    Format(
        "aida",
        "AIDA-CoNLL: a token a line",
        (".tsv", ".aida"),
        f"{_DATA}.aida:read",
        "",
        lambda head: bool(_DOCSTART.search(head)),
    ),
    Format(
        "gum",
        "CoNLL-U with pages in Entity= (GUM)",
        (".conllu",),
        f"{_DATA}.gum:read",
        "",
        lambda head: bool(_WORD_ROW.search(head)),
    ),
    Format(
        "aquaint",
        "AQUAINT: a directory or archive of texts and problems",
        (".htm",),
        f"{_DATA}.aquaint:read",
        "",
        lambda head: bool(_PROBLEM.search(head)),
        files=f"{_DATA}.aquaint",
    ),
    Format(
        "csv",
        "the mention benchmark's lines of term#link, a text a row",
        (".csv",),
        f"{_DATA}.lines:read",
        f"{_DATA}.lines:write",
        lambda head: bool(_HEADER.search(head)),
        frozenset("topic pages overlaps".split()),
    ),
)


def find(name: str) -> Format:
    """The format called `name`."""
    return formats.find(name, FORMATS, _KIND)


def recognize(text: str, path: str | None = None) -> Format:
    """Which format a file is in, by its first lines, then by its name."""
    return formats.recognize(text, path, FORMATS, _KIND)


def read(path: str, format: str | None = None) -> list[LinkedText]:
    """The texts of a file, a directory or an archive (``.tar.gz``); ``-`` is standard input.

    The format is recognised unless it is given. Of a directory or archive, all files are read that
    are named as files of a format are.
    """
    return read_as(path, format)[0]


def read_as(path: str, format: str | None = None) -> tuple[list[LinkedText], Format]:
    """As `read`, with the format that was found (that of the first file, if there are several)."""
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
