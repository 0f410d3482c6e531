"""Float weights of the tokens body and the edit model, restored from the shipped int8 files.

Training can continue from what is shipped when the files of the former run are gone. A restored
body is quantised to the same bytes again, so that all models on it still fit together.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from tatian.training.adapter import EDIT_PARAMETERS

Arrays = dict[str, npt.NDArray[Any]]
_PRODUCT = re.compile(r"^/?(?:model/)?(.+)/MatMul(_1)?_output_0(?:_output_quantized)?$")
"""Name of a product's output, with its layer and a sign that it is the second one there."""


def restore_run(weights: Path, out: Path) -> None:
    """Write a start directory and a tokens run from shipped weights, with the edit model's state.

    They are OUT/start and OUT/tokens.
    """
    start, tokens = out / "start", out / "tokens"
    for folder in (start, tokens):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("vocab.txt", "embeddings.npy", "scales.npy"):
        shutil.copy(weights / name, start)
    shutil.copy(weights / "labels.json", tokens)
    arrays, products = _read_onnx(weights / "tokens.onnx")
    body = _body_arrays(arrays, products)
    halves = {name.removeprefix("body."): array.astype(np.float16) for name, array in body.items()}
    np.savez(start / "body.npz", **halves)  # type: ignore[arg-type, unused-ignore]
    shapes = _embedding(arrays, "model.shape_embedding")
    state = {**body, "shape_embedding.weight": shapes}
    torch.save({name: torch.tensor(array) for name, array in state.items()}, tokens / "tokens.pt")
    edit = {name: torch.tensor(array) for name, array in _edit_arrays(weights).items()}
    torch.save(edit, tokens / EDIT_PARAMETERS)


def _read_onnx(path: Path) -> tuple[Arrays, dict[str, str]]:
    """Return the arrays of a file, and the matrix of each int8 product by its output."""
    import onnx

    model = onnx.load(str(path))
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    products = {
        node.output[0]: node.input[1].removesuffix("_quantized")
        for node in model.graph.node
        if node.op_type == "MatMulInteger" and node.input[1] in arrays
    }
    return arrays, products


def _matrices(
    arrays: Mapping[str, Any], products: Mapping[str, str]
) -> Iterator[tuple[str, bool, npt.NDArray[np.float32]]]:
    """Yield the layer of each product, whether it is the second one there, and its weights."""
    for output, name in products.items():
        if product := _PRODUCT.match(output):
            steps = arrays[f"{name}_quantized"].astype(float) - arrays[f"{name}_zero_point"]
            scaled = (steps * arrays[f"{name}_scale"]).astype(np.float32)
            yield product[1].replace("/", "."), product[2] is not None, scaled


def _embedding(arrays: Mapping[str, Any], name: str) -> npt.NDArray[np.float32]:
    rows: npt.NDArray[np.float32] = arrays[f"{name}.rows"].astype(np.float32)
    return rows * arrays[f"{name}.scales"][:, None]


def _body_arrays(arrays: Arrays, products: Mapping[str, str]) -> Arrays:
    """Return the arrays of the tokens body, which has one segment."""
    prefix, position = "model.body.", "model.body.position"
    names = (n for n in arrays if n.startswith(prefix) and not n.startswith(position))
    body = {name.removeprefix("model."): arrays[name] for name in names}
    body["body.position.weight"] = _embedding(arrays, position)
    width = body["body.norm.weight"].shape
    (segment,) = (a for n, a in arrays.items() if n.startswith("onnx::Add") and a.shape == width)
    body["body.segment.weight"] = np.stack([segment, segment])
    for layer, _, matrix in _matrices(arrays, products):
        if layer.startswith("body."):
            body[f"{layer}.weight"] = matrix.T.copy()
    return body


def _edit_arrays(weights: Path) -> Arrays:
    """Return the edit model's parameters: its adapter and heads, and its decoder."""
    arrays, products = _read_onnx(weights / "edit.onnx")
    heads = ("model.sentence", "model.enter.", "model.memory_norm.", "model.used.")
    names = (name for name in arrays if name.startswith(heads))
    edit = {name.removeprefix("model."): arrays[name] for name in names}
    for layer, is_second, matrix in _matrices(arrays, products):
        if not layer.startswith("body."):
            edit[f"{layer}.weight"] = matrix.T.copy()
        elif not layer.endswith(".base"):
            edit[f"{layer}.up" if is_second else f"{layer}.down"] = matrix
    with np.load(weights / "edit.npz") as decoder:
        stored = {name: decoder[name].astype(np.float32) for name in decoder.files}
    for name, array in stored.items():
        if not name.endswith(".scale"):
            scale = stored.get(f"{name}.scale")
            edit[name] = array if scale is None else array * scale[:, None]
    return edit


def run_restore(options: Any) -> None:
    """Run the step ``restore``."""
    restore_run(options.weights, options.out)
