"""How the logistic ranker learns, and what it then says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.data.background import Backgrounds
from tatian.aggregation.data.jsonl import read
from tatian.aggregation.metrics import score
from tatian.aggregation.models import Ranker, logistic
from tatian.aggregation.models.baselines import FrequencyRanker
from tatian.aggregation.models.logistic import LogisticRanker, fit, gradient, shipped_coefficients
from tatian.errors import AssetError, EmptyInput, InputError
from tatian.knowledge import open_base

from .ranking_samples import named, told


def loss(parameters: logistic.Numbers, rows: logistic.Numbers, classes: logistic.Numbers) -> float:
    """The mean cross entropy."""
    powers = np.exp(rows @ parameters)
    shares = powers / powers.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(np.sum(shares * classes, axis=1))))


def test_the_gradient_is_that_of_the_loss() -> None:
    draw = np.random.default_rng(2)
    rows, parameters = draw.normal(size=(6, 3)), draw.normal(size=(3, 2))
    classes = np.eye(2)[[0, 1, 0, 0, 1, 0]]
    slopes = gradient(parameters, rows, classes)
    for place in np.ndindex(parameters.shape):
        step = np.zeros_like(parameters)
        step[place] = 1e-6
        up = loss(parameters + step, rows, classes)
        down = loss(parameters - step, rows, classes)
        assert slopes[place] == pytest.approx((up - down) / 2e-6, abs=1e-6)


def test_the_best_epoch_is_kept() -> None:
    seen = []

    def judge(odds: logistic.Numbers) -> float:
        seen.append(odds)
        return {7: 0.9, 30: 0.9}.get(len(seen), 0.1)

    rows = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    found = fit([(rows, np.eye(2))], judge)
    assert len(seen) == 50
    assert found.tolist() == seen[6].tolist()


def test_small_probabilities_remain_distinct() -> None:
    low, lower, lowest = logistic._sigmoid(np.array([-50.0, -60.0, -700.0]))
    assert low > lower > lowest > 0
    assert logistic._sigmoid(np.array([800.0, -800.0])).tolist() == [1, 0]


def test_training_learns_the_gold_phrases() -> None:
    fresh = named(
        99, "desert oases", "ski resorts", "salt lakes", context="Ada and Bela are desert oases."
    )
    assert LogisticRanker(told(40)).rank(fresh)[0][0] == "desert oases"


def test_training_is_deterministic() -> None:
    assert LogisticRanker(told(12)).odds == LogisticRanker(told(12)).odds


def test_the_epoch_can_be_chosen_on_a_set_of_its_own() -> None:
    chosen = LogisticRanker(told(12), validation=told(4)).odds
    assert chosen != LogisticRanker(told(12)).odds
    with pytest.raises(InputError, match="give one with --train"):
        LogisticRanker(validation=told(4))


def test_training_without_gold_is_refused() -> None:
    bare = [replace(one, aggregations=()) for one in told(3)]
    with pytest.raises(EmptyInput, match="both candidates and gold"):
        LogisticRanker(bare)


def test_the_shipped_model_counts_no_phrases() -> None:
    assert shipped_coefficients()["frequency"] == 0


@pytest.mark.parametrize("text", ["{", '{"schema": 9}', "[]"])
def test_damaged_weights_raise_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "logistic.json").write_text(text)
    monkeypatch.setattr(logistic, "SHIPPED", tmp_path / "logistic.json")
    with pytest.raises(AssetError, match="reinstall tatian"):
        shipped_coefficients()


@pytest.fixture(scope="module")
def news(data: Path) -> dict[str, list[Instance]]:
    backgrounds = Backgrounds(open_base("starter"))
    folder = data / "aggregation"
    return {
        part: [backgrounds.fill(one) for one in read(str(folder / f"news-{part}.jsonl"))]
        for part in ("train", "val")
    }


def mean_average_precision(ranker: Ranker, task: list[Instance]) -> float:
    return score(task, {one.id: ranker.rank(one) for one in task}).value("map")


def test_the_shipped_ranker_is_far_above_frequency(news: dict[str, list[Instance]]) -> None:
    frequency = mean_average_precision(FrequencyRanker(news["train"]), news["val"])
    assert mean_average_precision(LogisticRanker(), news["val"]) > frequency + 0.2
