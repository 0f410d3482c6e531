"""Types of things from CoDEx: what Wikidata calls the classes that entities belong to."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.describing import opening, sentence
from tatian.knowledge.building.lines import AnyPath, open_bytes
from tatian.knowledge.building.pages import Page
from tatian.knowledge.building.titles import title_of
from tatian.knowledge.forms import page_title

_WIKIDATA_ID = re.compile(r"Q[1-9]\d*")
_LONGEST_EXTRACT = 2**20


class Concepts:
    """A source over CoDEx's types and, where there is one, the archive of their extracts.

    The JSON file (it may be compressed) has one object: Wikidata id to ``label``, ``description``
    and ``wiki`` (the address of the page). Only those with a page are given, since only they are
    things that a text can link to. The archive has ``extracts/Q42.txt``, the beginning of the page;
    its first paragraph describes the type better than Wikidata's phrase.
    """

    def __init__(self, json_path: AnyPath, extracts_zip: AnyPath | None = None) -> None:
        self._json_path = json_path
        self._extracts_zip = extracts_zip
        self.name = f"concepts {Path(json_path).name}"

    def __iter__(self) -> Iterator[Page]:
        concepts = _concepts(self._json_path)
        with ExitStack() as stack:
            extracts = None
            if self._extracts_zip is not None:
                extracts = stack.enter_context(_Extracts(self._extracts_zip))
            for id, concept in concepts.items():
                if concept.wiki:
                    yield self._page(id, concept, extracts.get(id) if extracts else "")

    def _page(self, id: str, concept: _Concept, extract: str) -> Page:
        if not _WIKIDATA_ID.fullmatch(id):
            raise InputError(f"expected a Wikidata id, found {id!r}", path=str(self._json_path))
        try:
            title = title_of(concept.wiki)
        except ValueError as error:
            raise InputError(f"record {id}: {error}", path=str(self._json_path)) from error
        label = page_title(concept.label)
        return Page(
            title=title,
            kind="concept",
            description=opening(extract) or sentence(concept.description),
            aliases=(label,) if label and label != title and label != id else (),
            wikidata=id,
        )


class _Concept(Struct, frozen=True):
    label: str
    description: str = ""
    wiki: str = ""


def _concepts(path: AnyPath) -> dict[str, _Concept]:
    with open_bytes(path) as stream:
        raw = stream.read()
    try:
        concepts = msgspec.json.decode(raw, type=dict[str, _Concept])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"not an object of Wikidata ids, each with a 'label': {error}"
        raise InputError(message, path=str(path)) from error
    if not concepts:
        raise EmptyInput("no concept in it", path=str(path))
    return concepts


class _Extracts:
    """The archive of beginnings of pages, by Wikidata id."""

    def __init__(self, path: AnyPath) -> None:
        self._path = str(path)

    def __enter__(self) -> _Extracts:
        try:
            self._archive = zipfile.ZipFile(self._path)
        except OSError as error:
            raise InputError(error.strerror or str(error), path=self._path) from error
        except zipfile.BadZipFile as error:
            raise InputError(f"not a ZIP archive ({error})", path=self._path) from error
        self._names = {Path(name).stem: name for name in self._archive.namelist()}
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def get(self, id: str) -> str:
        """The text about `id`, empty where there is none."""
        name = self._names.get(id)
        if name is None:
            return ""
        where = f"{self._path}/{name}"
        try:
            with self._archive.open(name) as file:
                return file.read(_LONGEST_EXTRACT).decode("utf-8-sig", errors="replace")
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise InputError(f"damaged archive ({error})", path=where) from error
        except RuntimeError as error:
            raise InputError(f"cannot be unpacked ({error})", path=where) from error
