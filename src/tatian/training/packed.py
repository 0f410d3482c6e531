"""Training data in one file: MessagePack in gzip, of a known schema."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from tatian.errors import InputError


class Versioned(Protocol):
    """Data that says of which schema it is."""

    @property
    def schema(self) -> int:
        """Counted up when old files can no longer be read."""
        ...


T = TypeVar("T", bound=Versioned)


def write_packed(data: Versioned, path: Path) -> None:
    """Write the file; equal data make equal files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(msgspec.msgpack.encode(data), mtime=0))


def read_packed(path: Path, kind: type[T], schema: int, *, what: str, command: str) -> T:
    """The opposite of `write_packed`; errors say `what` it should be and which command makes it."""
    try:
        packed = gzip.decompress(path.read_bytes())
        data = msgspec.msgpack.decode(packed, type=kind)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError) as error:
        raise InputError(
            f"not data of {what} ({error}): make it with 'python -m tatian.training {command}'",
            path=str(path),
        ) from error
    if data.schema != schema:
        raise InputError(f"schema {data.schema} where {schema} is read", path=str(path))
    return data
