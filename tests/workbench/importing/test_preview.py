"""Before a file is imported, its columns are shown and what would go wrong is said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tatian.workbench.campaigns.item_files import preview

from .echo import EchoTask

TASK = EchoTask()


def test_the_first_rows_of_a_table_are_shown_under_its_columns() -> None:
    data = b"id,text\n" + b"".join(b"%d,Text %d\n" % (n, n) for n in range(50))
    seen = preview(TASK, "t.csv", data)
    assert (seen.form, seen.fields, seen.items, seen.problem) == ("csv", ("id", "text"), 50, "")
    assert seen.rows == tuple((str(n), f"Text {n}") for n in range(5))


def test_the_fields_of_jsonl_are_shown_like_columns() -> None:
    seen = preview(TASK, "t.jsonl", b'{"id": 1, "text": "x"}\n{"text": "y", "tags": [1]}\n')
    assert (seen.form, seen.fields) == ("jsonl", ("id", "text", "tags"))
    assert seen.rows == (("1", "x", ""), ("", "y", "[1]"))


def test_what_is_missing_is_named_until_it_is_mapped() -> None:
    data = b"nr,says\n1,x\n"
    seen = preview(TASK, "t.csv", data)
    assert seen.missing == ("id", "text", "right")
    assert seen.problem == "t.csv:2: no column 'text'"
    seen = preview(TASK, "t.csv", data, {"text": "says"})
    assert (seen.missing, seen.problem, seen.items) == (("id", "right"), "", 1)


def test_long_cells_are_shortened() -> None:
    seen = preview(TASK, "t.csv", b"id,text\na," + b"x" * 5000 + b"\n")
    assert seen.rows[0][1] == "x" * 199 + "…"


def test_a_mapping_to_a_column_that_is_not_there_is_a_problem() -> None:
    seen = preview(TASK, "t.csv", b"id,text\na,x\n", {"text": "words"})
    assert seen.problem == "t.csv:2: no column 'words', which 'text' is mapped to"


def test_what_is_no_table_is_shown_as_such() -> None:
    seen = preview(TASK, "t.txt", b"only a line of text\n")
    assert (seen.form, seen.fields, seen.items) == ("other", (), 0)
    assert seen.problem


@given(st.binary(max_size=300))
def test_any_bytes_can_be_looked_at(data: bytes) -> None:
    seen = preview(TASK, "t", data)
    assert bool(seen.items) is not bool(seen.problem)
