"""Train the body that says whether several passages, read as one, say all of a sentence.

    python benchmarks/trace_train.py DATA --start DIR --teacher DIR --pairs pairs.pt -o OUT

Learns from sentences that `trace_data` makes from the bundles of DATA/consolidation/train and
corpus/train.jsonl, from those of corpus/proof/train.jsonl and from pairs of entailment. A larger
encoder learns them first; five layers of the pairs body then learn from the labels and from what
that one says of the same sentences, and of some with a passage less. `--start` and `--teacher` are
as for `python -m tatian.training telling`, which leaves ``pairs.pt``. OUT/proof.onnx.gz is what
ships.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log
from pathlib import Path
from trace import HAND, made, written
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from torch.nn import functional

from tatian.analysis.support import encode
from tatian.analysis.telling import OTHER_SAME
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.text.content import stem
from tatian.training.data import NON_COMMERCIAL_PAIRS
from tatian.training.examples import Batch, Scores, batches_by_length
from tatian.training.int8 import Graph, export_int8
from tatian.training.loop import Recipe, autocast, train_body
from tatian.training.model import BodyShape, SupportModel
from tatian.training.mpnet import MPNET, read_teacher
from tatian.training.pretrained import Start

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
LAYERS, PASSAGES, MORE = 5, 3, 4
EVERY, PAIRS, LESS = 3000, 30000, 30000
"""Made sentences of a kind, pairs of entailment, and sentences with a passage less, at most."""
WRITTEN, ENTAILED, FEWER = 8.0, 0.5, 0.7
"""What a written sentence, a pair and a sentence with a passage less count beside a made one."""
GRAPH = Graph(("embeddings", "mask", "segments"), {"support": ("batch",)})
STOP = frozenset(
    "the a an of to in on at for and or but is was were are be been by with as that this it its he"
    " she they his her their from had has have not".split()
)


class Claim(NamedTuple):
    """A sentence, the passages nearest to it, whether they say it, and how much it counts."""

    sentence: str
    passages: Sequence[str]
    said: float
    weight: float
    label: float = 0.4
    """How much of the target is the label, not the teacher's word."""


def words(text: str) -> frozenset[str]:
    """What a text speaks of."""
    found = re.findall(r"[A-Za-z]+|\d[\d,.:]*", text.lower())
    return frozenset(stem(one) for one in found if one not in STOP)


class Shelf:
    """The sentences of a bundle, by their words."""

    def __init__(self, bundle: Bundle) -> None:
        self.lines = [" ".join(line.split()) for line in bundle.sentences().values()]
        self.words = [words(line) for line in self.lines]
        counts = Counter(word for some in self.words for word in some)
        self.rare = {word: log(1 + len(self.lines) / count) for word, count in counts.items()}

    def nearest(self, sentence: str) -> list[str]:
        """Those with most of its words, and some with words that these lack, in order."""
        said = words(sentence)
        score = [sum(self.rare[one] for one in said & some) for some in self.words]
        ranked = sorted(range(len(score)), key=lambda n: (-score[n], n))
        listed, rest = ranked[:PASSAGES], ranked[PASSAGES:]
        for _ in range(min(MORE, len(rest))):
            lacks = said.difference(*(self.words[n] for n in listed))
            gain = {n: sum(self.rare[one] for one in lacks & self.words[n]) for n in rest}
            best = max(rest, key=lambda n: (gain[n], score[n], -n))
            rest.remove(best)
            listed.append(best)
        return [self.lines[n] for n in sorted(listed)]


def claims(data: Path, limit: int | None) -> Iterator[Claim]:
    """All there is to learn from; stories of the sentences that judge are left out."""
    judged = {one.bundle for one in written(HAND)}
    everything = {}
    for path in (data / "consolidation/train", CORPUS / "train.jsonl"):
        bundles = [one for one in read_bundles(str(path)) if one.id not in judged][:limit]
        everything |= {one.id: Shelf(one) for one in bundles}
        items = made(bundles, "train", limit or EVERY)
        often = Counter(one.kind for one in items)
        for one in items:
            weight = (max(often.values()) / often[one.kind]) ** 0.5
            yield Claim(one.text, everything[one.bundle].nearest(one.text), one.supported, weight)
    for one in written(CORPUS / "proof/train.jsonl")[:limit]:
        if one.bundle in everything:
            near = everything[one.bundle].nearest(one.text)
            yield Claim(one.text, near, one.supported, WRITTEN, 0.75)
    with gzip.open(data / "entailment/train.jsonl.gz", "rt", encoding="utf-8") as lines:
        pairs = [one for one in map(json.loads, lines) if one["source"] not in NON_COMMERCIAL_PAIRS]
    for place in np.random.default_rng(1).permutation(len(pairs))[: limit or PAIRS]:
        one = pairs[place]
        said = one["label"] == "entailment"
        yield Claim(one["hypothesis"], [one["premise"]], said, ENTAILED)


def with_less(known: Sequence[Claim], generator: np.random.Generator) -> Iterator[Claim]:
    """Sentences with a passage less: whether these say it only the teacher knows."""
    some = [one for one in known if len(one.passages) > 2]
    for place in generator.permutation(len(some))[:LESS]:
        one = some[place]
        gone = generator.integers(len(one.passages))
        rest = [passage for n, passage in enumerate(one.passages) if n != gone]
        yield Claim(one.sentence, rest, one.said, FEWER, 0.0)


