"""``tatian union show`` and ``tatian union plot``."""

from __future__ import annotations

from pathlib import Path

import pytest

from .harness import Command

FOG = "A ferry ran aground in fog."
NIGHT = "A ferry ran aground at night."
BOTH = "A ferry ran aground at night in fog."
CSV = f"sentence1Text,sentence2Text,mergedText\n{FOG},{NIGHT},{BOTH}\n{NIGHT},{FOG},{BOTH}\n"
BARE = f"sentence1Text,sentence2Text\n{FOG},{NIGHT}\n"
RATINGS = "item,system,coverage,faithfulness,redundancy,fluency\n1,longer,2,4,4,5\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in (("pairs.csv", CSV), ("bare.csv", BARE), ("ratings.csv", RATINGS)):
        (tmp_path / name).write_text(text)


def test_in_a_pipe_brackets_stand_for_colours(tatian: Command) -> None:
    done = tatian("union", "show", "pairs.csv")
    assert "gold union: A [1+2: ferry ran aground] [2: at night] [1: in fog]." in done.out
    assert done.err == ""


def test_models_and_files_stand_side_by_side(tatian: Command) -> None:
    done = tatian(
        "union",
        "show",
        "pairs.csv",
        "--model",
        "longer",
        "--predicted",
        "mine=pairs.csv",
        "--item",
        "2",
    )
    names = [line.partition(":")[0] for line in done.out.splitlines() if ": A" in line]
    assert names == ["sentence 1", "sentence 2", "gold union", "longer", "mine"]
    assert "item 1" not in done.out


def test_ratings_are_shown(tatian: Command) -> None:
    given = ("pairs.csv", "--model", "longer", "--ratings", "ratings.csv", "--item", "1")
    done = tatian("union", "show", *given)
    assert "coverage 2.0  faithfulness 4.0  redundancy 4.0  consolidation 3.3" in done.out


@pytest.mark.parametrize(
    ("name", "begins"), [("page.html", "<!doctype html>"), ("page.txt", "item 1")]
)
def test_the_name_of_the_output_says_what_to_write(
    name: str, begins: str, tmp_path: Path, tatian: Command
) -> None:
    assert tatian("union", "show", "pairs.csv", "-o", name).status == 0
    assert (tmp_path / name).read_text().startswith(begins)


def test_pairs_without_unions_need_a_model(tatian: Command) -> None:
    error = tatian("union", "show", "bare.csv").error
    assert error == "bare.csv: no unions to show: name a --model or --predicted file"
    assert "\nlonger: " in tatian("union", "show", "bare.csv", "--model", "longer").out


def test_an_unknown_item_is_reported(tatian: Command) -> None:
    assert tatian("union", "show", "pairs.csv", "--item", "9").error == "no item '9' among 2"


def test_the_compression_of_splits_is_drawn(tmp_path: Path, tatian: Command) -> None:
    done = tatian("union", "plot", "compression", "train=pairs.csv", "-o", "plot.svg")
    assert done.status == 0
    svg = (tmp_path / "plot.svg").read_text()
    assert svg.startswith("<svg ")
    assert "train (2)" in svg


def test_lowest_scores_are_drawn(tatian: Command) -> None:
    assert "longer: 1 0.0, 2 100.0" in tatian("union", "plot", "lowest", "ratings.csv").out


def test_learning_curves_are_drawn(tatian: Command) -> None:
    given = b"model,size,rouge1,nli\nedit,100,0.9,0.5\nedit,200,0.92,0.6\n"
    done = tatian("union", "plot", "curves", "-", "--metric", "nli", stdin=given)
    assert "edit: 50.0 at 100, 60.0 at 200." in done.out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("compression", "bare.csv"), "no unions in 'bare': there is no compression to show"),
        (("curves", "pairs.csv"), "pairs.csv:1: expected the columns model, size and"),
        (("curves", "a.csv", "b.csv"), "curves come from one file, not from 2"),
        (("lowest", "ratings.csv", "--metric", "nli"), "--metric is for curves"),
    ],
)
def test_invalid_plots_fail_with_one_line(
    given: tuple[str, ...], message: str, tatian: Command
) -> None:
    assert tatian("union", "plot", *given).error.startswith(message)
