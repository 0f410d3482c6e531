"""CoNLL-U sentence by sentence, checked line by line: what every reader of the format builds on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.conllu.frames import COLUMNS, NONE, Frame, Range

_RANGE = re.compile(r"([1-9]\d*)-([1-9]\d*)")
_EMPTY_NODE = re.compile(r"(\d+)\.([1-9]\d*)")


class Row(Struct, frozen=True):
    """One word's line, as it is written."""

    form: str
    lemma: str
    tag: str
    fine: str
    features: str
    head: int | None
    """Counted from 1, 0 for the root, None where nothing is annotated."""
    relation: str
    misc: str


class Block(Struct, frozen=True):
    """One sentence: its words, and all else that the file says of it."""

    rows: tuple[Row, ...]
    frame: Frame


def blocks(lines: Iterable[str], path: str | None = None) -> Iterator[Block]:
    """The sentences of a CoNLL-U file; `path` is what errors call it.

    `lines` is the file, its lines, or its whole text. An empty column counts as ``_``.
    """
    block = _Unfinished(path)
    for number, raw in enumerate(lines.split("\n") if isinstance(lines, str) else lines, start=1):
        line = raw.rstrip("\r\n").removeprefix("\ufeff")
        if line.strip():
            block.take(line, number)
        elif block.rows:
            yield block.finished()
            block = _Unfinished(path)
    if block.rows:
        yield block.finished()


class _Unfinished:
    """A sentence whose lines are still coming."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.comments: list[str] = []
        self.rows: list[Row] = []
        self.ranges: list[Range] = []
        self.enhanced: list[str] = []
        self.empty: list[str] = []
        self.furthest = (0, "", 0)
        """The highest number of a word that a line speaks of, how it does, and that line."""

    def take(self, line: str, number: int) -> None:
        """Add one line."""
        problem = ""
        if "\r" in line:
            problem = "a carriage return inside the line: end lines with a line feed"
        elif not line.startswith("#"):
            problem = self._add(line.split("\t"), number)
        elif self.rows:
            problem = "a comment inside a sentence: put it, or a blank line, before the words"
        else:
            self.comments.append(line)
        if problem:
            raise InputError(problem, path=self.path, line=number)

    def _add(self, columns: list[str], number: int) -> str:
        """Add one line of the table; what is wrong with it, if anything is."""
        if len(columns) != COLUMNS:
            have = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            return f"{have} where CoNLL-U has {COLUMNS}, separated by tabs"
        if not columns[1].strip():
            return "the word has no form"
        columns = [column.strip() or NONE for column in columns]
        place = len(self.rows) + 1
        if columns[0] == str(place):
            return self._add_word(columns, number)
        if span := _RANGE.fullmatch(columns[0]):
            first, last = int(span[1]), int(span[2])
            if first != place or last < first or (self.ranges and first <= self.ranges[-1].last):
                return f"the range {columns[0]} is out of place"
            self.ranges.append(Range(first, last, columns[1], columns[9], columns[5]))
            self._reach(last, f"the range {columns[0]} goes", number)
        elif node := _EMPTY_NODE.fullmatch(columns[0]):
            if int(node[1]) != place - 1:
                return f"the empty node {columns[0]} is out of place"
            self.empty.append("\t".join(columns))
        else:
            return f"the word is numbered {columns[0]}, not {place}"
        return ""

    def _add_word(self, columns: list[str], number: int) -> str:
        _, form, lemma, tag, fine, features, head, relation, enhanced, misc = columns
        if head != NONE and not head.isdecimal():
            return f"the head is '{head}': it must be the number of a word, 0 for the root, or _"
        governor = None if head == NONE else int(head)
        self.rows.append(Row(form, lemma, tag, fine, features, governor, relation, misc))
        self.enhanced.append(enhanced)
        self._reach(governor or 0, f"the head of '{form}' is {head},", number)
        return ""

    def _reach(self, word: int, what: str, number: int) -> None:
        self.furthest = max(self.furthest, (word, what, number), key=lambda one: one[0])

    def finished(self) -> Block:
        """The sentence, if nothing in it points beyond its end."""
        word, what, number = self.furthest
        if word > len(self.rows):
            raise InputError(f"{what} beyond the sentence", path=self.path, line=number)
        frame = Frame(
            comments=tuple(self.comments),
            ranges=tuple(self.ranges),
            misc=tuple(row.misc for row in self.rows),
            enhanced=tuple(self.enhanced) if set(self.enhanced) != {NONE} else (),
            empty=tuple(self.empty),
        )
        return Block(tuple(self.rows), frame)
