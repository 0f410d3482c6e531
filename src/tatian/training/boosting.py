"""Growing the trees with LightGBM, and writing them down as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.errors import TatianError
from tatian.trees import Trees


class Boosting(Struct, frozen=True):
    """How many trees, how large, how careful."""

    trees: int = 600
    leaves: int = 12
    rate: float = 0.02
    least: int = 30
    """Rows that a leaf needs."""
    rows: float = 0.7
    columns: float = 0.4
    ridge: float = 10.0
    seed: int = 1


def grow(
    matrix: npt.NDArray[np.float32],
    labels: npt.NDArray[np.bool_],
    names: Sequence[str],
    *,
    weights: npt.NDArray[np.float32] | None = None,
    settings: Boosting | None = None,
) -> Trees:
    """The trees that tell the right rows from the wrong ones; `names` are the features'."""
    try:
        import lightgbm
    except ImportError as error:
        raise TatianError("growing trees needs LightGBM: pip install 'tatian[train]'") from error
    chosen = settings or Boosting()
    data = lightgbm.Dataset(matrix, labels, weight=weights)
    grown = lightgbm.train(
        {
            "objective": "binary",
            "num_leaves": chosen.leaves,
            "learning_rate": chosen.rate,
            "min_data_in_leaf": chosen.least,
            "bagging_fraction": chosen.rows,
            "bagging_freq": 1,
            "feature_fraction": chosen.columns,
            "lambda_l2": chosen.ridge,
            "seed": chosen.seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 2,
            "verbose": -1,
        },
        data,
        num_boost_round=chosen.trees,
    )
    return as_arrays(grown.dump_model()["tree_info"], names)


def as_arrays(grown: list[dict[str, Any]], names: Sequence[str]) -> Trees:
    """LightGBM's own description of its trees as the arrays that `Trees` walks."""
    size = max(one["num_leaves"] for one in grown)
    shape = (len(grown), max(1, size - 1))
    feature = np.zeros(shape, dtype=np.int16)
    threshold = np.full(shape, np.inf, dtype=np.float32)
    left = np.full(shape, -1, dtype=np.int16)
    right = np.full(shape, -1, dtype=np.int16)
    unknown_left = np.ones(shape, dtype=bool)
    leaf = np.zeros((len(grown), size), dtype=np.float32)

    def child(tree: int, node: dict[str, Any]) -> int:
        if "leaf_value" in node:
            number = int(node.get("leaf_index", 0))
            leaf[tree, number] = node["leaf_value"]
            return -number - 1
        number = int(node["split_index"])
        feature[tree, number] = node["split_feature"]
        threshold[tree, number] = _below(node["threshold"])
        unknown_left[tree, number] = node["default_left"]
        left[tree, number] = child(tree, node["left_child"])
        right[tree, number] = child(tree, node["right_child"])
        return number

    for index, one in enumerate(grown):
        child(index, one["tree_structure"])
    return Trees(feature, threshold, left, right, unknown_left, leaf, tuple(names))


def _below(threshold: float) -> float:
    """The largest 32-bit number that is no larger, so that rows of 32 bits go the same way."""
    most = float(np.finfo(np.float32).max)
    limited = min(max(threshold, -most), most)
    found = np.float32(limited)
    return float(found if float(found) <= limited else np.nextafter(found, np.float32(-np.inf)))
