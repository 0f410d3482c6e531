"""Zip files from strangers: read in memory, within limits, without trusting any name or size."""

from __future__ import annotations

import io
import lzma
import posixpath
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile, ZipInfo

from tatian import limits
from tatian.errors import EmptyInput, InputError, NotText

_HEADER = b"PK\x01\x02"
_SECRET = 0x1
_DAMAGE = (
    BadZipFile,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    lzma.LZMAError,
    struct.error,
    zlib.error,
)
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class ZipArchive:
    """The files of a zip archive by their names, each read when it is asked for."""

    def __init__(self, data: bytes, name: str, what: str) -> None:
        """Open one that is in memory; `what` it is will be named where it is damaged."""
        self.name = name
        self._what = what
        self._left = limits.ARCHIVE_BYTES
        if data.count(_HEADER) > 4 * limits.ARCHIVE_FILES:
            raise InputError(f"more than {limits.ARCHIVE_FILES} files in it: divide it", path=name)
        try:
            self._zip = ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise NotText(f"a damaged {what}", path=name) from error
        self._infos = {one.filename: one for one in self._zip.infolist()}
        if len(self._infos) > limits.ARCHIVE_FILES:
            raise InputError(f"more than {limits.ARCHIVE_FILES} files in it: divide it", path=name)

    def __contains__(self, inner: str) -> bool:
        """Whether it has a file of this name."""
        return inner in self._infos

    def part(self, inner: str, limit: int = limits.ARCHIVE_PART_BYTES) -> bytes:
        """The content of one file; `InputError` where that is more than `limit` or all left."""
        info = self._infos.get(inner)
        if info is None:
            raise NotText(f"a damaged {self._what}: '{shown(inner)}' is missing", path=self.name)
        if info.flag_bits & _SECRET:
            raise NotText("encrypted: save it without a password first", path=self._where(inner))
        most = min(limit, self._left)
        try:
            with self._zip.open(info) as file:
                data = file.read(most + 1)
        except _DAMAGE as error:
            raise NotText(f"a damaged {self._what}", path=self._where(inner)) from error
        if len(data) > limit:
            message = f"larger than the limit of {limit // 2**20} MiB, unpacked"
            raise InputError(message, path=self._where(inner))
        if len(data) > most:
            message = f"more than {limits.ARCHIVE_BYTES // 2**20} MiB in it, unpacked: divide it"
            raise InputError(message, path=self.name)
        self._left -= len(data)
        return data

    def _where(self, inner: str) -> str:
        return f"{self.name}/{shown(inner)}" if self._what == "zip archive" else self.name

    def xml(self, inner: str) -> Element:
        """One file as a tree of XML whose names have lost their namespaces."""
        try:
            return xml_tree(self.part(inner))
        except expat.ExpatError as error:
            message = f"a damaged {self._what}: '{shown(inner)}' is no XML"
            raise NotText(message, path=self.name) from error

    def members(self) -> Iterator[str]:
        """The files that people put there, by name: no folders, nothing hidden, no Mac's notes."""
        infos = [one for one in self._infos.values() if not one.is_dir() and not _is_hidden(one)]
        if not infos:
            raise EmptyInput("an archive without files", path=self.name)
        if all(one.flag_bits & _SECRET for one in infos):
            raise NotText("encrypted: unpack it with its password first", path=self.name)
        yield from sorted(one.filename for one in infos)


def shown(inner: str) -> str:
    """A name from inside an archive that can be printed, on one line and without a path's roots."""
    parts = posixpath.normpath(inner.replace("\\", "/")).split("/")
    plain = "/".join(part for part in parts if part not in ("", ".", ".."))
    return _UNPRINTABLE.sub("\ufffd", plain)[-200:] or "\ufffd"


def is_hidden(name: str) -> bool:
    """Whether nobody put a file or folder of this name there: hidden, or a program's own."""
    return name.startswith((".", "~$")) or name in ("__MACOSX", "Thumbs.db", "desktop.ini")


def _is_hidden(info: ZipInfo) -> bool:
    parts = PurePosixPath(info.filename.replace("\\", "/")).parts
    return any(is_hidden(part) for part in parts if part not in (".", ".."))


def xml_tree(data: bytes) -> Element:
    """A tree of XML without namespaces; `ExpatError` for entities and for what is no XML."""
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    depth = 0

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > limits.XML_DEPTH:
            raise expat.ExpatError("nested too deeply")
        plain = {name.rpartition("}")[2]: value for name, value in given.items()}
        builder.start(tag.rpartition("}")[2], plain)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag.rpartition("}")[2])

    def refuse(*_: object) -> None:
        raise expat.ExpatError("entities are not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except (ValueError, LookupError) as error:
        raise expat.ExpatError(str(error)) from error
    return builder.close()
