"""Rules of form about links: what REF points to, and in which order (§1.3, §7)."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.form_marking import Breach
from tatian.coreference.checking.form_rules import (
    FORWARD_REF,
    REF_CYCLE,
    REF_TO_OPTIONAL,
    SELF_REF,
    UNKNOWN_REF,
)
from tatian.coreference.data.muc import Element, ScannedDocument

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
