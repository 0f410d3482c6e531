"""The coreference column of CoNLL-like files, with one fast parser for reading and scoring.

Chains are bracketed on token rows: ``(0`` opens a mention of chain 0, ``0)`` closes it, ``(0)`` is
a mention of one token, ``(0)|(3`` is several of these, and ``-``, ``_`` or nothing is none. As in
the CoNLL reference scorer, a row's one-token mentions come first, then its opening brackets, then
its closing ones. A closing bracket belongs to the mention of its chain that was opened last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, TypeVar

from tatian.errors import InputError

TokenSpan = tuple[int, int]
"""Number of the first token of a mention, and of the token after its last."""
Spans = dict[str, list[TokenSpan]]
"""Mentions of each chain, chains in the order in which they begin."""

_HEADER = re.compile(r"#\s*(begin|end) document\b\s*(.*?)\s*$")
_NAME = re.compile(r"\((?P<name>.*)\)\s*;?\s*(?:part\s*(?P<part>\S+))?$")
_ELEMENT = re.compile(r"(\(?)([^()|\s]+)(\)?)")
_NO_TOKEN = "# \t\r"
"""First characters of a line that may be no token row."""
_NOTHING = frozenset(("", "-", "_", "*"))
"""Columns of a token that begins and ends no mention."""
_ENDINGS = "-_* \t\r"
"""Last characters of a token row, if not a bracket, that are probably right."""

Element = tuple[str, str, str]
"""``(`` or nothing, the id of a chain, ``)`` or nothing."""
_REMEMBERED = 50_000
_PARSED: dict[str, tuple[Element, ...]] = {}
"""Cache of parsed columns: a few thousand occur again and again."""


class Bracketed(NamedTuple):
    """Contents of the coreference column of one document."""

    id: str
    line: int
    """Line on which the document begins, from 1."""
    tokens: int
    """Number of token rows."""
    chains: Spans


class DocumentHeader(NamedTuple):
    """The line that begins or ends a document."""

    begins: bool
    name: str
    part: str | None

    @property
    def id(self) -> str:
        """Name, with the part's number if it is not the first: ``bc/cnn/0001 part 2``."""
        number = (self.part or "").lstrip("0")
        return f"{self.name} part {number}" if number else self.name


def read_header(line: str) -> DocumentHeader | None:
    """Parse ``#begin document (NAME); part 000`` and the like; None for any other line."""
    header = _HEADER.match(line)
    if header is None:
        return None
    title = header[2]
    named = _NAME.match(title)
    name, part = (named["name"], named["part"]) if named else (title, None)
    return DocumentHeader(header[1] == "begin", name, part)


def is_comment(line: str) -> bool:
    """Return whether a line that is no header is no token row either."""
    return line.startswith("#") and "\t" not in line


def _parsed(column: str, path: str | None, line: int) -> tuple[Element, ...]:
    """Return the elements of a column in the order in which they take effect."""
    if column in _NOTHING:
        return ()
    elements: list[Element] = _ELEMENT.findall(column)
    if (
        not elements
        or "".join(map("".join, elements)) != column.replace("|", "")
        or not all(begins or ends for begins, _, ends in elements)
    ):
        raise InputError(
            f"'{column}' is not a coreference column such as '(0', '0)', '(0)|(3' or '-'",
            path=path,
            line=line,
        )
    ordered = tuple(
        sorted(elements, key=lambda element: (not (element[0] and element[2]), not element[0]))
    )
    if len(_PARSED) < _REMEMBERED:
        _PARSED[column] = ordered
    return ordered


