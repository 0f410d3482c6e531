"""How several people's answers to one item are held against each other: a part that tasks may have.

Agreement is measured over a campaign, disputes are shown to whoever settles them, item by item. A
task without this is still annotated and exported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

from msgspec import Struct

from tatian.workbench.tasks import Plain

RuleName = Literal["majority", "six-of-ten", "two-of-three"]
"""The rules that `tatian.workbench.quality.settling` knows."""
Answers = Mapping[str, Plain]
"""One item's answers by annotator, the latest of each."""


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


class Rule(Struct, frozen=True, omit_defaults=True):
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


class Dispute(Struct, frozen=True):
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
    disputes: tuple[Dispute, ...] = ()


@runtime_checkable
class Comparable(Protocol):
    """A task whose answers can be compared."""

    def agreement(
        self, contents: Mapping[str, Plain], answers: Mapping[str, Answers]
    ) -> Sequence[Measure]:
        """How far annotators agree, over all items that two or more answered."""
        ...

    def settled(self, content: Plain, answers: Answers, rule: Rule) -> Settled:
        """What the answers agree on under a rule, and where they differ."""
        ...


@runtime_checkable
class Ruled(Protocol):
    """A task that has a rule of its own, such as the one of the paper that it comes from."""

    usual_rule: RuleName
    """What is asked for unless somebody names another."""
