"""``Entity=`` of CorefUD: brackets with fields, such as ``(e5-person-2-new`` and ``e5)``.

``# global.Entity = eid-etype-head-...`` names the fields once. Fields for the minimal words, the
head or the page of a mention are computed when it is written. If a file has another value, that is
kept as an attribute of the mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.formats.brackets import nest_brackets
from tatian.formats.conllu import value
from tatian.formats.tokens import Places
from tatian.text import LINKS, WORDS, Document, Mention, Span

FIELDS = ("eid", "etype", "head", "minspan", "identity", "other")
"""Fields of files that declare none."""
GLOBAL = "global.Entity"
_TYPE = "etype"
_OTHER = "other"
_COMMA = "%2C"
_OPTIONAL = ("status", "OPT")
_BRACKET = re.compile(r"\((?P<open>[^()\s]+)(?P<single>\))?|(?P<close>[^()\s]+)\)")
_PART = re.compile(r"(?P<id>[^\[\]]+)(?:\[(?P<part>[1-9]\d*)/(?P<of>[1-9]\d*)\])?")
_RESERVED = re.compile(r"""[-()|=%,"\[\]:\s]""")


class Bracket(NamedTuple):
    """An opening bracket, a closing one, or both."""

    id: str
    part: int
    """Number of the part of a discontinuous mention, from 1."""
    of: int
    """Number of its parts."""
    opens: bool
    closes: bool
    fields: tuple[str, ...]
    """Fields after the id, without empty ones at the end."""

    def __str__(self) -> str:
        piece = f"[{self.part}/{self.of}]" if self.of > 1 else ""
        if not self.opens:
            return f"{self.id}{piece})"
        fields = "".join(f"-{field}" for field in self.fields)
        return f"({self.id}{piece}{fields}" + (")" if self.closes else "")


def brackets(value: str) -> list[Bracket]:
    """Parse an ``Entity=`` value; raise a ValueError if it has another form."""
    parsed = []
    offset = 0
    while offset < len(value):
        match = _BRACKET.match(value, offset)
        name, *fields = (match["open"] or match["close"]).split("-") if match else ("",)
        part = _PART.fullmatch(name)
        if not match or not part or (match["close"] and fields):
            raise ValueError(f"'{value[offset:]}' is not a list of mentions such as '(e1-person-1'")
        opens = match["open"] is not None
        number, of = int(part["part"] or 1), int(part["of"] or 1)
        if number > of:
            problem = f"part number {number} is larger than the number of parts, {of}"
            raise ValueError(f"{problem}, in '{name}'")
        while fields and not fields[-1]:
            fields.pop()
        closes = bool(match["close"] or match["single"])
        parsed.append(Bracket(part["id"], number, of, opens, closes, tuple(fields)))
        offset = match.end()
    return parsed


def escape(value: str, blank: str = "_") -> str:
    """Escape a value for a field."""
    return _RESERVED.sub(
        lambda match: blank if match[0] == " " else f"%{match[0].encode().hex('%').upper()}", value
    )


