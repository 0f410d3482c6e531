"""What is done with links whichever model made them: titles, repeats, the topic."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.detection import with_repeats, with_titles
from tatian.text import Link

from .model_samples import mention, world

MEETING = "US Secretary of State Hillary Clinton met Clinton's aides."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return world(tmp_path_factory.mktemp("world"))


def terms(text: str, mentions: list[Link]) -> list[str]:
    return [one.of(text) for one in mentions]


def test_a_person_and_the_title_before_the_name_are_one_mention() -> None:
    found = [
        mention(MEETING, "US", "United States", type="LOC"),
        mention(MEETING, "Secretary of State", "Secretary of State"),
        mention(MEETING, "Hillary Clinton", "Hillary Clinton", type="PER", score=0.7),
    ]
    (whole,) = with_titles(MEETING, found)
    assert whole.of(MEETING) == "US Secretary of State Hillary Clinton"
    assert (whole.titles, whole.score) == (("Hillary Clinton",), 0.7)


def test_acronyms_begin_a_title_despite_their_own_link() -> None:
    found = [
        mention(MEETING, "US", "United States dollar"),
        mention(MEETING, "Hillary Clinton", "Hillary Clinton", type="PER"),
    ]
    assert terms(MEETING, with_titles(MEETING, found)) == ["US Secretary of State Hillary Clinton"]


def test_a_general_term_before_a_title_stays_a_mention() -> None:
    text = "After lunch Senator Hillary Clinton left."
    found = [
        mention(text, "lunch", "Lunch"),
        mention(text, "Hillary Clinton", "Hillary Clinton", type="PER"),
    ]
    assert terms(text, with_titles(text, found)) == ["lunch", "Senator Hillary Clinton"]


def test_only_people_get_titles() -> None:
    text = "President Lincoln is a ship."
    found = [mention(text, "Lincoln", "Lincoln, Nebraska", type="LOC")]
    assert with_titles(text, found) == found


def test_every_occurrence_of_a_linked_term_is_linked() -> None:
    text = "Voters vote. As voters may, voters do; voters' votes, nonvoters, voters-to-be."
    found = with_repeats(text, [mention(text, "voters", "Voting", score=0.6)])
    assert terms(text, found) == ["voters"] * 3
    assert {one.titles for one in found} == {("Voting",)}


def test_a_repeat_does_not_cross_another_mention() -> None:
    text = "Free software and free speech. Free software, then."
    speech = mention(text, "free speech", "Freedom of speech")
    free = mention(text, "Free", "Free software")
    found = with_repeats(text, [free, speech])
    assert terms(text, found) == ["Free", "free speech", "Free"]


def test_the_longest_linked_term_is_repeated() -> None:
    text = "air force, force. An air force."
    found = with_repeats(
        text, [mention(text, "air force", "Air force"), mention(text, "force", "Force", nth=1)]
    )
    assert terms(text, found) == ["air force", "force", "air force"]


def test_repeat_has_the_link_with_the_highest_confidence() -> None:
    text = "jaguar, jaguar, jaguar"
    found = with_repeats(
        text,
        [
            mention(text, "jaguar", "Jaguar Cars", score=0.4),
            mention(text, "jaguar", "Jaguar", nth=1, score=0.8),
        ],
    )
    assert [one.titles for one in found] == [("Jaguar Cars",), ("Jaguar",), ("Jaguar",)]


def test_link_with_low_confidence_is_not_repeated() -> None:
    text = "jaguar, jaguar"
    assert terms(text, with_repeats(text, [mention(text, "jaguar", "Jaguar", score=0.4)])) == [
        "jaguar"
    ]


def test_a_mention_without_a_page_is_not_repeated() -> None:
    text = "Smith saw Smith."
    assert terms(text, with_repeats(text, [mention(text, "Smith", "")])) == ["Smith"]


@given(st.text("ab c.-", max_size=40), st.data())
def test_repeats_never_overlap_and_have_correct_offsets(text: str, data: st.DataObject) -> None:
    places = data.draw(
        st.lists(st.integers(0, len(text)), max_size=6).map(lambda x: sorted(set(x)))
    )
    given_ = [
        Link(start, end, ("A",)) for start, end in zip(places[::2], places[1::2], strict=False)
    ]
    found = with_repeats(text, given_)
    assert set(given_) <= set(found)
    assert all(one.end <= two.start for one, two in pairwise(found))
