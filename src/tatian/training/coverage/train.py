"""Training of the pairs body for entailment and coverage.

A larger encoder, the teacher, learns entailment, then coverage on annotated stories. The shipped
body learns entailment, then both together. Its targets are the gold labels mixed with the teacher's
labels, and the teacher's labels of perturbed copies and further stories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec import Struct, structs
from torch.nn import functional

from tatian.analysis.coverage import OTHER_SAME, OWN, OWN_SAME, Coverage, decode, encode
from tatian.analysis.pieces import WordPieces
from tatian.corpora.bundles import read_bundles
from tatian.training.coverage.examples import (
    UNKNOWN,
    CoverageExample,
    batch_of,
    blank,
    encode_annotated,
    encode_unannotated,
)
from tatian.training.data import ENTAILMENT, read_config
from tatian.training.evaluation import (
    CoverageFunction,
    Predict,
    areas_under_curve,
    coverage_matrix,
    pair_probabilities,
)
from tatian.training.examples import (
    Batch,
    PairExample,
    Scores,
    batches_by_length,
    encode_pair,
    pair_batch,
)
from tatian.training.export import PAIRS_GRAPH
from tatian.training.int8 import compress_bodies, export_int8
from tatian.training.loop import Recipe, train_body
from tatian.training.model import BodyShape, PairsModel
from tatian.training.mpnet import MPNET, read_teacher
from tatian.training.pairs import PairData, PairJudge, limit_data, load_pair_data, near_copies
from tatian.training.pretrained import Start
from tatian.training.stories import (
    AnnotatedStory,
    ecbplus_stories,
    gospel_stories,
    letters,
    story_of,
)
from tatian.training.tokens import predictor
from tatian.training.unions import project_unions

Tensor = Any
PREDICTION_BUDGET = 65536
"""Maximum number of pieces in a batch for prediction, with padding."""


class CoverageConfig(Struct, frozen=True, kw_only=True):
    """Configuration of the four runs."""

    entailment: Recipe = Recipe(
        epochs=2, lr=5e-5, head_lr=1e-3, layer_decay=0.95, budget=16384, average=0.0, every=2
    )
    """First run of the teacher."""
    teacher: Recipe = Recipe(
        epochs=2, lr=4e-5, head_lr=1e-3, layer_decay=0.95, budget=16384, average=0.998, every=2
    )
    student: Recipe = Recipe(
        epochs=3, lr=3e-4, head_lr=1e-3, layer_decay=0.95, budget=16384, average=0.998, every=3
    )
    first: Recipe = Recipe(
        epochs=5, lr=3e-4, head_lr=1e-3, layer_decay=0.95, budget=16384, average=0.998, every=5
    )
    """First run of the student, on entailment alone."""
    taught: float = 0.5
    """Share of the teacher's labels in the targets."""
    copies: int = 3
    """Number of perturbed copies of each entailment pair, which only the teacher labels."""
    weight: float = 2.0
    """Weight of entailment relative to coverage."""
    device: str = "cpu"


class TrainingPairs(Struct, frozen=True):
    """Training pairs of one task."""

    examples: Sequence[Any]
    soft: npt.NDArray[np.float32] | None = None
    """Target probabilities of entailment pairs; None for pairs of coverage."""

    def batches(
        self, budget: int, generator: np.random.Generator | None = None
    ) -> list[tuple[TrainingPairs, list[int]]]:
        """Return batches of examples with similar lengths, as indices with this object."""
        lengths = [len(example.rows) for example in self.examples]
        return [(self, chosen) for chosen in batches_by_length(lengths, budget, generator)]

    def batch(self, chosen: Sequence[int]) -> Batch:
        """Return the arrays of some examples, padded."""
        examples = [self.examples[i] for i in chosen]
        if self.soft is None:
            return batch_of(examples)
        return {**pair_batch(examples), "soft": self.soft[chosen]}


def with_teacher(
    examples: Sequence[CoverageExample], predict: Predict, share: float
) -> list[CoverageExample]:
    """Mix a share of the teacher's predictions into known targets, and fill unknown ones."""
    result = list(examples)
    for batch in batches_by_length([len(example.rows) for example in examples], PREDICTION_BUDGET):
        outputs = predict(batch_of([examples[i] for i in batch]))
        for place, i in enumerate(batch):
            example = examples[i]
            of_second_text = np.isin(example.segments, (OWN, OWN_SAME))
            of_second_text[-1] = False
            words = _mix(example.words, outputs["told"][place, : len(of_second_text)], share)
            result[i] = structs.replace(
                example,
                words=np.where(of_second_text[:, None], words, np.float32(UNKNOWN)),
                whole=_mix(example.whole, outputs["whole"][place], share),
            )
    return result


