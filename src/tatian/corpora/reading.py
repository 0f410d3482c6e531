"""Documents from files, directories, web pages, JSON records and standard input."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from tatian.corpora import records, web
from tatian.corpora.decoding import Warn, decode, decode_utf8, refuse_binary
from tatian.corpora.opening import STDIN, Stream, open_stream, printable, unreadable
from tatian.errors import EmptyInput, InputError, NotText
from tatian.text import Document, Metadata

AnyPath = str | os.PathLike[str]

TOTAL_LIMIT = 512 * 10**6
"""The most characters that `read` takes into memory; `iterate` has no such limit."""
_KINDS = {
    ".html": "page",
    ".htm": "page",
    ".xhtml": "page",
    ".json": "json",
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".conllu": "conllu",
    ".txt": "text",
    ".text": "text",
    ".md": "text",
}
_NOT_PROSE = frozenset(
    ".csv .tsv .py .ipynb .js .ts .css .xml .yaml .yml .toml .ini .cfg .conf .log .sh .c .h .cpp "
    ".java .rs .go .rb .sql .lock .tex .bib".split()
)
"""What a directory of accounts may hold beside them."""
_LOOKS_LIKE_JSON = re.compile(rb'(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*"\w+"\s*:')
_LOOKS_LIKE_CONLLU = re.compile(
    rb"(\xef\xbb\xbf)?\s*"
    rb"(# ?((sent_id|text) ?=|(newdoc|newpar|global\.columns)\b)|1(-\d+)?\t[^\n]*\t)"
)
_LOOKS_LIKE_PAGE = re.compile(
    rb"(\xef\xbb\xbf)?(\s++|<\?xml[^>]*+>|<!--.*?-->)*+<(!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_SAMPLE = 4096
_HEADLINE_LENGTH = 120
_ENDS_SENTENCE = re.compile(r"[.,;:][\"'”’)\]]*$")


def _python_warning(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=2)


def read(paths: AnyPath | Iterable[AnyPath], *, warn: Warn = _python_warning) -> list[Document]:
    """Read every text in `paths`: files, directories, ``-`` for standard input.

    What a file holds is known by its name, or else by its first bytes: plain text, an HTML page,
    JSON or JSONL records, CoNLL-U (whose tokens and sentences are kept); each of them may be
    gzipped. An id is the file's name without its endings, made unique. Text must be UTF-8, or
    UTF-16 with a byte order mark, and stays exactly as it is; `warn` hears of text that was read as
    Windows-1252 and of files in a directory that were passed over. One document may have 64 MiB.
    """
    documents = []
    total = 0
    for document in iterate(paths, warn=warn):
        total += len(document.text)
        if total > TOTAL_LIMIT:
            limit = f"{TOTAL_LIMIT // 10**6} million characters"
            raise InputError(f"too much to read at once, the limit is {limit}")
        documents.append(document)
    if not documents:
        raise EmptyInput("nothing to read: no files were given")
    return documents


def iterate(
    paths: AnyPath | Iterable[AnyPath], *, warn: Warn = _python_warning
) -> Iterator[Document]:
    """Read as `read` does, one document at a time; JSONL and CoNLL-U of any size are streamed."""
    taken: dict[str, int] = {}
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        for document in _read_any(os.fspath(path), warn):
            yield replace(document, id=_unique(document.id, taken))


def _read_any(path: str, warn: Warn) -> Iterator[Document]:
    if not path:
        raise InputError("a file name is empty")
    try:
        if path == STDIN or not Path(path).is_dir():
            return _read_file(path, warn)
        inside = [file for file in Path(path).iterdir() if file.is_file()]
    except OSError as error:
        raise unreadable(path, error) from error
    return _read_directory(path, sorted(inside), warn)


def _read_directory(path: str, files: list[Path], warn: Warn) -> Iterator[Document]:
    found = False
    for file in files:
        if file.name.startswith("."):
            continue
        ending = Path(file.name.removesuffix(".gz")).suffix.lower()
        if ending in _NOT_PROSE:
            warn(f"passed over: {printable(str(file))}: no prose by its name; name it to read it")
            continue
        try:
            for document in _read_file(str(file), warn):
                found = True
                yield document
        except (NotText, EmptyInput) as error:
            warn(f"passed over: {error}")
    if not found:
        message = "no text directly in this directory (those below it are not entered)"
        raise EmptyInput(message, path=printable(path))


def _read_file(path: str, warn: Warn) -> Iterator[Document]:
    name = Path(printable(path).removesuffix(".gz"))
    stem = "stdin" if path == STDIN else name.stem
    for document in _parse(path, _KINDS.get(name.suffix.lower(), "unknown"), warn):
        about = document.metadata
        yield replace(
            document,
            id=document.id or stem,
            metadata=about if about.path else replace(about, path=printable(path)),
        )


def _parse(path: str, kind: str, warn: Warn) -> Iterator[Document]:
    with open_stream(path) as stream:
        head = stream.head()
        if kind == "lines":
            refuse_binary(head, stream.name)
            yield from records.from_lines(stream.lines(), stream.name)
            return
        if kind == "conllu" or (kind == "unknown" and _LOOKS_LIKE_CONLLU.match(head)):
            refuse_binary(head, stream.name)
            yield from _from_conllu(stream)
            return
        data = stream.read()
    refuse_binary(data, stream.name)
    sample = data[:_SAMPLE]
    if kind == "json" or (kind == "unknown" and _LOOKS_LIKE_JSON.match(sample)):
        yield from records.from_json(data, stream.name)
    elif kind == "page" or _LOOKS_LIKE_PAGE.match(sample):
        yield web.extract(decode(data, stream.name, warn, declared=True), stream.name)
    else:
        text = decode(data, stream.name, warn)
        yield Document("", text, Metadata(title=headline(text)))


def _from_conllu(stream: Stream) -> Iterator[Document]:
    from tatian.analysis.conllu import parse

    lines = (decode_utf8(line, stream.name, number) for number, line in stream.lines())
    return parse(lines, name="", path=stream.name)


def headline(text: str) -> str | None:
    """The first line, if it stands alone as headlines do: short, no full stop, a blank below."""
    first, _, rest = text.lstrip("\ufeff \t\r\n").partition("\n")
    title = first.strip()
    if not title or len(title) > _HEADLINE_LENGTH or _ENDS_SENTENCE.search(title):
        return None
    below, _, body = rest.partition("\n")
    return None if below.strip() or not body.strip() else title


def _unique(name: str, taken: dict[str, int]) -> str:
    """`name`, or the first of name-2, name-3, ... that is free; `taken` counts each."""
    count = taken.get(name, 0) + 1
    candidate = name if count == 1 else f"{name}-{count}"
    while count > 1 and candidate in taken:
        count += 1
        candidate = f"{name}-{count}"
    taken[name] = count
    taken.setdefault(candidate, 1)
    return candidate
