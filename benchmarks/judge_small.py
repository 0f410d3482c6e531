"""Training of the small judge: its encoder, its trees, and their combination.

    python benchmarks/judge_small.py figures DATA -o FIGURES      figures of written sentences
    python benchmarks/judge_small.py body DATA --teacher FILE -o OUT     needs PyTorch
    python benchmarks/judge_small.py fit FIGURES                  writes the weights of the verdict

`figures` writes the features of each sentence's `Finding`, for the training and tuning sets. `body`
continues the training of the cross-encoder from the shipped weights. It uses written sentences with
their labels, and rule-made sentences with the local judge's log-odds. FILE is gzipped JSON, a list
of [set, story, text, label, log-odds]. `fit` learns boosted trees on the training sets and combines
them with the body's log-odds; the tuning sets fit the three numbers of the combination.

`body` does not train the head for claims: run `claims_train.py train` after it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from trace import _boosted, _node, make_items
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from judge import TUNING, Story, analysed, read_set
from judge_data import CORPUS, claims, stories
from regression import logistic
from tatian.analysis.coverage import OTHER_SAME, encode_support
from tatian.consolidation.verification.checks import DOUBTED, Finding
from tatian.consolidation.verification.evidence import gather
from tatian.consolidation.verification.index import Index
from tatian.consolidation.verification.verdict import WEIGHTS, Bounds, DecisionTree, VerdictWeights
from tatian.corpora.bundles import read_bundles
from tatian.pipeline import Pipeline

Floats = npt.NDArray[np.float64]
TRAINING = ("news-train", "wire-train")
WRITTEN = ("train", "pairs-train", "wire-train")
"""Sets of corpus/proof for training the body; adding twins-train did not help."""
BOUNDS = Bounds(supported=0.5, unknown=0.4)
MADE = 1000
"""Number of rule-made sentences of each wrong kind from each collection."""
EPOCHS, RATE, BATCH = 6, 1.5e-4, 24576
MADE_WEIGHT, TAUGHT = 0.3, 0.8
"""Weight of a rule-made sentence, and share of the teacher in its target."""
LAYERS = 5


# --- figures -------------------------------------------------------------------------------------


def figures(story: Story, pipeline: Pipeline) -> Iterator[dict[str, Any]]:
    """Yield the features of each sentence."""
    sentences, evidence, near, parts = analysed(story, pipeline)
    index = Index(evidence)
    figures_of = [Finding(g, index).figures for g in gather(sentences, evidence, near)]
    for claim, mine in zip(story.claims, parts, strict=True):
        yield {
            "story": story.id,
            "text": claim.text,
            "supported": claim.supported,
            "pieces": [figures_of[n] for n in mine],
        }


def write_figures(options: argparse.Namespace) -> None:
    """Write the features of all training and tuning sets, set by set."""
    pipeline = Pipeline(detector="names", aggregator="heads")
    with options.o.open("w", encoding="utf-8") as file:
        for name in (*TRAINING, *TUNING):
            for story in read_set(name, options.source):
                for line in figures(story, pipeline):
                    file.write(json.dumps({"set": name, **line}) + "\n")


# --- fit -----------------------------------------------------------------------------------------


def fit(options: argparse.Namespace) -> None:
    """Write the trees, the weight of the body and the bounds."""
    lines = [json.loads(row) for row in options.source.read_text("utf-8").splitlines()]
    learn = [row for row in lines if row["set"] in TRAINING]
    tune = [row for row in lines if row["set"] in TUNING]
    names = sorted({name for row in learn for piece in row["pieces"] for name in piece} - {DOUBTED})

    def table(pieces: Iterable[dict[str, float]]) -> Floats:
        return np.array([[piece.get(name, 0.0) for name in names] for piece in pieces])

    worst = [max(row["pieces"], key=lambda p: p["untold"] + p["objections"]) for row in learn]
    right = np.array([float(row["supported"]) for row in learn])
    forest = _boosted(table(worst), right, np.ones(len(right)))
    inputs = np.array(
        [
            [
                forest.predict(table(row["pieces"]), raw_score=True).min(),
                min(-piece[DOUBTED] for piece in row["pieces"]),
                1.0,
            ]
            for row in tune
        ]
    )
    labels = np.array([float(row["supported"]) for row in tune])
    share, body, start = logistic(inputs, labels, 1e-2).tolist()
    trees = [_node(tree["tree_structure"]) for tree in forest.dump_model()["tree_info"]]
    scaled = (*(_scaled(tree, share) for tree in trees), DecisionTree(round(start, 4)))
    weights = VerdictWeights(tuple(names), scaled, BOUNDS, round(body, 4))
    WEIGHTS.write_bytes(msgspec.json.encode(weights) + b"\n")


def _scaled(tree: DecisionTree, by: float) -> DecisionTree:
    return DecisionTree(
        round(tree.odds * by, 4),
        tree.figure,
        tree.least,
        tuple(_scaled(side, by) for side in tree.sides),
    )


# --- body ----------------------------------------------------------------------------------------


def examples(data: Path, teacher: Path) -> Iterator[tuple[str, list[str], float, float]]:
    """Yield sentences with their nearest passages, target and weight."""
    from trace_passages import WordIndex

    verdicts = json.loads(gzip.decompress(teacher.read_bytes()))
    taught = {(name, story, text): odds for name, story, text, _, odds in verdicts}
    lines: dict[str, list[str]] = {}
    for path in (CORPUS / "train.jsonl", data / "consolidation/train"):
        lines |= {
            bundle.id: [" ".join(line.split()) for line in bundle.sentences().values()]
            for bundle in read_bundles(str(path))
        }
    indexes = {id: WordIndex(texts) for id, texts in lines.items()}
    for id, documents in stories(CORPUS / "proof/stories.jsonl").items():
        indexes[id] = WordIndex.of_texts([document["text"] for document in documents])
    judged = {record["bundle"] for name in ("test", "dev") for record in claims(_proof(name))}
    for path in (*map(_proof, WRITTEN), data / "proof/news-train.jsonl"):
        for record in claims(path):
            if record["bundle"] in indexes and record["bundle"] not in judged:
                target = 0.02 + 0.96 * record["supported"]
                yield record["text"], indexes[record["bundle"]].nearest(record["text"]), target, 1.0
    for path in (CORPUS / "train.jsonl", data / "consolidation/train"):
        bundles = [bundle for bundle in read_bundles(str(path)) if bundle.id not in judged]
        for item in make_items(bundles, "train", MADE):
            text = " ".join(item.text.split())
            odds = max(-8.0, min(8.0, taught.get(("made", item.bundle, text), 0.0)))
            target = (1 - TAUGHT) * (0.02 + 0.96 * item.supported) + TAUGHT / (1 + math.exp(-odds))
            yield text, indexes[item.bundle].nearest(text), target, MADE_WEIGHT


def _proof(name: str) -> Path:
    return CORPUS / f"proof/{name}.jsonl"


def train_body(options: argparse.Namespace) -> None:
    """Continue the training of the body and write it as it ships."""
    import torch
    from torch.nn import functional

    from tatian.analysis.loading import load
    from tatian.training.int8 import Graph, export_int8
    from tatian.training.model import BodyShape, SupportModel
    from trace_passages import SHIPPED, reduce_resolution, shipped_state

    weights = load()
    training = list(examples(options.source, options.teacher))
    arrays = [encode_support(weights.pieces, text, near) for text, near, _, _ in training]
    model = SupportModel(BodyShape(layers=LAYERS, segments=OTHER_SAME + 1))
    model.load_state_dict(shipped_state())
    model.to(options.device)
    rows = len(np.load(SHIPPED.with_name("scales.npy")))
    table = torch.from_numpy(weights.embeddings(np.arange(rows)[None])[0]).to(options.device)
    rng = random.Random(0)
    torch.manual_seed(0)
    order = sorted(range(len(training)), key=lambda n: len(arrays[n]["rows"]))
    batches: list[list[int]] = [[]]
    for n in order:
        if (len(batches[-1]) + 1) * len(arrays[n]["rows"]) > BATCH:
            batches.append([])
        batches[-1].append(n)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    total, step = EPOCHS * len(batches), 0
    for _ in range(EPOCHS):
        model.train()
        rng.shuffle(batches)
        for chosen in batches:
            longest = max(len(arrays[n]["rows"]) for n in chosen)
            padded = {k: np.zeros((len(chosen), longest), np.int64) for k in ("rows", "segments")}
            mask = np.zeros((len(chosen), longest), np.int64)
            for place, n in enumerate(chosen):
                length = len(arrays[n]["rows"])
                mask[place, :length] = 1
                for name, array in padded.items():
                    array[place, :length] = arrays[n][name]
            ids, segments, seen = (
                torch.from_numpy(array).to(options.device)
                for array in (padded["rows"], padded["segments"], mask)
            )
            odds = model(table[ids], seen, segments, torch.zeros_like(seen))["support"].float()
            targets, counts = (
                torch.tensor([training[n][k] for n in chosen], device=options.device)
                for k in (2, 3)
            )
            losses = functional.binary_cross_entropy_with_logits(odds, targets, reduction="none")
            ((losses * counts).sum() / counts.sum()).backward()
            step += 1
            speed = min(1.0, step / (0.06 * total)) * max(0.02, 1 - step / total)
            for group in optimizer.param_groups:
                group["lr"] = RATE * speed
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    options.o.mkdir(parents=True, exist_ok=True)
    inputs = ("embeddings", "mask", "segments", "marks")
    graph = Graph(inputs, {"support": ("batch",), "same": ("batch",)})
    export_int8(model.cpu().eval(), graph, options.o / "proof.onnx")
    reduce_resolution(options.o / "proof.onnx")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    jobs = {"figures": write_figures, "body": train_body, "fit": fit}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=list(jobs))
    parser.add_argument("source", type=Path, help="DATA, or the file of figures")
    parser.add_argument("--teacher", type=Path, help="what the local judge says, gzipped JSON")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("-o", type=Path)
    options = parser.parse_args(arguments)
    jobs[options.job](options)


if __name__ == "__main__":
    main()
