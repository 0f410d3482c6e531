"""How the logistic ranker learns, by either recipe, and what it then says."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.models.logistic import closed, coefficients, softmax
from tatian.aggregation.models.logistic.coefficients import Model, save, shipped, sigmoid
from tatian.aggregation.models.logistic.ranker import LogisticRanker
from tatian.errors import AssetError, EmptyInput, InputError

from .ranking_samples import named, told

NAMES = ("first", "second")
RECIPES = ("fast", "paper")
DESCRIBED = {"Ada": "A port city.", "Bela": "A port city."}


def best(ranker: LogisticRanker, instance: Instance) -> str:
    return ranker.rank(instance)[0][0]


def test_the_fast_recipe_finds_where_the_penalised_likelihood_is_highest() -> None:
    draw = np.random.default_rng(1)
    rows = draw.normal(size=(400, 2)) * [1, 20] + [3, -5]
    labels = (draw.random(400) < sigmoid(rows @ [2.0, 0.1] - 5)).astype(float)
    found = closed.fit(rows, labels, NAMES)
    scaled = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    effects = np.array(list(found.weights.values())) * rows.std(axis=0)
    slopes = scaled.T @ (sigmoid(rows @ list(found.weights.values()) + found.bias) - labels)
    assert slopes + closed.RIDGE * effects == pytest.approx([0, 0], abs=1e-6)


def test_a_feature_that_never_varies_gets_no_weight() -> None:
    rows = np.array([[1.0, 5.0], [0.0, 5.0], [1.0, 5.0], [0.0, 5.0]])
    assert closed.fit(rows, np.array([1.0, 0.0, 1.0, 1.0]), NAMES).weights["second"] == 0


def test_labels_of_one_class_give_finite_coefficients() -> None:
    found = closed.fit(np.array([[1.0, 0.0], [0.0, 1.0]]), np.ones(2), NAMES)
    assert math.isfinite(found.bias)


def test_the_gradient_of_the_papers_recipe_is_that_of_its_loss() -> None:
    draw = np.random.default_rng(2)
    design, parameters = draw.normal(size=(6, 3)), draw.normal(size=(3, 2))
    classes = np.eye(2)[[0, 1, 0, 0, 1, 0]]
    slopes = softmax.gradient(parameters, design, classes)
    for place in np.ndindex(parameters.shape):
        step = np.zeros_like(parameters)
        step[place] = 1e-6
        up = softmax.loss(parameters + step, design, classes)
        down = softmax.loss(parameters - step, design, classes)
        assert slopes[place] == pytest.approx((up - down) / 2e-6, abs=1e-6)


def test_the_papers_recipe_keeps_the_best_epoch() -> None:
    seen = []

    def judge(found: coefficients.Coefficients) -> float:
        seen.append(found)
        return {7: 0.9, 30: 0.9}.get(len(seen), 0.1)

    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    found = softmax.fit([(rows, np.array([1.0, 0.0]))], NAMES, judge)
    assert len(seen) == 50
    assert found == seen[6]


def test_small_probabilities_stay_apart() -> None:
    low, lower, lowest = sigmoid(np.array([-50.0, -60.0, -700.0]))
    assert low > lower > lowest > 0
    assert sigmoid(np.array([800.0, -800.0])).tolist() == [1, 0]


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_training_shows_is_learned(recipe: coefficients.Recipe) -> None:
    ranker = LogisticRanker(told(40), recipe=recipe)
    fresh = named(
        99, "desert oases", "ski resorts", "salt lakes", context="Ada and Bela are desert oases."
    )
    assert best(ranker, fresh) == "desert oases"


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_same_training_gives_the_same_model(recipe: coefficients.Recipe) -> None:
    first, second = (LogisticRanker(told(12), recipe=recipe).model for _ in range(2))
    assert first == second


def test_the_papers_recipe_can_choose_its_epoch_on_a_set_of_its_own() -> None:
    training = told(12)
    chosen = LogisticRanker(training, recipe="paper", validation=told(4)).model
    assert chosen.origin.instances == 12
    assert chosen != LogisticRanker(training, recipe="paper").model


def test_candidates_are_lemmatised_except_by_the_papers_recipe() -> None:
    training = told(8)
    assert LogisticRanker(training).model.lemmas
    assert not LogisticRanker(training, recipe="paper").model.lemmas
    assert not LogisticRanker(training, lemmas=False).model.lemmas


def test_instances_with_background_have_coefficients_of_their_own_if_there_are_enough() -> None:
    training = [replace(one, background=DESCRIBED) for one in told(60)]
    assert LogisticRanker(training).model.informed is not None
    assert LogisticRanker(training[:40]).model.informed is None
    assert LogisticRanker(training, recipe="paper").model.informed is None


def test_an_instance_does_not_count_its_own_gold() -> None:
    # Each gold phrase is gold once only: were it counted, the frequency would tell all.
    training = [named(at, f"gold {at}", f"gold {at + 1}", f"gold {at + 2}") for at in range(60)]
    assert LogisticRanker(training).model.general.weights["frequency"] <= 0


def test_ablated_features_have_no_coefficient() -> None:
    model = LogisticRanker(told(12), ablate=["background", "frequency"]).model
    assert set(model.general.weights) == {
        "context_tokens",
        "context_words",
        "context_similarity",
        "all_tokens",
        "all_words",
        "context_or_shared_words",
        "all_similarity",
        "context_or_shared_similarity",
    }


def test_contributions_and_bias_add_up_to_the_odds() -> None:
    ranker = LogisticRanker()
    instance = replace(told(1)[0], background=DESCRIBED)
    informed = ranker.model.informed
    assert informed is not None
    explained = ranker.explain(instance)
    for phrase, score in ranker.rank(instance):
        odds = informed.bias + sum(explained[phrase].values())
        assert score == pytest.approx(1 / (1 + math.exp(-odds)))


def test_training_without_gold_is_refused() -> None:
    bare = [replace(one, aggregations=()) for one in told(3)]
    with pytest.raises(EmptyInput, match="both candidates and gold"):
        LogisticRanker(bare)


@pytest.mark.parametrize("options", [{"recipe": "paper"}, {"ablate": ["count"]}, {"lemmas": False}])
def test_what_changes_the_features_needs_training(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match="give a training set with --train"):
        LogisticRanker(**options)  # type: ignore[arg-type]


def test_a_saved_model_is_read_back_equal(tmp_path: Path) -> None:
    model = LogisticRanker(told(8)).model
    save(model, tmp_path / "model.json")
    assert msgspec.json.decode((tmp_path / "model.json").read_bytes(), type=Model) == model


def test_the_shipped_model_says_what_it_was_trained_on_and_counts_no_phrases() -> None:
    model = shipped()
    assert model.origin.data.startswith("news-train.jsonl")
    assert model.informed is not None
    assert "frequency" not in model.general.weights
    assert "frequency" not in model.informed.weights


@pytest.mark.parametrize("text", ["{", '{"schema": 9}', "[]"])
def test_a_damaged_shipped_model_is_an_error_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "logistic.json").write_text(text)
    monkeypatch.setattr(coefficients, "SHIPPED", tmp_path / "logistic.json")
    shipped.cache_clear()
    with pytest.raises(AssetError, match="reinstall tatian"):
        shipped()
    shipped.cache_clear()
