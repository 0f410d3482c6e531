"""The shipped weights: one int8 embedding table and three int8 ONNX bodies, checked before use.

The files of a weights directory
--------------------------------
==================  ==========================================================================
``vocab.txt``       one word piece per line, UTF-8; the line number (from 0) is the piece's row.
                    The source vocabulary, in its order, without its ``[unused…]`` pieces and
                    those of scripts that English text does not use (they become ``[UNK]``).
``embeddings.npy``  int8 ``[pieces, width]``, C order, readable with ``mmap_mode="r"``.
``scales.npy``      float16 ``[pieces]``. A piece's vector is ``embeddings[row] * scales[row]``
                    in float32.
``tokens.onnx``     tags, features, lemmas, names and the parts of a parse.
``relations.npy``   float16 ``[labels, rank + 1, rank + 1]``: scores a relation for an arc (below).
``pairs.onnx``      does a premise entail a hypothesis? What does a text tell of another?
``vectors.onnx``    sentence vectors; the pretrained encoder, unchanged but for int8.
``labels.json``     what each output index means (below).
``…onnx.gz``        a body that no other file points into (pairs, vectors), packed by `pack`.
``checksums.json``  ``{file name: {"sha256": hex digits, "size": bytes}}`` of all other files.
``LICENSE.md``      the licences of the training data that bind each file.
==================  ==========================================================================

``width`` is 384. All bodies take float32 ``embeddings`` and int64 everything else, with dynamic
batch, time and word axes, and need at most 512 pieces per sequence, specials included.

Inputs common to the bodies
---------------------------
``embeddings`` float32 ``[batch, time, width]``: dequantised table rows, zeros for padding.
``mask``       int64 ``[batch, time]``: 1 for a piece, 0 for padding; padding comes last.

A sequence is ``[CLS] pieces [SEP]`` for tokens and vectors, and
``[CLS] premise [SEP] hypothesis [SEP]`` for pairs.

tokens.onnx
-----------
Further inputs:

``shapes``   int64 ``[batch, time]``: each piece carries the shape of its word (the index of
             ``shape(word)``, below, in ``labels["shapes"]``, 0 when the shape is
             not listed); specials and padding carry 0.
``words``    int64 ``[batch, words, 2]``: positions in `time` of each word's first and last piece;
             padding words carry 0, 0. There are as many columns as the longest sentence has words.
``endings``  int64 ``[batch, words, 2]``: index in ``labels["endings"]`` of the lower-cased word's
             last two and last three characters (the whole word when it is shorter), 0 when not
             listed; 0 for padding.

Outputs (float32, unnormalised scores; rows of padding words are meaningless):

``upos``       ``[batch, words, len(labels["upos"])]``
``xpos``       ``[batch, words, len(labels["xpos"])]``
``features``   ``[batch, words, len(labels["features"])]``: whole CoNLL-U FEATS strings, ``_``
               for none.
``scripts``    ``[batch, words, len(labels["scripts"])]``: how to make the lemma (below).
``names``      ``[batch, words, len(labels["names"])]``: ``O``, ``B-PER``, ``I-PER``, … Decode with
               Viterbi under the constraint that ``I-X`` follows ``B-X`` or ``I-X`` only (and
               never comes first), with ``labels["transitions"][from][to]`` added at each step.
``arcs``       ``[batch, words, words + 1]``: score of each head for each dependent. Head 0 is the
               root, head ``j`` is word ``j`` counted from 1. Columns of padding words are not
               masked: cut the array to the sentence first. Decode to a tree with one root.
``dependents`` ``[batch, words, rank]`` and ``heads`` ``[batch, words + 1, rank]``: the vectors
               from which a relation is scored once the arc from word ``i`` to head ``j`` is
               known: with ``d = dependents[i]`` and ``h = heads[j]``, each with a 1 appended,
               ``score[label] = d @ relations[label] @ h``; the best label is the relation
               (``labels["relations"]``). An arc to head 0 takes ``root``, and no other arc does.
``states``     ``[batch, words, width]``: the last layer's vector of each word, for heads that
               later models add.

pairs.onnx
----------
Further input: ``segments`` int64 ``[batch, time]``: 0 up to and including the first ``[SEP]``,
then 1 (0 for padding). For telling, words that both sides have are 3 on the first and 2 on the
second (`tatian.analysis.telling`, which reads the text second and what may tell it first).
Outputs: ``logits`` ``[batch, 3]`` in the order of ``labels["entailment"]``
(entailment, neutral, contradiction; softmax gives probabilities); ``states``
``[batch, width]``, the pooled vector, for heads that later models add; ``told``
``[batch, time, 2]``, for each piece of the second text the log-odds that the first tells what it
carries, and that it carries anything; ``whole`` ``[batch, 3]``, log-odds of the share of the second
that the first tells, of everything, of anything.

vectors.onnx
------------
Output: ``vectors`` ``[batch, width]``: mean over the mask, L2-normalised.

labels.json
-----------
``{"schema": 1, "upos": [...], "xpos": [...], "features": [...], "relations": [...],
"names": [...], "scripts": [...], "shapes": [...], "endings": [...], "entailment": [...],
"transitions": [[...]], "width": 384, "positions": 512, "word_pieces": 16}``. ``shapes[0]`` and
``endings[0]`` are the empty string and stand for all that is not listed.

From word to pieces
-------------------
BERT, uncased. Words (tokens of the analysis) are split one by one, so that every piece belongs
to one word:

1. drop NUL, U+FFFD and control characters (category C*, but tab, newline and carriage return
   are spaces); put spaces around CJK ideographs;
2. lower-case, decompose (NFD), drop combining marks (category Mn);
3. split at spaces, and around each punctuation character (ASCII 33-47, 58-64, 91-96, 123-126,
   and every character of category P*);
4. each part greedily into the longest pieces of the vocabulary from the left; pieces after the
   first start with ``##``; a part with no such split, or over 100 characters, is ``[UNK]``.

A word without any piece is one ``[UNK]``; of a word with more than ``word_pieces`` pieces, the
first ``word_pieces - 1`` and the last are kept. Pairs and vectors split the running text the
same way, and cut pieces off the end (of the longer side, for pairs) to fit.
`tatian.analysis.pieces.WordPieces` does it; on English text it equals the `tokenizers`
package's ``BertWordPieceTokenizer`` with the same vocabulary.

Shapes
------
`tatian.analysis.words.shape`: each character becomes ``X`` (upper case or title case), ``x``
(other letters), ``d`` (decimal digits) or itself; runs of the same class longer than two are cut
to two; the result is cut to six characters. ``McDonald`` is ``XxXxx``, ``U.S.`` is ``X.X.``.

Scripts
-------
A script is ``case|drop|append``. Take the form as it is (``k``), lower-cased (``l``), or with the
first character upper- and the rest lower-cased (``f``); remove `drop` (decimal) characters from
the end; add `append`. A script that would drop more than there is leaves the form in its case.
`tatian.analysis.words.lemma_of` applies it, `tatian.training.inventory.derive_script` finds it.
"""

