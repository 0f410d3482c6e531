"""From labelers' answers to a benchmark."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats.labels import Confirmation, Detection, LinkedTerm, MentionVerdict
from tatian.formats.links import build_document, links_of, topic_of
from tatian.mentions.annotation import (
    agreement,
    count_votes,
    current_records,
    ground_truth,
    missed_repeats,
    union,
)
from tatian.text import Authorship, Document, Link
from tatian.text.layers import Record

TEXT = build_document(
    "s1", "As fewer choices are offered to the voters, voters may vote.", topic="T"
)
CHOICES = LinkedTerm(9, 16, "choices", "Choice")
VOTERS = LinkedTerm(36, 42, "voters", "Voting")
AGAIN = LinkedTerm(44, 50, "voters", "Voting")
CITIZENS = LinkedTerm(36, 42, "voters", "Citizenship")
ALL = (CHOICES, VOTERS, AGAIN, CITIZENS)


def detect(
    by: str, *terms: LinkedTerm, item: str = "s1", id: str = "", replaces: str | None = None
) -> Record[Detection]:
    answer = Detection(tuple(sorted(terms, key=lambda one: (one.start, one.end))))
    made = Authorship(by, kind="person")
    return Record(id or f"{by}-{item}", "mentions.detect", item, made, answer, replaces)


def judge(
    by: str, *confirmed: LinkedTerm, shown: tuple[LinkedTerm, ...] = ALL, item: str = "s1"
) -> Record[Confirmation]:
    verdicts = tuple(MentionVerdict(one, one in confirmed) for one in shown)
    made = Authorship(by, kind="person")
    return Record(f"{by}-{item}", "mentions.confirm", item, made, Confirmation(verdicts))


def panel(yes: int, of: int, term: LinkedTerm = VOTERS) -> list[Record[Confirmation]]:
    """So many labelers of a panel confirm one candidate, and none another."""
    return [judge(f"l{number}", *([term] if number < yes else [])) for number in range(of)]


def terms_of(texts: list[Document]) -> list[tuple[int, tuple[str, ...]]]:
    return [(one.start, one.titles) for text in texts for one in links_of(text)]


def test_the_union_has_what_anybody_detected_in_the_order_of_the_text() -> None:
    found = union([detect("ann", VOTERS, CHOICES), detect("bob", VOTERS, CITIZENS)])
    assert found == {"s1": (CHOICES, CITIZENS, VOTERS)}


def test_titles_written_differently_are_one_candidate() -> None:
    other = LinkedTerm(9, 16, "choices", "choice")
    assert union([detect("ann", CHOICES), detect("bob", other)]) == {"s1": (CHOICES,)}


def test_a_text_in_which_nothing_was_found_has_an_empty_union() -> None:
    assert union([detect("ann")]) == {"s1": ()}


def test_the_other_places_of_a_term_can_be_candidates_too() -> None:
    found = union([detect("ann", VOTERS)], {"s1": TEXT}, repeats=True)
    assert found == {"s1": (VOTERS, AGAIN)}


def test_repeat_inside_a_longer_candidate_is_not_counted() -> None:
    text = build_document("s1", "games and video games")
    games, video = (
        LinkedTerm(0, 5, "games", "Game"),
        LinkedTerm(10, 21, "video games", "Video game"),
    )
    found = union([detect("ann", games, video)], {"s1": text}, repeats=True)
    assert found == {"s1": (games, video)}


def test_repeats_need_the_texts() -> None:
    with pytest.raises(InputError, match="give them"):
        union([detect("ann", VOTERS)], repeats=True)


def test_a_detection_that_does_not_fit_its_text_is_refused_by_record() -> None:
    wrong = LinkedTerm(0, 6, "voters", "Voting")
    with pytest.raises(InputError, match=r"record 'ann-s1': the text has 'As few' at 0\.\.6"):
        union([detect("ann", wrong)], {"s1": TEXT})


def test_a_record_about_no_known_text_is_refused() -> None:
    with pytest.raises(InputError, match="record 'ann-s9' is about 's9'"):
        union([detect("ann", item="s9")], {"s1": TEXT})


def test_six_of_ten_confirm_and_five_do_not() -> None:
    assert terms_of(ground_truth([TEXT], panel(6, 10))) == [(36, ("Voting",))]
    assert terms_of(ground_truth([TEXT], panel(5, 10))) == []


@pytest.mark.parametrize(
    ("yes", "panelists", "confirmed"),
    [(1, 1, True), (2, 3, True), (3, 5, True), (4, 7, False), (5, 9, False), (9, 15, True)],
)
def test_other_panels_also_need_six_votes_in_ten(yes: int, panelists: int, confirmed: bool) -> None:
    (found,) = ground_truth([TEXT], panel(yes, panelists))
    assert bool(links_of(found)) is confirmed


@given(st.integers(1, 15), st.data())
def test_six_in_ten_of_those_who_judged_decide(panelists: int, data: st.DataObject) -> None:
    yes = data.draw(st.integers(0, panelists))
    (found,) = ground_truth([TEXT], panel(yes, panelists))
    assert bool(links_of(found)) == (Fraction(yes, panelists) >= Fraction(6, 10))


def test_the_number_of_confirmations_can_be_set() -> None:
    assert terms_of(ground_truth([TEXT], panel(3, 10), at_least=3)) == [(36, ("Voting",))]
    assert terms_of(ground_truth([TEXT], panel(6, 10), at_least=7)) == []


def test_a_number_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="at least one labeler, not 0"):
        ground_truth([TEXT], panel(1, 1), at_least=0)


def test_several_confirmed_pages_belong_to_one_mention_the_most_voted_first() -> None:
    answers = [judge("a", CITIZENS, VOTERS), judge("b", CITIZENS, VOTERS), judge("c", VOTERS)]
    assert terms_of(ground_truth([TEXT], answers)) == [(36, ("Voting", "Citizenship"))]


def test_occurrences_are_judged_separately() -> None:
    answers = [judge("a", VOTERS, AGAIN), judge("b", AGAIN), judge("c", AGAIN)]
    assert terms_of(ground_truth([TEXT], answers)) == [(44, ("Voting",))]


def test_the_ground_truth_keeps_topics_and_leaves_out_texts_that_nobody_judged() -> None:
    other = build_document("s2", "Unjudged.")
    (found,) = ground_truth([TEXT, other], panel(1, 1))
    assert (found.id, topic_of(found), found.text) == ("s1", "T", TEXT.text)


def test_votes_count_confirmations_and_judges() -> None:
    assert count_votes(panel(2, 3))["s1"][VOTERS] == (2, 3)
    assert count_votes(panel(2, 3))["s1"][CHOICES] == (0, 3)


def test_places_that_nobody_linked_are_found() -> None:
    marked = build_document("s1", TEXT.text, (Link(36, 42, ("Voting",)),))
    assert missed_repeats(marked) == (Link(44, 50, ("Voting",)),)


def test_a_correction_takes_the_place_of_what_it_replaces() -> None:
    first = detect("ann", CHOICES, id="r1")
    second = detect("ann", VOTERS, id="r2", replaces="r1")
    assert list(current_records([first, second])) == [second]


def test_repeated_answer_of_a_labeler_is_refused() -> None:
    with pytest.raises(InputError, match="labeler 'ann' answered 's1' twice, in records 'r1'"):
        list(current_records([detect("ann", id="r1"), detect("ann", id="r2")]))


def test_detection_is_compared_on_all_that_anybody_detected() -> None:
    found = agreement(
        [
            detect("ann", CHOICES, VOTERS),
            detect("bob", CHOICES, AGAIN),
            detect("eve", CITIZENS),
        ]
    ).detection
    assert found is not None
    pair = next(one for one in found.pairs if (one.first, one.second) == ("ann", "bob"))
    observed, expected = 2 / 4, 1 / 2
    assert pair.kappa == pytest.approx((observed - expected) / (1 - expected))
    assert pair.mentions == 4


def test_confirmation_is_compared_on_what_was_shown() -> None:
    found = agreement([], [judge("ann", VOTERS, AGAIN), judge("bob", VOTERS, AGAIN)])
    assert found.detection is None
    assert found.confirmation is not None
    assert found.confirmation.value == 1


def test_pairs_weigh_as_much_as_they_share_mentions() -> None:
    other = (LinkedTerm(0, 2, "As", "A"), LinkedTerm(3, 8, "fewer", "B"))
    answers = [
        judge("ann", VOTERS, AGAIN),
        judge("bob", VOTERS, AGAIN),
        judge("ann", other[0], shown=other, item="s2"),
        judge("eve", other[1], shown=other, item="s2"),
    ]
    found = agreement([], answers).confirmation
    assert found is not None
    assert {(one.first, one.second): one.mentions for one in found.pairs} == {
        ("ann", "bob"): 4,
        ("ann", "eve"): 2,
    }
    assert found.value == pytest.approx((1 * 4 + -1 * 2) / 6)


def test_labelers_who_share_no_text_have_no_agreement() -> None:
    found = agreement([detect("ann", VOTERS), detect("bob", item="s2")])
    assert found.detection is None


def test_agreement_without_candidates_is_undefined() -> None:
    found = agreement([detect("ann", VOTERS), detect("bob", VOTERS)]).detection
    assert found is not None
    assert math.isnan(found.value)


def test_labelers_who_were_shown_different_candidates_cannot_be_compared() -> None:
    answers = [judge("ann", VOTERS), judge("bob", VOTERS, shown=(VOTERS,))]
    with pytest.raises(InputError, match="labeler 'bob' was shown other candidates of 's1'"):
        agreement([], answers)
