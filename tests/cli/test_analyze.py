"""``tatian analyze``."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from tatian.analysis.installed import unavailable
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document

from .harness import Command

TEXT = "Jonas Verrick didn't leave Halverne. He stayed."
CONLLU = """\
# sent_id = a
# text = Ann didn't go. Off
1\tAnn\t_\t_\t_\t_\t_\t_\t_\tGloss=x
2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdid\t_\t_\t_\t_\t_\t_\t_\t_
3\tn't\t_\t_\t_\t_\t_\t_\t_\t_
4\tgo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
5\t.\t_\t_\t_\t_\t_\t_\t_\t_
6\tOff\t_\t_\t_\t_\t_\t_\t_\t_

"""
needs_weights = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")


@pytest.fixture
def story(tmp_path: Path) -> str:
    (tmp_path / "story.txt").write_text(TEXT, "utf-8")
    return "story.txt"


@needs_weights
def test_json_is_one_document_a_line_with_all_layers(story: str, tatian: Command) -> None:
    done = tatian("analyze", story, story)
    assert (done.status, done.err) == (0, "")
    documents = [Document.from_json(json.loads(line)) for line in done.out.splitlines()]
    assert [document.id for document in documents] == ["story", "story-2"]
    for key in (TOKENS, SENTENCES, WORDS, NAMES):
        assert documents[0].has(key)
    assert documents[0].get(NAMES)[0].of(TEXT) == "Jonas Verrick"


@needs_weights
def test_conllu_has_names_and_spacing_in_its_last_column(story: str, tatian: Command) -> None:
    lines = tatian("analyze", story, "--to", "conllu").out.splitlines()
    assert lines[:3] == [
        "# newdoc id = story",
        "# sent_id = story-1",
        "# text = Jonas Verrick didn't leave Halverne.",
    ]
    rows = [line.split("\t") for line in lines if line[:1].isdigit()]
    assert {len(row) for row in rows} == {10}
    assert rows[0][9] == "NER=B-PER"
    assert rows[1][9] == "NER=I-PER"
    assert rows[2][9] == "SpaceAfter=No"
    assert [row[7] for row in rows].count("root") == 2


@needs_weights
def test_conllu_input_keeps_tokens_sentences_comments_and_multiword_tokens(
    tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "gold.conllu").write_text(CONLLU)
    done = tatian("analyze", "gold.conllu", "--to", "conllu")
    assert done.status == 0
    given, found = CONLLU.splitlines(), done.out.splitlines()
    assert found[:2] == given[:2]
    assert [line.split("\t")[:2] for line in found] == [line.split("\t")[:2] for line in given]
    assert found[3] == given[3]
    assert found[2].split("\t")[9].startswith("Gloss=x")
    assert all(column != "_" for column in found[2].split("\t")[2:8:5])


@needs_weights
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    "given", [TEXT, CONLLU, json.dumps({"text": TEXT})], ids=["text", "conllu", "json"]
)
def test_standard_input_may_be_of_any_kind(given: str, packed: bool, tatian: Command) -> None:
    data = gzip.compress(given.encode()) if packed else given.encode()
    done = tatian("analyze", "-", stdin=data)
    document = Document.from_json(json.loads(done.out))
    assert len(document.sentences) == (1 if given == CONLLU else 2)
    assert document.has(WORDS)


@needs_weights
def test_the_name_of_the_output_file_decides_its_format(
    story: str, tmp_path: Path, tatian: Command
) -> None:
    assert tatian("analyze", story, "-o", "out.conllu").out == ""
    assert (tmp_path / "out.conllu").read_text().startswith("# newdoc id = story\n")


def test_each_input_file_is_a_separate_document(
    story: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "gold.conllu").write_text(CONLLU.replace("# sent_id = a\n", ""))
    done = tatian(
        "analyze", "gold.conllu", story, "gold.conllu", "--model", "rules", "-o", "o.conllu"
    )
    assert done.status == 0
    again = tatian("analyze", "o.conllu", "--model", "rules")
    ids = [json.loads(line)["id"] for line in again.out.splitlines()]
    assert ids == ["o", "story", "gold-2"]
    sentences = re.findall("(?m)^# sent_id = (.*)$", (tmp_path / "o.conllu").read_text())
    assert sentences == ["gold-1", "story-1", "story-2", "gold-2-1"]


def test_a_directory_may_hold_conllu(story: str, tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "gold.conllu").write_text(CONLLU)
    done = tatian("analyze", ".", "--model", "rules")
    counts = [len(json.loads(line)["layers"]["tokens"]["items"]) for line in done.out.splitlines()]
    assert counts == [6, 10]


def test_an_output_file_named_gz_is_compressed(story: str, tmp_path: Path, tatian: Command) -> None:
    shown = tatian("analyze", story, "--model", "rules", "--to", "conllu").out
    assert tatian("analyze", story, "--model", "rules", "-o", "out.conllu.gz").out == ""
    packed = (tmp_path / "out.conllu.gz").read_bytes()
    assert gzip.decompress(packed).decode() == shown
    assert tatian("analyze", story, "--model", "rules", "-o", "out.conllu.gz").status == 0
    assert (tmp_path / "out.conllu.gz").read_bytes() == packed


@needs_weights
def test_number_of_threads_does_not_change_the_result(story: str, tatian: Command) -> None:
    once = tatian("analyze", story, TATIAN_THREADS="1").out
    assert tatian("analyze", story, TATIAN_THREADS="3").out == once


def test_rules_alone_find_tokens_and_sentences(story: str, tatian: Command) -> None:
    done = tatian("analyze", story, "--model", "rules", "--to", "conllu")
    assert (done.status, done.err) == (0, "")
    assert "4\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n" in done.out


def test_without_weights_a_note_says_what_is_missing(story: str, tatian: Command) -> None:
    done = tatian("analyze", story, TATIAN_WEIGHTS="nowhere")
    assert done.status == 0
    assert done.err.startswith("tatian: note: tokens and sentences only: there are no weights")
    assert tatian("analyze", story, "-q", TATIAN_WEIGHTS="nowhere").err == ""
    error = tatian("analyze", story, "--model", "encoder", TATIAN_WEIGHTS="nowhere").error
    assert error.startswith("there are no weights of the encoder in ")


def test_unknown_model_lists_the_known_ones(story: str, tatian: Command) -> None:
    error = tatian("analyze", story, "--model", "rule").error
    assert error.startswith("no analysis model named 'rule': did you mean 'rules'? known: ")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.conllu", b"", "a.conllu: empty: there are no sentences in it"),
        ("a.conllu", b"1\ta\n", "a.conllu:1: 2 columns where CoNLL-U has 10"),
        ("a.conllu", b"# x\n1\t\xff\t_\n", "a.conllu:2: not UTF-8: convert it with iconv"),
        ("a.conllu", b"%PDF-1.7\n", "a.conllu: not text but a PDF document"),
        ("a.conllu.gz", b"1\ta\n", "a.conllu.gz: named .gz, but not a gzip file"),
        ("a.txt", b" \n", "a.txt: empty: there is no text in it"),
    ],
)
def test_bad_input_gives_a_one_line_error_with_file_and_line(
    name: str, content: bytes, message: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / name).write_bytes(content)
    assert tatian("analyze", name, "--model", "rules").error.startswith(message)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/out.json", "no such file or directory"),
        ("none/out.json.gz", "no such file or directory"),
        ("full", "no space left on device"),
        ("full.gz", "no space left on device"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_line(
    name: str, reason: str, story: str, tmp_path: Path, tatian: Command
) -> None:
    for full in ("full", "full.gz"):
        (tmp_path / full).symlink_to("/dev/full")
    error = tatian("analyze", story, "-o", name, "--model", "rules").error
    assert error == f"{name}: cannot be written: {reason}"
