"""Boosted trees read from arrays: they judge as the library that grew them does."""

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
from tatian.trees import Trees

NAMES = ("a", "b", "c")


def stump(threshold: float = 0.5, *, unknown_left: bool = True) -> Trees:
    """One tree: the leaf 1.0 where `a` is at most the threshold, else -2.0."""
    return Trees(
        np.array([[0]], dtype=np.int16),
        np.array([[threshold]], dtype=np.float32),
        np.array([[-1]], dtype=np.int16),
        np.array([[-2]], dtype=np.int16),
        np.array([[unknown_left]]),
        np.array([[1.0, -2.0]], dtype=np.float32),
        names=NAMES,
    )


def logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def judged(trees: Trees, *values: float) -> list[float]:
    rows = np.array([[value, 0, 0] for value in values], dtype=np.float32)
    return trees.probability(rows).tolist()


def grown(rows: npt.NDArray[np.float32], labels: npt.NDArray[np.bool_]) -> tuple[Any, Trees]:
    """What LightGBM grew, and the same as arrays."""
    lightgbm = pytest.importorskip("lightgbm")
    from tatian.training.boosting import as_arrays

    settings = {"objective": "binary", "num_leaves": 7, "min_data_in_leaf": 5, "verbose": -1}
    model = lightgbm.train(settings, lightgbm.Dataset(rows, labels), num_boost_round=30)
    return model, as_arrays(model.dump_model()["tree_info"], NAMES)


def sample(seed: int, count: int = 400) -> npt.NDArray[np.float32]:
    """Rows with ties and with values that are not known."""
    generator = np.random.default_rng(seed)
    rows = generator.normal(size=(count, len(NAMES))).round(1).astype(np.float32)
    rows[generator.random(rows.shape) < 0.2] = np.nan
    return rows


def labelled(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    known: npt.NDArray[np.bool_] = np.nan_to_num(rows[:, 0]) > np.isnan(rows[:, 1])
    return known


def test_a_value_on_the_threshold_goes_left() -> None:
    assert judged(stump(), 0.5, 0.6) == pytest.approx([logistic(1.0), logistic(-2.0)])


@pytest.mark.parametrize(("left", "leaf"), [(True, 1.0), (False, -2.0)])
def test_what_is_unknown_goes_where_training_sent_it(left: bool, leaf: float) -> None:
    assert judged(stump(unknown_left=left), np.nan) == pytest.approx([logistic(leaf)])


def test_a_node_may_ask_only_whether_a_value_is_known() -> None:
    trees = stump(np.inf, unknown_left=False)
    assert judged(trees, 1e30, np.nan) == pytest.approx([logistic(1.0), logistic(-2.0)])


def test_no_rows_no_probabilities() -> None:
    assert stump().probability(np.zeros((0, 3), dtype=np.float32)).shape == (0,)


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    _, trees = grown(rows := sample(1), labelled(rows))
    trees.save(tmp_path / "trees.npz")
    read = Trees.load(tmp_path / "trees.npz")
    assert read.names == NAMES
    assert read.probability(rows).tolist() == trees.probability(rows).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_they_judge_as_lightgbm_does(seed: int) -> None:
    model, trees = grown(rows := sample(seed), labelled(rows))
    for asked in (rows, sample(seed + 100, 1000)):
        assert trees.probability(asked) == pytest.approx(model.predict(asked), abs=1e-5)


def test_trees_that_learned_nothing_give_what_they_began_with() -> None:
    rows = np.zeros((20, 3), dtype=np.float32)
    model, trees = grown(rows, np.arange(20) < 5)
    assert trees.probability(rows) == pytest.approx(model.predict(rows), abs=1e-5)


def test_a_row_is_judged_alike_in_any_company() -> None:
    _, trees = grown(rows := sample(2), labelled(rows))
    alone = [trees.probability(row[None])[0] for row in rows[:100]]
    assert trees.probability(rows)[:100].tolist() == alone


@given(arrays.arrays(np.float32, (3, 3), elements=st.floats(width=32, allow_infinity=False)))
def test_whatever_the_values_the_result_is_a_probability(rows: npt.NDArray[np.float32]) -> None:
    assert all(0 <= one <= 1 for one in stump().probability(rows))


def test_trees_with_more_leaves_than_can_be_read_are_refused() -> None:
    trees = stump()
    trees.leaf = np.zeros((1, 65), dtype=np.float32)
    with pytest.raises(AssetError, match="65 leaves"):
        trees.probability(np.zeros((1, 3), dtype=np.float32))
