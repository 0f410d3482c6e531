"""Boosted trees: they judge as the library that grew them does, and as they did when saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tatian.errors import AssetError
from tatian.mentions.models.ranked import WEIGHTS
from tatian.trees import Trees

NAMES = ("a", "b", "c")
SHIPPED = Trees.load(WEIGHTS)
WIDTH = len(SHIPPED.names)


def stump(threshold: float = 0.5, *, unknown_left: bool = True) -> Trees:
    """One tree: the leaf 1.0 where `a` is at most the threshold, else -2.0."""
    pytest.importorskip("onnx")
    from tatian.training.forest import join_forests

    sides = {"left_child": {"leaf_value": 1.0}, "right_child": {"leaf_value": -2.0}}
    split = {"split_feature": 0, "threshold": threshold, "default_left": unknown_left, **sides}
    return join_forests([([{"tree_structure": split}], 1.0)], NAMES)


def logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def predict(trees: Trees, *values: float) -> list[float]:
    rows = np.array([[value, 0, 0] for value in values], dtype=np.float32)
    return trees.probability(rows).tolist()


def grow_trees(rows: npt.NDArray[np.float32], labels: npt.NDArray[np.bool_]) -> tuple[Any, Trees]:
    """What LightGBM grew, and the same in ONNX."""
    lightgbm = pytest.importorskip("lightgbm")
    pytest.importorskip("onnx")
    from tatian.training.forest import join_forests

    settings = {"objective": "binary", "num_leaves": 7, "min_data_in_leaf": 5, "verbose": -1}
    model = lightgbm.train(settings, lightgbm.Dataset(rows, labels), num_boost_round=30)
    return model, join_forests([(model.dump_model()["tree_info"], 1.0)], NAMES)


def sample(seed: int, count: int = 400, width: int = len(NAMES)) -> npt.NDArray[np.float32]:
    """Rows with ties and with values that are not known."""
    generator = np.random.default_rng(seed)
    rows = generator.normal(size=(count, width)).round(1).astype(np.float32)
    rows[generator.random(rows.shape) < 0.2] = np.nan
    return rows


def labelled(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    known: npt.NDArray[np.bool_] = np.nan_to_num(rows[:, 0]) > np.isnan(rows[:, 1])
    return known


def test_a_value_on_the_threshold_goes_left() -> None:
    assert predict(stump(), 0.5, 0.6) == pytest.approx([logistic(1.0), logistic(-2.0)])


@pytest.mark.parametrize(("left", "leaf"), [(True, 1.0), (False, -2.0)])
def test_unknown_values_go_where_training_sent_them(left: bool, leaf: float) -> None:
    assert predict(stump(unknown_left=left), np.nan) == pytest.approx([logistic(leaf)])


def test_a_node_may_ask_only_whether_a_value_is_known() -> None:
    trees = stump(np.inf, unknown_left=False)
    assert predict(trees, 1e30, np.nan) == pytest.approx([logistic(1.0), logistic(-2.0)])


def test_forests_are_added_with_their_weights() -> None:
    pytest.importorskip("onnx")
    from tatian.training.forest import join_forests

    parts = [
        ([{"tree_structure": {"leaf_value": leaf}}], times) for leaf, times in ((2, 0.5), (3, 1))
    ]
    assert predict(join_forests(parts, NAMES), 0.0) == pytest.approx([logistic(4.0)])


def test_no_rows_give_no_probabilities() -> None:
    assert SHIPPED.probability(np.zeros((0, WIDTH), dtype=np.float32)).shape == (0,)


def test_saved_trees_are_read_back(tmp_path: Path) -> None:
    SHIPPED.save(tmp_path / "trees.npz")
    read, rows = Trees.load(tmp_path / "trees.npz"), sample(1, width=WIDTH)
    assert read.names == SHIPPED.names
    assert read.probability(rows).tolist() == SHIPPED.probability(rows).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_equal_those_of_lightgbm(seed: int) -> None:
    model, trees = grow_trees(rows := sample(seed), labelled(rows))
    for asked in (rows, sample(seed + 100, 1000)):
        assert trees.probability(asked) == pytest.approx(model.predict(asked), abs=1e-5)


def test_empty_trees_return_the_initial_value() -> None:
    rows = np.zeros((20, 3), dtype=np.float32)
    model, trees = grow_trees(rows, np.arange(20) < 5)
    assert trees.probability(rows) == pytest.approx(model.predict(rows), abs=1e-5)


def test_prediction_of_a_row_does_not_depend_on_others() -> None:
    rows = sample(2, 100, WIDTH)
    alone = [SHIPPED.probability(row[None])[0] for row in rows]
    assert SHIPPED.probability(rows).tolist() == alone


@given(arrays.arrays(np.float32, (3, WIDTH), elements=st.floats(width=32, allow_infinity=False)))
def test_whatever_the_values_the_result_is_a_probability(rows: npt.NDArray[np.float32]) -> None:
    assert all(0 <= one <= 1 for one in SHIPPED.probability(rows))


def test_invalid_files_of_trees_are_refused() -> None:
    with pytest.raises(AssetError, match="reinstall tatian"):
        Trees(b"no trees", NAMES).probability(np.zeros((1, 3), dtype=np.float32))
