"""Measures of agreement between annotators, and voting rules that settle their differences.

Tasks without their own comparison only distinguish equal and different answers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from tatian.grouping import grouped
from tatian.workbench.tasks.items import Json

Answers = Mapping[str, Json]
"""Answers to an item by annotator, the last one of each."""
AnswersByItem = Mapping[str, Answers]
"""Answers by the key of the item."""
Contents = Mapping[str, Json]
"""Contents of items, by their keys."""


class Measure(Struct, frozen=True, omit_defaults=True):
    """A measure of agreement."""

    name: str
    value: float | None
    """None if there is too little to compare."""
    n: int
    """Number of compared units (items, pairs, words), which `name` or `detail` names."""
    detail: str = ""
    pairs: dict[str, float] = {}
    """Values by pair of annotators, ``A B``, if the measure compares pairs."""


class VotingRule(Struct, frozen=True, omit_defaults=True):
    """Number of votes that an answer needs."""

    share: float = 0.5
    """Share of votes that must be exceeded, from 0 to 1."""
    least: int = 1
    """Minimum number of votes."""
    reached: bool = False
    """True if exactly `share` is enough."""

    def accepts(self, votes: int, voters: int) -> bool:
        """Return True if an answer has enough votes."""
        if votes < self.least or voters <= 0:
            return False
        share = votes / voters
        return share > self.share or (self.reached and share >= self.share)


class AnswerDifference(Struct, frozen=True, omit_defaults=True):
    """A point that annotators answered differently, with the result of a rule."""

    where: str
    """Description of the point, for people."""
    choices: dict[str, Any]
    """Choices by annotator."""
    winner: Any = None
    """Value in the task's agreed answer, or else the choice that the rule accepts."""
    open: bool = False
    """True if the rule accepts no choice, so that people must decide."""


class Settled(Struct, frozen=True):
    """Result of several answers under a rule."""

    answer: Json | None
    """Agreed answer, or a best guess if differences are open; None if there is none."""
    differences: tuple[AnswerDifference, ...] = ()

    @property
    def open(self) -> tuple[AnswerDifference, ...]:
        """Differences that are left to people."""
        return tuple(difference for difference in self.differences if difference.open)

    @property
    def settled(self) -> bool:
        """True if nothing is left to people."""
        return self.answer is not None and not self.open


A = TypeVar("A")
T = TypeVar("T", bound=Hashable)
PairSimilarity = tuple[str, str, float]
"""Two annotators, and the similarity of their answers to one point, from 0 to 1."""


def mean_of_pairs(name: str, comparisons: Iterable[PairSimilarity], detail: str) -> Measure:
    """Return the mean similarity, of all comparisons and of each pair of annotators."""
    values = grouped(
        (" ".join(sorted((first, second))), value) for first, second, value in comparisons
    )
    all_values = [value for group in values.values() for value in group]
    pairs = {pair: math.fsum(group) / len(group) for pair, group in sorted(values.items())}
    mean = math.fsum(all_values) / len(all_values) if all_values else None
    return Measure(name, mean, len(all_values), detail, pairs)


def share_of_equal(name: str, units: Iterable[Mapping[str, Hashable]], detail: str) -> Measure:
    """Return the share of equal labels among all pairs of annotators of a unit.

    Each unit maps annotators to labels. Pairs are counted, not listed, as there may be millions.
    """
    all_pairs: Counter[tuple[str, str]] = Counter()
    equal: Counter[tuple[str, str]] = Counter()
    for unit in units:
        people = sorted(unit)
        all_pairs.update(combinations(people, 2))
        for agreeing in grouped((unit[person], person) for person in people).values():
            equal.update(combinations(agreeing, 2))
    total = all_pairs.total()
    pairs = {" ".join(pair): equal[pair] / count for pair, count in sorted(all_pairs.items())}
    return Measure(name, equal.total() / total if total else None, total, detail, pairs)


def alpha(
    name: str,
    units: Iterable[Sequence[Hashable]],
    detail: str,
    level: Literal["nominal", "ordinal"] = "nominal",
) -> Measure:
    """Return Krippendorff's alpha over the units that two or more annotators labelled."""
    from tatian.statistics import krippendorff_alpha

    shared = [labels for labels in units if len(labels) > 1]
    value = krippendorff_alpha(shared, level) if shared else math.nan
    return Measure(name, None if math.isnan(value) else value, len(shared), detail)


def f_measure(first: Counter[T], second: Counter[T]) -> float:
    """Return the F-measure of two bags; 1 if both are empty."""
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


def shared_items(contents: Contents, answers: AnswersByItem) -> Iterator[tuple[Json, Answers]]:
    """Yield content and answers of each item that two or more people answered."""
    for key, item_answers in answers.items():
        if len(item_answers) > 1 and key in contents:
            yield contents[key], item_answers


def convert_answers(answers: Answers, convert: Callable[[Json], A]) -> dict[str, A]:
    """Return each annotator's answer as `convert` returns it."""
    return {person: convert(answer) for person, answer in answers.items()}


def person_pairs(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Return all pairs of the people who answered an item."""
    return combinations(sorted(people), 2)


def compare_bags(units: Iterable[Mapping[str, Iterable[Hashable]]]) -> Iterator[PairSimilarity]:
    """Yield the F-measure of the bags of every two annotators of a unit."""
    for unit in units:
        for first, second in person_pairs(unit):
            yield first, second, f_measure(Counter(unit[first]), Counter(unit[second]))


def find_difference(
    where: str, choices: Mapping[str, Hashable], winner: Any = None
) -> Iterator[AnswerDifference]:
    """Yield the difference of the choices at a point, if there is one."""
    if len(set(choices.values())) > 1:
        yield AnswerDifference(where, dict(choices), winner)


def accepted_label(labels: Iterable[T], rule: VotingRule) -> T | None:
    """Return the label that enough people give; None if there is none, or more than one."""
    counts = Counter(labels)
    accepted = [choice for choice, votes in counts.items() if rule.accepts(votes, counts.total())]
    return accepted[0] if len(accepted) == 1 else None


def json_key(value: Any) -> bytes:
    """Return a key that is equal for values with equal JSON."""
    return msgspec.json.encode(value, order="deterministic")


def equal_answers(answers: AnswersByItem) -> Measure:
    """Return the share of pairs of answers to one item that are equal."""
    units = (convert_answers(by_person, json_key) for by_person in answers.values())
    return share_of_equal("equal answers", units, "pairs of answers")


def most_common_answer(answers: Answers) -> Settled:
    """Return the most common answer, with a difference if there are others."""
    keys = convert_answers(answers, json_key)
    most_common_key = Counter(keys.values()).most_common(1)[0][0]
    answer = next(answers[person] for person, key in keys.items() if key == most_common_key)
    differ = len(set(keys.values())) > 1
    return Settled(answer, (AnswerDifference("Answer", dict(answers)),) if differ else ())
