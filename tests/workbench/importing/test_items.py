"""Reading of items from files, their limits and errors."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian import limits
from tatian.errors import InputError
from tatian.workbench.campaigns.item_files import parse_mapping, read_items
from tatian.workbench.tasks import NewItem

from .echo import EchoTask

TASK = EchoTask()
TABLE = b"id,text,right\na,One.,One!\nb,Two.,\n"


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


def test_a_table_has_an_item_per_row() -> None:
    assert read_items(TASK, "t.csv", TABLE) == [
        NewItem("a", {"text": "One."}, {"text": "One!"}),
        NewItem("b", {"text": "Two."}),
    ]


def test_renamed_columns_are_mapped() -> None:
    found = read_items(TASK, "t.csv", b"nr,says\n7,Hello.\n", {"id": "nr", "text": "says"})
    assert found == [NewItem("7", {"text": "Hello."})]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b" \n", "t: empty: there is nothing in it"),
        (b"PK\x03\x04....", "t: not text but a zip archive"),
        (
            b"text\n",
            "t: the file contains no items: a table needs one row per item below its header",
        ),
        (b"The ferry ran aground at dawn.\n", "t: plain text, no items: give JSONL, with a line"),
        (b"It ran aground, at dawn, it seems.\n\nNo.\n", "t: plain text, no items: give JSONL"),
        (b"id,text\na,x\na,y\n", "t: two items are called 'a'"),
        (b"id,text\na\x07,x\n", "t: 'a\x07' cannot name an item"),
        (b"id,words\na,x\n", "t:2: no column 'text'"),
        (b'id,text\na,"x\n', "t:2: not CSV"),
        (b"id,text\na,\xff\n", "t:2: not UTF-8"),
        (b'{"id": 1, "text": "x"}\n{"id": 2\n', "t:2: "),
    ],
)
def test_read_errors_name_the_place(data: bytes, message: str) -> None:
    assert refused(lambda: read_items(TASK, "t", data)).startswith(message)


@given(st.binary(max_size=300))
def test_any_bytes_give_items_or_a_clear_error(data: bytes) -> None:
    try:
        said = [one.key for one in read_items(TASK, "t", data)]
    except InputError as error:
        said = [str(error)]
    assert said
    assert all(said)


def test_an_archive_is_never_opened_whatever_is_in_it() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../etc/items.csv", TABLE)
    assert "zip archive" in refused(lambda: read_items(TASK, "items.zip", file.getvalue()))


def test_items_of_a_training_stage_need_right_answers() -> None:
    message = refused(lambda: read_items(TASK, "t.csv", TABLE, stage=0))
    assert message == "t.csv: item 'b' is an item of a training stage without a right answer"


def test_hidden_tests_need_right_answers() -> None:
    message = refused(lambda: read_items(TASK, "t.csv", TABLE, test=True))
    assert message == "t.csv: item 'b' is a hidden test without a right answer"


def test_answers_that_a_file_has_can_be_left_out() -> None:
    assert [one.gold for one in read_items(TASK, "t.csv", TABLE, gold=False)] == [None, None]


def test_more_items_than_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CAMPAIGN_FILE_ITEMS", 1)
    assert "more than 1 items" in refused(lambda: read_items(TASK, "t.csv", TABLE))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([], {}),
        (["text=words"], {"text": "words"}),
        (["text=a, b", "id=x=y"], {"text": "a, b", "id": "x=y"}),
    ],
)
def test_a_mapping_is_written_as_pairs(given: list[str], found: dict[str, str]) -> None:
    assert parse_mapping(given) == found


@pytest.mark.parametrize("given", [["text"], ["=words"], ["text="], ["text=a", "text=b"]])
def test_an_invalid_mapping_is_refused(given: list[str]) -> None:
    assert "map" in refused(lambda: parse_mapping(given))
