"""Output of all commands: standard streams, messages, results, tables and progress."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TextIO, cast

import click

from tatian.atomic import open_replaced, replaced, unwritable, write_errors
from tatian.cli.options import STREAM, is_quiet
from tatian.errors import InputError, NotEnglish, TatianError
from tatian.progress import Progress, silent
from tatian.text import Document

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

    from tatian.statistics import Cell, Table


_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Control characters in a name or a text, which could change the terminal."""
_DELAY = 0.3
"""Seconds of work after which a progress bar is shown."""


def open_streams() -> None:
    """Fill streams that were closed (``>&-``), and write UTF-8 to pipes and files.

    No file that is opened later gets the number of a standard stream. A closed input reads as
    empty. Writing to a closed output fails; messages to a closed error stream are dropped.
    """
    if sys.stdin is None:
        _occupy(0, os.O_RDONLY)
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    if sys.stdout is None:
        _occupy(1, os.O_RDONLY)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        _occupy(2, os.O_WRONLY)
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _occupy(number: int, mode: int) -> None:
    """Open the null device under a stream's number, unless the number is in use."""
    with suppress(OSError):
        os.fstat(number)
        return
    opened = os.open(os.devnull, mode)
    if opened == number:
        os.set_inheritable(number, True)
    else:
        os.dup2(opened, number)
        os.close(opened)


def output_problem() -> OSError | None:
    """Return the error that writing to the output gives, if any."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return error
    return None


def discard_output(error: OSError) -> InputError:
    """Discard the rest of the results, and return the error for it."""
    discard(sys.stdout)
    if error.errno == errno.EBADF:
        return InputError("cannot be written: it is closed", path="standard output")
    return unwritable(error, "standard output")


def print_error(text: str, *, colour: bool | None = None) -> None:
    """Print to standard error, if that can be written."""
    try:
        click.echo(text, err=True, color=colour)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Discard the buffered output, so that the interpreter can exit without an error."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(kind: Literal["error", "warning", "note"], message: str, *, always: bool = False) -> None:
    """Print a line on standard error; if quiet, only errors, or any line with `always`."""
    if kind != "error" and not always and is_quiet():
        return
    label = f"{kind}:"
    if wants_colour(sys.stderr):
        label = click.style(label, fg=_COLOURS[kind], bold=True)
    line = _CONTROL.sub("\ufffd", " ".join(message.split()))
    print_error(f"tatian: {label} {line}", colour=True)


def wants_colour(stream: Any) -> bool:
    """Return whether the stream is a terminal for which colours are not switched off."""
    declined = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return bool(stream.isatty()) and not declined


def warn(message: str) -> None:
    """Print a warning; readers of files take this function as their `warn`."""
    say("warning", message)


def console(stream: Any) -> Console:
    """Return a rich console on `stream`, coloured as `wants_colour` decides."""
    from rich.console import Console

    colours: Literal["auto"] | None = "auto" if wants_colour(stream) else None
    return Console(file=stream, color_system=colours, highlight=False, soft_wrap=False)


def write(text: str, output: str = STREAM) -> None:
    """Print a result, or write it to a file."""
    text += "" if text.endswith("\n") else "\n"
    if output != STREAM:
        with writer(output) as put:
            put(text)
        return
    write_bytes([text.encode(sys.stdout.encoding, "backslashreplace")])


def write_bytes(chunks: Iterable[bytes], output: str = STREAM) -> None:
    """Write bytes like `write`, exactly as they are."""
    if output != STREAM:
        with open_replaced(output) as file, _compressor(file, output) as compressed:
            compressed.writelines(chunks)
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise discard_output(error) from error


def write_json(value: Any, output: str = STREAM) -> None:
    """Print or write data for programs."""
    write(json.dumps(value, indent=2, ensure_ascii=False), output)


def write_page(html: str, output: str, show: bool) -> None:
    """Write a page, and open it in a browser if it is to be shown."""
    if show and output == STREAM:
        with tempfile.NamedTemporaryFile(prefix="tatian-", suffix=".html", delete=False) as file:
            output = file.name
    write(html, output)
    if not show:
        return
    say("note", f"written to {output}")
    if not webbrowser.open(Path(output).resolve().as_uri()):
        raise InputError("no browser could be started: open the file yourself", path=output)


@contextmanager
def writer(output: str = STREAM, *, partial: bool = False) -> Iterator[Callable[[str], None]]:
    """Return a function that writes one result, to be called for each.

    A file replaces an older one when it is complete, even if it is empty. A file named ``.gz`` is
    compressed. With `partial`, the results before a `TatianError` are kept: they may have cost
    money.
    """
    if output == STREAM:
        yield write
        return
    has_results = False
    failure: TatianError | None = None
    with replaced(output) as place, ExitStack() as closing:
        with write_errors(output):
            file = closing.enter_context(_closing(place.open("wb"), output))
            compressed = closing.enter_context(_closing(_compressor(file, output), output))

        def put(text: str) -> None:
            nonlocal has_results
            has_results = True
            with write_errors(output):
                compressed.write(text.encode())
                if compressed is file:
                    file.flush()

        try:
            yield put
        except TatianError as error:
            if not (partial and has_results):
                raise
            failure = error
    if failure is not None:
        raise failure


@contextmanager
def _closing(file: BinaryIO, output: str) -> Iterator[BinaryIO]:
    """Close a file at the end of the block, and report a full disk."""
    try:
        yield file
    except BaseException:
        with suppress(OSError):
            file.close()
        raise
    with write_errors(output):
        file.close()


def _compressor(file: BinaryIO, output: str) -> BinaryIO:
    """Return a stream that compresses what it writes, if the file is named ``.gz``."""
    if not output.lower().endswith(".gz"):
        return file
    import gzip

    return cast("BinaryIO", gzip.GzipFile(output, "wb", fileobj=file, mtime=0))


def print_table(table: Table, form: Any = "text", output: str = STREAM) -> None:
    """Print a table: with colours on a terminal, plain in a pipe or a file, or in another form."""
    if form != "text" or output != STREAM or not sys.stdout.isatty():
        write(table.render(form), output)
        return
    from tatian.statistics.tables import to_rich

    console(sys.stdout).print(to_rich(table))


def print_by_file(
    by_file: Mapping[str, Mapping[str, Any]], form: str = "text", *, alone: bool = False
) -> None:
    """Print a column for each file, and a row for each figure that any of them has.

    JSON holds the figures by file; with `alone`, only those of the one file.
    """
    from tatian.statistics import Column, Table

    if form == "json":
        write_json(next(iter(by_file.values())) if alone else by_file)
        return
    columns = [dict(_flatten(figures)) for figures in by_file.values()]
    names = dict.fromkeys(name for figures in columns for name in figures)
    rows: list[list[Cell]] = [[name, *(figures.get(name) for figures in columns)] for name in names]
    print_table(Table.of(["", *(Column(path, precision=3) for path in by_file)], rows))


def _flatten(figures: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Cell]]:
    """Yield figures by name, nested ones with the name of their parent before theirs."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}".replace("_", " "), value


