"""Cases for adjudication: items with several answers, the verdict of a rule, and a decision.

Only answers that count as data are used, see `records.counting_conditions`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Row, Select, func, select

from tatian.errors import InputError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import counting_conditions
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import codec
from tatian.workbench.storage.tables import adjudications, answers, items
from tatian.workbench.storage.tables import answered as joined
from tatian.workbench.tasks import Json, Task
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    Settled,
    VotingRule,
    accepted_label,
    json_key,
)

RULE_NAMES: tuple[RuleName, ...] = get_args(RuleName)
RULES: dict[str, VotingRule] = {
    "majority": VotingRule(),
    "six-of-ten": VotingRule(0.6, reached=True),
    "two-of-three": VotingRule(2 / 3, least=2, reached=True),
}
"""Voting rules: more than half; six in ten (mention benchmark, §3); two in three (TESA, §3.3)."""


def get_rule(name: str) -> VotingRule:
    """Return a rule by its name."""
    if name not in RULES:
        raise InputError(f"no rule called '{name}': there are {', '.join(RULES)}")
    return RULES[name]


def settle_answers(task: Task, content: Json, answers: Answers, rule: VotingRule) -> Settled:
    """Return the rule's verdict on answers; it has no answer if there are too few for the rule."""
    if not rule.accepts(len(answers), len(answers)):
        return Settled(None)
    settled = task.settle(content, answers, rule)
    differences = tuple(_apply_rule(difference, rule) for difference in settled.differences)
    return replace(settled, differences=differences)


def is_same(first: Any, second: Any) -> bool:
    """Return True if two values are equal as JSON."""
    return json_key(first) == json_key(second)


def _apply_rule(difference: AnswerDifference, rule: VotingRule) -> AnswerDifference:
    if difference.winner is not None:
        return difference
    keys = {person: json_key(choice) for person, choice in difference.choices.items()}
    accepted = accepted_label(keys.values(), rule)
    if accepted is None:
        return replace(difference, open=True)
    winner = next(difference.choices[person] for person, key in keys.items() if key == accepted)
    return replace(difference, winner=winner)


CaseState = Literal["disputed", "overtaken", "settled", "decided"]
"""State of a case: people differ; answers have changed since the decision; settled; decided."""
_BATCH = 500
"""Number of rows that are fetched at a time."""
_DECIDED = select(adjudications, items.c.key).select_from(
    adjudications.join(items, adjudications.c.item == items.c.id)
)


class CountedAnswer(Struct, frozen=True):
    """An answer that counts as data."""

    id: str
    annotator: str
    answer: Json
    submitted: int
    preannotated: bool


class ItemDecision(Struct, frozen=True):
    """Decision on an item."""

    id: int
    item: str
    answer: Json
    by: str
    """``user:NAME`` or ``command line``."""
    at: int
    note: str
    rule: str
    """Name of the rule that decided; empty if a person did."""
    replaces: int | None
    """Id of the earlier decision on the item."""
    answers: tuple[str, ...] = ()
    """Ids of the answers that it is based on."""


class Case(Struct, frozen=True):
    """An item with its answers, the verdict of a rule, and the decision."""

    item: int
    key: str
    content: Json
    answers: tuple[CountedAnswer, ...]
    verdict: Settled
    decision: ItemDecision | None
    overtaken: bool
    """True if the answers have changed since the decision."""

    @property
    def state(self) -> CaseState:
        """State of the case."""
        if self.decision is not None:
            return "overtaken" if self.overtaken else "decided"
        return "settled" if self.verdict.settled else "disputed"


def read_cases(
    connection: Connection, campaign: Campaign, task: Task, rule: RuleName, *, least: int = 2
) -> Iterator[Case]:
    """Yield the cases of all items with at least `least` answers, in the order of items."""
    decisions = current_decisions(connection, campaign)
    for rows in answers_by_item(connection, campaign):
        if len(rows) >= least:
            yield case_from_rows(task, rows, decisions.get(rows[0].key), rule)


