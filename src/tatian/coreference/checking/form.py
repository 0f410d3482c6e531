"""Checks the markup itself, which needs no understanding of the text: the rules of form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tatian.coreference.checking.findings import Finding, Rule
from tatian.coreference.checking.form_marking import Breach, check_marking, describe
from tatian.coreference.checking.form_rules import (
    BAD_ATTRIBUTE,
    BROKEN,
    FORM_RULES,
    FORWARD_REF,
    OVERLAPPING,
    REF_CYCLE,
    REF_TO_OPTIONAL,
    SELF_REF,
    STRAY,
    UNCLOSED,
    UNKNOWN_REF,
)
from tatian.coreference.data.muc import Element, Problem, Scan, ScannedDocument

Links = dict[int, int]
"""From the index of a COREF to that of the one it refers to."""


def check_links(document: ScannedDocument) -> Iterator[Breach]:
    """What is wrong with the links of a document."""
    corefs = document.corefs
    places: dict[str, int] = {}
    for index, element in enumerate(corefs):
        if element.id:
            places.setdefault(element.id, index)
    links: Links = {}
    for index, element in enumerate(corefs):
        reference = element.get("REF")
        if reference is None:
            continue
        if reference and reference == element.id:
            advice = "point it to another mention, or remove REF and TYPE"
            yield Breach(SELF_REF, element, "refers to itself", advice)
        elif reference not in places:
            message = (
                f"refers to '{reference}', which is no ID here" if reference else "has an empty REF"
            )
            yield Breach(UNKNOWN_REF, element, message, "correct REF, or mark its antecedent")
        else:
            links[index] = places[reference]
    yield from _check_cycles(corefs, links)
    yield from _check_order(corefs, links)


def _check_cycles(corefs: tuple[Element, ...], links: Links) -> Iterator[Breach]:
    """Follows each link once: a walk that meets itself has found a cycle."""
    walked: dict[int, int] = {}
    for first in links:
        at: int | None = first
        path: list[int] = []
        while at is not None and at not in walked:
            walked[at] = first
            path.append(at)
            at = links.get(at)
        if at is not None and walked[at] == first:
            cycle = path[path.index(at) :]
            start = min(cycle)
            at_start = cycle.index(start)
            ids = [corefs[index].id for index in (*cycle[at_start:], *cycle[:at_start], start)]
            message = f"is linked in a circle: {' → '.join(ids)}"
            yield Breach(REF_CYCLE, corefs[start], message, "remove REF and TYPE from the first")


def _check_order(corefs: tuple[Element, ...], links: Links) -> Iterator[Breach]:
    """Links forward, and links to optional markables where there is a certain one before."""
    chains = _roots(len(corefs), links)
    certain: dict[int, Element] = {}
    for index, element in enumerate(corefs):
        target = links.get(index)
        nearest = certain.get(chains[index])
        better = f"refer to '{nearest.id}'" if nearest else "refer to the mention before it"
        if target is not None and target > index:
            message = f"refers to '{corefs[target].id}', which comes after it"
            advice = better if nearest else "let the later one refer to this one"
            yield Breach(FORWARD_REF, element, message, advice)
        elif target is not None and corefs[target].optional and nearest is not None:
            message = f"refers to '{corefs[target].id}', which is optional"
            yield Breach(REF_TO_OPTIONAL, element, message, better)
        if not element.optional:
            certain[chains[index]] = element


def _roots(count: int, links: Links) -> list[int]:
    """For each COREF one number that all of its chain share."""
    roots = list(range(count))

    def find(index: int) -> int:
        while roots[index] != index:
            roots[index] = roots[roots[index]]
            index = roots[index]
        return index

    for here, there in links.items():
        roots[find(here)] = find(there)
    return [find(index) for index in range(count)]


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
