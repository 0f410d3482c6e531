"""Training of the model for claims: are two of them about the same thing?

    python benchmarks/claims_train.py prepare DATA -o FOLDER     reads the corpus
    python benchmarks/claims_train.py train FOLDER -o OUT --device cuda     needs PyTorch
    python benchmarks/claims_train.py held-out FOLDER -o OUT --start WEIGHTS --device cuda

The head `same` is trained with the body of the small judge, whose own verdicts stay as they are: it
is trained on its sentences too, with its former log-odds as targets. `held-out` trains four models,
each without a quarter of the stories, and writes the log-odds of the judged pairs by the model that
did not see them: `held-out.json` has them by line of `rivals.jsonl`, whose field is `held_out`. The
weights of `ConflictWeights` and `SameThingWeights` are fitted with these.

The shipped weights have seen all stories, so `held-out` starts from those before the head:
`git show d8e7aa8e^:src/tatian/analysis/weights/proof.onnx.gz > WEIGHTS`. To try a change without a
GPU, use `prepare --limit 1` and `train --epochs 1`.

`claims_pairs.py` says which pairs there are. `prepare --taught FILE` replaces the weak ones by
pairs with the log-odds of a larger model, which `claims_teacher.py` writes. That model has not seen
fold 3; to measure on it, use `train --without-fold 3`. `held-out` needs inputs without taught
pairs. Version 5 was trained with `--start WEIGHTS`, `--without-fold 3`, `--epochs 5` and
`--average` with version 4, `git show ce1ba168:src/tatian/analysis/weights/proof.onnx.gz`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import judge_small
from claims_pairs import FOLDS, MarkedPair, labelled_stories, weak_pairs, written_pairs
from tatian.analysis.coverage import MARK, OTHER_SAME, around_mark, encode_support
from tatian.analysis.loading import load
from tatian.errors import InputError, TatianError

EPOCHS, LEARNING_RATE, BATCH_TOKENS = 8, 1.5e-4, 16384
TAUGHT, TAUGHT_WEIGHT = "taught", 0.5
FORMER_SHARE = 0.3
"""Share of the former weights in an average."""


# --- prepare -------------------------------------------------------------------------------------


def all_pairs(options: argparse.Namespace) -> Iterator[tuple[MarkedPair, float]]:
    """Yield the pairs, each with the target of its probability."""
    for pair in written_pairs(options.limit):
        yield pair, label_target(pair)
    for story in labelled_stories(options.source, options.limit):
        is_weak = options.taught is None and story.set != "tagged"
        for pair in (*story.pairs, *(weak_pairs(story) if is_weak else ())):
            yield pair, label_target(pair)
    if options.taught:
        for line in options.taught.read_text("utf-8").splitlines():
            record = json.loads(line)
            texts = record["first"], record["second"]
            pair = MarkedPair(TAUGHT, *texts, None, record["fold"], TAUGHT_WEIGHT)
            yield pair, 1 / (1 + math.exp(-record["odds"]))


def label_target(pair: MarkedPair) -> float:
    """Return the probability that a labelled pair is trained towards."""
    return 0.99 if pair.same else 0.01


def prepare(options: argparse.Namespace) -> None:
    """Write the inputs of all pairs, in both directions, and of the judge's sentences."""
    check_folder(options.source)
    pieces = load().pieces
    pairs, targets = zip(*all_pairs(options), strict=True)
    ways = [(p.first, p.second) for p in pairs] + [(p.second, p.first) for p in pairs]
    options.o.mkdir(parents=True, exist_ok=True)
    _write(
        options.o / "pairs.npz",
        [encode_support(pieces, around_mark(text), (around_mark(other),)) for text, other in ways],
        target=np.array(targets * 2, dtype=np.float32),
        fold=np.array([p.fold for p in pairs] * 2, dtype=np.int8),
        weight=np.array([p.weight for p in pairs] * 2, dtype=np.float32),
    )
    (options.o / "names.json").write_text(json.dumps([p.name for p in pairs]))
    nothing = options.o / "teacher.json.gz"
    nothing.write_bytes(gzip.compress(b"[]"))
    sentences = judge_small.examples(options.source, nothing)
    most = None if options.limit is None else 100 * options.limit
    _write(
        options.o / "sentences.npz",
        [encode_support(pieces, text, near) for text, near, _, _ in islice(sentences, most)],
    )


def _write(path: Path, inputs: Sequence[Mapping[str, npt.NDArray[Any]]], **labels: Any) -> None:
    columns: dict[str, Any] = {
        name: np.concatenate([i[name] for i in inputs]) for name in ("rows", "segments")
    }
    lengths = np.array([len(i["rows"]) for i in inputs])
    np.savez_compressed(path, **columns, lengths=lengths, **labels)


# --- train ---------------------------------------------------------------------------------------


