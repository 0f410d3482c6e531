"""Errors of the workbench, with the codes and the HTTP statuses of the API.

TatianError
└── WorkbenchError
    ├── BadRequest      what was sent cannot be used                      422
    ├── Refused         known, but not allowed                            403
    ├── NotFound        not there, or not theirs to know of               404
    │   └── NoSuchCampaign
    ├── Conflict        true a moment ago, overtaken since                409
    │   └── Stale       built on a draft that is no longer the newest
    ├── Gone            over: expired, closed, revoked, given to another  410
    └── TooMany         too often                                         429
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import ValidationError, inspect

from tatian.errors import TatianError


class WorkbenchError(TatianError):
    """Base of the workbench's errors, which the API answers in one shape."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400

    def __init_subclass__(cls, code: str = "", status: int = 0) -> None:
        cls.code, cls.status = code or cls.code, status or cls.status

    def __init__(self, message: str, *, detail: dict[str, Any] | None = None) -> None:
        self.message = message
        self.detail = detail
        """Data for programs, such as the draft that is newer than the sender's."""
        super().__init__(message)


class BadRequest(WorkbenchError, code="bad_request", status=422):
    """The request cannot be used; the message says why."""


class Refused(WorkbenchError, code="refused", status=403):
    """The person is known, but may not do this."""


class NotFound(WorkbenchError, code="not_found", status=404):
    """There is no such thing, or it belongs to others."""


class NoSuchCampaign(NotFound, code="no_such_campaign"):
    """There is no campaign with that id."""

    def __init__(self, id: str) -> None:
        super().__init__(f"there is no campaign '{id}'")


class Conflict(WorkbenchError, code="conflict", status=409):
    """Something has changed since."""


class Stale(Conflict, code="stale"):
    """The answer builds on an older draft than the stored one, which is in the detail."""


class Gone(WorkbenchError, code="gone", status=410):
    """It existed and is over."""


class TooMany(WorkbenchError, code="too_many", status=429):
    """Too many attempts in too short a time."""


_INVALID_CHOICE = "Invalid enum value"
"""Part of msgspec's message for a value that is not among the allowed ones."""
_PLACE = re.compile(r" - at '\$(.*)'$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[[^\]]*\]")
"""Matches a step of a place: a field, or an index of a list."""


def explain_error(error: ValidationError, type: Any) -> str:
    """Return the error's message, with the allowed words if only some words are valid."""
    message = str(error).replace("`", "'")
    if _INVALID_CHOICE not in message:
        return message
    place = _PLACE.search(message)
    steps = [step[1] for step in _STEP.finditer(place[1])] if place else []
    words = list(dict.fromkeys(_allowed_words(inspect.type_info(type), steps)))
    return f"{message}: one of {', '.join(words)}" if words else message


def _allowed_words(type: inspect.Type, steps: list[str | None]) -> Iterator[str]:
    """Yield the words that a type allows at a place; a step is a field's name, or None: a list."""
    if isinstance(type, inspect.UnionType):
        for member in type.types:
            yield from _allowed_words(member, steps)
    elif isinstance(type, inspect.Metadata):
        yield from _allowed_words(type.type, steps)
    elif not steps:
        if isinstance(type, inspect.LiteralType):
            yield from (f"'{value}'" for value in type.values)
    elif isinstance(type, inspect.StructType):
        for field in type.fields:
            if field.encode_name == steps[0]:
                yield from _allowed_words(field.type, steps[1:])
    elif isinstance(type, inspect.DictType):
        yield from _allowed_words(type.value_type, steps[1:])
    elif isinstance(type, inspect.ListType | inspect.VarTupleType):
        yield from _allowed_words(type.item_type, steps[1:])
