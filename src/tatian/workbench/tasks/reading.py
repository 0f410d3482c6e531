"""Lines of JSONL and rows of CSV alike, so that a task says once what it makes of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.workbench.tasks import NewItem, Plain

T = TypeVar("T")
PAIR = ("sentence1Text", "sentence2Text")
"""The columns of the sentences in CSV; JSONL has the field ``sentences``."""


class Around(Struct, frozen=True):
    """What a line may say about an item besides its content."""

    gold: Plain | None = None
    stage: int | None = None
    test: bool = False
    priority: int = 0
    deadline: int | None = None


def rows(name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[tuple[int, Plain]]:
    """Each line or row with its number, its fields under our names."""
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    read = _lines if text.lstrip().startswith("{") else _table
    for number, row in read(text, name):
        yield number, _renamed(row, mapping, name, number)


def items(
    name: str,
    data: bytes,
    mapping: Mapping[str, str],
    content: Callable[[Plain], Plain],
    checked: Callable[[Plain, Plain], Plain],
) -> Iterator[NewItem]:
    """Items of a file: `content` makes an item's content of a row, `checked` its gold.

    An item without an id is called by its number.
    """
    for count, (line, row) in enumerate(rows(name, data, mapping), 1):
        try:
            made = content(row)
            around = msgspec.convert(row if "sentences" in row else {}, Around)
            gold = None if around.gold is None else checked(made, around.gold)
            id = row.get("id")
            yield NewItem(
                str(count if id in (None, "") else id),
                made, gold, around.stage, around.test, around.priority, around.deadline,
            )  # fmt: skip
        except (InputError, msgspec.ValidationError) as error:
            raise InputError(plainly(error), path=name, line=line) from error


def sentences(row: Plain) -> Sequence[Any]:
    """The source sentences of a line or row."""
    if "sentences" in row:
        found: Sequence[Any] = row["sentences"]
        return found
    absent = [column for column in PAIR if column not in row]
    if absent:
        raise InputError(f"no column '{absent[0]}' (in JSONL: no field 'sentences')")
    return [row[column] for column in PAIR]


def converted(plain: Any, type: type[T], what: str) -> T:
    """Plain data as a struct; what does not fit is an InputError that names `what`."""
    try:
        return msgspec.convert(plain, type)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(f"{what}: {plainly(error)}") from error


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


def _table(text: str, name: str) -> Iterator[tuple[int, Plain]]:
    found = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in found:
            if None in row or None in row.values():
                raise InputError(
                    f"expected {len(found.fieldnames or ())} fields, as in the header: is a comma "
                    "or a quotation mark amiss?",
                    path=name,
                    line=found.line_num,
                )
            yield found.line_num, row
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=name, line=found.line_num) from error


def _renamed(row: Plain, mapping: Mapping[str, str], name: str, line: int) -> Plain:
    for ours, theirs in mapping.items():
        if theirs not in row:
            raise InputError(
                f"no column '{theirs}', which '{ours}' is mapped to", path=name, line=line
            )
    taken = set(mapping.values())
    kept = {field: value for field, value in row.items() if field not in taken}
    return {**kept, **{ours: row[theirs] for ours, theirs in mapping.items()}}


def shipped(folder: str, name: str) -> bytes:
    """A file that comes with the tasks: guidelines, demos."""
    return (files("tatian.workbench.tasks") / folder / name).read_bytes()
