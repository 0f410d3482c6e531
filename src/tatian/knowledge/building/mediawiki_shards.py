"""Finished batches of a long build kept on disk, so that a restart goes on where it stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.knowledge.building.pages import Page, Redirect

PARSER = 1
"""Raised when the parser gives other results, so that old shards are not taken for new ones."""

_MANIFEST = "manifest.json"


class Record(Struct, frozen=True, array_like=True):
    """A page or a redirect, as a shard has it."""

    page: Page | None
    redirect: Redirect | None

    @property
    def item(self) -> Page | Redirect:
        """Whichever it is."""
        found = self.page or self.redirect
        assert found is not None
        return found


class Manifest(Struct, frozen=True, kw_only=True):
    """Which file the shards came from, and whether all of it is there."""

    name: str
    size: int
    mtime: int
    batch: int
    parser: int = PARSER
    batches: int | None = None
    """How many there are in all; None until the end was reached."""


_records = msgspec.msgpack.Decoder(list[Record])


def encode(items: list[Page | Redirect]) -> bytes:
    """A batch's pages and redirects as one shard."""
    return msgspec.msgpack.encode(
        [Record(item, None) if isinstance(item, Page) else Record(None, item) for item in items]
    )


def decode(shard: bytes) -> list[Page | Redirect]:
    """The pages and redirects of a shard."""
    return [record.item for record in _records.decode(shard)]


class Shards:
    """A directory of shards of one export."""

    def __init__(self, directory: Path, dump: Path, batch: int) -> None:
        self._directory = directory
        stat = dump.stat()
        now = Manifest(name=dump.name, size=stat.st_size, mtime=stat.st_mtime_ns, batch=batch)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            before = self._read()
            if before is None or msgspec.structs.replace(before, batches=None) != now:
                self._clear()
                before = now
                self._write(now)
        except OSError as error:
            raise InputError(
                f"cannot be used as the directory of unfinished work: {error.strerror}",
                path=str(directory),
            ) from error
        self.manifest = before

    @property
    def is_complete(self) -> bool:
        """Whether nothing of the export needs to be read again."""
        count = self.manifest.batches
        return count is not None and all(map(self.has, range(count)))

    def all(self) -> Iterator[bytes]:
        """Every shard, in order."""
        for number in range(self.manifest.batches or 0):
            yield self.get(number)

    def has(self, number: int) -> bool:
        """Whether a batch was finished."""
        return self._path(number).exists()

    def get(self, number: int) -> bytes:
        """The shard of a finished batch."""
        return self._path(number).read_bytes()

    def put(self, number: int, shard: bytes) -> None:
        """Keep the shard of a finished batch."""
        write_whole(self._path(number), shard)

    def complete(self, batches: int) -> None:
        """Note that there are no more batches than these."""
        self.manifest = msgspec.structs.replace(self.manifest, batches=batches)
        self._write(self.manifest)

    def _path(self, number: int) -> Path:
        return self._directory / f"{number:07d}.msgpack"

    def _read(self) -> Manifest | None:
        path = self._directory / _MANIFEST
        try:
            return msgspec.json.decode(path.read_bytes(), type=Manifest)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def _write(self, manifest: Manifest) -> None:
        write_whole(self._directory / _MANIFEST, msgspec.json.encode(manifest))

    def _clear(self) -> None:
        for shard in self._directory.glob("[0-9]*.msgpack"):
            shard.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """All of it or nothing, whenever the process ends."""
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(data)
    unfinished.replace(path)
