"""One line that says exactly how a figure was made, so that two figures can be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from msgspec import Struct

import tatian


class Signature(Struct, frozen=True, omit_defaults=True):
    """The circumstances of a score: equal signatures mean comparable figures.

    Prints as ``rouge1|stem:yes|n:349|bs:1000|seed:1|data:5f1c0a9be2d4|version:0.1.0``.
    """

    metric: str
    items: int
    resamples: int
    seed: int
    data: str
    """Fingerprint of what was scored against."""
    version: str
    options: dict[str, str] = {}

    @classmethod
    def of(
        cls,
        metric: str,
        *,
        items: int,
        resamples: int,
        seed: int,
        data: str,
        options: dict[str, str] | None = None,
    ) -> Signature:
        """The signature of a score made by this version of Tatian."""
        return cls(metric, items, resamples, seed, data, tatian.__version__, options or {})

    def __str__(self) -> str:
        fields = [
            *self.options.items(),
            ("n", self.items),
            ("bs", self.resamples),
            ("seed", self.seed),
            ("data", self.data),
            ("version", self.version),
        ]
        return "|".join([self.metric, *(f"{name}:{value}" for name, value in fields)])


def fingerprint(records: Iterable[str]) -> str:
    """The first 12 digits of the SHA-256 of `records`, whose order and boundaries both count."""
    digest = hashlib.sha256()
    for record in records:
        encoded = record.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()[:12]