def _mix(labels: Any, odds: Any, share: float) -> npt.NDArray[np.float32]:
    soft = 1 / (1 + np.exp(-odds))
    return np.where(labels > UNKNOWN, share * soft + (1 - share) * labels, soft).astype(np.float32)


class CoverageData(Struct, frozen=True):
    """Data that all runs share."""

    pieces: WordPieces
    entailment: PairData
    dev: list[AnnotatedStory]
    pairs: list[PairExample]
    """Entailment pairs: the labelled ones, then perturbed copies."""

    @classmethod
    def of(
        cls,
        pieces: WordPieces,
        entailment: PairData,
        dev: list[AnnotatedStory],
        table: Tensor,
        copies: int,
    ) -> CoverageData:
        """Build the entailment pairs and their perturbed copies."""
        labelled = [encode_pair(pair, pieces, ENTAILMENT) for pair in entailment.train]
        perturbed = near_copies(labelled, table, pieces, copies, np.random.default_rng(0))
        return cls(pieces, entailment, dev, [*labelled, *perturbed])


def train_teacher(
    config: CoverageConfig,
    model: Any,
    table: Tensor,
    data: CoverageData,
    annotated: Sequence[CoverageExample],
    out: Path,
) -> npt.NDArray[np.float64]:
    """Train the teacher on entailment, then on stories; return its labels of entailment pairs."""
    pairs = data.pairs[: len(data.entailment.train)]
    hard = np.eye(len(ENTAILMENT), dtype=np.float32)[[pair.label for pair in pairs]]
    labelled = [TrainingPairs(pairs, hard)]
    _run(config, config.entailment, model, table, data, labelled, out / "entailment")
    soft = pair_probabilities(predictor(model, table, _on_device(config), "pairs"), data.pairs)
    _run(config, config.teacher, model, table, data, [TrainingPairs(annotated)], out / "stories")
    return soft


def train_student(
    config: CoverageConfig,
    model: Any,
    table: Tensor,
    data: CoverageData,
    stories: Iterable[Sequence[CoverageExample]],
    soft_labels: npt.NDArray[np.float64],
    out: Path,
) -> Scores:
    """Train the student on entailment, then on both tasks, and write ``pairs.pt`` to `out`.

    `soft_labels` are the teacher's labels of entailment pairs.
    """
    count = len(data.entailment.train)
    hard = np.eye(len(ENTAILMENT))[[pair.label for pair in data.pairs[:count]]]
    soft = soft_labels.copy()
    soft[:count] = config.taught * soft_labels[:count] + (1 - config.taught) * hard
    pairs = TrainingPairs(data.pairs, soft.astype(np.float32))
    _run(config, config.first, model, table, data, [pairs], out / "first")
    both = [*map(TrainingPairs, stories), pairs]
    scores = _run(config, config.student, model, table, data, both, out)
    torch.save(model.state_dict(), out / "pairs.pt")
    return scores


def _on_device(config: CoverageConfig, recipe: Recipe | None = None) -> Recipe:
    return structs.replace(recipe or config.student, device=config.device)


def _run(
    config: CoverageConfig,
    recipe: Recipe,
    model: Any,
    table: Tensor,
    data: CoverageData,
    sources: Sequence[TrainingPairs],
    out: Path,
) -> Scores:
    recipe = _on_device(config, recipe)
    table = table.to(recipe.device)
    judge = PairJudge(data.entailment, data.pieces)

    def batches(generator: np.random.Generator) -> Iterator[Batch]:
        planned = [part for source in sources for part in source.batches(recipe.budget, generator)]
        for place in generator.permutation(len(planned)).tolist():
            source, chosen = planned[place]
            yield source.batch(chosen)

    def evaluate(trained: Any) -> Scores:
        predict = predictor(trained, table, recipe, "pairs")
        scores: Scores = {}
        if any(source.soft is not None for source in sources):
            scores |= judge(predict)
        if any(source.soft is None for source in sources):
            cover = coverage_function(predict, data.pieces)
            matrices = [coverage_matrix(story, cover) for story in data.dev]
            scores |= areas_under_curve(data.dev, matrices)
        return scores

    return train_body(
        model,
        recipe,
        out,
        batches=batches,
        loss=lambda trained, batch: mixed_loss(trained, batch, table, config.weight),
        evaluate=evaluate,
        steps=sum(len(source.batches(recipe.budget)) for source in sources),
    )


