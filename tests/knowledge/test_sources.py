"""How a file's kind is known by what it holds."""

from __future__ import annotations

import bz2
import gzip
import os
from pathlib import Path

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.base import STARTER
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.sources import KINDS, open_sources, recognize

from .bases import WORLD, Listed

EXPORT = b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">\n<page>'
ENTITY = b'{"id": "/m/05qtj", "label": "Paris", "wikidata_id": "Q90"}\n'
FACT = b"/m/05qtj\t/location/location/containedby\t/m/0f8l9c\n"
CONCEPTS = b'{"Q515": {"label": "city", "description": "large settlement", "wiki": ""}}'
CONTENTS = {
    "mediawiki": EXPORT,
    "entities": ENTITY,
    "facts": FACT,
    "concepts": CONCEPTS,
    "titles": b"# titles\n/wiki/Paris\nLondon\n",
    "table": b"title\taliases\tkind\tfacts\nParis\t\tlocation\t\n",
    "extracts": b"PK\3\4...",
}


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_a_file_is_known_by_its_content_whatever_its_name(
    tmp_path: Path, kind: str, pack: type[bytes]
) -> None:
    (tmp_path / "file").write_bytes(pack(CONTENTS[kind]))
    assert recognize(str(tmp_path / "file")).kind == kind


def test_an_xml_declaration_may_come_before_the_export(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xef\xbb\xbf<?xml version='1.0'?>\n" + EXPORT)
    assert recognize(str(tmp_path / "file")).kind == "mediawiki"


def test_a_base_is_known(tmp_path: Path) -> None:
    build([Listed(*WORLD)], tmp_path / "a.kb")
    assert recognize(str(tmp_path / "a.kb")).kind == "base"


def test_a_kind_can_be_forced(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(EXPORT)
    given = f"titles:{tmp_path / 'file'}"
    assert recognize(given) == ("titles", str(tmp_path / "file"))


@pytest.mark.parametrize(
    "content", [b'[{"a": 1}]', b'{"type":"item","labels":{}}', b"a\tb\n", b"<html>"]
)
def test_an_unknown_file_lists_the_kinds(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match=r"is not a known kind of source.*mediawiki, entities"):
        recognize(str(tmp_path / "file"))


def test_streams_need_their_kind(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("-", str(tmp_path / "pipe")):
        with pytest.raises(InputError, match=f"a stream needs its kind, as in mediawiki:{path}"):
            recognize(path)
        assert recognize(f"titles:{path}") == ("titles", path)


def test_missing_file_and_directory_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"(?i)none: no such file"):
        recognize(str(tmp_path / "none"))
    with pytest.raises(InputError, match="is a directory: give its files"):
        recognize(str(tmp_path))


def test_facts_go_with_the_entities(tmp_path: Path) -> None:
    for name, content in (("e", ENTITY), ("f", FACT), ("t", CONTENTS["titles"])):
        (tmp_path / name).write_bytes(content)
    sources = open_sources([str(tmp_path / name) for name in "fte"])
    assert [source.name for source in sources] == ["titles t", "facts e"]


def test_facts_alone_ask_for_the_entities(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(FACT)
    with pytest.raises(InputError, match="is a file of facts: give its file of entities as well"):
        open_sources([str(tmp_path / "f")])


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_opened(kind: str) -> None:
    (source,) = open_sources([STARTER if kind == "base" else f"{kind}:file"])
    assert source.name.endswith("starter.db" if kind == "base" else "file")


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b" \n")
    with pytest.raises(EmptyInput, match="the file is empty"):
        recognize(str(tmp_path / "file"))


def test_a_binary_file_is_said_to_be_binary(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\x7fELF\0\1")
    with pytest.raises(InputError, match="is binary"):
        recognize(str(tmp_path / "file"))


def test_an_unknown_kind_lists_the_kinds() -> None:
    with pytest.raises(InputError, match=r"unknown kind 'foo': known are mediawiki, .*extracts"):
        recognize("foo:wiki.xml")


def test_a_file_with_a_colon_in_its_name_is_no_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my:titles").write_text("Paris\n")
    assert recognize("my:titles") == ("titles", "my:titles")


@pytest.mark.parametrize(
    ("text", "seems"),
    [
        ("The mayor of Oslo sang. She slept.\n", "prose"),
        (
            "It rained on all of us for most of the\nday and then we all went home to sleep till\n"
            * 3,
            "prose",
        ),
        ("title,kind\nParis,location\nOslo,location\n", "a table with commas"),
    ],
)
def test_text_is_a_list_of_titles_only_if_the_kind_says_so(
    tmp_path: Path, text: str, seems: str
) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(InputError, match=f"seems to be {seems}"):
        recognize(str(path))
    assert recognize(f"titles:{path}").kind == "titles"


def test_titles_may_have_commas_and_marks(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("10,000 Maniacs\nParis, Texas\nWho Framed Roger Rabbit?\nU.S.\n")
    assert recognize(str(tmp_path / "file")).kind == "titles"
