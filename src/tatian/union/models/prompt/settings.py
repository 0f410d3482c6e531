"""What the environment says about asking, so that a run from the command line has limits too."""

from __future__ import annotations

import math
import os

from msgspec import Struct

from tatian.errors import InputError
from tatian.union.models.prompt.endpoint import Patience

TIMEOUT = "TATIAN_PROMPT_TIMEOUT"
TRIES = "TATIAN_PROMPT_TRIES"
PER_MINUTE = "TATIAN_PROMPT_PER_MINUTE"
PRICES = "TATIAN_PROMPT_PRICES"
BUDGET = "TATIAN_PROMPT_BUDGET"
REPLAY = "TATIAN_PROMPT_REPLAY"


class Limits(Struct, frozen=True, kw_only=True):
    """What asking may cost."""

    attempts: int = 2
    """Answers asked for, at most, until one is accepted."""
    input_price: float = 0.0
    """Of a million tokens, in whatever money."""
    output_price: float = 0.0
    budget: float | None = None
    """What may be spent in all; reaching it is an error."""
    replay: bool = False
    """Answer from the transcript alone; a question that is not in it is an error."""


def patience_here() -> Patience:
    """How patient the environment asks to be."""
    usual = Patience()
    tries = _number(TRIES)
    if tries is not None and tries != int(tries):
        raise _unusable(TRIES, "a whole number above 0")
    return Patience(
        timeout=_number(TIMEOUT) or usual.timeout,
        tries=int(tries or usual.tries),
        per_minute=_number(PER_MINUTE),
    )


def limits_here() -> Limits:
    """What the environment allows to be spent."""
    input_price, output_price = _prices()
    budget = _number(BUDGET)
    if budget is not None and not (input_price or output_price):
        raise InputError(f"{BUDGET} needs prices to count with: set {PRICES}")
    return Limits(
        input_price=input_price,
        output_price=output_price,
        budget=budget,
        replay=os.environ.get(REPLAY, "") not in ("", "0"),
    )


def _prices() -> tuple[float, float]:
    given = os.environ.get(PRICES)
    if not given:
        return 0.0, 0.0
    numbers = [_parsed(part) for part in given.split("/")]
    if len(numbers) != 2 or any(number is None or number < 0 for number in numbers):
        raise _unusable(PRICES, "what a million tokens cost, in and out, like 0.15/0.60")
    return numbers[0] or 0.0, numbers[1] or 0.0


def _number(name: str) -> float | None:
    given = os.environ.get(name)
    if not given:
        return None
    number = _parsed(given)
    if number is None or number <= 0:
        raise _unusable(name, "a number above 0")
    return number


def _parsed(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _unusable(name: str, wanted: str) -> InputError:
    return InputError(f"{name} is '{os.environ[name]}': give {wanted}")
