"""Shared parts of all commands: lazy groups, messages, output, tables, progress."""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import tempfile
import time
import webbrowser
from collections import UserDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, cast

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


class LazyCommands(UserDict[str, Any]):
    """Commands by name; those given as ``package.module:attribute`` are imported on first use."""

    def __getitem__(self, name: str) -> click.Command:
        target = self.data[name]
        if isinstance(target, str):
            module, _, attribute = target.partition(":")
            target = self.data[name] = getattr(importlib.import_module(module), attribute)
        command: click.Command = target
        return command


class LazyGroup(click.Group):
    """A group that lists its commands in the order they were given and imports them late."""

    def __init__(
        self, name: str | None = None, *, targets: Mapping[str, str], **options: Any
    ) -> None:
        super().__init__(name, commands=LazyCommands(targets), **options)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, most used first rather than by the alphabet."""
        return list(self.commands)


_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Control characters by which a name or a text could command a terminal."""
_PATIENCE = 0.3
"""Seconds of work after which a progress bar is shown."""


def say(kind: Literal["error", "warning", "note"], message: str, *, always: bool = False) -> None:
    """Print one line on standard error; notes and warnings unless the command is quiet."""
    if kind != "error" and not always and is_quiet():
        return
    label = f"{kind}:"
    if wants_colour(sys.stderr):
        label = click.style(label, fg=_COLOURS[kind], bold=True)
    line = _CONTROL.sub("\ufffd", " ".join(message.split()))
    print_error(f"tatian: {label} {line}", colour=True)


def wants_colour(stream: Any) -> bool:
    """Return whether colours belong on this stream: a terminal, and nobody has declined."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return bool(stream.isatty()) and not plain


def warn(message: str) -> None:
    """A warning, as readers give it."""
    say("warning", message)


def console(stream: Any) -> Console:
    """A rich console on `stream` that keeps to `wants_colour`."""
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
        with open_replaced(output) as file, _packed(file, output) as packed:
            packed.writelines(chunks)
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
    """Write results like `write`, one after another.

    A file appears once it is complete, even if empty; until then an older one of that name stays. A
    file named ``.gz`` is packed. With `partial`, results that came before a `TatianError` are kept
    too: they may have been paid for.
    """
    if output == STREAM:
        yield write
        return
    any_put = False
    failure: TatianError | None = None
    with replaced(output) as place, ExitStack() as closing:
        with write_errors(output):
            file = closing.enter_context(_closed(place.open("wb"), output))
            packed = closing.enter_context(_closed(_packed(file, output), output))

        def put(text: str) -> None:
            nonlocal any_put
            any_put = True
            with write_errors(output):
                packed.write(text.encode())
                if packed is file:
                    file.flush()

        try:
            yield put
        except TatianError as error:
            if not (partial and any_put):
                raise
            failure = error
    if failure is not None:
        raise failure


@contextmanager
def _closed(file: BinaryIO, output: str) -> Iterator[BinaryIO]:
    """Close a file at the end of the block; that may fail on a full disk."""
    try:
        yield file
    except BaseException:
        with suppress(OSError):
            file.close()
        raise
    with write_errors(output):
        file.close()


def _packed(file: BinaryIO, output: str) -> BinaryIO:
    """Pack what is written to a file that is named ``.gz``."""
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
    """Print with lines and colours on a terminal, plain in a pipe or a file, or in another form."""
    if form != "text" or output != STREAM or not sys.stdout.isatty():
        write(table.render(form), output)
        return
    from tatian.statistics.tables import to_rich

    console(sys.stdout).print(to_rich(table))


def print_by_file(
    by_file: Mapping[str, Mapping[str, Any]], form: str = "text", *, alone: bool = False
) -> None:
    """Print a column for each file, a row for each figure that any has, by its name in JSON.

    In JSON the figures of a file that is `alone` stand by themselves.
    """
    from tatian.statistics import Column, Table

    if form == "json":
        write_json(next(iter(by_file.values())) if alone else by_file)
        return
    flat = [dict(_flat(figures)) for figures in by_file.values()]
    names = dict.fromkeys(name for figures in flat for name in figures)
    rows: list[list[Cell]] = [[name, *(figures.get(name) for figures in flat)] for name in names]
    print_table(Table.of(["", *(Column(path, precision=3) for path in by_file)], rows))


def _flat(figures: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Cell]]:
    """Yield figures by name, nested ones after the name of their parent."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name} ")
        else:
            yield f"{before}{name}".replace("_", " "), value


