"""``tatian mentions detect``, as users run it."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from .harness import Command

TEXT = "Students in Oslo met Hillary Clinton. Students cheered."
DETECT = ("mentions", "detect", "--model", "prior")
GERMAN = (
    "Der Rat hat am Montag ein Gesetz beschlossen, das die Kosten für die Bürger senken soll. "
    "Die Opposition war nicht mit dem Entwurf zufrieden und stimmte gegen die Regierung.\n"
)
LABELLED = {
    "id": "g",
    "text": "Oslo grew.",
    "mentions": [{"start": 0, "end": 10, "titles": ["Wrong"]}],
    "evaluated": [{"start": 0, "end": 4}],
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text(TEXT)
    (tmp_path / "gold.jsonl").write_text(json.dumps(LABELLED) + "\n")


def titles(out: str) -> list[str]:
    return [one["titles"][0] for line in out.splitlines() for one in json.loads(line)["mentions"]]


def test_a_text_is_linked_to_the_starter_base(tatian: Command) -> None:
    done = tatian(*DETECT, "story.txt", "-q")
    assert (done.status, done.err) == (0, "")
    assert titles(done.out) == ["Student", "Oslo", "Hillary Clinton", "Student"]
    assert [one["start"] for one in json.loads(done.out)["mentions"]] == [0, 12, 21, 38]


def test_the_default_model_links_a_surname_to_the_person_named_before(tatian: Command) -> None:
    given = b"Hillary Clinton flew to Oslo. Clinton met students there."
    done = tatian("mentions", "detect", "-", "-q", "--topic", "Diplomacy", stdin=given)
    found = {one["term"]: one["titles"] for one in json.loads(done.out)["mentions"]}
    assert found["Clinton"] == found["Hillary Clinton"] == ["Hillary Clinton"]
    assert found["Oslo"] == ["Oslo"]


def test_a_note_says_that_another_base_would_know_more(tatian: Command) -> None:
    done = tatian(*DETECT, "story.txt")
    assert done.err.count("\n") == 1
    assert "tatian kb build" in done.err
    assert tatian(*DETECT, "story.txt", "--kb", "starter").err == ""


def test_another_base_can_be_used(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "titles.txt").write_text("Cheering\nStudent\n")
    assert tatian("kb", "build", "titles.txt", "-o", "own.kb", "-q").status == 0
    assert titles(tatian(*DETECT, "story.txt", "--kb", "own.kb").out) == ["Student", "Student"]


def test_csv_has_lines_of_term_and_link(tatian: Command) -> None:
    done = tatian(*DETECT, "story.txt", "--to", "csv", "-q")
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert row["mentions"].splitlines()[1:3] == [
        "Oslo#https://en.wikipedia.org/wiki/Oslo",
        "Hillary Clinton#https://en.wikipedia.org/wiki/Hillary_Clinton",
    ]


@pytest.mark.parametrize(
    ("name", "begins"), [("o.ttl", "@prefix"), ("o.csv", "id,text"), ("o.html", "<!doctype html>")]
)
def test_the_name_of_the_output_says_what_to_write(
    tatian: Command, tmp_path: Path, name: str, begins: str
) -> None:
    done = tatian(*DETECT, "story.txt", "-q", "-o", name)
    assert (done.status, done.out) == (0, "")
    assert (tmp_path / name).read_text().startswith(begins)


def test_nif_is_read_back_with_the_same_links(tatian: Command) -> None:
    nif = tatian(*DETECT, "story.txt", "--to", "nif", "-q").out
    back = tatian("mentions", "convert", "-", "--to", "jsonl", stdin=nif.encode())
    assert titles(back.out) == ["Student", "Oslo", "Hillary Clinton", "Student"]


def test_pages_directories_records_and_gzip_are_read(tatian: Command, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "page.html").write_text("<html><body><p>Trains to Oslo run again.</p></body></html>")
    (folder / "packed.txt.gz").write_bytes(gzip.compress(b"They left Paris."))
    (folder / "lines.jsonl").write_text('{"id": "r", "text": "In Berlin.", "topic": "Cities"}\n')
    done = tatian(*DETECT, "folder", "-q", "--topic", "Travel")
    records = [json.loads(line) for line in done.out.splitlines()]
    assert [(one["id"], one["topic"]) for one in records] == [
        ("r", "Cities"),
        ("packed", "Travel"),
        ("page", "Travel"),
    ]
    assert {"Oslo", "Paris", "Berlin"} <= set(titles(done.out))


@pytest.mark.parametrize("stdin", [False, True])
def test_mentions_of_a_benchmark_are_replaced(tatian: Command, stdin: bool) -> None:
    given = json.dumps(LABELLED).encode() if stdin else b""
    done = tatian(*DETECT, "-" if stdin else "gold.jsonl", "-q", stdin=given)
    found = json.loads(done.out)
    assert [one["titles"] for one in found["mentions"]] == [["Oslo"]]
    assert found["evaluated"] == LABELLED["evaluated"]


def test_detected_mentions_can_be_scored(tatian: Command) -> None:
    tatian(*DETECT, "gold.jsonl", "-q", "-o", "found.jsonl")
    done = tatian("mentions", "score", "found.jsonl", "found.jsonl", "--format", "json")
    assert done.status == 0
    assert tatian("mentions", "score", "gold.jsonl", "found.jsonl").status == 0


def test_names_can_have_their_titles(tatian: Command) -> None:
    given = b"Senator Hillary Clinton left."
    bare = json.loads(tatian(*DETECT, "-", "-q", stdin=given).out)
    whole = json.loads(tatian(*DETECT, "-", "-q", "--whole-names", stdin=given).out)
    assert "Hillary Clinton" in [one["term"] for one in bare["mentions"]]
    assert [one["term"] for one in whole["mentions"]] == ["Senator Hillary Clinton"]


def test_threshold_drops_links_with_lower_confidence(tatian: Command) -> None:
    given = b"Clinton flew to London."
    every = json.loads(tatian(*DETECT, "-", "-q", stdin=given).out)["mentions"]
    sure = json.loads(tatian(*DETECT, "-", "-q", "--threshold", "0.9", stdin=given).out)["mentions"]
    assert [one for one in every if one["score"] >= 0.9] == sure
    assert len(sure) < len(every)


def test_several_pages_are_printed_if_equally_likely(tatian: Command) -> None:
    done = tatian(*DETECT, "-", "-q", "--titles", "3", stdin=b"Clinton left.")
    assert len(json.loads(done.out)["mentions"][0]["titles"]) > 1


def test_a_model_without_a_base_finds_names_without_pages(tatian: Command) -> None:
    done = tatian("mentions", "detect", "story.txt", "--model", "capitals")
    found = [(one["term"], one["titles"]) for one in json.loads(done.out)["mentions"]]
    assert ("Hillary Clinton", []) in found
    assert done.err == ""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nowhere.txt",), "nowhere.txt: no such file"),
        (("story.txt", "--kb", "no.kb"), "no.kb: no such file: build one with 'tatian kb build'"),
        (("story.txt", "--kb", "story.txt"), "story.txt: is no knowledge base"),
        (("binary.dat",), "binary.dat: binary data"),
        (("empty.txt",), "empty.txt: empty"),
        (("broken.jsonl",), "broken.jsonl:2:"),
        (("story.txt", "-o", "story.txt"), "is one of the inputs"),
        (("story.txt", "--model", "nobody"), "no mentions model named 'nobody'"),
    ],
)
def test_invalid_input_fails_with_one_line(
    tatian: Command, tmp_path: Path, args: tuple[str, ...], message: str
) -> None:
    (tmp_path / "binary.dat").write_bytes(bytes(range(256)))
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "broken.jsonl").write_text('{"id": "1", "text": "Oslo"}\n{"id": "2", "te\n')
    done = tatian(*DETECT, *args, "-q")
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_results_are_printed_as_they_are_found(tatian: Command, tmp_path: Path) -> None:
    lines = ['{"id": "1", "text": "Oslo"}'] * 1500
    (tmp_path / "many.jsonl").write_text("\n".join([*lines, "broken"]) + "\n")
    done = tatian(*DETECT, "many.jsonl", "-q")
    assert done.status == 2
    assert len(done.out.splitlines()) >= 400


def test_a_text_in_another_language_is_warned_of_in_one_line(
    tatian: Command, tmp_path: Path
) -> None:
    for name in ("de.txt", "auch.txt"):
        (tmp_path / name).write_text(GERMAN)
    done = tatian(*DETECT, "de.txt", "auch.txt", "--kb", "starter")
    assert done.status == 0
    (line,) = done.err.splitlines()
    assert "de.txt: seems to be in German: Tatian reads English only" in line
    assert "and 1 more" in line
    assert tatian(*DETECT, "de.txt", "-q").err == ""


def test_the_guidelines_ask_for_whole_names_repeats_and_what_is_related(tatian: Command) -> None:
    given = b"Senator Hillary Clinton met students. The students saw a chair."
    topic = ("--topic", "We should abolish university fees")
    done = tatian(
        "mentions", "detect", "-", "-q", "--guidelines", "--model", "prior", *topic, stdin=given
    )
    found = [one["term"] for one in json.loads(done.out)["mentions"]]
    assert found == ["Senator Hillary Clinton", "students", "students"]
