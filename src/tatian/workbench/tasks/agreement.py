"""Agreement between several people's answers.

Measures cover a campaign. Disagreements are shown item by item to the person who settles them. A
task without a comparison of its own only separates equal answers from different ones.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from tatian.workbench.tasks.items import Plain

Answers = Mapping[str, Plain]
"""Answers to one item by annotator, the latest of each."""
ByItem = Mapping[str, Answers]
Contents = Mapping[str, Plain]
"""Contents of items, by their keys."""


class Measure(Struct, frozen=True, omit_defaults=True):
    """A measure of agreement."""

    name: str
    value: float | None
    """None if there is too little to compare."""
    n: int
    """Number of units compared: items, pairs, words; `name` or `detail` says which."""
    detail: str = ""
    pairs: dict[str, float] = {}
    """Values of pairs of annotators, ``A B``, if the measure is of pairs."""


class VotingRule(Struct, frozen=True, omit_defaults=True):
    """Number of annotators from which something counts as agreed."""

    share: float = 0.5
    """More than this share must say it; six in ten of the mention paper is 0.6, `reached`."""
    least: int = 1
    """Least number of annotators who must say it."""
    reached: bool = False
    """True if exactly the share is enough."""

    def accepts(self, votes: int, voters: int) -> bool:
        """Return True if so many votes are enough."""
        if votes < self.least or voters <= 0:
            return False
        share = votes / voters
        return share > self.share or (self.reached and share >= self.share)


class AnswerDifference(Struct, frozen=True, omit_defaults=True):
    """A point that annotators answered differently, and what holds there under a rule."""

    where: str
    """The point in question, as people read it."""
    choices: dict[str, Any]
    """Choice of each annotator, by annotator."""
    winner: Any = None
    """Value that the task takes under the rule, such as no verdict if too few give one. If the task
    gives none: the choice that the rule accepts."""
    open: bool = False
    """True if no choice is made often enough, so that people decide."""


class Settled(Struct, frozen=True):
    """Result of several answers under a rule."""

    answer: Plain | None
    """Agreed answer of the task, or one to start from if something is open; None if there is none.
    """
    differences: tuple[AnswerDifference, ...] = ()

    @property
    def open(self) -> tuple[AnswerDifference, ...]:
        """Differences that are left to people."""
        return tuple(difference for difference in self.differences if difference.open)

    @property
    def settled(self) -> bool:
        """True if nothing is left to people."""
        return self.answer is not None and not self.open


T = TypeVar("T", bound=Hashable)
Alike = tuple[str, str, float]
"""Two annotators and how alike they answered one point, 0 to 1."""


def mean_of_pairs(name: str, compared: Iterable[Alike], detail: str) -> Measure:
    """Return the mean over all comparisons, and over those of each pair of annotators."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    for first, second, value in compared:
        values[" ".join(sorted((first, second)))].append(value)
    every = [value for group in values.values() for value in group]
    pairs = {pair: math.fsum(group) / len(group) for pair, group in sorted(values.items())}
    mean = math.fsum(every) / len(every) if every else None
    return Measure(name, mean, len(every), detail, pairs)


def share_of_equal(name: str, units: Iterable[Mapping[str, Hashable]], detail: str) -> Measure:
    """Return how often two annotators say the same about a unit: the mean over pairs of annotators.

    Each unit maps annotators to their label. Large campaigns have millions of pairs, so pairs are
    counted, not listed.
    """
    all_pairs: Counter[tuple[str, str]] = Counter()
    equal: Counter[tuple[str, str]] = Counter()
    for unit in units:
        people = sorted(unit)
        all_pairs.update(combinations(people, 2))
        alike: defaultdict[Hashable, list[str]] = defaultdict(list)
        for person in people:
            alike[unit[person]].append(person)
        for agreeing in alike.values():
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


def shared_items(contents: Contents, answers: ByItem) -> Iterator[tuple[Plain, Answers]]:
    """Yield content and answers of each item that two or more people answered."""
    for key, item_answers in answers.items():
        if len(item_answers) > 1 and key in contents:
            yield contents[key], item_answers


def pairs(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Return all pairs of the people who answered an item."""
    return combinations(sorted(people), 2)


def accepted_label(labels: Iterable[T], rule: VotingRule) -> T | None:
    """Return the label that enough people give; None if there is none, or more than one."""
    counts = Counter(labels)
    won = [choice for choice, votes in counts.items() if rule.accepts(votes, counts.total())]
    return won[0] if len(won) == 1 else None


def json_key(value: Any) -> bytes:
    """Return a key that is equal for values with equal JSON."""
    return msgspec.json.encode(value, order="deterministic")


def equal_answers(answers: ByItem) -> Measure:
    """Return the share of pairs of answers to one item that are equal."""
    units = (
        {person: json_key(answer) for person, answer in by_person.items()}
        for by_person in answers.values()
    )
    return share_of_equal("equal answers", units, "pairs of answers")


def most_common(answers: Answers) -> Settled:
    """Return the most common answer, with a disagreement if there are others."""
    keys = {person: json_key(answer) for person, answer in answers.items()}
    common = Counter(keys.values()).most_common(1)[0][0]
    answer = next(answers[person] for person, key in keys.items() if key == common)
    disputes = (AnswerDifference("Answer", dict(answers)),) if len(set(keys.values())) > 1 else ()
    return Settled(answer, disputes)
