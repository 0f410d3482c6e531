"""What people think of systems, in figures, and which automatic metrics agree with them.

Consolidation is the mean of coverage, faithfulness and redundancy (Hirsch et al. 2023, §7.1); the
lowest of the three says how many unions are without error (Figure 5).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.errors import InputError
from tatian.statistics import (
    Column,
    Correlation,
    Marked,
    Score,
    Table,
    fingerprint,
    kendall_tau,
    krippendorff_alpha,
)
from tatian.union.ratings.reading import CONTENT, CRITERIA, Criterion, Rating, merged

if TYPE_CHECKING:
    from tatian.scoring import Scores
    from tatian.union.data import UnionInstance


HUMAN = (*CONTENT, "consolidation", "fluency")
"""The columns of Table 4 that people fill, in its order."""
LEVEL = 0.05


class Opinion(Struct, frozen=True):
    """What people think of one system."""

    system: str
    scores: dict[str, Score]
    """Mean over items of the mean over judges, for each name of `HUMAN` that was rated."""
    lowest: dict[int, int]
    """How many ratings have each lowest score, 1 to 4."""

    @property
    def shares(self) -> dict[int, float]:
        """The same as shares of all ratings: at 4 without error, at 3 with minor ones."""
        total = sum(self.lowest.values())
        return {score: count / total if total else 0.0 for score, count in self.lowest.items()}


def opinions(ratings: Iterable[Rating]) -> dict[str, Opinion]:
    """What people think of each system, systems in the order of their first rating."""
    return {system: _opinion(system, given) for system, given in _by_system(ratings).items()}


def agreement(ratings: Iterable[Rating]) -> dict[Criterion, float]:
    """Krippendorff's alpha (ordinal) of each criterion that two judges rated on one union."""
    by_union: dict[tuple[str, str], list[Rating]] = defaultdict(list)
    for rating in merged(ratings):
        by_union[rating.item, rating.system].append(rating)
    found: dict[Criterion, float] = {}
    for name in CRITERIA:
        labels = [[getattr(one, name) for one in given] for given in by_union.values()]
        if any(sum(label is not None for label in given) > 1 for given in labels):
            found[name] = krippendorff_alpha(labels, "ordinal")
    return found


def correlations(
    ratings: Iterable[Rating], scores: Mapping[str, Scores]
) -> dict[str, dict[str, Correlation]]:
    """Kendall's tau between each automatic metric and each human score, over all rated unions.

    `scores` are by system. Negative
    values of a difference in compression are as bad as positive ones, so its absolute value is
    what should agree.
    """
    human = {system: _by_item(given) for system, given in _by_system(ratings).items()}
    shared = [system for system in scores if system in human]
    if not shared:
        raise InputError(
            f"no system was both scored ({', '.join(scores)}) and rated ({', '.join(human)})"
        )
    found: dict[str, dict[str, Correlation]] = {}
    for metric in scores[shared[0]]:
        for name in HUMAN:
            pairs = [
                (value, human[system][item][name])
                for system in shared
                for item, value in _items(scores[system][metric])
                if name in human[system].get(item, {})
            ]
            if len(pairs) > 1:
                automatic, judged = zip(*pairs, strict=True)
                found.setdefault(metric, {})[name] = kendall_tau(automatic, judged)
    if not found:
        raise InputError("no rated item has the id of a scored one")
    return found


def opinion_table(found: Mapping[str, Opinion], title: str = "") -> Table:
    """The human half of Table 4, and the shares of Figure 5."""
    names = [name for name in HUMAN if any(name in one.scores for one in found.values())]
    columns = [Column(name, precision=2, best="max") for name in names]
    shares = [Column(f"lowest {score}", precision=1, scale=100) for score in range(4, 0, -1)]
    rows = [
        (
            system,
            *(one.scores.get(name) for name in names),
            *(one.shares[score] if any(one.lowest.values()) else None for score in range(4, 0, -1)),
        )
        for system, one in found.items()
    ]
    return Table.of(["system", *columns, *shares], rows, title)


def correlation_table(found: Mapping[str, Mapping[str, Correlation]], title: str = "") -> Table:
    """Metrics as rows, human scores as columns, Kendall's tau in the cells; † is p below 0.05."""
    names = [name for name in HUMAN if any(name in row for row in found.values())]
    columns = [Column(name, precision=2, signed=True) for name in names]
    rows = [
        (metric, *(_tau(row[name]) if name in row else None for name in names))
        for metric, row in found.items()
    ]
    return Table.of(["metric", *columns], rows, title)


def _tau(found: Correlation) -> Marked:
    return Marked(found.tau, "†" if found.p_value < LEVEL else "")


def _opinion(system: str, ratings: Sequence[Rating]) -> Opinion:
    items = _by_item(ratings)
    scores = {}
    for name in HUMAN:
        rated = {item: values[name] for item, values in items.items() if name in values}
        if rated:
            data = fingerprint(rated)
            scores[name] = Score.of(name, list(rated.values()), ids=list(rated), data=data)
    counted = Counter(one.lowest for one in ratings if one.lowest is not None)
    return Opinion(system, scores, {score: counted[score] for score in range(1, 5)})


def _by_item(ratings: Iterable[Rating]) -> dict[str, dict[str, float]]:
    """For each item the mean of its judges, by the names of `HUMAN`."""
    given: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        for name in HUMAN:
            value = getattr(rating, name)
            if value is not None:
                given[rating.item][name].append(value)
    return {
        item: {name: sum(values) / len(values) for name, values in named.items()}
        for item, named in given.items()
    }


def _by_system(ratings: Iterable[Rating]) -> dict[str, list[Rating]]:
    grouped: dict[str, list[Rating]] = defaultdict(list)
    for rating in merged(ratings):
        grouped[rating.system].append(rating)
    return grouped


def _items(score: Score) -> Iterator[tuple[str, float]]:
    return zip(score.ids, score.values, strict=True)


class ToJudge(Struct, frozen=True):
    """One item of a judging campaign, a line of JSONL."""

    id: str
    sentences: tuple[str, ...]
    reference: str
    systems: dict[str, str]
    """The union of each system, by its name; it may be empty, if the system gave none."""

    def __post_init__(self) -> None:
        if not any(sentence.strip() for sentence in self.sentences):
            raise ValueError("no source sentences")
        if not self.reference.strip():
            raise ValueError("the reference is empty: coverage is judged against it")
        if not self.systems:
            raise ValueError("no system's union to judge")
        if not all(name.strip() for name in self.systems):
            raise ValueError("a system without a name")

    def outputs(self) -> dict[str, list[str]]:
        """The systems of each different union; blanks do not make a difference."""
        found: dict[str, list[str]] = {}
        for name, text in self.systems.items():
            found.setdefault(" ".join(text.split()), []).append(name)
        return found


def side_by_side(
    gold: Sequence[UnionInstance], systems: Mapping[str, Sequence[UnionInstance]]
) -> Iterator[ToJudge]:
    """Items to judge out of gold unions and each system's unions of the same sentences."""
    from tatian.union.metrics.score import matched

    if not systems:
        raise InputError("no system's unions to judge")
    by_system = {name: matched(gold, given, name) for name, given in systems.items()}
    for index, instance in enumerate(gold):
        unions = {name: items[index].predicted for name, items in by_system.items()}
        yield ToJudge(instance.id, instance.sentences, instance.merged or "", unions)
