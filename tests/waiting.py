"""Waits for conditions: the only place where tests sleep."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")
PATIENCE = 60.0
"""Seconds that anything may take on a busy machine."""


def until(
    condition: Callable[[], Value],
    what: str = "the condition",
    *,
    patience: float = PATIENCE,
    pause: float = 0.01,
) -> Value:
    """Return what the condition gives as soon as that is true; fail when patience is over."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited {patience:g} seconds in vain for {what}"
        time.sleep(pause)
    return value
