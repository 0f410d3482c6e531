"""What a task's rules say of an answer in the making: a part that tasks may have.

Pages ask while people work; nothing of it is stored, and advice never blocks an answer.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from tatian.workbench.tasks import Plain


class Note(Struct, frozen=True, omit_defaults=True):
    """Something that a rule says of one marked phrase."""

    markable: str
    """Its id in the answer."""
    rule: str
    section: str
    """Of the definition that the rule comes from."""
    severity: str
    """``error`` or ``advice``."""
    message: str
    advice: str
    """What to do about it."""


class Advice(Struct, frozen=True):
    """All notes on an answer, in the order of the text."""

    notes: tuple[Note, ...]
    phrases: tuple[tuple[int, int, int, int], ...] | None = None
    """Where phrases that can be marked begin and end, and their heads; None where not asked for."""
    complete: bool = True
    """Whether every rule could be asked; some need an analysis that may not be installed."""


@runtime_checkable
class Advising(Protocol):
    """A task with rules that can be asked while somebody works."""

    def advise(self, content: Plain, options: Plain, answer: Any, *, phrases: bool) -> Advice:
        """What the rules say; InputError where the answer cannot be read at all."""
        ...
