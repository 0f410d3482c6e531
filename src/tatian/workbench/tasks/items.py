"""Items of campaigns, read from lines of JSONL or rows of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from tatian import limits
from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.views.wording import short
from tatian.workbench.errors import explain_error
from tatian.workbench.fields import BOOLEANS

T = TypeVar("T")
Json = dict[str, Any]
"""JSON data, as the database and the browser hold it."""
SENTENCE_COLUMNS = ("sentence1Text", "sentence2Text")
"""Columns of the sentences in CSV; JSONL has the field ``sentences``."""
_LISTED_COLUMNS = 12
"""Maximum number of columns that an error lists."""
_QUOTED_CHARACTERS = 40
"""Maximum number of characters of a cell that an error shows."""


class NewItem(Struct, frozen=True, omit_defaults=True):
    """An item before it is stored."""

    key: str
    """Name within the campaign, from the source of the item."""
    content: Json
    gold: Json | None = None
    """Right answer of a training item or a hidden test."""
    stage: int | None = None
    """Stage that it belongs to; None for the last."""
    test: bool = False


def read_fields(name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[tuple[int, Json]]:
    """Yield the number and the fields of each line or row; `mapping` renames fields to its keys."""
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    read_text = _lines if text.lstrip().startswith("{") else read_table
    for number, row in read_text(text, name):
        yield number, _rename_columns(row, mapping, name, number)


def read_rows(
    name: str, data: bytes, mapping: Mapping[str, str], make: Callable[[Json, int], T]
) -> Iterator[T]:
    """Yield `make(fields, count)` of each line or row, counted from 1; errors name the line."""
    for count, (line, row) in enumerate(read_fields(name, data, mapping), 1):
        try:
            yield make(row, count)
        except (InputError, msgspec.ValidationError) as error:
            raise InputError(error_message(error), path=name, line=line) from error


def make_item(row: Json, number: int, content: Json, gold: Json | None) -> NewItem:
    """Return an item with the key, stage and test mark of its line or row."""
    stage, test = _whole_number(row, "stage"), _cell(row, "test")
    is_test = test is not None and BOOLEANS.get(str(test).lower())
    if is_test is None:
        raise InputError(f"'test' is {_quote(test)}: say yes or no")
    return NewItem(item_key(row, number), content, gold, stage, is_test)


def item_key(row: Json, number: int) -> str:
    """Return the key of an item: its id, or its number if it has none."""
    id = row.get("id")
    return str(number if id in (None, "") else id)


def item_gold(row: Json) -> Any:
    """Return the gold of a line or row; a cell of a table may hold it as JSON."""
    value = row.get("gold")
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise InputError(f"gold: not JSON: {error_message(error)}") from error
    return None if _cell(row, "gold") is None else value


def item_sentences(row: Json) -> Sequence[Any]:
    """Return the source sentences of a line or row."""
    if "sentences" in row:
        value: Sequence[Any] = row["sentences"]
        return value
    for column in SENTENCE_COLUMNS:
        if column not in row:
            raise missing_column(row, column, "sentences")
    return [row[column] for column in SENTENCE_COLUMNS]


def missing_column(row: Json, column: str, field: str = "") -> InputError:
    """Return the error for a line or row without a required column, named `field` in JSONL."""
    hint = f" (in JSONL: no field '{field}')" if field else ""
    columns = ", ".join(f"'{name}'" for name in list(row)[:_LISTED_COLUMNS])
    return InputError(
        f"no {'column' if field else 'field'} '{column}'{hint}, only {columns}: a mapping such as "
        f"{column}=NAME says which column it is"
    )


def convert(data: Any, type: type[T], what: str) -> T:
    """Convert JSON data to a struct; an InputError that begins with `what` if it does not fit."""
    try:
        return msgspec.convert(data, type)
    except msgspec.ValidationError as error:
        raise InputError(f"{what}: {explain_error(error, type)}") from error
    except RecursionError as error:
        raise InputError(f"{what}: nested too deeply") from error


def converter(type: type[T], what: str) -> Callable[[Any], T]:
    """Return a function that converts JSON data to a struct, as `convert` does."""
    return lambda data: convert(data, type, what)


def checked_note(note: str) -> str:
    """Return a note without the blanks around it; InputError if it is too long."""
    if len(note) > limits.NOTE_CHARACTERS:
        raise InputError(f"the note is longer than {limits.NOTE_CHARACTERS} characters")
    return note.strip()


def to_json(value: Any) -> Json:
    """Return a struct as JSON data."""
    return msgspec.json.decode(msgspec.json.encode(value), type=Json)


def error_message(error: Exception) -> str:
    """Return an error's message with plain quotation marks."""
    return str(error).replace("`", "'")