from __future__ import annotations

import copy
import gzip
import hashlib
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import nn

from tatian.analysis.telling import OTHER_SAME
from tatian.training.evaluation import Predict
from tatian.training.examples import Batch
from tatian.training.inventory import Labels
from tatian.training.model import PairsModel, TokensModel, VectorsModel
from tatian.training.pretrained import Start, quantise_rows
from tatian.training.tokens import head_sizes

Tensor = Any

OPSET = 17
TOKEN_INPUTS = ("embeddings", "mask", "shapes", "words", "endings")
PAIR_INPUTS = ("embeddings", "mask", "segments")
VECTOR_INPUTS = ("embeddings", "mask")
OUTPUTS = {
    "tokens": (
        "upos",
        "xpos",
        "features",
        "scripts",
        "names",
        "arcs",
        "dependents",
        "heads",
        "states",
    ),
    "pairs": ("logits", "states", "told", "whole"),
    "vectors": ("vectors",),
}
PACKED = ("pairs", "vectors")
INPUTS = {"tokens": TOKEN_INPUTS, "pairs": PAIR_INPUTS, "vectors": VECTOR_INPUTS}


class _Int8Embedding(nn.Module):
    """An embedding stored as int8 rows with scales, so that the file stays small."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        rows, scales = quantise_rows(weight.detach().float().cpu().numpy())
        self.register_buffer("rows", torch.from_numpy(rows))
        self.register_buffer("scales", torch.from_numpy(scales.astype(np.float32)))

    def forward(self, index: Tensor) -> Tensor:
        return self.rows[index].float() * self.scales[index].unsqueeze(-1)


class _Positional(nn.Module):
    """A model whose outputs come in a fixed order, as the exporter wants them."""

    def __init__(self, model: Any, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        super().__init__()
        self.model = model
        self.inputs = inputs
        self.outputs = outputs

    def forward(self, *arrays: Tensor) -> tuple[Tensor, ...]:
        found = self.model(**dict(zip(self.inputs, arrays, strict=True)))
        return tuple(found[name] for name in self.outputs)


def shrink(model: Any) -> Any:
    """Replace the model's embeddings by int8 ones."""
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if isinstance(child, nn.Embedding) and name != "segment":
                setattr(owner, name, _Int8Embedding(child.weight))
    return model


def export_body(model: Any, kind: str, path: Path) -> None:
    """Write one body as ONNX with int8 matrix products."""
    with tempfile.TemporaryDirectory() as directory:
        plain = Path(directory, "plain.onnx")
        export_plain(model, kind, plain)
        quantise(plain, path)


