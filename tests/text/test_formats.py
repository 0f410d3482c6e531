"""What the formats of every kind of data share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from tatian.errors import InputError
from tatian.text.formats import Format, Losses, file_name, find, recognize


def read(text: str, path: str | None = None) -> Iterator[int]:
    return map(int, text.split())


def write(numbers: Iterable[int], losses: Losses) -> Iterator[str]:
    return (f"{number}\n" for number in numbers)


class Positive(Format[int], frozen=True):
    """A format that has no place for a sign."""

    def note(self, record: int, losses: Losses) -> None:
        if record < 0:
            losses.add("signs", str(record))


def made(name: str, start: str) -> Positive:
    here = f"{__name__}:"
    return Positive(
        name, "", (f".{name}",), here + "read", here + "write", lambda head: head.startswith(start)
    )


FORMATS = (made("ones", "1"), made("twos", "2"))


def test_a_format_reads_and_writes_its_records() -> None:
    assert list(FORMATS[0].read("1 2")) == [1, 2]
    assert "".join(FORMATS[0].write([1, 2])) == "1\n2\n"


def test_what_a_format_has_no_place_for_is_noted_while_writing() -> None:
    losses = Losses()
    list(FORMATS[0].write([1, -2, -3], losses))
    assert losses.messages() == ["signs (2; first in '-2')"]


def test_a_format_is_found_by_name() -> None:
    assert find("twos", FORMATS, "number") is FORMATS[1]
    with pytest.raises(InputError, match="no number format called 'x': known: ones, twos"):
        find("x", FORMATS, "number")


def test_a_file_is_recognised_by_what_is_in_it_then_by_its_name() -> None:
    assert recognize("\ufeff2", "a.ones", FORMATS, "number").name == "twos"
    assert recognize("x", "a.ones.gz", FORMATS, "number").name == "ones"
    with pytest.raises(InputError, match=r"a\.txt: not a number file of a known format"):
        recognize("x", "a.txt", FORMATS, "number")


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/b.conll.gz", "b"), ("b", "b"), (".x", ".x"), (None, "document"), ("a.b c", "a.b c")],
)
def test_a_record_without_a_name_is_called_as_its_file(path: str | None, name: str) -> None:
    assert file_name(path) == name