def mixed_loss(model: Any, batch: Batch, table: Tensor, weight: float = 1.0) -> Tensor:
    """Return the cross entropy of the known targets of a batch, weighted for entailment."""
    outputs = model(table[batch["rows"]], batch["mask"], batch["segments"])
    if "soft" in batch:
        return weight * functional.cross_entropy(outputs["logits"].float(), batch["soft"])
    words = _entropies(outputs["told"].float(), batch["words"])
    whole = _entropies(outputs["whole"].float(), batch["whole"])
    return _mean(words, batch["words"]) + _mean(whole, batch["whole"])


def _entropies(odds: Tensor, targets: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(odds, targets.clamp(min=0), reduction="none")


def _mean(entropies: Tensor, targets: Tensor) -> Tensor:
    labelled = targets > UNKNOWN
    return (entropies * labelled).sum() / labelled.sum().clamp(min=1) * targets.shape[-1]


def coverage_function(predict: Predict, pieces: WordPieces) -> CoverageFunction:
    """Return the coverage function of a model in training."""

    def cover(pairs: Sequence[tuple[str, str]]) -> list[Coverage]:
        encoded = [encode(pieces, *pair) for pair in pairs]
        result: dict[int, Coverage] = {}
        lengths = [len(pair.rows) for pair in encoded]
        for batch in batches_by_length(lengths, PREDICTION_BUDGET):
            outputs = predict(batch_of([blank(encoded[i]) for i in batch]))
            for place, i in enumerate(batch):
                result[i] = decode(encoded[i], outputs["told"][place], outputs["whole"][place])
        return [result[i] for i in range(len(pairs))]

    return cover


def new_pairs_model(start: Start) -> PairsModel:
    """Return the untrained model, with segment vectors for the four segments of coverage."""
    state = start.body_weights()
    state["segment.weight"] = state["segment.weight"][[0, 1, 1, 0]]
    model = PairsModel(BodyShape(segments=OTHER_SAME + 1))
    model.body.load_state_dict(state)
    return model


def run_coverage(options: Any) -> None:
    """Run the step ``coverage``."""
    config = read_config(options.config, CoverageConfig)
    folder, limit = options.data, options.limit
    dev_bundles = read_bundles(str(folder / "consolidation/dev"))
    train = folder / "consolidation/train"
    stories = [
        story_of(bundle, reference=True)
        for path in (train, *options.bundles)
        for bundle in read_bundles(str(path))
    ]
    ecbplus = folder / "coreference/ecbplus-topics-1-35.tar.gz"
    further_stories: Iterable[AnnotatedStory] = chain(
        ecbplus_stories(ecbplus, dev_bundles), gospel_stories(folder / "gospels", dev_bundles)
    )
    pairs = load_pair_data(folder, options.unions)
    unions = project_unions((train, *options.unions))
    dev = [story_of(bundle) for bundle in dev_bundles]
    if limit:
        stories, further_stories = stories[:1], islice(further_stories, 1)
        dev, unions, pairs = [], unions[:1], limit_data(pairs, limit)
    start = Start(options.start)
    dev_letters = {letters(sentence.text) for story in dev for sentence in story.sentences}
    annotated = encode_annotated(stories, unions, start.pieces, dev_letters)[:limit]
    further = encode_unannotated(further_stories, start.pieces)[:limit]
    data = CoverageData.of(start.pieces, pairs, dev, start.table, config.copies)
    body, vectors = read_teacher(options.teacher, start.pieces)
    teacher, vectors = PairsModel(MPNET, body), vectors.to(config.device)
    soft = train_teacher(config, teacher, vectors, data, annotated, options.out / "teacher")
    predict = predictor(teacher, vectors, _on_device(config, config.teacher), "pairs")
    taught = with_teacher(annotated, predict, config.taught), with_teacher(further, predict, 1.0)
    student = new_pairs_model(start)
    print(train_student(config, student, start.table, data, taught, soft, options.out))


def run_export(options: Any) -> None:
    """Run the step ``coverage-export``."""
    model = PairsModel(BodyShape(segments=OTHER_SAME + 1))
    model.load_state_dict(torch.load(options.coverage / "pairs.pt", map_location="cpu"))
    export_int8(model, PAIRS_GRAPH, options.weights / "pairs.onnx")
    compress_bodies(options.weights, ("pairs",))
