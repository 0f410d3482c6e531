"""Options of commands that run on an engine, and the report of a run over shards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from msgspec import Struct

from tatian.cli import options
from tatian.cli.options import STREAM
from tatian.cli.output import progress_bar, say
from tatian.engine import ENGINES, PATIENCE, Engine, open_engine
from tatian.errors import InputError
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.pipeline.shards import DocumentStep

SOME_FAILED = 3
"""Exit status of a run that was completed although documents failed."""


class EngineOptions(Struct, frozen=True):
    """Options of a command on its engine."""

    engine: str | None
    address: str | None
    processes: int | None
    timeout: int
    resume: bool = False
    shards: Literal["plain", "gz", "parquet"] | None = None

    @property
    def is_given(self) -> bool:
        """True if any engine option was given, so that the command runs on an engine."""
        return bool(self.engine or self.address or self.processes)

    def open(self) -> Engine:
        """Open the chosen engine; by default local processes."""
        return open_engine(
            self.engine or "local",
            address=self.address,
            processes=self.processes,
            patience=self.timeout,
        )

    def writes_shards(self, output: str) -> bool:
        """Return whether shards are to be written: an engine or a folder is named."""
        is_folder = output.endswith("/") or "://" in output
        is_folder = is_folder or (output != STREAM and Path(output).is_dir())
        if not self.engine and not is_folder:
            if self.address or self.processes or self.resume or self.shards:
                raise click.UsageError("engine options are for shards: give --engine and -o DIR")
            return False
        if output == STREAM:
            raise click.UsageError("with --engine, shards are written into a folder: give -o DIR")
        if Path(output).is_file():
            raise InputError("is a file: name a folder for the shards", path=output)
        return True


_ENGINE_OPTIONS = {
    "engine": options.choice(
        ENGINES, "Distribute the work over processes of this machine, or a Ray cluster."
    ),
    "address": options.option(
        "Address of the Ray cluster; by default one is started.", metavar="HOST:PORT"
    ),
    "processes": options.number("Number of worker processes; by default one per core."),
    "timeout": options.number(
        "On an engine, skip a document or story after N seconds, and list it as failed.",
        default=PATIENCE,
    ),
}
_SHARD_OPTIONS = {
    "resume": options.flag("Continue with the shards in DIR."),
    "shards": options.choice(
        ["plain", "gz", "parquet"], "Compression or format of the shards; by default plain."
    ),
}
SHARD_OUTPUT: Any = options.output_for(
    "With --engine this is a folder for shards, and so is an existing folder or a name that ends "
    "in /."
)
"""``-o`` of commands that write shards."""
ENGINE: Any = options.OptionGroup(_ENGINE_OPTIONS, EngineOptions)
"""``--engine`` and its options."""
SHARD_ENGINE: Any = options.OptionGroup(_ENGINE_OPTIONS | _SHARD_OPTIONS, EngineOptions)
"""``--engine`` and its options for commands that write shards."""


def run_shards(
    step: DocumentStep, files: tuple[str, ...], output: str, engine: EngineOptions
) -> int:
    """Run a step over a corpus and report the result; return the exit status."""
    from tatian.pipeline.shards import FAILED, run_step

    with progress_bar() as progress:
        counts = run_step(
            step,
            files,
            output,
            engine.open(),
            packing=engine.shards or "plain",
            resume=engine.resume,
            progress=progress,
        )
    for message in counts.warnings:
        say("warning", message)
    rate = counts.documents / max(counts.seconds, 1e-3)
    done = f"{format_count(counts.documents, 'document')} ({rate:.1f} per second)"
    say("note", f"{done}; {format_count(counts.shards, 'shard')} in {output}")
    return report_failures(counts.failed, f"{output.rstrip('/')}/{FAILED}")


def report_failures(count: int, place: str | Path) -> int:
    """Report how many documents failed, even if quiet; return the exit status."""
    if count:
        say("warning", f"{format_count(count, 'document')} failed, see {place}", always=True)
    return SOME_FAILED if count else 0
