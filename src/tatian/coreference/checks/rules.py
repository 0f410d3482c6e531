"""Rules, and the findings that `tatian coref check` reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from tatian.coreference.definition.phrases import Mark, MarkedText

Severity = Literal["error", "advice"]


class CheckRule(Struct, frozen=True):
    """A rule of the definition, with a name to select it by."""

    name: str
    """Name such as ``unknown-ref``."""
    section: str
    """Section of the definition, such as "1.3"."""
    severity: Severity
    """Errors are about form and certain; advice is about content and for a person to judge."""
    description: str
    """The definition's statement, in one sentence of our own."""


class CheckFinding(Struct, frozen=True, kw_only=True):
    """A place where a rule is broken."""

    rule: CheckRule
    line: int
    """Line in the file, counted from 1."""
    column: int = 1
    """Column in that line, counted from 1."""
    message: str
    """The fault, with the markable and its string."""
    advice: str
    """The cure."""
    path: str | None = None
    document: str = ""
    markable: str = ""
    """ID of the markable, if it has one."""


class Breach(NamedTuple):
    """A marked phrase that breaks a rule of content, and the cure."""

    mark: Mark
    message: str
    advice: str


Finder = Callable[[MarkedText], Iterator[Breach]]


class ContentRule(Struct, frozen=True):
    """A rule that the analysis can judge, with the function that finds its breaches.

    It reports nothing where the analysis leaves doubt. Its findings are advice: a person decides.
    """

    rule: CheckRule
    find: Finder
    needs_markup: bool = False
    """True if it is about MIN or STATUS, which only MUC markup has."""


def advice(
    name: str, section: str, description: str, *, needs_markup: bool = False
) -> Callable[[Finder], ContentRule]:
    """Make a rule of content from the function that finds its breaches."""
    rule = CheckRule(name, section, "advice", description)
    return lambda find: ContentRule(rule, find, needs_markup)
