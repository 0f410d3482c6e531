"""Documents from files, directories, web pages, JSON records, Parquet and standard input."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from tatian import formats
from tatian.corpora.decoding import Warn, decode, decode_utf8, refuse_binary
from tatian.errors import EmptyInput, InputError, MissingExtra, NotText
from tatian.text import Document, Metadata
from tatian.text.streams import STDIN, Stream, open_stream, printable, unreadable

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
    ".parquet": "parquet",
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
    JSON or JSONL records, Parquet, CoNLL-U (whose tokens and sentences are kept); all but Parquet
    may be gzipped. An id is the file's name without its endings, made unique. Text must be UTF-8,
    or UTF-16 with a byte order mark, and stays exactly as it is; `warn` hears of text that was read
    as Windows-1252 and of files in a directory that were passed over. One document may have 64 MiB.
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


def gathered(accounts: Iterable[AnyPath | Document]) -> list[Document]:
    """Accounts of one story, as paths or documents, each under an id of its own."""
    found: list[Document] = []
    for one in accounts:
        found.extend([one] if isinstance(one, Document) else read([one]))
    if not found:
        raise EmptyInput("no accounts given: name at least one file")
    taken: dict[str, int] = {}
    return [replace(document, id=_unique(document.id, taken)) for document in found]


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


def read_bytes(data: bytes, name: str, *, warn: Warn = _python_warning) -> list[Document]:
    """Read what somebody sent under a file's name, as `read` does a file; no file is opened.

    Of the name only the last part is looked at: for its ending, and to call the text something.
    """
    plain = re.split(r"[/\\]", printable(name))[-1].strip() or "text"
    taken: dict[str, int] = {}
    read = _read_file(plain, warn, data)
    return [replace(document, id=_unique(document.id, taken)) for document in read]


def _read_file(path: str, warn: Warn, data: bytes | None = None) -> Iterator[Document]:
    name = Path(printable(path).removesuffix(".gz"))
    stem = "stdin" if path == STDIN else name.stem
    for document in _parse(path, _kind(path, name), warn, data):
        about = document.metadata
        yield replace(
            document,
            id=document.id or stem,
            metadata=about if about.path else replace(about, path=printable(path)),
        )


def _kind(path: str, name: Path) -> str:
    """What a file is by its name; another package's format comes before ours."""
    return "theirs" if formats.added(path) else _KINDS.get(name.suffix.lower(), "unknown")


def _parse(path: str, kind: str, warn: Warn, sent: bytes | None) -> Iterator[Document]:
    if kind == "parquet" and sent is None:
        yield from _from_parquet(path)
        return
    with open_stream(path, data=sent) as stream:
        head = stream.head()
        if kind == "lines":
            refuse_binary(head, stream.name)
            yield from from_lines(stream.lines(), stream.name)
            return
        if kind == "conllu" or (kind == "unknown" and _LOOKS_LIKE_CONLLU.match(head)):
            refuse_binary(head, stream.name)
            yield from _from_conllu(stream)
            return
        data = stream.read()
    refuse_binary(data, stream.name)
    if kind == "theirs" and (theirs := formats.added(path)):
        yield from theirs.read(decode(data, stream.name, warn), stream.name)
        return
    sample = data[:_SAMPLE]
    if kind == "json" or (kind == "unknown" and _LOOKS_LIKE_JSON.match(sample)):
        yield from from_json(data, stream.name)
    elif kind == "page" or _LOOKS_LIKE_PAGE.match(sample):
        from tatian.corpora.web import extract

        yield extract(decode(data, stream.name, warn, declared=True), stream.name)
    else:
        text = decode(data, stream.name, warn)
        yield Document("", text, Metadata(title=headline(text)))


def _from_conllu(stream: Stream) -> Iterator[Document]:
    from tatian.formats.conllu import parse

    lines = (decode_utf8(line, stream.name, number) for number, line in stream.lines())
    return parse(lines, name="", path=stream.name)


def _from_parquet(path: str) -> Iterator[Document]:
    name = printable(path)
    number = 0
    for number, record in parquet_records(path, name):
        yield _document(record, f"{name}: record {number}", None)
    if not number:
        raise EmptyInput("empty: there are no records in it", path=name)


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


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class TextRecord(msgspec.Struct, frozen=True):
    """One text as people write it down by hand; other fields are ignored."""

    text: str
    id: str | int | None = None
    title: str | None = None
    date: str | None = None
    source: str | None = None
    topic: str | None = None

    def document(self) -> Document:
        """The same as a document, with an empty id if there is none."""
        about = Metadata(self.title, self.date, self.source, self.topic)
        return Document("" if self.id is None else str(self.id), self.text, about)


