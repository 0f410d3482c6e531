"""Rules of form about single markables: their attributes, their strings, where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tatian.coreference.checking.findings import Rule
from tatian.coreference.checking.form_rules import (
    DUPLICATE_ID,
    EMPTY_MARKABLE,
    EMPTY_MIN,
    EXCLUDED_PART,
    MIN_ELSEWHERE,
    MISSING_ID,
    MISSING_TYPE,
    OPTIONAL_WITHOUT_REF,
    TAGGED_TWICE,
    TYPE_WITHOUT_REF,
    UNKNOWN_ATTRIBUTE,
    WRONG_STATUS,
    WRONG_TYPE,
)
from tatian.coreference.data.muc import Element, Part, ScannedDocument, minimum

_ATTRIBUTES = ("ID", "REF", "TYPE", "MIN", "STATUS")
_SHOWN = 40
"""So many characters of a string are shown in a message."""


class Breach(NamedTuple):
    """A rule that a markable breaks."""

    rule: Rule
    element: Element
    message: str
    advice: str


def describe(element: Element, document: ScannedDocument) -> str:
    """A markable by its id and the beginning of its string."""
    start = element.span.start
    words = " ".join(document.text[start : min(element.span.end, start + 2 * _SHOWN)].split())
    shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN].rstrip()}…"
    named = f"markable '{element.id}'" if element.id else "a markable"
    return f'{named} ("{shown}")' if shown else named


def check_marking(document: ScannedDocument) -> Iterator[Breach]:
    """What is wrong with each markable of a document by itself."""
    owners: dict[str, Element] = {}
    for element in document.corefs:
        yield from _check_id(element, owners)
        yield from _check_attributes(element)
        if element.closed and not len(element.span):
            yield Breach(
                EMPTY_MARKABLE, element, "has no text in it", "put its tags around a phrase"
            )
    tagged: dict[tuple[int, int], Element] = {}
    for index, element in enumerate(document.markables):
        other = tagged.setdefault((element.span.start, element.span.end), element)
        if other is not element:
            message = f"marks the same string as markable '{other.id}' (line {other.line})"
            yield Breach(TAGGED_TWICE, element, message, "keep one of the two")
        if element.get("MIN") and minimum(document, index) is None:
            message = f"does not contain its MIN, '{element.get('MIN')}'"
            yield Breach(MIN_ELSEWHERE, element, message, "copy MIN from the string, word for word")
        yield from _check_part(element, document)


def _check_id(element: Element, owners: dict[str, Element]) -> Iterator[Breach]:
    if not element.id:
        bare = "" if element.attributes else ", or </COREF> if it was meant to close another"
        yield Breach(MISSING_ID, element, "has no ID", f"give it one of its own{bare}")
        return
    owner = owners.setdefault(element.id, element)
    if owner is not element:
        message = f"has the ID of another markable (line {owner.line})"
        advice = "give it another ID, and the REFs that mean it too"
        yield Breach(DUPLICATE_ID, element, message, advice)


def _check_attributes(element: Element) -> Iterator[Breach]:
    for attribute in element.attributes:
        if attribute.name not in _ATTRIBUTES:
            message = f"has an attribute {attribute.name}"
            advice = f"remove it: there are {', '.join(_ATTRIBUTES)}"
            yield Breach(UNKNOWN_ATTRIBUTE, element, message, advice)
    kind, status = element.get("TYPE"), element.get("STATUS")
    linked = element.get("REF") is not None
    if kind is not None and kind.upper() != "IDENT":
        yield Breach(WRONG_TYPE, element, f"has the TYPE '{kind}'", 'write TYPE="IDENT"')
    if kind is None and linked:
        yield Breach(MISSING_TYPE, element, "has a REF but no TYPE", 'add TYPE="IDENT"')
    if kind is not None and not linked:
        yield Breach(
            TYPE_WITHOUT_REF, element, "has a TYPE but no REF", "remove TYPE, or add the REF"
        )
    if status is not None and not element.optional:
        advice = 'write STATUS="OPT", or leave STATUS out'
        yield Breach(WRONG_STATUS, element, f"has the STATUS '{status}'", advice)
    if element.optional and not linked:
        advice = "mark the phrase that refers back to it as optional instead"
        yield Breach(OPTIONAL_WITHOUT_REF, element, "is optional but has no REF", advice)
    if element.get("MIN") == "":
        advice = "give the head of the phrase, or leave MIN out"
        yield Breach(EMPTY_MIN, element, "has an empty MIN", advice)


def _check_part(element: Element, document: ScannedDocument) -> Iterator[Breach]:
    for offset in (element.span.start, element.span.end - 1):
        part = document.part(offset)
        if part is not None and not part.annotated:
            message = f"stands {_where(part)}, which is not annotated"
            yield Breach(EXCLUDED_PART, element, message, "remove its tags")
            return


def _where(part: Part) -> str:
    match part.name:
        case "@":
            return "in a line of the text that begins with '@'"
        case "DD":
            return "in a DD that is not the second of two"
        case "":
            return "outside TXT, HL, DD and DATELINE"
        case name:
            return f"in <{name}>"
