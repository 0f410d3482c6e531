"""How several people's answers to one item are held against each other.

Agreement is measured over a campaign, disputes are shown to whoever settles them, item by item.
Answers of a task that does neither itself are the same or they are not.
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
"""One item's answers by annotator, the latest of each."""
ByItem = Mapping[str, Answers]
Contents = Mapping[str, Plain]
"""What items hold, by their keys."""


class Measure(Struct, frozen=True, omit_defaults=True):
    """One figure of agreement."""

    name: str
    value: float | None
    """None where there is too little to compare."""
    n: int
    """Units that were compared: items, pairs, words; `name` or `detail` says which."""
    detail: str = ""
    pairs: dict[str, float] = {}
    """By two annotators, ``A B``, where the measure is of pairs."""


class VotingRule(Struct, frozen=True, omit_defaults=True):
    """From how many annotators on something counts as agreed."""

    share: float = 0.5
    """More than this share of them must say it; six in ten of the mention paper is 0.6, reached."""
    least: int = 1
    """And at least so many."""
    reached: bool = False
    """Whether the share itself is enough."""

    def accepts(self, votes: int, voters: int) -> bool:
        """Whether so many votes are enough."""
        if votes < self.least or voters <= 0:
            return False
        share = votes / voters
        return share > self.share or (self.reached and share >= self.share)


class AnswerDispute(Struct, frozen=True):
    """Something that annotators answered differently."""

    where: str
    """What it is about, as people read it."""
    choices: dict[str, Any]
    """What each annotator said, by annotator."""
    holds: Any = None
    """What the task makes of it under the rule: a verdict that too few give is not given. None: the
    choice that the rule accepts holds, and where it accepts none, people decide."""


class Settled(Struct, frozen=True):
    """What a rule makes of several answers."""

    answer: Plain | None
    """What is agreed, as an answer of the task; None where nothing can be said."""
    disputes: tuple[AnswerDispute, ...] = ()


T = TypeVar("T", bound=Hashable)
Alike = tuple[str, str, float]
"""Two annotators and how alike they answered one thing, 0 to 1."""


def mean_of_pairs(name: str, compared: Iterable[Alike], detail: str) -> Measure:
    """The mean over all comparisons, and over those of each pair of annotators."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    for one, other, value in compared:
        values[" ".join(sorted((one, other)))].append(value)
    every = [value for some in values.values() for value in some]
    pairs = {pair: math.fsum(some) / len(some) for pair, some in sorted(values.items())}
    mean = math.fsum(every) / len(every) if every else None
    return Measure(name, mean, len(every), detail, pairs)


def share_of_equal(name: str, units: Iterable[Mapping[str, Hashable]], detail: str) -> Measure:
    """How often two annotators say the same of a thing: the mean over pairs, as `mean_of_pairs`.

    `units` hold what each annotator says of one thing. Large campaigns have millions of pairs, so
    they are counted rather than listed.
    """
    all_pairs: Counter[tuple[str, str]] = Counter()
    equal: Counter[tuple[str, str]] = Counter()
    for unit in units:
        people = sorted(unit)
        all_pairs.update(combinations(people, 2))
        alike: defaultdict[Hashable, list[str]] = defaultdict(list)
        for person in people:
            alike[unit[person]].append(person)
        for some in alike.values():
            equal.update(combinations(some, 2))
    total = all_pairs.total()
    pairs = {" ".join(pair): equal[pair] / count for pair, count in sorted(all_pairs.items())}
    return Measure(name, equal.total() / total if total else None, total, detail, pairs)


def alpha(
    name: str,
    units: Iterable[Sequence[Hashable]],
    detail: str,
    level: Literal["nominal", "ordinal"] = "nominal",
) -> Measure:
    """Krippendorff's alpha over whatever two or more annotators labelled."""
    from tatian.statistics import krippendorff_alpha

    shared = [labels for labels in units if len(labels) > 1]
    value = krippendorff_alpha(shared, level) if shared else math.nan
    return Measure(name, None if math.isnan(value) else value, len(shared), detail)


def f_measure(first: Counter[T], second: Counter[T]) -> float:
    """How much two bags share; 1 where both are empty."""
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


def shared(contents: Contents, answers: ByItem) -> Iterator[tuple[Plain, Answers]]:
    """Each item that two or more answered: its content and their answers."""
    for key, given in answers.items():
        if len(given) > 1 and key in contents:
            yield contents[key], given


def pairs(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every two of those who answered an item."""
    return combinations(sorted(people), 2)


def accepted(said: Iterable[T], rule: VotingRule) -> T | None:
    """What enough people say; None where nothing is said often enough, or two things are."""
    counts = Counter(said)
    won = [choice for choice, votes in counts.items() if rule.accepts(votes, counts.total())]
    return won[0] if len(won) == 1 else None


def told(value: Any) -> bytes:
    """The same of two values that are the same as JSON says them, and of no others."""
    return msgspec.json.encode(value, order="deterministic")


def equal_answers(answers: ByItem) -> Measure:
    """The share of pairs of answers to one item that are the same."""
    units = ({person: told(one) for person, one in given.items()} for given in answers.values())
    return share_of_equal("equal answers", units, "pairs of answers")


def most_common(answers: Answers) -> Settled:
    """The answer that is given most often, and that people differ where there are others."""
    said = {person: told(answer) for person, answer in answers.items()}
    common = Counter(said.values()).most_common(1)[0][0]
    answer = next(answers[person] for person, key in said.items() if key == common)
    disputes = (AnswerDispute("Answer", dict(answers)),) if len(set(said.values())) > 1 else ()
    return Settled(answer, disputes)
