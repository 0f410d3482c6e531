"""Items, and the files that they come from: lines of JSONL and rows of CSV alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from tatian import limits
from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.views.wording import short
from tatian.workbench.errors import explained

T = TypeVar("T")
Plain = dict[str, Any]
"""What JSON can say, as the database and the browser hold it."""
PAIR = ("sentence1Text", "sentence2Text")
"""The columns of the sentences in CSV; JSONL has the field ``sentences``."""
_NAMED = 12
"""The most columns that an error lists."""
_SHOWN = 40
"""The most characters of a cell that an error shows."""
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class NewItem(Struct, frozen=True, omit_defaults=True):
    """An item before it is stored."""

    key: str
    """Names it within the campaign, as its source does."""
    content: Plain
    gold: Plain | None = None
    """The right answer, of training items and hidden tests."""
    stage: int | None = None
    """The stage it belongs to; None: the last."""
    test: bool = False


def rows(name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[tuple[int, Plain]]:
    """Each line or row with its number, its fields under our names."""
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    read = _lines if text.lstrip().startswith("{") else table
    for number, row in read(text, name):
        yield number, _renamed(row, mapping, name, number)


def each(
    name: str, data: bytes, mapping: Mapping[str, str], made: Callable[[Plain, int], T]
) -> Iterator[T]:
    """What is made of each line or row and its count, from 1; an error says which line it is."""
    for count, (line, row) in enumerate(rows(name, data, mapping), 1):
        try:
            yield made(row, count)
        except (InputError, msgspec.ValidationError) as error:
            raise InputError(plainly(error), path=name, line=line) from error


def item(row: Plain, number: int, content: Plain, gold: Plain | None) -> NewItem:
    """An item with all that its line or row says around it; the cells of a table are text."""
    return NewItem(key(row, number), content, gold, _whole(row, "stage"), _truth(row, "test"))


def key(row: Plain, number: int) -> str:
    """What names an item: its id, or its number where it has none."""
    id = row.get("id")
    return str(number if id in (None, "") else id)


def gold(row: Plain) -> Any:
    """What a line or row says is right; a cell of a table may hold it as JSON."""
    found = row.get("gold")
    if isinstance(found, str) and found.lstrip().startswith("{"):
        try:
            return msgspec.json.decode(found)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise InputError(f"gold: not JSON: {plainly(error)}") from error
    return None if _cell(row, "gold") is None else found


def sentences(row: Plain) -> Sequence[Any]:
    """The source sentences of a line or row."""
    if "sentences" in row:
        found: Sequence[Any] = row["sentences"]
        return found
    for column in PAIR:
        if column not in row:
            raise lacking(row, column, "sentences")
    return [row[column] for column in PAIR]


def lacking(row: Plain, column: str, field: str = "") -> InputError:
    """What to tell somebody whose line or row lacks what a task needs; `field` is JSONL's name."""
    other = f" (in JSONL: no field '{field}')" if field else ""
    there = ", ".join(f"'{name}'" for name in list(row)[:_NAMED])
    return InputError(
        f"no {'column' if field else 'field'} '{column}'{other}, only {there}: a mapping such as "
        f"{column}=NAME says which column it is"
    )


def converted(plain: Any, type: type[T], what: str) -> T:
    """Plain data as a struct; what does not fit is an InputError that names `what`."""
    try:
        return msgspec.convert(plain, type)
    except msgspec.ValidationError as error:
        raise InputError(f"{what}: {explained(error, type)}") from error
    except RecursionError as error:
        raise InputError(f"{what}: nested too deeply") from error


def form(type: type[T], what: str) -> Callable[[Any], T]:
    """`converted` to one type, for whoever does it in several places."""
    return lambda plain: converted(plain, type, what)


def plain(value: Any) -> Plain:
    """A struct as JSON says it."""
    return msgspec.json.decode(msgspec.json.encode(value), type=Plain)


def plainly(error: Exception) -> str:
    """An error's message in the quotation marks of this house."""
    return str(error).replace("`", "'")


def _lines(text: str, name: str) -> Iterator[tuple[int, Plain]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, msgspec.json.decode(line, type=Plain)
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(plainly(error), path=name, line=number) from error


def _whole(row: Plain, name: str) -> int | None:
    value = _cell(row, name)
    if value is None:
        return None
    number = _number(value) if isinstance(value, str) else value
    if isinstance(number, int) and not isinstance(number, bool):
        return number
    if isinstance(number, float) and number.is_integer():
        return int(number)
    raise InputError(f"'{name}' is {_shown(value)}, not a whole number")


def _number(cell: str) -> int | float | None:
    """What a cell says; spreadsheets write whole numbers as 2.0 and 1.7E+12, too."""
    for read in (int, float):
        try:
            return read(cell)
        except ValueError:
            continue
    return None


def _truth(row: Plain, name: str) -> bool:
    value = _cell(row, name)
    if value is None:
        return False
    known = _WORDS.get(str(value).lower())
    if known is None:
        raise InputError(f"'{name}' is {_shown(value)}: say yes or no")
    return known


def _shown(value: Any) -> str:
    return f"'{short(str(value), _SHOWN)}'"


def _cell(row: Plain, name: str) -> Any:
    """A value, or None where there is none; blanks around a cell count for nothing."""
    value = row.get(name)
    return (value.strip() or None) if isinstance(value, str) else value


def _renamed(row: Plain, mapping: Mapping[str, str], name: str, line: int) -> Plain:
    for ours, theirs in mapping.items():
        if theirs not in row:
            raise InputError(
                f"no column '{theirs}', which '{ours}' is mapped to", path=name, line=line
            )
    taken = set(mapping.values())
    kept = {field: value for field, value in row.items() if field not in taken}
    return {**kept, **{ours: row[theirs] for ours, theirs in mapping.items()}}


COMMA = ","
TAB = "\t"
OTHERS = (";", TAB)
"""What divides columns where a comma does not: semicolons are Excel's in much of Europe."""
_NAMES = {COMMA: "comma", ";": "semicolon", TAB: "tab"}
_TABS = ".tsv"
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
            if any(len(cell) > limits.TABLE_CELL_CHARACTERS for cell in cells):
                raise csv.Error(f"field larger than field limit ({limits.TABLE_CELL_CHARACTERS})")
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
