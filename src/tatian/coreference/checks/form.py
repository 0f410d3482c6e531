"""Rules of form: checks of the markup itself, without analysis of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tatian.coreference.checks.rules import BY_NAME, CheckFinding, make_finding
from tatian.formats.muc.elements import Element, Scan, ScannedDocument
from tatian.formats.muc.markables import group_linked, minimum
from tatian.text.layers import DocumentPart
from tatian.views.wording import squeeze

FORM = {name: rule for name, rule in BY_NAME.items() if rule.about == "form"}
"""Rules of form by name; those of §7, on the choice of the antecedent, are advice."""
_ATTRIBUTES = ("ID", "REF", "TYPE", "MIN", "STATUS")
_MAX_QUOTED_CHARACTERS = 40
"""Maximum number of characters of a string that a message shows."""


class _Breach(NamedTuple):
    """A rule that a markable breaks."""

    rule: str
    element: Element
    message: str
    advice: str


def describe(element: Element, document: ScannedDocument) -> str:
    """Describe a markable by its id and the beginning of its string."""
    words = squeeze(element.span.of(document.text)[: 2 * _MAX_QUOTED_CHARACTERS])
    shown = words
    if len(words) > _MAX_QUOTED_CHARACTERS:
        shown = f"{words[:_MAX_QUOTED_CHARACTERS].rstrip()}…"
    named = f"markable '{element.id}'" if element.id else "a markable"
    return f'{named} ("{shown}")' if shown else named


def check_marking(document: ScannedDocument) -> Iterator[_Breach]:
    """Yield the faults of single markables."""
    owners: dict[str, Element] = {}
    for element in document.corefs:
        yield from _check_id(element, owners)
        yield from _check_attributes(element)
        if element.closed and not len(element.span):
            advice = "put its tags around a phrase"
            yield _Breach("empty-markable", element, "has no text in it", advice)
    tagged: dict[tuple[int, int], Element] = {}
    for index, element in enumerate(document.markables):
        other = tagged.setdefault((element.span.start, element.span.end), element)
        if other is not element:
            message = f"marks the same string as markable '{other.id}' (line {other.line})"
            yield _Breach("tagged-twice", element, message, "keep one of the two")
        if element.get("MIN") and minimum(document, index) is None:
            message = f"does not contain its MIN, '{element.get('MIN')}'"
            advice = "copy MIN from the string, word for word"
            yield _Breach("min-not-in-string", element, message, advice)
        yield from _check_part(element, document)


def _check_id(element: Element, owners: dict[str, Element]) -> Iterator[_Breach]:
    if not element.id:
        hint = "" if element.attributes else ", or </COREF> if it was meant to close another"
        yield _Breach("missing-id", element, "has no ID", f"give it one of its own{hint}")
        return
    owner = owners.setdefault(element.id, element)
    if owner is not element:
        message = f"has the ID of another markable (line {owner.line})"
        advice = "give it another ID, and the REFs that mean it too"
        yield _Breach("duplicate-id", element, message, advice)


def _check_attributes(element: Element) -> Iterator[_Breach]:
    for attribute in element.attributes:
        if attribute.name not in _ATTRIBUTES:
            message = f"has an attribute {attribute.name}"
            advice = f"remove it: there are {', '.join(_ATTRIBUTES)}"
            yield _Breach("unknown-attribute", element, message, advice)
    kind, status = element.get("TYPE"), element.get("STATUS")
    linked = element.get("REF") is not None
    if kind is not None and kind.upper() != "IDENT":
        yield _Breach("wrong-type", element, f"has the TYPE '{kind}'", 'write TYPE="IDENT"')
    if kind is None and linked:
        yield _Breach("missing-type", element, "has a REF but no TYPE", 'add TYPE="IDENT"')
    if kind is not None and not linked:
        advice = "remove TYPE, or add the REF"
        yield _Breach("type-without-ref", element, "has a TYPE but no REF", advice)
    if status is not None and not element.optional:
        advice = 'write STATUS="OPT", or leave STATUS out'
        yield _Breach("wrong-status", element, f"has the STATUS '{status}'", advice)
    if element.optional and not linked:
        advice = "mark the phrase that refers back to it as optional instead"
        yield _Breach("optional-without-ref", element, "is optional but has no REF", advice)
    if element.get("MIN") == "":
        advice = "give the head of the phrase, or leave MIN out"
        yield _Breach("empty-min", element, "has an empty MIN", advice)


def _check_part(element: Element, document: ScannedDocument) -> Iterator[_Breach]:
    for offset in (element.span.start, element.span.end - 1):
        part = document.part(offset)
        if part is not None and not part.annotated:
            message = f"stands {_describe_line(part)}, which is not annotated"
            yield _Breach("excluded-part", element, message, "remove its tags")
            return


def _describe_line(part: DocumentPart) -> str:
    match part.name:
        case "@":
            return "in a line of the text that begins with '@'"
        case "DD":
            return "in a DD that is not the second of two"
        case "":
            return "outside TXT, HL, DD and DATELINE"
        case name:
            return f"in <{name}>"


Links = dict[int, int]
"""Indices of COREF elements, each with that of the element it refers to."""


def check_links(document: ScannedDocument) -> Iterator[_Breach]:
    """Yield the faults of the links of a document."""
    corefs = document.corefs
    places = index_ids(corefs)
    links: Links = {}
    for index, element in enumerate(corefs):
        reference = element.get("REF")
        if reference is None:
            continue
        if reference and reference == element.id:
            advice = "point it to another mention, or remove REF and TYPE"
            yield _Breach("self-ref", element, "refers to itself", advice)
        elif reference not in places:
            message = f"refers to '{reference}', which is no ID here"
            message = message if reference else "has an empty REF"
            yield _Breach("unknown-ref", element, message, "correct REF, or mark its antecedent")
        else:
            links[index] = places[reference]
    yield from _check_cycles(corefs, links)
    yield from _check_order(corefs, links)


def _check_cycles(corefs: tuple[Element, ...], links: Links) -> Iterator[_Breach]:
    """Find cycles by following each link once."""
    walks: dict[int, int] = {}
    for first in links:
        current: int | None = first
        path: list[int] = []
        while current is not None and current not in walks:
            walks[current] = first
            path.append(current)
            current = links.get(current)
        if current is not None and walks[current] == first:
            cycle = path[path.index(current) :]
            start = min(cycle)
            at_start = cycle.index(start)
            ids = [corefs[index].id for index in (*cycle[at_start:], *cycle[:at_start], start)]
            message = f"is linked in a circle: {' → '.join(ids)}"
            yield _Breach("ref-cycle", corefs[start], message, "remove REF and TYPE from the first")


def _check_order(corefs: tuple[Element, ...], links: Links) -> Iterator[_Breach]:
    """Find forward links, and links to optional markables instead of earlier certain ones."""
    chains = chain_roots(len(corefs), links)
    certain: dict[int, Element] = {}
    for index, element in enumerate(corefs):
        target = links.get(index)
        nearest = certain.get(chains[index])
        better = f"refer to '{nearest.id}'" if nearest else "refer to the mention before it"
        if target is not None and target > index:
            message = f"refers to '{corefs[target].id}', which comes after it"
            advice = better if nearest else "let the later one refer to this one"
            yield _Breach("forward-ref", element, message, advice)
        elif target is not None and corefs[target].optional and nearest is not None:
            message = f"refers to '{corefs[target].id}', which is optional"
            yield _Breach("ref-to-optional", element, message, better)
        if not element.optional:
            certain[chains[index]] = element


def index_ids(elements: Sequence[Element]) -> dict[str, int]:
    """Map each ID to the index of the first element that has it."""
    return {element.id: index for index, element in reversed([*enumerate(elements)]) if element.id}


def chain_roots(count: int, links: Links) -> dict[int, int]:
    """Map each COREF to the first member of its chain."""
    return {
        index: group[0] for group in group_linked(range(count), links.items()) for index in group
    }


_PROBLEMS: dict[str, str] = {
    "unclosed-tag": "put </{name}> where it ends",
    "stray-closing-tag": "remove it, or put <{name}> where it begins",
    "overlapping-tags": "move one of its tags so that one lies inside the other",
    "broken-tag": "end the tag with '>', or write '&lt;' if it is text",
    "bad-attribute": 'write NAME="value", with a blank before it',
}


def check_form(scan: Scan) -> Iterator[CheckFinding]:
    """Yield the breaches of the rules of form in a file, in the order of the file."""
    for document in scan.documents:
        findings: list[CheckFinding] = []
        for problem in document.problems:
            message = (f"markable '{problem.id}': " if problem.id else "") + problem.message
            advice = _PROBLEMS[problem.kind].format(name=problem.name)
            rule = FORM[problem.kind]
            findings.append(make_finding(rule, problem, message, advice, document.id, scan.path))
        for name, element, fault, advice in (*check_marking(document), *check_links(document)):
            rule, message = FORM[name], f"{describe(element, document)} {fault}"
            findings.append(make_finding(rule, element, message, advice, document.id, scan.path))
        yield from sorted(findings, key=lambda finding: (finding.line, finding.column))
