"""Folders of shards, on disk or at an address for fsspec, with atomic writes."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tatian.corpora.archives import is_hidden
from tatian.corpora.decoding import Warn
from tatian.corpora.reading import is_prose, name_text, unique
from tatian.errors import EmptyInput, InputError
from tatian.text.streams import STDIN, file_system, is_address, printable, unreadable

_PARTIAL = ".partial"


class Folder(Struct, frozen=True):
    """A directory of this machine, or one at an address (``s3://bucket/run``)."""

    path: str

    def make(self) -> None:
        """Create it, unless it exists."""
        with self._writing():
            if is_address(self.path):
                system, place = file_system(self.path)
                system.makedirs(place, exist_ok=True)
            else:
                Path(self.path).mkdir(parents=True, exist_ok=True)

    def names(self) -> set[str]:
        """Return the names of the complete files in it."""
        if is_address(self.path):
            system, place = file_system(self.path)
            system.invalidate_cache()
            names = [path.rsplit("/", 1)[-1] for path in system.ls(place, detail=False)]
        else:
            names = [path.name for path in Path(self.path).iterdir()]
        return {name for name in names if not name.endswith(_PARTIAL)}

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        if is_address(self.path):
            system, place = file_system(self.path)
            data: bytes = system.cat_file(f"{place}/{name}")
            return data
        return (Path(self.path) / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically: under a temporary name, which is synced and renamed."""
        partial = f".{name}.{uuid.uuid4().hex[:8]}{_PARTIAL}"
        with self._writing():
            if is_address(self.path):
                system, place = file_system(self.path)
                system.pipe_file(f"{place}/{partial}", data)
                system.mv(f"{place}/{partial}", f"{place}/{name}")
                return
            unfinished = Path(self.path) / partial
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(Path(self.path) / name)

    def remove(self, name: str) -> None:
        """Delete a file, if it exists."""
        if is_address(self.path):
            system, place = file_system(self.path)
            if system.exists(f"{place}/{name}"):
                system.rm_file(f"{place}/{name}")
        else:
            (Path(self.path) / name).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove the partial files of killed workers."""
        if is_address(self.path):
            system, place = file_system(self.path)
            for name in system.ls(place, detail=False):
                if name.endswith(_PARTIAL):
                    system.rm_file(name)
            return
        for path in Path(self.path).glob(f".*{_PARTIAL}"):
            path.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot be written: {reason}", path=printable(self.path)) from error


class InputFile(Struct, frozen=True):
    """An input file with its size in bytes, and a mark that changes with its content."""

    path: str
    size: int
    mark: str
    before: int = 0
    """Number of earlier files with the same name, for unique ids."""


def input_files(paths: Sequence[str], warn: Warn = lambda message: None) -> list[InputFile]:
    """Return the files of paths and wildcards, and the prose files in directories."""
    files: list[InputFile] = []
    names: dict[str, int] = {}
    for path in paths:
        if path == STDIN:
            raise InputError("standard input cannot be distributed: name a file", path=STDIN)
        matches = list(_remote_files(path) if is_address(path) else _local_files(path, warn))
        if not matches:
            raise EmptyInput("there are no texts in it", path=printable(path))
        for file in matches:
            name, _ = name_text(file.path)
            unique(name, names)
            files.append(replace(file, before=names[name] - 1))
    return files


def _local_files(path: str, warn: Warn) -> Iterator[InputFile]:
    place = Path(path)
    try:
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        for file in files:
            if file == place or (file.is_file() and is_prose(file.name)):
                about = file.stat()
                yield InputFile(str(file), about.st_size, str(about.st_mtime_ns))
            elif file.is_file() and not is_hidden(file.name):
                warn(f"skipped: {printable(str(file))}: its name is not that of a text")
    except OSError as error:
        raise unreadable(path, error) from error


def _remote_files(path: str) -> Iterator[InputFile]:
    system, place = file_system(path)
    try:
        entries: dict[str, Any] = system.glob(place, detail=True)
        for name, about in sorted(entries.items()):
            if about["type"] == "directory":
                inside = system.ls(name, detail=True)
            else:
                inside = [about]
            for file in sorted(inside, key=lambda entry: str(entry["name"])):
                if file["type"] == "file" and is_prose(file["name"].rsplit("/", 1)[-1]):
                    address = system.unstrip_protocol(file["name"])
                    yield InputFile(address, file["size"] or 0, str(system.ukey(file["name"])))
    except OSError as error:
        raise unreadable(path, error) from error