def answers_by_item(
    connection: Connection, campaign: Campaign, only: Collection[int] | None = None
) -> Iterator[list[Row[Any]]]:
    """Yield the answers that count to each item, or to each of `only`."""
    query = _select_counted(campaign)
    if only is not None:
        query = query.where(items.c.id.in_(only))
    query = query.order_by(items.c.id, answers.c.submitted, answers.c.id)
    rows = connection.execute(query.execution_options(yield_per=_BATCH))
    for _, group in groupby(rows, lambda row: row.item):
        yield list(group)


def get_case(
    connection: Connection, campaign: Campaign, task: Task, key: str, rule: RuleName
) -> Case:
    """Return the case of a production item."""
    item = item_of(connection, campaign, key)
    rows = next(answers_by_item(connection, campaign, [item.id]), [])
    decision = newest_decision(connection, item.id)
    if rows:
        return case_from_rows(task, rows, decision, rule)
    content = codec.decode(item.content)
    overtaken = decision is not None and decision.answers != ()
    return Case(item.id, key, content, (), Settled(None), decision, overtaken)


def current_decisions(connection: Connection, campaign: Campaign) -> dict[str, ItemDecision]:
    """Return the current decisions, by the key of the item."""
    newest = select(func.max(adjudications.c.id)).where(adjudications.c.campaign == campaign.id)
    query = _DECIDED.where(adjudications.c.id.in_(newest.group_by(adjudications.c.item)))
    return {row.key: _decision(row) for row in connection.execute(query)}


def newest_decision(connection: Connection, item: int) -> ItemDecision | None:
    """Return the last decision on one item."""
    query = _DECIDED.where(adjudications.c.item == item).order_by(adjudications.c.id.desc())
    row = connection.execute(query.limit(1)).first()
    return None if row is None else _decision(row)


def item_of(connection: Connection, campaign: Campaign, key: str) -> Row[Any]:
    """Return the item with a key, which must be a production item."""
    query = select(items).where(items.c.campaign == campaign.id, items.c.key == key)
    row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"campaign '{campaign.id}' has no such item")
    if row.test or row.stage != campaign.last:
        raise BadRequest("training items and hidden tests have their right answers already")
    return row


def page_seed(item: int) -> int:
    """Return the seed of an adjudicator's page, which depends only on the item."""
    return item & 0x7FFF_FFFF


def case_from_rows(
    task: Task, rows: list[Row[Any]], decision: ItemDecision | None, rule: str
) -> Case:
    """Return the case of an item from its rows of `answers_by_item`."""
    first = rows[0]
    content = codec.decode(first.content)
    counted_answers = tuple(codec.to_struct(CountedAnswer, row, "answer") for row in rows)
    answers = {answer.annotator: answer.answer for answer in counted_answers}
    try:
        verdict = settle_answers(task, content, answers, get_rule(rule))
        overtaken = False
        if decision is not None and decision.rule:
            rule_verdict = verdict
            if decision.rule != rule:
                rule_verdict = settle_answers(task, content, answers, get_rule(decision.rule))
            overtaken = not (rule_verdict.settled and is_same(rule_verdict.answer, decision.answer))
        elif decision is not None:
            overtaken = set(decision.answers) != {answer.id for answer in counted_answers}
    except InputError as error:
        raise InputError(
            f"the answers to item '{first.key}' cannot be compared: {error}"
        ) from error
    return Case(first.item, first.key, content, counted_answers, verdict, decision, overtaken)


def counted_ids(connection: Connection, campaign: Campaign, item: int) -> list[str]:
    """Return the ids of the answers to one item that count now."""
    query = _select_counted(campaign).where(items.c.id == item)
    return list(connection.execute(query.with_only_columns(answers.c.id)).scalars())


def _select_counted(campaign: Campaign) -> Select[Any]:
    """Select the answers that count, with their items."""
    query = select(answers, items.c.key, items.c.content).select_from(joined)
    return query.where(*counting_conditions(campaign))


def _decision(row: Row[Any]) -> ItemDecision:
    ids = tuple(codec.decode(row.answers))
    return codec.to_struct(ItemDecision, row, "answer", item=row.key, answers=ids)
