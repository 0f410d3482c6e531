"""Items that several people answered, with what a rule makes of the answers and what was decided.

Only answers that data is made of take part: the last of each annotator to production items that are
no hidden tests, from people who were not excluded and answered enough (`Settings.least`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any, Literal, get_args

from msgspec import Struct
from sqlalchemy import Connection, Row, Select, func, select

from tatian.errors import InputError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import counting
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import adjudications, answers, items
from tatian.workbench.storage.tables import answered as joined
from tatian.workbench.tasks import Plain, Task
from tatian.workbench.tasks.agreement import (
    AnswerDispute,
    Answers,
    VotingRule,
    told,
)

RULE_NAMES: tuple[RuleName, ...] = get_args(RuleName)
RULES: dict[str, VotingRule] = {
    "majority": VotingRule(),
    "six-of-ten": VotingRule(0.6, reached=True),
    "two-of-three": VotingRule(2 / 3, least=2, reached=True),
}
"""More than half; six in ten, as the mention benchmark confirms its ground truth (§3); two in
three, as TESA discards what is not aggregatable (§3.3)."""


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


def named(name: str) -> VotingRule:
    """A rule by its name."""
    if name not in RULES:
        raise InputError(f"no rule called '{name}': there are {', '.join(RULES)}")
    return RULES[name]


def judged(task: Task, content: Plain, answers: Answers, rule: VotingRule) -> Verdict:
    """What a rule makes of answers; fewer of them than it asks for are not enough for anything."""
    if not rule.accepts(len(answers), len(answers)):
        return Verdict(None)
    found = task.settled(content, answers, rule)
    return Verdict(found.answer, tuple(_decided(one, rule) for one in found.disputes))


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same as JSON says them."""
    return told(one) == told(other)


def _decided(dispute: AnswerDispute, rule: VotingRule) -> Difference:
    if dispute.holds is not None:
        return Difference(dispute.where, dispute.choices, winner=dispute.holds)
    said = {person: told(choice) for person, choice in dispute.choices.items()}
    votes = Counter(said.values())
    won = [key for key, count in votes.items() if rule.accepts(count, len(said))]
    if len(won) != 1:
        return Difference(dispute.where, dispute.choices, open=True)
    winner = next(dispute.choices[person] for person, key in said.items() if key == won[0])
    return Difference(dispute.where, dispute.choices, winner=winner)


State = Literal["disputed", "overtaken", "settled", "decided"]
"""People differ; answers changed since the decision; the rule settles it; it is decided."""
_AT_ONCE = 500
_DECIDED = select(adjudications, items.c.key).select_from(
    adjudications.join(items, adjudications.c.item == items.c.id)
)


class CountedAnswer(Struct, frozen=True):
    """One annotator's answer that counts."""

    id: str
    annotator: str
    answer: Plain
    submitted: int
    preannotated: bool


class Decision(Struct, frozen=True):
    """What holds for an item."""

    id: int
    item: str
    answer: Plain
    by: str
    """``user:NAME`` or ``command line``."""
    at: int
    note: str
    rule: str
    """The rule that decided; empty: a person."""
    replaces: int | None
    """An earlier decision on the same item."""
    answers: tuple[str, ...] = ()
    """The ids of the answers it was made of."""


class Case(Struct, frozen=True):
    """An item, what people answered, what a rule makes of it, and what was decided."""

    item: int
    key: str
    content: Plain
    answers: tuple[CountedAnswer, ...]
    verdict: Verdict
    decision: Decision | None
    overtaken: bool
    """Whether answers came or went since the decision, so that it is worth another look."""

    @property
    def state(self) -> State:
        """How far it is, in one word."""
        if self.decision is not None:
            return "overtaken" if self.overtaken else "decided"
        return "settled" if self.verdict.settled else "disputed"


def cases(
    connection: Connection, campaign: Campaign, task: Task, rule: RuleName, *, least: int = 2
) -> Iterator[Case]:
    """Every item with at least so many answers, in the order they came in."""
    decisions = decided(connection, campaign)
    for rows in answered(connection, campaign):
        if len(rows) >= least:
            yield of_rows(task, rows, decisions.get(rows[0].key), rule)