def _lines(text: str, name: str) -> Iterator[tuple[int, Json]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, msgspec.json.decode(line, type=Json)
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(error_message(error), path=name, line=number) from error


def _whole_number(row: Json, name: str) -> int | None:
    """Return a whole number; spreadsheets also write whole numbers as 2.0 and 1.7E+12."""
    value = _cell(row, name)
    if value is None:
        return None
    number = value
    for parse in (int, float) if isinstance(value, str) else ():
        with suppress(ValueError):
            number = parse(value)
            break
    if isinstance(number, float) and number.is_integer():
        return int(number)
    if isinstance(number, int) and not isinstance(number, bool):
        return number
    raise InputError(f"'{name}' is {_quote(value)}, not a whole number")


def _quote(value: Any) -> str:
    return f"'{short(str(value), _QUOTED_CHARACTERS)}'"


def _cell(row: Json, name: str) -> Any:
    """Return a field without the blanks around it; None if it is empty."""
    value = row.get(name)
    return (value.strip() or None) if isinstance(value, str) else value


def _rename_columns(row: Json, mapping: Mapping[str, str], name: str, line: int) -> Json:
    for our_name, column in mapping.items():
        if column not in row:
            raise InputError(
                f"no column '{column}', which '{our_name}' is mapped to", path=name, line=line
            )
    renamed = {our_name: row[column] for our_name, column in mapping.items()}
    mapped = set(mapping.values())
    return {field: value for field, value in row.items() if field not in mapped} | renamed


COMMA, TAB = ",", "\t"
OTHER_SEPARATORS = (";", TAB)
"""Separators of columns other than the comma; Excel uses semicolons in much of Europe."""
_NAMES = {COMMA: "comma", ";": "semicolon", TAB: "tab"}
_HEAD = 2**20
"""Number of characters within which the first line of a table must end."""


def find_separator(text: str, name: str = "") -> str:
    """Return the separator of the columns: a comma, unless only another divides the first line.

    A file with the ending ``.tsv`` has tabs if its first line does.
    """
    columns = {delimiter: len(_first_row(text, delimiter)) for delimiter in _NAMES}
    if name.lower().endswith(".tsv") and columns[TAB] > 1:
        return TAB
    if columns[COMMA] > 1:
        return COMMA
    most_columns = max(OTHER_SEPARATORS, key=columns.__getitem__)
    return most_columns if columns[most_columns] > 1 else COMMA


def read_header(text: str, name: str = "") -> list[str]:
    """Return the names of the columns."""
    return _first_row(text, find_separator(text, name))


def read_table(text: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row that is not empty: the number of its first line, and its cells by column."""
    delimiter = find_separator(text, name)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] = []
    line = 1
    try:
        for cells in rows:
            if any(len(cell) > limits.TABLE_CELL_CHARACTERS for cell in cells):
                raise csv.Error(f"field larger than field limit ({limits.TABLE_CELL_CHARACTERS})")
            if not any(cell.strip() for cell in cells):
                pass  # Spreadsheets leave empty rows behind.
            elif not columns:
                columns = cells
            elif len(cells) == len(columns):
                yield line, dict(zip(columns, cells, strict=True))
            else:
                raise InputError(
                    f"expected {len(columns)} fields, as in the header, not {len(cells)}: is a "
                    f"{_NAMES[delimiter]} or a quotation mark amiss?",
                    path=name,
                    line=line,
                )
            line = rows.line_num + 1
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=name, line=line) from error


def _first_row(text: str, delimiter: str) -> list[str]:
    rows = csv.reader(io.StringIO(text[:_HEAD], newline=""), delimiter=delimiter)
    try:
        return next((cells for cells in rows if any(map(str.strip, cells))), [])
    except csv.Error:
        return []
