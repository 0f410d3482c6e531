"""Lines and rows of item files: separators, and fields beside the content."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import Struct

from tatian.errors import InputError
from tatian.workbench.tasks import NewItem, tasks
from tatian.workbench.tasks.items import convert, make_item, read_fields

CONTENTS: dict[str, dict[str, str]] = {
    "union": {"sentence1Text": "A boat sank.", "sentence2Text": "It sank in May."},
    "union.judge": {
        "sentence1Text": "A.", "sentence2Text": "B.", "reference": "A and B.", "system:m": "A.",
    },
    "union.mark": {"sentence1Text": "A.", "sentence2Text": "B.", "merged": "A and B."},
    "aggregation": {"entities": "Lisbon; Porto", "type": "location"},
    "mentions.detect": {"text": "Zoos harm animals."},
    "mentions.confirm": {"text": "Zoos harm animals.", "mentions": "Zoos#Zoo"},
    "coreference": {"text": "Ines came in. She sat down."},
}  # fmt: skip
"""A row for every task that reads tables."""


def table(*lines: dict[str, Any], mark: str = ",", end: str = "\n") -> bytes:
    # Python quotes carriage returns only where they end lines.
    quoting = csv.QUOTE_MINIMAL if "\r" in end else csv.QUOTE_ALL
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(
        buffer, list(lines[0]), delimiter=mark, lineterminator=end, quoting=quoting
    )
    writer.writeheader()
    writer.writerows(lines)
    return buffer.getvalue().encode()


def read(task: str, data: bytes, name: str = "f.csv") -> list[NewItem]:
    return list(tasks.create(task).read(name, data, {}))


def read_item(line: dict[str, Any]) -> NewItem:
    """Return the item of a line without content."""
    return make_item(line, 1, {}, None)


AROUND = st.builds(
    NewItem,
    st.just("1"),
    st.just({}),
    st.none(),
    st.none() | st.integers(0, 9),
    st.booleans(),
)


@pytest.mark.parametrize("task", CONTENTS)
def test_a_row_can_name_stage_and_test(task: str) -> None:
    more = {"id": "x", "stage": "1", "test": "yes"}
    (item,) = read(task, table({**CONTENTS[task], **more}))
    assert (item.key, item.stage, item.test) == ("x", 1, True)


@pytest.mark.parametrize("task", CONTENTS)
def test_empty_cells_are_ignored(task: str) -> None:
    more = dict.fromkeys(("id", "stage", "test", "gold"), "")
    assert read(task, table({**CONTENTS[task], **more})) == read(task, table(CONTENTS[task]))


@pytest.mark.parametrize("task", CONTENTS)
def test_an_invalid_cell_is_named_by_column_and_line(task: str) -> None:
    good, bad = {**CONTENTS[task], "stage": "1"}, {**CONTENTS[task], "stage": "high"}
    with pytest.raises(InputError, match=r"^f.csv:3: 'stage' is 'high', not a whole number$"):
        read(task, table(good, bad))


@given(AROUND)
def test_cells_mean_the_same_as_json_values(said: NewItem) -> None:
    line = {"stage": said.stage, "test": said.test}
    assert read_item(line) == said
    assert read_item({name: "" if one is None else str(one) for name, one in line.items()}) == said


@pytest.mark.parametrize("said", ["true", "TRUE", "Yes", " 1 ", True, 1])
def test_true_has_several_spellings(said: Any) -> None:
    assert read_item({"test": said}).test is True


@pytest.mark.parametrize("said", ["false", "FALSE", "No", "0", "", None, False, 0])
def test_false_has_several_spellings(said: Any) -> None:
    assert read_item({"test": said}).test is False


@pytest.mark.parametrize("said", ["2", "2.0", " 2 ", "2E0", 2, 2.0])
def test_whole_numbers_are_read_as_spreadsheets_write_them(said: Any) -> None:
    assert read_item({"stage": said}).stage == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"test": "maybe"}, "'test' is 'maybe': say yes or no"),
        ({"stage": "training"}, "'stage' is 'training', not a whole number"),
        ({"stage": True}, "'stage' is 'True', not a whole number"),
        ({"stage": "1.5"}, "'stage' is '1.5', not a whole number"),
        ({"stage": "1e999"}, "'stage' is '1e999', not a whole number"),
        ({"stage": [1]}, r"'stage' is '\[1\]', not a whole number"),
        ({"stage": "x" * 99}, "'stage' is 'x{39}…', not"),
    ],
)
def test_other_truth_values_are_refused(line: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_item(line)


def test_gold_of_a_table_may_be_json() -> None:
    right = {"systems": {"m": {"coverage": 2}}}
    (item,) = read("union.judge", table({**CONTENTS["union.judge"], "gold": json.dumps(right)}))
    assert item.gold == right
    skipped = {"type": "skipped", "reason": "disagreement"}
    (item,) = read("union", table({**CONTENTS["union"], "gold": json.dumps(skipped)}))
    assert item.gold is not None
    assert item.gold["reason"] == "disagreement"


@pytest.mark.parametrize("gold", ['{"systems"', "good"])
def test_gold_of_another_form_is_refused(gold: str) -> None:
    with pytest.raises(InputError, match=r"^f.csv:2: gold: "):
        read("union.judge", table({**CONTENTS["union.judge"], "gold": gold}))


@pytest.mark.parametrize("task", CONTENTS)
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_that_a_spreadsheet_saved_again_gives_the_same_items(task: str, mark: str) -> None:
    lines = [{**CONTENTS[task], "id": "a"}, {**CONTENTS[task], "id": "b"}]
    saved = b"\xef\xbb\xbf" + table(*lines, dict.fromkeys(lines[0], ""), mark=mark, end="\r\n")
    assert read(task, saved) == read(task, table(*lines))


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = st.lists(
    st.text("abc é.:_", min_size=1, max_size=6).filter(str.strip), min_size=2, max_size=4,
    unique=True,
)  # fmt: skip


@given(st.data(), NAMES, st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_tables_are_read_with_any_separator(
    data: st.DataObject, names: list[str], mark: str, end: str
) -> None:
    line = st.fixed_dictionaries(dict.fromkeys(names, CELLS))
    lines = data.draw(st.lists(line.filter(lambda one: any(map(str.strip, one.values())))))
    assume(lines)
    found = [row for _, row in read_fields("t", table(*lines, mark=mark, end=end), {})]
    assert found == lines


def test_a_header_with_a_comma_is_separated_by_commas() -> None:
    ((_, row),) = read_fields("t.csv", b"a,b;c\n1,2;3\n", {})
    assert row == {"a": "1", "b;c": "2;3"}


def test_a_tsv_file_is_separated_by_tabs() -> None:
    ((_, row),) = read_fields("t.tsv", b"a, b\tc\n1\t2\n", {})
    assert row == {"a, b": "1", "c": "2"}


def test_a_single_column_is_a_table() -> None:
    assert [row for _, row in read_fields("t.csv", b"text\nOne; two.\n", {})] == [
        {"text": "One; two."}
    ]


def test_a_row_is_placed_where_it_begins() -> None:
    found = read_fields("t.csv", b'a,b\n"one\ntwo",x\n\n,\ny,z\n', {})
    assert [line for line, _ in found] == [2, 6]


def test_a_row_of_wrong_length_names_the_separator() -> None:
    with pytest.raises(InputError, match=r"t.csv:2: expected 2 fields, .*not 3: is a semicolon"):
        list(read_fields("t.csv", b"a;b\n1;2;3\n", {}))


class Chosen(Struct):
    colour: Literal["red", "green"]


def test_a_wrong_value_is_refused_with_the_allowed_ones() -> None:
    with pytest.raises(InputError, match=r"paint: .*colour.*: one of '(red|green)', '(red|green)'"):
        convert({"colour": "blue"}, Chosen, "paint")
