"""Formats are recognised by what is in a file; texts are counted."""

from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

import pytest

from tatian.errors import EmptyInput, InputError, NotText
from tatian.formats import find, list_formats, read, recognize
from tatian.formats.links import build_document, links_of
from tatian.formats.losses import find_losses
from tatian.mentions.data import summarize
from tatian.text import Link, Span

from .link_samples import CUSTOMS

SINGLE = [format.name for format in list_formats("mention") if format.writer]


@pytest.mark.parametrize("name", SINGLE)
def test_written_files_are_recognised_as_their_format(name: str) -> None:
    written = "".join(find(name, "mention").write([CUSTOMS]))
    assert recognize(written, about="mention").name == name


@pytest.mark.parametrize("name", SINGLE)
def test_every_format_keeps_the_outer_terms_and_their_first_pages(name: str) -> None:
    (text,) = find(name, "mention").read("".join(find(name, "mention").write([CUSTOMS])))
    found = {(one.of(text.text), one.titles[0]) for one in links_of(text)}
    outer = [one for one in links_of(CUSTOMS) if one.of(CUSTOMS.text) != "Norway"]
    assert {(one.of(CUSTOMS.text), one.titles[0]) for one in outer} <= found


@pytest.mark.parametrize("name", SINGLE)
def test_writing_keeps_all_but_reported_losses(name: str) -> None:
    format = find(name, "mention")
    written = "".join(format.write([CUSTOMS]))
    (text,) = format.read(written)
    assert bool(find_losses([CUSTOMS], format, written).counts) == (text != CUSTOMS)


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(
        InputError, match="no mention format called 'xml': known: elevant, detections"
    ):
        find("xml", "mention")


def test_a_file_of_no_known_format_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_text("hello")
    with pytest.raises(InputError, match=r"a\.doc: not a mention file of a known format"):
        read(str(tmp_path / "a.doc"), about="mention")


def test_a_directory_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("".join(find("nif").write([CUSTOMS])))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b'{"id":"b","text":"c"}\n'))
    (tmp_path / ".hidden.jsonl").write_text("not read")
    (tmp_path / "picture.png").write_bytes(b"\x00")
    assert read(str(tmp_path), about="mention") == [CUSTOMS, build_document("b", "c")]


def test_binary_and_empty_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "zero").write_bytes(b"\x00\x01")
    (tmp_path / "empty").write_bytes(b" \n")
    (tmp_path / "folder").mkdir()
    for name, error in (("zero", NotText), ("empty", EmptyInput), ("folder", EmptyInput)):
        with pytest.raises(error, match=name):
            read(str(tmp_path / name), about="mention")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl: no such file"):
        read("nowhere.jsonl", about="mention")


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    header = b"x" * 100 + b"0" * 157 + b"ustar" + b"\xff" * 250
    (tmp_path / "a.tar").write_bytes(header)
    with pytest.raises(InputError, match="damaged archive"):
        read(str(tmp_path / "a.tar"), about="mention")


def test_mentions_are_counted_as_terms_with_a_page_each() -> None:
    found = summarize([CUSTOMS])
    assert (found.mentions, found.places, found.pages) == (6, 5, 6)
    assert (found.named, found.general, found.unsaid) == (3, 1, 2)
    assert (found.nested, found.lower, found.unlinked) == (1, 3, 0)
    assert found.types == {"LOC": 2, "PER": 1}


def test_density_is_by_sentence_and_by_token() -> None:
    found = summarize([CUSTOMS])
    assert (found.sentences, found.tokens, found.covered) == (1, 12, 6)
    assert (found.per_sentence, found.sentence_length) == (6, 12)
    assert found.coverage == 0.5
    assert found.titles_per_mention == 1.2


def test_only_the_evaluated_part_counts() -> None:
    text = build_document("a", "One two. Three four.", evaluated=(Span(9, 20),))
    found = summarize([text])
    assert (found.sentences, found.tokens) == (1, 3)


def test_kind_of_page_decides_unlabelled_names() -> None:
    mentions = tuple(Link(at, at + 1, (title,)) for at, title in enumerate("PCX"))
    kinds = {"P": "person", "C": "concept"}
    found = summarize([build_document("a", "abc", mentions)], kinds.get)
    assert (found.named, found.general, found.unsaid) == (1, 1, 1)


def test_entities_without_a_page_are_unlinked() -> None:
    nowhere = ("http://aksw.org/notInWiki/A",)
    mentions = (Link(0, 1, ids=nowhere), Link(1, 2, ids=("Q1",)))
    found = summarize([build_document("a", "ab", mentions)])
    assert (found.mentions, found.unlinked, found.pages) == (2, 1, 1)


def test_an_archive_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id":"a","text":"b"}\n')
    (tmp_path / "README").write_text("no mentions here")
    with tarfile.open(tmp_path / "both.tar", "w") as archive:
        archive.add(tmp_path / "a.jsonl", "./data/a.jsonl")
        archive.add(tmp_path / "README", "README")
    assert read(str(tmp_path / "both.tar"), about="mention") == [build_document("a", "b")]


def test_an_error_names_the_file_in_the_directory(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{")
    with pytest.raises(InputError, match=r"/a\.jsonl:1: not JSON"):
        read(str(tmp_path), about="mention")
