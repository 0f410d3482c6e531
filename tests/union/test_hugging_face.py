"""Unions as a Hugging Face data set, where that library is installed."""

import sys

import pytest

from tatian.errors import InputError, MissingExtra
from tatian.union.annotation import Highlight
from tatian.union.data import Instance, Origin, Relatedness
from tatian.union.hugging_face import from_datasets, to_datasets

PAIR = Instance("7", ("A fire.", "A big fire."), "A big fire.", "2023-03-14")
RICH = Instance(
    "8",
    ("A fire.", "A big fire.", "Crews came."),
    base=1,
    highlights=(Highlight(0, 5, 2),),
    skip="unnatural",
    note="n",
    by="anna",
    sources=(Origin(0, 7, "a"), Origin(3, 14, "b"), Origin(0, 11, "c")),
    relatedness=Relatedness(0.9, 2, meaning=0.5),
)


def test_what_goes_in_comes_out():
    pytest.importorskip("datasets")
    assert from_datasets(to_datasets([PAIR, RICH])) == [PAIR, RICH]


def test_the_columns_are_the_fields_that_are_filled():
    pytest.importorskip("datasets")
    assert to_datasets([PAIR]).column_names == ["id", "sentences", "merged", "date"]


def test_a_data_set_as_published_is_read():
    rows = [{"sentence1Text": "A.", "sentence2Text": "B.", "mergedText": "A and B."}]
    assert from_datasets(rows) == [Instance("1", ("A.", "B."), "A and B.")]


def test_any_rows_will_do_so_a_stream_can_be_read():
    rows = ({"sentences": ["A."], "merged": None} for _ in range(2))
    assert from_datasets(rows) == [Instance("1", ("A.",)), Instance("2", ("A.",))]


def test_a_row_that_is_no_instance_is_named():
    with pytest.raises(InputError, match=r"row 2 of the data set: .*sentences"):
        from_datasets([{"sentences": ["A."]}, {"text": "B."}])


def test_nothing_makes_no_data_set():
    pytest.importorskip("datasets")
    with pytest.raises(InputError, match="no instances"):
        to_datasets([])


def test_without_the_library_the_command_to_install_it_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tatian\[datasets\]'"):
        to_datasets([PAIR])
