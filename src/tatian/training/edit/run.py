"""Stages of training the edit model, each with a file in the run's directory, and the export.

=====================  ===========================================================================
``config.json``        the configuration, which must be the same to continue
``pretrained.pt``      after joined sentences, synthetic pairs and variants
``whole-1.pt`` …       fine-tuned on all unions, one file for each seed
``whole.pt``           their average: the model to export
``fold-0-1.pt`` …      fine-tuned without one fold of the unions, one file for each seed
``fold-0.pt`` …        their averages, whose wordings train the ranker (`tatian.training.edit.rank`)
``log-STAGE.jsonl``    losses; for folds also the loss and the ROUGE of the best walk on the fold
=====================  ===========================================================================

A stage with an existing file is not run again. After ``pretrained.pt``, the other stages can run in
parallel processes. A pair is in fold ``number % folds``.

The export writes the edit model beside the encoder: ``edit.onnx`` and ``edit.npz``.

edit.onnx
---------
The tokens body with the adapter, for ``[CLS] first [SEP] second [SEP]``. For the body's matrices,
the file points to their bytes in ``tokens.onnx``, which must be of the same training and in the
same directory.

Inputs: ``embeddings``, ``mask``, ``shapes``, ``words`` as for tokens.onnx; ``segments``
``[batch, time]``, 0 for the first sentence; ``matches`` ``[batch, words, 4]``
(`tatian.union.models.edit.words.matches`).
Outputs: ``memory`` ``[batch, words, width]`` for the decoder, and ``used`` ``[batch, words]``, the
log-odds that each word is in the union.

edit.npz
--------
The decoder's arrays with their names in `tatian.training.edit.model`. Matrices are int8 with one
float16 scale for each row, ``NAME`` and ``NAME.scale``; the product is ``x @ NAME.T``.

edit-rank.npz
-------------
The ranker's arrays in float32. ``mean`` and ``scale`` are those of the features
(`tatian.union.models.edit.ranking.features`). ``hidden`` and ``hidden_bias`` are the weights of a
hidden layer with ReLU, and ``out`` its output weights.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.errors import AssetError, InputError
from tatian.training.adapter import (
    CONFIG,
    EDIT_PARAMETERS,
    Base,
    State,
    average_weights,
    begin_run,
    learned_parameters,
    restore,
    save,
)
from tatian.training.data import read_config, show
from tatian.training.edit.data import EditData, UnionWords, read_data
from tatian.training.edit.examples import EditExample, make_example
from tatian.training.edit.model import IN_ONNX, EditModel, EditShape, new_model
from tatian.training.edit.train import EditStage, Record, Trainer
from tatian.training.edit.workshop import Workshop
from tatian.training.int8 import (
    Graph,
    copy_tokens_body,
    export_adapted,
    install_files,
    int8_arrays,
    write_checksums,
)
from tatian.training.loop import Log
from tatian.training.pretrained import Start
from tatian.union.models.edit.decoder import Decoder
from tatian.union.models.edit.search import log_likelihoods
from tatian.union.models.edit.words import GLUE, in_pieces, read_pair, source_words

PRETRAIN, WHOLE = "pretrain", "whole"
_SEED_STEP = 10
"""Difference between the seeds of two fine-tuned models."""
NO_RUN = "no run of the edit model"


class EditConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Configuration of a run; the defaults are those of the shipped weights."""

    shape: EditShape = EditShape()
    pretrain: EditStage = EditStage()
    finetune: EditStage = EditStage(
        epochs=4, size=16, rate=4e-4, head_rate=5e-4, smoothing=0.05, average=0.99
    )
    synthetic: int = 600_000
    """Number of synthetic pairs."""
    joined: int = 2
    """Number of times that joined sentences occur in the pretraining data."""
    seeds: int = 3
    """Number of fine-tuned models that are averaged."""
    folds: int = 4
    seed: int = 1
    attention_heads: int = 12
    device: str = "cpu"
    continued: bool = False
    """True if pretraining starts from the edit model that `restore` wrote to the tokens run."""

    @property
    def stages(self) -> tuple[str, ...]:
        """Names of the stages in order."""
        return (PRETRAIN, WHOLE, *(f"fold-{fold}" for fold in range(self.folds)))


