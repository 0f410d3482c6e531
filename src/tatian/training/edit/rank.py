"""Training of the ranker, which selects the wording of a pair that is nearest to the reference.

The wordings are those of models that were not fine-tuned on the pair, whose probabilities would be
too high.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec import Struct

from tatian.analysis.encoder import EncoderAnalyser
from tatian.children import spawning
from tatian.errors import InputError
from tatian.text import Document, Span
from tatian.text.documents import Passage
from tatian.training.adapter import Base, restore
from tatian.training.data import read_packed, show, write_packed
from tatian.training.edit.data import Triple, bundles_of, evaluation_sentences, real_unions
from tatian.training.edit.model import new_model
from tatian.training.edit.run import RANKER, base_of, config_of, make_weights_directory
from tatian.training.loop import TrainingPlan, TrainingTask, Update, train
from tatian.union.metrics import ROUGE, rouge
from tatian.union.models.edit.editor import Editor
from tatian.union.models.edit.ranking import features
from tatian.union.models.edit.writing import union_input

LIKELIHOOD = 0
"""Index of the feature by which a model without a ranker selects: log-probability per step."""
SHARPNESS = 20.0
"""Factor on the loss, because rewards differ little."""
PARTS = 5
"""Maximum number of parts in cross-validation."""

Arrays = dict[str, npt.NDArray[np.float32]]


class Contest(Struct, frozen=True, array_like=True):
    """Features of the wordings of a pair, and their similarity to the reference."""

    rows: list[list[float]]
    rewards: list[float]


class RankConfig(Struct, frozen=True):
    """Settings of the ranker's training."""

    hidden: int = 64
    epochs: int = 10
    batch: int = 32
    rate: float = 2e-3
    dropout: float = 0.2
    decay: float = 1e-2
    nets: int = 4
    """Number of nets with different seeds, whose scores are averaged."""
    seed: int = 0


class RankerJudgement(Struct, frozen=True):
    """Mean rewards in cross-validation."""

    chosen: float
    """Reward of the ranker's choice."""
    likeliest: float
    """Reward of the likeliest wording."""
    best: float
    """Reward of the best wording."""


def train_ranker(contests: Sequence[Contest], config: RankConfig) -> Arrays:
    """Train nets by the expected reward of their choice; return the arrays for `WalkRanker`."""
    all_rows = np.vstack([contest.rows for contest in contests])
    mean, scale = all_rows.mean(0), all_rows.std(0) + 1e-6
    data = [
        (
            torch.tensor((np.array(contest.rows) - mean) / scale, dtype=torch.float32),
            torch.tensor(contest.rewards, dtype=torch.float32),
        )
        for contest in contests
    ]
    nets = [_train_net(data, config, config.seed + number) for number in range(config.nets)]
    return {
        "mean": mean.astype(np.float32),
        "scale": scale.astype(np.float32),
        "hidden": np.hstack([net[1].weight.detach().numpy().T for net in nets]),
        "hidden_bias": np.hstack([net[1].bias.detach().numpy() for net in nets]),
        "out": np.hstack([net[4].weight.detach().numpy()[0] for net in nets]) / config.nets,
    }


