"""Training of the resolver, with its files in a directory.

===================  =============================================================================
``config.json``      the configuration, which must be the same to continue
``log.jsonl``        the loss of each epoch and, after the last, the scores on held-out data
``checkpoint.pt``    the state after the last complete epoch
``coref.pt``         the trained parameters, for the export
===================  =============================================================================

The export writes the resolver beside the encoder: ``coref.onnx`` and ``coref.npz``, which
``docs/models/weights.md`` describes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.coreference.models.network import Network
from tatian.coreference.models.resolver import read_states
from tatian.errors import AssetError, InputError
from tatian.pytorch.hub import on_gpu
from tatian.training.adapter import CONFIG, Base, begin_run, learned_parameters, restore, save
from tatian.training.coref.data import (
    CorefData,
    CorefDocument,
    CorefExample,
    DocumentEncoder,
    read_data,
)
from tatian.training.coref.evaluate import ResolverJudge, network_of
from tatian.training.coref.losses import CorefLosses, DeviceModel, LossWeights
from tatian.training.coref.model import CorefModel, CorefShape, head_arrays
from tatian.training.data import read_config, show
from tatian.training.int8 import (
    Graph,
    copy_tokens_body,
    export_adapted,
    install_files,
    write_checksums,
)
from tatian.training.loop import (
    Log,
    TrainingPlan,
    TrainingTask,
    Update,
    body_and_heads,
    epoch_generator,
    prepare_device,
    train,
)
from tatian.training.pretrained import Start

Tensor = Any
COMMAND = "coref"
MODEL = "coref.pt"
CHECKPOINT = "checkpoint.pt"
NO_RUN = "no run of the resolver"
_MIN_RATE_SHARE = 0.01
"""Share of the learning rate at the end of training."""


class CorefConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Configuration of a run; the defaults are those of the shipped weights."""

    shape: CorefShape = CorefShape()
    weighing: LossWeights = LossWeights()
    epochs: int = 10
    rate: float = 1.2e-3
    """Learning rate of the adapter, which falls linearly."""
    head_rate: float = 1.5e-3
    """Learning rate of the heads, which falls linearly."""
    warmup: int = 250
    """Number of documents in which the rates rise."""
    accumulate: int = 2
    """Number of documents per step."""
    average: float = 0.995
    """Decay of the moving average of the weights."""
    questions: int = 480
    """Number of GAP's questions that are drawn for an epoch."""
    together: int = 8
    """Number of questions in one item of an epoch."""
    reports: int = 120
    """Number of ECB+ documents that are drawn for an epoch."""
    seed: int = 1
    attention_heads: int = 12
    device: str = "cpu"


def train_coref(
    config: CorefConfig, base: Base, data: CorefData, directory: Path
) -> dict[str, float]:
    """Train, or continue after the last complete epoch; return the scores on held-out data."""
    begin_run(config, directory, NO_RUN)
    run = CorefRun(config, base, data)
    scores = run.fit(directory)
    save(learned_parameters(run.on_device.model), directory / MODEL)
    (directory / CHECKPOINT).unlink()
    return scores


def config_of(directory: Path) -> CorefConfig:
    """Return the configuration of a run."""
    return read_config(directory / CONFIG, CorefConfig, NO_RUN)


def trained_model(base: Base, directory: Path) -> CorefModel:
    """Return the model of a run."""
    model = new_model(base, config_of(directory))
    restore(model, directory / MODEL, COMMAND)
    return model.eval()


def new_model(base: Base, config: CorefConfig) -> CorefModel:
    """Return the untrained model."""
    torch.manual_seed(config.seed)
    body = base.start.shape(heads=base.heads)
    return base.put_on_body(CorefModel(body, len(base.labels.shapes), config.shape))


