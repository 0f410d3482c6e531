"""What a scan of MUC SGML finds: elements that know their place in the file and in the text.

Two kinds of offsets occur. *Source* offsets count the characters of the file, tags included; the
fields that hold them say so. All `Span`s are offsets into a document's text: the content of the
document without tags and comments, entities decoded, white space and line ends as they are.
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
    """In capitals."""
    value: str
    """Entities decoded, without white space at the ends."""
    written: str
    """As in the file: ``Ref = '12'``."""


class Element(Struct, frozen=True):
    """A tag, what it encloses, and where both stand."""

    name: str
    """In capitals."""
    start: int
    """Source offset of the opening tag."""
    opened: int
    """Source offset of what follows the opening tag."""
    closing: int
    """Source offset of the closing tag; of the end of the content where there is none."""
    end: int
    """Source offset of what follows the closing tag."""
    line: int
    """Line and column of the opening tag in the file, counted from 1."""
    column: int
    content: Span
    """All that the tags enclose."""
    span: Span
    """The same without white space at its ends."""
    attributes: tuple[Attribute, ...] = ()
    closed: bool = True

    def get(self, name: str) -> str | None:
        """The value of the first attribute of that name (in capitals)."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute.value
        return None

    @property
    def id(self) -> str:
        """The ID, or nothing."""
        return self.get("ID") or ""

    @property
    def optional(self) -> bool:
        """Whether STATUS says OPT."""
        return (self.get("STATUS") or "").upper() == "OPT"


class Problem(Struct, frozen=True):
    """Markup that is broken, and where."""

    kind: ProblemKind
    line: int
    column: int
    message: str
    name: str = COREF
    """Of the element."""
    id: str = ""
    """Of the markable, where it has one."""
    fatal: bool = True
    """Whether chains cannot be read because of it."""


class SourceLayout(Struct, frozen=True):
    """Where each character of a document's text stands in the source."""

    offsets: list[int]
    """Where each run of characters that stand together in the source begins in the text, and at
    last the length of the text."""
    sources: list[int]
    """The source offset of each run."""
    ends: list[int]
    """The source offset of the end of each run: one character may be a whole entity."""

    def before(self, offset: int) -> int:
        """The source offset of the character at `offset`, behind all tags before it."""
        run = bisect_right(self.offsets, offset) - 1
        return self.sources[run] + offset - self.offsets[run]

    def after(self, offset: int) -> int:
        """The source offset behind the character that ends at `offset`, before all tags there."""
        run = bisect_right(self.offsets, offset - 1) - 1
        if offset == self.offsets[run + 1]:
            return self.ends[run]
        return self.sources[run] + offset - self.offsets[run]


class Lines(Struct, frozen=True):
    """Turns source offsets into lines and columns."""

    starts: list[int]

    def place(self, source: int) -> tuple[int, int]:
        """Line and column of a source offset, both counted from 1."""
        line = bisect_right(self.starts, source)
        return line, source - self.starts[line - 1] + 1


class ScannedDocument(Struct, frozen=True, dict=True):
    """One document of a file, however broken its markup is."""

    id: str
    text: str
    start: int
    """Source offsets of the document and of what belongs to no other, such as blank lines."""
    end: int
    elements: tuple[Element, ...]
    """In the order of their opening tags."""
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
        return tuple(one for one in self.corefs if one.closed and len(one.span))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column in the file of a character of the text."""
        return self.lines.place(self.layout.before(offset))

    def part(self, offset: int) -> DocumentPart | None:
        """The part that a character of the text is in."""
        index = bisect_right(self.parts, offset, key=lambda part: part.start) - 1
        if index >= 0 and offset < self.parts[index].end:
            return self.parts[index]
        return None


class Scan(Struct, frozen=True):
    """A whole file of MUC SGML."""

    source: str
    documents: tuple[ScannedDocument, ...]
    path: str | None = None


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
    elements: tuple[Element, ...], text: str, layout: SourceLayout, source: str
) -> tuple[DocumentPart, ...]:
    """The parts of a document, in order and never overlapping; blank ones are left out.

    The text proper is annotated except for its lines that begin with ``@`` (written as such: an
    entity ``&#64;`` begins a line of text), as are the headline, the dateline and the date; of two
    dates only the second. Where no element holds the text proper, everything outside the header
    is taken for it.
    """
    has_body = any(element.name in BODIES for element in elements)
    dates = [element for element in elements if element.name == "DD"]
    skipped = {date.start for date in dates} - {date.start for date in dates[:2][-1:]}
    parts: list[DocumentPart] = []
    at = 0
    for element in _outermost(elements):
        parts.append(DocumentPart(at, element.content.start, "", not has_body))
        at = element.content.end
        if element.name in BODIES:
            parts.extend(_lines(element, text, layout, source))
        else:
            annotated = element.name in _ANNOTATED and element.start not in skipped
            parts.append(DocumentPart(element.content.start, at, element.name, annotated))
    parts.append(DocumentPart(at, len(text), "", not has_body))
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


def _lines(body: Element, text: str, layout: SourceLayout, source: str) -> Iterator[DocumentPart]:
    """The text proper, cut where a line of a table stands in it."""
    at, limit = body.content.start, body.content.end
    for found in TABLE_MARK.finditer(text, at, limit):
        if source[layout.before(found.start())] == _TABLE:
            ended = _LINE_END.search(text, found.end(), limit)
            end = ended.start() if ended else limit
            yield DocumentPart(at, found.start(), body.name, annotated=True)
            yield DocumentPart(found.start(), end, _TABLE, annotated=False)
            at = end
    yield DocumentPart(at, limit, body.name, annotated=True)


ENTITY = r"&(?:[#][0-9]{1,7}|[#][xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,4});"
"""What may be an entity that `decode` knows."""

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENTITY = re.compile(ENTITY)


def decode(entity: str) -> str:
    """The character an entity stands for; one that is not known stands for itself."""
    name = entity[1:-1]
    if not name.startswith("#"):
        return _NAMED.get(name.lower(), entity)
    hexadecimal = name[1] in "xX"
    code = int(name[2:], 16) if hexadecimal else int(name[1:])
    is_character = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else entity


def unescape(written: str) -> str:
    """A text or an attribute's value with its entities decoded."""
    return _ENTITY.sub(lambda found: decode(found[0]), written) if "&" in written else written


def escape(text: str) -> str:
    """Text as SGML content: reading it gives the same text back."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quote(value: str) -> str:
    """A value as an attribute in double quotes."""
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
    """Of a tag, in capitals."""
    closing: bool = False
    rest: str = ""
    """What follows the tag's name; the entity."""


def pieces(source: str) -> Iterator[MarkupPiece]:
    """Every piece of markup, in order; what lies between them is text."""
    last = source.rfind(_COMMENT_END)
    at = 0
    while found := _MARKUP.search(source, at):
        kind = found.lastgroup
        start, at = found.span()
        if kind == "tag":
            _, _, slash, name, rest, _, _ = found.groups()
            yield MarkupPiece("tag", start, at, name.upper(), bool(slash), rest)
        elif kind == "comment":
            if at <= last:
                at = source.index(_COMMENT_END, at) + len(_COMMENT_END)
                yield MarkupPiece("skipped", start, at)
        elif kind == "declaration":
            yield MarkupPiece("skipped", start, at)
        else:
            yield MarkupPiece(kind or "", start, at, rest=found[0])
