"""Shared parts of all commands: messages, output, tables, progress."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeVar, cast

import click

from tatian.atomic import open_replaced, replaced, same_file, write_errors
from tatian.cli.options import STREAM, is_quiet
from tatian.cli.streams import discard_output, print_error
from tatian.errors import InputError, NotEnglish, TatianError
from tatian.progress import Progress, silent
from tatian.text import Document

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

    from tatian.statistics import Cell, Table


T = TypeVar("T")
_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Control characters in a name or a text, which could change the terminal."""
_DELAY = 0.3
"""Seconds of work after which a progress bar is shown."""
ENDINGS = {
    "text": (".txt",),
    "html": (".html", ".htm"),
    "json": (".json",),
    "jsonl": (".jsonl",),
    "csv": (".csv",),
    "md": (".md",),
    "markdown": (".md",),
    "latex": (".tex",),
    "docx": (".docx",),
    "tei": (".tei", ".xml"),
    "nif": (".ttl", ".nif"),
    "muc": (".sgm", ".sgml", ".muc"),
    "conll": (".conll",),
    "corefud": (".conllu",),
}
"""Endings of file names by output format."""


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


def keep_inputs(output: str, inputs: tuple[str, ...]) -> None:
    """Refuse to write over an input, or into a directory that is read as a whole."""
    if output == STREAM:
        return
    folder = Path(os.path.realpath(output)).parent
    for input_path in (path for path in inputs if path != STREAM):
        if same_file(input_path, output):
            raise InputError("is one of the inputs: write to another file", path=output)
        if same_file(input_path, folder):
            raise InputError("lies in a directory that is read: write elsewhere", path=output)
        if Path(output).is_file() and Path(input_path).is_dir():
            for inside in Path(input_path).iterdir():
                if same_file(inside, output):
                    message = f"is a link to the input {inside}: write to another file"
                    raise InputError(message, path=output)


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


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, if missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", path=str(folder)) from error


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


def choose_format(
    form: str | None, output: str, forms: Sequence[str], *, show: bool | None = None
) -> str:
    """Return the requested format, or else that of the output's ending, or else the first one.

    An unknown ending is refused, and so are HTML and .docx on a terminal. `show` says whether a
    page is to be opened in a browser; it is None for commands without ``--open``.
    """
    if show and form not in (None, "html"):
        raise click.UsageError("--open shows HTML: leave out --to")
    ending = ending_of(output)
    endings = {known: name for name in forms for known in ENDINGS.get(name, ())}
    if form is None and not show and ending and ending not in endings:
        known = ", ".join(endings)
        raise click.UsageError(f"no format ends in '{ending}': give --to (known: {known})")
    form = form or ("html" if show else endings.get(ending, forms[0]))
    if form in ("html", "docx") and output == STREAM and not show and sys.stdout.isatty():
        instead = "" if form == "docx" or show is None else ", or --open"
        raise click.UsageError(f"{form.upper()} is not for the terminal: give -o FILE{instead}")
    return form


def ending_of(output: str) -> str:
    """Return the ending of a file's name without ``.gz``, such as ``.json``; empty if none."""
    return Path(output.lower().removesuffix(".gz")).suffix


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


_ENDINGS = (".gz", ".csv", ".jsonl", ".ndjson", ".json")


def split_name(argument: str) -> tuple[str, str]:
    """Return the name and the file of ``NAME=FILE``, or of a file under its own name."""
    name, equals, path = argument.partition("=")
    if equals and name and path and not Path(argument).exists():
        return name, path
    file_name = Path(argument).name
    for ending in _ENDINGS:
        if file_name.lower().endswith(ending):
            file_name = file_name[: -len(ending)]
    return (file_name if file_name != STREAM else "standard input"), argument


def by_name(arguments: Iterable[str], what: str = "systems") -> dict[str, str]:
    """Return files by their names, as `split_name` gives them; names must differ."""
    paths_by_name: dict[str, str] = {}
    for name, path in map(split_name, arguments):
        if name in paths_by_name:
            raise InputError(f"two {what} are called '{name}': name one with NAME=FILE", path=path)
        paths_by_name[name] = path
    return paths_by_name


def select(
    items: Mapping[str, T], ids: Iterable[str], noun: str, path: str | None = None
) -> list[T]:
    """Return the items with these ids, in that order; all must exist."""
    for id in ids:
        if id not in items:
            raise InputError(f"no {noun} '{id}' among {len(items)}", path=path)
    return [items[id] for id in ids]
