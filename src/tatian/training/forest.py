"""Training of boosted trees with LightGBM, and their conversion to ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.errors import TatianError
from tatian.trees import Trees

TreeList = list[dict[str, Any]]
"""Trees as LightGBM describes them."""


class Boosting(Struct, frozen=True):
    """Hyperparameters of boosted trees."""

    trees: int = 600
    leaves: int = 12
    rate: float = 0.02
    """Learning rate."""
    least: int = 30
    """Minimum number of rows of a leaf."""
    rows: float = 0.7
    """Share of the rows that each tree sees."""
    columns: float = 0.4
    """Share of the features that each tree sees."""
    ridge: float = 10.0
    """Weight of the L2 penalty."""
    seed: int = 1


def train_trees(
    matrix: npt.NDArray[np.float32],
    labels: npt.NDArray[np.bool_],
    *,
    weights: npt.NDArray[np.float32] | None = None,
    settings: Boosting | None = None,
) -> TreeList:
    """Train trees that predict the labels of rows."""
    try:
        import lightgbm
    except ImportError as error:
        raise TatianError("growing trees needs LightGBM: pip install 'tatian[train]'") from error
    settings = settings or Boosting()
    parameters = {
        "objective": "binary",
        "num_leaves": settings.leaves,
        "learning_rate": settings.rate,
        "min_data_in_leaf": settings.least,
        "bagging_fraction": settings.rows,
        "bagging_freq": 1,
        "feature_fraction": settings.columns,
        "lambda_l2": settings.ridge,
        "seed": settings.seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 2,
        "verbose": -1,
    }
    data = lightgbm.Dataset(matrix, labels, weight=weights)
    booster = lightgbm.train(parameters, data, num_boost_round=settings.trees)
    trees: TreeList = booster.dump_model()["tree_info"]
    return trees


def join_forests(forests: Sequence[tuple[TreeList, float]], names: Sequence[str]) -> Trees:
    """Join weighted forests over the same features into one, in ONNX."""
    from onnx import TensorProto, helper

    trees = [(tree["tree_structure"], weight) for forest, weight in forests for tree in forest]
    nodes: list[dict[str, Any]] = []
    for number, (structure, weight) in enumerate(trees):
        _add_node(structure, number, weight, nodes, len(nodes))
    leaves = [node for node in nodes if node["modes"] == "LEAF"]
    ensemble = helper.make_node(
        "TreeEnsembleRegressor",
        ["rows"],
        ["sums"],
        domain="ai.onnx.ml",
        n_targets=1,
        **{f"nodes_{name}": [node[name] for node in nodes] for name in _LEAF},
        target_treeids=[node["treeids"] for node in leaves],
        target_nodeids=[node["nodeids"] for node in leaves],
        target_ids=[0] * len(leaves),
        target_weights=[node["weight"] for node in leaves],
    )
    graph = helper.make_graph(
        [ensemble],
        "trees",
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, len(names)])],
        [helper.make_tensor_value_info("sums", TensorProto.FLOAT, [None, 1])],
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(graph, opset_imports=versions, ir_version=8)
    return Trees(model.SerializeToString(), tuple(names))


_LEAF: dict[str, Any] = {
    "treeids": 0,
    "nodeids": 0,
    "modes": "LEAF",
    "featureids": 0,
    "values": 0.0,
    "truenodeids": 0,
    "falsenodeids": 0,
    "missing_value_tracks_true": 0,
}
"""Fields of every node in ONNX; a leaf also has a ``weight``."""


def _add_node(
    description: dict[str, Any], tree: int, weight: float, nodes: list[dict[str, Any]], first: int
) -> int:
    """Add a node and its children; return its number in the tree, whose root is `first`."""
    number = len(nodes) - first
    node = {**_LEAF, "treeids": tree, "nodeids": number}
    nodes.append(node)
    if "leaf_value" in description:
        node["weight"] = description["leaf_value"] * weight
    else:
        node["modes"], node["featureids"] = "BRANCH_LEQ", description["split_feature"]
        node["values"] = _round_down(description["threshold"])
        node["missing_value_tracks_true"] = int(description["default_left"])
        node["truenodeids"] = _add_node(description["left_child"], tree, weight, nodes, first)
        node["falsenodeids"] = _add_node(description["right_child"], tree, weight, nodes, first)
    return number


def _round_down(threshold: float) -> float:
    """Round a threshold down to 32 bits, so that 32-bit rows take the same branch."""
    most = float(np.finfo(np.float32).max)
    limited = min(max(threshold, -most), most)
    rounded = np.float32(limited)
    if float(rounded) > limited:
        rounded = np.nextafter(rounded, np.float32(-np.inf))
    return float(rounded)
