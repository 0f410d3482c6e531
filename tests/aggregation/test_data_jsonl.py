"""The aggregation JSONL: read line by line, checked, written back equal."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data import jsonl
from tatian.errors import EmptyInput, InputError

from .data_samples import CITIES, instances

GOOD = jsonl.encode(CITIES)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "task.jsonl"


def test_a_line_has_the_fields_of_the_task_and_no_empty_ones() -> None:
    assert set(json.loads(GOOD)) == {
        "id",
        "entities",
        "type",
        "title",
        "context",
        "background",
        "aggregations",
        "candidates",
    }


@given(st.lists(instances(), min_size=1, max_size=4, unique_by=lambda one: one.id))
def test_written_instances_are_read_back_equal(tmp_path_factory, made) -> None:
    file = tmp_path_factory.mktemp("trip") / "a.jsonl"
    file.write_text("".join(jsonl.write(made)), "utf-8")
    assert list(jsonl.read(str(file))) == made


def test_gzip_a_byte_order_mark_and_blank_lines_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(gzip.compress(b"\xef\xbb\xbf" + GOOD.encode() + b"\r\n\n  \n"))
    assert list(jsonl.read(str(file))) == [CITIES]


def test_reading_streams(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(f"{GOOD}\nthis is not JSON\n")
    assert next(jsonl.read(str(file))) == CITIES


def test_writing_streams() -> None:
    def endless() -> Iterator[object]:
        return (CITIES for _ in count())

    assert list(islice(jsonl.write(endless()), 2)) == [GOOD + "\n"] * 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON: Input data was truncated"),
        ("[]", "Expected `object`, got `array`"),
        ('{"id": 3}', "id: Expected `str`, got `int`"),
        ('{"entities": ["a", "b"], "type": "person"}', "Object missing required field `id`"),
        ('{"id": "x", "entities": ["a", 7], "type": "person"}', "entities[1]: Expected `str`"),
        (
            '{"id": "x", "entities": ["a", "b"], "type": ["person", "location"]}',
            "type: one of person, location, organization expected, the same for all entities",
        ),
        ('{"id": "x", "entities": [], "type": "person"}', "entities: none"),
        ('{"id": "x", "entities": ["a"], "type": "person"}', "entities: only 'a'"),
        (GOOD, "id: 'i1' a second time"),
    ],
)
def test_an_error_names_file_line_and_field(file: Path, line: str, message: str) -> None:
    file.write_text(f"{GOOD}\n\n{line}\n")
    with pytest.raises(InputError) as raised:
        list(jsonl.read(str(file)))
    assert str(raised.value).startswith(f"{file}:3: {message}")


def test_invalid_utf8_is_an_error_with_the_line(file: Path) -> None:
    file.write_bytes(b'{"id": "\xff", "entities": ["a", "b"], "type": "person"}\n')
    with pytest.raises(InputError, match=r"task\.jsonl:1: not JSON"):
        list(jsonl.read(str(file)))


def test_required_parts_must_be_present(file: Path) -> None:
    file.write_text('{"id": "x", "entities": ["a", "b"], "type": "person"}\n')
    assert len(list(jsonl.read(str(file)))) == 1
    with pytest.raises(InputError, match=":1: candidates: none; context: none"):
        list(jsonl.read(str(file), needs=["candidates", "context"]))


def test_ids_are_unique_in_a_file(file: Path) -> None:
    file.write_text(f"{GOOD}\n{GOOD}\n")
    with pytest.raises(InputError, match=":2: id: 'i1' a second time"):
        list(jsonl.read(str(file)))


def test_an_empty_file_is_an_error(file: Path) -> None:
    file.write_text("\n")
    with pytest.raises(EmptyInput, match="contains no instance"):
        list(jsonl.read(str(file)))


@pytest.mark.parametrize(("name", "count"), [("train", 1456), ("val", 429)])
def test_news_instances_are_written_back_unchanged(data: Path, name: str, count: int) -> None:
    path = data / "aggregation" / f"news-{name}.jsonl"
    read = list(jsonl.read(str(path), needs=["aggregations", "candidates", "context"]))
    assert len(read) == count
    with path.open(encoding="utf-8") as lines:
        assert [json.loads(jsonl.encode(one)) for one in read] == [json.loads(x) for x in lines]