class Learner:
    """Claims as arrays, and one run over them."""

    def __init__(self, known: Iterable[Claim], start: Start, device: str) -> None:
        self.known, self.device = list(known), device
        self.arrays = [encode(start.pieces, one.sentence, one.passages) for one in self.known]
        self.lengths = [len(one["rows"]) for one in self.arrays]
        self.weights = np.array([one.weight for one in self.known], dtype=np.float32)
        self.weights /= self.weights.mean()

    def batch(self, chosen: Sequence[int], targets: Any) -> Batch:
        """Some claims, padded."""
        shape = len(chosen), max(self.lengths[n] for n in chosen)
        found = {name: np.zeros(shape, np.int64) for name in ("rows", "segments", "mask")}
        for row, n in enumerate(chosen):
            for name in ("rows", "segments"):
                found[name][row, : self.lengths[n]] = self.arrays[n][name]
            found["mask"][row, : self.lengths[n]] = 1
        return {**found, "target": targets[list(chosen)], "weight": self.weights[list(chosen)]}

    def train(self, model: Any, table: Any, targets: Any, recipe: Recipe, out: Path) -> None:
        """One run."""
        targets = np.asarray(targets, dtype=np.float32)

        def batches(generator: np.random.Generator) -> Iterator[Batch]:
            listed = list(batches_by_length(self.lengths, recipe.budget, generator))
            yield from (self.batch(chosen, targets) for chosen in listed)

        def loss(trained: Any, batch: Batch) -> Any:
            found = trained(table[batch["rows"]], batch["mask"], batch["segments"])["support"]
            each = functional.binary_cross_entropy_with_logits(
                found.float(), batch["target"], reduction="none"
            )
            return (each * batch["weight"]).mean()

        def evaluate(trained: Any) -> Scores:
            return {}

        steps = len(list(batches_by_length(self.lengths, recipe.budget)))
        model.to(self.device)
        train_body(model, recipe, out, batches=batches, loss=loss, evaluate=evaluate, steps=steps)

    def said(self, model: Any, table: Any, budget: int = 8192) -> Any:
        """What a model says of each, as a probability."""
        found = np.zeros(len(self.known), dtype=np.float32)
        model.eval()
        for chosen in batches_by_length(self.lengths, budget):
            batch = self.batch(chosen, found)
            rows, mask, segments = (
                torch.from_numpy(batch[name]).to(self.device)
                for name in ("rows", "mask", "segments")
            )
            with torch.no_grad(), autocast(self.device):
                odds = model(table[rows], mask, segments)["support"]
            found[list(chosen)] = torch.sigmoid(odds.float()).cpu().numpy()
        return found


def coarse(path: Path) -> None:
    """Halve the steps of the widest matrices, so that the packed file is a tenth smaller."""
    model = onnx.load(path)
    for array in model.graph.initializer:
        found = onnx.numpy_helper.to_array(array)
        if found.dtype == np.int8 and found.ndim == 2 and BodyShape().inner in found.shape:
            even = np.clip(2 * np.round(found.astype(np.float32) / 2), -126, 126).astype(np.int8)
            array.CopyFrom(onnx.numpy_helper.from_array(even, array.name))
    data = gzip.compress(model.SerializeToString(), 9, mtime=0)
    path.with_suffix(".onnx.gz").write_bytes(data)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    for name in ("--start", "--teacher", "--pairs", "-o"):
        parser.add_argument(name, type=Path, required=True, dest=name.strip("-"))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--limit", type=int, help="a little of everything, for a dry run")
    given = parser.parse_args(arguments)
    start = Start(given.start)
    known = list(claims(given.data, given.limit))
    more = list(with_less(known, np.random.default_rng(5)))
    first, both = (Learner(some, start, given.device) for some in (known, [*known, *more]))
    labels = np.array([0.02 + 0.96 * one.said for one in both.known])
    body, table = read_teacher(given.teacher, start.pieces)
    table = table.to(given.device)

    def recipe(epochs: int, lr: float, budget: int) -> Recipe:
        if given.limit is not None:
            epochs, budget = 1, 1024
        return Recipe(
            epochs=epochs, lr=lr, head_lr=lr, budget=budget, average=0.0, device=given.device
        )

    teacher = SupportModel(MPNET, body)
    first.train(teacher, table, labels[: len(known)], recipe(3, 3e-5, 32768), given.o / "teacher")
    share = np.array([one.label for one in both.known])
    targets = share * labels + (1 - share) * both.said(teacher, table)
    student = SupportModel(BodyShape(layers=LAYERS, segments=OTHER_SAME + 1))
    state = torch.load(given.pairs, map_location="cpu")
    student.load_state_dict({**student.state_dict(), **_layers(state)})
    both.train(
        student,
        start.table.to(given.device),
        targets,
        recipe(6, 1.2e-4, 24576),
        given.o / "student",
    )
    export_int8(student.cpu().eval(), GRAPH, given.o / "proof.onnx")
    coarse(given.o / "proof.onnx")


def _layers(state: dict[str, Any]) -> dict[str, Any]:
    """Of the pairs body what the new one begins with."""
    kept = (name for name in state if name.startswith("body."))
    return {
        name: state[name].float()
        for name in kept
        if not name.startswith("body.layers.") or int(name.split(".")[2]) < LAYERS
    }


if __name__ == "__main__":
    main()