def quantise(plain: Path, path: Path) -> None:
    """Write a float32 model with int8 matrix products.

    The weights keep seven bits, so that processors without VNNI instructions do not overflow.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with tempfile.TemporaryDirectory() as directory:
        ready = Path(directory, "ready.onnx")
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        quantize_dynamic(
            str(ready),
            str(path),
            per_channel=True,
            reduce_range=True,
            op_types_to_quantize=["MatMul"],
            weight_type=QuantType.QInt8,
        )


def export_plain(model: Any, kind: str, path: Path) -> None:
    """Write one body as ONNX in float32."""
    sample = _sample(model.body.shape.width)
    words = {0: "batch", 1: "words"}
    axes: dict[str, dict[int, str]] = {
        name: words if name in ("words", "endings") else {0: "batch", 1: "time"}
        for name in INPUTS[kind]
    }
    for name in OUTPUTS[kind]:
        axes[name] = words if kind == "tokens" else {0: "batch"}
    if kind == "pairs":
        axes["told"] = {0: "batch", 1: "time"}
    if kind == "tokens":
        axes["arcs"] = {0: "batch", 1: "words", 2: "nodes"}
        axes["heads"] = {0: "batch", 1: "nodes"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Positional(model, INPUTS[kind], OUTPUTS[kind]).eval(),
            tuple(sample[name] for name in INPUTS[kind]),
            str(path),
            input_names=list(INPUTS[kind]),
            output_names=list(OUTPUTS[kind]),
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )


def _sample(width: int) -> dict[str, Tensor]:
    pieces, words = (2, 7), (2, 5, 2)
    return {
        "embeddings": torch.randn(*pieces, width),
        "mask": torch.ones(pieces, dtype=torch.int64),
        "segments": torch.zeros(pieces, dtype=torch.int64),
        "shapes": torch.zeros(pieces, dtype=torch.int64),
        "words": torch.ones(words, dtype=torch.int64),
        "endings": torch.zeros(words, dtype=torch.int64),
    }


def pack(directory: Path, kinds: Sequence[str] = PACKED) -> None:
    """Pack the bodies that no other file points into: a quarter smaller, a tenth of a second."""
    for kind in kinds:
        plain = directory / f"{kind}.onnx"
        packed = directory / f"{kind}.onnx.gz"
        packed.write_bytes(gzip.compress(plain.read_bytes(), 9, mtime=0))
        plain.unlink()
    write_checksums(directory)


def session_predictor(path: Path, table: Tensor, threads: int = 2) -> Predict:
    """An exported body as the evaluation calls it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(path), options)
    wanted = [given.name for given in session.get_inputs()]
    names = [output.name for output in session.get_outputs()]
    vectors = table.numpy()

    def predict(batch: Batch) -> dict[str, Any]:
        known = {"embeddings": vectors[batch["rows"]] * batch["mask"][..., None], **batch}
        known["embeddings"] = known["embeddings"].astype(np.float32)
        found = session.run(names, {name: known[name] for name in wanted})
        return dict(zip(names, found, strict=True))

    return predict


class Trained(msgspec.Struct, frozen=True):
    """The three models that one weights directory is made of."""

    tokens: Any
    pairs: Any
    vectors: Any
    labels: Labels


def load_trained(start: Start, tokens: Path, pairs: Path, attention_heads: int = 12) -> Trained:
    """The models that training runs left in their directories."""
    shape = start.shape(heads=attention_heads)
    labels = msgspec.json.decode((tokens / "labels.json").read_bytes(), type=Labels)
    options = msgspec.json.decode((tokens / "heads.json").read_bytes(), type=dict[str, int])
    token_model = TokensModel(shape, head_sizes(labels, options))
    token_model.load_state_dict(torch.load(tokens / "tokens.pt", map_location="cpu"))
    pair_model = PairsModel(msgspec.structs.replace(shape, segments=OTHER_SAME + 1))
    pair_model.load_state_dict(torch.load(pairs / "pairs.pt", map_location="cpu"))
    vector_model = VectorsModel(shape)
    vector_model.body.load_state_dict(start.body_weights())
    return Trained(token_model.eval(), pair_model.eval(), vector_model.eval(), labels)


def export_weights(start: Start, trained: Trained, licence: str, directory: Path) -> None:
    """Write a whole weights directory; `check_weights` then says whether it may be shipped."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("vocab.txt", "embeddings.npy", "scales.npy"):
        (directory / name).write_bytes((start.directory / name).read_bytes())
    relations = trained.tokens.relations.detach().numpy().astype(np.float16)
    np.save(directory / "relations.npy", relations)
    transitions = trained.tokens.transitions.detach().numpy().round(4).tolist()
    labels = msgspec.structs.replace(
        trained.labels, transitions=tuple(tuple(row) for row in transitions)
    )
    (directory / "labels.json").write_bytes(msgspec.json.encode(labels) + b"\n")
    (directory / "LICENSE.md").write_text(licence, encoding="utf-8")
    for kind in INPUTS:
        model = shrink(copy.deepcopy(getattr(trained, kind)))
        export_body(model, kind, directory / f"{kind}.onnx")
    write_checksums(directory)


def write_checksums(directory: Path) -> None:
    """List every file of the directory with its digest and size."""
    listed = {
        path.name: {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "size": path.stat().st_size,
        }
        for path in sorted(directory.iterdir())
        if path.name != "checksums.json"
    }
    encoded = msgspec.json.format(msgspec.json.encode(listed), indent=2)
    (directory / "checksums.json").write_bytes(encoded + b"\n")
