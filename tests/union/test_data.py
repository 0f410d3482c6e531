"""Reading and writing sentences to merge."""

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError, NotText
from tatian.union.data import UnionInstance, parse, read, write

HEADER = "sentence1Text,sentence2Text,mergedText\n"
PAIR = UnionInstance("1", ("A fire, they say.", 'He said "no".'), 'A fire and a "no".')

text = st.text(st.characters(exclude_categories=["Cs"]))
filled = text.filter(str.strip)
pairs = st.builds(UnionInstance, st.just("1"), st.tuples(filled, filled), st.none() | filled)
instances = st.builds(
    UnionInstance,
    text,
    st.lists(filled, min_size=1, max_size=4).map(tuple),
    st.none() | text,
    st.none(),
)


def from_csv(rows):
    return list(parse(io.StringIO(rows, newline=""), "csv", path="pairs.csv"))


def from_jsonl(lines):
    return list(parse(io.StringIO(lines), "jsonl", path="pairs.jsonl"))


def written(items, form):
    stream = io.StringIO(newline="")
    write(items, stream, form)
    return stream.getvalue()


def test_csv_is_read_as_published():
    assert from_csv(HEADER + '"A fire, they say.","He said ""no"".","A fire and a ""no""."\n') == [
        PAIR
    ]


def test_csv_needs_no_merged_column_for_input():
    assert from_csv("sentence1Text,sentence2Text\na,b\n") == [UnionInstance("1", ("a", "b"))]


def test_csv_with_an_empty_merged_cell_is_not_merged_yet():
    assert from_csv(HEADER + "a,b,\n")[0].merged is None


def test_csv_columns_are_found_by_name():
    assert from_csv("mergedText,more,sentence2Text,sentence1Text\nm,x,b,a\n") == [
        UnionInstance("1", ("a", "b"), "m")
    ]


def test_byte_order_mark_and_windows_line_ends_are_accepted():
    assert from_csv("\ufeff" + HEADER.replace("\n", "\r\n") + "a,b,c\r\n") == [
        UnionInstance("1", ("a", "b"), "c")
    ]


def test_rows_are_numbered():
    assert [one.id for one in from_csv(HEADER + "a,b,c\n\nd,e,f\n")] == ["1", "2"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("one,two\na,b\n", r"pairs.csv:1: no column sentence1Text and no sentence2Text"),
        ("one;two\na;b\n", r"pairs.csv:1: .* but 'one;two': expected CSV, separated by commas"),
        ('[{"sentences": ["a", "b"]}]', r"pairs.csv:1: a JSON array: expected JSONL"),
        (HEADER + "a,b,c\na,b\n", r"pairs.csv:3: expected 3 fields, as in the header, not 2"),
        (HEADER + '"a\nb",c,d\na,b,c,d\n', r"pairs.csv:4: expected 3 fields, .* not 4"),
        (HEADER + "a,b,c\n , ,c\n", r"pairs.csv:3: all sentences are empty"),
        (HEADER + 'a,"b" x,c\n', r"pairs.csv:2: not CSV"),
        (HEADER + 'a,b,"c\n', r"pairs.csv:2: not CSV: .* \(is a quotation mark amiss\?\)"),
        (HEADER + 'a,b,"c\nd,e,f\ng,h,i\n', r"pairs.csv:2: not CSV"),
    ],
)
def test_malformed_csv_names_the_line(rows, message):
    with pytest.raises(InputError, match=message):
        from_csv(rows)


def test_one_of_two_sentences_may_be_empty():
    assert from_csv(HEADER + "a,,\n") == [UnionInstance("1", ("a", ""))]


def test_jsonl_holds_any_number_of_sentences_and_a_date():
    line = '{"id": "x", "sentences": ["a", "b", "c"], "date": "2007-03-02"}\n'
    assert from_jsonl(line) == [UnionInstance("x", ("a", "b", "c"), None, "2007-03-02")]


def test_jsonl_ids_may_be_numbers_or_absent():
    assert [
        one.id for one in from_jsonl('{"id": 7, "sentences": ["a"]}\n\n{"sentences": ["b"]}')
    ] == ["7", "3"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"sentences": ["a"]}\n{"sentences": ', r"pairs.jsonl:2: "),
        ('{"sentences": "a"}', r"pairs.jsonl:1: Expected `array`"),
        ('{"id": "x"}', r"pairs.jsonl:1: .*missing required field `sentences`"),
        ('{"sentences": []}', r"pairs.jsonl:1: no sentences"),
        ('{"sentences": ["", " "]}', r"pairs.jsonl:1: all sentences are empty"),
        (
            '{"sentences": ["a"], "date": "Monday"}',
            r"pairs.jsonl:1: the date 'Monday' is not a day",
        ),
    ],
)
def test_malformed_jsonl_names_the_line(lines, message):
    with pytest.raises(InputError, match=message):
        from_jsonl(lines)


@given(st.lists(instances, max_size=5))
def test_jsonl_round_trip(items):
    assert from_jsonl(written(items, "jsonl")) == items


@given(pairs)
def test_csv_round_trip(pair):
    assert from_csv(written([pair], "csv")) == [pair]


def test_csv_refuses_what_is_not_a_pair():
    with pytest.raises(InputError, match=r"CSV holds pairs, and 'x' is not one .*: write JSONL"):
        written([UnionInstance("x", ("a", "b", "c"))], "csv")


@pytest.mark.parametrize("name", ["p.csv", "p.csv.gz", "p.jsonl", "P.JSONL.GZ"])
def test_files_are_read_by_their_names(tmp_path, name):
    form = "csv" if "csv" in name else "jsonl"
    content = written([PAIR], form).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.lower().endswith("gz") else content)
    assert read(path) == [PAIR]


def test_unknown_suffixes_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"p.txt: expected a .csv or .jsonl file"):
        read(tmp_path / "p.txt")


def test_absent_files_are_named(tmp_path):
    with pytest.raises(InputError, match=r"p.csv: No such file"):
        read(tmp_path / "p.csv")


@pytest.mark.parametrize("content", ["", HEADER])
def test_files_without_sentences_are_refused(tmp_path, content):
    path = tmp_path / "p.csv"
    path.write_text(content)
    with pytest.raises(EmptyInput, match=r"p\.csv: the file contains no sentences"):
        read(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.csv", b"sentence1Text,sentence2Text\n\xff\xfe,x\n"),
        ("p.csv.gz", b"not gzip"),
        ("p.csv.gz", gzip.compress(b"abc" * 999, mtime=0)[:20]),
    ],
)
def test_binary_files_are_refused(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(NotText, match=r"p.csv"):
        read(path)


@pytest.mark.data
@pytest.mark.parametrize(("name", "size"), [("train.csv", 1087), ("eval.csv", 349)])
def test_published_files_survive_a_round_trip_byte_for_byte(union_data, name, size):
    items = read(union_data / name)
    assert len(items) == size
    assert written(items, "csv").encode() == (union_data / name).read_bytes()
