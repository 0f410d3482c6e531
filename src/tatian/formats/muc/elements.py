"""Results of a scan of MUC SGML: elements with their places in the file and in the text.

Two kinds of offsets occur. *Source* offsets count the characters of the file, tags included; the
fields that hold them say so. All `Span`s are offsets into a document's text: its content without
tags and comments, entities decoded, white space and line ends as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

from tatian.text import Span
from tatian.text.layers import DocumentPart

COREF = "COREF"

ProblemKind = Literal[
    "unclosed-tag", "stray-closing-tag", "overlapping-tags", "bad-attribute", "broken-tag"
]


class Attribute(Struct, frozen=True):
    """One attribute of a tag, as it is written and what it means."""

    name: str
    """Name in capitals."""
    value: str
    """Entities decoded, without white space at the ends."""
    written: str
    """As in the file: ``Ref = '12'``."""


class Element(Struct, frozen=True):
    """A tag, its content, and the places of both."""

    name: str
    """Name in capitals."""
    start: int
    """Source offset of the opening tag."""
    opened: int
    """Source offset after the opening tag."""
    closing: int
    """Source offset of the closing tag; of the end of the content where there is none."""
    end: int
    """Source offset after the closing tag."""
    line: int
    """Line and column of the opening tag in the file, counted from 1."""
    column: int
    content: Span
    """All that the tags enclose."""
    span: Span
    """Content without white space at its ends."""
    attributes: tuple[Attribute, ...] = ()
    closed: bool = True

    def get(self, name: str) -> str | None:
        """Return the value of the first attribute of that name (in capitals)."""
        return next(
            (attribute.value for attribute in self.attributes if attribute.name == name), None
        )

    @property
    def id(self) -> str:
        """ID, or an empty string."""
        return self.get("ID") or ""

    @property
    def optional(self) -> bool:
        """True if STATUS is OPT."""
        return (self.get("STATUS") or "").upper() == "OPT"


class Problem(Struct, frozen=True):
    """Broken markup, and its place."""

    kind: ProblemKind
    line: int
    column: int
    message: str
    name: str = COREF
    """Name of the element."""
    id: str = ""
    """ID of the markable, if it has one."""
    fatal: bool = True
    """True if chains cannot be read because of it."""


class SourceLayout(Struct, frozen=True):
    """Place of each character of a document's text in the source."""

    offsets: list[int]
    """Start in the text of each run of characters adjacent in the source, and the text's length."""
    sources: list[int]
    """The source offset of each run."""
    ends: list[int]
    """The source offset of the end of each run: one character may be a whole entity."""

    def before(self, offset: int) -> int:
        """Return the source offset of the character at `offset`, after all tags before it."""
        run = bisect_right(self.offsets, offset) - 1
        return self.sources[run] + offset - self.offsets[run]

    def after(self, offset: int) -> int:
        """Return the source offset after the character that ends at `offset`, before all tags."""
        run = bisect_right(self.offsets, offset - 1) - 1
        if offset == self.offsets[run + 1]:
            return self.ends[run]
        return self.sources[run] + offset - self.offsets[run]


class Lines(Struct, frozen=True):
    """Turns source offsets into lines and columns."""

    starts: list[int]

    def place(self, source: int) -> tuple[int, int]:
        """Return line and column of a source offset, both counted from 1."""
        line = bisect_right(self.starts, source)
        return line, source - self.starts[line - 1] + 1