class CorefRun:
    """A training run with one configuration and data."""

    def __init__(self, config: CorefConfig, base: Base, data: CorefData) -> None:
        self.config = config
        self.data = data
        prepare_device(config.seed)
        self.encoder = DocumentEncoder(base.start.pieces, base.labels.shapes, base.labels.positions)
        self.on_device = DeviceModel(new_model(base, config), base.start.table, config.device)
        self.documents = self._examples("gum") + self._examples("litbank")
        self.questions = self._examples("gap")
        reports = self._examples("ecbplus")
        self.reports = [report for report in reports if report.gold["ecb"].chains]
        if not self.documents:
            raise InputError("no documents of GUM or LitBank to train on")

    def _examples(self, corpus: str) -> list[CorefExample]:
        return [self.encoder.example(document) for document in self.data.part(corpus, "train")]

    def epoch(self, generator: np.random.Generator) -> list[list[CorefExample]]:
        """Return the items of an epoch in random order: single documents, or several questions."""
        config = self.config
        questions = _draw(self.questions, config.questions, generator)
        items = [[document] for document in self.documents]
        items += [[report] for report in _draw(self.reports, config.reports, generator)]
        items += [
            questions[first : first + config.together]
            for first in range(0, len(questions), config.together)
        ]
        return [items[place] for place in generator.permutation(len(items))]

    def rate_factor(self, seen: int, total: int) -> float:
        """Return the factor on the learning rates after `seen` of `total` documents."""
        warmup_share = min(1.0, (seen + 1) / self.config.warmup)
        return warmup_share * max(_MIN_RATE_SHARE, 1 - seen / total)

    def fit(self, directory: Path) -> dict[str, float]:
        """Run all epochs, and return the scores of the averaged model."""
        config, model = self.config, self.on_device.model
        documents = len(self.epoch(np.random.default_rng(0)))
        task = TrainingTask(
            model=model,
            groups=body_and_heads(model, config.rate, config.head_rate),
            updates=self.updates,
            loss=self.loss,
        )
        plan = TrainingPlan(
            epochs=config.epochs,
            steps=-(-documents // config.accumulate),
            rate=lambda step: self.rate_factor(step * config.accumulate, config.epochs * documents),
            average=config.average,
            half=on_gpu(config.device),
            device=config.device,
        )
        log = Log(directory / "log.jsonl")
        train(task, plan, log, checkpoint=directory / CHECKPOINT)
        scores = self.scores()
        log(scores)
        return scores

    def updates(self, epoch: int) -> Iterator[Update]:
        """Yield the updates of an epoch."""
        generator = epoch_generator(self.config.seed, epoch)
        self.losses = CorefLosses(self.on_device, self.config.weighing, generator)
        items, accumulated = self.epoch(generator), self.config.accumulate
        for first in range(0, len(items), accumulated):
            yield [(item, 1 / accumulated) for item in items[first : first + accumulated]]

    def loss(self, item: Sequence[CorefExample]) -> Tensor:
        """Return the loss of a document, or of several questions."""
        is_question = item[0].document.question is not None
        return self.losses.questions(item) if is_question else self.losses.document(item[0])

    def scores(self) -> dict[str, float]:
        """Return the scores on the held-out documents."""
        self.on_device.model.eval()
        return ResolverJudge(self.states, network_of(self.on_device.model)).scores(self.data)

    @torch.no_grad()
    def states(self, document: CorefDocument) -> npt.NDArray[np.float32]:
        """Return the body's states of each word of a document."""
        states = self.on_device.states(self.encoder.example(document))
        array: npt.NDArray[np.float32] = states.float().cpu().numpy()
        return array


def _draw(
    examples: Sequence[CorefExample], count: int, generator: np.random.Generator
) -> list[CorefExample]:
    places = generator.permutation(len(examples))[:count]
    return [examples[place] for place in places]


def run_coref(options: Any) -> None:
    """Run the step ``coref``."""
    config = read_config(options.config, CorefConfig)
    base = Base(Start(options.start), options.tokens, config.attention_heads)
    train_coref(config, base, read_data(options.data), options.out)


MODEL_FILES = ("coref.onnx", "coref.npz")
GRAPH = Graph(
    ("embeddings", "mask", "shapes", "words"),
    {"states": ("batch", "words")},
    lambda model, inputs: {"states": model.states(**inputs)},
)


def export_coref(model: CorefModel, directory: Path) -> None:
    """Add the resolver to a weights directory that holds the tokens body it was trained with."""
    export_adapted(model, GRAPH, directory, "coref.onnx")
    np.savez_compressed(directory / "coref.npz", **head_arrays(model))


MIN_COSINE = 0.98
"""Minimum mean cosine of int8 states and PyTorch's for an export."""
COMPARED_DOCUMENTS = 10
"""Number of documents on which they are compared."""


class ExportCheck(Struct, frozen=True):
    """Comparison of an exported resolver with PyTorch's."""

    documents: int
    cosine: float
    """Mean cosine of a word's state in int8 and in PyTorch."""
    lowest: float
    scores: dict[str, float]
    """Scores of the export on the held-out documents."""


def export_checked(base: Base, run: Path, weights: Path, data: CorefData) -> ExportCheck:
    """Export a run's model to a weights directory, if its states agree with PyTorch's."""
    model = trained_model(base, run)
    with tempfile.TemporaryDirectory() as scratch:
        trial = Path(scratch, "weights")
        copy_tokens_body(weights, trial)
        export_coref(model, trial)
        write_checksums(trial)
        loaded = Weights(trial)
        encoder = DocumentEncoder(base.start.pieces, base.labels.shapes, base.labels.positions)
        on_device = DeviceModel(model, base.start.table, "cpu")
        parts = []
        for document in data.documents[:COMPARED_DOCUMENTS]:
            with torch.no_grad():
                torch_states = on_device.states(encoder.example(document)).numpy()
            int8_states = read_states(document.analysis.tokens, loaded, threads=1)
            lengths = np.linalg.norm(int8_states, axis=1) * np.linalg.norm(torch_states, axis=1)
            parts.append((int8_states * torch_states).sum(1) / lengths)
        if not parts:
            raise InputError("no documents to check the export on")
        cosines = np.concatenate(parts)
        if not cosines.mean() >= MIN_COSINE:
            raise AssetError(
                f"int8 states have a cosine of {cosines.mean():.3f} with "
                f"PyTorch's, less than {MIN_COSINE}"
            )
        judge = ResolverJudge(
            lambda document: read_states(document.analysis.tokens, loaded, threads=1),
            Network(trial / "coref.npz"),
        )
        scores = judge.scores(data)
        install_files(MODEL_FILES, trial, weights)
    return ExportCheck(len(parts), float(cosines.mean()), float(cosines.min()), scores)


def run_export(options: Any) -> None:
    """Run the step ``coref-export``."""
    heads = config_of(options.coref).attention_heads
    base = Base(Start(options.start), options.tokens, heads)
    show(export_checked(base, options.coref, options.weights, read_data(options.data)))
