"""Reading of a file, a directory or an archive as texts."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from tatian import limits
from tatian.errors import EmptyInput, InputError, NotText
from tatian.text.streams import open_stream, printable, unreadable

_TAR_SIGNATURE = slice(257, 262)


class OpenedFiles(Struct, frozen=True):
    """The texts of the files of a path, by their names in it."""

    name: str
    files: dict[str, str]
    several: bool = False
    """True if the path is a directory or an archive."""
    encodings: frozenset[str] = frozenset()
    """Encodings of their bytes."""


def open_files(
    path: str, wanted: Callable[[str], bool] = bool, what: str = "files with mentions"
) -> OpenedFiles:
    """Read all files of `path` (``-`` is standard input), gzip unpacked.

    Of a directory or archive, files are read whose names are `wanted` and not hidden. If there are
    none, the error says that there are no `what`.
    """
    several = path != "-" and Path(path).is_dir()
    if several:
        name, decoded = printable(str(Path(path))), _directory(Path(path), wanted)
    else:
        with open_stream(path, limit=limits.ANNOTATED_BYTES) as stream:
            data, name = stream.read(), stream.name
        several = data[_TAR_SIGNATURE] == b"ustar"
        decoded = _archive(data, name, wanted) if several else {name: decode(data, name)}
    if not decoded:
        raise EmptyInput(f"the input contains no {what}", path=name)
    texts = {inner: text for inner, (text, _) in decoded.items()}
    encodings = frozenset(encoding for _, encoding in decoded.values())
    return OpenedFiles(name, texts, several, encodings)


def _directory(folder: Path, wanted: Callable[[str], bool]) -> dict[str, tuple[str, str]]:
    files: dict[str, tuple[str, str]] = {}
    bytes_left = limits.ANNOTATED_BYTES
    try:
        paths = [file_path for file_path in sorted(folder.rglob("*")) if file_path.is_file()]
    except OSError as error:
        raise unreadable(str(folder), error) from error
    for file in paths:
        inner = printable(file.relative_to(folder).as_posix())
        if _is_hidden(inner) or not wanted(inner):
            continue
        with open_stream(str(file), limit=bytes_left) as stream:
            data = stream.read()
        bytes_left -= len(data)
        files[inner] = decode(data, stream.name)
    return files


def _archive(data: bytes, name: str, wanted: Callable[[str], bool]) -> dict[str, tuple[str, str]]:
    files: dict[str, tuple[str, str]] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                inner = member.name.removeprefix("./")
                is_wanted = member.isfile() and not _is_hidden(inner) and wanted(inner)
                handle = archive.extractfile(member) if is_wanted else None
                if handle is not None:
                    files[inner] = decode(handle.read(), f"{name}/{inner}")
    except tarfile.TarError as error:
        raise InputError(f"damaged archive ({error})", path=name) from error
    return files


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def decode(data: bytes, name: str) -> tuple[str, str]:
    """Return bytes as text, and their encoding: UTF-8, or else Latin-1.

    Line ends and a byte order mark are kept. Old SGML files are in Latin-1.
    """
    if b"\x00" in data:
        raise NotText("not text: it has zero bytes", path=name)
    try:
        text, encoding = data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    if not text.strip("\ufeff \t\r\n"):
        raise EmptyInput("the file is empty", path=name)
    return text, encoding
