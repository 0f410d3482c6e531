"""One union chosen among several annotators'."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput
from tatian.union.data import UnionInstance
from tatian.union.data.checks import choose_representatives, representative

PAIR = ("The ferry ran aground in fog.", "The ferry ran aground near Halverne.")
GOOD = "The ferry ran aground near Halverne in fog."
SHORT = "The ferry ran aground."
WRONG = "A tanker sank near Sennick in a storm."


def test_the_union_that_the_others_resemble_most_is_chosen():
    assert representative([WRONG, GOOD, GOOD.replace("The", "A"), SHORT]).index == 1


def test_agreement_says_how_much_the_others_agree_with_it():
    assert representative([GOOD, GOOD]).agreement == 1
    assert representative([GOOD, WRONG, WRONG]).agreement < 1


def test_a_union_alone_stands_for_itself():
    chosen = representative([GOOD])
    assert (chosen.index, chosen.agreement) == (0, 1)


def test_of_unions_with_the_same_words_the_usual_order_wins():
    odd = "In fog near Halverne aground ran the ferry."
    assert representative([odd, GOOD, GOOD]).index == 1


def test_of_equals_the_first_is_chosen():
    assert representative([SHORT, SHORT, SHORT]).index == 0


def test_there_must_be_something_to_choose_from():
    with pytest.raises(EmptyInput):
        representative([])


@given(st.lists(st.sampled_from([GOOD, SHORT, WRONG, ""]), min_size=1, max_size=6))
def test_the_choice_depends_on_the_unions_and_not_on_their_order(unions):
    chosen = representative(unions)
    turned = representative(unions[::-1])
    assert 0 <= chosen.agreement <= 1
    assert turned.agreement == pytest.approx(chosen.agreement)


def test_one_record_is_kept_for_each_group_of_sentences():
    other = ("A fire.", "A big fire.")
    every = [
        UnionInstance("1", PAIR, SHORT, by="anna"),
        UnionInstance("1", PAIR, GOOD, by="bert"),
        UnionInstance("2", other, "A big fire.", by="anna"),
        UnionInstance("1", PAIR, GOOD, by="carl"),
    ]
    assert [(one.id, one.by) for one in choose_representatives(every)] == [
        ("1", "bert"),
        ("2", "anna"),
    ]


def test_pair_skipped_by_half_stays_skipped():
    written = UnionInstance("1", PAIR, GOOD, by="anna")
    skipped = UnionInstance("1", PAIR, skip="unnatural", by="bert")
    assert choose_representatives([written, skipped]) == [skipped]
    assert choose_representatives([written, skipped, written]) == [written]


def test_sentences_that_nobody_answered_are_kept():
    blank = UnionInstance("1", PAIR)
    assert choose_representatives([blank]) == [blank]
