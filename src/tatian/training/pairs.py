"""Training of the pairs body: three-way entailment by a cross-encoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec import Struct, structs
from torch.nn import functional

from tatian.analysis.pieces import WordPieces
from tatian.progress import Progress, silent
from tatian.training.data import (
    ENTAILMENT,
    NON_COMMERCIAL_PAIRS,
    Pair,
    read_config,
    read_pairs,
    read_unions,
)
from tatian.training.evaluation import Predict, area_under_curve, evaluate_pairs, pair_probabilities
from tatian.training.examples import (
    Batch,
    PairExample,
    Scores,
    batches_by_length,
    encode_pair,
    pair_batch,
)
from tatian.training.loop import Recipe, train_body
from tatian.training.model import PairsModel
from tatian.training.pretrained import Start
from tatian.training.tokens import predictor
from tatian.training.unions import deletion_test, project_unions, union_pairs

Tensor = Any


class PairsConfig(Struct, frozen=True, kw_only=True):
    """One training run of the pairs body."""

    recipe: Recipe
    attention_heads: int = 12
    dropout: float = 0.1
    smoothing: float = 0.0
    agreement: float = 0.0
    """Weight of the divergence between two passes under dropout (R-Drop, Liang et al. 2021)."""
    cuts: int = 2
    """Cut unions per source sentence; 0 leaves the union data out."""
    fold: int = 0
    folds: int = 0
    """A teacher leaves out every pair whose index is `fold` modulo `folds`; 0 trains on all."""
    copies: int = 0
    """Perturbed copies of each pair; teachers label them, a student learns them."""
    teacher: float = 0.5
    """Share of a student's target on labelled pairs that comes from its teachers."""


class PairData(Struct, frozen=True):
    """What a run trains on and what it is judged by."""

    train: list[Pair]
    dev: list[Pair]
    deletions: list[Pair]
    """Unions whole and cut, for the area under the curve."""


def load_pair_data(root: Path, config: PairsConfig, bundles: Sequence[Path] = ()) -> PairData:
    """The corpora below a data directory, and the unions of its bundles and of further ones."""
    generator = np.random.default_rng(config.recipe.seed)
    pairs = read_pairs(root / "entailment/train.jsonl.gz")
    cut: list[Pair] = []
    if config.cuts:
        unions = project_unions((root / "consolidation/train", *bundles))
        cut = union_pairs(unions, generator, config.cuts)
    return PairData(
        train=[*(pair for pair in pairs if pair.source not in NON_COMMERCIAL_PAIRS), *cut],
        dev=read_pairs(root / "entailment/dev.jsonl.gz"),
        deletions=deletion_test(read_unions(root / "union/eval.csv")),
    )


def train_pairs(
    config: PairsConfig,
    start: Start,
    data: PairData,
    directory: Path,
    progress: Progress = silent,
    teachers: npt.NDArray[np.float32] | None = None,
) -> Scores:
    """Train the pairs body; leaves ``pairs.pt`` and ``probabilities.npy`` in `directory`.

    `teachers` holds what `combine_teachers` made of the probabilities of earlier runs: the
    model is then their student and learns from all pairs and their copies.
    """
    recipe = config.recipe
    torch.manual_seed(recipe.seed)
    shape = start.shape(heads=config.attention_heads, dropout=config.dropout)
    longest = min(256, shape.positions)
    table = start.table.to(recipe.device)
    labelled = [encode_pair(p, start.pieces, ENTAILMENT, longest) for p in data.train]
    generator = np.random.default_rng(0)
    copies = near_copies(labelled, table, start.pieces, config.copies, generator)
    if teachers is not None:
        examples = taught([*labelled, *copies], teachers, config.teacher, len(labelled))
    else:
        examples = [
            e for i, e in enumerate(labelled) if not config.folds or i % config.folds != config.fold
        ]
    model = PairsModel(shape)
    model.body.load_state_dict(start.body_weights())
    lengths = [len(e.rows) for e in examples]
    judge = PairJudge(data, start.pieces, longest)

    def batches(generator: np.random.Generator) -> Iterator[Batch]:
        for batch in batches_by_length(lengths, recipe.budget, generator):
            yield pair_batch([examples[i] for i in batch])

    scores = train_body(
        model,
        recipe,
        directory,
        batches=batches,
        loss=lambda m, b: pair_loss(m, b, table, config),
        evaluate=lambda m: judge(predictor(m, table, recipe, "pairs")),
        steps=len(batches_by_length(lengths, recipe.budget)),
        progress=progress,
    )
    torch.save(model.state_dict(), directory / "pairs.pt")
    if config.folds:
        chances = pair_probabilities(predictor(model, table, recipe, "pairs"), [*labelled, *copies])
        np.save(directory / "probabilities.npy", chances.astype(np.float16))
    return scores


def combine_teachers(
    probabilities: Sequence[npt.NDArray[np.float16]], labelled: int
) -> npt.NDArray[np.float32]:
    """One row per pair: of the teacher that has not seen it, or the mean of all for copies."""
    stacked = np.stack([p.astype(np.float32) for p in probabilities])
    combined: npt.NDArray[np.float32] = stacked.mean(0)
    index = np.arange(labelled)
    combined[:labelled] = stacked[index % len(stacked), index]
    return combined


