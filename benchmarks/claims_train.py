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

The pairs are those of `corpus/claims`: written ones (`train`, `dev`, `dev2`), those of invented
stories with numbered figures (`tagged`), and judged pairs of whole stories (`rivals`). Weak pairs
are equal figures of two sources, and different ones of one source. The set `stories-9` is kept for
tests.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import judge_small
from claims import read
from judge_data import CORPUS
from tatian.analysis import analyze_all
from tatian.analysis.coverage import MARK, OTHER_SAME, around_mark, encode_support
from tatian.analysis.loading import load
from tatian.claims import PlacedClaim, compare_values, read_placed
from tatian.corpora.bundles import read_bundles
from tatian.errors import InputError, TatianError
from tatian.text import Document, Metadata

CLAIMS = CORPUS / "claims"
FOLDS = 4
EPOCHS, RATE, TOKENS = 8, 1.5e-4, 16384
WEAK_WEIGHT = 0.1
MOST_WEAK, FEWEST_DIFFERENT = 40, 8
"""Equal pairs of one story that are used, and different ones beside half as many."""
UNSEEN = frozenset(("stories-9",))
"""Sets of days that are kept for tests."""
LEAST_COUNT = 5
"""Smaller counts are often equal by chance."""
_TAG = re.compile(r"\{(\d+)\|([^{}]*)\}")
_PAIR = re.compile(r"(\d+)-(\d+) ([XCRD])")


class MarkedPair(NamedTuple):
    """Two sentences with a mark, whether it stands for one thing, and the story's fold."""

    first: str
    second: str
    same: bool
    fold: int
    weight: float = 1.0
    name: str = ""


# --- prepare -------------------------------------------------------------------------------------


def all_pairs(data: Path, limit: int | None = None) -> Iterator[MarkedPair]:
    """Yield the pairs of all sets, or those of a limited number of rows and stories of each."""
    for name in ("train", "dev", "dev2"):
        for number, row in enumerate(read(CLAIMS / f"{name}.jsonl")[:limit]):
            if row.first and row.second:
                same = row.record["label"] != "unrelated"
                fold = number // 10 % FOLDS
                yield MarkedPair(row.first.marked, row.second.marked, same, fold)
    for line in _lines(CLAIMS / "tagged.jsonl", limit):
        yield from tagged_pairs(json.loads(line))
    sources = dict(stories(data, limit))
    rivals = [json.loads(line) for line in _lines(CLAIMS / "rivals.jsonl")]
    for id, documents in sources.items():
        placed = [read_placed(document) for document in analyze_all(documents)]
        for number, record in enumerate(rivals):
            if record["story"] != id or record["label"] == "?":
                continue
            first, second = (
                next((p for p in placed[n] if p.claim.figure.start == start), None)
                for n, start in (record["first"], record["second"])
            )
            if first and second:
                same = record["label"] != "D"
                yield MarkedPair(first.marked, second.marked, same, fold_of(id), name=str(number))
        yield from weak_pairs(placed, fold_of(id))


def _lines(path: Path, limit: int | None = None) -> list[str]:
    return path.read_text("utf-8").splitlines()[:limit]


def stories(data: Path, limit: int | None = None) -> Iterator[tuple[str, list[Document]]]:
    """Yield the training stories: bundles of ECB+ and of the corpus, and reports of days."""
    for name, path in (("ecb", data / "consolidation/train"), ("train", CORPUS / "train.jsonl")):
        for bundle in read_bundles(str(path))[:limit]:
            yield f"{name}/{bundle.id}", bundle.documents()
    for path in sorted((CORPUS / "days").glob("stories*.jsonl")):
        for line in () if path.stem in UNSEEN else _lines(path, limit):
            story = json.loads(line)
            yield (
                f"{path.stem}/{story['id']}",
                [
                    Document(source["id"], source["text"], metadata=dated(source))
                    for source in story["sources"]
                ],
            )


def tagged_pairs(story: Mapping[str, Any]) -> Iterator[MarkedPair]:
    """Yield the labelled pairs of a story with numbered figures."""
    tags: dict[int, tuple[int, int, int]] = {}
    documents = []
    for number, source in enumerate(story["sources"]):
        text, at = "", 0
        for tag in _TAG.finditer(source["text"]):
            text += source["text"][at : tag.start()]
            tags[int(tag[1])] = number, len(text), len(text) + len(tag[2])
            text, at = text + tag[2], tag.end()
        documents.append(Document(f"{number}", text + source["text"][at:], metadata=dated(source)))
    placed = [read_placed(document) for document in analyze_all(documents)]
    for pair in story["pairs"]:
        parts = _PAIR.match(pair)
        assert parts
        first, second = (_at_tag(placed, tags[int(parts[n])]) for n in (1, 2))
        if first and second and first.claim.kind == second.claim.kind:
            same = parts[3] != "D"
            yield MarkedPair(first.marked, second.marked, same, fold_of(story["id"]))


