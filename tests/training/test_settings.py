"""Which settings of Appendix F a base gets, without PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.training.settings import PRIMERA, T5, read_settings, settings_of


@pytest.mark.parametrize("base", ["allenai/PRIMERA", "allenai/PRIMERA-multinews", "runs/primera"])
def test_primera_gets_its_own_settings_by_its_name(base: str) -> None:
    assert settings_of(base) == PRIMERA
    assert (PRIMERA.lr, PRIMERA.weight_decay, PRIMERA.warmup) == (3.5e-6, 0.5, 80)
    assert (PRIMERA.batch, PRIMERA.epochs) == (16, 9)


@pytest.mark.parametrize("base", ["t5-large", "google/t5-v1_1-base", "facebook/bart-large"])
def test_unknown_models_get_the_settings_of_t5(base: str) -> None:
    assert settings_of(base) == T5
    assert (T5.lr, T5.weight_decay, T5.warmup, T5.batch, T5.epochs) == (4.3e-6, 0, 0, 32, 18)


def test_a_file_changes_only_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"epochs": 2}')
    found = read_settings("allenai/PRIMERA", str(path), "cpu")
    assert (found.epochs, found.batch, found.device) == (2, 16, "cpu")


@pytest.mark.parametrize("text", ['{"epoch": 2}', "[]", '{"lr": "high"}'])
def test_a_file_that_is_no_config_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(text)
    with pytest.raises(InputError, match="not a config"):
        read_settings("t5-large", str(path))
