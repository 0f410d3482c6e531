"""Texts to annotate out of files: mentions JSONL, or a table with ``text`` and ``topic``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from tatian.errors import InputError
from tatian.mentions.annotation import LinkedTerm
from tatian.mentions.data.labels import terms
from tatian.mentions.data.records import LinkedText
from tatian.workbench.tasks import NewItem, Plain
from tatian.workbench.tasks.reading import Around, converted, plainly, rows

LONGEST = 100_000
Made = Callable[[LinkedText, Plain | None], tuple[Plain, Plain | None]]
"""Content and gold of a text with its mentions; the second is what the line calls ``gold``."""


def read(name: str, data: bytes, mapping: Mapping[str, str], made: Made) -> Iterator[NewItem]:
    """The items of a file; one without an id is called by its number."""
    for count, (line, row) in enumerate(rows(name, data, mapping), 1):
        try:
            if "text" not in row:
                raise InputError("no field 'text' (in CSV: no column 'text')")
            id = row.get("id")
            key = str(count if id in (None, "") else id)
            fields = {
                field: row[field] for field in ("text", "topic", "mentions") if row.get(field)
            }
            about = converted({"text": "", **fields, "id": key}, LinkedText, "not a text")
            said = {field: value for field, value in row.items() if value not in (None, "")}
            around = msgspec.convert(said, Around, strict=False)
            content, gold = made(about, around.gold)
            yield NewItem(
                key, content, gold, around.stage, around.test, around.priority, around.deadline
            )
        except (InputError, msgspec.ValidationError) as error:
            raise InputError(plainly(error), path=name, line=line) from error


def linked(text: LinkedText) -> tuple[LinkedTerm, ...]:
    """A text's mentions, a term for each page, each where it stands."""
    for one in text.mentions:
        if one.end > len(text.text):
            raise InputError(f"the mention at {one.start}..{one.end} lies outside the text")
    placed = [
        msgspec.structs.replace(one, term=one.term or one.of(text.text)) for one in text.mentions
    ]
    found = terms(msgspec.structs.replace(text, mentions=tuple(placed)))
    for term in found:
        term.check(text.text)
    return found
