"""``tatian union score``, ``compare`` and ``ratings``: what is printed, in which formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tatian.union.models.prompt import read_shots

from .harness import Command

SHORT = "A ferry ran aground on Tuesday."
LONG = "A passenger ferry ran aground off Halverne on Tuesday morning."
HEADER = "sentence1Text,sentence2Text,mergedText\n"
GOLD = HEADER + f"{SHORT},{LONG},{LONG}\n" * 6
BAD = HEADER + f"{SHORT},{LONG},A tanker sank.\n" * 6
RATINGS = "item,system,judge,coverage,faithfulness,redundancy,fluency\n" + "".join(
    f"{item},gold,ann,4,4,4,5\n{item},bad,ann,1,{1 + item % 2},4,4\n" for item in range(1, 7)
)
USUAL = ["rouge1", "rouge2", "rougeL", "nli", "delta_cr", "delta_cr_abs"]
ESTIMATES = ["coverage", "faithfulness", "redundancy"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in (("gold.csv", GOLD), ("bad.csv", BAD), ("ratings.csv", RATINGS)):
        (tmp_path / name).write_text(text)


def test_score_gives_every_usual_metric_with_its_error(tatian: Command) -> None:
    done = tatian("union", "score", "gold.csv", "bad.csv", "--format", "json")
    figures = json.loads(done.out)
    assert [name for name in figures if isinstance(figures[name], float | int)] == [
        *USUAL,
        *ESTIMATES,
    ]
    for part in ("standard_errors", "intervals", "signatures"):
        assert list(figures[part]) == [*USUAL, *ESTIMATES]
    assert figures["nli"] == 0
    assert done.err == ""


def test_entailment_can_be_left_out(tatian: Command) -> None:
    done = tatian("union", "score", "gold.csv", "bad.csv", "--no-nli", "--format", "json")
    assert "nli" not in json.loads(done.out)


def test_further_metrics_can_be_chosen(tatian: Command) -> None:
    options = ("--with", "novelty", "--with", "definition", "--no-nli")
    done = tatian("union", "score", "gold.csv", "bad.csv", *options, "--format", "json")
    figures = json.loads(done.out)
    assert figures["novel3"] == 1
    assert figures["definition"] == 0


def test_scores_of_single_items_are_printed(tatian: Command) -> None:
    done = tatian(
        "union", "score", "gold.csv", "bad.csv", "--no-nli", "--items", "--format", "json"
    )
    items = json.loads(done.out)["items"]
    assert [item["id"] for item in items] == [str(number) for number in range(1, 7)]
    assert items[0]["rouge2"] == 0


def test_errors_are_counted_by_kind(tatian: Command) -> None:
    shown = tatian("union", "score", "gold.csv", "bad.csv", "--no-nli", "--errors", "--quiet").out
    assert "external hallucination" in shown
    done = tatian(
        "union", "score", "gold.csv", "bad.csv", "--no-nli", "--errors", "--format", "json"
    )
    rows = {row["error"]: row for row in json.loads(done.out)["errors"]}
    assert rows["external hallucination"]["faithfulness"] == 6


def test_an_entailment_model_that_cannot_be_loaded_is_one_line(tatian: Command) -> None:
    error = tatian("union", "score", "gold.csv", "bad.csv", "--nli-model", "no/such").error
    assert "the entailment model 'no/such'" in error


def test_compare_has_a_row_for_each_system(tatian: Command) -> None:
    done = tatian("union", "compare", "gold.csv", "gold=gold.csv", "bad.csv", "--no-nli")
    header, gold, bad, references = done.out.splitlines()
    assert header.split()[:3] == ["system", "ROUGE-1", "ROUGE-2"]
    assert gold.split()[0] == "gold"
    assert "†" in bad
    assert references.split()[:2] == ["references", "100.0"]
    assert "†" not in references
    assert "† differs from 'gold' (p < 0.05, paired bootstrap, holm)" in done.err


def test_compare_runs_models_itself(tatian: Command) -> None:
    given = ("gold.csv", "--model", "longer", "--model", "concatenation", "--no-nli")
    plain = json.loads(tatian("union", "compare", *given, "--to", "json").out)
    assert list(plain["systems"]) == ["longer", "concatenation"]
    assert plain["references"]["rouge1"] == 1
    assert plain["systems"]["concatenation"]["rouge1"]["value"] < 1


@pytest.mark.parametrize(
    "given",
    [
        ("--model", "longer", "--model", "longer"),
        ("longer=bad.csv", "--model", "longer"),
        ("--checkpoint", "runs/a/best", "--checkpoint", "runs/b/best"),
    ],
)
def test_models_with_the_same_name_are_refused(tatian: Command, given: tuple[str, ...]) -> None:
    error = tatian("union", "compare", "gold.csv", *given, "--no-nli").error
    assert "two systems are called" in error
    assert "name one with NAME=" in error


def test_compare_without_systems_is_an_error(tatian: Command) -> None:
    assert "nothing to compare" in tatian("union", "compare", "gold.csv").error


def test_scores_of_the_references_are_printed(tatian: Command) -> None:
    done = tatian("union", "score", "gold.csv", "bad.csv", "--no-nli", "--format", "json")
    references = json.loads(done.out)["references"]
    assert references["rouge1"] == 1
    assert 0.5 < references["coverage"] <= 1


def test_mistakes_are_written_as_examples_for_a_prompt(tatian: Command, tmp_path: Path) -> None:
    given = ("gold.csv", "bad.csv", "--no-nli", "--mistakes", "mistakes.jsonl", "--quiet")
    tatian("union", "score", *given)
    first, *_ = read_shots(tmp_path / "mistakes.jsonl")
    assert first.wrong != first.merged
    assert first.why.startswith("it ")


def test_compare_tests_against_a_chosen_baseline(tatian: Command) -> None:
    options = ("--no-nli", "--baseline", "bad")
    done = tatian("union", "compare", "gold.csv", "gold.csv", "bad.csv", *options, "--to", "json")
    plain = json.loads(done.out)
    assert {test["baseline"] for test in plain["tests"]} == {"bad"}
    assert (plain["test"], plain["correction"]) == ("bootstrap", "holm")


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("markdown", "| system |"),
        ("latex", "\\begin{table}"),
        ("csv", "system,"),
        ("json", "{"),
    ],
)
def test_compare_writes_other_formats(form: str, begins: str, tatian: Command) -> None:
    done = tatian("union", "compare", "gold.csv", "bad.csv", "--no-nli", "--to", form)
    assert done.out.startswith(begins)


def test_compare_puts_judges_beside_metrics(tatian: Command) -> None:
    given = ("gold.csv", "gold.csv", "bad.csv", "--ratings", "ratings.csv", "--no-nli")
    header = tatian("union", "compare", *given, "--to", "csv").out.splitlines()[0]
    assert header.startswith('system,"coverage, judged"')
    plain = json.loads(tatian("union", "compare", *given, "--to", "json").out)
    assert plain["judged"]["bad"]["coverage"]["value"] == 1


def test_ratings_are_summarised(tatian: Command) -> None:
    done = tatian("union", "ratings", "ratings.csv")
    header, gold, bad = done.out.splitlines()
    assert header.split()[1:6] == [
        "coverage",
        "faithfulness",
        "redundancy",
        "consolidation",
        "fluency",
    ]
    assert gold.split()[:2] == ["gold", "4.00"]
    assert bad.split()[:2] == ["bad", "1.00"]


def test_ratings_are_correlated_with_metrics(tatian: Command) -> None:
    options = ("--gold", "gold.csv", "--predicted", "gold.csv", "--predicted", "bad.csv")
    given = ("ratings.csv", *options, "--no-nli")
    plain = json.loads(tatian("union", "ratings", *given, "--format", "json").out)
    assert plain["correlations"]["rouge1"]["coverage"]["tau"] == pytest.approx(1)
    assert plain["correlations"]["rouge1"]["redundancy"]["tau"] is None
    assert plain["systems"]["bad"]["lowest"] == {"1": 6, "2": 0, "3": 0, "4": 0}
    assert "Kendall's tau" in tatian("union", "ratings", *given).out


def test_gold_without_predictions_is_refused(tatian: Command) -> None:
    error = tatian("union", "ratings", "ratings.csv", "--gold", "gold.csv").error
    assert error == "--gold and --predicted belong together: give both or neither"


def test_invalid_ratings_fail_with_one_line(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "r.csv").write_text("item,system,coverage\n1,a,7\n")
    assert tatian("union", "ratings", "r.csv").error == (
        "r.csv:2: coverage is rated from 1 to 4, not 7"
    )
