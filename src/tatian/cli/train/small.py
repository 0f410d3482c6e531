"""``tatian train small``: the adapter with which a small language model writes unions."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from tatian.cli.common import any_path, examples, progress_bar, quiet_option, say
from tatian.cli.train.common import (
    config_option,
    device_option,
    folder_option,
    read_config,
    training,
)


@click.command(epilog=examples("tatian train small DATA -o runs/small --device cuda"))
@click.argument("data", type=any_path)
@folder_option
@config_option
@device_option
@click.option(
    "--weights",
    type=any_path,
    metavar="FILE",
    help="The language model as GGUF; by default the one that 'tatian models install' fetched.",
)
@quiet_option
def small(
    data: str,
    output: str,
    config: str | None,
    device: str | None,
    weights: str | None,
    quiet: bool,
) -> None:
    """Train the adapter of model 'small'.

    DATA is a folder with union/train.csv and union/extra/wikisplit-tune.tsv. The adapter is written
    to small.gguf in the output folder; name it in TATIAN_ADAPTER to use it.
    """
    from tatian.wheels import SMOLLM2

    module = training("small.train", "training", "train")
    chosen = read_config(config, module.SmallConfig)
    if device:
        chosen = msgspec.structs.replace(chosen, device=device)
    file = Path(weights) if weights else SMOLLM2.locate()
    with progress_bar(quiet=quiet) as progress:
        loss = module.train_small(chosen, file, Path(data), Path(output), progress)
    if not quiet:
        say("note", f"held-out loss {loss:.4f}: {Path(output) / 'small.gguf'}")
