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
``proof.onnx``      do passages say all of a sentence? (``benchmarks/judge_small.py``)
``labels.json``     what each output index means (below).
``…onnx.gz``        a body that no other file points into (pairs, vectors, proof), packed.
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
               never comes first), with ``labels["transitions"][from][to]`` added at each step
               and `tatian.analysis.sentences.NO_NAME` to every ``O``.
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
then 1 (0 for padding). For coverage, words that both sides have are 3 on the first and 2 on the
second (`tatian.analysis.coverage`, which reads the text second and its source first).
Outputs: ``logits`` ``[batch, 3]`` in the order of ``labels["entailment"]``
(entailment, neutral, contradiction; softmax gives probabilities); ``states``
``[batch, width]``, the pooled vector, for heads that later models add; ``told``
``[batch, time, 2]``, for each piece of the second text the log-odds that the first covers what it
carries, and that it carries anything; ``whole`` ``[batch, 3]``, log-odds of the share of the second
that the first covers, of everything, of anything.

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
`tatian.analysis.pieces.shape`: each character becomes ``X`` (upper case or title case), ``x``
(other letters), ``d`` (decimal digits) or itself; runs of the same class longer than two are cut
to two; the result is cut to six characters. ``McDonald`` is ``XxXxx``, ``U.S.`` is ``X.X.``.

Scripts
-------
A script is ``case|drop|append``. Take the form as it is (``k``), lower-cased (``l``), or with the
first character upper- and the rest lower-cased (``f``); remove `drop` (decimal) characters from
the end; add `append`. A script that would drop more than there is leaves the form in its case.
`tatian.analysis.pieces.lemma_of` applies it, `tatian.training.examples.derive_script` finds it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from tatian.analysis.coverage import OTHER_SAME
from tatian.analysis.loading import Labels
from tatian.errors import AssetError
from tatian.training.data import show
from tatian.training.evaluation import Predict
from tatian.training.examples import (
    Batch,
    Scores,
    TokenEncoder,
    pair_batch,
    token_batch,
)
from tatian.training.int8 import Graph, export_int8, export_plain, pack, write_checksums
from tatian.training.loop import Recipe
from tatian.training.model import PairsModel, TokensModel, VectorsModel
from tatian.training.pairs import PairData, PairJudge, load_pair_data
from tatian.training.pretrained import Start
from tatian.training.tokens import (
    INPUTS,
    TokenData,
    TokenJudge,
    TokensConfig,
    head_sizes,
    load_token_data,
    predictor,
)

Tensor = Any
PAIRS = Graph(
    ("embeddings", *INPUTS["pairs"]),
    {"logits": ("batch",), "states": ("batch",), "told": ("batch", "time"), "whole": ("batch",)},
)
GRAPHS = {
    "tokens": Graph(
        ("embeddings", *INPUTS["tokens"]),
        {
            **dict.fromkeys(("upos", "xpos", "features", "scripts", "names"), ("batch", "words")),
            "arcs": ("batch", "words", "nodes"),
            "dependents": ("batch", "words"),
            "heads": ("batch", "nodes"),
            "states": ("batch", "words"),
        },
    ),
    "pairs": PAIRS,
    "vectors": Graph(("embeddings", *INPUTS["vectors"]), {"vectors": ("batch",)}),
}
PACKED = ("pairs", "vectors")
"""Bodies that no other file points into."""
FLOAT_TOLERANCE = 1e-3
"""Largest difference of any float32 ONNX output from PyTorch's."""
COSINE = 0.98
"""Least mean cosine of int8 sentence vectors with PyTorch's."""
DROP = 0.5
"""Points that a development score may lose by int8."""

GATES = ("upos", "lemma", "las", "names_uner", "accuracy", "deletion_auc")
"""Scores for which that limit holds."""

_ON_CPU = Recipe(epochs=0, lr=0.0, head_lr=0.0)


