"""Documents from files of any kind, directories, archives, records and standard input."""

from __future__ import annotations

import os
import re
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tatian import formats, limits
from tatian.corpora.archives import (
    BY_ENDING,
    CONLLU_START,
    NOT_PROSE,
    READERS,
    ZipArchive,
    is_hidden,
    kind_of,
    printable_name,
)
from tatian.corpora.decoding import Refuse, Warn, decode, decode_utf8, refuse, refuse_binary
from tatian.errors import EmptyInput, InputError, MissingExtra, NotText
from tatian.text import Document, Metadata
from tatian.text.dates import written_day
from tatian.text.streams import STDIN, open_stream, printable, unreadable

if TYPE_CHECKING:
    from tatian.corpora.articles import Advance

AnyPath = str | os.PathLike[str]

PLAIN_BLANKS = dict.fromkeys((0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
"""Blanks of other widths or without a line break, and the plain blank for each."""
_MAX_HEADLINE_CHARACTERS = 120
"""Maximum number of characters of a headline."""
_ENDS_SENTENCE = re.compile(r"[.,;:][\"'”’)\]]*$")
PAPER_NAME = re.compile(
    r"(?:[A-Z][\w'’-]* |of |and |& ){0,4}(?:Advertiser|Agency|Argus|Bulletin|Chronicle|Courier"
    r"|Daily|Dispatch|Echo|Examiner|Express|Gazette|Globe|Guardian|Herald|Independent|Journal|Mail"
    r"|Messenger|Mirror|Monitor|News|Observer|Post|Press|Record|Register|Reporter|Review|Sentinel"
    r"|Standard|Star|Sun|Telegraph|Times|Tribune|Voice|Weekly|Wire|World)(?: Online| Agency)?"
)
"""Name of a newspaper, recognised by its last word."""
_MAX_DATE_WORDS = 4
"""Maximum number of words of a line that is a date."""


def _python_warning(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=2)


def read(paths: AnyPath | Iterable[AnyPath], *, warn: Warn = _python_warning) -> list[Document]:
    """Read every text in `paths`: files, directories, ``-`` for standard input.

    The first bytes of a file, or else its name, decide its type: plain text, an HTML page, Word,
    OpenDocument, PDF, RTF, EPUB, mail, subtitles, a zip archive of such files, JSON or JSONL
    records, Parquet, CoNLL-U (whose tokens and sentences are kept). All but Parquet may be gzipped.
    An id is the file's name without its endings, made unique. Plain text must be UTF-8, or UTF-16
    with a byte order mark, and stays exactly as it is. `warn` receives notices of text that was
    read as Windows-1252 and of files in a directory that were skipped. One file may have 64 MiB.
    """
    documents = []
    total = 0
    for document in iterate(paths, warn=warn):
        total += len(document.text)
        if total > limits.TOTAL_CHARACTERS:
            limit = f"{limits.TOTAL_CHARACTERS // 10**6} million characters"
            raise InputError(f"too much to read at once: the limit is {limit}")
        documents.append(document)
    if not documents:
        raise EmptyInput("nothing to read: no files were given")
    return documents


def read_sources(accounts: Iterable[AnyPath | Document]) -> list[Document]:
    """Return sources of one story, given as paths or documents, with unique ids.

    Every kind of blank becomes a plain one, which later patterns expect; offsets do not change.
    """
    documents: list[Document] = []
    for item in accounts:
        documents.extend([item] if isinstance(item, Document) else read([item]))
    if not documents:
        raise EmptyInput("no sources given: name at least one file")
    taken: dict[str, int] = {}
    return [
        replace(document, id=unique(document.id, taken), text=document.text.translate(PLAIN_BLANKS))
        for document in documents
    ]


def iterate(
    paths: AnyPath | Iterable[AnyPath],
    *,
    warn: Warn = _python_warning,
    refuse: Refuse = refuse,
    advance: Advance | None = None,
    taken: dict[str, int] | None = None,
) -> Iterator[Document]:
    """Yield documents like `read`, one at a time; JSONL and CoNLL-U of any size are streamed.

    `refuse` receives the error of every unreadable record or file; unless it raises it, reading
    goes on. `advance` receives the number of bytes read of a JSONL file. `taken` holds the number
    of times that each id was used before.
    """
    taken = {} if taken is None else taken
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        try:
            for document in _read_any(os.fspath(path), warn, refuse, advance):
                yield replace(document, id=unique(document.id, taken))
        except InputError as error:
            refuse(error)


def read_bytes(
    data: bytes,
    name: str,
    *,
    warn: Warn = _python_warning,
    wanted: Callable[[], bool] = lambda: True,
) -> list[Document]:
    """Read the content of an uploaded file as `read` does; no file is opened.

    The last part of the name gives the ending and the id. An archive gives all its texts. A
    `TatianError` of one line is raised if the data are unreadable or take too long, or if `wanted`
    returns False.
    """
    base_name = re.split(r"[/\\]", printable(name))[-1].strip() or "text"
    taken: dict[str, int] = {}
    documents = _read_file(base_name, warn, data=data, wanted=wanted)
    return [replace(document, id=unique(document.id, taken)) for document in documents]


def _read_any(path: str, warn: Warn, refuse: Refuse, advance: Advance | None) -> Iterator[Document]:
    if not path:
        raise InputError("a file name is empty")
    try:
        if path == STDIN or not Path(path).is_dir():
            return _read_file(path, warn, refuse, advance)
        files = [file for file in Path(path).iterdir() if file.is_file()]
    except OSError as error:
        raise unreadable(path, error) from error
    return _read_directory(path, sorted(files), warn)


def _read_directory(path: str, files: list[Path], warn: Warn) -> Iterator[Document]:
    visible = [str(file) for file in files if not is_hidden(file.name)]
    readers = ((file, partial(_read_file, file)) for file in visible)
    has_documents = yield from _read_each(readers, warn)
    if not has_documents:
        message = "no text directly in this directory (subdirectories are not searched)"
        raise EmptyInput(message, path=printable(path))


def _read_archive(
    data: bytes, name: str, warn: Warn, wanted: Callable[[], bool]
) -> Iterator[Document]:
    archive = ZipArchive(data, name, "zip archive")
    problems: list[str] = []
    deadline = time.monotonic() + limits.ARCHIVE_SECONDS

    def record_problem(message: str) -> None:
        problems.append(message)
        warn(message)

    def read_member(inner: str, path: str, warn: Warn) -> Iterator[Document]:
        if time.monotonic() > deadline:
            message = f"takes longer than the limit of {limits.ARCHIVE_SECONDS:.0f} seconds to read"
            raise InputError(f"{message}: divide it", path=name)
        content = archive.part(inner, limits.DOCUMENT_BYTES)
        return _read_file(path, warn, data=content, in_archive=True, wanted=wanted)

    paths = {inner: f"{name}/{printable_name(inner)}" for inner in archive.members()}
    readers = ((path, partial(read_member, inner, path)) for inner, path in paths.items())
    has_documents = yield from _read_each(readers, record_problem)
    if not has_documents:
        message = "an archive without a readable text"
        raise EmptyInput(f"{message} ({problems[-1]})" if problems else message, path=name)


def _read_each(
    files: Iterable[tuple[str, Callable[[Warn], Iterator[Document]]]], warn: Warn
) -> Generator[Document, None, bool]:
    """Yield the documents of all readable files; return whether there were any."""
    has_documents = False
    for path, open_documents in files:
        if not is_prose(Path(path).name):
            warn(f"skipped: {printable(path)}: its name is not that of a text; name it to read it")
            continue
        try:
            for document in open_documents(warn):
                has_documents = True
                yield document
        except (NotText, EmptyInput) as error:
            warn(f"skipped: {error}")
        except MissingExtra as error:
            warn(f"skipped: {printable(path)}: {error}")
    return has_documents


def is_prose(name: str) -> bool:
    """Return whether the name of a file in a directory may be that of a text."""
    ending = Path(name.removesuffix(".gz")).suffix.lower()
    return not name.startswith(".") and ending not in NOT_PROSE


def name_text(path: str) -> tuple[str, str]:
    """Return the default id of a file's text, and the ending of its name."""
    name = Path(printable(path).removesuffix(".gz"))
    return ("stdin" if path == STDIN else name.stem), name.suffix.lower()


def _read_file(
    path: str,
    warn: Warn,
    refuse: Refuse = refuse,
    advance: Advance | None = None,
    *,
    data: bytes | None = None,
    in_archive: bool = False,
    wanted: Callable[[], bool] = lambda: True,
) -> Iterator[Document]:
    """Yield the documents of one file, which may lie in an archive."""
    stem, ending = name_text(path)
    kind = "added" if formats.added_format(path) else BY_ENDING.get(ending, "unknown")
    if kind == "parquet" and data is None:
        from tatian.corpora.records import from_parquet

        documents = from_parquet(path, refuse)
    elif kind == "lines":
        documents = _read_lines(path, refuse, advance, data)
    else:
        documents = _read_whole(path, kind, warn, data, in_archive, wanted)
    for document in documents:
        metadata = document.metadata
        yield replace(
            document,
            id=document.id or stem,
            metadata=metadata if metadata.path else replace(metadata, path=printable(path)),
        )


def _read_lines(
    path: str, refuse: Refuse, advance: Advance | None, data: bytes | None
) -> Iterator[Document]:
    with open_stream(path, data=data) as stream:
        refuse_binary(stream.head(), stream.name)
        from tatian.corpora.records import from_lines

        yield from from_lines(stream.lines(advance), stream.name, refuse)


def _read_whole(
    path: str,
    kind: str,
    warn: Warn,
    data: bytes | None,
    in_archive: bool,
    wanted: Callable[[], bool],
) -> Iterator[Document]:
    with open_stream(path, data=data) as stream:
        head = stream.head()
        if kind == "conllu" or (kind == "unknown" and CONLLU_START.match(head)):
            from tatian.formats.conllu import parse

            refuse_binary(head, stream.name)
            lines = (decode_utf8(line, stream.name, number) for number, line in stream.lines())
            yield from parse(lines, name="", path=stream.name)
            return
        data = stream.read()
    if kind == "added" and (format := formats.added_format(path)):
        yield from format.read(decode(data, stream.name, warn), stream.name)
        return
    kind = kind_of(data, kind, stream.name)
    if kind == "zip":
        if in_archive:
            raise NotText("an archive inside an archive: unpack it first", path=stream.name)
        yield from _read_archive(data, stream.name, warn, wanted)
    elif kind in READERS:
        from tatian.corpora.isolation import read_isolated

        for document in read_isolated(kind, data, stream.name, warn, wanted):
            metadata = document.metadata
            if kind != "page":
                metadata = add_heading(metadata, document.text)
            yield replace(document, metadata=metadata)
    elif kind == "json":
        from tatian.corpora.records import from_json

        yield from from_json(data, stream.name)
    else:
        text = decode(data, stream.name, warn)
        yield Document("", text, heading(text))


def heading(text: str) -> Metadata:
    """Return the heading of a text: a headline, perhaps after a paper's name and a date."""
    paper, _, rest = text.lstrip("\ufeff \t\r\n").partition("\n")
    line, _, below = rest.lstrip().partition("\n")
    has_paper = len(line.split()) <= _MAX_DATE_WORDS and PAPER_NAME.fullmatch(paper.strip())
    day = written_day(line) if has_paper else None
    if day is None:
        return Metadata(title=headline(text))
    return Metadata(headline(below), day.isoformat(), paper.strip())


def add_heading(metadata: Metadata, text: str) -> Metadata:
    """Complete the metadata of a text by its heading."""
    from_text = heading(text)
    return replace(
        metadata,
        title=metadata.title or from_text.title,
        date=metadata.date or from_text.date,
        source=metadata.source or from_text.source,
    )


def headline(text: str) -> str | None:
    """Return the first line if it is short, has no full stop, and a blank line follows."""
    first, _, rest = text.lstrip("\ufeff \t\r\n").partition("\n")
    title = first.strip().lstrip("#").lstrip()
    if not title or len(title) > _MAX_HEADLINE_CHARACTERS or _ENDS_SENTENCE.search(title):
        return None
    below, _, body = rest.partition("\n")
    return None if below.strip() or not body.strip() else title


def unique(name: str, taken: dict[str, int]) -> str:
    """Return `name`, or the first of name-2, name-3, ... that is not yet in `taken`."""
    count = taken.get(name, 0) + 1
    candidate = name if count == 1 else f"{name}-{count}"
    while count > 1 and candidate in taken:
        count += 1
        candidate = f"{name}-{count}"
    taken[name] = count
    taken.setdefault(candidate, 1)
    return candidate


_ARCHIVE_NAME = re.compile(r"\.(tar|tgz|tar\.(gz|bz2|xz))$", re.IGNORECASE)
_ECBPLUS_NAME = re.compile(r"\d+_\d+ecb(plus)?\.xml")
_RECORDS_NAME = re.compile(r"\.(jsonl?|ndjson)(\.gz)?$", re.IGNORECASE)


def read_clusters(
    paths: AnyPath | Iterable[AnyPath], *, warn: Warn = _python_warning
) -> Iterator[list[Document]]:
    """Yield the documents of each cluster in turn.

    ECB+, as an archive or a directory, has a cluster for each of its events. A directory is a
    cluster, and so is a JSON or JSONL file; if records have topics, every run of records of one
    topic is a cluster. All other files together are one cluster. With several directories or record
    files, their names are put before the ids of their documents.
    """
    all_paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files: list[str] = []
    for name in [os.fspath(path) for path in all_paths]:
        if is_ecbplus(name):
            from tatian.formats.ecbplus import by_subtopic, read_ecbplus

            # Topic by topic, so that only one is held.
            for _, topic in groupby(read_ecbplus(name, header=False), key=_topic):
                yield from by_subtopic(topic).values()
        elif _RECORDS_NAME.search(name) or Path(name).is_dir():
            folder = f"{Path(name).name}/" if len(all_paths) > 1 else ""
            documents = (replace(text, id=folder + text.id) for text in iterate(name, warn=warn))
            for _, cluster in groupby(documents, key=_topic):
                yield list(cluster)
        else:
            files.append(name)
    if files:
        yield list(iterate(files, warn=warn))


def is_ecbplus(path: str) -> bool:
    """Return whether a path is an archive, or a directory with files named like ECB+'s."""
    if _ARCHIVE_NAME.search(path):
        return True
    return any(_ECBPLUS_NAME.fullmatch(file.name) for file in Path(path).rglob("*.xml"))


def _topic(document: Document) -> str | None:
    return document.metadata.topic
