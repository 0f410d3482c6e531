"""``tatian train``: what it says before any training begins."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from .harness import Command

without_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is not None, reason="PyTorch is installed"
)


class WheelOnly:
    """Finds no training code, as after an installation from the wheel."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name == "tatian.training":
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


@without_torch
@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["seq2seq", "train.csv", "dev.csv", "--base", "t5-small"], "hub"),
        (["aggregation", "train.jsonl", "val.jsonl", "--base", "bart"], "hub"),
    ],
)
def test_missing_pytorch_gives_the_install_command(
    arguments: list[str], extra: str, tatian: Command
) -> None:
    done = tatian("train", *arguments, "-o", "out")
    assert f"pip install 'tatian[{extra}]'" in done.error


def test_missing_source_code_gives_its_address(
    tatian: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("tatian.training")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [WheelOnly(), *sys.meta_path])
    done = tatian("train", "aggregation", "a.jsonl", "b.jsonl", "--base", "bart", "-o", "out")
    assert "needs Tatian's source code" in done.error
    assert "pip install -e '.[hub]'" in done.error


def test_search_and_curves_exclude_each_other(tatian: Command) -> None:
    given = ["a.csv", "b.csv", "--base", "t5-small", "-o", "out"]
    done = tatian("train", "seq2seq", *given, "--search", "2", "--curves")
    assert done.error == "choose between --search and --curves"


def test_several_models_are_allowed_only_for_curves(tatian: Command) -> None:
    given = ["a.csv", "b.csv", "--base", "t5-small", "--base", "t5-base", "-o", "out"]
    assert "for --curves only" in tatian("train", "seq2seq", *given).error


def test_a_folder_to_write_to_must_be_given(tatian: Command) -> None:
    assert "--output" in tatian("train", "seq2seq", "a.csv", "b.csv", "--base", "t5-small").error


def test_a_wrong_setting_is_named(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"speed": 1}')
    done = tatian(
        "train", "seq2seq", "a.csv", "b.csv", "--base", "t5", "-o", "out", "--config", "config.json"
    )
    assert "not a config" in done.error
    assert "speed" in done.error
