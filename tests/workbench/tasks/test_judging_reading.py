"""Reading of judging items from JSONL and CSV."""

import json

import pytest

from tatian.errors import InputError
from tatian.union.data import UnionInstance
from tatian.union.ratings import side_by_side
from tatian.workbench.tasks.judging import JudgingTask

LINE = {"id": "x", "sentences": ["A.", "B."], "reference": "A and B.", "systems": {"m": "A."}}
CSV = "sentence1Text,sentence2Text,mergedText,system:m,system:n\nA.,B.,A and B.,A.,B.\n"


def read(data, mapping=None, name="f.jsonl"):
    if isinstance(data, dict):
        data = json.dumps(data)
    return list(JudgingTask().read(name, data.encode(), mapping or {}))


def test_jsonl_is_read():
    (item,) = read({**LINE, "stage": 2})
    assert item.key == "x"
    assert item.content == {
        "sentences": ["A.", "B."],
        "reference": "A and B.",
        "systems": {"m": "A."},
    }
    assert item.stage == 2


def test_the_output_of_the_command_is_read():
    gold = [UnionInstance("p", ("A.", "B."), "A and B.")]
    systems = {
        "m": [UnionInstance("p", ("A.", "B."), "A.")],
        "n": [UnionInstance("p", ("A.", "B."))],
    }
    (made,) = side_by_side(gold, systems)
    (item,) = read({"id": made.id, "sentences": list(made.sentences), "reference": made.reference,
                    "systems": made.systems})  # fmt: skip
    assert item.content["systems"] == {"m": "A.", "n": ""}


def test_a_table_has_a_column_for_each_system():
    (item,) = read(CSV)
    assert item.key == "1"
    assert item.content["reference"] == "A and B."
    assert item.content["systems"] == {"m": "A.", "n": "B."}


def test_columns_can_be_renamed():
    table = "s1,s2,gold,T5 output\nA.,B.,A and B.,A.\n"
    mapping = {
        "sentence1Text": "s1", "sentence2Text": "s2", "reference": "gold", "system:t5": "T5 output"
    }  # fmt: skip
    (item,) = read(table, mapping)
    assert item.content["systems"] == {"t5": "A."}


def test_gold_is_read_with_its_stage():
    right = {"systems": {"m": {"coverage": 2}}, "note": "B is missing."}
    (item,) = read({**LINE, "gold": right, "stage": 0, "test": False})
    assert item.gold == right
    assert item.stage == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "f.jsonl:1: "),
        ({**LINE, "systems": {}}, "f.jsonl:1: not an item to judge: no system to judge"),
        ({**LINE, "gold": {"systems": {"q": {"coverage": 1}}}}, "gold rates a system 'q'"),
        ({**LINE, "gold": {"systems": {}}}, "gold does not rate the system 'm'"),
        ({**LINE, "gold": {"systems": {"m": {"coverage": 9}}}}, "coverage is rated from 1 to 4"),
        ("sentence1Text,sentence2Text,mergedText\nA.,B.,C.\n", "tatian union side-by-side"),
        ("sentence1Text,system:m\nA.,B.\n", "f.jsonl:2: no column 'sentence2Text'"),
        ("sentence1Text,sentence2Text,mergedText,system:m\nA.,B.,C.\n", "f.jsonl:2: expected 4"),
    ],
)
def test_errors_are_named_by_file_and_line(data, message):
    with pytest.raises(InputError, match=message):
        read(data)


def test_a_mapping_to_a_missing_column_is_an_error():
    with pytest.raises(InputError, match="no column 'gold', which 'reference' is mapped to"):
        read(CSV, {"reference": "gold"})


def test_bytes_that_are_not_text_are_refused():
    with pytest.raises(InputError, match="not UTF-8"):
        list(JudgingTask().read("f.csv", b"a,b\n\xff\xfe", {}))