def taught(
    examples: Sequence[PairExample],
    teachers: npt.NDArray[np.float32],
    share: float,
    labelled: int,
) -> list[PairExample]:
    """Targets part label, part teacher for labelled pairs; the teachers' alone for copies."""
    hard = np.eye(len(ENTAILMENT), dtype=np.float32)
    result: list[PairExample] = []
    for i, (example, row) in enumerate(zip(examples, teachers, strict=True)):
        soft = share * row + (1 - share) * hard[example.label] if i < labelled else row
        result.append(structs.replace(example, soft=soft))
    return result


def pair_loss(model: Any, batch: Batch, table: Tensor, config: PairsConfig) -> Tensor:
    """Cross entropy with the (softened) targets, and agreement of two passes if asked."""
    inputs = {"mask": batch["mask"], "segments": batch["segments"]}
    rows, soft = batch["rows"], batch["soft"]
    if config.agreement:
        inputs = {name: torch.cat((value, value)) for name, value in inputs.items()}
        rows, soft = torch.cat((rows, rows)), torch.cat((soft, soft))
    logits = model(table[rows], **inputs)["logits"].float()
    loss = functional.cross_entropy(logits, soft, label_smoothing=config.smoothing)
    if config.agreement:
        first, second = torch.log_softmax(logits, -1).chunk(2)
        apart = functional.kl_div(first, second, log_target=True, reduction="batchmean")
        apart = apart + functional.kl_div(second, first, log_target=True, reduction="batchmean")
        loss = loss + config.agreement * apart / 2
    return loss


class PairJudge:
    """Scores a model on all development pairs of a run."""

    def __init__(self, data: PairData, pieces: WordPieces, longest: int = 256) -> None:
        self.data = data
        self.dev = [encode_pair(p, pieces, ENTAILMENT, longest) for p in data.dev]
        self.cut = [encode_pair(p, pieces, ENTAILMENT, longest) for p in data.deletions]

    def __call__(self, predict: Predict) -> Scores:
        scores = evaluate_pairs(predict, self.data.dev, self.dev)
        if self.cut:
            chances = pair_probabilities(predict, self.cut)[:, 0]
            whole = np.array([p.label == "entailment" for p in self.data.deletions])
            scores["deletion_auc"] = area_under_curve(chances[whole], chances[~whole])
        return scores


Ints = npt.NDArray[np.int64]


def neighbours(table: Tensor, pieces: WordPieces, count: int = 8) -> Ints:
    """For each piece the pieces nearest in meaning; pieces that are not words keep themselves."""
    rows = [row for piece, row in pieces.rows.items() if piece.isalpha() and len(piece) > 1]
    words = torch.tensor(sorted(rows), device=table.device)
    count = min(count, len(rows) - 1)
    centred = torch.nn.functional.normalize(table - table.mean(0), dim=-1)[words]
    nearest = torch.arange(len(table), device=table.device)[:, None].repeat(1, count)
    for part in torch.arange(len(words), device=table.device).split(4096):
        likeness = centred[part] @ centred.T
        likeness[torch.arange(len(part)), part] = -1.0
        nearest[words[part]] = words[likeness.topk(count).indices]
    return np.asarray(nearest.cpu().numpy())


def turned(example: PairExample) -> PairExample:
    """The hypothesis as premise and the premise as hypothesis."""
    rows, segments = example.rows, example.segments
    second = int(segments.argmax())
    return structs.replace(
        example,
        rows=np.concatenate((rows[:1], rows[second:], rows[1:second])),
        segments=np.concatenate(
            (np.zeros(len(rows) - second + 1), np.ones(second - 1)),
        ).astype(np.int64),
    )


def perturbed(
    example: PairExample,
    nearest: Ints,
    pieces: WordPieces,
    share: float,
    generator: np.random.Generator,
) -> PairExample:
    """The pair with a share of its pieces replaced by neighbours or left out."""
    rows = example.rows.copy()
    special = np.isin(rows, (pieces.start, pieces.end))
    touched = (generator.random(len(rows)) < share) & ~special
    chosen = generator.integers(nearest.shape[1], size=len(rows))
    rows[touched] = nearest[rows[touched], chosen[touched]]
    kept = ~(touched & (generator.random(len(rows)) < 0.25))
    return structs.replace(example, rows=rows[kept], segments=example.segments[kept])


def near_copies(
    examples: Sequence[PairExample],
    table: Tensor,
    pieces: WordPieces,
    copies: int,
    generator: np.random.Generator,
) -> list[PairExample]:
    """Each pair turned once, and perturbed `copies` times."""
    if not copies:
        return []
    nearest = neighbours(table, pieces)
    result = [turned(example) for example in examples]
    for _ in range(copies):
        result.extend(perturbed(e, nearest, pieces, 0.2, generator) for e in examples)
    return result


def limited(data: PairData, limit: int) -> PairData:
    """A little of everything, for a dry run."""
    return PairData(data.train[:limit], data.dev[:20], data.deletions[:20])


def run_pairs(options: Any) -> None:
    """The step ``pairs``."""
    config = read_config(options.config, PairsConfig)
    data = load_pair_data(options.data, config)
    if options.limit:
        data = limited(data, options.limit)
    loaded = [np.load(path) for path in options.teachers]
    teachers = combine_teachers(loaded, len(data.train)) if loaded else None
    train_pairs(config, Start(options.start), data, options.out, teachers=teachers)
