"""What a wording leaves out, says twice or hangs on the wrong word costs it."""

from __future__ import annotations

FIRED = "The board fired the director on Monday because of a lost file."
DISMISSED = "The director, who was dismissed by the board, has moved to Bergen."


def test_an_act_that_is_left_out_is_missing(related, wording):
    pair = related(FIRED, DISMISSED)
    lost = pair.costs.missing(wording(FIRED, pair))
    assert {pair.sentences[number].lower[place] for number, place in lost} == {"moved", "bergen"}


def test_one_side_of_an_equivalence_is_enough(related, wording):
    pair = related(FIRED, DISMISSED)
    kept = wording("The board fired the director on Monday and has moved to Bergen.", pair)
    lost = {pair.sentences[number].lower[place] for number, place in pair.costs.missing(kept)}
    assert "dismissed" not in lost


def test_both_sides_of_an_equivalence_cost(related, wording):
    pair = related(FIRED, DISMISSED)
    both = wording("The board fired the director on Monday, who was dismissed by the board.", pair)
    assert pair.costs.counts(both)["twice"] > 0


def test_plan_is_stale_beside_its_outcome(related, wording):
    pair = related(
        "The ship will leave Oslo on Monday.", "The ship left Oslo on Monday with 40 sailors."
    )
    stale = wording("The ship will leave Oslo on Monday with 40 sailors.", pair)
    fresh = wording("The ship left Oslo on Monday with 40 sailors.", pair)
    assert pair.costs.counts(stale)["stale"] == 1
    assert pair.costs.cost(stale) > pair.costs.cost(fresh)


def test_a_reason_that_hangs_on_another_act_has_moved(related, wording):
    pair = related(FIRED, "The director has moved to Bergen.")
    right = wording(FIRED, pair)
    wrong = wording(
        "The board fired the director and has moved to Bergen on Monday because of a lost file.",
        pair,
    )
    assert pair.costs.count_moved(right) == 0
    assert pair.costs.count_moved(wrong) > 0
