"""The union benchmark runs from end to end, on two short pairs."""

import importlib
import json
import re
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CSV = """sentence1Text,sentence2Text,mergedText
A ferry ran aground in fog.,A ferry ran aground at night.,A ferry ran aground at night in fog.
Twelve died.,Twelve people died in Rome.,Twelve people died in Rome.
"""


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("union")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "union").mkdir()
    (tmp_path / "union" / "eval.csv").write_text(CSV)
    return str(tmp_path)


def test_models_stand_side_by_side_with_their_speed(benchmark, folder, capsys):
    names = "longer,concatenation,longer-or-both"
    benchmark.main(["--data", folder, "--models", names, "--no-nli", "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found["systems"]) == names.split(",")
    assert {"rouge1", "delta_cr", "delta_cr_abs", "coverage"} <= set(found["systems"]["longer"])
    assert found["speed"]["longer"]["seconds_per_pair"] > 0
    assert found["analysis_seconds_per_pair"] > 0


def test_the_table_names_tests_and_speed(benchmark, folder, capsys):
    benchmark.main(["--data", folder, "--models", "longer,concatenation", "--no-nli"])
    shown = capsys.readouterr().out
    assert shown.startswith("Sentence union, eval, 2 pairs\nsystem")
    assert "ms/pair" in shown
    assert re.search(r"p \d\.\d{4}, corrected", shown)


def test_stages_are_shown_where_a_model_keeps_them(benchmark, folder, capsys, monkeypatch):
    from tatian.union.models.whole import Longer

    class Staged(Longer):
        """Counts its seconds."""

        def __init__(self):
            self.seconds = {}

        def merge(self, passages):
            self.seconds["choosing"] = self.seconds.get("choosing", 0.0) + 0.5
            return super().merge(passages)

    monkeypatch.setattr(benchmark.mergers, "create", lambda name: Staged())
    benchmark.main(["--data", folder, "--models", "staged", "--no-nli", "--format", "json"])
    stages = json.loads(capsys.readouterr().out)["speed"]["staged"]["stages"]
    assert stages == {"choosing": 0.5}


def test_a_model_that_does_not_run_here_is_left_out(benchmark, folder, capsys):
    benchmark.main(["--data", folder, "--models", "longer,nothing", "--no-nli", "--limit", "1"])
    done = capsys.readouterr()
    assert "note: nothing left out: no union model named 'nothing'" in done.err
    assert "longer" in done.out
