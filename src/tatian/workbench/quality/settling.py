"""What a rule makes of several answers to one item, and what it leaves to people."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.workbench.tasks import Plain, Task
from tatian.workbench.tasks.agreement import (
    Answers,
    Comparable,
    Dispute,
    Rule,
    Ruled,
    RuleName,
    Settled,
)

RULE_NAMES: tuple[RuleName, ...] = get_args(RuleName)
RULES: dict[RuleName, Rule] = {
    "majority": Rule(),
    "six-of-ten": Rule(0.6, reached=True),
    "two-of-three": Rule(2 / 3, least=2, reached=True),
}
"""More than half; six in ten, as the mention benchmark confirms its ground truth (§3); two in
three, as TESA discards what is not aggregatable (§3.3)."""
_USUAL: RuleName = "majority"


class Difference(Struct, frozen=True, omit_defaults=True):
    """Something that annotators answered differently, and whether a rule decides it."""

    where: str
    choices: dict[str, Any]
    """What each annotator said."""
    open: bool = False
    """Whether no choice is made often enough."""
    winner: Any = None
    """The choice that is, where one is."""


class Verdict(Struct, frozen=True):
    """What a rule makes of the answers to one item."""

    answer: Plain | None
    """What is agreed, or to start from where something is open."""
    differences: tuple[Difference, ...] = ()

    @property
    def open(self) -> tuple[Difference, ...]:
        """What is left to people."""
        return tuple(one for one in self.differences if one.open)

    @property
    def settled(self) -> bool:
        """Whether nothing is."""
        return self.answer is not None and not self.open


def named(name: str) -> Rule:
    """A rule by its name."""
    for known in RULE_NAMES:
        if known == name:
            return RULES[known]
    raise InputError(f"no rule called '{name}': there are {', '.join(RULE_NAMES)}")


def usual(task: Task) -> RuleName:
    """The rule that is meant where nobody names one: the task's own, or the majority."""
    return task.usual_rule if isinstance(task, Ruled) else _USUAL


def judged(task: Task, content: Plain, answers: Answers, rule: Rule) -> Verdict:
    """What a rule makes of answers; fewer of them than it asks for are not enough for anything.

    Answers of a task that cannot compare them are the same or they are not.
    """
    if not rule.accepts(len(answers), len(answers)):
        return Verdict(None)
    if isinstance(task, Comparable):
        found = task.settled(content, answers, rule)
    else:
        found = _whole(answers)
    return Verdict(found.answer, tuple(_decided(one, rule) for one in found.disputes))


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same as JSON says them."""
    return _key(one) == _key(other)


def _whole(answers: Answers) -> Settled:
    said = {person: _key(answer) for person, answer in answers.items()}
    common = Counter(said.values()).most_common(1)[0][0]
    answer = next(answers[person] for person, key in said.items() if key == common)
    disputes = (Dispute("Answer", dict(answers)),) if len(set(said.values())) > 1 else ()
    return Settled(answer, disputes)


def _decided(dispute: Dispute, rule: Rule) -> Difference:
    if dispute.holds is not None:
        return Difference(dispute.where, dispute.choices, winner=dispute.holds)
    said = {person: _key(choice) for person, choice in dispute.choices.items()}
    votes = Counter(said.values())
    won = [key for key, count in votes.items() if rule.accepts(count, len(said))]
    if len(won) != 1:
        return Difference(dispute.where, dispute.choices, open=True)
    winner = next(dispute.choices[person] for person, key in said.items() if key == won[0])
    return Difference(dispute.where, dispute.choices, winner=winner)


def _key(value: Any) -> bytes:
    return msgspec.json.encode(value, order="deterministic")