class Fields:
    """Converts between fields of brackets and mentions of one document."""

    def __init__(self, names: Sequence[str], document: Document) -> None:
        self.names = tuple(names)[1:]
        self._places = Places(document)
        self._document = document
        links = document.get(LINKS, ())
        self._heads = {word.token: word.head for word in document.get(WORDS, ())}
        self._titles = {(link.start, link.end): link.titles[0] for link in links if link.titles}

    def link(self, start: int, end: int, title: str) -> None:
        """Record the page that the span is linked to."""
        self._titles.setdefault((start, end), title)

    def title(self, fields: Sequence[str]) -> str:
        """Return the page that a bracket names, if any."""
        values = dict(zip(self.names, fields, strict=False))
        return unquote(values.get("identity", "").replace("_", " "))

    def mention(self, parts: Sequence[Span], fields: Sequence[str]) -> Mention:
        """Return a bracket's content as a mention; its page is given by `title`."""
        values = dict(zip_longest(self.names, fields, fillvalue=""))
        other, optional = _parse_other(values.get(_OTHER, ""))
        mention = Mention(
            parts[0].start,
            parts[-1].end,
            type=unquote(values.pop(_TYPE, "")),
            optional=optional,
            parts=tuple(parts) if len(parts) > 1 else (),
            attributes=other,
        )
        if _format_other(mention, self.names) != values.get(_OTHER, ""):
            mention = replace(mention, optional=False, attributes=())
        mention = replace(mention, head=self._head(mention, values))
        deviating = [pair for pair in values.items() if self._derive(pair[0], mention) != pair[1]]
        return replace(mention, attributes=(*deviating, *mention.attributes))

    def _head(self, mention: Mention, values: dict[str, str]) -> Span | None:
        """Return the span that the field minspan, or else head, gives by word numbers."""
        field = values.get("minspan" if "minspan" in self.names else "head", "")
        numbers = [int(number) for number in field.split(",") if number.isdecimal()]
        words = self._words_of(mention)
        is_inside = all(0 < number <= len(words) for number in numbers)
        if not numbers or not is_inside or len(set(numbers)) == len(words):
            return None
        tokens = self._document.tokens
        first, last = words[min(numbers) - 1], words[max(numbers) - 1]
        return Span(tokens[first].start, tokens[last].end)

    def _words_of(self, mention: Mention) -> list[int]:
        spans = mention.parts or (mention,)
        return [place for span in spans for place in self._places.tokens(span)]

    def values(self, mention: Mention, type: str) -> tuple[str, ...]:
        """Return the fields of a mention, without empty ones at the end."""
        attributes = dict(mention.attributes)
        values = []
        for name in self.names:
            if name == _TYPE:
                values.append(escape(mention.type or type))
            elif name in attributes:
                values.append(attributes[name])
            else:
                values.append(self._derive(name, mention))
        while values and not values[-1]:
            values.pop()
        return tuple(values)

    def _derive(self, name: str, mention: Mention) -> str:
        match name:
            case "minspan":
                return ",".join(str(number) for number in self._minimal_words(mention))
            case "head":
                return str(self._head_word(mention))
            case "identity":
                return escape(self._titles.get((mention.start, mention.end), ""))
            case "other":
                return _format_other(mention, self.names)
        return ""

    def _minimal_words(self, mention: Mention) -> list[int]:
        words = self._words_of(mention)
        if mention.head is None:
            return list(range(1, len(words) + 1))
        inside = self._places.tokens(mention.head)
        return [number for number, token in enumerate(words, 1) if token in inside]

    def _head_word(self, mention: Mention) -> int:
        """Return the number of the head word: by the tree, or else the last minimal word."""
        words = self._words_of(mention)
        numbers = self._minimal_words(mention) or list(range(1, len(words) + 1))
        candidates = {words[number - 1] for number in numbers}
        for number in numbers:
            word = words[number - 1]
            if self._heads.get(word, word) not in candidates:
                return number
        return numbers[-1] if numbers else 1


def _format_other(mention: Mention, names: Sequence[str]) -> str:
    """Return attributes without a field of their own, as ``status:OPT%2Cnote:sure``."""
    pairs = [_OPTIONAL] if mention.optional else []
    pairs += [pair for pair in mention.attributes if pair[0] not in names]
    return _COMMA.join(f"{_escape_item(name)}:{_escape_item(value)}" for name, value in pairs)


def _escape_item(value: str) -> str:
    """Escape an item of a list, which is separated by escaped commas."""
    return escape(value.replace("%", "%25").replace(",", _COMMA), "%20")


def _parse_other(value: str) -> tuple[tuple[tuple[str, str], ...], bool]:
    parts = [item.partition(":") for item in value.split(_COMMA) if item]
    pairs = [(unquote(unquote(name)), unquote(unquote(text))) for name, _, text in parts]
    return tuple(pair for pair in pairs if pair != _OPTIONAL), _OPTIONAL in pairs


ENTITY = "Entity="
_MISC = 9


class Node(Struct, frozen=True):
    """A word or an empty node."""

    line: int
    """Line of the document, from 0."""
    token: int
    """Number of the word in the document, from 0; for an empty node that of the next word."""
    empty: bool
    form: str
    entity: str
    """Its ``Entity=`` value."""


class MentionPiece(Struct, frozen=True):
    """A contiguous run of nodes in a pair of brackets."""

    opening: Bracket
    first: int
    last: int
    """Numbers of nodes."""


MarkedMention = tuple[MentionPiece, ...]
"""A mention by its nodes, in one or several pieces; the first piece has its fields."""


