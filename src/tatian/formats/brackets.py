"""The coreference column of CoNLL-like files: a fast parser for reading and scoring.

Mentions are bracketed on token rows: ``(0`` opens a mention of chain 0, ``0)`` closes it, ``(0)``
is a mention of one token, ``(0)|(3`` has two brackets, and ``-``, ``_`` or nothing has none. As in
the CoNLL reference scorer, one-token mentions of a row come first, then opening brackets, then
closing ones. A closing bracket ends the mention of its chain that was opened last.
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
"""First characters of lines that are possibly not token rows."""
_NOTHING = frozenset(("", "-", "_", "*"))
"""Cells of tokens that neither begin nor end a mention."""
_ENDINGS = "-_* \t\r"
"""Last characters of token rows without a bracket."""

Element = tuple[str, str, str]
"""``(`` or nothing, the id of a chain, ``)`` or nothing."""
_CACHE_SIZE = 50_000
_CACHE: dict[str, tuple[Element, ...]] = {}
"""Cache of parsed cells: a few thousand recur."""


class ColumnDocument(NamedTuple):
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
    """Return whether a line is a comment, given that it is not a header."""
    return line.startswith("#") and "\t" not in line


def _parse_cell(cell: str, path: str | None, line: int) -> tuple[Element, ...]:
    """Parse a cell; return its elements in the order in which they apply."""
    if cell in _NOTHING:
        return ()
    elements: list[Element] = _ELEMENT.findall(cell)
    if (
        not elements
        or "".join(map("".join, elements)) != cell.replace("|", "")
        or not all(begins or ends for begins, _, ends in elements)
    ):
        message = f"'{cell}' is not a coreference column such as '(0', '0)', '(0)|(3' or '-'"
        raise InputError(message, path=path, line=line)
    elements.sort(key=lambda element: (not (element[0] and element[2]), not element[0]))
    ordered = tuple(elements)
    if len(_CACHE) < _CACHE_SIZE:
        _CACHE[cell] = ordered
    return ordered


class BracketReader:
    """Collects the mentions of a document from the cells of its tokens."""

    __slots__ = ("_chains", "_open", "_path")

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self._chains: Spans = {}
        self._open: dict[str, list[tuple[int, int]]] = {}

    def add(self, token: int, cell: str, line: int) -> None:
        """Add the cell of a token, given by its number in the document."""
        elements = _CACHE.get(cell)
        if elements is None:
            elements = _parse_cell(cell, self._path, line)
        for begins, id, ends in elements:
            if begins and ends:
                self._chains.setdefault(id, []).append((token, token + 1))
            elif begins:
                self._chains.setdefault(id, [])
                self._open.setdefault(id, []).append((token, line))
            elif open_mentions := self._open.get(id):
                self._chains[id].append((open_mentions.pop()[0], token + 1))
            else:
                message = f"a mention of chain {id} ends here but never began"
                raise InputError(message, path=self._path, line=line)

    def finish(self) -> Spans:
        """Return the chains; refuse a document with an open mention."""
        unclosed = [(line, id) for id, mentions in self._open.items() for _, line in mentions]
        if unclosed:
            line, id = min(unclosed)
            message = f"a mention of chain {id} begins here and does not end in the document"
            raise InputError(message, path=self._path, line=line)
        return self._chains


class _Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


T = TypeVar("T", bound=_Comparable)
BracketSpan = tuple[int, int, T, T, T]
"""First and last row, the opening and closing brackets, and the one for a single row."""


def nest_brackets(spans: Iterable[BracketSpan[T]]) -> dict[int, list[T]]:
    """Return the brackets of each row that has any, nested as the spans are.

    The order is that of the validator of Universal Dependencies: closing brackets before opening
    ones, and single-row brackets before closing or after opening ones. Longer spans open first,
    shorter ones close first.
    """
    begin: dict[int, list[tuple[int, T]]] = {}
    end: dict[int, list[tuple[int, T]]] = {}
    single: dict[int, list[T]] = {}
    for first, last, opening, closing, both in spans:
        if first == last:
            single.setdefault(first, []).append(both)
        else:
            begin.setdefault(first, []).append((-last, opening))
            end.setdefault(last, []).append((-first, closing))
    written: dict[int, list[T]] = {}
    for row in {*begin, *end, *single}:
        begins = [bracket for _, bracket in sorted(begin.get(row, []))]
        ends = [bracket for _, bracket in sorted(end.get(row, []))]
        single_brackets = sorted(single.get(row, []))
        written[row] = [*single_brackets, *ends, *begins] if ends else [*begins, *single_brackets]
    return written


def _last_cell(line: str) -> str:
    """Return the last cell of a row; empty if that is a parse."""
    cell = line[line.rfind("\t") + 1 :]
    if not cell or cell[-1].isspace() or " " in cell:
        cell = line.rsplit(None, 1)[-1]
    return "" if "*" in cell else cell


def read_brackets(text: str, path: str | None = None) -> list[ColumnDocument]:
    """Read the chains of each document of a file, without building the documents.

    The column is the last of its row that is not empty. A document without a name gets its number
    in the file, from 1.
    """
    documents: list[ColumnDocument] = []
    lines = text.removeprefix("\ufeff").split("\n")
    relevant_lines = [
        index
        for index, line in enumerate(lines)
        if "(" in line or ")" in line or line[:1] in _NO_TOKEN or line[-1:] not in _ENDINGS
    ]
    name, first, other_lines, brackets = "", 0, 0, BracketReader(path)
    for index in relevant_lines:
        line = lines[index]
        if line[:1] in _NO_TOKEN:
            header = read_header(line)
            if header is not None:
                _finish(documents, name, first, index - first - other_lines, brackets)
                name = (header.id or str(len(documents) + 1)) if header.begins else ""
                first, other_lines, brackets = index + 1, 0, BracketReader(path)
                continue
            if not line.strip() or is_comment(line):
                other_lines += 1
                continue
        brackets.add(index - first - other_lines, _last_cell(line), index + 1)
    _finish(documents, name, first, len(lines) - first - other_lines, brackets)
    return documents


def _finish(
    documents: list[ColumnDocument], name: str, line: int, tokens: int, brackets: BracketReader
) -> None:
    """Add the document, if there was one before this header or the end of the file."""
    chains = brackets.finish()
    if name or tokens:
        documents.append(
            ColumnDocument(name or str(len(documents) + 1), max(line, 1), tokens, chains)
        )
