"""A uniform sample of instances whose number nobody knows before, the same for the same seed."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from tatian.aggregation.data.records import Instance


class Sample:
    """Keeps the `size` instances whose ids fall lowest under a hash made with the seed.

    Which they are depends neither on the order of the corpus nor on where a run was broken off;
    they come out in the order they were met.
    """

    def __init__(self, size: int, seed: int = 0, kept: Iterable[Instance] = ()) -> None:
        if size < 1:
            raise ValueError("a sample has at least one instance")
        self.size = size
        self._key = seed.to_bytes(16, "big", signed=True)
        self._heap: list[tuple[int, int, Instance]] = []
        self._met = 0
        for instance in kept:
            self.add(instance)

    def add(self, instance: Instance) -> None:
        """Meet one more instance."""
        self._met += 1
        entry = (-self._rank(instance.id), -self._met, instance)
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)
        elif entry[:2] > self._heap[0][:2]:
            heapq.heapreplace(self._heap, entry)

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Instance]:
        for _, _, instance in sorted(self._heap, key=lambda entry: -entry[1]):
            yield instance

    def _rank(self, id: str) -> int:
        digest = blake2b(id.encode("utf-8", "surrogatepass"), key=self._key, digest_size=8)
        return int.from_bytes(digest.digest(), "big")
