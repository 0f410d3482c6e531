"""``tatian train seq2seq``: T5, BART or PRIMERA fine-tuned to write unions."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from tatian.cli.common import progress_bar, say
from tatian.cli.options import any_path, examples, number_option, quiet_option
from tatian.cli.train.common import (
    config_option,
    device_option,
    folder_option,
    read_config,
    training,
)
from tatian.cli.union.reading import read_instances
from tatian.errors import InputError


@click.command(
    epilog=examples(
        "tatian train seq2seq train.csv eval.csv --base t5-large -o runs/t5",
        "tatian train seq2seq train.csv eval.csv --base allenai/PRIMERA --search 20 -o runs/search",
        "tatian train seq2seq train.csv eval.csv --base t5-base --base t5-large --curves -o curves",
    )
)
@click.argument("train", type=any_path)
@click.argument("dev", type=any_path)
@click.option(
    "--base",
    "bases",
    multiple=True,
    required=True,
    metavar="NAME",
    help="The model to start from: a name on a hub or a folder; several with --curves.",
)
@folder_option
@config_option
@device_option
@number_option("--search", help="Try N random settings.")
@click.option("--curves", is_flag=True, help="Train on a quarter, half, three quarters and all.")
@quiet_option
def seq2seq(
    train: str,
    dev: str,
    bases: tuple[str, ...],
    output: str,
    config: str | None,
    device: str | None,
    search: int | None,
    curves: bool,
    quiet: bool,
) -> None:
    """Fine-tune a sequence-to-sequence model on unions.

    TRAIN and DEV are read as by 'union generate' and must hold unions. The best epoch by ROUGE-1
    on DEV is written to 'best' in the output folder; name that in TATIAN_SEQ2SEQ to use it.
    """
    if search and curves:
        raise InputError("choose between --search and --curves")
    if len(bases) > 1 and not curves:
        raise InputError("several models are trained for --curves only")
    module = training("seq2seq.train", "fine-tuning", "hub")
    searching = training("seq2seq.search", "fine-tuning", "hub")
    chosen = read_config(config, module.Seq2SeqConfig)
    if device:
        chosen = msgspec.structs.replace(chosen, device=device)
    sets = read_instances(train, quiet)[0], read_instances(dev, quiet)[0]
    folder = Path(output)
    with progress_bar(quiet=quiet) as progress:
        if curves:
            searching.learning_curves(bases, *sets, chosen, folder, progress=progress)
            done = f"{folder / searching.CURVES}: draw it with 'tatian union plot curves'"
        else:
            if search:
                best = searching.random_search(
                    bases[0], *sets, chosen, folder, trials=search, progress=progress
                )
            else:
                best = module.fine_tune(bases[0], *sets, chosen, folder, progress)
            done = f"ROUGE-1 {100 * best.scores['rouge1']:.1f} in epoch {best.epoch}: {folder}"
    if not quiet:
        say("note", done)
