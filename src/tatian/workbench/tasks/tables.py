"""Tables as spreadsheets save them, so that nobody has to know what divides their columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from tatian.errors import InputError

COMMA = ","
TAB = "\t"
OTHERS = (";", TAB)
"""What divides columns where a comma does not: semicolons are Excel's in much of Europe."""
_NAMES = {COMMA: "comma", ";": "semicolon", TAB: "tab"}
_TABS = ".tsv"
LONGEST = 131_072
"""Characters of one field: what the csv module takes, unless somebody in the process told it
otherwise."""
_HEAD = 2**20
"""Characters within which the first line ends, of any file that is a table."""


def separator(text: str, name: str = "") -> str:
    """What divides the columns: a comma, unless only another mark divides the first line.

    A file that is called ``.tsv`` is taken at its word.
    """
    if name.lower().endswith(_TABS) and len(_first(text, TAB)) > 1:
        return TAB
    if len(_first(text, COMMA)) > 1:
        return COMMA
    best = max(OTHERS, key=lambda mark: len(_first(text, mark)))
    return best if len(_first(text, best)) > 1 else COMMA


def header(text: str, name: str = "") -> list[str]:
    """The names of the columns."""
    return _first(text, separator(text, name))


def filled(cells: list[str]) -> bool:
    """Whether a row says anything; spreadsheets leave empty ones behind."""
    return any(cell.strip() for cell in cells)


def table(text: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by their columns, each with the line it begins on; empty ones are left out."""
    mark = separator(text, name)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    columns: list[str] = []
    line = 1
    try:
        for cells in rows:
            if any(len(cell) > LONGEST for cell in cells):
                raise csv.Error(f"field larger than field limit ({LONGEST})")
            if not filled(cells):
                pass
            elif not columns:
                columns = cells
            elif len(cells) == len(columns):
                yield line, dict(zip(columns, cells, strict=True))
            else:
                raise InputError(
                    f"expected {len(columns)} fields, as in the header, not {len(cells)}: is a "
                    f"{_NAMES[mark]} or a quotation mark amiss?",
                    path=name,
                    line=line,
                )
            line = rows.line_num + 1
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=name, line=line) from error


def _first(text: str, mark: str) -> list[str]:
    rows = csv.reader(io.StringIO(text[:_HEAD], newline=""), delimiter=mark)
    try:
        return next(filter(filled, rows), [])
    except csv.Error:
        return []
