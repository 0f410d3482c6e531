"""The encoder-decoders where their parts are missing; with PyTorch they are tested in training."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tatian import hub
from tatian.aggregation.models import generators, rankers
from tatian.aggregation.models.encoder_decoder import (
    DiscriminativeRanker,
    GenerativeRanker,
    PretrainedRanker,
)
from tatian.cli import main
from tatian.errors import MissingExtra, TatianError

VARIABLES = {
    "discriminative": "TATIAN_DISCRIMINATIVE",
    "generative": "TATIAN_GENERATIVE",
    "pretrained": "TATIAN_PRETRAINED",
}


@pytest.mark.parametrize(("name", "variable"), VARIABLES.items())
def test_missing_model_name_lists_the_known_models(
    name: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(
        TatianError, match=rf"which model\? name it by --checkpoint or in {variable}"
    ):
        rankers.create(name)


@pytest.mark.parametrize("model", [DiscriminativeRanker, GenerativeRanker, PretrainedRanker])
def test_missing_pytorch_gives_the_install_command(
    model: type[GenerativeRanker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "absent", lambda: True)
    assert model.missing() == "pip install 'tatian[hub]'"
    with pytest.raises(MissingExtra, match=r"pip install 'tatian\[hub\]'"):
        model("facebook/bart-large")


def test_generative_ranker_lists_what_it_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "absent", lambda: False)
    monkeypatch.delenv("TATIAN_GENERATIVE", raising=False)
    assert "TATIAN_GENERATIVE" in GenerativeRanker.missing()
    monkeypatch.setenv("TATIAN_GENERATIVE", "runs/best")
    assert GenerativeRanker.missing() == ""


def test_the_classifier_generates_nothing() -> None:
    assert "discriminative" not in generators.names()


@pytest.mark.parametrize(
    ("command", "model"), [("rank", "discriminative"), ("generate", "generative")]
)
def test_the_commands_pass_the_checkpoint_on(
    command: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "absent", lambda: True)
    task = tmp_path / "task.jsonl"
    task.write_text(
        '{"id":"a","entities":["Oslo","Bergen"],"type":"location","candidates":["cities","rivers"]}\n'
    )
    options = ["aggregate", command, str(task), "--model", model, "--checkpoint", "my-bart", "-q"]
    result = CliRunner().invoke(main, options)
    assert result.exit_code != 0
    assert "'my-bart' needs an extra" in result.output + str(result.exception)
