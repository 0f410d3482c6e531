"""Checks the markup itself, which needs no understanding of the text: the rules of form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tatian.coreference.checking.findings import Finding, Rule
from tatian.coreference.checking.form_links import check_links
from tatian.coreference.checking.form_marking import Breach, check_marking, describe
from tatian.coreference.checking.form_rules import (
    BAD_ATTRIBUTE,
    BROKEN,
    FORM_RULES,
    OVERLAPPING,
    STRAY,
    UNCLOSED,
)
from tatian.coreference.data.muc import Problem, Scan, ScannedDocument

__all__ = ["FORM_RULES", "check_form"]

_PROBLEMS: dict[str, tuple[Rule, str]] = {
    "unclosed-tag": (UNCLOSED, "put </{name}> where it ends"),
    "stray-closing-tag": (STRAY, "remove it, or put <{name}> where it begins"),
    "overlapping-tags": (OVERLAPPING, "move one of its tags so that one lies inside the other"),
    "broken-tag": (BROKEN, "end the tag with '>', or write '&lt;' if it is text"),
    "bad-attribute": (BAD_ATTRIBUTE, 'write NAME="value", with a blank before it'),
}


def check_form(scan: Scan) -> Iterator[Finding]:
    """Every place where the markup of a file breaks a rule of form, in the order of the file."""
    for document in scan.documents:
        findings = [_of_problem(problem, document, scan.path) for problem in document.problems]
        breaches = chain(check_marking(document), check_links(document))
        findings.extend(_of_breach(breach, document, scan.path) for breach in breaches)
        yield from sorted(findings, key=lambda one: (one.line, one.column))


def _of_problem(problem: Problem, document: ScannedDocument, path: str | None) -> Finding:
    rule, advice = _PROBLEMS[problem.kind]
    named = f"markable '{problem.id}': " if problem.id else ""
    return Finding(
        rule=rule,
        line=problem.line,
        column=problem.column,
        message=named + problem.message,
        advice=advice.format(name=problem.name),
        path=path,
        document=document.id,
        markable=problem.id,
    )


def _of_breach(breach: Breach, document: ScannedDocument, path: str | None) -> Finding:
    element = breach.element
    return Finding(
        rule=breach.rule,
        line=element.line,
        column=element.column,
        message=f"{describe(element, document)} {breach.message}",
        advice=breach.advice,
        path=path,
        document=document.id,
        markable=element.id,
    )
