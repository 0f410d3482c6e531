"""What the commands that show chains share: which form to write, and opening a page."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tatian.cli.common import STREAM, console, say, wants_colour, write
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.coreference.comparing.views.terminal import Line
    from tatian.text import Document

BY_ENDING = {".html": "html", ".htm": "html", ".json": "json", ".txt": "text"}


def form_of(form: str | None, output: str, show: bool) -> str:
    """What to write: as asked, as the name of the output says, or text."""
    if show and form not in (None, "html"):
        raise click.UsageError("--open shows HTML: leave out --to")
    ending = Path(output.lower().removesuffix(".gz")).suffix
    form = form or ("html" if show else BY_ENDING.get(ending, "text"))
    if form == "html" and output == STREAM and not show and sys.stdout.isatty():
        raise click.UsageError("HTML is not for the terminal: give -o FILE, or --open")
    return form


def select(documents: list[Document], chosen: tuple[str, ...], path: str) -> list[Document]:
    """The documents of these ids, or all."""
    if not chosen:
        return documents
    known = {document.id: document for document in documents}
    for id in chosen:
        if id not in known:
            raise InputError(f"no document '{id}' among {len(known)}", path=path)
    return [known[id] for id in chosen]


def write_page(html: str, output: str, show: bool, quiet: bool) -> None:
    """Write a page, and open it if it is to be shown."""
    if show and output == STREAM:
        with tempfile.NamedTemporaryFile(prefix="tatian-", suffix=".html", delete=False) as file:
            output = file.name
    write(html, output)
    if not show:
        return
    if not quiet:
        say("note", f"written to {output}")
    if not webbrowser.open(Path(output).resolve().as_uri()):
        raise InputError("no browser could be started: open the file yourself", path=output)


def write_lines(lines: Iterable[Line], output: str) -> None:
    """In colours on a terminal, plain anywhere else."""
    from tatian.coreference.comparing.views import plain, styled

    if output == STREAM and wants_colour(sys.stdout):
        terminal = console(sys.stdout)
        for line in lines:
            terminal.print(styled(line))
        return
    write(plain(lines), output)
