"""Scanner of MUC SGML: elements and problems with their places; it never raises.

The tags of each name are paired like brackets, separately from other names. So ``<p>`` may stay
open, and a COREF that crosses another element is still read, and reported.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tatian.formats import file_name
from tatian.formats.muc.elements import (
    COREF,
    SECTIONS,
    Attribute,
    Element,
    Lines,
    MarkupPiece,
    Problem,
    ProblemKind,
    Scan,
    ScannedDocument,
    SourceLayout,
    decode_entity,
    divide_into_parts,
    find_id,
    find_markup,
    unescape,
)
from tatian.text import Span

_LINE_END = re.compile(r"\r\n?|\n")


def scan(text: str, path: str | None = None) -> Scan:
    """Return all documents of a file with their elements, parts and problems; never raise.

    A document begins at a ``<DOC>`` and ends where the next one begins; the first one also has the
    text before it. A file without any is one document.
    """
    lines = Lines([0, *(line_end.end() for line_end in _LINE_END.finditer(text))])
    name = file_name(path)
    documents: list[ScannedDocument] = []
    builder = _Builder(text, 0, lines)
    begun = False
    for piece in find_markup(text):
        if piece.name == "DOC" and not piece.closing:
            if begun:
                documents.append(builder.finish(piece.start, name, len(documents)))
                builder = _Builder(text, piece.start, lines)
            begun = True
        builder.add(piece)
    documents.append(builder.finish(len(text), name, len(documents)))
    return Scan(text, tuple(documents), path)


class _Tag(NamedTuple):
    """An opening tag, with its place in the source and in the text."""

    start: int
    end: int
    name: str
    offset: int
    attributes: tuple[Attribute, ...]


class _Pair(NamedTuple):
    """An opening tag and its end: source offsets of the closing tag, offset in the text."""

    tag: _Tag
    closing: int
    end: int
    offset: int
    closed: bool = True


class _Builder:
    """Builds one document from the markup of the file."""

    def __init__(self, source: str, start: int, lines: Lines) -> None:
        self._source = source
        self._start = self._at = start
        self._lines = lines
        self._length = 0
        self._texts: list[str] = []
        self._layout = SourceLayout([], [], [])
        self._waiting: dict[str, list[_Tag]] = {}
        self._pairs: list[_Pair] = []
        self._problems: list[Problem] = []

    def add(self, piece: MarkupPiece) -> None:
        """Add the next piece of markup, with the text before it."""
        if piece.kind == "broken":
            self._problem("broken-tag", piece.start, f"'{piece.rest}' has no '>'")
            return
        character = decode_entity(piece.rest) if piece.kind == "entity" else ""
        if len(character) > 1:
            return
        self._text_until(piece.start)
        self._at = piece.end
        if character:
            self._run(character, piece.start, piece.end)
        elif piece.closing:
            self._close(piece)
        elif piece.name:
            self._open(piece)

    def finish(self, end: int, name: str, number: int) -> ScannedDocument:
        """Return the document, whose source ends at `end`; `name` is used if it has no name."""
        self._text_until(end)
        self._layout.offsets.append(self._length)
        text = "".join(self._texts)
        elements = self._elements(text, sorted([*self._pairs, *self._unclosed(end)]))
        self._problems.extend(find_crossings(elements))
        return ScannedDocument(
            id=find_id(elements, text) or (f"{name}-{number + 1}" if number else name),
            text=text,
            start=self._start,
            end=end,
            elements=elements,
            parts=divide_into_parts(elements, text, self._layout, self._source),
            problems=tuple(
                sorted(self._problems, key=lambda problem: (problem.line, problem.column))
            ),
            layout=self._layout,
            lines=self._lines,
        )

    def _open(self, piece: MarkupPiece) -> None:
        rest = piece.rest
        attributes, faults = parse_attributes(rest.removesuffix("/"))
        tag = _Tag(piece.start, piece.end, piece.name, self._length, attributes)
        for fault in faults if piece.name == COREF else ():
            self._problem("bad-attribute", piece.start, fault, id=_id(tag))
        if rest.endswith("/"):
            self._pairs.append(_Pair(tag, piece.end, piece.end, self._length))
        else:
            self._waiting.setdefault(piece.name, []).append(tag)

    def _close(self, piece: MarkupPiece) -> None:
        name = piece.name
        waiting = self._waiting.get(name)
        if waiting:
            self._pairs.append(_Pair(waiting.pop(), piece.start, piece.end, self._length))
        elif name == COREF or name in SECTIONS:
            message = f"this </{name}> closes nothing"
            self._problem("stray-closing-tag", piece.start, message, name)
        if name == COREF and piece.rest.strip():
            message = f"{piece.rest.strip()!r} in a closing tag"
            self._problem("bad-attribute", piece.start, message)

    def _unclosed(self, end: int) -> Iterator[_Pair]:
        """Yield elements without an end: a COREF is empty, a section ends at the next one."""
        waiting = [tag for tags in self._waiting.values() for tag in tags]
        sections = sorted(
            tag for tag in (*waiting, *(pair.tag for pair in self._pairs)) if tag.name in SECTIONS
        )
        following = dict(pairwise(sections))
        for tag in waiting:
            place, offset = end, self._length
            if tag.name == COREF:
                place, offset = tag.end, tag.offset
            elif tag in following:
                place, offset = following[tag].start, following[tag].offset
            yield _Pair(tag, place, place, offset, closed=False)
            if tag.name == COREF or tag.name in SECTIONS:
                message = f"this <{tag.name}> has no </{tag.name}>"
                self._problem("unclosed-tag", tag.start, message, tag.name, _id(tag))

    def _elements(self, text: str, pairs: list[_Pair]) -> tuple[Element, ...]:
        trimmed = trimmer(text)
        elements = []
        for tag, closing, end, offset, closed in pairs:
            places = tag.start, tag.end, closing, end, *self._lines.place(tag.start)
            content = Span(tag.offset, offset)
            span = trimmed(tag.offset, offset) if tag.name == COREF else content
            elements.append(Element(tag.name, *places, content, span, tag.attributes, closed))
        return tuple(elements)

    def _text_until(self, end: int) -> None:
        if end > self._at:
            self._run(self._source[self._at : end], self._at, end)

    def _run(self, text: str, start: int, end: int) -> None:
        self._layout.offsets.append(self._length)
        self._layout.sources.append(start)
        self._layout.ends.append(end)
        self._texts.append(text)
        self._length += len(text)

    def _problem(
        self, kind: ProblemKind, source: int, message: str, name: str = COREF, id: str = ""
    ) -> None:
        line, column = self._lines.place(source)
        problem = Problem(kind, line, column, message, name, id, fatal=name == COREF)
        self._problems.append(problem)


def _id(tag: _Tag) -> str:
    return next((attribute.value for attribute in tag.attributes if attribute.name == "ID"), "")


_ATTRIBUTE = re.compile(
    r"""\s*+(?:
        (?P<written>(?P<name>[A-Za-z][\w.:-]*+)
        (?P<value>\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'=]++)))?+)
        (?=\s|$)
        |(?P<junk>\S++))""",
    re.VERBOSE,
)


def parse_attributes(written: str) -> tuple[tuple[Attribute, ...], tuple[str, ...]]:
    """Return the attributes after a tag's name, and the faults in the rest."""
    attributes: dict[str, Attribute] = {}
    faults: list[str] = []
    for match in _ATTRIBUTE.finditer(written):
        attribute, name, value, double, single, unquoted, junk = match.groups()
        if junk is not None:
            faults.append(f"{junk!r} is not an attribute")
        elif (name := name.upper()) in attributes:
            faults.append(f"{name} is given twice")
        else:
            if value is None:
                faults.append(f"{attribute!r} has no value")
            decoded = unescape(double or single or unquoted or "").strip()
            attributes[name] = Attribute(name, decoded, attribute)
    return tuple(attributes.values()), tuple(faults)


def find_crossings(elements: tuple[Element, ...]) -> Iterator[Problem]:
    """Yield a problem for each closed COREF that crosses the border of another closed element.

    COREFs never cross each other: the closing tag does not tell which one it closes.
    """
    closed = [element for element in elements if element.closed]
    edges = ((place, item) for item in closed for place in (item.start, item.closing))
    events = sorted(edges, key=lambda event: event[0])
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


_VISIBLE = re.compile(r"\S+")


def trimmer(text: str) -> Callable[[int, int], Span]:
    """Return a function that strips white space from the ends of a span.

    No white space is read twice, even if many phrases begin or end in it.
    """
    begins, ends = array("q"), array("q")
    for match in _VISIBLE.finditer(text):
        begins.append(match.start())
        ends.append(match.end())

    def trimmed(start: int, end: int) -> Span:
        first, last = bisect_right(ends, start), bisect_left(begins, end) - 1
        begin = min(max(start, begins[first]), end) if first < len(begins) else end
        return Span(begin, max(begin, min(end, ends[last]) if last >= 0 else 0))

    return trimmed