class ScannedDocument(Struct, frozen=True, dict=True):
    """One document of a file, with its markup broken or not."""

    id: str
    text: str
    start: int
    """Source offsets of the document and of what belongs to no other, such as blank lines."""
    end: int
    elements: tuple[Element, ...]
    """Elements in the order of their opening tags."""
    parts: tuple[DocumentPart, ...]
    problems: tuple[Problem, ...]
    layout: SourceLayout
    lines: Lines

    @cached_property
    def corefs(self) -> tuple[Element, ...]:
        """All COREF elements, also those that are never closed."""
        return tuple(element for element in self.elements if element.name == COREF)

    @cached_property
    def markables(self) -> tuple[Element, ...]:
        """The COREF elements that enclose something."""
        return tuple(coref for coref in self.corefs if coref.closed and len(coref.span))

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column in the file of a character of the text."""
        return self.lines.place(self.layout.before(offset))

    def part(self, offset: int) -> DocumentPart | None:
        """Return the part that a character of the text is in, if any."""
        index = bisect_right(self.parts, offset, key=lambda part: part.start) - 1
        is_inside = index >= 0 and offset < self.parts[index].end
        return self.parts[index] if is_inside else None


class Scan(Struct, frozen=True):
    """A whole file of MUC SGML."""

    source: str
    documents: tuple[ScannedDocument, ...]
    path: str | None = None


BODY_TAGS = frozenset({"TXT", "TEXT"})
"""The text proper; MUC-7 writes TEXT."""
HEADER_TAGS = frozenset(
    "DOCNO DOCID STORYID DD DATE SO IN CO RE LP G HL DATELINE SLUG NWORDS PREAMBLE TRAILER "
    "DOCTYPE DATETIME AN".split()
)
"""Elements above (or below) the text in the articles of MUC-6 and MUC-7."""
SECTIONS = HEADER_TAGS | BODY_TAGS | {"DOC"}
"""Elements that a document is made of: they are expected to be closed."""
_ANNOTATED_TAGS = BODY_TAGS | {"HL", "DD", "DATELINE"}
TABLE_MARK = re.compile(r"^@", re.MULTILINE)
_LINE_END = re.compile(r"[\r\n]|\Z")
_TABLE = "@"


def divide_into_parts(
    elements: tuple[Element, ...], text: str, layout: SourceLayout, source: str
) -> tuple[DocumentPart, ...]:
    """Return the parts of a document, in order and disjoint; blank ones are left out.

    The text proper is annotated except for its lines that begin with a literal ``@`` (an entity
    ``&#64;`` begins a line of text). So are the headline, the dateline and the date; of two dates
    only the second. Where no element holds the text proper, everything outside the header counts as
    such.
    """
    has_body = any(element.name in BODY_TAGS for element in elements)
    dates = [element.start for element in elements if element.name == "DD"]
    skipped = {*dates} - {*dates[:2][-1:]}
    parts: list[DocumentPart] = []
    at = 0
    for element in _outermost(elements):
        parts.append(DocumentPart(at, element.content.start, "", not has_body))
        at = element.content.end
        if element.name in BODY_TAGS:
            parts.extend(_body_parts(element, text, layout, source))
        else:
            annotated = element.name in _ANNOTATED_TAGS and element.start not in skipped
            parts.append(DocumentPart(element.content.start, at, element.name, annotated))
    parts.append(DocumentPart(at, len(text), "", not has_body))
    return tuple(part for part in parts if part.of(text).strip())


def find_id(elements: tuple[Element, ...], text: str) -> str:
    """Return the document's own name: DOCNO, DOCID, or an attribute of DOC; empty if none."""
    for name in ("DOCNO", "DOCID", "STORYID"):
        for element in elements:
            if element.name == name and (written := " ".join(element.content.of(text).split())):
                return written
    for element in elements:
        if element.name == "DOC":
            return element.get("ID") or element.get("DOCNO") or element.get("DOCID") or ""
    return ""


def _outermost(elements: tuple[Element, ...]) -> Iterator[Element]:
    """Yield the top-level elements of the document; those inside another one belong to it."""
    end = -1
    for element in elements:
        if element.name in SECTIONS - {"DOC"} and element.content.start >= end:
            yield element
            end = element.content.end


def _body_parts(
    body: Element, text: str, layout: SourceLayout, source: str
) -> Iterator[DocumentPart]:
    """Yield the text proper, cut at the lines of tables."""
    at, limit = body.content.start, body.content.end
    for table_mark in TABLE_MARK.finditer(text, at, limit):
        if source[layout.before(table_mark.start())] == _TABLE:
            ended = _LINE_END.search(text, table_mark.end(), limit)
            end = ended.start() if ended else limit
            yield DocumentPart(at, table_mark.start(), body.name, annotated=True)
            yield DocumentPart(table_mark.start(), end, _TABLE, annotated=False)
            at = end
    yield DocumentPart(at, limit, body.name, annotated=True)


ENTITY = r"&(?:[#][0-9]{1,7}|[#][xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,4});"
"""Pattern of entities that `decode_entity` may know."""

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENTITY = re.compile(ENTITY)


def decode_entity(entity: str) -> str:
    """Return the character of an entity; an unknown entity stands for itself."""
    name = entity[1:-1]
    if not name.startswith("#"):
        return _NAMED.get(name.lower(), entity)
    hexadecimal = name[1] in "xX"
    code = int(name[2:], 16) if hexadecimal else int(name[1:])
    is_character = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else entity


def unescape(written: str) -> str:
    """Return a text or an attribute's value with its entities decoded."""
    return _ENTITY.sub(lambda entity: decode_entity(entity[0]), written)


def escape(text: str) -> str:
    """Escape text as SGML content; reading it returns the same text."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quote(value: str) -> str:
    """Return a value as an attribute in double quotes."""
    return f'"{escape(value).replace(chr(34), "&quot;")}"'


_MARKUP = re.compile(
    rf"""(?P<comment><!--)
    |(?P<declaration>\A\ufeff|<[!?][A-Za-z][^<>]*+>)
    |<(?P<slash>/?)(?P<name>[A-Za-z][\w.-]*+)
      (?P<tag>(?:[\s/](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)?+(?=>)|[\s/][^<>]*+)>
    |(?P<broken></?COREF\b)
    |(?P<entity>{ENTITY})""",
    re.VERBOSE | re.IGNORECASE,
)
_COMMENT_END = "-->"


class MarkupPiece(NamedTuple):
    """One piece of markup."""

    kind: str
    """``tag``, ``entity``, ``broken`` (a COREF tag without an end) or ``skipped``."""
    start: int
    end: int
    name: str = ""
    """Name of a tag, in capitals."""
    closing: bool = False
    rest: str = ""
    """Text after the tag's name; or the entity."""


def find_markup(source: str) -> Iterator[MarkupPiece]:
    """Yield every piece of markup, in order; text lies between them."""
    last = source.rfind(_COMMENT_END)
    at = 0
    while match := _MARKUP.search(source, at):
        kind = match.lastgroup
        start, at = match.span()
        if kind == "tag":
            _, _, slash, name, rest, _, _ = match.groups()
            yield MarkupPiece("tag", start, at, name.upper(), bool(slash), rest)
        elif kind == "comment":
            if at <= last:
                at = source.index(_COMMENT_END, at) + len(_COMMENT_END)
                yield MarkupPiece("skipped", start, at)
        elif kind == "declaration":
            yield MarkupPiece("skipped", start, at)
        else:
            yield MarkupPiece(kind or "", start, at, rest=match[0])
