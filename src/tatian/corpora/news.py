"""Articles of the New York Times Annotated Corpus (LDC2008T19), or of any texts.

The corpus is ``data/YEAR/MONTH.tgz``, each with ``MONTH/DAY/NUMBER.xml``. It can be read as these
archives, as one archive of all of them, as unpacked folders, or as single files.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from msgspec import Struct

from tatian import limits
from tatian.corpora.articles import OTHER_YEARS, Advance, Article, ArticleSource, Years, in_years
from tatian.corpora.decoding import peek
from tatian.corpora.nitf import NotNitf, parse
from tatian.corpora.reading import iterate
from tatian.errors import InputError
from tatian.formats import Losses
from tatian.text.streams import STDIN, printable, unreadable


class Texts(Struct, frozen=True):
    """Plain texts, web pages, JSONL or CoNLL-U as `tatian.corpora.read` takes them."""

    paths: tuple[str, ...]
    forgiving: bool = False
    """True to count and skip unreadable records and files."""

    @property
    def name(self) -> str:
        """All paths, one per line."""
        return "\n".join(printable(path) for path in self.paths)

    @property
    def size(self) -> int:
        """Always 0: the size is unknown."""
        return 0

    def articles(self, years: Years | None, defects: Losses, advance: Advance) -> Iterator[Article]:
        """Yield each text as an article without an index; `years` excludes undated ones."""

        def refuse(error: InputError) -> None:
            if not self.forgiving:
                raise error
            defects.add_message(str(error))

        for document in iterate(self.paths, warn=defects.add_message, refuse=refuse):
            metadata = document.metadata
            date = metadata.date or ""
            if years is not None and not in_years(date, years):
                defects.add("articles without a date" if not date else OTHER_YEARS, document.id)
                continue
            yield Article(
                id=document.id,
                title=metadata.title or "",
                date=date[:10],
                path=metadata.path or "",
                document=document,
            )


def sources(
    paths: Sequence[str], *, years: Years | None = None, forgiving: bool = False
) -> list[ArticleSource]:
    """Return the sources of `paths`, in order: one per New York Times archive, one for all texts.

    A path belongs to the New York Times corpus if it is a tar archive, an NITF file, or a directory
    that contains any of these. Archives in folders of other years are left out.
    """
    corpus_sources: list[ArticleSource] = []
    plain: list[str] = []
    distinct: dict[str, str] = {}
    for path in paths:
        distinct.setdefault(path if path == STDIN else os.path.realpath(path), path)
    for path in distinct.values():
        if is_corpus(path):
            corpus_sources.extend(archives_in(path, years))
        else:
            plain.append(path)
    if plain:
        corpus_sources.append(Texts(tuple(plain), forgiving))
    if not corpus_sources:
        raise InputError("the corpus has nothing of these years", path=printable(paths[0]))
    return corpus_sources


_TAR_ENDINGS = (".tgz", ".tar.gz", ".tar")
_XML_ENDINGS = (".xml", ".xml.gz")
_YEAR = re.compile(r"(?:^|/)((?:19|20)\d\d)/\d\d?(?=/|\.(?:tgz|tar|tar\.gz)$)")
_TAR_ERRORS = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile)
_SIGNATURE_OFFSET = 257
"""Offset of a tar archive's signature."""
_HEAD_BYTES = 2000
"""Bytes within which an NITF file begins."""


def is_corpus(path: str) -> bool:
    """Return whether a path belongs to the corpus: an archive, an XML file, or a folder of them.

    The first XML file of a folder must be NITF: other texts may have XML files beside them.
    """
    if path == STDIN:
        head = peek(_HEAD_BYTES)
        return _is_tar(head) or b"<nitf" in head[:_HEAD_BYTES]
    if not Path(path).is_dir():
        return path.lower().endswith((*_TAR_ENDINGS, *_XML_ENDINGS))
    first = next(iter(archives_in(path, None)), None)
    return first is not None and (
        not first.files or b"<nitf" in _read(first.files[0])[:_HEAD_BYTES]
    )


class Archive(Struct, frozen=True):
    """A tar archive, a folder of XML files or one XML file."""

    path: str
    files: tuple[str, ...] = ()
    """The XML files of a folder; empty for an archive."""

    @property
    def name(self) -> str:
        """The path in printable form."""
        return printable(self.path)

    @property
    def size(self) -> int:
        """Bytes on disk, compressed."""
        return 0 if self.path == STDIN else sum(map(_size, self.files or (self.path,)))

    def articles(self, years: Years | None, defects: Losses, advance: Advance) -> Iterator[Article]:
        """Yield the articles in the order of the archive; damaged ones are counted and skipped."""
        for name, data in self._contents(years, defects, advance):
            if len(data) > limits.DOCUMENT_BYTES:
                defects.add("files above the size limit, left out", name)
                continue
            try:
                article = parse(data, name, defects)
            except NotNitf as error:
                defects.add(f"files left out: {error}", name)
                continue
            if years is not None and article.date and not in_years(article.date, years):
                defects.add(OTHER_YEARS, name)
                continue
            yield article

    def _contents(
        self, years: Years | None, defects: Losses, advance: Advance
    ) -> Iterator[tuple[str, bytes]]:
        if self.path == STDIN:
            yield from _from_stdin(years, defects)
            return
        if not self.files:
            yield from _from_archive(self.path, years, defects, advance)
            return
        done = 0
        for path in self.files:
            yield printable(path), _read(path)
            done += _size(path)
            advance(done)


