"""What a rule is, and what `tatian coref check` reports where a file departs from one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from tatian.coreference.definition.phrases import Mark, MarkedText

Severity = Literal["error", "advice"]


class CheckRule(Struct, frozen=True):
    """One rule of the definition, by a name one can ask for or switch off."""

    name: str
    """Such as ``unknown-ref``."""
    section: str
    """Of the definition, such as "1.3"."""
    severity: Severity
    """Errors are about form and certain; advice is about content and for a person to judge."""
    description: str
    """What the definition says, in one sentence of our own."""


class CheckFinding(Struct, frozen=True, kw_only=True):
    """One place where a rule is broken."""

    rule: CheckRule
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


class Breach(NamedTuple):
    """A marked phrase that departs from a rule of content, and the cure."""

    mark: Mark
    message: str
    advice: str


Finder = Callable[[MarkedText], Iterator[Breach]]


class ContentRule(Struct, frozen=True):
    """A rule of what the analysis can judge, with the function that finds where it is broken.

    It is silent where the analysis leaves doubt, and what it finds is advice: a person decides.
    """

    rule: CheckRule
    find: Finder
    needs_markup: bool = False
    """Whether it is about MIN or STATUS, which only MUC markup has."""


def advice(
    name: str, section: str, description: str, *, needs_markup: bool = False
) -> Callable[[Finder], ContentRule]:
    """Make a rule of content from the function that finds where it is broken."""
    rule = CheckRule(name, section, "advice", description)
    return lambda find: ContentRule(rule, find, needs_markup)
