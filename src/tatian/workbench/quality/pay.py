"""Pay of people, hourly wages, and the expected cost of a campaign.

All work is paid, also that of excluded people. The hourly wage is what a person earned over the
time that their pages measured, corrections included.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from msgspec import Struct
from sqlalchemy import Connection

from tatian.workbench.campaigns import people, progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exports import guard_formula
from tatian.workbench.campaigns.times import AnswerKind, Times, combine, times
from tatian.workbench.errors import BadRequest
from tatian.workbench.settings import Pay

_HOUR = 3600
_CENT = Decimal("0.01")
FIELDS = ("annotator", "external", "items", "bonuses", "amount", "currency")


class Wage(Struct, frozen=True):
    """Earnings of an hour of work."""

    mean: float | None
    """All earnings over all the time."""
    median: float | None
    """Hourly earnings at the median time of an answer, with bonuses spread over the items."""


class Earnings(Struct, frozen=True):
    """Pay of one person."""

    annotator: str
    external: str | None
    name: str
    state: str
    items: int
    """Items that are paid."""
    bonuses: int
    amount: float
    seconds: float
    """Time at work on them, corrections included."""
    wage: Wage


class Payroll(Struct, frozen=True):
    """Pay of all people."""

    campaign: str
    pay: Pay
    people: tuple[Earnings, ...]
    total: float
    forecast: float
    """Total cost when every item has its answers; an upper limit, because of bonuses."""
    wage: Wage


def payroll(
    connection: Connection, campaign: Campaign, timed: Mapping[AnswerKind, Times] | None = None
) -> Payroll:
    """Return what a campaign owes; BadRequest if its settings have no pay.

    `timed` is the result of `times.times`, if the caller has it already.
    """
    pay = campaign.settings.pay
    if pay is None:
        raise BadRequest(f"campaign '{campaign.id}' has no pay in its settings")
    timed = times(connection, campaign) if timed is None else timed
    paid = {kind: taken for kind, taken in timed.items() if pay.training or not kind.training}
    earned = []
    for person in people.list_people(connection, campaign):
        mine = {kind: taken for kind, taken in paid.items() if kind.annotator == person.id}
        first = combine(mine, lambda kind: not kind.correction)
        produced = combine(mine, lambda kind: not kind.correction and not kind.training)
        bonuses = produced.answers // pay.every if pay.every else 0
        amount = _amount(pay, first.answers, bonuses)
        seconds = sum(taken.seconds for taken in mine.values())
        earned.append(
            Earnings(
                person.id,
                person.external,
                person.name,
                person.state,
                first.answers,
                bonuses,
                amount,
                seconds,
                _wage(amount, seconds, first),
            )
        )
    total = _rounded(sum((Decimal(str(row.amount)) for row in earned), Decimal()))
    everybody = combine(paid, lambda kind: not kind.correction)
    return Payroll(
        campaign.id,
        pay,
        tuple(earned),
        total,
        _rounded(Decimal(str(total)) + _still(connection, campaign, pay)),
        _wage(sum(row.amount for row in earned), sum(row.seconds for row in earned), everybody),
    )


def write_payments(wages: Payroll) -> str:
    """Return the payroll as CSV for panels and accountants, of all people who earned something."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(FIELDS)
    for person in wages.people:
        if person.amount:
            amount = f"{person.amount:.2f}", wages.pay.currency
            whose = person.annotator, guard_formula(person.external or "")
            rows.writerow((*whose, person.items, person.bonuses, *amount))
    return file.getvalue()


def _amount(pay: Pay, items: int, bonuses: int) -> float:
    return _rounded(items * Decimal(str(pay.item)) + bonuses * Decimal(str(pay.bonus)))


def _rounded(amount: Decimal) -> float:
    return float(amount.quantize(_CENT, ROUND_HALF_UP))


def _still(connection: Connection, campaign: Campaign, pay: Pay) -> Decimal:
    """Return the cost of the answers still wanted, with their share of tests and bonuses."""
    status = progress.status(connection, campaign, people=False)
    left = Decimal(max(status.wanted - status.done, 0))
    every = campaign.settings.test_every
    if every > 1:
        left = left * every / (every - 1)
    per_item = Decimal(str(pay.item))
    if pay.every:
        per_item += Decimal(str(pay.bonus)) / pay.every
    return left * per_item


def _wage(amount: float, seconds: float, answered: Times) -> Wage:
    median = answered.median
    return Wage(
        amount * _HOUR / seconds if seconds else None,
        amount / answered.answers * _HOUR / median if median else None,
    )
