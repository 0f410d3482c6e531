"""What people earned, what it is by the hour, and what a campaign will have cost.

Whoever did the work is paid for it, excluded or not. The hourly wage is what was earned over the
time at work that their pages measured, corrections included.
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
from tatian.workbench.campaigns.exports import guarded
from tatian.workbench.campaigns.times import Kind, Times, times, together
from tatian.workbench.errors import BadRequest
from tatian.workbench.settings import Pay

_HOUR = 3600
_CENT = Decimal("0.01")
FIELDS = ("annotator", "external", "items", "bonuses", "amount", "currency")


class Wage(Struct, frozen=True):
    """What an hour of work earns."""

    mean: float | None
    """All that was earned over all the time it took."""
    median: float | None
    """By an answer of median length, bonuses spread over the items."""


class Earned(Struct, frozen=True):
    """One person's pay."""

    annotator: str
    external: str | None
    name: str
    state: str
    items: int
    """Items that are paid."""
    bonuses: int
    amount: float
    seconds: float
    """At work on them, corrections included."""
    wage: Wage


class Payroll(Struct, frozen=True):
    """Everybody's pay."""

    campaign: str
    pay: Pay
    people: tuple[Earned, ...]
    total: float
    forecast: float
    """What it will have cost when every item has its answers: at most, as bonuses go."""
    wage: Wage


def payroll(
    connection: Connection, campaign: Campaign, timed: Mapping[Kind, Times] | None = None
) -> Payroll:
    """What a campaign owes; BadRequest where its settings say nothing of pay.

    `timed` is what `timing.times` gave, where it is known already.
    """
    pay = campaign.settings.pay
    if pay is None:
        raise BadRequest(f"campaign '{campaign.id}' has no pay in its settings")
    timed = times(connection, campaign) if timed is None else timed
    paid = {kind: taken for kind, taken in timed.items() if pay.training or not kind.training}
    earned = []
    for person in people.listed(connection, campaign):
        mine = {kind: taken for kind, taken in paid.items() if kind.annotator == person.id}
        first = together(mine, lambda kind: not kind.correction)
        produced = together(mine, lambda kind: not kind.correction and not kind.training)
        bonuses = produced.answers // pay.every if pay.every else 0
        amount = _amount(pay, first.answers, bonuses)
        seconds = sum(taken.seconds for taken in mine.values())
        earned.append(
            Earned(
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
    total = _rounded(sum((Decimal(str(one.amount)) for one in earned), Decimal()))
    everybody = together(paid, lambda kind: not kind.correction)
    return Payroll(
        campaign.id,
        pay,
        tuple(earned),
        total,
        _rounded(Decimal(str(total)) + _still(connection, campaign, pay)),
        _wage(sum(one.amount for one in earned), sum(one.seconds for one in earned), everybody),
    )


def payments(found: Payroll) -> str:
    """The payroll as the CSV that panels and accountants take: whoever earned something."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(FIELDS)
    for one in found.people:
        if one.amount:
            amount = f"{one.amount:.2f}"
            external = guarded(one.external or "")
            rows.writerow(
                (one.annotator, external, one.items, one.bonuses, amount, found.pay.currency)
            )
    return file.getvalue()


def _amount(pay: Pay, items: int, bonuses: int) -> float:
    return _rounded(items * Decimal(str(pay.item)) + bonuses * Decimal(str(pay.bonus)))


def _rounded(amount: Decimal) -> float:
    return float(amount.quantize(_CENT, ROUND_HALF_UP))


def _still(connection: Connection, campaign: Campaign, pay: Pay) -> Decimal:
    """What the answers that are still wanted will cost, with their share of tests and bonuses."""
    status = progress.status(connection, campaign, people=False)
    left = Decimal(max(status.wanted - status.done, 0))
    every = campaign.settings.test_every
    if every > 1:
        left = left * every / (every - 1)
    each = Decimal(str(pay.item))
    if pay.every:
        each += Decimal(str(pay.bonus)) / pay.every
    return left * each


def _wage(amount: float, seconds: float, answered: Times) -> Wage:
    median = answered.median
    return Wage(
        amount * _HOUR / seconds if seconds else None,
        amount / answered.answers * _HOUR / median if median else None,
    )
