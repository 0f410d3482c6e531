"""What is wrong with data of the wrong type, said so that its sender can mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import ValidationError, inspect

_ENUM = "Invalid enum value"
_PLACE = re.compile(r" - at '\$(.*)'$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[[^\]]*\]")


def explained(error: ValidationError, type: Any) -> str:
    """The error's message; where one of several words is wanted, with those words."""
    message = str(error).replace("`", "'")
    if _ENUM not in message:
        return message
    place = _PLACE.search(message)
    steps = [step[1] for step in _STEP.finditer(place[1])] if place else []
    words = list(dict.fromkeys(_words(inspect.type_info(type), steps)))
    return f"{message}: one of {', '.join(words)}" if words else message


def _words(known: inspect.Type, steps: list[str | None]) -> Iterator[str]:
    """The words that a type takes at a place; a step is a field's name, or None into a list."""
    if isinstance(known, inspect.UnionType):
        for one in known.types:
            yield from _words(one, steps)
    elif isinstance(known, inspect.Metadata):
        yield from _words(known.type, steps)
    elif not steps:
        if isinstance(known, inspect.LiteralType):
            yield from (f"'{value}'" for value in known.values)
    elif isinstance(known, inspect.StructType):
        for field in known.fields:
            if field.encode_name == steps[0]:
                yield from _words(field.type, steps[1:])
    elif isinstance(known, inspect.DictType):
        yield from _words(known.value_type, steps[1:])
    elif isinstance(known, inspect.ListType | inspect.VarTupleType):
        yield from _words(known.item_type, steps[1:])
