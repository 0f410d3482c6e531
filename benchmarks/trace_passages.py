"""Helpers for training the small judge's body: nearest passages by words, and shipped weights."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from tatian.analysis import coverage
from tatian.analysis.loading import load
from tatian.text.content import stem
from tatian.text.splitter import split

SHIPPED = Path(coverage.__file__).with_name("weights") / "proof.diff.gz"
NEAREST_PASSAGES, RANDOM_PASSAGES = 3, 4
STEPS = {1152: 2, 1536: 2, 1920: 4}
"""Steps to which the wide matrices are rounded, by one of their sides."""
STOP = frozenset(
    "the a an of to in on at for and or but is was were are be been by with as that this it its he"
    " she they his her their from had has have not".split()
)
_SECOND_HEAD = ("mix", "same")
_MATRIX = re.compile(r"/model/(body/layers\.\d+/\w+|head|mix|same)/")


def words(text: str) -> frozenset[str]:
    """Return the content stems of a text."""
    tokens = re.findall(r"[A-Za-z]+|\d[\d,.:]*", text.lower())
    return frozenset(stem(token) for token in tokens if token not in STOP)


class WordIndex:
    """The sentences of a story, by their words."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.words = [words(line) for line in self.lines]
        counts = Counter(word for sentence_words in self.words for word in sentence_words)
        self.rare = {word: log(1 + len(self.lines) / count) for word, count in counts.items()}

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> WordIndex:
        """Split whole documents into sentences."""
        parts = [part for text in texts for part in text.split("\n\n")]
        return cls([" ".join(span.of(part).split()) for part in parts for span in split(part)])

    def nearest(self, sentence: str) -> list[str]:
        """Return sentences with most of its words, and some with the words they lack, in order."""
        wanted = words(sentence)
        score = [sum(self.rare[word] for word in wanted & theirs) for theirs in self.words]
        ranked = sorted(range(len(score)), key=lambda n: (-score[n], n))
        listed, rest = ranked[:NEAREST_PASSAGES], ranked[NEAREST_PASSAGES:]
        for _ in range(min(RANDOM_PASSAGES, len(rest))):
            lacks = wanted.difference(*(self.words[n] for n in listed))
            gain = {n: sum(self.rare[word] for word in lacks & self.words[n]) for n in rest}
            best = max(rest, key=lambda n: (gain[n], score[n], -n))
            rest.remove(best)
            listed.append(best)
        return [self.lines[n] for n in sorted(listed)]


def shipped_model(path: Path = SHIPPED) -> bytes:
    """Return the ONNX file of the shipped body, or of another packed file."""
    model = (
        load(SHIPPED.parent).model("proof")
        if path == SHIPPED
        else gzip.decompress(path.read_bytes())
    )
    assert isinstance(model, bytes)
    return model


def shipped_state(path: Path = SHIPPED) -> dict[str, Any]:
    """Return the dequantised weights of the shipped body, or of another file, for PyTorch."""
    import torch

    model = onnx.load_model_from_string(shipped_model(path))
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    state = {
        name.removeprefix("model."): array
        for name, array in arrays.items()
        if name.startswith("model.")
        and not name.startswith("model.body.position")
        and not name.endswith(("_quantized", "_scale", "_zero_point"))
    }
    rows, scales = (arrays[f"model.body.position.{name}"] for name in ("rows", "scales"))
    state["body.position.weight"] = rows.astype(np.float32) * scales[:, None]
    for name, weight in _matrices(model):
        zero = arrays[f"{name}_zero_point"].astype(np.float32)
        matrix = arrays[f"{name}_quantized"].astype(np.float32) - zero
        state[weight] = (matrix * arrays[f"{name}_scale"]).T
    return {name: torch.tensor(array.astype(np.float32)) for name, array in state.items()}


def _matrices(model: Any) -> Iterator[tuple[str, str]]:
    """Yield the names of int8 matrices in the ONNX file and in PyTorch."""
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            place = _MATRIX.match(node.output[0])
            assert place
            yield node.input[1].removesuffix("_quantized"), place[1].replace("/", ".") + ".weight"


def rounded_to_shipped(state: Mapping[str, Any], step: int) -> bytes:
    """Return the shipped ONNX file with other weights, `step` int8 units apart in the layers.

    The second head stays as it is.
    """
    model = onnx.load_model_from_string(shipped_model())
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    arrays = {name: onnx.numpy_helper.to_array(tensor) for name, tensor in tensors.items()}
    changed = {f"model.{name}": value.numpy() for name, value in state.items()}
    changed = {name: value for name, value in changed.items() if name in arrays}
    for name, weight in _matrices(model):
        if weight.startswith(_SECOND_HEAD):
            continue
        shipped = arrays[f"{name}_quantized"].astype(np.float32)
        units = 1 if weight.startswith("head") else step
        apart = state[weight].numpy().T / arrays[f"{name}_scale"] - shipped
        moved = np.clip(shipped + units * np.rint(apart / units), -127, 127)
        changed[f"{name}_quantized"] = moved.astype(np.int8)
    for name, value in changed.items():
        if not name.startswith(tuple(f"model.{head}" for head in _SECOND_HEAD)):
            kind = arrays[name].dtype
            value = value.astype(np.float16).astype(kind) if kind == np.float32 else value
            tensors[name].CopyFrom(onnx.numpy_helper.from_array(value, name))
    data: bytes = model.SerializeToString()
    return data


def reduce_resolution(path: Path) -> None:
    """Round the wide matrices more coarsely, which makes the packed file a tenth smaller."""
    model = onnx.load(path)
    for array in model.graph.initializer:
        values = onnx.numpy_helper.to_array(array)
        step = next((STEPS[side] for side in values.shape if side in STEPS), 1)
        if values.dtype == np.int8 and values.ndim == 2 and step > 1:
            rounded = step * np.round(values.astype(np.float32) / step)
            most = 127 // step * step
            narrow = np.clip(rounded, -most, most).astype(np.int8)
            array.CopyFrom(onnx.numpy_helper.from_array(narrow, array.name))
    data = gzip.compress(model.SerializeToString(), 9, mtime=0)
    path.with_suffix(".onnx.gz").write_bytes(data)
