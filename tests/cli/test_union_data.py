"""``tatian union`` on data: check, pairs, relations, representative, stats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command

HEADER = "sentence1Text,sentence2Text,mergedText\n"
FINE = "A ferry sank.,The ferry sank in fog.,The ferry sank in fog.\n"
DISJOINT = "A ferry sank.,Prices rose in May.,A ferry sank; prices rose in May.\n"
PEOPLE = "I saw it.,A ferry sank in fog.,A ferry sank in fog and I saw it.\n"
DISPUTED = {
    "id": "d",
    "sentences": [
        "The ferry hurt 12 people off Halverne on Tuesday.",
        "The ferry hurt 13 people off Halverne, the coast guard said.",
    ],
}


@pytest.fixture
def unions(tmp_path: Path) -> Path:
    path = tmp_path / "unions.csv"
    path.write_text(HEADER + FINE + DISJOINT + PEOPLE)
    return path


def test_check_names_line_record_and_reason_and_exits_with_1(unions: Path, tatian: Command) -> None:
    done = tatian("union", "check", "unions.csv")
    assert done.status == 1
    lines = done.out.splitlines()
    assert lines[0] == (
        "unions.csv:3: [2] disjoint: the sentences share no content word and the union strings "
        "them together"
    )
    assert all(line.startswith("unions.csv:4: [3] first-person: ") for line in lines[2:])
    assert done.err.startswith("tatian: note: 3 instances: disjoint 2, first-person 2")


def test_check_is_silent_and_exits_with_0_on_valid_data(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.csv").write_text(HEADER + FINE)
    done = tatian("union", "check", "a.csv", "--quiet")
    assert (done.status, done.out, done.err) == (0, "", "")


def test_check_writes_the_instances_that_stay(
    unions: Path, tmp_path: Path, tatian: Command
) -> None:
    tatian("union", "check", unions, "--cleaned", "out.csv", "-q")
    assert (tmp_path / "out.csv").read_text() == HEADER + FINE


def test_check_judges_fitness_on_demand(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(DISPUTED) + "\n")
    assert tatian("union", "check", "a.jsonl", "-q").status == 0
    done = tatian("union", "check", "a.jsonl", "--fitness", "--format", "json")
    assert done.status == 1
    found = json.loads(done.out)
    assert found["counts"] == {"attribution": 1, "disagreement": 1}
    dispute = next(one for one in found["findings"] if one["reason"] == "disagreement")
    assert (dispute["line"], dispute["id"], dispute["action"]) == (1, "d", "skip")
    claims = dispute["contradictions"][0]["claims"]
    assert [claim["text"] for claim in claims] == ["12", "13"]


def test_a_subtle_case_alone_is_only_noticed(tmp_path: Path, tatian: Command) -> None:
    sentences = [
        "The ferry hurt 12 people off Halverne.",
        DISPUTED["sentences"][1].replace("13", "12"),
    ]
    (tmp_path / "a.jsonl").write_text(json.dumps({"sentences": sentences}) + "\n")
    done = tatian("union", "check", "a.jsonl", "--fitness", "-q")
    assert done.status == 0
    assert "attribution: one sentence names a source: the coast guard" in done.out


def test_relations_are_a_table_in_a_pipe(unions: Path, tatian: Command) -> None:
    done = tatian("union", "relations", unions)
    assert done.status == 0
    first = done.out.split("\n\n")[0].splitlines()
    assert first[:3] == ["item 1", "S1: A ferry sank.", "S2: The ferry sank in fog."]
    assert first[3].split() == ["relation", "S1", "S2", "why"]
    assert "in fog" in done.out.split("disjoint ∅")[1]


@pytest.mark.long
def test_relations_are_drawn_on_a_terminal(unions: Path, tatian: Command) -> None:
    shown = tatian.on_terminal("union", "relations", unions).out
    assert "S1 equivalent to S2" in shown
    assert "item 1" in shown


def test_relations_are_jsonl_by_the_name_of_the_output(
    unions: Path, tmp_path: Path, tatian: Command
) -> None:
    tatian("union", "relations", unions, "-o", "out.jsonl")
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [record["id"] for record in records] == ["1", "2", "3"]
    assert {"kind", "first", "second", "why"} <= set(records[0]["relations"][0])


def test_pairs_are_instances_that_generate_reads(accounts: object, tatian: Command) -> None:
    done = tatian("union", "pairs", "wire.txt", "courier.txt", "--skip-unfit")
    pairs = [json.loads(line) for line in done.out.splitlines()]
    assert pairs
    assert set(pairs[0]) == {"id", "sentences", "sources", "relatedness"}
    again = tatian("union", "generate", "-", "--model", "longer", stdin=done.out.encode())
    assert [json.loads(line)["id"] for line in again.out.splitlines()] == [
        one["id"] for one in pairs
    ]


def test_pairs_that_disagree_are_skipped_only_on_demand(tmp_path: Path, tatian: Command) -> None:
    for name, text in zip("ab", DISPUTED["sentences"], strict=True):
        (tmp_path / f"{name}.txt").write_text(text + "\n")
    args = ("union", "pairs", "a.txt", "b.txt", "-q")
    assert json.loads(tatian(*args).out)["sentences"] == DISPUTED["sentences"]
    assert tatian(*args, "--skip-unfit").out == ""


def test_pairs_can_be_limited(accounts: object, tatian: Command) -> None:
    args = ("union", "pairs", "wire.txt", "courier.txt", "-q")
    assert len(tatian(*args, "--limit", "1").out.splitlines()) == 1
    assert tatian(*args, "--least", "1").out == ""


def test_unrelated_reports_give_a_warning(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_text("A ferry sank off Halverne.\n")
    (tmp_path / "b.txt").write_text("Prices of wheat rose sharply.\n")
    done = tatian("union", "pairs", "a.txt", "b.txt")
    assert (done.status, done.out) == (0, "")
    assert "no related sentences" in done.err


def test_equal_unions_are_merged(tmp_path: Path, tatian: Command) -> None:
    rows = "A fire.,A big fire.,{}\n"
    unions = ["A big fire.", "A big fire.", "Something else."]
    for name, union in zip("abc", unions, strict=True):
        (tmp_path / f"{name}.csv").write_text(HEADER + rows.format(union))
    done = tatian("union", "representative", "c.csv", "a.csv", "b.csv")
    assert done.out == HEADER + rows.format("A big fire.")
    assert done.err == "tatian: note: 1 of 3 records chosen\n"


def test_stats_show_sizes_and_compression_of_each_file(unions: Path, tatian: Command) -> None:
    done = tatian("union", "stats", "unions.csv", f"again={unions}")
    lines = done.out.splitlines()
    assert lines[0].split() == ["unions", "again"]
    assert lines[1].split() == ["instances", "3", "3"]
    assert any(line.startswith("histogram 90-100") for line in lines)
    figures = json.loads(tatian("union", "stats", unions, "--format", "json").out)["unions"]
    assert figures["instances"] == figures["merged"] == 3
    assert sum(figures["histogram"].values()) == pytest.approx(1)


def test_stats_count_skipped_pairs(tmp_path: Path, tatian: Command) -> None:
    record = {"sentences": ["A.", "B."], "skip": "unnatural"}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    figures = json.loads(tatian("union", "stats", "a.jsonl", "--format", "json").out)["a"]
    assert figures["skipped"] == {"unnatural": 1}
    assert figures["compression"] is None
    assert "skipped unnatural" in tatian("union", "stats", "a.jsonl").out