def train_edit(
    config: EditConfig,
    base: Base,
    data: EditData,
    directory: Path,
    *,
    only: Sequence[str] = (),
    workers: int = 1,
) -> None:
    """Run all stages, or those in `only`, except finished ones."""
    unknown = [stage for stage in only if stage not in config.stages]
    if unknown:
        raise InputError(f"no stage '{unknown[0]}': there are {', '.join(config.stages)}")
    begin_run(config, directory, NO_RUN)
    run = _Run(config, base, data, directory, workers)
    for stage in config.stages:
        if only and stage not in only:
            continue
        if stage == PRETRAIN:
            run.pretrain()
        else:
            run.finetune(stage)


def config_of(directory: Path) -> EditConfig:
    """Return the configuration of a run."""
    return read_config(directory / CONFIG, EditConfig, NO_RUN)


class _Run:
    def __init__(
        self, config: EditConfig, base: Base, data: EditData, directory: Path, workers: int
    ) -> None:
        self.config = config
        self.base = base
        self.data = data
        self.directory = directory
        self.workshop = Workshop(
            data,
            base.start.pieces,
            base.labels.shapes,
            longest=config.shape.longest,
            workers=workers,
        )

    def pretrain(self) -> None:
        """Train on joined sentences, synthetic pairs and variants, to learn where phrases go."""
        path = self.directory / "pretrained.pt"
        if path.exists():
            return
        config = self.config
        examples = self.workshop.joined() * config.joined
        if config.synthetic:
            examples += self.workshop.cut_down(config.synthetic, config.seed)
            examples += self.workshop.varied()
        trainer = self._trainer()
        if config.continued:
            restore(trainer.model, self.base.tokens / EDIT_PARAMETERS, "restore")
        trainer.fit(examples, config.pretrain, config.seed, self._log(PRETRAIN))
        save(learned_parameters(trainer.model), path)

    def finetune(self, stage: str) -> None:
        """Fine-tune several models on real unions, all or all but one fold, and average them."""
        path = self.directory / f"{stage}.pt"
        if path.exists():
            return
        unions = self.workshop.unions()
        held_out: list[EditExample] = []
        if stage != WHOLE:
            fold = int(stage.removeprefix("fold-"))
            held_out = [union for union in unions if union.id // 2 % self.config.folds == fold]
            unions = [union for union in unions if union.id // 2 % self.config.folds != fold]
        states = [
            self._finetune_seed(stage, seed, unions) for seed in range(1, self.config.seeds + 1)
        ]
        save(average_weights(states), path)
        if held_out:
            trainer = self._trainer()
            restore(trainer.model, path)
            self._log(stage)(
                {"held_out": len(held_out), **self._held_out_scores(trainer, held_out)}
            )

    def _finetune_seed(self, stage: str, number: int, unions: Sequence[EditExample]) -> State:
        path = self.directory / f"{stage}-{number}.pt"
        trainer = self._trainer()
        if path.exists():
            restore(trainer.model, path)
        else:
            restore(trainer.model, self.directory / "pretrained.pt")
            seed = self.config.seed + _SEED_STEP * (number - 1)
            trainer.fit(unions, self.config.finetune, seed, self._log(stage, number))
            save(learned_parameters(trainer.model), path)
        return learned_parameters(trainer.model)

    def _held_out_scores(self, trainer: Trainer, held_out: Sequence[EditExample]) -> Record:
        """Return the loss on held-out pairs in both orders, and the ROUGE of walks in one."""
        from tatian.union.metrics import ROUGE, rouge

        walks = trainer.best_walks([example for example in held_out if example.id % 2 == 0])
        pairs = []
        for id, walk in walks.items():
            union_words = self.data.unions[id // 2].words
            items = [*GLUE, "", *union_words.first, *union_words.second]
            pairs.append((" ".join(union_words.union), " ".join(items[item] for item in walk)))
        scores = rouge(pairs)
        means = {n: round(100 * sum(s[n] for s in scores) / len(scores), 2) for n in ROUGE}
        return {"loss": round(trainer.loss(held_out), 4), **means}

    def _trainer(self) -> Trainer:
        config = self.config
        model = new_model(self.base, config.shape, config.seed)
        return Trainer(model, self.base.start.table, config.device, config.seed)

    def _log(self, stage: str, seed: int = 0) -> Log:
        return Log(self.directory / f"log-{stage}.jsonl", {"seed": seed} if seed else {})


def run_edit(options: Any) -> None:
    """Run the step ``edit``."""
    config = read_config(options.config, EditConfig)
    base = Base(Start(options.start), options.tokens, config.attention_heads)
    data = read_data(options.data)
    train_edit(config, base, data, options.out, only=options.only, workers=options.workers)


def base_of(options: Any) -> Base:
    """Return the base of the run in the options of a step."""
    heads = config_of(options.edit).attention_heads
    return Base(Start(options.start), options.tokens, heads)


FILES = ("edit.onnx", "edit.npz")


def _encoded(model: EditModel, arrays: Mapping[str, Any]) -> Mapping[str, Any]:
    memory = model.encode(**arrays)
    return {"memory": memory, "used": model.used(memory).squeeze(-1)}


GRAPH = Graph(
    ("embeddings", "mask", "shapes", "segments", "words", "matches"),
    dict.fromkeys(("memory", "used"), ("batch", "words")),
    _encoded,
)


def make_weights_directory(model: EditModel, weights: Path, directory: Path) -> None:
    """Make a weights directory with only the tokens body and the edit model."""
    copy_tokens_body(weights, directory)
    export_edit(model, directory)
    write_checksums(directory)


def export_edit(model: EditModel, directory: Path) -> None:
    """Add the edit model to a weights directory with the tokens body of its training."""
    export_adapted(model, GRAPH, directory, "edit.onnx")
    np.savez_compressed(directory / "edit.npz", **int8_arrays(model, IN_ONNX))


TOLERANCE = 0.02
"""Maximum mean difference per step between log-likelihoods in int8 and in PyTorch."""
SAMPLE = 100
"""Number of real unions on which the export is compared with PyTorch."""
RANKER = "edit-rank.npz"


class ExportAgreement(Struct, frozen=True):
    """Agreement of the run-time log-likelihoods with PyTorch's; differences are per step."""

    pairs: int
    mean: float
    largest: float
    correlation: float
    """Correlation of the log-likelihoods of whole walks."""


def agreement(
    trainer: Trainer, base: Base, directory: Path, unions: Sequence[UnionWords]
) -> ExportAgreement:
    """Compare the export with PyTorch on the walks of real unions."""
    weights = Weights(directory)
    decoder = Decoder(weights.file("edit.npz"))
    shapes = {shape: number for number, shape in enumerate(weights.labels.shapes)}
    int8_scores: list[float] = []
    torch_scores: list[float] = []
    steps: list[int] = []
    for union in unions:
        example = make_example(union, base.start.pieces, shapes)
        pair = in_pieces(source_words(union.first, union.second), weights.pieces, shapes)
        if example is None or pair is None or len(example.steps) > trainer.model.shape.longest:
            continue
        walk = tuple(example.steps[:-1].tolist())
        torch_scores += trainer.scores([example])
        int8_scores += log_likelihoods(decoder, read_pair(pair, weights), [walk]).tolist()
        steps.append(len(example.steps))
    if len(steps) < 2:
        raise InputError("fewer than two pairs to check the export on")
    differences = np.abs(np.array(int8_scores) - torch_scores) / steps
    correlation = float(np.corrcoef(int8_scores, torch_scores)[0, 1])
    return ExportAgreement(
        len(steps), float(differences.mean()), float(differences.max()), correlation
    )


def export_checked(
    base: Base, run: Path, weights: Path, unions: Sequence[UnionWords]
) -> ExportAgreement:
    """Export a run's model and ranker to a weights directory, if they agree with PyTorch."""
    if not (run / RANKER).is_file():
        raise AssetError(f"{run} has no ranker: run 'python -m tatian.training edit-rank'")
    config = config_of(run)
    model = new_model(base, config.shape)
    restore(model, run / f"{WHOLE}.pt")
    with tempfile.TemporaryDirectory() as scratch:
        trial = Path(scratch, "weights")
        make_weights_directory(model, weights, trial)
        trainer = Trainer(model, base.start.table, "cpu", config.seed)
        result = agreement(trainer, base, trial, unions[:SAMPLE])
        if not result.mean <= TOLERANCE:
            raise AssetError(
                f"int8 log-likelihoods differ from PyTorch's by {result.mean:.3f} a step, "
                f"more than {TOLERANCE}"
            )
        shutil.copyfile(run / RANKER, weights / RANKER)
        install_files(FILES, trial, weights)
    return result


def run_export(options: Any) -> None:
    """Run the step ``edit-export``."""
    unions = [union.words for union in read_data(options.data).unions]
    show(export_checked(base_of(options), options.edit, options.weights, unions))