def answered(
    connection: Connection, campaign: Campaign, only: Collection[int] | None = None
) -> Iterator[list[Row[Any]]]:
    """The answers that count, item by item in the order they came in: of all items, or of some."""
    chosen = _counted(campaign)
    if only is not None:
        chosen = chosen.where(items.c.id.in_(only))
    chosen = chosen.order_by(items.c.id, answers.c.submitted, answers.c.id)
    rows = connection.execute(chosen.execution_options(yield_per=_AT_ONCE))
    for _, group in groupby(rows, lambda row: row.item):
        yield list(group)


def case(connection: Connection, campaign: Campaign, task: Task, key: str, rule: RuleName) -> Case:
    """One item, however many answers it has; NotFound where it is none that data is made of."""
    item = item_of(connection, campaign, key)
    rows = next(answered(connection, campaign, [item.id]), [])
    decision = newest(connection, item.id)
    if rows:
        return of_rows(task, rows, decision, rule)
    content = plain.decode(item.content)
    overtaken = decision is not None and decision.answers != ()
    return Case(item.id, key, content, (), Verdict(None), decision, overtaken)


def decided(connection: Connection, campaign: Campaign) -> dict[str, Decision]:
    """What holds, by the key of the item."""
    newest = select(func.max(adjudications.c.id)).where(adjudications.c.campaign == campaign.id)
    chosen = _DECIDED.where(adjudications.c.id.in_(newest.group_by(adjudications.c.item)))
    return {row.key: _decision(row) for row in connection.execute(chosen)}


def newest(connection: Connection, item: int) -> Decision | None:
    """The last decision on one item."""
    chosen = _DECIDED.where(adjudications.c.item == item).order_by(adjudications.c.id.desc())
    row = connection.execute(chosen.limit(1)).first()
    return None if row is None else _decision(row)


def item_of(connection: Connection, campaign: Campaign, key: str) -> Row[Any]:
    """A production item; NotFound or BadRequest where it is none."""
    chosen = select(items).where(items.c.campaign == campaign.id, items.c.key == key)
    row = connection.execute(chosen).first()
    if row is None:
        raise NotFound(f"campaign '{campaign.id}' has no such item")
    if row.test or row.stage != campaign.last:
        raise BadRequest("training items and hidden tests have their right answers already")
    return row


def seed(item: int) -> int:
    """What shuffles the page of an adjudicator: the same each time they come back to an item."""
    return item & 0x7FFF_FFFF


def of_rows(task: Task, rows: list[Row[Any]], decision: Decision | None, rule: str) -> Case:
    """The case that one item's answers make, as `answered` gives them."""
    first = rows[0]
    content = plain.decode(first.content)
    given = tuple(plain.struct(CountedAnswer, row, "answer") for row in rows)
    said = {one.annotator: one.answer for one in given}
    try:
        verdict = judged(task, content, said, named(rule))
        overtaken = False
        if decision is not None and decision.rule:
            own = decision.rule
            then = verdict if own == rule else judged(task, content, said, named(own))
            overtaken = not (then.settled and same(then.answer, decision.answer))
        elif decision is not None:
            overtaken = set(decision.answers) != {one.id for one in given}
    except InputError as error:
        raise InputError(
            f"the answers to item '{first.key}' cannot be compared: {error}"
        ) from error
    return Case(first.item, first.key, content, given, verdict, decision, overtaken)


def counted(connection: Connection, campaign: Campaign, item: int) -> list[str]:
    """The ids of the answers to one item that count now."""
    chosen = _counted(campaign).where(items.c.id == item)
    return list(connection.execute(chosen.with_only_columns(answers.c.id)).scalars())


def _counted(campaign: Campaign) -> Select[Any]:
    """The answers that count, with their items."""
    return (
        select(
            answers.c.id,
            answers.c.item,
            answers.c.annotator,
            answers.c.answer,
            answers.c.submitted,
            answers.c.preannotated,
            items.c.key,
            items.c.content,
        )
        .select_from(joined)
        .where(*counting(campaign))
    )


def _decision(row: Row[Any]) -> Decision:
    made_of = tuple(plain.decode(row.answers))
    return plain.struct(Decision, row, "answer", item=row.key, answers=made_of)
