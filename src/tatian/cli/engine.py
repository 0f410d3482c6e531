"""Options of commands that run on an engine, and the report of a run over shards."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from msgspec import Struct

from tatian.cli import options
from tatian.cli.common import progress_bar, say
from tatian.cli.options import STREAM
from tatian.engine import ENGINES, PATIENCE, Engine, open_engine
from tatian.errors import InputError
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.pipeline.shards import DocumentStep

F = TypeVar("F", bound=Callable[..., Any])

SET_ASIDE = 3
"""Exit status of a complete run that set documents aside."""


class EngineChoice(Struct, frozen=True):
    """The engine that the user chose for a command."""

    name: str | None
    address: str | None
    processes: int | None
    timeout: int
    resume: bool = False
    shards: Literal["plain", "gz", "parquet"] | None = None

    @property
    def given(self) -> bool:
        """True if any engine option was given; then the command runs on an engine."""
        return bool(self.name or self.address or self.processes)

    def open(self) -> Engine:
        """The engine; by default processes."""
        return open_engine(
            self.name or "local",
            address=self.address,
            processes=self.processes,
            patience=self.timeout,
        )

    def shares_out(self, output: str) -> bool:
        """Return whether shards are to be written: an engine or a folder is named."""
        folder = output.endswith("/") or "://" in output
        folder = folder or (output != STREAM and Path(output).is_dir())
        if not self.name and not folder:
            if self.address or self.processes or self.resume or self.shards:
                raise click.UsageError("this is for work on an engine: give --engine and -o DIR")
            return False
        if output == STREAM:
            raise click.UsageError("an engine writes shards: give -o DIR")
        if Path(output).is_file():
            raise InputError("is a file: name a folder for the shards", path=output)
        return True


def engine_options(*, shards: bool) -> Callable[[F], F]:
    """Add ``--engine`` and its options; the command gets an `EngineChoice` as `choice`."""

    def decorate(command: F) -> F:
        @wraps(command)
        def packed(**parameters: Any) -> Any:
            options = ("engine", "address", "processes", "timeout", *(_SHARDS if shards else ()))
            choice = EngineChoice(*map(parameters.pop, options))
            return command(choice=choice, **parameters)

        wrapped: Any = packed
        for option in reversed([*_PLACES, *(_SHARDS.values() if shards else ())]):
            wrapped = option(wrapped)
        decorated: F = wrapped
        return decorated

    return decorate


_PLACES = (
    click.option(
        "--engine",
        type=click.Choice(ENGINES),
        help="Distribute the work over processes of this machine, or a Ray cluster.",
    ),
    click.option("--address", metavar="HOST:PORT", help="The Ray cluster; by default one is made."),
    options.number("--processes", help="Workers; by default one per core."),
    options.number("--timeout", help="Seconds after which a text is set aside.", default=PATIENCE),
)
_SHARDS = {
    "resume": options.flag("--resume", help="Continue with the shards in DIR."),
    "packing": click.option(
        "--shards",
        "packing",
        type=click.Choice(["plain", "gz", "parquet"]),
        help="How shards are written; by default plain.",
    ),
}
"""Parameters of commands that write shards, by name."""


def run_shards(
    step: DocumentStep, files: tuple[str, ...], output: str, choice: EngineChoice
) -> int:
    """Run a step over a corpus and report the result; return the exit status."""
    from tatian.pipeline.shards import FAILED, run_step

    with progress_bar() as progress:
        counts = run_step(
            step,
            files,
            output,
            choice.open(),
            packing=choice.shards or "plain",
            resume=choice.resume,
            progress=progress,
        )
    for message in counts.warnings:
        say("warning", message)
    rate = counts.documents / max(counts.seconds, 1e-3)
    done = f"{format_count(counts.documents, 'document')} ({rate:.1f} per second)"
    say("note", f"{done}; {format_count(counts.shards, 'shard')} in {output}")
    return report_set_aside(counts.failed, f"{output.rstrip('/')}/{FAILED}")


def report_set_aside(count: int, place: str | Path) -> int:
    """Report how many documents failed, even if quiet; return the exit status."""
    if count:
        say("warning", f"{format_count(count, 'document')} set aside, see {place}", always=True)
    return SET_ASIDE if count else 0