def make_folder(folder: Path) -> None:
    """Make a folder to write to, unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", path=str(folder)) from error


@contextmanager
def progress_bar(*, hidden: bool = False) -> Iterator[Progress]:
    """Return a progress callback that draws a bar on a terminal, and is silent anywhere else.

    Drawing takes control sequences, so without colours there is no bar either.
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
    """Draws nothing until the work has taken some time."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown: Any = None
        self._tasks: dict[str, tuple[TaskID, float, int]] = {}
        """Bar, start and initial count of each stage."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._shown is None:
            if done >= total or time.monotonic() - self._begun < _PATIENCE:
                return
            self._shown = self._start()
        if stage not in self._tasks:
            task = self._shown.add_task(stage, total=total, rate="")
            self._tasks[stage] = task, time.monotonic(), done
        task, begun, before = self._tasks[stage]
        rate = (done - before) / max(time.monotonic() - begun, _PATIENCE)
        self._shown.update(task, completed=done, total=total, rate=f"{rate:.1f}/s")

    def _start(self) -> Any:
        from rich import progress

        shown = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[rate]}"),
            progress.TimeRemainingColumn(),
            console=console(sys.stderr),
            transient=True,
            redirect_stdout=False,
        )
        shown.start()
        return shown

    def stop(self) -> None:
        """Take the bar off the screen."""
        if self._shown is not None:
            self._shown.stop()


def form_for(
    form: str | None,
    output: str,
    endings: Mapping[str, str],
    default: str,
    *,
    show: bool | None = None,
) -> str:
    """Return the format that was asked for, or that the output's name implies.

    A name that ends like a file of some other kind is refused, and so are HTML and .docx on a
    terminal; `show` is whether a page is to be opened in a browser, where a command can do that.
    """
    if show and form not in (None, "html"):
        raise click.UsageError("--open shows HTML: leave out --to")
    ending = ending_of(output)
    if form is None and not show and ending and ending not in endings:
        forms = ", ".join(endings)
        raise click.UsageError(f"no format goes by '{ending}': say which by --to (known: {forms})")
    form = form or ("html" if show else endings.get(ending, default))
    if form in ("html", "docx") and output == STREAM and not show and sys.stdout.isatty():
        instead = "" if form == "docx" or show is None else ", or --open"
        raise click.UsageError(f"{form.upper()} is not for the terminal: give -o FILE{instead}")
    return form


def ending_of(output: str) -> str:
    """Return the ending of a file's name, packed or not: ``.json``, or nothing."""
    return Path(output.lower().removesuffix(".gz")).suffix


class Foreign:
    """Texts that seem to be in another language, reported in one line."""

    def __init__(self) -> None:
        self._first = ""
        self._count = 0

    def look(self, document: Document) -> None:
        """Note the document if it is not English."""
        if is_quiet():
            return
        from tatian.text.language import require_english

        try:
            require_english(document)
        except NotEnglish as error:
            self._first = self._first or str(error)
            self._count += 1

    def tell(self) -> None:
        """Warn of what was noted."""
        if self._count:
            more = f" (and {self._count - 1} more texts like it)" if self._count > 1 else ""
            say("warning", f"{self._first}; what is found in it means little{more}")


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
    """Return files by their names; two of one name are refused."""
    by_name_found: dict[str, str] = {}
    for name, path in map(split_name, arguments):
        if name in by_name_found:
            raise InputError(f"two {what} are called '{name}': name one with NAME=FILE", path=path)
        by_name_found[name] = path
    return by_name_found
