"""The figures of one system: per instance, in total, by group, with their uncertainty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import tatian
from tatian.aggregation.data.records import Instance, same
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.statistics import Comparison, Score


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


By = Literal["type", "size", "seen"]
BYS: tuple[By, ...] = get_args(By)
SEEN, UNSEEN = "seen", "unseen"


def names_in(instances: Iterable[Instance]) -> frozenset[str]:
    """The names of all entities of some instances, whatever their case."""
    return frozenset(same(name) for one in instances for name in one.entities)


def any_seen(instance: Instance, names: frozenset[str]) -> bool:
    """Whether training met any of an instance's entities.

    TESA §3.4 counts as unseen the instances whose entities "do not overlap with entities in the
    training set at all".
    """
    return any(same(name) in names for name in instance.entities)


Test = Literal["bootstrap", "randomization"]
TESTS: tuple[Test, ...] = get_args(Test)


class Figures(Protocol):
    """The measures of one system on one task."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of all measures."""
        ...

    def score(self, measure: str) -> Score:
        """One measure with its error, interval and signature."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Plain data, fractions of 1, unrounded."""
        ...

    def signature(self) -> str:
        """One line that says how the figures were made; equal lines mean comparable figures."""
        ...


def plain(figures: Figures, instances: int) -> dict[str, Any]:
    """Fractions of 1, unrounded; a single instance has neither errors nor intervals."""
    scores = {measure: figures.score(measure) for measure in figures.measures}
    return {
        **{name: score.value for name, score in scores.items()},
        "standard_errors": {name: score.standard_error for name, score in scores.items()},
        "intervals": {name: msgspec.to_builtins(one.interval) for name, one in scores.items()},
        "instances": instances,
        "signature": figures.signature(),
    }


def compare(
    first: Figures, second: Figures, measure: str, *, test: Test = "randomization"
) -> Comparison:
    """Whether one system is better than another on the same task, or was lucky."""
    from tatian.statistics import approximate_randomization, paired_bootstrap

    decide = paired_bootstrap if test == "bootstrap" else approximate_randomization
    return decide(first.score(measure), second.score(measure))
