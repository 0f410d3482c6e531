"""COREF elements that overlap another element without nesting, found in one pass."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.data.muc.elements import COREF, Element, Problem
from tatian.coreference.data.muc.parts import SECTIONS


def crossings(elements: tuple[Element, ...]) -> Iterator[Problem]:
    """A problem for each closed COREF that crosses the border of another closed element.

    COREFs never cross each other: the closing tag does not say which one it closes.
    """
    closed = [element for element in elements if element.closed]
    events = sorted(
        [(element.start, element) for element in closed]
        + [(element.closing, element) for element in closed],
        key=lambda event: event[0],
    )
    others: list[Element] = []
    corefs: list[Element] = []
    done: set[int] = set()
    reported: set[int] = set()
    for place, element in events:
        stack = corefs if element.name == COREF else others
        if place == element.start:
            stack.append(element)
            continue
        done.add(element.start)
        if element.name == COREF:
            while others and others[-1].start in done:
                others.pop()
            corefs.pop()
            if others and others[-1].start > element.start and element.start not in reported:
                reported.add(element.start)
                yield _problem(element, others[-1])
            continue
        for coref in reversed(corefs):
            if coref.start < element.start or coref.start in reported:
                break
            reported.add(coref.start)
            yield _problem(coref, element)


def _problem(coref: Element, other: Element) -> Problem:
    inside = "begins inside" if other.start < coref.start else "ends inside"
    message = f"{inside} <{other.name}> (line {other.line}), but is not nested in it"
    return Problem(
        "overlapping-tags",
        coref.line,
        coref.column,
        message,
        id=coref.id,
        fatal=other.name in SECTIONS,
    )
