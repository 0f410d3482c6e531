"""The rows of CorefUD's CoNLL-U, and the mentions that their brackets make up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.brackets import Enclosed, nested
from tatian.formats.entities import GLOBAL, Bracket, brackets

ENTITY = "Entity="
_MISC = 9


class Node(Struct, frozen=True):
    """A word or an empty node."""

    line: int
    """Which line of the document it is, from 0."""
    token: int
    """The word's number in the document, from 0; for an empty node that of the word after it."""
    empty: bool
    form: str
    entity: str
    """Its ``Entity=`` value."""


class MentionPiece(Struct, frozen=True):
    """An unbroken stretch of nodes that a pair of brackets encloses."""

    opening: Bracket
    first: int
    last: int
    """Numbers of nodes."""


class MarkedMention(Struct, frozen=True):
    """A mention by its nodes, in one piece or several."""

    pieces: tuple[MentionPiece, ...]

    @property
    def opening(self) -> Bracket:
        """What is said of it."""
        return self.pieces[0].opening


def nodes(lines: Sequence[str], before: int = 0, path: str | None = None) -> list[Node]:
    """The words and empty nodes of a document whose form has been checked."""
    found = []
    token = 0
    for place, line in enumerate(lines):
        if line.startswith(("#", "\ufeff#")) or not line.strip():
            continue
        columns = line.split("\t")
        number = columns[0].removeprefix("\ufeff")
        entity = entity_of(columns[_MISC].strip())
        if "-" in number:
            if entity:
                message = "Entity= of a multiword token: put it on one of its words"
                raise InputError(message, path=path, line=before + place + 1)
            continue
        empty = "." in number
        found.append(Node(place, token, empty, columns[1].strip(), entity))
        token += not empty
    return found


def entity_of(misc: str) -> str:
    """The ``Entity=`` value of a MISC column."""
    if ENTITY not in misc:
        return ""
    return next((one[len(ENTITY) :] for one in misc.split("|") if one.startswith(ENTITY)), "")


def with_entity(line: str, value: str) -> str:
    """The row with another ``Entity=`` value, all else as it was."""
    content = line.rstrip("\r\n")
    columns = content.split("\t")
    listed = [one for one in columns[_MISC].split("|") if one not in ("_", "")]
    kept = [one for one in listed if not one.startswith(ENTITY)]
    if value:
        place = next((at for at, one in enumerate(listed) if one.startswith(ENTITY)), None)
        if place is None:
            place = sum(one < ENTITY for one in kept)
        kept.insert(place, ENTITY + value)
    columns[_MISC] = "|".join(kept) or "_"
    return "\t".join(columns) + line[len(content) :]


def fields_named(lines: Iterable[str]) -> tuple[str, ...] | None:
    """The fields that ``# global.Entity`` declares."""
    for line in lines:
        if GLOBAL in line and line.removeprefix("\ufeff").startswith("#"):
            name, _, value = line.lstrip("\ufeff# ").partition("=")
            if name.strip() == GLOBAL:
                return tuple(value.strip().split("-"))
    return None


class BracketPairs:
    """Pairs the brackets of one document; errors name the line."""

    def __init__(self, found: Sequence[Node], before: int = 0, path: str | None = None) -> None:
        self.nodes = found
        self._before = before
        self._path = path
        self._open: dict[tuple[str, int, int], list[tuple[Bracket, int]]] = {}
        self._unfinished: dict[tuple[str, int], list[list[MentionPiece]]] = {}
        self._done: list[list[MentionPiece]] = []

    def read(self) -> list[MarkedMention]:
        """All mentions, in the order in which they end."""
        for place, node in enumerate(self.nodes):
            if not node.entity:
                continue
            try:
                listed = brackets(node.entity)
            except ValueError as error:
                raise self._error(str(error), place) from None
            for bracket in listed:
                if bracket.opens:
                    self._open.setdefault(bracket[:3], []).append((bracket, place))
                if bracket.closes:
                    self._close(bracket, place)
        for begun in self._open.values():
            for bracket, place in begun:
                raise self._error(f"mention '{bracket.id}' is not closed", place)
        for started in self._unfinished.values():
            for pieces in started:
                opening = pieces[-1].opening
                message = f"mention '{opening.id}' has {opening.part} of its {opening.of} parts"
                raise self._error(message, pieces[-1].first)
        return [MarkedMention(tuple(pieces)) for pieces in self._done]

    def _close(self, bracket: Bracket, place: int) -> None:
        begun = self._open.get(bracket[:3])
        if not begun:
            raise self._error(f"mention '{bracket.id}' is closed, but was not opened", place)
        opening, first = begun.pop()
        piece = MentionPiece(opening, first, place)
        if opening.of == 1:
            self._done.append([piece])
            return
        waiting = self._unfinished.setdefault((opening.id, opening.of), [])
        if opening.part == 1:
            waiting.append([piece])
            return
        for pieces in reversed(waiting):
            if pieces[-1].opening.part == opening.part - 1 and pieces[-1].last < first:
                pieces.append(piece)
                if opening.part == opening.of:
                    waiting.remove(pieces)
                    self._done.append(pieces)
                return
        message = f"part {opening.part} of mention '{opening.id}' comes without the one before"
        raise self._error(message, place)

    def _error(self, message: str, place: int) -> InputError:
        line = self._before + self.nodes[place].line + 1
        return InputError(message, path=self._path, line=line)


def cells(marked: Iterable[MarkedMention]) -> dict[int, list[Bracket]]:
    """The brackets of each node that has any."""
    return nested(
        Enclosed(
            piece.first,
            piece.last,
            piece.opening._replace(closes=False),
            piece.opening._replace(opens=False, closes=True, fields=()),
            piece.opening._replace(closes=True),
        )
        for one in marked
        for piece in one.pieces
    )
