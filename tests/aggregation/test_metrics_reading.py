"""Files of rankings and generations: what is read, and what is refused where."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tatian.aggregation.metrics.answers import read_answers, read_rankings
from tatian.errors import EmptyInput, InputError

RANKED = '{"id": "a", "ranking": [["cities", 0.9], ["poets", 0]]}'
GENERATED = '{"id": "a", "aggregations": [["cities", 0.5]], "support": [["Lisbon: city"]]}'


def write_lines(folder: Path, *lines: str) -> str:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_rankings_are_read_by_id(tmp_path: Path) -> None:
    found = read_rankings(write_lines(tmp_path, RANKED, "", RANKED.replace('"a"', '"b"')))
    assert found == dict.fromkeys("ab", (("cities", 0.9), ("poets", 0.0)))


def test_generations_keep_their_support(tmp_path: Path) -> None:
    found = read_answers(write_lines(tmp_path, GENERATED))
    assert found.kind == "generation"
    assert found.generations["a"].aggregations == (("cities", 0.5),)
    assert found.generations["a"].support == (("Lisbon: city",),)


def test_a_gzipped_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    path.write_bytes(gzip.compress(RANKED.encode()))
    assert list(read_rankings(str(path))) == ["a"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (RANKED, "answers.jsonl:2: id: 'a' a second time"),
        ('{"id": "b", "ranking": [["cities"]]}', "answers.jsonl:2: ranking"),
        ('{"id": "b", "ranking": [["cities", "high"]]}', "answers.jsonl:2: ranking"),
        ('{"id": "b"}', "answers.jsonl:2: Object missing required field `ranking`"),
        (GENERATED, "answers.jsonl:2: Object missing required field `ranking`"),
        ("no JSON", "answers.jsonl:2: not JSON"),
        ("[" * 5000, "answers.jsonl:2: "),
    ],
)
def test_a_line_that_is_no_ranking_is_refused_with_its_number(
    tmp_path: Path, line: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_rankings(write_lines(tmp_path, RANKED, line))
    assert message in str(caught.value)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    instance = '{"id": "a", "entities": ["Lisbon", "Porto"], "aggregations": ["cities"]}'
    with pytest.raises(InputError, match=r"neither a ranking .* nor a generation"):
        read_answers(write_lines(tmp_path, instance))


def test_generations_are_no_rankings(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="generated phrases, where rankings are expected"):
        read_rankings(write_lines(tmp_path, GENERATED))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput, match="contains no answer"):
        read_answers(write_lines(tmp_path))
