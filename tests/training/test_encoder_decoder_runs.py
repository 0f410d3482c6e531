"""Grids and ablations of encoder-decoders: every run once, even if it is broken off."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from click.testing import CliRunner  # noqa: E402

from tatian.aggregation.data.jsonl import encode  # noqa: E402
from tatian.aggregation.metrics.ablation import INPUTS  # noqa: E402
from tatian.cli import main  # noqa: E402
from tatian.training import aggregation as several  # noqa: E402
from tatian.training.aggregation import (  # noqa: E402
    ABLATION_SETTINGS,
    ABLATIONS,
    ENTITIES_BATCH,
    GRIDS,
    ablations,
    grid_search,
)
from tatian.training.tuning import Runs  # noqa: E402

from .encoder_decoder_world import DATA, JUDGE, saved  # noqa: E402

GRID = {"lr": (1e-5, 3e-3), "batch": (4, 8)}
ONCE = structs.replace(JUDGE, epochs=1)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return saved(tmp_path_factory.mktemp("bases"))["bart"]


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that were trained in, in order."""
    seen: list[str] = []
    real = several.fine_tune

    def watched(name: str, task: Any, train: Any, valid: Any, settings: Any, out: Path, *rest: Any):
        seen.append(out.name)
        return real(name, task, train, valid, settings, out, *rest)

    monkeypatch.setattr(several, "fine_tune", watched)
    return seen


def runs(base: str, out: Path) -> Runs:
    return several.runs(base, "discriminative", DATA, DATA, out)


def test_a_grid_tries_every_setting_and_returns_the_best(base: str, tmp_path: Path) -> None:
    best = grid_search(runs(base, tmp_path), ONCE, GRID)
    results = [json.loads(path.read_text()) for path in tmp_path.glob("trial-*/result.json")]
    assert len(results) == 4
    assert best.scores["map"] == max(one["scores"]["map"] for one in results)


def test_a_finished_trial_is_not_run_again(base: str, tmp_path: Path, trained: list[str]) -> None:
    first = grid_search(runs(base, tmp_path), ONCE, GRID)
    again = grid_search(runs(base, tmp_path), ONCE, GRID)
    assert len(trained) == 4
    assert again.scores == first.scores


def test_a_trial_that_was_broken_off_is_run_again(
    base: str, tmp_path: Path, trained: list[str]
) -> None:
    grid_search(runs(base, tmp_path), ONCE, GRID)
    (tmp_path / "trial-004" / "done").unlink()
    trained.clear()
    grid_search(runs(base, tmp_path), ONCE, GRID)
    assert trained == ["trial-004"]


def test_different_settings_are_different_runs(
    base: str, tmp_path: Path, trained: list[str]
) -> None:
    grid = {"lr": (1e-5,)}
    grid_search(runs(base, tmp_path), ONCE, grid)
    grid_search(runs(base, tmp_path), structs.replace(ONCE, seed=2), grid)
    grid_search(runs(base, tmp_path), structs.replace(ONCE, seed=2, device=None), grid)
    assert trained == ["trial-001", "trial-001"]


def test_a_model_that_was_removed_is_trained_again(
    base: str, tmp_path: Path, trained: list[str]
) -> None:
    grid_search(runs(base, tmp_path), ONCE, {"lr": (1e-5,)})
    shutil.rmtree(tmp_path / "trial-001" / "best")
    grid_search(runs(base, tmp_path), ONCE, {"lr": (1e-5,)})
    assert trained == ["trial-001", "trial-001"]


def test_ablations_train_a_model_for_each_kind_of_input(base: str, tmp_path: Path) -> None:
    found = ablations(runs(base, tmp_path), ONCE)
    assert tuple(found) == INPUTS
    for name, inputs in ABLATIONS.items():
        setup = json.loads((tmp_path / name / "best" / "tatian.json").read_text())
        assert tuple(setup["inputs"]) == inputs
        assert (tmp_path / name / "best" / "head.safetensors").is_file()


def test_ablations_can_be_trained_and_printed(base: str, tmp_path: Path) -> None:
    task, out = tmp_path / "task.jsonl", tmp_path / "out"
    task.write_text("".join(encode(one).strip() + "\n" for one in DATA))
    (tmp_path / "config.json").write_text('{"epochs": 1, "device": "cpu"}')
    given = ["--base", base, "--config", str(tmp_path / "config.json"), "-o", str(out)]
    training = ["train", "aggregation", str(task), str(task), *given, "--ablations", "-q"]
    assert CliRunner().invoke(main, training, catch_exceptions=False).exit_code == 0
    asked = ["aggregate", "table", str(task), f"BART={out}", "--ablation", "--to", "csv", "-q"]
    done = CliRunner().invoke(main, asked, catch_exceptions=False)
    head, row = (line.split(",") for line in done.stdout.replace('"', "").splitlines())
    assert head[:2] == ["Method", "context"]
    assert row[0].startswith("BART (")
    assert all(-1 <= float(cell) <= 1 for cell in row[1:])
    assert len(row) == 4


def test_a_folder_of_one_model_is_a_system_too(base: str, tmp_path: Path) -> None:
    task = tmp_path / "task.jsonl"
    task.write_text("".join(encode(one).strip() + "\n" for one in DATA))
    several.fine_tune(base, "discriminative", DATA, DATA, ONCE, tmp_path / "out")
    for folder in (tmp_path / "out", tmp_path / "out" / "best"):
        asked = ["aggregate", "table", str(task), f"BART={folder}", "--to", "csv", "-q"]
        done = CliRunner().invoke(main, asked, catch_exceptions=False)
        assert done.stdout.splitlines()[1].startswith("BART,")


def test_the_papers_grids_are_those_of_the_appendix() -> None:
    assert [len(grid["lr"]) for grid in GRIDS.values()] == [5, 4]


def test_ablations_of_the_discriminative_model_have_the_settings_of_appendix_d_4() -> None:
    settings = ABLATION_SETTINGS["discriminative"]()
    found = (settings.lr, settings.tokens, settings.batch, settings.accumulate, settings.epochs)
    assert found == (1e-5, 1024, 8, 4, 5)


def test_the_generative_model_of_names_alone_has_smaller_updates_as_in_appendix_d_3() -> None:
    class Noted:
        def result(self, name: str, settings: Any) -> int:
            return int(settings.batch)

    found = ablations(Noted(), ABLATION_SETTINGS["generative"]())  # type: ignore[arg-type]
    assert found["entities"] == ENTITIES_BATCH
    assert found["all"] > ENTITIES_BATCH


def test_both_models_of_table_4_are_trained_by_one_command(base: str, tmp_path: Path) -> None:
    task, out = tmp_path / "task.jsonl", tmp_path / "out"
    task.write_text("".join(encode(one).strip() + "\n" for one in DATA))
    (tmp_path / "config.json").write_text('{"epochs": 1, "device": "cpu"}')
    given = ["--base", base, "--config", str(tmp_path / "config.json"), "-o", str(out)]
    training = ["train", "aggregation", str(task), str(task), *given, "--task", "both", "-q"]
    assert CliRunner().invoke(main, training, catch_exceptions=False).exit_code == 0
    assert {path.name for path in out.iterdir()} == {"discriminative", "generative"}
