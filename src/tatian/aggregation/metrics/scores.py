"""The figures of one system: per instance, in total, by group, with their uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

import tatian
from tatian.aggregation.metrics.figures import plain
from tatian.aggregation.metrics.groups import SEEN, UNSEEN, By
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.statistics import Score


class Judged(Struct, frozen=True):
    """The measures of one instance."""

    id: str
    type: str
    size: int
    """How many entities it has."""
    seen: bool | None
    """Whether training met any of its entities; None where no training data was given."""
    values: dict[str, float]
    """By the name that each measure's mean has."""


class Scores(Struct, frozen=True):
    """How well a system ranks the candidates of a task; make one with `score`."""

    instances: tuple[Judged, ...]
    cutoff: int
    data: str
    """The fingerprint of the task."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of all means: `map`, `r@10`, `mrr`."""
        return tuple(self.instances[0].values)

    @property
    def map(self) -> float:
        """Mean average precision."""
        return self.mean("map")

    @property
    def recall(self) -> float:
        """Mean recall at the cutoff."""
        return self.mean(f"r@{self.cutoff}")

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank."""
        return self.mean("mrr")

    def mean(self, measure: str) -> float:
        """The mean of one measure over the instances."""
        values = self._values(measure)
        return sum(values) / len(values)

    def score(self, measure: str = "map") -> Score:
        """The mean of one measure with its standard error, bootstrap interval and signature."""
        from tatian.statistics import Score

        return Score.of(
            f"aggregation.{measure}",
            self._values(measure),
            ids=[one.id for one in self.instances],
            data=self.data,
            options={"ties": "expected"},
        )

    def by(self, kind: By) -> dict[str, Scores]:
        """The same figures for each type, each number of entities, or seen and unseen entities."""
        found: dict[str, list[Judged]] = {}
        for one in sorted(self.instances, key=lambda one: _group(one, kind)):
            found.setdefault(str(_group(one, kind)), []).append(one)
        return {group: replace(self, instances=tuple(ones)) for group, ones in found.items()}

    def worst(self, count: int, measure: str = "map") -> tuple[Judged, ...]:
        """The instances with the lowest values, worst first; equal ones in the task's order."""
        self._values(measure)
        return tuple(sorted(self.instances, key=lambda one: one.values[measure])[:count])

    def signature(self) -> str:
        """One line that says how the figures were made; equal lines mean comparable figures."""
        fields = {
            "ties": "expected",
            "n": len(self.instances),
            "data": self.data,
            "version": tatian.__version__,
        }
        return "|".join(["aggregation", *(f"{name}:{value}" for name, value in fields.items())])

    def to_json(self) -> dict[str, Any]:
        """Plain data, fractions of 1, unrounded; a single instance has no intervals."""
        return plain(self, len(self.instances))

    def _values(self, measure: str) -> list[float]:
        if measure not in self.measures:
            raise InputError(f"no measure '{measure}': there are {', '.join(self.measures)}")
        return [one.values[measure] for one in self.instances]


def _group(judged: Judged, kind: By) -> str | int:
    if kind == "type":
        return judged.type
    if kind == "size":
        return judged.size
    if judged.seen is None:
        raise InputError("seen and unseen entities: the training instances are needed")
    return SEEN if judged.seen else UNSEEN
