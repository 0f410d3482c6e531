"""From a folder of data sets to one file: readers, parses, and the file's format."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.analysis.pieces import WordPieces
from tatian.errors import InputError
from tatian.training.__main__ import main
from tatian.training.data import write_packed
from tatian.training.edit import data as parsing
from tatian.training.edit.data import (
    LENGTHS,
    EditData,
    ParsedSentence,
    paragraphs,
    read_data,
    read_sources,
    read_wikisplit,
    synonyms,
)

from .edit_world import DATA, SPECIALS

LONG = "The old ferry from Leith ran aground in thick fog near the harbour wall on Monday morning."
FRIDAY = LONG.replace("Monday", "Friday")
BUNDLE: dict[str, Any] = {
    "id": "ferry",
    "accounts": [
        {
            "id": "A",
            "name": "a",
            "sentences": [
                "The old ferry from Leith ran aground in thick fog.",
                "It ran aground near the harbour wall on Monday morning.",
            ],
        }
    ],
    "noise": [],
    "facts": [
        {
            "id": "f1",
            "text": "It ran aground.",
            "sources": ["A.0", "A.1"],
            "keys": [["aground"]],
            "importance": 3,
        }
    ],
    "reference": [{"text": LONG, "facts": ["f1"]}],
}
REPORT = "Harbour police said that the crew of the ferry had been taken to a hospital in town ."
ECB = "".join(
    f'<token t_id="{number}" sentence="0" number="{number}">{word}</token>'
    for number, word in enumerate(REPORT.split())
)


@pytest.fixture(autouse=True)
def few_synonyms(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole table takes ten seconds."""
    monkeypatch.setattr(parsing, "synonyms", lambda weights: {"ferry": ("ship",)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of data sets with next to nothing in it."""
    extra = tmp_path / "union" / "extra"
    extra.mkdir(parents=True)
    bundles = tmp_path / "consolidation" / "train"
    bundles.mkdir(parents=True)
    (bundles / "ferry.json").write_text(json.dumps(BUNDLE))
    split = "A man , who was old , left .\tA man left . <::::> He was old .\n"
    (extra / "wikisplit-tune.tsv").write_text(split)
    (tmp_path / "coreference").mkdir()
    xml = f'<Document doc_name="1_1ecb.xml">{ECB}<Markables/><Relations/></Document>'.encode()
    with tarfile.open(tmp_path / "coreference" / "ecbplus-topics-1-35.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("1/1_1ecb.xml")
        member.size = len(xml)
        archive.addfile(member, io.BytesIO(xml))
    (tmp_path / "knowledge").mkdir()
    wiki = f"\n'''Leith''' is a [[harbour town]] (on the sea). {FRIDAY} {LONG * 4}\n"
    path = tmp_path / "knowledge" / "schoolswiki-pages-articles.xml.bz2"
    path.write_bytes(bz2.compress(wiki.encode()))
    return tmp_path


def test_every_corpus_of_the_folder_is_read(folder: Path) -> None:
    sources = read_sources(folder)
    assert sources.unions == [(*BUNDLE["accounts"][0]["sentences"], LONG)]
    assert sources.joined == [("A man left .", "He was old .", "A man , who was old , left .")]
    assert sources.sentences == [REPORT, *BUNDLE["accounts"][0]["sentences"]]
    assert [text[:12] for text in sources.texts] == ["Leith is a h"]


def test_wiki_markup_and_brackets_are_taken_out(folder: Path) -> None:
    (found,) = paragraphs(folder / "knowledge" / "schoolswiki-pages-articles.xml.bz2")
    assert found.startswith("Leith is a harbour town . The old")


def test_a_corpus_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "union" / "extra" / "wikisplit-tune.tsv").unlink()
    with pytest.raises(InputError, match=r"wikisplit-tune\.tsv: No such file"):
        read_sources(folder)


@pytest.mark.parametrize(
    ("name", "text", "reader", "message"),
    [
        ("a.tsv", "no parts\n", read_wikisplit, r"a\.tsv:1: no tab"),
    ],
)
def test_a_broken_line_is_named(
    tmp_path: Path, name: str, text: str, reader: object, message: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        reader(tmp_path / name)  # type: ignore[operator]


def test_the_command_parses_everything_into_one_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "edit.msgpack.gz"
    assert main(["edit-data", "--data", str(folder), "--out", str(out)]) == 0
    data = read_data(out)
    assert capsys.readouterr().out.startswith(f"{len(data.trees)} trees, 1 unions, 1 joined")
    assert data.unions[0].first.words[:4] == ("The", "old", "ferry", "from")
    assert data.joined[0].union[-2:] == ("left", ".")
    assert data.analyser
    words = [tree.words for tree in data.trees]
    assert len(set(words)) == len(words) == 3
    assert all(len(one) in LENGTHS for one in words)
    for tree in (*data.trees, data.unions[0].union):
        assert tree.heads.count(-1) == 1
        assert len(tree.words) == len(tree.tags) == len(tree.heads) == len(tree.relations)


def test_written_and_taught_unions_are_read_without_a_parser(folder: Path) -> None:
    written, taught, out = folder / "w.jsonl", folder / "t.jsonl", folder / "edit.msgpack.gz"
    pair = '{"sentences": ["The dam broke.", "It broke at noon."], '
    written.write_text(pair + '"union": "The dam broke at noon."}\n' + pair + '"refuse": "x"}\n')
    taught.write_text(pair + '"union": "At noon the dam broke."}\n')
    files = ["--written", str(written), "--taught", str(taught), "--trees", "0"]
    assert main(["edit-data", "--data", str(folder), "--out", str(out), *files]) == 0
    data = read_data(out)
    assert [union.union.words for union in data.unions[1:]] == [
        ("The", "dam", "broke", "at", "noon", ".")
    ]
    assert data.joined[-1].union[:3] == ("At", "noon", "the")
    assert not data.trees
    assert not data.unions[0].first.heads


def test_pairs_with_an_evaluation_sentence_are_left_out(folder: Path) -> None:
    written, held, out = folder / "w.jsonl", folder / "eval.csv", folder / "edit.msgpack.gz"
    written.write_text('{"sentences": ["The dam broke.", "It broke at noon."], "union": "x"}\n')
    held.write_text(
        "sentence1Text,sentence2Text,mergedText\nIt broke, at NOON,A.,B.\n".replace(
            "It broke, at NOON", '"It broke, at NOON!"'
        )
    )
    files = ["--written", str(written), "--trees", "0", "--without", str(held)]
    assert main(["edit-data", "--data", str(folder), "--out", str(out), *files]) == 0
    assert len(read_data(out).unions) == 1


def test_broken_union_is_reported_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = folder / "w.jsonl"
    written.write_text('{"sentences": ["A.", "B."]}\n{"sentences": 3}\n')
    command = ["edit-data", "--data", str(folder), "--out", str(folder / "x"), "--trees", "0"]
    assert main([*command, "--written", str(written)]) == 2
    assert "w.jsonl:2" in capsys.readouterr().err


def test_sentences_kept_for_evaluation_are_not_cut_down(folder: Path) -> None:
    kept = folder / "eval.csv"
    kept.write_text(f"sentence1Text,sentence2Text,mergedText\n{REPORT},No.,{LONG.upper()}\n")
    out = folder / "edit.msgpack.gz"
    command = ["edit-data", "--data", str(folder), "--out", str(out), "--without", str(kept)]
    assert main(command) == 0
    assert not {"police", "Monday"} & {word for one in read_data(out).trees for word in one.words}


def test_a_folder_without_data_is_one_line_and_status_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit-data", "--data", str(tmp_path), "--out", str(tmp_path / "x")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


class Table:
    """Nine words in four dimensions; the first three are near each other."""

    pieces = WordPieces([*SPECIALS, *"ferry ships boats bank sold town late fogs walls".split()])

    def embeddings(self, rows: Any) -> Any:
        vectors = np.random.default_rng(0).normal(size=(20, 16))
        first = len(SPECIALS)
        vectors[first + 1 : first + 3] = vectors[first] + 0.1 * vectors[first + 1 : first + 3]
        return vectors[rows]


def test_synonyms_are_near_in_the_embedding_table() -> None:
    found = synonyms(Table())  # type: ignore[arg-type]
    assert {"ships", "boats"} <= set(found["ferry"])
    assert all(word not in near for word, near in found.items())


TEXT = st.text(max_size=8)
TREES = st.builds(
    ParsedSentence,
    words=st.lists(TEXT, max_size=4).map(tuple),
    tags=st.lists(TEXT, max_size=4).map(tuple),
    heads=st.lists(st.integers(-1, 300), max_size=4).map(tuple),
    relations=st.lists(TEXT, max_size=4).map(tuple),
)


@given(st.lists(TREES, max_size=3), st.dictionaries(TEXT, st.lists(TEXT, max_size=2).map(tuple)))
def test_written_data_are_read_back_equal(
    tmp_path_factory: pytest.TempPathFactory,
    trees: list[ParsedSentence],
    synonyms: dict[str, tuple[str, ...]],
) -> None:
    data = EditData(trees, [], [], synonyms)
    path = tmp_path_factory.mktemp("data") / "edit.msgpack.gz"
    write_packed(data, path)
    assert read_data(path) == data


def test_equal_data_make_equal_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_packed(DATA, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_file_is_plain_messagepack_in_gzip(tmp_path: Path) -> None:
    write_packed(DATA, tmp_path / "a")
    plain = msgspec.msgpack.decode(gzip.decompress((tmp_path / "a").read_bytes()))
    assert list(plain) == ["trees", "unions", "joined", "synonyms", "analyser", "schema"]
    assert plain["trees"][0][0] == list(DATA.trees[0].words)


@pytest.mark.parametrize(
    "content", [b"", b"text", gzip.compress(b"\x80", mtime=0), gzip.compress(b"", mtime=0)[:5]]
)
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(InputError, match="edit-data"):
        read_data(tmp_path / "a")


def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    write_packed(replace(DATA, schema=2), tmp_path / "a")
    with pytest.raises(InputError, match="schema 2"):
        read_data(tmp_path / "a")
