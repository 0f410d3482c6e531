"""What a rule of content is: what it says, and how places that break it are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct

from tatian.coreference.checking.findings import Rule
from tatian.coreference.definition.phrases import Mark, MarkedText


class Breach(NamedTuple):
    """A marked phrase that departs from a rule, and the cure."""

    mark: Mark
    message: str
    advice: str


class ContentRule(Struct, frozen=True):
    """A rule with the function that finds where a page breaks it."""

    rule: Rule
    find: Callable[[MarkedText], Iterator[Breach]]
    needs_markup: bool = False
    """Whether it is about MIN or STATUS, which only MUC markup has."""


def advice(name: str, section: str, description: str) -> Rule:
    """A rule that a person has the last word on."""
    return Rule(name, section, "advice", description)
