"""``tatian train``: fine-tuning with PyTorch.

``seq2seq`` fine-tunes T5, BART or PRIMERA to write unions, ``aggregation`` BART to write or judge
aggregations.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import msgspec

from tatian.cli import options
from tatian.cli.aggregate.reading import read_instances as read_sets
from tatian.cli.options import any_path, command
from tatian.cli.output import progress_bar, say
from tatian.cli.union.data import read_instances as read_unions
from tatian.errors import InputError, MissingExtra, TatianError

FOLDER = options.option(
    "Output folder; made if it is missing.",
    "-o",
    "--output",
    type=any_path,
    required=True,
    metavar="DIR",
)
CONFIG = options.file("JSON file with the settings that differ from the defaults.")
DEVICE = options.option("PyTorch device: cpu, cuda, cuda:1.", metavar="NAME")


def load_training(module: str) -> Any:
    """Import a module of `tatian.training`; report what to install if it cannot be."""
    try:
        return importlib.import_module(f"tatian.training.{module}")
    except ModuleNotFoundError as error:
        if error.name == "tatian.training":
            raise TatianError(
                "fine-tuning needs Tatian's source code, which the package leaves out: get it, run "
                "pip install -e '.[hub]' in its folder, and repeat the command"
            ) from error
        if (error.name or "").startswith("tatian"):
            raise
        raise MissingExtra("fine-tuning", "hub") from error


@command()
def seq2seq(
    training_set: str = options.path("TRAIN"),
    dev: str = options.path(),
    bases: tuple[str, ...] = options.option(
        "Pretrained model: a name on a hub or a folder; several with --curves.",
        "--base",
        multiple=True,
        required=True,
        metavar="NAME",
    ),
    output: str = FOLDER,
    config: str | None = CONFIG,
    device: str | None = DEVICE,
    search: int | None = options.number("Try N random settings."),
    curves: bool = options.flag("Train on a quarter, half, three quarters and all."),
) -> None:
    """Fine-tune a sequence-to-sequence model on unions.

    TRAIN and DEV are read as by 'union generate' and must hold unions. The best epoch by ROUGE-1 on
    DEV is written to 'best' in the output folder. 'union generate --model seq2seq --checkpoint'
    uses it. Unless --config says otherwise, the settings are the best of the paper's Appendix F:
    PRIMERA's for a base with that name, T5's for others.
    """
    if search and curves:
        raise InputError("choose between --search and --curves")
    if len(bases) > 1 and not curves:
        raise InputError("several --base are for --curves only: give one")
    settings = load_training("settings")
    configs = [settings.read_settings(base, config, device) for base in bases]
    module = load_training("seq2seq")
    sets = read_unions(training_set)[0], read_unions(dev)[0]
    folder = Path(output)
    with progress_bar() as progress:
        if curves:
            module.learning_curves(bases, *sets, configs, folder, progress=progress)
            message = f"{folder / module.CURVES}: draw it with 'tatian union plot curves'"
        else:
            if search:
                best = module.random_search(
                    bases[0], *sets, configs[0], folder, trials=search, progress=progress
                )
            else:
                best = module.fine_tune(bases[0], *sets, configs[0], folder, progress)
            message = f"ROUGE-1 {100 * best.scores['rouge1']:.1f} in epoch {best.epoch}: {folder}"
    say("note", message)


_INPUTS = ("background", "context")


@command()
def aggregation(
    training_set: str = options.path("TRAIN"),
    valid: str = options.path(),
    base: str = options.option(
        "Pretrained model: a name on a hub or a folder.", required=True, metavar="NAME"
    ),
    task: str = options.choice(
        ["discriminative", "generative", "both"],
        "Train a model to judge candidates, to write phrases, or one of each in two folders.",
        default="discriminative",
    ),
    output: str = FOLDER,
    config: str | None = CONFIG,
    device: str | None = DEVICE,
    without: tuple[str, ...] = options.choice(
        _INPUTS, "Leave out a part of the input. Repeatable.", multiple=True
    ),
    grid: bool = options.flag("Try all settings of the papers."),
    ablations: bool = options.flag(
        "Train a model on all input, and one without each of its parts, in folders of their own."
    ),
) -> None:
    """Fine-tune an encoder-decoder on a ranking task.

    TRAIN and VALID are files of 'tatian aggregate task'. The best epoch by average precision on
    VALID is written to 'best' in the output folder; give that folder as --checkpoint to use it. An
    interrupted --grid or --ablations continues if it is run again: runs with a file 'done' are
    skipped. 'tatian aggregate table --ablation' reads the folder of --ablations. With --task both,
    the folders 'discriminative' and 'generative' hold the models of the papers' Table 4.
    """
    if ablations and (grid or without):
        raise InputError("--ablations chooses the input itself: leave out --grid and --without")
    module = load_training("aggregation")
    read_config = load_training("data").read_config
    sets = [read_sets([path], ("aggregations", "candidates")) for path in (training_set, valid)]
    defaults = module.ABLATION_SETTINGS if ablations else module.SETTINGS
    for model in ("discriminative", "generative") if task == "both" else (task,):
        settings = defaults[model]()
        if config:
            settings = read_config(Path(config), defaults[model], "not a config")
        if device:
            settings = msgspec.structs.replace(settings, device=device)
        if without:
            kept = tuple(part for part in settings.inputs if part not in without)
            settings = msgspec.structs.replace(settings, inputs=kept)
        if not settings.inputs:
            raise InputError("the model has no input left: leave out --without", path=config)
        folder = Path(output) / model if task == "both" else Path(output)
        with progress_bar() as progress:
            if grid or ablations:
                runs = module.runs(base, model, *sets, folder, progress)
                if ablations:
                    done = module.ablations(runs, settings)
                else:
                    done = {"best": module.grid_search(runs, settings, module.GRIDS[model])}
            else:
                done = {"best": module.fine_tune(base, model, *sets, settings, folder, progress)}
        for name, tuned in done.items():
            prefix = f"{name}: " if ablations else ""
            say("note", f"{prefix}MAP {tuned.scores['map']:.3f} in epoch {tuned.epoch}: {folder}")