def from_lines(lines: Iterable[tuple[int, bytes]], path: str) -> Iterator[Document]:
    """The records of a JSONL file, from its numbered lines; blank lines are passed over."""
    found = False
    for number, line in lines:
        if content := line.removeprefix(_BYTE_ORDER_MARK).strip():
            found = True
            yield _document(_record(content, path, number), path, number)
    if not found:
        raise EmptyInput("empty: there are no records in it", path=path)


def from_json(data: bytes, path: str) -> Iterator[Document]:
    """The records of a JSON file that holds one object or a list of them, or of JSON lines."""
    content = data.removeprefix(_BYTE_ORDER_MARK).strip()
    if not content:
        raise EmptyInput("empty: there are no records in it", path=path)
    first, newline, _ = content.partition(b"\n")
    if newline and first.startswith(b"{") and first.rstrip().endswith(b"}"):
        yield from from_lines(enumerate(data.splitlines(), start=1), path)
        return
    whole = _record(content, path, None)
    if not isinstance(whole, list):
        yield _document(whole, path, None)
        return
    if not whole:
        raise EmptyInput("an empty list: there are no records in it", path=path)
    for number, value in enumerate(whole, start=1):
        yield _document(value, f"{path}: record {number}", None)


def _record(data: bytes, path: str, line: int | None) -> Any:
    try:
        return msgspec.json.decode(decode_utf8(data, path, line))
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"not valid JSON: {error}", path=path, line=line) from error


def _document(value: Any, where: str, line: int | None) -> Document:
    """A document from a record, or from what `Document.to_json` wrote."""
    try:
        if isinstance(value, dict) and value.keys() & {"metadata", "layers"}:
            document = Document.from_json(value)
        else:
            document = msgspec.convert(value, TextRecord).document()
    except msgspec.ValidationError as error:
        message = f"{error}, in a record of text, id?, title?, date?, source?, topic?"
        raise InputError(message.replace("`", "'"), path=where, line=line) from error
    except InputError as error:
        raise InputError(str(error).replace("`", "'"), path=where, line=line) from error
    if not document.text.strip():
        raise InputError("the text of the record is empty", path=where, line=line)
    return document


COLUMNS = ("text", "id", "title", "date", "source", "topic")
_BATCH = 256


def parquet_records(path: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with its number: those columns that a record may have, days in ISO 8601."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise MissingExtra("reading Parquet", "stories") from error
    number = 0
    try:
        with ParquetFile(path) as file:
            known = [column for column in COLUMNS if column in file.schema_arrow.names]
            for batch in file.iter_batches(_BATCH, columns=known):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {column: _plain(value) for column, value in row.items()}
    except (pyarrow.ArrowException, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise InputError(f"cannot be read as Parquet: {reason.lower()}", path=name) from error


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


_ARCHIVE = re.compile(r"\.(tar|tgz|tar\.(gz|bz2|xz))$", re.IGNORECASE)
_ECBPLUS = re.compile(r"\d+_\d+ecb(plus)?\.xml")
_RECORDS = re.compile(r"\.(jsonl?|ndjson)(\.gz)?$", re.IGNORECASE)


def read_clusters(
    paths: AnyPath | Iterable[AnyPath], *, warn: Warn | None = None
) -> Iterator[list[Document]]:
    """The documents of each cluster in turn.

    ECB+, packed or unpacked, has a cluster for each of its events. A directory is a cluster, and so
    is a JSON or JSONL file; records with a topic are kept apart from those of other topics, which
    must not lie between them. All other files together are one cluster. Documents of several
    directories or record files carry that name before their own.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    options = {} if warn is None else {"warn": warn}
    files: list[str] = []
    for name in [os.fspath(path) for path in given]:
        if is_ecbplus(name):
            from tatian.formats.ecbplus import read_ecbplus

            yield from _events(read_ecbplus(name, header=False))
        elif _RECORDS.search(name) or Path(name).is_dir():
            room = f"{Path(name).name}/" if len(given) > 1 else ""
            documents = (replace(one, id=room + one.id) for one in iterate(name, **options))
            for _, together in groupby(documents, key=lambda one: one.metadata.topic):
                yield list(together)
        else:
            files.append(name)
    if files:
        yield list(iterate(files, **options))


def is_ecbplus(path: str) -> bool:
    """Whether a path is an archive, or a directory that holds files named as ECB+ names them."""
    if _ARCHIVE.search(path):
        return True
    place = Path(path)
    return place.is_dir() and any(_ECBPLUS.fullmatch(file.name) for file in place.rglob("*.xml"))


def _events(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Topic by topic, so that only one is held; each topic has two events."""
    from tatian.formats.ecbplus import by_subtopic

    for _, topic in groupby(documents, key=lambda one: one.metadata.topic):
        yield from by_subtopic(topic).values()
