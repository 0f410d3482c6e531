"""What a scan of MUC SGML finds: elements that know their place in the file and in the text.

Two kinds of offsets occur. *Source* offsets count the characters of the file, tags included; the
fields that hold them say so. All `Span`s are offsets into a document's text: the content of the
document without tags and comments, entities decoded, white space and line ends as they are.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Literal

from msgspec import Struct

from tatian.coreference.analysing import Part
from tatian.text import Span

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


class Layout(Struct, frozen=True):
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
    parts: tuple[Part, ...]
    problems: tuple[Problem, ...]
    layout: Layout
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

    def part(self, offset: int) -> Part | None:
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
