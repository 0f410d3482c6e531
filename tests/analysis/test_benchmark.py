"""The benchmark of the analysis runs and gives its figures as data."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "analysis.py"


def test_the_scores_are_printed_as_json(data: Path, weights: None) -> None:
    options = ["--data", str(data), "--limit", "3", "--only", "scores", "--format", "json"]
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), *options], capture_output=True, text=True, check=True
    )
    tables = {table["title"]: table for table in json.loads(done.stdout)["tables"]}
    (trees,) = tables["EWT dev, gold tokens"]["rows"]
    assert trees["UPOS"]["value"] > 0.9
    assert trees["LAS"]["value"] <= trees["UAS"]["value"]
    assert {"Names: F1 of PER, LOC, ORG", "Entailment dev"} <= set(tables)


def test_without_data_it_says_what_to_give(tmp_path: Path, weights: None) -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: no data in ")
