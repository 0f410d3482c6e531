"""What people are paid, as a part of the form of a campaign's settings."""

from __future__ import annotations

import re
from typing import Any

from tatian.workbench.settings import Pay
from tatian.workbench.web.admin.forms import Form

_DEAREST = 1_000_000
_AMOUNTS = ("pay_item", "pay_bonus", "pay_least_hourly")
_CURRENCY = re.compile(r"[A-Z]{3}")


def shown(pay: Pay | None) -> dict[str, Any]:
    """Every field's value for the template."""
    values = pay or Pay()
    return {
        "pay": pay is not None,
        "pay_item": _written(values.item),
        "pay_bonus": _written(values.bonus),
        "pay_every": values.every,
        "pay_training": values.training,
        "pay_currency": values.currency,
        "pay_least_hourly": _written(values.least_hourly),
    }


def read(form: Form) -> Pay | None:
    """What the form means; None where nobody is paid."""
    if not form.flag("pay"):
        for name in _AMOUNTS:
            if _amount(form, name):
                form.problems[name] = "Tick the box to pay, or clear this."
        return None
    currency = form.text("pay_currency", most=3).upper() or Pay().currency
    if not _CURRENCY.fullmatch(currency):
        form.problems["pay_currency"] = "Three letters, please, such as USD or EUR."
    bonus, every = _amount(form, "pay_bonus"), form.whole("pay_every", 0, _DEAREST) or 0
    if bonus and not every:
        form.problems["pay_every"] = "For how many items is the bonus?"
    return Pay(
        _amount(form, "pay_item") or 0.0,
        bonus or 0.0,
        every,
        form.flag("pay_training"),
        currency,
        _amount(form, "pay_least_hourly"),
    )


def _written(amount: float | None) -> str:
    return "" if amount is None else f"{amount:.10g}"


def _amount(form: Form, name: str) -> float | None:
    """An amount of money; None where the field is empty or wrong."""
    value = form.text(name, most=20)
    if not value:
        return None
    try:
        amount = float(value)
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= _DEAREST:
        form.problems[name] = "An amount from 0 to 1,000,000, please, such as 0.30."
        return None
    return amount
