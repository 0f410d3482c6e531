"""Which kind of source a file is, by what it holds, so that `kb build` needs no options."""

from __future__ import annotations

import importlib
import inspect
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.lines import STDIN, open_bytes
from tatian.knowledge.building.pages import Source
from tatian.knowledge.opening import STARTER, base_path
from tatian.knowledge.store import is_base
from tatian.progress import Progress, silent

_HOME = "tatian.knowledge.building"
KINDS = {
    "mediawiki": f"{_HOME}.mediawiki:Dump",
    "wikidata": f"{_HOME}.wikidata:WikidataDump",
    "entities": f"{_HOME}.facts:FactFiles",
    "concepts": f"{_HOME}.concepts:Concepts",
    "titles": f"{_HOME}.titles:Titles",
    "table": f"{_HOME}.tables:Table",
    "base": f"{_HOME}.existing:ExistingBase",
}
"""What ``KIND:PATH`` can name, and the class that reads it."""
COMPANIONS = {"facts": "entities", "extracts": "concepts"}
"""Files that add to another one, and the kind of that."""
_NAMES = ", ".join(KINDS)
_STRANGE = "is no source that is known"
_LOOKED_AT = 1 << 16
_WIKIDATA_ITEM = re.compile(rb'\{\s*"type"\s*:\s*"(?:item|property)"')
_CONCEPTS = re.compile(rb'\{\s*"Q[1-9]\d*"\s*:\s*\{')
_PREFIX = re.compile(r"[A-Za-z][\w-]+")
"""What may be meant for a kind; one letter is a drive."""
_FIELDS = re.compile(r"(?<!\d),(?!\s)|,(?![\s\d])")
"""Commas that part fields, unlike those of "Paris, Texas" and "10,000 Maniacs"."""
_SENTENCE = re.compile(r"(?:\S+\s+){4,}\S+[.!?][\"')\u201d\u2019]?")
_MOST_WORDS = 9
"""Words in a line that can still be a title, as a rule."""
_FACT = re.compile(rb"(?:/m/|/g/)\S+\t/\S+\t(?:/m/|/g/)\S+\s*(?:\n|$)")


class Given(NamedTuple):
    """A file and what it is."""

    kind: str
    path: str


def open_sources(
    given: Iterable[str],
    *,
    work: Path | None = None,
    progress: Progress = silent,
    **options: Any,
) -> list[Source]:
    """The sources that paths, or ``KIND:PATH``, stand for, in the order they were given.

    A fact file goes with the entity file given with it, an archive of extracts with the concepts.
    Readers keep what they may need again in the directory `work`, and take what they know of
    `options`: `processes` for dumps.
    """
    found = [recognise(one) for one in given]
    companions = {one.kind: one.path for one in found if one.kind in COMPANIONS}
    for companion, path in companions.items():
        if not any(one.kind == COMPANIONS[companion] for one in found):
            message = f"is a file of {companion}: give its file of {COMPANIONS[companion]} as well"
            raise InputError(message, path=path)
    if work is not None:
        _make(work)
    options |= {"work": work, "progress": progress}
    beside = {"entities": companions.get("facts"), "concepts": companions.get("extracts")}
    return [
        _open(one, beside.get(one.kind), options) for one in found if one.kind not in COMPANIONS
    ]


def _open(given: Given, companion: str | None, options: dict[str, Any]) -> Source:
    module, _, name = KINDS[given.kind].partition(":")
    reader = getattr(importlib.import_module(module), name)
    accepted = inspect.signature(reader).parameters
    passed = {
        option: value
        for option, value in options.items()
        if option in accepted and value is not None
    }
    paths = [given.path] if companion is None else [given.path, companion]
    source: Source = reader(*paths, **passed)
    return source


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", path=str(folder)) from error


def recognise(given: str) -> Given:
    """What a path, or ``KIND:PATH``, stands for."""
    if given == STARTER:
        return Given("base", base_path(given))
    kind, colon, path = given.partition(":")
    if colon and path and (kind in KINDS or kind in COMPANIONS):
        return Given(kind, path)
    if colon and _PREFIX.fullmatch(kind) and not Path(given).exists():
        known = ", ".join((*KINDS, *COMPANIONS))
        raise InputError(f"unknown kind '{kind}': known are {known}", path=given)
    if Path(given).is_dir():
        raise InputError("is a directory: give its files", path=given)
    if given == STDIN or (Path(given).exists() and not Path(given).is_file()):
        message = f"a stream needs its kind, as in mediawiki:{given} ({_NAMES})"
        raise InputError(message, path=given)
    with open_bytes(given) as stream:
        start = stream.read(_LOOKED_AT)
    return Given(_kind(start, os.fspath(given)), given)


def _kind(start: bytes, path: str) -> str:
    if is_base(start):
        return "base"
    if start.startswith(b"PK\3\4"):
        return "extracts"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise EmptyInput("nothing in it", path=path)
    first = text.partition(b"\n")[0]
    if text.startswith(b"<") and b"<mediawiki" in text:
        return "mediawiki"
    if text.startswith(b"[") or _WIKIDATA_ITEM.match(text):
        return "wikidata"
    if _CONCEPTS.match(text):
        return "concepts"
    if text.startswith(b"{") and b'"label"' in first:
        return "entities"
    if _FACT.match(text):
        return "facts"
    if first.rstrip().split(b"\t")[0] == b"title" and b"\t" in first:
        return "table"
    if text and b"\t" not in first and not text.startswith((b"{", b"<")) and b"\0" not in start:
        _refuse_other_text(start, path)
        return "titles"
    what = "is binary, and no source that is known" if b"\0" in start else _STRANGE
    raise InputError(f"{what}: say which it is, as in mediawiki:{path} ({_NAMES})", path=path)


def _refuse_other_text(start: bytes, path: str) -> None:
    """Prose and tables with commas are no lists of titles, unless the user says so."""
    whole = start.rpartition(b"\n")[0]
    text = (whole if len(start) == _LOOKED_AT and whole else start).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) > 1 and all(_FIELDS.search(line) for line in lines):
        seems = "a table with commas: tables for a base have tabs and begin with 'title'"
    elif sum(map(_is_prose, lines)) * 2 > len(lines):
        seems = "prose: a list of titles has one a line"
    else:
        return
    raise InputError(f"seems to be {seems} (titles:{path} takes lines as they are)", path=path)


def _is_prose(line: str) -> bool:
    return len(line.split()) > _MOST_WORDS or _SENTENCE.fullmatch(line) is not None
