"""Export of trained models: int8 ONNX, int8 arrays, checksums."""

from __future__ import annotations

import copy
import gzip
import hashlib
import re
import shutil
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from msgspec import Struct
from torch import nn

from tatian.analysis.installed import CHECKSUMS
from tatian.analysis.loading import Differences, MatrixPlace, predict_matrix, read_matrix
from tatian.errors import AssetError
from tatian.training.pretrained import quantise_rows
from tatian.union.models.edit.words import MATCHES

Tensor = Any
OPSET = 17
MIN_SHARED_BYTES = 1024
"""Minimum size of an array that is shared between files, in bytes."""
MIN_SHARED_RATIO = 0.5
"""Minimum share of shared bytes, which a different body would not reach."""
_LAYER_MATRIX = re.compile(r"(?:body/layers\.\d+/\w+|mix)/")
"""Matrices that files of differences predict, in names of a node's output."""
_BATCH, _TIME, _WORDS = 2, 9, 5
"""Sizes of the sample for tracing a model; in the file all three are variable."""


def _call_with_names(model: Any, arrays: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    outputs: Mapping[str, Tensor] = model(**arrays)
    return outputs


class Graph(Struct, frozen=True):
    """Inputs and outputs of an ONNX file."""

    inputs: tuple[str, ...]
    outputs: Mapping[str, tuple[str, ...]]
    """Outputs with the names of their first axes, which have variable sizes."""
    call: Callable[[Any, Mapping[str, Tensor]], Mapping[str, Tensor]] = _call_with_names
    """Function that computes the outputs."""


class _Traced(nn.Module):
    """A model with its outputs in a fixed order, for the exporter."""

    def __init__(self, model: Any, graph: Graph) -> None:
        super().__init__()
        self.model = model
        self.graph = graph

    def forward(self, *arrays: Tensor) -> tuple[Tensor, ...]:
        named = dict(zip(self.graph.inputs, arrays, strict=True))
        outputs = self.graph.call(self.model, named)
        return tuple(outputs[name] for name in self.graph.outputs)


def export_plain(model: Any, graph: Graph, path: Path) -> None:
    """Write a model as ONNX in float32."""
    pieces, words = (_BATCH, _TIME), (_BATCH, _WORDS)
    sample = {
        "embeddings": torch.randn(*pieces, model.body.shape.width),
        "mask": torch.ones(pieces, dtype=torch.int64),
        "segments": torch.zeros(pieces, dtype=torch.int64),
        "marks": torch.ones(pieces, dtype=torch.int64),
        "shapes": torch.zeros(pieces, dtype=torch.int64),
        "words": torch.ones((*words, 2), dtype=torch.int64),
        "endings": torch.zeros((*words, 2), dtype=torch.int64),
        "matches": torch.zeros(*words, MATCHES),
    }
    free = {
        name: ("batch", "time" if sample[name].shape[1] == _TIME else "words")
        for name in graph.inputs
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Traced(model, graph).eval(),
            tuple(sample[name] for name in graph.inputs),
            str(path),
            input_names=list(graph.inputs),
            output_names=list(graph.outputs),
            dynamic_axes={
                n: dict(enumerate(axes)) for n, axes in {**free, **graph.outputs}.items()
            },
            opset_version=OPSET,
            dynamo=False,
        )


def export_int8(model: Any, graph: Graph, path: Path) -> None:
    """Write a model as ONNX with int8 embeddings and matrix products.

    The weights have seven bits, to avoid overflow on processors without VNNI instructions.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with tempfile.TemporaryDirectory() as scratch:
        float_path, prepared_path = Path(scratch, "plain.onnx"), Path(scratch, "ready.onnx")
        export_plain(_with_int8_embeddings(model), graph, float_path)
        quant_pre_process(str(float_path), str(prepared_path), skip_symbolic_shape=True)
        quantize_dynamic(
            str(prepared_path),
            str(path),
            per_channel=True,
            reduce_range=True,
            op_types_to_quantize=["MatMul"],
            weight_type=QuantType.QInt8,
        )


class _Int8Embedding(nn.Module):
    """An embedding stored as int8 rows with scales."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        rows, scales = quantise_rows(weight.detach().float().cpu().numpy())
        self.register_buffer("rows", torch.from_numpy(rows))
        self.register_buffer("scales", torch.from_numpy(scales.astype(np.float32)))

    def forward(self, index: Tensor) -> Tensor:
        return self.rows[index].float() * self.scales[index].unsqueeze(-1)


def _with_int8_embeddings(model: Any) -> Any:
    """Return a copy of the model with int8 embeddings."""
    model = copy.deepcopy(model).eval()
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if isinstance(child, nn.Embedding) and name != "segment":
                setattr(owner, name, _Int8Embedding(child.weight))
    return model


def export_adapted(model: Any, graph: Graph, directory: Path, name: str) -> None:
    """Write an adapted model that shares the arrays of the tokens body in a weights directory."""
    with tempfile.TemporaryDirectory() as scratch:
        small = Path(scratch, "small.onnx")
        export_int8(model, graph, small)
        shared = share_arrays(small, directory / "tokens.onnx", directory / name)
    if shared < MIN_SHARED_RATIO:
        (directory / name).unlink()
        raise AssetError(f"{directory} holds another tokens body than {name} was trained on")


def share_arrays(path: Path, lender: Path, target: Path) -> float:
    """Write the model at `path` with pointers to the arrays that are also in `lender`.

    Return the share of bytes that are shared.
    """
    import onnx

    model = onnx.load(str(path))
    lender_bytes = lender.read_bytes()
    total = sum(len(tensor.raw_data) for tensor in model.graph.initializer)
    shared = 0
    for tensor in model.graph.initializer:
        data = tensor.raw_data
        offset = lender_bytes.find(data) if len(data) >= MIN_SHARED_BYTES else -1
        if offset < 0:
            continue
        shared += len(data)
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", lender.name), ("offset", offset), ("length", len(data))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
    target.write_bytes(model.SerializeToString())
    return shared / total


def int8_arrays(
    model: Any, without: tuple[str, ...], *, large: int = 0, other: Any = np.float32
) -> dict[str, Any]:
    """Return a model's arrays for NumPy, except those whose names begin with `without`.

    Matrices of at least `large` numbers are int8 with a scale for each row, ``NAME`` and
    ``NAME.scale``. All others have the type `other`.
    """
    arrays: dict[str, Any] = {}
    for name, value in model.state_dict().items():
        if name.startswith(without):
            continue
        array = value.detach().float().cpu().numpy()
        if array.ndim == 2 and array.size >= large:
            arrays[name], arrays[f"{name}.scale"] = quantise_rows(array)
        else:
            arrays[name] = array.astype(other)
    return arrays


def copy_tokens_body(weights: Path, directory: Path) -> None:
    """Copy a weights directory with only the tokens body, to test an adapted model."""
    without = ("pairs.onnx*", "vectors.onnx*", "edit*", "coref*", CHECKSUMS)
    shutil.copytree(weights, directory, ignore=shutil.ignore_patterns(*without))


def install_files(files: Iterable[str], trial: Path, weights: Path) -> None:
    """Copy the files of a successful trial into a weights directory."""
    for name in files:
        shutil.copyfile(trial / name, weights / name)
    write_checksums(weights)


def compress_bodies(directory: Path, kinds: Iterable[str]) -> None:
    """Compress bodies that no other file points into, by about a quarter."""
    for kind in kinds:
        float_path = directory / f"{kind}.onnx"
        packed = directory / f"{kind}.onnx.gz"
        packed.write_bytes(gzip.compress(float_path.read_bytes(), 9, mtime=0))
        float_path.unlink()
    write_checksums(directory)


def write_differences(model: bytes, base: bytes, base_name: str, path: Path) -> None:
    """Write an ONNX file as differences from its base; packed without a search for repeats."""
    matrices, base_matrices = _find_matrices(model), _find_matrices(base)
    places = tuple(
        MatrixPlace(rows, columns, *offsets, *base_matrices[name][1])
        for name, ((rows, columns), offsets) in matrices.items()
        if name in base_matrices and base_matrices[name][0] == (rows, columns)
    )
    differences = Differences(base_name, hashlib.sha256(model).hexdigest(), places)
    changed = bytearray(model)
    for place in places:
        matrix = read_matrix(changed, place.matrix, place)
        matrix -= predict_matrix(model, base, place)
    pack = zlib.compressobj(9, zlib.DEFLATED, 31, strategy=zlib.Z_HUFFMAN_ONLY)
    data = msgspec.json.encode(differences) + b"\n" + bytes(changed)
    path.write_bytes(pack.compress(data) + pack.flush())


def _find_matrices(model: bytes) -> dict[str, tuple[tuple[int, int], tuple[int, int]]]:
    """Return the shapes of the int8 matrices, and the byte offsets of matrix and scales."""
    import onnx

    loaded = onnx.load_model_from_string(model)
    arrays = {array.name: onnx.numpy_helper.to_array(array) for array in loaded.graph.initializer}
    matrices = {}
    for node in loaded.graph.node:
        place = _LAYER_MATRIX.search(node.output[0]) if node.op_type == "MatMulInteger" else None
        matrix = arrays.get(node.input[1]) if place else None
        if place is None or matrix is None or matrix.shape[1] == 1:
            continue
        scales = arrays[node.input[1].removesuffix("_quantized") + "_scale"].astype("<f4")
        offsets = model.find(matrix.tobytes()), model.find(scales.tobytes())
        matrices[place[0]] = ((matrix.shape[0], matrix.shape[1]), offsets)
    return matrices


def write_checksums(directory: Path) -> None:
    """Write a list of the directory's files with their digests and sizes."""
    listed = {
        path.name: {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "size": path.stat().st_size,
        }
        for path in sorted(directory.iterdir())
        if path.name != CHECKSUMS
    }
    encoded = msgspec.json.format(msgspec.json.encode(listed), indent=2)
    (directory / CHECKSUMS).write_bytes(encoded + b"\n")