@contextmanager
def progress_bar(*, hidden: bool = False) -> Iterator[Progress]:
    """Return a progress callback that draws a bar on a terminal, and is silent anywhere else.

    A bar needs control sequences, so it is only drawn where colours are.
    """
    if hidden or is_quiet() or not wants_colour(sys.stderr):
        yield silent
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.stop()


class _Bar:
    """A progress bar that appears once the work has taken some time."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._display: Any = None
        self._tasks: dict[str, tuple[TaskID, float, int]] = {}
        """Bar, start in seconds and initial count of each stage."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._display is None:
            if done >= total or time.monotonic() - self._started < _DELAY:
                return
            self._display = self._start()
        if stage not in self._tasks:
            task = self._display.add_task(stage, total=total, rate="")
            self._tasks[stage] = task, time.monotonic(), done
        task, started, initial = self._tasks[stage]
        rate = (done - initial) / max(time.monotonic() - started, _DELAY)
        self._display.update(task, completed=done, total=total, rate=f"{rate:.1f}/s")

    def _start(self) -> Any:
        from rich import progress

        display = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[rate]}"),
            progress.TimeRemainingColumn(),
            console=console(sys.stderr),
            transient=True,
            redirect_stdout=False,
        )
        display.start()
        return display

    def stop(self) -> None:
        """Remove the bar from the screen."""
        if self._display is not None:
            self._display.stop()


class LanguageCheck:
    """Collects texts that seem not to be English, to report them in one line."""

    def __init__(self) -> None:
        self._first = ""
        self._count = 0

    def check(self, document: Document) -> None:
        """Count the document if it is not English."""
        if is_quiet():
            return
        from tatian.text.language import require_english

        try:
            require_english(document)
        except NotEnglish as error:
            self._first = self._first or str(error)
            self._count += 1

    def report(self) -> None:
        """Warn of the texts that are not English, if there are any."""
        if self._count:
            more = f" (and {self._count - 1} more texts like it)" if self._count > 1 else ""
            say("warning", f"{self._first}; its analysis is unreliable{more}")