def session_predictor(path: Path, table: Tensor) -> Predict:
    """Return an exported body as the evaluation calls it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(str(path), options)
    wanted = [argument.name for argument in session.get_inputs()]
    names = [output.name for output in session.get_outputs()]
    vectors = table.numpy()

    def predict(batch: Batch) -> dict[str, Any]:
        inputs = {"embeddings": vectors[batch["rows"]] * batch["mask"][..., None], **batch}
        inputs["embeddings"] = inputs["embeddings"].astype(np.float32)
        outputs = session.run(names, {name: inputs[name] for name in wanted})
        return dict(zip(names, outputs, strict=True))

    return predict


class Trained(msgspec.Struct, frozen=True):
    """The three models of one weights directory."""

    tokens: Any
    pairs: Any
    vectors: Any
    labels: Labels


def load_trained(start: Start, tokens: Path, pairs: Path, attention_heads: int = 12) -> Trained:
    """Load the models of training runs from their directories."""
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
    """Write a whole weights directory; `check_weights` then decides whether it may be shipped."""
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
    for kind, graph in GRAPHS.items():
        export_int8(getattr(trained, kind), graph, directory / f"{kind}.onnx")
    write_checksums(directory)


def compare(first_predictor: Predict, second_predictor: Predict, batch: Batch) -> float:
    """Return the largest difference of any output on a batch, without rows of padding words."""
    first, second = first_predictor(batch), second_predictor(batch)
    return max(float(np.abs(first[name] - second[name]).max()) for name in second)


def check_weights(
    directory: Path, start: Start, trained: Trained, tokens: TokenData, pairs: PairData
) -> dict[str, Scores]:
    """Return development scores in float32 and int8, for `complain` to judge.

    Raises at once if a float32 export computes something else than PyTorch.
    """
    encoder = TokenEncoder(start.pieces, trained.labels)
    judge, pair_judge = (
        TokenJudge(tokens, encoder),
        PairJudge(pairs, start.pieces, _longest(trained)),
    )
    sentences = token_batch(judge.tree_examples[:1])
    batches = {
        "tokens": sentences,
        "vectors": sentences,
        "pairs": pair_batch(pair_judge.dev[:1]),
    }
    with tempfile.TemporaryDirectory() as temporary:
        for kind, batch in batches.items():
            path = Path(temporary, f"{kind}.onnx")
            model = getattr(trained, kind)
            export_plain(model, GRAPHS[kind], path)
            plain = session_predictor(path, start.table)
            apart = compare(predictor(model, start.table, _ON_CPU, kind), plain, batch)
            if apart > FLOAT_TOLERANCE:
                raise AssetError(f"{kind}: float32 ONNX differs from PyTorch by {apart:.2g}")
    scores: dict[str, Scores] = {"float32": {}, "int8": {}}
    for name in scores:
        engines = {
            kind: session_predictor(directory / f"{kind}.onnx", start.table)
            if name == "int8"
            else predictor(getattr(trained, kind), start.table, _ON_CPU, kind)
            for kind in ("tokens", "pairs")
        }
        weights, steps = trained.tokens.relations, trained.tokens.transitions
        scores[name] |= judge(engines["tokens"], weights, steps)
        scores[name] |= pair_judge(engines["pairs"])
    scores["int8"]["vector_cosine"] = vector_cosine(directory, start, trained, judge)
    return scores


def vector_cosine(directory: Path, start: Start, trained: Trained, judge: TokenJudge) -> float:
    """The mean cosine of int8 and float32 sentence vectors."""
    int8 = session_predictor(directory / "vectors.onnx", start.table)
    float32 = predictor(trained.vectors, start.table, _ON_CPU, "vectors")
    cosines: list[Any] = []
    for example in judge.tree_examples[:200]:
        batch = token_batch([example])
        cosines.append((int8(batch)["vectors"] * float32(batch)["vectors"]).sum())
    return float(np.mean(cosines))


def _longest(trained: Trained) -> int:
    return min(256, int(trained.labels.positions))


def complain(scores: dict[str, Scores]) -> None:
    """Raise if int8 lowers one of the decisive scores by more than `DROP` points."""
    for name in GATES:
        before, after = scores["float32"][name], scores["int8"][name]
        allowed = DROP / 100 if name == "deletion_auc" else DROP
        if before - after > allowed:
            raise AssetError(
                f"int8 takes {name} from {before:.2f} to {after:.2f}: more than {DROP}"
            )
    if scores["int8"]["vector_cosine"] < COSINE:
        raise AssetError(f"int8 sentence vectors: mean cosine {scores['int8']['vector_cosine']}")


def run_export(options: Any) -> None:
    """Run the step ``export``."""
    start = Start(options.start)
    trained = load_trained(start, options.tokens, options.pairs)
    export_weights(start, trained, options.licence.read_text(encoding="utf-8"), options.out)
    tokens = load_token_data(options.data, TokensConfig(recipe=_ON_CPU))
    pairs = load_pair_data(options.data)
    scores = check_weights(options.out, start, trained, tokens, pairs)
    show(scores)
    complain(scores)
    pack(options.out, PACKED)