def _train_net(data: Sequence[tuple[Any, Any]], config: RankConfig, seed: int) -> Any:
    torch.manual_seed(seed)
    net = torch.nn.Sequential(
        torch.nn.Dropout(config.dropout),
        torch.nn.Linear(data[0][0].shape[1], config.hidden),
        torch.nn.ReLU(),
        torch.nn.Dropout(config.dropout),
        torch.nn.Linear(config.hidden, 1),
    )
    steps = -(-len(data) // config.batch)

    def updates(_: int) -> Iterator[Update]:
        order = torch.randperm(len(data)).tolist()
        for start in range(0, len(order), config.batch):
            yield [([data[i] for i in order[start : start + config.batch]], 1.0)]

    def loss(chosen: Sequence[tuple[Any, Any]]) -> Any:
        total = sum((_loss(net, *item) for item in chosen), start=torch.zeros(()))
        return total / len(chosen)

    groups = [{"params": list(net.parameters()), "lr": config.rate, "weight_decay": config.decay}]
    plan = TrainingPlan(
        epochs=config.epochs,
        steps=steps,
        rate=lambda step: 0.5 * (1 + math.cos(math.pi * (step // steps) / config.epochs)),
        clip=None,
    )
    train(TrainingTask(model=net, groups=groups, updates=updates, loss=loss), plan)
    return net


def _loss(net: Any, rows: Any, rewards: Any) -> Any:
    probabilities = torch.softmax(net(rows).squeeze(-1), 0)
    return -SHARPNESS * (probabilities * (rewards - rewards.mean())).sum()


def judge_ranker(contests: Sequence[Contest], config: RankConfig, scratch: Path) -> RankerJudgement:
    """Evaluate the ranker by cross-validation."""
    from tatian.union.models.edit.ranking import WalkRanker

    parts = min(PARTS, len(contests))
    if parts < 2:
        raise InputError("fewer than two contests to train a ranker on")
    sums = np.zeros(3)
    for part in range(parts):
        training_part = [other for number, other in enumerate(contests) if number % parts != part]
        np.savez(scratch / "ranker.npz", **train_ranker(training_part, config))  # type: ignore[arg-type]
        ranker = WalkRanker(scratch / "ranker.npz")
        for contest in contests[part::parts]:
            rows, rewards = np.array(contest.rows), contest.rewards
            likeliest = int(rows[:, LIKELIHOOD].argmax())
            sums += (
                rewards[int(ranker.scores(rows).argmax())],
                rewards[likeliest],
                max(rewards),
            )
    return RankerJudgement(*(float(mean) for mean in sums / len(contests)))


Task = tuple[str, str, Triple]
"""A weights directory, the pair's name, and its sentences with their union."""


def collect_contests(
    base: Base, run: Path, weights: Path, unions: Sequence[Triple], workers: int = 1
) -> list[Contest]:
    """Return the wordings of all pairs by the model of their fold, as at run time."""
    config = config_of(run)
    with tempfile.TemporaryDirectory() as scratch:
        places = [Path(scratch, f"fold-{fold}") for fold in range(config.folds)]
        for place in places:
            model = new_model(base, config.shape)
            restore(model, run / f"{place.name}.pt")
            make_weights_directory(model, weights, place)
        tasks = [
            (str(places[number % config.folds]), str(number), union)
            for number, union in enumerate(unions)
        ]
        if workers <= 1:
            contests = [contest(task) for task in tasks]
        else:
            with spawning().Pool(workers) as pool:
                contests = pool.map(contest, tasks, chunksize=4)
    return [result for result in contests if result is not None]


def contest(task: Task) -> Contest | None:
    """Return the wordings of a pair; None if it is too long."""
    weights, name, (first, second, union) = task
    documents = [
        _analyser(weights).analyze(Document(f"{name}.{place}", text))
        for place, text in enumerate((first, second), start=1)
    ]
    passages = [Passage(document, Span(0, len(document.text))) for document in documents]
    first_input, second_input = (union_input(passage) for passage in passages)
    entries = _editor(weights).entries(first_input, second_input)
    if entries is None:
        return None
    field, _ = entries
    scores = rouge([(union, text) for text in field.texts])
    rewards = [sum(score[name] for name in ROUGE) / len(ROUGE) for score in scores]
    return Contest(features(field).tolist(), rewards)


@lru_cache(maxsize=1)
def _analyser(weights: str) -> EncoderAnalyser:
    return EncoderAnalyser(threads=1, weights=weights)


@lru_cache(maxsize=8)
def _editor(weights: str) -> Editor:
    return Editor(weights)


def run_rank(options: Any) -> None:
    """Run the step ``edit-rank``."""
    stored = options.edit / "contests.msgpack.gz"
    if not stored.exists():
        pairs = real_unions(
            bundles_of(options.data, options.bundles),
            options.written,
            evaluation_sentences(options.without),
        )
        base = base_of(options)
        write_packed(
            collect_contests(base, options.edit, options.weights, pairs, options.workers), stored
        )
    contests = read_packed(stored, list[Contest], "contests", "edit-rank")
    config = RankConfig()
    with tempfile.TemporaryDirectory() as scratch:
        show(judge_ranker(contests, config, Path(scratch)))
    np.savez(options.edit / RANKER, **train_ranker(contests, config))  # type: ignore[arg-type]
