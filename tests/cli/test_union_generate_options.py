"""``tatian union generate``: ``--operation``, ``--report`` and ``--kb``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tatian.analysis.installed import unavailable

from .harness import Command

FOG = "A ferry ran aground in thick fog."
PLACE = "The ferry ran aground near Sennick."
TAX = "Senators vote on tax reform."
CSV = f"sentence1Text,sentence2Text\n{FOG},{PLACE}\n{FOG},{TAX}\n"

needs_encoder = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(CSV)
    return path


@needs_encoder
def test_an_intersection_is_what_both_say_and_nothing_in_common_is_a_warning(
    pairs: Path, tatian: Command
) -> None:
    done = tatian("union", "generate", pairs, "--operation", "intersection")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["mergedText"] for row in rows] == ["A ferry ran aground.", ""]
    assert done.status == 0
    assert done.err == "tatian: warning: the sentences have nothing in common: '2'\n"


def test_an_intersection_takes_no_union_model(pairs: Path, tatian: Command) -> None:
    done = tatian("union", "generate", pairs, "--operation", "intersection", "--model", "longer")
    assert "--model is for unions" in done.error


def test_the_report_says_what_came_from_which_sentence(
    pairs: Path, tmp_path: Path, tatian: Command
) -> None:
    done = tatian("union", "generate", pairs, "--model", "longer", "--report", "how.jsonl")
    first, second = map(json.loads, (tmp_path / "how.jsonl").read_text().splitlines())
    assert done.status == 0
    assert first == {
        "id": "1",
        "union": PLACE,
        "origin": "longer",
        "pieces": [
            {
                "start": 0,
                "end": len(PLACE),
                "text": PLACE,
                "sources": [{"start": 0, "end": len(PLACE), "sentence": 1, "text": PLACE}],
            }
        ],
        "missing": ["thick", "fog"],
    }
    assert second["id"] == "2"


@needs_encoder
def test_the_default_model_reports_how_many_wordings_it_weighed(
    pairs: Path, tmp_path: Path, tatian: Command
) -> None:
    tatian("union", "generate", pairs, "--report", "how.jsonl")
    found = json.loads((tmp_path / "how.jsonl").read_text().splitlines()[0])
    assert found["considered"] > 1
    assert found["origin"] in {"edit", "construction", "longer-or-both"}


@needs_encoder
def test_the_report_of_an_intersection_says_how_likely_each_sentence_entails_it(
    pairs: Path, tmp_path: Path, tatian: Command
) -> None:
    tatian("union", "generate", pairs, "--operation", "intersection", "--report", "how.jsonl", "-q")
    found = json.loads((tmp_path / "how.jsonl").read_text().splitlines()[0])
    assert found["origin"] == "intersection"
    assert [chance > 0.5 for chance in found["entailed_by"]] == [True, True]


def test_a_report_does_not_overwrite_the_sentences(pairs: Path, tatian: Command) -> None:
    done = tatian("union", "generate", pairs, "--model", "longer", "--report", pairs)
    assert "is one of the inputs" in done.error
    assert pairs.read_text() == CSV


def test_a_report_and_the_results_go_to_different_files(pairs: Path, tatian: Command) -> None:
    options = ("--model", "longer", "--report", "same.csv", "-o", "same.csv")
    assert (
        "--report and --output are the same file"
        in tatian("union", "generate", pairs, *options).error
    )


@needs_encoder
def test_a_base_puts_the_name_where_the_union_would_only_describe(
    tmp_path: Path, tatian: Command
) -> None:
    file, report = tmp_path / "paris.csv", tmp_path / "how.jsonl"
    rows = [
        ("sentence1Text", "sentence2Text"),
        (
            "The minister arrived in the French capital on Monday to open a museum.",
            "The minister opened a museum in Paris.",
        ),
        ('She called it "the French capital" at the opening in May.', "She praised Paris."),
    ]
    with file.open("w", newline="") as opened:
        csv.writer(opened).writerows(rows)
    done = tatian(
        "union", "generate", file, "--model", "longer", "--kb", "starter", "--report", report, "-q"
    )
    first, second = csv.DictReader(io.StringIO(done.out))
    assert first["mergedText"] == "The minister arrived in Paris on Monday to open a museum."
    assert '"the French capital"' in second["mergedText"]
    told = json.loads(report.read_text().splitlines()[0])
    assert {"Paris"} == {
        source["text"]
        for piece in told["pieces"]
        for source in piece["sources"]
        if source["sentence"] == 1
    }
    assert (
        "leave it out"
        in tatian("union", "generate", file, "--kb", "starter", "--operation", "intersection").err
    )


@needs_encoder
def test_relations_know_what_a_base_knows(tmp_path: Path, tatian: Command) -> None:
    file = tmp_path / "paris.csv"
    file.write_text(
        "sentence1Text,sentence2Text\nRain fell on the French capital.,Rain fell on Paris.\n"
    )
    plain = tatian("union", "relations", file, "-q").out
    known = tatian("union", "relations", file, "--kb", "starter", "-q").out
    assert "S2 entails S1" not in plain
    assert "S2 entails S1 ⇐" in known
