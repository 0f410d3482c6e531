"""What `tatian coref check` reports: where a file departs from the definition, and the cure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Severity = Literal["error", "advice"]


class Rule(Struct, frozen=True):
    """One rule of the definition, by a name one can ask for or switch off."""

    name: str
    """Such as ``unknown-ref``."""
    section: str
    """Of the definition, such as "1.3"."""
    severity: Severity
    """Errors are about form and certain; advice is about content and for a person to judge."""
    description: str
    """What the definition says, in one sentence of our own."""


class Finding(Struct, frozen=True, kw_only=True):
    """One place where a rule is broken."""

    rule: Rule
    line: int
    """In the file, counted from 1."""
    column: int = 1
    """In that line, counted from 1."""
    message: str
    """What is wrong, naming the markable and its string."""
    advice: str
    """What to do about it."""
    path: str | None = None
    document: str = ""
    markable: str = ""
    """The ID concerned, if it has one."""
