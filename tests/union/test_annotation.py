"""The answers of union annotators and judges."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.text import Authorship, Span
from tatian.text.layers import Record
from tatian.union.annotation import Highlight, Marks, Skipped, UnionAnswer, UnionJudgement, Written

ANN = Authorship("ann", version="guidelines-1", kind="person", at="2024-05-01T10:00:00Z")
SENTENCES = ("A fire broke out.", "Crews came.")
highlights = st.builds(
    lambda start, length: Highlight(start, start + length, 1),
    st.integers(0, 9),
    st.integers(0, 9),
)
answers = st.one_of(
    st.builds(
        Written,
        st.just(0),
        st.text(st.characters(exclude_categories=["Cs"])).filter(str.strip),
        st.lists(highlights, max_size=3).map(tuple),
    ),
    st.builds(
        Skipped,
        st.sampled_from(["no-consolidation", "unnatural", "missing-context", "disagreement"]),
        st.just("because"),
    ),
)


@given(answers)
def test_answers_survive_json(answer):
    record = Record("r1", "union", "pair-7", ANN, answer)
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record[UnionAnswer]) == record


def test_answers_say_of_themselves_what_they_are():
    assert msgspec.json.encode(Skipped("unnatural")) == b'{"type":"skipped","reason":"unnatural"}'


def test_skipping_needs_a_known_reason():
    with pytest.raises(msgspec.ValidationError, match="Invalid enum value 'bored'"):
        msgspec.json.decode(b'{"type":"skipped","reason":"bored"}', type=UnionAnswer)


def test_an_empty_union_is_refused():
    with pytest.raises(ValueError, match="skip the item instead"):
        Written(0, " ")


def test_highlights_in_the_base_are_refused():
    with pytest.raises(ValueError, match="highlight in the base sentence"):
        Written(1, "x", (Highlight(0, 3, 1),))


def test_a_negative_base_is_refused():
    with pytest.raises(ValueError, match="no sentence has the index -1"):
        Written(-1, "x")


def test_an_answer_that_fits_its_sentences_is_accepted():
    Written(0, "A fire broke out and crews came.", (Highlight(0, 10, 1),)).check(SENTENCES)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Written(2, "x"), "base 2, but there are 2 sentences"),
        (Written(0, "x", (Highlight(0, 1, 2),)), "highlight in sentence 2, which is not there"),
        (Written(0, "x", (Highlight(0, 12, 1),)), "0..12 lies outside sentence 1"),
    ],
)
def test_an_answer_about_other_sentences_is_refused(answer, message):
    with pytest.raises(InputError, match=message):
        answer.check(SENTENCES)


def test_judgements_survive_json():
    record = Record("r2", "union.judge", "pair-7", ANN, UnionJudgement(4, 4, 4, 5))
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record[UnionJudgement]) == record


@pytest.mark.parametrize("name", ["coverage", "faithfulness", "redundancy"])
def test_content_is_rated_from_one_to_four(name):
    ratings = {"coverage": 4, "faithfulness": 4, "redundancy": 4, "fluency": 5}
    with pytest.raises(ValueError, match=f"{name} is rated from 1 to 4, not 5"):
        UnionJudgement(**{**ratings, name: 5})


def test_fluency_is_rated_from_one_to_five():
    assert UnionJudgement(1, 1, 1, 5).fluency == 5
    with pytest.raises(ValueError, match="fluency is rated from 1 to 5, not 0"):
        UnionJudgement(1, 1, 1, 0)


def test_bad_ratings_in_json_are_refused():
    bad = b'{"coverage":9,"faithfulness":4,"redundancy":4,"fluency":5}'
    with pytest.raises(msgspec.ValidationError, match="rated from 1 to 4"):
        msgspec.json.decode(bad, type=UnionJudgement)


def test_a_criterion_that_was_not_asked_is_left_out():
    judged = UnionJudgement(fluency=4)
    assert msgspec.json.encode(judged) == b'{"fluency":4}'


def test_a_judgement_of_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing is rated"):
        UnionJudgement()


def test_marks_inside_their_texts_are_accepted_and_survive_json():
    marks = Marks((Highlight(0, 5, 1),), (Span(2, 6),), note="why")
    marks.check(SENTENCES, "A fire broke out.")
    assert msgspec.json.decode(msgspec.json.encode(marks), type=Marks) == marks


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        (Marks(missing=(Highlight(0, 1, 2),)), "a mark in sentence 2, which is not there"),
        (Marks(missing=(Highlight(0, 12, 1),)), "mark 0..12 lies outside sentence 1"),
        (Marks(redundant=(Span(0, 3),)), "mark 0..3 lies outside the union"),
    ],
)
def test_marks_outside_their_texts_are_refused(marks, message):
    with pytest.raises(InputError, match=message):
        marks.check(SENTENCES, "No")
