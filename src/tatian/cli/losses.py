"""What a conversion lost, told to people and to programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tatian.cli.common import F, any_path, say, write

if TYPE_CHECKING:
    from tatian.text.formats import Losses


def losses_options(command: F) -> F:
    """Add ``--strict`` and ``--losses``, for conversions into formats that hold less."""
    strict = click.option(
        "--strict", is_flag=True, help="Write nothing and exit with 2 if anything is lost."
    )
    report = click.option(
        "--losses", "report", type=any_path, help="Write what was lost to this file, as JSON."
    )
    return strict(report(command))


def tell_losses(losses: Losses, target: str, report: str | None, *, quiet: bool) -> None:
    """A warning for each kind of loss unless `quiet`, and all of them as JSON to a `report`."""
    if report is not None:
        lost = [
            {"what": what, "count": count, "first": losses.first[what]}
            for what, count in sorted(losses.counts.items())
        ]
        write(json.dumps({"to": target, "losses": lost}, indent=2, ensure_ascii=False), report)
    if not quiet:
        for message in losses.messages():
            say("warning", f"not in {target}: {message}")
