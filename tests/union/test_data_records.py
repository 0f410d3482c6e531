"""What JSONL keeps of a union and CSV cannot: base, highlights, skip reasons, sources."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.union.annotation import Highlight, Skipped, Written
from tatian.union.data import Origin, Relatedness, UnionInstance, parse, parse_numbered, write

SENTENCES = ("A ferry ran aground in fog.", "A ferry ran aground near Halverne.")
UNION = "A ferry ran aground near Halverne in fog."
NEAR_HALVERNE = Highlight(20, 33, 1)
WRITTEN = UnionInstance("1", SENTENCES, UNION, base=0, highlights=(NEAR_HALVERNE,), by="anna")
SKIPPED = UnionInstance(
    "2", SENTENCES, skip="unnatural", note="one asks, the other states", by="bert"
)
FOUND = UnionInstance(
    "3",
    SENTENCES,
    date="2023-03-14",
    sources=(Origin(0, 27, "wire"), Origin(40, 74, "courier")),
    relatedness=Relatedness(chance=0.98, words=3, meaning=0.9, events=1),
)


def lines(*instances):
    stream = io.StringIO()
    write(instances, stream, "jsonl")
    return stream.getvalue()


def read_back(text):
    return list(parse(io.StringIO(text), "jsonl", path="a.jsonl"))


@pytest.mark.parametrize("instance", [WRITTEN, SKIPPED, FOUND], ids=["written", "skipped", "found"])
def test_jsonl_keeps_everything(instance):
    assert read_back(lines(instance)) == [instance]


def test_missing_fields_are_not_written():
    assert json.loads(lines(UnionInstance("1", SENTENCES))) == {
        "id": "1",
        "sentences": list(SENTENCES),
    }


def test_csv_keeps_the_texts_alone():
    stream = io.StringIO()
    write([WRITTEN], stream, "csv")
    (back,) = parse(io.StringIO(stream.getvalue()), "csv")
    assert back == UnionInstance("1", SENTENCES, UNION)


def test_an_annotators_answer_comes_out_of_the_record_it_went_into():
    assert WRITTEN.answer == Written(0, UNION, (NEAR_HALVERNE,))
    assert SKIPPED.answer == Skipped("unnatural", "one asks, the other states")


def test_a_union_without_a_base_is_no_annotators_answer():
    assert UnionInstance("1", SENTENCES, UNION).answer is None
    assert UnionInstance("1", SENTENCES).answer is None


def test_an_answer_replaces_the_one_before():
    assert WRITTEN.answered(SKIPPED.answer, by="bert") == UnionInstance(
        "1", SENTENCES, skip="unnatural", note="one asks, the other states", by="bert"
    )
    assert SKIPPED.answered(WRITTEN.answer, by="anna") == UnionInstance(
        "2", SENTENCES, UNION, base=0, highlights=(NEAR_HALVERNE,), by="anna"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"base": 2}, "base 2, but there are 2 sentences"),
        ({"base": -1}, "base -1, but there are 2 sentences"),
        (
            {"highlights": [{"start": 0, "end": 1, "sentence": 2}]},
            "a highlight in sentence 2, which is not there",
        ),
        (
            {"highlights": [{"start": 0, "end": 999, "sentence": 1}]},
            "highlight 0..999 lies outside sentence 1",
        ),
        (
            {"sources": [{"start": 0, "end": 1, "document": "wire"}]},
            "1 sources for 2 sentences",
        ),
        ({"skip": "boring"}, "Invalid enum value 'boring'"),
    ],
)
def test_a_record_that_does_not_fit_its_sentences_names_the_line(fields, message):
    record = {"id": "x", "sentences": SENTENCES, **fields}
    with pytest.raises(InputError, match=rf"a.jsonl:1: {message}"):
        read_back(json.dumps(record))


def test_instances_can_be_had_with_the_lines_they_begin_on():
    rows = 'sentence1Text,sentence2Text\n"a\nb",c\n\nd,e\n'
    found = parse_numbered(io.StringIO(rows, newline=""), "csv")
    assert [(line, one.id) for line, one in found] == [(2, "1"), (5, "2")]


@given(
    st.lists(
        st.tuples(st.integers(0, 33), st.integers(0, 33), st.integers(0, 1)).map(
            lambda given: (
                Highlight(min(given[:2]), min(max(given[:2]), len(SENTENCES[given[2]])), given[2])
                if min(given[:2]) <= len(SENTENCES[given[2]])
                else Highlight(0, 1, 0)
            )
        ),
        max_size=4,
    ),
    st.sampled_from([None, 0, 1]),
    st.sampled_from([None, "no-consolidation", "unnatural", "missing-context", "disagreement"]),
    st.text(st.characters(exclude_categories=["Cs"])),
)
def test_records_survive_a_round_trip(highlights, base, skip, note):
    instance = UnionInstance(
        "1", SENTENCES, UNION, None, base, tuple(highlights), skip, note, sources=FOUND.sources
    )
    assert read_back(lines(instance)) == [instance]
