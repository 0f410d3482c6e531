"""``tatian mentions score``: what is printed, in which formats, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Page, Redirect

from .harness import Command

TEXT = "The free and open source software gives users the freedom to use it."


def line(id: str, *mentions: tuple[str, str, float | None]) -> str:
    found = []
    for term, title, score in mentions:
        start = TEXT.index(term)
        one: dict[str, Any] = {"start": start, "end": start + len(term), "titles": [title]}
        one |= {"term": term} | ({} if score is None else {"score": score})
        found.append(one)
    return json.dumps({"id": id, "text": TEXT, "mentions": found}) + "\n"


GOLD = "".join(
    line(
        f"s{number}",
        ("free", "Free software", None),
        ("open source software", "Open-source software", None),
    )
    for number in range(12)
)
OURS = "".join(
    line(
        f"s{number}",
        ("free", "Free software", 0.9),
        ("open source", "Open-source software", 0.8),
        ("freedom", "Liberty", 0.1),
    )
    for number in range(12)
)
THEIRS = "".join(line(f"s{number}", ("free", "Gratis", 0.5)) for number in range(12))


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in {"gold": GOLD, "ours": OURS, "theirs": THEIRS}.items():
        (tmp_path / f"{name}.jsonl").write_text(text)


def figures(tatian: Command, *args: str) -> Any:
    done = tatian("mentions", "score", "gold.jsonl", *args, "--format", "json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_json_holds_fractions_of_1(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl")
    assert (found["precision"], found["recall"]) == (1 / 3, 1 / 2)
    assert found["f1"] == pytest.approx(0.4)
    assert found["texts"] == 12
    assert found["signature"].startswith("mentions|match:strong|nil:ignore|n:12|data:")


def test_overlaps_count_when_matching_is_weak(tatian: Command) -> None:
    assert figures(tatian, "ours.jsonl", "--match", "weak")["recall"] == 1


def test_text_is_a_table_in_per_cent(tatian: Command) -> None:
    done = tatian("mentions", "score", "gold.jsonl", "ours.jsonl")
    lines = [one.split() for one in done.out.splitlines()]
    assert lines[0] == ["task", "precision", "recall", "f1", "macro", "f1"]
    assert lines[1] == ["full", "33.33", "50.00", "40.00", "40.00"]
    assert [one[0] for one in lines[1:]] == ["full", "detection", "linking"]
    assert done.err.startswith("tatian: note: per cent; mentions|")


def test_groups_are_shown(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl", "--by", "type")
    assert found["by"]["ungrouped"]["counts"]["gold"] == 24
    assert "group" in tatian("mentions", "score", "gold.jsonl", "ours.jsonl", "--by", "type").out


def test_several_systems_are_printed_side_by_side(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl", "theirs.jsonl")
    assert set(found["systems"]) == {"ours.jsonl", "theirs.jsonl"}
    done = tatian("mentions", "score", "gold.jsonl", "ours.jsonl", "theirs.jsonl")
    assert done.out.count("theirs.jsonl") == 3


def test_systems_are_compared(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl", "theirs.jsonl", "--compare")
    (one,) = found["comparisons"]
    assert (one["first"], one["second"]) == ("ours.jsonl", "theirs.jsonl")
    assert one["tests"][0]["p_value"] < 0.01
    done = tatian("mentions", "score", "gold.jsonl", "ours.jsonl", "theirs.jsonl", "--compare")
    assert "approximate randomization" in done.out


def test_errors_add_intervals(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl", "--errors")
    assert found["intervals"]["full"]["low"] == pytest.approx(0.4)
    assert found["standard_errors"]["full"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ours.jsonl", "--compare"], "--compare needs the predictions of two systems"),
        (["ours.jsonl", "ours.jsonl"], "a file of predictions is given twice"),
        (["ours.jsonl", "--kb", "no.kb"], "no.kb"),
        (["missing.jsonl"], "missing.jsonl"),
    ],
)
def test_invalid_input_fails_with_one_line(tatian: Command, args: list[str], message: str) -> None:
    assert message in tatian("mentions", "score", "gold.jsonl", *args).error


def test_texts_that_are_missing_are_named(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "short.jsonl").write_text("".join(OURS.splitlines(keepends=True)[:-1]))
    error = tatian("mentions", "score", "gold.jsonl", "short.jsonl").error
    assert error == "the prediction lacks document 's11': documents are paired by their ids"


class Pages(list[Page | Redirect]):
    """A source of knowledge."""

    name = "pages"


@pytest.fixture
def base(tmp_path: Path) -> str:
    """A base that has one of the two gold pages, under another name too."""
    pages = Pages(
        [
            Page("Free software", kind="concept", wikidata="Q341"),
            Page("Liberty", kind="concept"),
            Redirect("Libre software", "Free software"),
        ]
    )
    build([pages], tmp_path / "small.kb")
    return "small.kb"


def test_base_resolves_redirects_and_reports_coverage(
    tatian: Command, tmp_path: Path, base: str
) -> None:
    (tmp_path / "libre.jsonl").write_text(OURS.replace("Free software", "Libre software"))
    assert figures(tatian, "libre.jsonl")["recall"] == 0
    found = figures(tatian, "libre.jsonl", "--kb", base)
    assert found["recall"] == 1 / 2
    assert found["coverage"] == {"covered": 12, "gold": 24, "share": 1 / 2}
    done = tatian("mentions", "score", "gold.jsonl", "libre.jsonl", "--kb", base)
    assert "the base has pages of 12 of 24 gold mentions (50.0%)" in done.err


def test_wikidata_ids_become_pages(tatian: Command, tmp_path: Path, base: str) -> None:
    gold = json.loads(GOLD.splitlines()[0])
    for one in gold["mentions"][:1]:
        one |= {"titles": [], "ids": ["Q341"]}
    (tmp_path / "ids.jsonl").write_text(json.dumps(gold))
    (tmp_path / "one.jsonl").write_text(OURS.splitlines()[0])
    done = tatian(
        *("mentions", "score", "ids.jsonl", "one.jsonl", "--kb", base),
        *("--format", "json"),
    )
    assert json.loads(done.out)["counts"]["found"] == 1


def test_gold_that_is_known_by_ids_only_counts_and_is_warned_of(
    tatian: Command, tmp_path: Path
) -> None:
    gold = json.loads(GOLD.splitlines()[0])
    gold["mentions"][0] |= {"titles": [], "ids": ["Q341"]}
    (tmp_path / "ids.jsonl").write_text(json.dumps(gold))
    (tmp_path / "one.jsonl").write_text(OURS.splitlines()[0])
    done = tatian("mentions", "score", "ids.jsonl", "one.jsonl")
    assert "gold mentions with ids whose pages are not known: 1; give --kb to find them" in done.err
    assert done.out.splitlines()[1].split()[2] == "0.00"


def test_base_distinguishes_names_from_general_terms(tatian: Command, base: str) -> None:
    found = figures(tatian, "ours.jsonl", "--kb", base, "--by", "named")
    assert found["by"]["general"]["counts"]["gold"] == 12


def test_single_text_is_too_few_for_standard_errors(tatian: Command, tmp_path: Path) -> None:
    for name in ("one.jsonl", "two.jsonl", "three.jsonl"):
        (tmp_path / name).write_text(line("s", ("free", "Free software", 0.5)))
    files = ("mentions", "score", "one.jsonl", "two.jsonl", "three.jsonl", "--compare", "--errors")
    assert "need several texts; there is only one" in tatian(*files).err
    assert tatian(*files, "-q").err == ""
