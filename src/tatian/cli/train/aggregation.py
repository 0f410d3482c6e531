"""``tatian train aggregation``: BART fine-tuned to write or to judge aggregations."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from tatian.cli.aggregate.reading import read_instances
from tatian.cli.common import progress_bar, say
from tatian.cli.options import any_path, examples, quiet_option
from tatian.cli.train.common import (
    config_option,
    device_option,
    folder_option,
    read_config,
    training,
)
from tatian.errors import InputError

_INPUTS = ("background", "context")


@click.command(
    epilog=examples(
        "tatian train aggregation train.jsonl val.jsonl --base facebook/bart-large-cnn -o runs/d",
        "tatian train aggregation train.jsonl val.jsonl --base bart --task generative -o runs/g",
        "tatian train aggregation train.jsonl val.jsonl --base bart --without context -o runs/c",
        "tatian train aggregation train.jsonl val.jsonl --base bart --ablations -o runs/table5",
    )
)
@click.argument("train", type=any_path)
@click.argument("valid", type=any_path)
@click.option(
    "--base",
    required=True,
    metavar="NAME",
    help="The model to start from: a name on a hub or a folder.",
)
@click.option(
    "--task",
    type=click.Choice(["discriminative", "generative"]),
    default="discriminative",
    show_default=True,
    help="Judge candidates, or write phrases.",
)
@folder_option
@config_option
@device_option
@click.option(
    "--without",
    type=click.Choice(_INPUTS),
    multiple=True,
    help="Leave a part of the input out; can be given twice.",
)
@click.option("--grid", is_flag=True, help="Try every setting that the papers tried.")
@click.option(
    "--ablations",
    is_flag=True,
    help="Train a model with all input, and one for each part left out, in folders of their own.",
)
@quiet_option
def aggregation(
    train: str,
    valid: str,
    base: str,
    task: str,
    output: str,
    config: str | None,
    device: str | None,
    without: tuple[str, ...],
    grid: bool,
    ablations: bool,
    quiet: bool,
) -> None:
    """Fine-tune an encoder-decoder on a ranking task.

    TRAIN and VALID are files of 'tatian aggregate task'. The best epoch by average precision on
    VALID is written to 'best' in the output folder; name that by --checkpoint to use it. --grid
    and --ablations go on where they were broken off: what 'finished.jsonl' in the output folder
    records is not run again. 'tatian aggregate table --ablation' reads the folder of --ablations.
    """
    if ablations and (grid or without):
        raise InputError("--ablations chooses the input itself: leave out --grid and --without")
    module = training("encoder_decoder.train", "fine-tuning", "hub")
    settings = read_config(config, module.SETTINGS[task])
    if device:
        settings = msgspec.structs.replace(settings, device=device)
    if without:
        kept = tuple(part for part in settings.inputs if part not in without)
        settings = msgspec.structs.replace(settings, inputs=kept)
    if not settings.inputs:
        raise InputError("the model is given nothing: leave out --without", path=config)
    sets = [
        read_instances([path], ("aggregations", "candidates"), quiet=quiet)
        for path in (train, valid)
    ]
    folder = Path(output)
    with progress_bar(quiet=quiet) as progress:
        if grid or ablations:
            several = training("encoder_decoder.runs", "fine-tuning", "hub")
            runs = several.Runs(base, task, *sets, folder, progress)
            if ablations:
                done = several.ablations(runs, settings)
            else:
                done = {"best": several.grid_search(runs, settings, several.GRIDS[task])}
        else:
            done = {"best": module.fine_tune(base, task, *sets, settings, folder, progress)}
    if not quiet:
        for name, found in done.items():
            said = f"{name}: " if ablations else ""
            say("note", f"{said}MAP {found.scores['map']:.3f} in epoch {found.epoch}: {folder}")
