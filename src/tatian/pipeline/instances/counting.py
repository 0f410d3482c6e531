"""What each step of the extraction left out and kept, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tatian.aggregation.data.records import TYPES

TOTALS = {
    "articles": "articles read",
    "repeated articles": "left out: an article with the same id came before",
    "articles without sets": "left out: no two entities of one type in the text or in the abstract",
    "entities": "different entities of the articles",
    "entities not mentioned": "left out: neither the text nor the abstract mentions them by name",
    "sets": "sets of two to six mentioned entities of one type",
    "sets not close": "left out: neither together in a window of sentences nor in the abstract",
    "crowded windows": "passed over: windows with too many entities of one type",
    "windows": "windows of sentences that mention a whole set",
    "repeated windows": "left out: the same sentences, once the neighbour is added",
    "abstracts": "abstracts that mention a whole set",
    "instances": "instances found",
    "entities in instances": "entities of all instances",
    "background asked": "entities looked up in the knowledge base",
    "background found": "of these, with a page that says something",
    "sampled": "instances drawn",
}
"""Every figure, in the order of the steps, with what it counts."""


class Counts:
    """The figures of one extraction; whole numbers that add up over runs."""

    def __init__(self, values: Mapping[str, int] | None = None) -> None:
        self._values = Counter(values or {})

    def add(self, name: str, count: int = 1, *, type: str = "", size: int = 0) -> None:
        """Count `name`, and where given, also for one type and one size of set."""
        if name not in TOTALS:
            raise KeyError(name)
        self._values[name] += count
        if type:
            self._values[f"{name}/{type}"] += count
        if size:
            self._values[f"{name}//{size}"] += count

    def __getitem__(self, name: str) -> int:
        return self._values[name]

    def values(self) -> dict[str, int]:
        """All figures, to be kept and given to another `Counts`."""
        return dict(sorted(self._values.items()))

    def rows(self) -> Iterator[tuple[str, int, tuple[int | None, ...], str]]:
        """Each figure with its total, its share of each type if known, and what it counts."""
        for name, meaning in TOTALS.items():
            if name in self._values:
                by_type = tuple(self._values.get(f"{name}/{type}") for type in TYPES)
                yield name, self._values[name], by_type, meaning

    def sizes(self) -> dict[int, int]:
        """How many instances have how many entities."""
        prefix = "instances//"
        found = {
            int(name.removeprefix(prefix)): count
            for name, count in self._values.items()
            if name.startswith(prefix)
        }
        return dict(sorted(found.items()))

    @property
    def mean_size(self) -> float:
        """Entities per instance; 0 without instances."""
        return self["entities in instances"] / max(1, self["instances"])
