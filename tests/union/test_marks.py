"""Experts' marks, counted as Hirsch et al. 2023, §5.1, count them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.text import Span
from tatian.union.annotation import Highlight, Marks
from tatian.union.metrics import (
    MarkedUnion,
    content_spans,
    content_words,
    parse_marks,
    quality,
    quality_table,
)
from tatian.union.metrics.marks import MarkCounts, count_marked

SENTENCES = ("The deputy director resigned.", "Nick Jones resigned on Thursday.")
UNION = "The deputy director resigned on Thursday."


def marked(id, by="", **marks):
    return MarkedUnion(id, SENTENCES, UNION, by=by, **marks)


@given(st.text())
def test_content_words_stand_where_their_spans_say(text):
    assert content_words(text) == [span.of(text).lower() for span in content_spans(text)]


def test_a_name_that_is_not_mentioned_is_two_missing_words():
    marks = Marks(missing=(Highlight(0, 10, 1),))
    assert count_marked(SENTENCES, UNION, marks) == MarkCounts(total=4, missing=2)


def test_a_word_that_repeats_the_time_is_one_redundant_word():
    union = "It sank Thursday overnight at 2:09am."
    marks = Marks(redundant=(Span(17, 26),))
    assert count_marked((union,), union, marks).redundant == 1


def test_stop_words_do_not_count():
    assert count_marked(SENTENCES, UNION, Marks(unfaithful=(Span(0, 3),))).unfaithful == 0


def test_a_word_under_two_marks_counts_once():
    marks = Marks(unfaithful=(Span(4, 10), Span(4, 19)))
    assert count_marked(SENTENCES, UNION, marks).unfaithful == 2


def test_the_ratios_are_those_of_the_paper_over_the_whole_sample():
    found = quality(
        [
            marked("1", missing=(Highlight(0, 10, 1),)),
            marked("2", unfaithful=(Span(4, 10),)),
            marked("3", redundant=(Span(32, 40),)),
        ]
    )
    assert found.words == 12
    assert found.scores["coverage"].value == pytest.approx(12 / 14)
    assert found.scores["faithfulness"].value == pytest.approx(1 - 1 / 12)
    assert found.scores["redundancy"].value == pytest.approx(1 - 1 / 12)
    assert found.issues == {"missing": 1, "unfaithful": 1, "redundant": 1, "unfluent": 0}


def test_experts_who_marked_the_same_union_are_averaged():
    both = [marked("1", "ann", missing=(Highlight(0, 10, 1),)), marked("1", "ben")]
    found = quality(both)
    assert found.unions == 1
    assert found.scores["coverage"].value == pytest.approx(4 / 5)


def test_the_table_has_the_shape_of_the_papers():
    table = quality_table({"ours": quality([marked("1"), marked("2")])})
    assert [column.name for column in table.columns][:4] == [
        "dataset", "coverage, %", "faithfulness, %", "redundancy, %"
    ]  # fmt: skip
    assert [cell.text for cell in table.format_cells()[0]][:4] == [
        "ours",
        "100.0",
        "100.0",
        "100.0",
    ]


def test_an_expert_who_marks_twice_is_an_error():
    with pytest.raises(InputError, match="one expert marked union '1' twice"):
        quality([marked("1", "ann"), marked("1", "ann")])


def test_two_unions_of_one_id_are_an_error():
    other = MarkedUnion("1", SENTENCES, "Another.", by="ben")
    with pytest.raises(InputError, match="two different unions have the id '1'"):
        quality([marked("1", "ann"), other])


def test_without_unions_there_is_nothing_to_say():
    with pytest.raises(EmptyInput):
        quality([])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "f:1: Object missing required field 'id'"),
        ('{"id":"1","sentences":["A."],"merged":"A.","unfaithful":[{"start":0,"end":9}]}',
         "f:1: mark 0..9 lies outside the union"),
        ('{"id":"1","sentences":["A."],"merged":"A.","missing":[{"start":0,"end":1,"sentence":1}]}',
         "f:1: a mark in sentence 1, which is not there"),
        ("\n", "f: the file contains no marked unions"),
    ],
)  # fmt: skip
def test_bad_marks_are_named_by_file_and_line(text, message):
    with pytest.raises(InputError) as caught:
        parse_marks(text, path="f")
    assert str(caught.value).startswith(message)
