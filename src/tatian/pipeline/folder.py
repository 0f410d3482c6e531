"""Where shards lie: a directory, or what fsspec takes for one; a file is whole or absent."""

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
from tatian.corpora.reading import is_prose, named, unique
from tatian.errors import EmptyInput, InputError
from tatian.text.streams import STDIN, file_system, is_address, printable, unreadable

_PARTIAL = ".partial"


class Folder(Struct, frozen=True):
    """A directory of this machine, or one at an address (``s3://bucket/run``)."""

    path: str

    def make(self) -> None:
        """Make it, unless it is there."""
        with self._writing():
            if is_address(self.path):
                system, place = file_system(self.path)
                system.makedirs(place, exist_ok=True)
            else:
                Path(self.path).mkdir(parents=True, exist_ok=True)

    def names(self) -> set[str]:
        """The files in it that are whole."""
        if is_address(self.path):
            system, place = file_system(self.path)
            system.invalidate_cache()
            found = [one.rsplit("/", 1)[-1] for one in system.ls(place, detail=False)]
        else:
            found = [path.name for path in Path(self.path).iterdir()]
        return {name for name in found if not name.endswith(_PARTIAL)}

    def read(self, name: str) -> bytes:
        """What a file holds."""
        if is_address(self.path):
            system, place = file_system(self.path)
            found: bytes = system.cat_file(f"{place}/{name}")
            return found
        return (Path(self.path) / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        """Written under another name, synced and renamed: whole or absent, whoever is killed."""
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
        """Take a file away, if it is there."""
        if is_address(self.path):
            system, place = file_system(self.path)
            if system.exists(f"{place}/{name}"):
                system.rm_file(f"{place}/{name}")
        else:
            (Path(self.path) / name).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what workers that were killed have left."""
        if is_address(self.path):
            system, place = file_system(self.path)
            for one in system.ls(place, detail=False):
                if one.endswith(_PARTIAL):
                    system.rm_file(one)
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
    """A file of the input, and what tells whether it is still the same."""

    path: str
    size: int
    mark: str
    before: int = 0
    """How often its name was given as an id before."""


def input_files(paths: Sequence[str], warn: Warn = lambda message: None) -> list[InputFile]:
    """The files behind `paths`, in order: of a directory those directly in it that may be prose.

    An address may have wildcards: ``s3://bucket/2024/*.jsonl.gz``.
    """
    found: list[InputFile] = []
    names: dict[str, int] = {}
    for path in paths:
        if path == STDIN:
            raise InputError("standard input cannot be shared out: name a file", path=STDIN)
        here = list(_at_address(path) if is_address(path) else _here(path, warn))
        if not here:
            raise EmptyInput("there are no texts in it", path=printable(path))
        for file in here:
            name, _ = named(file.path)
            unique(name, names)
            found.append(replace(file, before=names[name] - 1))
    return found


def _here(path: str, warn: Warn) -> Iterator[InputFile]:
    place = Path(path)
    try:
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        for file in files:
            if file == place or (file.is_file() and is_prose(file.name)):
                about = file.stat()
                yield InputFile(str(file), about.st_size, str(about.st_mtime_ns))
            elif file.is_file() and not is_hidden(file.name):
                warn(f"passed over: {printable(str(file))}: no prose by its name")
    except OSError as error:
        raise unreadable(path, error) from error


def _at_address(path: str) -> Iterator[InputFile]:
    system, place = file_system(path)
    try:
        found: dict[str, Any] = system.glob(place, detail=True)
        for name, about in sorted(found.items()):
            if about["type"] == "directory":
                inside = system.ls(name, detail=True)
            else:
                inside = [about]
            for one in sorted(inside, key=lambda file: str(file["name"])):
                if one["type"] == "file" and is_prose(one["name"].rsplit("/", 1)[-1]):
                    address = system.unstrip_protocol(one["name"])
                    yield InputFile(address, one["size"] or 0, str(system.ukey(one["name"])))
    except OSError as error:
        raise unreadable(path, error) from error