def nodes(lines: Sequence[str], lines_before: int = 0, path: str | None = None) -> list[Node]:
    """Return the words and empty nodes of a document that was parsed without error."""
    all_nodes = []
    token = 0
    for index, line in enumerate(lines):
        if line.startswith(("#", "\ufeff#")) or not line.strip():
            continue
        columns = line.split("\t")
        number = columns[0].removeprefix("\ufeff")
        entity = value(columns[_MISC].strip(), ENTITY)
        if "-" in number:
            if entity:
                message = "Entity= of a multiword token: put it on one of its words"
                raise InputError(message, path=path, line=lines_before + index + 1)
            continue
        is_empty = "." in number
        all_nodes.append(Node(index, token, is_empty, columns[1].strip(), entity))
        token += not is_empty
    return all_nodes


def with_entity(line: str, value: str) -> str:
    """Return the row with another ``Entity=`` value, otherwise unchanged."""
    content = line.rstrip("\r\n")
    columns = content.split("\t")
    items = [item for item in columns[_MISC].split("|") if item not in ("_", "")]
    others = [item for item in items if not item.startswith(ENTITY)]
    if value:
        places = (index for index, item in enumerate(items) if item.startswith(ENTITY))
        others.insert(next(places, sum(item < ENTITY for item in others)), ENTITY + value)
    columns[_MISC] = "|".join(others) or "_"
    return "\t".join(columns) + line[len(content) :]


def declared_fields(lines: Iterable[str]) -> tuple[str, ...] | None:
    """Return the fields that ``# global.Entity`` declares, if any."""
    for line in lines:
        if GLOBAL in line and line.removeprefix("\ufeff").startswith("#"):
            name, _, value = line.lstrip("\ufeff# ").partition("=")
            if name.strip() == GLOBAL:
                return tuple(value.strip().split("-"))
    return None


class BracketPairs:
    """Pairs of the brackets of one document; errors name the line."""

    def __init__(
        self, all_nodes: Sequence[Node], lines_before: int = 0, path: str | None = None
    ) -> None:
        self.nodes = all_nodes
        self._before = lines_before
        self._path = path
        self._open: dict[tuple[str, int, int], list[tuple[Bracket, int]]] = {}
        self._unfinished: dict[tuple[str, int], list[list[MentionPiece]]] = {}
        self._finished: list[list[MentionPiece]] = []

    def read(self) -> list[MarkedMention]:
        """Return all mentions in the order of their ends."""
        for index, node in enumerate(self.nodes):
            try:
                listed = brackets(node.entity)
            except ValueError as error:
                raise self._error(str(error), index) from None
            for bracket in listed:
                if bracket.opens:
                    self._open.setdefault(bracket[:3], []).append((bracket, index))
                if bracket.closes:
                    self._close(bracket, index)
        for open_brackets in self._open.values():
            for bracket, index in open_brackets:
                raise self._error(f"mention '{bracket.id}' is not closed", index)
        for incomplete in self._unfinished.values():
            for pieces in incomplete:
                opening = pieces[-1].opening
                message = f"mention '{opening.id}' has {opening.part} of its {opening.of} parts"
                raise self._error(message, pieces[-1].first)
        return [tuple(pieces) for pieces in self._finished]

    def _close(self, bracket: Bracket, node_index: int) -> None:
        open_brackets = self._open.get(bracket[:3])
        if not open_brackets:
            raise self._error(f"mention '{bracket.id}' is closed, but was not opened", node_index)
        opening, first = open_brackets.pop()
        piece = MentionPiece(opening, first, node_index)
        if opening.of == 1:
            self._finished.append([piece])
            return
        incomplete = self._unfinished.setdefault((opening.id, opening.of), [])
        if opening.part == 1:
            incomplete.append([piece])
            return
        for pieces in reversed(incomplete):
            if pieces[-1].opening.part == opening.part - 1 and pieces[-1].last < first:
                pieces.append(piece)
                if opening.part == opening.of:
                    incomplete.remove(pieces)
                    self._finished.append(pieces)
                return
        message = f"part {opening.part} of mention '{opening.id}' comes without the one before"
        raise self._error(message, node_index)

    def _error(self, message: str, node_index: int) -> InputError:
        line = self._before + self.nodes[node_index].line + 1
        return InputError(message, path=self._path, line=line)


def brackets_by_node(marked: Iterable[MarkedMention]) -> dict[int, list[Bracket]]:
    """Return the brackets of each node that has any."""
    return nest_brackets(
        (
            piece.first,
            piece.last,
            piece.opening._replace(closes=False),
            piece.opening._replace(opens=False, closes=True, fields=()),
            piece.opening._replace(closes=True),
        )
        for pieces in marked
        for piece in pieces
    )
