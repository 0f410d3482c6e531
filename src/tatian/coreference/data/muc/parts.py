"""Which parts of a MUC document are annotated (§2), and what it is called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tatian.coreference.analysing import Part
from tatian.coreference.data.muc.elements import Element, Layout

BODIES = frozenset({"TXT", "TEXT"})
"""The text proper; MUC-7 writes TEXT."""
HEADERS = frozenset(
    "DOCNO DOCID STORYID DD DATE SO IN CO RE LP G HL DATELINE SLUG NWORDS PREAMBLE TRAILER "
    "DOCTYPE DATETIME AN".split()
)
"""Elements above (or below) the text in the articles of MUC-6 and MUC-7."""
SECTIONS = HEADERS | BODIES | {"DOC"}
"""Elements that a document is made of: they are expected to be closed."""
_ANNOTATED = BODIES | {"HL", "DD", "DATELINE"}
TABLE_MARK = re.compile(r"^@", re.MULTILINE)
_LINE_END = re.compile(r"[\r\n]|\Z")
_TABLE = "@"


def divide(
    elements: tuple[Element, ...], text: str, layout: Layout, source: str
) -> tuple[Part, ...]:
    """The parts of a document, in order and never overlapping; blank ones are left out.

    The text proper is annotated except for its lines that begin with ``@`` (written as such: an
    entity ``&#64;`` begins a line of text), as are the headline, the dateline and the date; of two
    dates only the second. Where no element holds the text proper, everything outside the header
    is taken for it.
    """
    has_body = any(element.name in BODIES for element in elements)
    dates = [element for element in elements if element.name == "DD"]
    skipped = {date.start for date in dates} - {date.start for date in dates[:2][-1:]}
    parts: list[Part] = []
    at = 0
    for element in _outermost(elements):
        parts.append(Part(at, element.content.start, "", not has_body))
        at = element.content.end
        if element.name in BODIES:
            parts.extend(_lines(element, text, layout, source))
        else:
            annotated = element.name in _ANNOTATED and element.start not in skipped
            parts.append(Part(element.content.start, at, element.name, annotated))
    parts.append(Part(at, len(text), "", not has_body))
    return tuple(part for part in parts if part.of(text).strip())


def identify(elements: tuple[Element, ...], text: str) -> str:
    """The document's own name: DOCNO, DOCID, or an attribute of DOC; nothing if it has none."""
    for name in ("DOCNO", "DOCID", "STORYID"):
        for element in elements:
            if element.name == name and (written := " ".join(element.content.of(text).split())):
                return written
    for element in elements:
        if element.name == "DOC":
            return element.get("ID") or element.get("DOCNO") or element.get("DOCID") or ""
    return ""


def _outermost(elements: tuple[Element, ...]) -> Iterator[Element]:
    """The elements that make up the document; those inside another one belong to it."""
    wanted = SECTIONS - {"DOC"}
    end = -1
    for element in elements:
        if element.name in wanted and element.content.start >= end:
            yield element
            end = element.content.end


def _lines(body: Element, text: str, layout: Layout, source: str) -> Iterator[Part]:
    """The text proper, cut where a line of a table stands in it."""
    at, limit = body.content.start, body.content.end
    for found in TABLE_MARK.finditer(text, at, limit):
        if source[layout.before(found.start())] == _TABLE:
            ended = _LINE_END.search(text, found.end(), limit)
            end = ended.start() if ended else limit
            yield Part(at, found.start(), body.name, annotated=True)
            yield Part(found.start(), end, _TABLE, annotated=False)
            at = end
    yield Part(at, limit, body.name, annotated=True)
