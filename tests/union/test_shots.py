"""Examples for a prompt, and mistakes fed back to it (Hirsch et al. 2023, §6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.union.data import UnionInstance
from tatian.union.models.prompt import MAX_SHOTS, Shot, mistaken, read_shots

PAIR = ("A ferry sank.", "A ferry sank off Sennick in fog.")
GOLD = UnionInstance("1", PAIR, "A ferry sank off Sennick in fog.")
WRONG = UnionInstance("1", PAIR, "A ferry sank off Halverne.")


def test_a_mistake_becomes_an_example_with_its_reason() -> None:
    (line,) = mistaken([GOLD], [WRONG])
    assert line.endswith("\n")
    assert '"wrong":"A ferry sank off Halverne."' in line
    assert "adds or misplaces Halverne" in line


def test_a_union_without_errors_is_no_mistake() -> None:
    assert list(mistaken([GOLD], [GOLD])) == []


def test_an_example_is_put_as_the_paper_puts_it() -> None:
    shot = Shot(PAIR, "A ferry sank off Sennick in fog.", "A ferry sank.", "it omits Sennick")
    assert list(shot.lines()) == [
        "Sentence 1: A ferry sank.",
        "Sentence 2: A ferry sank off Sennick in fog.",
        "Correct union: A ferry sank off Sennick in fog.",
        "Wrong union: A ferry sank.",
        "The union is wrong, because it omits Sennick.",
    ]


def test_a_file_gives_as_many_examples_as_a_prompt_takes(tmp_path: Path) -> None:
    path = tmp_path / "shots.jsonl"
    path.write_text("".join(mistaken([GOLD], [WRONG])) * (MAX_SHOTS + 3))
    assert len(read_shots(path)) == MAX_SHOTS


@pytest.mark.parametrize(
    ("text", "error"), [("", "contains no examples"), ('{"merged": 1}', ":1: no example")]
)
def test_a_file_of_something_else_is_refused(text: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "shots.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=error):
        read_shots(path)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="nowhere"):
        read_shots("nowhere.jsonl")