def archives_in(path: str, years: Years | None) -> list[Archive]:
    """Return the corpus files of a path: the path itself, or archives and folders in it, sorted.

    Files in folders of other years are left out; the year of a single file is not checked.
    """
    if path == STDIN or not Path(path).is_dir():
        return [Archive(path, (path,) if path.lower().endswith(_XML_ENDINGS) else ())]
    archives: list[Archive] = []

    def refuse(error: OSError) -> None:
        raise error

    try:
        for folder, subfolders, files in os.walk(path, onerror=refuse):
            subfolders.sort()
            paths = [f"{folder}/{name}" for name in sorted(files) if not name.startswith(".")]
            wanted = [path for path in paths if _is_in_years(path, years)]
            archives += [Archive(path) for path in wanted if path.lower().endswith(_TAR_ENDINGS)]
            if xml := tuple(path for path in wanted if path.lower().endswith(_XML_ENDINGS)):
                archives.append(Archive(folder, xml))
    except OSError as error:
        raise unreadable(path, error) from error
    return sorted(archives, key=lambda archive: archive.path)


def _is_in_years(path: str, years: Years | None) -> bool:
    """Return whether the folders of a path name one of the years, or no year."""
    year = _YEAR.search(PurePosixPath(path).as_posix())
    return years is None or year is None or in_years(year[1], years)


def _is_tar(head: bytes) -> bool:
    return head.startswith(b"ustar", _SIGNATURE_OFFSET)


def _from_stdin(years: Years | None, defects: Losses) -> Iterator[tuple[str, bytes]]:
    head = peek(_HEAD_BYTES)
    if b"<nitf" in head[:_HEAD_BYTES] and not _is_tar(head):
        yield STDIN, _ungzip(sys.stdin.buffer.read(limits.DOCUMENT_BYTES + 1))
    else:
        yield from _members(sys.stdin.buffer, STDIN, years, defects, 1)


def _from_archive(
    path: str, years: Years | None, defects: Losses, advance: Advance
) -> Iterator[tuple[str, bytes]]:
    try:
        with Path(path).open("rb") as raw:
            count = 0
            for name, data in _members(raw, printable(path), years, defects, 1):
                count += 1
                advance(raw.tell())
                yield name, data
            if not count:
                defects.add("archives without articles", printable(path))
    except OSError as error:
        raise unreadable(path, error) from error


def _members(
    raw: IO[bytes], archive_name: str, years: Years | None, defects: Losses, depth: int
) -> Iterator[tuple[str, bytes]]:
    """Yield the XML files of an archive and of those in it, up to the first damage."""
    is_tar = False
    try:
        with tarfile.open(fileobj=raw, mode="r|*") as tar:
            is_tar = True
            while (member := tar.next()) is not None:
                tar.members = []  # type: ignore[attr-defined]  # saves memory
                name = f"{archive_name}/{member.name}"
                lower = member.name.lower()
                is_kind = lower.endswith((*_TAR_ENDINGS, *_XML_ENDINGS))
                is_hidden = PurePosixPath(lower).name.startswith(".")
                if not is_kind or is_hidden or not _is_in_years(member.name, years):
                    continue
                content = tar.extractfile(member) if member.isfile() else None
                if content is None:
                    continue
                if lower.endswith(_XML_ENDINGS):
                    yield name, _ungzip(content.read(limits.DOCUMENT_BYTES + 1))
                elif depth < limits.NEWS_ARCHIVE_DEPTH:
                    yield from _members(content, name, years, defects, depth + 1)
                else:
                    defects.add("archives nested too deeply, left out", name)
    except _TAR_ERRORS as error:
        if not is_tar and depth == 1:
            raise InputError(f"not a tar archive ({error})", path=archive_name) from error
        defects.add("damaged archives, read as far as possible", archive_name)


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as raw:
            return _ungzip(raw.read(limits.DOCUMENT_BYTES + 1))
    except OSError as error:
        raise unreadable(path, error) from error


def _ungzip(data: bytes) -> bytes:
    """Return the content of a gzipped file, up to the size limit; other content unchanged."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as compressed:
            return compressed.read(limits.DOCUMENT_BYTES + 1)
    except (EOFError, zlib.error, OSError):
        return b""


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError as error:
        raise unreadable(path, error) from error