def _at_tag(
    placed: Sequence[Sequence[PlacedClaim]], tag: tuple[int, int, int]
) -> PlacedClaim | None:
    """Return the claim whose figure fits a tag best."""
    number, start, end = tag

    def fit(claim: PlacedClaim) -> float:
        figure = claim.claim.figure
        shared = min(end, figure.end) - max(start, figure.start)
        return shared / (max(end, figure.end) - min(start, figure.start))

    return max((p for p in placed[number] if fit(p) > 0), key=fit, default=None)


def weak_pairs(placed: Sequence[Sequence[PlacedClaim]], fold: int) -> Iterator[MarkedPair]:
    """Yield equal figures of two sources, and different figures of one source."""
    rng = random.Random(3)
    claims = [(number, claim) for number, source in enumerate(placed) for claim in source]
    equal, different = [], []
    for (source, first), (other, second) in combinations(claims, 2):
        kind = first.claim.kind
        if kind != second.claim.kind or kind == "name" or first.sentence == second.sentence:
            continue
        value, _ = compare_values(first.claim, second.claim)
        if source != other and value == "equal" and not _is_small(first) and kind != "date":
            equal.append((first, second))
        elif source == other and value == "exclude":
            shared = {*first.sentence.lower().split()} & {*second.sentence.lower().split()}
            different.append((len(shared) + rng.random(), first, second))
    rng.shuffle(equal)
    different.sort(key=lambda found: -found[0])
    equal = equal[:MOST_WEAK]
    rivals = [(first, second) for _, first, second in different]
    for same, pairs in ((True, equal), (False, rivals[: len(equal) // 2 + FEWEST_DIFFERENT])):
        for first, second in pairs:
            yield MarkedPair(first.marked, second.marked, same, fold, WEAK_WEIGHT)


def _is_small(placed: PlacedClaim) -> bool:
    interval = placed.claim.interval
    return placed.claim.kind == "count" and (interval is None or interval.low < LEAST_COUNT)


def fold_of(story: str) -> int:
    """Return the number of the quarter that a story belongs to."""
    return zlib.crc32(story.encode()) % FOLDS


def dated(source: Mapping[str, str]) -> Metadata:
    """Return the metadata of a source with its date, if it has one."""
    return Metadata(date=source["date"]) if source.get("date") else Metadata()


def prepare(options: argparse.Namespace) -> None:
    """Write the inputs of all pairs, in both directions, and of the judge's sentences."""
    if not options.source.is_dir():
        raise InputError("no such folder", path=str(options.source))
    pieces = load().pieces
    pairs = [*all_pairs(options.source, options.limit)]
    ways = [(p.first, p.second) for p in pairs] + [(p.second, p.first) for p in pairs]
    options.o.mkdir(parents=True, exist_ok=True)
    _write(
        options.o / "pairs.npz",
        [encode_support(pieces, around_mark(text), (around_mark(other),)) for text, other in ways],
        same=np.array([p.same for p in pairs] * 2, dtype=np.int8),
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

    def __init__(self, path: Path, device: str) -> None:
        arrays = np.load(path)
        columns = {name: arrays[name].astype(np.int64) for name in ("rows", "segments")}
        ends = np.cumsum(arrays["lengths"])
        self.items = [
            {name: column[end - length : end] for name, column in columns.items()}
            for end, length in zip(ends, arrays["lengths"], strict=True)
        ]
        weights = load()
        self.mark = weights.pieces.text(MARK, 1)[0]
        self.labels = {name: arrays[name] for name in arrays.files if name not in columns}
        self.device = device

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
            for batch in self.batches(numbers, 4 * TOKENS):
                values = self.read(model, table, batch)[output].float().tolist()
                odds_of |= dict(zip(batch, values, strict=True))
        return odds_of


class Trainer:
    """Training of the body with both heads, from the weights that `start` has."""

    def __init__(self, options: argparse.Namespace, start: Mapping[str, Any]) -> None:
        import torch

        from trace_passages import SHIPPED

        device = options.device
        if device != "cpu" and not torch.cuda.is_available():
            raise InputError(f"no device '{device}' here: choose cpu")
        weights = load()
        rows = len(np.load(SHIPPED.with_name("scales.npy")))
        self.table = torch.from_numpy(weights.embeddings(np.arange(rows)[None])[0]).to(device)
        self.pairs = Inputs(options.source / "pairs.npz", device)
        self.sentences = Inputs(options.source / "sentences.npz", device)
        self.device = device
        self.epochs = options.epochs
        self.start = start
        numbers = range(len(self.sentences.items))
        former = self.sentences.odds(self._start(), self.table, numbers, "support")
        self.former = [former[n] for n in numbers]

    def _start(self) -> Any:
        from tatian.training.model import BodyShape, SupportModel

        model = SupportModel(BodyShape(layers=judge_small.LAYERS, segments=OTHER_SAME + 1))
        model.load_state_dict(self.start, strict=False)
        return model.to(self.device)

    def train(self, numbers: Sequence[int]) -> Any:
        """Train on some of the pairs, and on the sentences."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits as loss_of

        torch.manual_seed(0)
        rng = random.Random(0)
        model, labels = self._start(), self.pairs.labels
        optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
        todo = [(True, batch) for batch in self.pairs.batches(numbers, TOKENS)]
        listed = self.sentences.batches(range(len(self.sentences.items)), 2 * TOKENS)
        todo += [(False, batch) for batch in listed]
        total = self.epochs * len(todo)
        for step in range(total):
            if step % len(todo) == 0:
                model.train()
                rng.shuffle(todo)
            is_pair, batch = todo[step % len(todo)]
            if is_pair:
                targets = torch.tensor(0.98 * labels["same"][batch] + 0.01).float()
                odds = self.pairs.read(model, self.table, batch)["same"].float()
                counts = torch.tensor(labels["weight"][batch]).to(self.device)
            else:
                targets = torch.sigmoid(torch.tensor([self.former[n] for n in batch]))
                odds = self.sentences.read(model, self.table, batch)["support"].float()
                counts = torch.ones(len(batch), device=self.device)
            losses = loss_of(odds, targets.to(self.device), reduction="none")
            ((losses * counts).sum() / counts.sum()).backward()
            speed = min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - (step + 1) / total)
            for group in optimizer.param_groups:
                group["lr"] = RATE * speed
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return model


def _read_start(options: argparse.Namespace) -> dict[str, Any]:
    from trace_passages import SHIPPED, shipped_state

    return shipped_state(options.start or SHIPPED)


def train(options: argparse.Namespace) -> None:
    """Train on all pairs and write the body as it ships."""
    from tatian.training.int8 import Graph, export_int8
    from trace_passages import reduce_resolution

    trainer = Trainer(options, _read_start(options))
    model = trainer.train(range(len(trainer.pairs.items)))
    inputs = ("embeddings", "mask", "segments", "marks")
    options.o.mkdir(parents=True, exist_ok=True)
    graph = Graph(inputs, {"support": ("batch",), "same": ("batch",)})
    export_int8(model.cpu().eval(), graph, options.o / "proof.onnx")
    reduce_resolution(options.o / "proof.onnx")


def hold_out(options: argparse.Namespace) -> None:
    """Write the log-odds of each pair by a model that did not see its story."""
    start = _read_start(options)
    if "same.weight" in start:
        name = options.start or "the shipped weights"
        raise InputError(f"{name}: have seen the pairs: --start takes weights without their head")
    trainer = Trainer(options, start)
    folds = trainer.pairs.labels["fold"]
    odds: dict[int, float] = {}
    for fold in range(FOLDS):
        seen, unseen = (np.flatnonzero(mask).tolist() for mask in (folds != fold, folds == fold))
        odds |= trainer.pairs.odds(trainer.train(seen), trainer.table, unseen, "same")
    names = json.loads((options.source / "names.json").read_text())
    half = len(names)
    held = {name: round((odds[n] + odds[n + half]) / 2, 3) for n, name in enumerate(names) if name}
    options.o.mkdir(parents=True, exist_ok=True)
    (options.o / "held-out.json").write_text(json.dumps(held))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    jobs = {"prepare": prepare, "train": train, "held-out": hold_out}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=list(jobs))
    parser.add_argument("source", type=Path, help="DATA, or the folder of inputs")
    parser.add_argument("--device", default="cpu", help="cpu (the default) or cuda")
    parser.add_argument("-o", type=Path, required=True, help="folder for the output")
    parser.add_argument("--start", type=Path, help="weights to start from, proof.onnx.gz")
    parser.add_argument(
        "--limit",
        type=_positive,
        help="prepare only so many pairs or stories of each set, and 100 times as many sentences",
    )
    parser.add_argument(
        "--epochs", type=_positive, default=EPOCHS, help=f"times to train on all ({EPOCHS})"
    )
    options = parser.parse_args(arguments)
    try:
        jobs[options.job](options)
    except ModuleNotFoundError as error:
        parser.exit(2, f"claims_train.py: {error}: run pip install 'tatian[train]'\n")
    except (TatianError, OSError) as error:
        parser.exit(2, f"claims_train.py: {error}\n")


def _positive(text: str) -> int:
    if text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")


if __name__ == "__main__":
    main()
