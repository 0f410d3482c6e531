"""``tatian analyze``: tags, lemmas, trees and names of texts."""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    keep_inputs,
    output_option,
    progress_bar,
    quiet_option,
    say,
    threads_option,
    writer,
)
from tatian.errors import NotText

if TYPE_CHECKING:
    from tatian.analysis import Analyser
    from tatian.text import Document

_ENDINGS = (".conllu", ".conllu.gz")
_LOOKS_LIKE_CONLLU = re.compile(
    rb"(\xef\xbb\xbf)?\s*(# ?(sent_id|text|newdoc|newpar|global\.columns)\b|1(-\d+)?\t[^\n]*\t)"
)


@click.command(
    epilog=examples(
        "tatian analyze story.txt > story.json",
        "tatian analyze corpus/ stories.jsonl.gz --to conllu -o corpus.conllu",
        "tatian analyze gold-tokens.conllu --to conllu > predicted.conllu",
        "echo 'Ann Lee moved to Oslo.' | tatian analyze - --to conllu",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@click.option(
    "--to",
    "form",
    type=click.Choice(["json", "conllu"]),
    help="What to write; by default what the name of the output file says, or json.",
)
@output_option
@click.option(
    "--model",
    metavar="NAME",
    help="Analysis model: a name from 'tatian models list', or package.module:Class.",
)
@threads_option
@quiet_option
def analyze(
    files: tuple[str, ...],
    form: str | None,
    output: str,
    model: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Find tokens, sentences, tags, trees and names.

    FILE is what 'consolidate' reads, or CoNLL-U (.conllu), whose tokens, sentences, comments and
    multiword tokens are kept. JSON is one document per line, see 'tatian schema document'; in
    CoNLL-U, names are in the last column (NER=B-PER).
    """
    from tatian.analysis.api import analyses
    from tatian.analysis.conllu import to_conllu

    def warn(message: str) -> None:
        if not quiet:
            say("warning", message)

    keep_inputs(output, files)
    analyser = _analyser(model, threads, quiet)
    form = form or ("conllu" if output.lower().endswith(".conllu") else "json")
    show = to_conllu if form == "conllu" else _json_line
    with progress_bar(quiet=quiet) as progress, writer(output) as put:
        for document in analyses(analyser, _documents(files, warn), progress):
            put(show(document))


def _analyser(model: str | None, threads: int | None, quiet: bool) -> Analyser:
    from tatian.analysis import analysers
    from tatian.analysis.installed import best_model, unavailable

    if model is None and (problem := unavailable()) and not quiet:
        say("note", f"tokens and sentences only: {problem}")
    name = model or best_model()
    options: dict[str, Any] = {"threads": threads} if threads and name == "encoder" else {}
    return analysers.create(name, **options)


def _json_line(document: Document) -> str:
    return msgspec.json.encode(document).decode() + "\n"


def _documents(files: tuple[str, ...], warn: Callable[[str], None]) -> Iterator[Document]:
    from tatian.corpora.reading import iterate

    for tabular, group in groupby(files, _is_conllu):
        if not tabular:
            yield from iterate(group, warn=warn)
            continue
        for path in group:
            yield from _conllu(path)


def _is_conllu(path: str) -> bool:
    """By its name, or on standard input by its first bytes, which are left there."""
    if path != STREAM:
        return path.lower().endswith(_ENDINGS)
    peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
    head: bytes = peek(1) if peek else b""
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head)
        except zlib.error:
            return False
    return _LOOKS_LIKE_CONLLU.match(head) is not None


def _conllu(path: str) -> Iterator[Document]:
    from tatian.analysis.conllu import parse
    from tatian.corpora.decoding import refuse_binary
    from tatian.corpora.opening import open_stream

    with open_stream(path) as stream:
        refuse_binary(stream.head(), stream.name)
        name = "stdin" if path == STREAM else Path(stream.name.removesuffix(".gz")).stem
        yield from parse(_decoded(stream.lines(), stream.name), name, stream.name)


def _decoded(lines: Iterator[tuple[int, bytes]], path: str) -> Iterator[str]:
    for number, line in lines:
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotText("not UTF-8, as CoNLL-U must be", path=path, line=number) from error
