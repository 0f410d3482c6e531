"""Rules and findings of `tatian coref check`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from tatian.assets import rows
from tatian.coreference.definition.phrases import Mark, MarkedPhrase, MarkedText
from tatian.formats.muc.elements import Element, Problem

Severity = Literal["error", "advice"]


class CheckRule(Struct, frozen=True):
    """A rule of the definition, with a name to select it by."""

    name: str
    """Name such as ``unknown-ref``."""
    section: str
    """Section of the definition, such as "1.3"."""
    severity: Severity
    """Errors are certain faults of form; advice is about content, for a person to judge."""
    about: Literal["form", "mentions", "content", "markup"]
    """``markup`` is MIN or STATUS, which only MUC markup has."""
    description: str
    """Statement of the rule in one sentence."""


RULES = tuple(
    msgspec.convert(dict(zip(CheckRule.__struct_fields__, row, strict=True)), CheckRule)
    for row in rows(Path(__file__).with_name("rules.tsv"))
)
"""Every rule, those of form first."""
BY_NAME = {rule.name: rule for rule in RULES}


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
    """Advice on how to mend it."""
    path: str | None = None
    document: str = ""
    markable: str = ""
    """ID of the markable, if it has one."""


class Breach(NamedTuple):
    """A marked phrase that breaks a rule of content, before it has a place as a `CheckFinding`."""

    mark: Mark
    message: str
    advice: str


Finder = Callable[[MarkedText], Iterator[Breach]]


def make_finding(
    rule: CheckRule,
    place: Element | Mark | Problem,
    message: str,
    advice: str,
    document: str,
    path: str | None = None,
) -> CheckFinding:
    """Return the finding for a rule that is broken at a place of a document."""
    return CheckFinding(
        rule=rule,
        line=place.line,
        column=place.column,
        message=message,
        advice=advice,
        path=path,
        document=document,
        markable=place.id,
    )


class ContentRule(Struct, frozen=True):
    """A rule that is checked on the analysis; it gives advice, and nothing if in doubt."""

    rule: CheckRule
    find: Finder


Diagnosis = tuple[str, str] | None
"""Message after the quoted phrase, and advice; None for a correct phrase."""


def phrase_rule(
    name: str,
) -> Callable[[Callable[[MarkedText, MarkedPhrase], Diagnosis]], ContentRule]:
    """Return a decorator that makes a rule of content from the diagnosis of one phrase."""

    def make(diagnose: Callable[[MarkedText, MarkedPhrase], Diagnosis]) -> ContentRule:
        def find(text: MarkedText) -> Iterator[Breach]:
            for phrase in text.phrases:
                if diagnosis := diagnose(text, phrase):
                    message, advice = diagnosis
                    yield Breach(phrase.mark, f"{text.quote(phrase.mark)} {message}", advice)

        return ContentRule(BY_NAME[name], find)

    return make