class Inputs:
    """Encoded pairs of texts, which come padded in batches."""

    def __init__(
        self,
        items: Sequence[Mapping[str, npt.NDArray[Any]]],
        labels: Mapping[str, Any],
        device: str,
    ) -> None:
        self.items = items
        self.mark = load().pieces.text(MARK, 1)[0]
        self.labels = labels
        self.device = device

    @classmethod
    def read_file(cls, path: Path, device: str) -> Inputs:
        """Return the inputs that `prepare` wrote."""
        arrays = np.load(path)
        columns = {name: arrays[name].astype(np.int64) for name in ("rows", "segments")}
        ends = np.cumsum(arrays["lengths"])
        items = [
            {name: column[end - length : end] for name, column in columns.items()}
            for end, length in zip(ends, arrays["lengths"], strict=True)
        ]
        return cls(items, {n: arrays[n] for n in arrays.files if n not in columns}, device)

    def batches(self, numbers: Sequence[int], tokens: int) -> list[list[int]]:
        """Group items of similar length."""
        groups: list[list[int]] = []
        for number in sorted(numbers, key=lambda n: len(self.items[n]["rows"])):
            if not groups or (len(groups[-1]) + 1) * len(self.items[number]["rows"]) > tokens:
                groups.append([])
            groups[-1].append(number)
        return groups

    def read(self, model: Any, table: Any, numbers: Sequence[int]) -> Any:
        """Return the model's outputs for some items."""
        import torch

        longest = max(len(self.items[n]["rows"]) for n in numbers)
        rows, segments, mask = (np.zeros((len(numbers), longest), np.int64) for _ in range(3))
        for place, number in enumerate(numbers):
            length = len(self.items[number]["rows"])
            rows[place, :length] = self.items[number]["rows"]
            segments[place, :length] = self.items[number]["segments"]
            mask[place, :length] = 1
        ids, kinds, seen = (
            torch.from_numpy(array).to(self.device) for array in (rows, segments, mask)
        )
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device != "cpu"):
            return model(table[ids], seen, kinds, ((ids == self.mark) & (seen == 1)).long())

    def odds(self, model: Any, table: Any, numbers: Sequence[int], output: str) -> dict[int, float]:
        """Return the log-odds of some items."""
        import torch

        model.eval()
        odds_of: dict[int, float] = {}
        with torch.no_grad():
            for batch in self.batches(numbers, 4 * BATCH_TOKENS):
                values = self.read(model, table, batch)[output].float().tolist()
                odds_of |= dict(zip(batch, values, strict=True))
        return odds_of


