"""Marked phrases as the rules see them, from any format.

Here are also the checks for mentions of any format: marked twice, or crossing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tatian.coreference.checks.form import FORM, roots
from tatian.coreference.checks.rules import Breach, CheckRule
from tatian.coreference.definition.phrases import Mark
from tatian.formats.muc import MARKABLES
from tatian.formats.muc.elements import Element, ScannedDocument
from tatian.formats.muc.markables import minimum
from tatian.text import CHAINS, Document
from tatian.views.wording import squeeze


def marks_of_scan(document: ScannedDocument) -> tuple[Mark, ...]:
    """Return the readable markables of a MUC document: closed, not empty, in an annotated part."""
    elements = document.markables
    chains = _chains(elements)
    marks = (
        Mark(
            element.span.start,
            element.span.end,
            element.id,
            chains[number],
            linked=bool(element.get("REF")),
            minimum=minimum(document, number),
            optional=element.optional,
            line=element.line,
            column=element.column,
        )
        for number, element in enumerate(elements)
        if _is_annotated(document, element)
    )
    return tuple(sorted(marks, key=_place))


def marks_of_document(document: Document) -> tuple[Mark, ...]:
    """Return the mentions of a document; without markup, a chain's first has no antecedent."""
    return tuple(sorted(_mentions(document), key=_place))


def _mentions(document: Document) -> Iterator[Mark]:
    marked = document.get(MARKABLES) if document.has(MARKABLES) else ()
    by_span = {(markable_at.start, markable_at.end): markable_at for markable_at in marked}
    for chain in document.get(CHAINS) if document.has(CHAINS) else ():
        for number, mention in enumerate(sorted(chain.mentions)):
            markable = by_span.get((mention.start, mention.end))
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


def _chains(elements: Sequence[Element]) -> dict[int, str]:
    """Return a chain name for each markable, by its links; unknown REFs link nothing."""
    places: dict[str, int] = {}
    for number, element in enumerate(elements):
        if element.id:
            places.setdefault(element.id, number)
    links = {
        number: places[reference]
        for number, element in enumerate(elements)
        if (reference := element.get("REF")) and reference in places
    }
    return {number: str(root) for number, root in roots(len(elements), links).items()}


def _place(mark: Mark) -> tuple[int, int]:
    return mark.start, -mark.end


CROSSING = CheckRule(
    "crossing-mentions", "1.1", "advice", "Marked phrases lie apart or inside each other."
)


def check_mentions(document: Document) -> Iterator[tuple[CheckRule, Breach]]:
    """Find mentions of the same string, and mentions that overlap without being nested."""
    waiting: list[Mark] = []
    for mark in marks_of_document(document):
        waiting = [other for other in waiting if other.end > mark.start]
        words = squeeze(mark.of(document.text))
        for other in waiting:
            if (other.start, other.end) == (mark.start, mark.end):
                chains = f"twice in chain '{mark.chain}'"
                if other.chain != mark.chain:
                    chains = f"in chain '{other.chain}' and in chain '{mark.chain}'"
                message = f"'{words}' is marked {chains}"
                yield FORM["tagged-twice"], Breach(mark, message, "keep one of the two marks")
            elif other.end < mark.end:
                crossed = squeeze(other.of(document.text))
                message = f"'{words}' overlaps '{crossed}', but neither lies inside the other"
                advice = "mark whole phrases: two noun phrases are nested or apart"
                yield CROSSING, Breach(mark, message, advice)
        waiting.append(mark)
