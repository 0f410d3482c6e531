"""Files of weights and data, in the package or the cache, verified by checksums."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from tatian.errors import AssetError

PACKAGE = Path(__file__).parent


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table, split at tabs; # begins a comment."""
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def sections(path: Path) -> dict[str, str]:
    """Return the sections of a text file by their names in square brackets; # is a comment."""
    lines = path.read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if line and not line.startswith("#"))
    _, *parts = re.split(r"^\[(.+)\]\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


class Asset(Struct, frozen=True):
    """A file of weights or data, identified by its checksum."""

    name: str
    sha256: str
    size: int
    licence: str
    path: str
    """Path relative to the installed package, or to the cache directory."""
    advice: str = "reinstall tatian"
    """Advice if the file is missing."""

    def locate(self) -> Path:
        """Return the file's path, verified once per process; raise `AssetError` otherwise."""
        for root in (PACKAGE, cache_directory()):
            candidate = root / self.path
            if candidate.is_file():
                _verify(candidate, self)
                return candidate
        raise AssetError(f"{self.name} is not installed: {self.advice}")

    def available(self) -> bool:
        """Return True if the file is there and intact."""
        try:
            self.locate()
        except AssetError:
            return False
        return True


def cache_directory() -> Path:
    """Return the folder of fetched assets: $TATIAN_CACHE, or else the user's cache directory."""
    if chosen := os.environ.get("TATIAN_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tatian"


@cache
def _verify(path: Path, asset: Asset) -> None:
    size = path.stat().st_size
    if size != asset.size:
        raise AssetError(f"{path} has {size} bytes, expected {asset.size}: {asset.advice}")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != asset.sha256:
        raise AssetError(f"{path} does not match its checksum: {asset.advice}")