class Trainer:
    """Training of the body with both heads, from the weights that `start` has."""

    def __init__(self, options: argparse.Namespace, start: Mapping[str, Any]) -> None:
        device = options.device
        check_device(device)
        self.table = embedding_table(device)
        self.pairs = Inputs.read_file(options.source / "pairs.npz", device)
        self.sentences = Inputs.read_file(options.source / "sentences.npz", device)
        self.device = device
        self.epochs = options.epochs
        self.start = start
        numbers = range(len(self.sentences.items))
        former = self.sentences.odds(self._start(), self.table, numbers, "support")
        self.former = [former[n] for n in numbers]

    def _start(self) -> Any:
        return start_model(self.start, self.device)

    def train(self, numbers: Sequence[int]) -> Any:
        """Train on some of the pairs, and on the sentences."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits as loss_of

        torch.manual_seed(0)
        rng = random.Random(0)
        model, labels = self._start(), self.pairs.labels
        todo = [(True, batch) for batch in self.pairs.batches(numbers, BATCH_TOKENS)]
        listed = self.sentences.batches(range(len(self.sentences.items)), 2 * BATCH_TOKENS)
        todo += [(False, batch) for batch in listed]

        def loss(is_pair: bool, batch: list[int]) -> Any:
            if is_pair:
                targets = torch.tensor(labels["target"][batch])
                odds = self.pairs.read(model, self.table, batch)["same"].float()
                counts = torch.tensor(labels["weight"][batch]).to(self.device)
            else:
                targets = torch.sigmoid(torch.tensor([self.former[n] for n in batch]))
                odds = self.sentences.read(model, self.table, batch)["support"].float()
                counts = torch.ones(len(batch), device=self.device)
            losses = loss_of(odds, targets.to(self.device), reduction="none")
            return (losses * counts).sum() / counts.sum()

        optimise(model, todo, loss, self.epochs, LEARNING_RATE, rng)
        return model


def embedding_table(device: str) -> Any:
    """Return the vectors of all word pieces."""
    import torch

    from trace_passages import SHIPPED

    rows = len(np.load(SHIPPED.with_name("scales.npy")))
    return torch.from_numpy(load().embeddings(np.arange(rows)[None])[0]).to(device)


def start_model(state: Mapping[str, Any], device: str) -> Any:
    """Return a model with given weights; parts without weights are random."""
    from tatian.training.model import BodyShape, SupportModel

    model = SupportModel(BodyShape(layers=judge_small.LAYERS, segments=OTHER_SAME + 1))
    model.load_state_dict(state, strict=False)
    return model.to(device)


def optimise(
    model: Any,
    todo: list[tuple[bool, Any]],
    loss: Callable[[bool, Any], Any],
    epochs: int,
    rate: float,
    rng: random.Random,
) -> None:
    """Train a model on batches of two kinds, in a new order each epoch."""
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    total = epochs * len(todo)
    for step in range(total):
        if step % len(todo) == 0:
            model.train()
            rng.shuffle(todo)
        loss(*todo[step % len(todo)]).backward()
        speed = min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - (step + 1) / total)
        for group in optimizer.param_groups:
            group["lr"] = rate * speed
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def write_body(model: Any, outputs: Sequence[str], path: Path) -> None:
    """Write a model as it ships, in int8 and packed."""
    from tatian.training.int8 import Graph, export_int8
    from trace_passages import reduce_resolution

    path.parent.mkdir(parents=True, exist_ok=True)
    inputs = ("embeddings", "mask", "segments", "marks")
    export_int8(model.cpu().eval(), Graph(inputs, dict.fromkeys(outputs, ("batch",))), path)
    reduce_resolution(path)


def _read_start(options: argparse.Namespace) -> dict[str, Any]:
    from trace_passages import SHIPPED, shipped_state

    return shipped_state(options.start or SHIPPED)


def train(options: argparse.Namespace) -> None:
    """Train on all pairs, or without a fold, and write the body as it ships."""
    from trace_passages import shipped_state

    trainer = Trainer(options, _read_start(options))
    seen = np.flatnonzero(trainer.pairs.labels["fold"] != options.without_fold)
    model = trainer.train(seen.tolist()).cpu()
    if options.average:
        former, trained = shipped_state(options.average), model.state_dict()
        mixed = {n: FORMER_SHARE * former[n] + (1 - FORMER_SHARE) * trained[n] for n in trained}
        model.load_state_dict(mixed)
    write_body(model, ("support", "same"), options.o / "proof.onnx")


def hold_out(options: argparse.Namespace) -> None:
    """Write the log-odds of each pair by a model that did not see its story."""
    start = _read_start(options)
    if "same.weight" in start:
        name = options.start or "the shipped weights"
        raise InputError(f"{name}: have seen the pairs: --start takes weights without their head")
    names = json.loads((options.source / "names.json").read_text())
    if TAUGHT in names:
        raise InputError("has taught pairs: prepare without --taught", path=str(options.source))
    trainer = Trainer(options, start)
    folds = trainer.pairs.labels["fold"]
    odds: dict[int, float] = {}
    for fold in range(FOLDS):
        seen, unseen = (np.flatnonzero(mask).tolist() for mask in (folds != fold, folds == fold))
        odds |= trainer.pairs.odds(trainer.train(seen), trainer.table, unseen, "same")
    half = len(names)
    held = {name: round((odds[n] + odds[n + half]) / 2, 3) for n, name in enumerate(names) if name}
    options.o.mkdir(parents=True, exist_ok=True)
    (options.o / "held-out.json").write_text(json.dumps(held))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--start", type=Path, help="weights to start from, proof.onnx.gz")
    parser.add_argument(
        "--epochs", type=positive_number, default=EPOCHS, help=f"times to train on all ({EPOCHS})"
    )
    parser.add_argument("--taught", type=Path, help="pairs of claims_teacher.py, for prepare")
    parser.add_argument(
        "--without-fold", type=int, choices=range(FOLDS), help="train without this quarter"
    )
    parser.add_argument(
        "--average", type=Path, help=f"former weights, {FORMER_SHARE} of the result, proof.onnx.gz"
    )
    run_job(parser, {"prepare": prepare, "train": train, "held-out": hold_out}, arguments)


def run_job(
    parser: argparse.ArgumentParser,
    jobs: Mapping[str, Callable[[argparse.Namespace], None]],
    arguments: Sequence[str] | None,
) -> None:
    """Add the options that all jobs share and run the chosen job."""
    parser.add_argument("job", choices=list(jobs))
    parser.add_argument("source", type=Path, help="DATA, or the folder of inputs")
    parser.add_argument("--device", default="cpu", help="cpu (the default) or cuda")
    parser.add_argument("-o", type=Path, required=True, help="folder for the output")
    parser.add_argument(
        "--limit",
        type=positive_number,
        help="use only so many pairs or stories of each set, and 100 times as many sentences",
    )
    options = parser.parse_args(arguments)
    try:
        jobs[options.job](options)
    except ModuleNotFoundError as error:
        parser.exit(2, f"{parser.prog}: {error}: run pip install 'tatian[train,hub]'\n")
    except (TatianError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


def check_folder(path: Path) -> None:
    """Raise an error if a folder is missing."""
    if not path.is_dir():
        raise InputError("no such folder", path=str(path))


def check_device(device: str) -> None:
    """Raise an error if PyTorch cannot use a device."""
    import torch

    if device != "cpu" and not torch.cuda.is_available():
        raise InputError(f"no device '{device}' here: choose cpu")


def positive_number(text: str) -> int:
    """Return the positive whole number that an argument gives."""
    if text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")


if __name__ == "__main__":
    main()
