"""Pay of annotators, hourly wages, and the expected cost of a campaign.

The work of excluded people is paid too. Hourly wages are based on the time measured by the pages,
including corrections.
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
from tatian.workbench.campaigns.times import AnswerKind, Times, combine_times
from tatian.workbench.campaigns.times import read_times as read_times
from tatian.workbench.errors import BadRequest
from tatian.workbench.settings import Pay
from tatian.workbench.storage import codec

_HOUR = 3600
"""Seconds."""
_CENT = Decimal("0.01")
FIELDS = ("annotator", "external", "items", "bonuses", "amount", "currency")
"""Columns of the table of payments."""


class Wage(Struct, frozen=True):
    """Hourly wage."""

    mean: float | None
    """Total earnings per total time."""
    median: float | None
    """Mean earnings per item, with bonuses, per median time of an answer."""


class Earnings(Struct, frozen=True):
    """Pay of an annotator."""

    annotator: str
    external: str | None
    name: str
    state: str
    items: int
    """Number of paid items."""
    bonuses: int
    amount: float
    seconds: float
    """Time spent on them, including corrections."""
    wage: Wage


class Payroll(Struct, frozen=True):
    """Pay of all annotators of a campaign."""

    campaign: str
    pay: Pay
    people: tuple[Earnings, ...]
    total: float
    forecast: float
    """Total cost when every item has all its answers; an upper limit, because of bonuses."""
    wage: Wage


def compute_payroll(
    connection: Connection, campaign: Campaign, timed: Mapping[AnswerKind, Times] | None = None
) -> Payroll:
    """Return the pay of a campaign; `timed` is the result of `read_times`, if it is known."""
    pay = campaign.settings.pay
    if pay is None:
        raise BadRequest(f"campaign '{campaign.id}' has no pay in its settings")
    timed = read_times(connection, campaign) if timed is None else timed
    paid = {kind: times for kind, times in timed.items() if pay.training or not kind.training}
    earnings = []
    for person in people.list_people(connection, campaign):
        person_times = {kind: times for kind, times in paid.items() if kind.annotator == person.id}
        paid_answers = combine_times(person_times, lambda kind: not kind.correction)
        produced = combine_times(
            person_times, lambda kind: not kind.correction and not kind.training
        )
        bonuses = produced.answers // pay.every if pay.every else 0
        for_items = paid_answers.answers * Decimal(str(pay.item))
        amount = _round(for_items + bonuses * Decimal(str(pay.bonus)))
        seconds = sum(times.seconds for times in person_times.values())
        earnings.append(
            codec.to_struct(
                Earnings,
                person,
                annotator=person.id,
                items=paid_answers.answers,
                bonuses=bonuses,
                amount=amount,
                seconds=seconds,
                wage=_wage(amount, seconds, paid_answers),
            )
        )
    total = _round(sum((Decimal(str(row.amount)) for row in earnings), Decimal()))
    all_paid = combine_times(paid, lambda kind: not kind.correction)
    return Payroll(
        campaign.id,
        pay,
        tuple(earnings),
        total,
        _round(Decimal(str(total)) + _forecast_cost(connection, campaign, pay)),
        _wage(sum(row.amount for row in earnings), sum(row.seconds for row in earnings), all_paid),
    )


def write_payments(wages: Payroll) -> str:
    """Return the payroll of all people with earnings as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(FIELDS)
    for person in wages.people:
        if person.amount:
            counts = person.items, person.bonuses, f"{person.amount:.2f}", wages.pay.currency
            writer.writerow((person.annotator, guard_formula(person.external or ""), *counts))
    return file.getvalue()


def _round(amount: Decimal) -> float:
    return float(amount.quantize(_CENT, ROUND_HALF_UP))


def _forecast_cost(connection: Connection, campaign: Campaign, pay: Pay) -> Decimal:
    """Return the cost of the missing answers, with their share of tests and bonuses."""
    status = progress.read_status(connection, campaign, people=False)
    remaining = Decimal(max(status.wanted - status.done, 0))
    every = campaign.settings.test_every
    if every > 1:
        remaining = remaining * every / (every - 1)
    per_item = Decimal(str(pay.item))
    if pay.every:
        per_item += Decimal(str(pay.bonus)) / pay.every
    return remaining * per_item


def _wage(amount: float, seconds: float, answered: Times) -> Wage:
    median = answered.median
    return Wage(
        amount * _HOUR / seconds if seconds else None,
        amount / answered.answers * _HOUR / median if median else None,
    )
