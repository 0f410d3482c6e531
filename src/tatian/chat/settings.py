"""What the environment says about asking, so that a run from the command line has limits too."""

from __future__ import annotations

import math
import os

from msgspec import Struct

from tatian.chat.endpoint import Patience
from tatian.errors import InputError

MODEL = "TATIAN_PROMPT_MODEL"
TIMEOUT = "TATIAN_PROMPT_TIMEOUT"
TRIES = "TATIAN_PROMPT_TRIES"
PER_MINUTE = "TATIAN_PROMPT_PER_MINUTE"
REPLAY = "TATIAN_PROMPT_REPLAY"


class Limits(Struct, frozen=True, kw_only=True):
    """How often, and whether at all, is asked."""

    attempts: int = 2
    """Answers asked for, at most, until one is accepted."""
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
    """What the environment allows."""
    return Limits(replay=os.environ.get(REPLAY, "") not in ("", "0"))


def _number(name: str) -> float | None:
    given = os.environ.get(name)
    if not given:
        return None
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise _unusable(name, "a number above 0")
    return number


def _unusable(name: str, wanted: str) -> InputError:
    return InputError(f"{name} is '{os.environ[name]}': give {wanted}")
