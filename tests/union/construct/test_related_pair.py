"""On short pairs, rules compete with the edit model; on long ones, repetition costs."""

from __future__ import annotations

from tatian.union.models.construct.related_pair import MAX_SHORT_WORDS

FIRED = "The board fired the director on Monday because of a lost file."
DISMISSED = "The director, who was dismissed by the board, has moved to Bergen."
MORE = (
    " and of a key that a guard had found in the garden of the old house by the river one day "
    "when the doors were open"
)


def test_a_pair_is_short_up_to_the_limit(related):
    assert len(FIRED.split()) + len(DISMISSED.split()) <= MAX_SHORT_WORDS
    assert related(FIRED, DISMISSED).short
    assert not related(FIRED[:-1] + MORE + ".", DISMISSED).short


def test_repeating_shared_content_costs(related, wording):
    pair = related(FIRED[:-1] + MORE + ".", DISMISSED)
    beside = wording(f"{FIRED[:-1]}{MORE}; the director, dismissed by the board, moved.", pair)
    assert pair.score(beside.tokens, "test").candidate.score < -pair.costs.cost(beside)


def test_a_union_that_repeats_nothing_costs_its_faults_alone(related, wording):
    pair = related(FIRED[:-1] + MORE + ".", DISMISSED)
    whole = wording(FIRED[:-1] + MORE + ".", pair)
    assert pair.score(whole.tokens, "test").candidate.score == -pair.costs.cost(whole)