class Brackets:
    """The mentions of one document, collected from one token's column after the other."""

    __slots__ = ("_chains", "_open", "_path")

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self._chains: Spans = {}
        self._open: dict[str, list[tuple[int, int]]] = {}

    def add(self, token: int, column: str, line: int) -> None:
        """Add the column of a token (by its number in the document)."""
        elements = _PARSED.get(column)
        if elements is None:
            elements = _parsed(column, self._path, line)
        for begins, id, ends in elements:
            if begins:
                if ends:
                    self._chains.setdefault(id, []).append((token, token + 1))
                else:
                    self._chains.setdefault(id, [])
                    self._open.setdefault(id, []).append((token, line))
            else:
                begun = self._open.get(id)
                if not begun:
                    raise InputError(
                        f"a mention of chain {id} ends that has not begun",
                        path=self._path,
                        line=line,
                    )
                self._chains[id].append((begun.pop()[0], token + 1))

    def finish(self) -> Spans:
        """Return the chains; refuse a document with an open mention."""
        unclosed = [(line, id) for id, begun in self._open.items() for _, line in begun]
        if unclosed:
            line, id = min(unclosed)
            raise InputError(
                f"a mention of chain {id} begins here and does not end in the document",
                path=self._path,
                line=line,
            )
        return self._chains


class _Sorted(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


T = TypeVar("T", bound=_Sorted)


Enclosed = tuple[int, int, T, T, T]
"""First and last row, and the text where they begin, where they end, or for a single row."""


def nest_brackets(stretches: Iterable[Enclosed[T]]) -> dict[int, list[T]]:
    """The brackets on each row that has any, nested where the stretches are.

    As the validator of Universal Dependencies wants it: what ends comes before what begins, and
    what is of one row before what ends or after what begins. The longest begins first, the
    shortest ends first.
    """
    begin: dict[int, list[tuple[int, T]]] = {}
    end: dict[int, list[tuple[int, T]]] = {}
    single: dict[int, list[T]] = {}
    for first, last, opening, closing, both in stretches:
        if first == last:
            single.setdefault(first, []).append(both)
        else:
            begin.setdefault(first, []).append((-last, opening))
            end.setdefault(last, []).append((-first, closing))
    written: dict[int, list[T]] = {}
    for row in {*begin, *end, *single}:
        begins = [bracket for _, bracket in sorted(begin.get(row, []))]
        ends = [bracket for _, bracket in sorted(end.get(row, []))]
        alone = sorted(single.get(row, []))
        written[row] = [*alone, *ends, *begins] if ends else [*begins, *alone]
    return written


def _last_column(line: str) -> str:
    """Return the last column of a row, unless it is a parse before an empty column."""
    column = line[line.rfind("\t") + 1 :]
    if not column or column[-1].isspace() or " " in column:
        column = line.rsplit(None, 1)[-1]
    return "" if "*" in column else column


def read_brackets(text: str, path: str | None = None) -> list[Bracketed]:
    """The chains of every document of a file, without building the documents.

    The column is the last of its row that is not empty. A document without a name is called by
    its number in the file, from 1.
    """
    documents: list[Bracketed] = []
    lines = text.removeprefix("\ufeff").split("\n")
    marked = [
        index
        for index, line in enumerate(lines)
        if "(" in line or ")" in line or line[:1] in _NO_TOKEN or line[-1:] not in _ENDINGS
    ]
    name, first, others, brackets = "", 0, 0, Brackets(path)
    for index in marked:
        line = lines[index]
        if line[:1] in _NO_TOKEN:
            header = read_header(line)
            if header is not None:
                _finish(documents, name, first, index - first - others, brackets)
                name = (header.id or str(len(documents) + 1)) if header.begins else ""
                first, others, brackets = index + 1, 0, Brackets(path)
                continue
            if not line.strip() or is_comment(line):
                others += 1
                continue
        brackets.add(index - first - others, _last_column(line), index + 1)
    _finish(documents, name, first, len(lines) - first - others, brackets)
    return documents


def _finish(
    documents: list[Bracketed], name: str, line: int, tokens: int, brackets: Brackets
) -> None:
    """Add the document, if there was one before this header or the end of the file."""
    chains = brackets.finish()
    if name or tokens:
        documents.append(Bracketed(name or str(len(documents) + 1), max(line, 1), tokens, chains))
