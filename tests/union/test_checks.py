"""Unions that should be removed or reviewed: concatenations, new quotations, first person."""

import pytest

from tatian.union.data import UnionInstance, read
from tatian.union.data.checks import find_quotations, inspect, is_kept


def found(first, second, merged=None):
    return [
        (one.reason, one.action) for one in inspect(UnionInstance("x", (first, second), merged))
    ]


def test_a_union_that_strings_unrelated_sentences_together_is_removed():
    instance = UnionInstance(
        "x",
        ("A ferry ran aground.", "Prices rose in May."),
        "A ferry ran aground; prices rose in May.",
    )
    (finding,) = inspect(instance)
    assert (finding.reason, finding.action, finding.id) == ("disjoint", "remove", "x")
    assert not is_kept(instance)


def test_small_words_and_order_make_no_difference():
    merged = "Prices rose in May, while a ferry has run aground."
    assert found("A ferry has run aground.", "Prices rose in May.", merged) == [
        ("disjoint", "remove")
    ]


def test_a_concatenation_of_sentences_that_share_words_is_reviewed():
    merged = "A ferry ran aground and the ferry sank."
    instance = UnionInstance("x", ("A ferry ran aground.", "The ferry sank."), merged)
    (finding,) = inspect(instance)
    assert (finding.reason, finding.action) == ("concatenated", "review")
    assert finding.why.endswith(": ferry")
    assert is_kept(instance)


def test_valid_union_has_no_findings():
    merged = "A ferry ran aground and sank."
    assert found("A ferry ran aground.", "The ferry sank.", merged) == []


def test_pairs_without_a_union_are_not_judged_by_it():
    assert found("A ferry ran aground.", "Prices rose in May.") == []
    assert is_kept(UnionInstance("x", ("A ferry ran aground.", "Prices rose in May.")))


def test_a_quotation_that_no_sentence_has_is_reviewed():
    instance = UnionInstance(
        "x", ('He called it "a mess".', "It was a bad mess."), 'He called it "a bad mess".'
    )
    (finding,) = inspect(instance)
    assert finding.reason == "new-quote"
    assert finding.span.of(instance.merged) == '"a bad mess"'
    assert finding.sentence is None


@pytest.mark.parametrize(
    "merged",
    ['He called it "a mess".', "He called it “a mess”.", 'It was, he said, "a mess," and bad.'],
)
def test_marks_and_punctuation_of_a_quotation_may_change(merged):
    assert found('He called it "a mess".', "It was bad, he said.", merged) == []


def test_part_of_a_quotation_may_be_quoted():
    assert found('"It is a mess," he said.', "It was bad.", 'He said it "is a mess".') == []


def test_unquoted_words_must_not_become_a_quotation():
    assert found("It is a mess, he said.", "It was bad.", 'He said it was "a mess".') == [
        ("new-quote", "review")
    ]


@pytest.mark.parametrize("text", ['"a b', 'a "b', "no marks", '"a" and "b"', "", '"'])
def test_quotations_lie_inside_the_text(text):
    for span in find_quotations(text):
        assert span.of(text).startswith(('"', "“"))


@pytest.mark.parametrize(
    "sentence",
    ["I saw it.", "They told us.", "The choice is mine.", "On Monday I left.", "We won."],
)
def test_the_first_person_is_reviewed(sentence):
    (finding,) = inspect(UnionInstance("x", ("They lost.", sentence)))
    assert (finding.reason, finding.sentence, finding.quoted) == ("first-person", 1, False)


@pytest.mark.parametrize(
    "sentence",
    [
        "World War I began.",
        "The US coal mine closed.",
        "A mine exploded.",
        "I. Lewis Libby resigned.",
        "Traces of Sudan I were found.",
    ],
)
def test_numerals_mines_and_initials_are_not_the_first_person(sentence):
    assert inspect(UnionInstance("x", ("They lost.", sentence))) == []


def test_quotations_in_the_first_person_are_reported():
    first, union = inspect(
        UnionInstance("x", ('"I won," she said.', "She won."), '"I won," she said.')
    )
    assert (first.sentence, first.quoted, union.sentence) == (0, True, None)


@pytest.mark.long
@pytest.mark.data
def test_the_published_data_set_was_cleaned_nearly_throughout(union_data):
    unions = read(union_data / "eval.csv")
    findings = [finding for union in unions for finding in inspect(union)]
    assert sum(is_kept(union) for union in unions) >= 347
    assert not [one for one in findings if one.reason == "new-quote"]
