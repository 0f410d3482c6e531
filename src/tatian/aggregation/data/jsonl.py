"""Tatian's aggregation JSONL: one instance per line, read line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from tatian.aggregation.data.records import TYPES, Instance, Part, check
from tatian.errors import EmptyInput, InputError
from tatian.formats import Losses
from tatian.text.streams import open_stream

_DECODER = msgspec.json.Decoder(Instance)
_ENCODER = msgspec.json.Encoder()
_BLANK = b"\xef\xbb\xbf \t\r\n"
FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_KNOWN = frozenset({*Instance.__struct_fields__, "score", "reasons"})
"""Fields of an instance, with those that `tatian aggregate sets` adds."""
T = TypeVar("T")


class LinePlace(NamedTuple):
    """The place that a record was read from, for errors found later."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def read(path: str, *, needs: Sequence[Part] = ()) -> Iterator[Instance]:
    """Yield the checked instances of a file (``-`` is standard input); blank lines are skipped.

    `needs` names the parts that each instance must have for the work at hand. A line that is no
    such instance raises an InputError with its number.
    """
    for _, instance in read_located(path, needs=needs):
        yield instance


def read_located(
    path: str, *, needs: Sequence[Part] = (), unknown: Losses | None = None
) -> Iterator[tuple[LinePlace, Instance]]:
    """Yield what `read` yields with its place; count fields that no instance has in `unknown`."""
    seen: set[str] = set()
    for place, line in lines(path):
        try:
            instance = decode(line, needs)
            if instance.id in seen:
                raise ValueError(f"id: '{instance.id}' a second time")
        except ValueError as error:
            raise InputError(str(error), path=place.path, line=place.line) from error
        seen.add(instance.id)
        if unknown is not None:
            for field in FIELDS.decode(line).keys() - _KNOWN:
                unknown.add(field, str(place))
        yield place, instance


def lines(
    path: str, nothing: str = "the file contains no instance"
) -> Iterator[tuple[LinePlace, bytes]]:
    """Yield the lines of a JSONL file that are not blank; raise EmptyInput(`nothing`) if none."""
    empty = True
    with open_stream(path) as stream:
        for number, line in stream.lines():
            if filled := line.strip(_BLANK):
                empty = False
                yield LinePlace(stream.name, number), filled
    if empty:
        raise EmptyInput(nothing, path=path)


def decode(line: bytes | str, needs: Sequence[Part] = ()) -> Instance:
    """Decode one line; a ValueError names the field and what is wrong."""
    return check(parse(line, _DECODER), needs)


def parse(line: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """Decode a line; raise a ValueError with a readable reason if that fails."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise ValueError(_reason(str(error))) from error
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ValueError(f"not JSON: {error}") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _reason(message: str) -> str:
    """Return the decoder's complaint with the field first."""
    problem, _, path = message.partition(" - at `$")
    field = path.rstrip("`").lstrip(".")
    if field == "type":
        return f"type: one of {', '.join(TYPES)} expected, the same for all entities"
    return f"{field}: {problem}" if field else message


def encode(instance: Instance) -> str:
    """Return an instance as its line, without the line break."""
    return _ENCODER.encode(instance).decode()


def write(instances: Iterable[Instance]) -> Iterator[str]:
    """Yield a line for each instance, with its line break, in the form that `read` reads."""
    for instance in instances:
        yield encode(instance) + "\n"
