"""Marked phrases as the rules of content see them, whatever format they came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tatian.coreference.definition.phrases import Mark
from tatian.formats.muc import MARKABLES, Element, ScannedDocument, minimum
from tatian.text import CHAINS, Document


def marks_of_scan(document: ScannedDocument) -> tuple[Mark, ...]:
    """The readable markables of a MUC document: closed, not empty, in an annotated part."""
    elements = document.markables
    roots = _roots(elements)
    found = (
        Mark(
            element.span.start,
            element.span.end,
            element.id,
            roots[number],
            linked=bool(element.get("REF")),
            minimum=minimum(document, number),
            optional=element.optional,
            line=element.line,
            column=element.column,
        )
        for number, element in enumerate(elements)
        if _is_annotated(document, element)
    )
    return tuple(sorted(found, key=_place))


def marks_of_document(document: Document) -> tuple[Mark, ...]:
    """The mentions of a document; without markup a chain's first one has no antecedent."""
    return tuple(sorted(_mentions(document), key=_place))


def _mentions(document: Document) -> Iterator[Mark]:
    marked = document.get(MARKABLES) if document.has(MARKABLES) else ()
    known = {(one.start, one.end): one for one in marked}
    for chain in document.get(CHAINS) if document.has(CHAINS) else ():
        for number, mention in enumerate(sorted(chain.mentions)):
            markable = known.get((mention.start, mention.end))
            yield Mark(
                mention.start,
                mention.end,
                markable.id if markable else "",
                chain.id,
                linked=markable.antecedent is not None if markable else number > 0,
                minimum=mention.head,
                optional=mention.optional,
            )


def _is_annotated(document: ScannedDocument, element: Element) -> bool:
    part = document.part(element.span.start)
    return part is None or part.annotated


def _roots(elements: Iterable[Element]) -> list[str]:
    """For each markable, a name of the class its links put it in; unknown REFs link nothing."""
    listed = list(elements)
    places: dict[str, int] = {}
    for number, element in enumerate(listed):
        if element.id:
            places.setdefault(element.id, number)
    root = list(range(len(listed)))

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    for number, element in enumerate(listed):
        antecedent = places.get(element.get("REF") or "")
        if antecedent is not None:
            root[find(number)] = find(antecedent)
    return [str(find(number)) for number in range(len(listed))]


def _place(mark: Mark) -> tuple[int, int]:
    return mark.start, -mark.end
