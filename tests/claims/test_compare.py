"""Figures, times and names of two sentences: equal, entailed, excluded, superseded, unrelated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tatian.analysis import analyze
from tatian.analysis.installed import unavailable
from tatian.claims import compare_values, read_placed
from tatian.claims.compare import find_barrier
from tatian.text import Document

from .claim_pairs import related

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
TABLE = Path(__file__).parents[2] / "corpus" / "claims"
LABELS = {"equal", "entails", "entailed", "exclude", "superseded", "unrelated"}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (
            "The ferry Ilma had 99 people aboard when she struck the reef.",
            "Officials said 97 people were aboard the Ilma when she struck the reef.",
            ("99 people", "exclude", "97 people"),
        ),
        (
            "A Halverne mother of 13 was killed by a gang.",
            "The video shows the moment a Halverne mother of 12 was killed by the gang.",
            ("mother of 13", "exclude", "mother of 12"),
        ),
        (
            "The mudslide at Kessar killed 26 villagers.",
            "At least 20 people died in the mudslide at Kessar.",
            ("26 villagers", "entails", "At least 20 people"),
        ),
        (
            "The dam at Orme gave way at 7:40 on Tuesday.",
            "The dam at Orme gave way shortly before eight on Tuesday.",
            ("7:40", "entails", "shortly before eight"),
        ),
        (
            "The blast in the laundry at Orme came at 3:15 p.m.",
            "The blast in the laundry at Orme came at 3:10 p.m.",
            ("3:15 p.m.", "exclude", "3:10 p.m."),
        ),
        (
            "One in five pupils in Leipzig comes to school without breakfast.",
            "In Leipzig 20 percent of pupils come to school without breakfast.",
            ("One in five pupils", "equal", "20 percent"),
        ),
        (
            "The suspect is 5ft 11in tall, police in Orme said.",
            "Police in Orme said the suspect is 1.80 m tall.",
            ("5ft 11in", "equal", "1.80 m"),
        ),
        (
            "Ardent will pay $13.9 billion for Polwhele.",
            "Ardent will pay nearly $14 billion for Polwhele.",
            ("$13.9 billion", "entails", "nearly $14 billion"),
        ),
        (
            "Ardent will pay $13.9 billion for Polwhele.",
            "Ardent will pay about $13 billion for Polwhele.",
            ("$13.9 billion", "exclude", "about $13 billion"),
        ),
        (
            "The judge in Orme sentenced the banker Leo Harding to seven years in prison.",
            "Leo Harding, the banker, was sentenced to up to seven years in prison in Orme.",
            ("seven years", "entails", "up to seven years"),
        ),
        (
            "The siege at the bank in Orme lasted two hours.",
            "The siege at the bank in Orme lasted three hours.",
            ("two hours", "exclude", "three hours"),
        ),
        (
            "A dozen climbers were rescued from the ridge above Orme.",
            "Rescuers brought 12 climbers down from the ridge above Orme.",
            ("A dozen climbers", "equal", "12 climbers"),
        ),
    ],
)
def test_claims_about_one_thing(first: str, second: str, expected: tuple[str, str, str]) -> None:
    assert expected in related(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "A quake of magnitude 2.0 shook the village on Monday.",
            "The quake of 1989 had a magnitude of 4.2, the institute said.",
        ),
        ("The blast killed nine workers.", "The blast injured nineteen workers."),
        (
            "Half of the town's 8,000 residents were evacuated.",
            "4,000 residents were evacuated from the town.",
        ),
        (
            "The alarm was raised at 2:20 a.m. by a porter.",
            "Engines reached the mill at 2:35 a.m., the brigade said.",
        ),
    ],
)
def test_claims_about_different_things(first: str, second: str) -> None:
    assert related(first, second) == []


def test_days_are_compared_by_date() -> None:
    days = ("2018-03-05", "2018-03-06")
    found = related(
        "The painting was stolen from the museum in Ghent the previous Thursday.",
        "The painting was stolen from the museum in Ghent on March 1.",
        days,
    )
    assert [relation for _, relation, _ in found] == ["equal"]


def test_yesterday_is_a_day_of_this_month() -> None:
    found = related(
        "The dam at Orme was closed yesterday for repairs.",
        "The dam at Orme was closed for repairs earlier this month.",
        ("2018-03-20", "2018-03-20"),
    )
    assert found == [("yesterday", "entails", "earlier this month")]


def test_a_later_toll_supersedes_an_earlier_one() -> None:
    found = related(
        "The train crash at Bhalpur killed 34 people.",
        "The train crash at Bhalpur killed 36 people.",
        ("2022-10-03", "2022-10-05"),
    )
    assert found == [("34 people", "superseded", "36 people")]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("two days before the vote", "before the vote", "entails"),
        ("on the eve of the vote", "the day before the vote", "equal"),
        ("the day before the vote", "two weeks before the vote", "exclude"),
        ("an hour before the vote", "hours after the vote", "exclude"),
        ("within a week of the vote", "two days after the vote", "entailed"),
    ],
)
def test_times_are_counted_from_an_event_without_a_date(
    first: str, second: str, expected: str
) -> None:
    found = related(f"Carla Stent resigned {first}.", f"Carla Stent resigned {second}.")
    assert [relation for _, relation, _ in found] == [expected]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Ravna beat Sokol 5-2.", "Ravna won by three goals against Sokol.", "entails"),
        ("Ravna beat Sokol 5-2.", "Ravna won against Sokol by a single goal.", "exclude"),
        ("The board backed the plan unanimously.", "The board backed the plan 9-0.", "entailed"),
        (
            "The board backed the plan unanimously.",
            "The board backed the plan by seven votes to two.",
            "exclude",
        ),
    ],
)
def test_margins_are_compared_with_scores(first: str, second: str, expected: str) -> None:
    assert expected in [relation for _, relation, _ in related(first, second)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("on Tuesday", "on Tuesday morning", "entailed"),
        ("on Tuesday evening", "on Tuesday", "entails"),
        ("on Tuesday morning", "on Tuesday evening", "exclude"),
    ],
)
def test_a_part_of_a_day_is_more_exact_than_the_day(first: str, second: str, expected: str) -> None:
    days = ("2018-03-08", "2018-03-08")
    found = related(f"The bridge at Orme fell {first}.", f"The bridge at Orme fell {second}.", days)
    assert expected in [relation for text, relation, _ in found if "Tuesday" in text]


def test_act_of_a_person_has_one_duration() -> None:
    found = related(
        "Detectives questioned the banker Leo Harding for three hours on Tuesday at Malby.",
        "Leo Harding was questioned for six hours.",
    )
    assert ("three hours", "exclude", "six hours") in found


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The mayor was questioned for six hours on Friday by the prosecutor.",
            "The mayor's deputy was questioned for three hours on Friday by the prosecutor.",
        ),
        (
            "The quake that shook Tirza on Monday had a magnitude of 5.8.",
            "An aftershock of magnitude 4.1 shook Tirza on Monday night.",
        ),
    ],
)
def test_deputies_and_aftershocks_are_other_things(first: str, second: str) -> None:
    assert all(relation != "exclude" for _, relation, _ in related(first, second))


def test_an_open_time_after_an_event_agrees_with_no_duration() -> None:
    found = related(
        "Play stopped for 13 minutes at Corvo after the floodlights failed.",
        "Play at Corvo stopped for 12 minutes.",
    )
    assert found == [("13 minutes", "exclude", "12 minutes")]


def test_next_thursday_is_the_one_of_the_week_after() -> None:
    found = related(
        "The strike at the mill begins next Thursday.",
        "The strike at the mill begins on May 23.",
        ("2019-05-14", "2019-05-14"),
    )
    assert [relation for _, relation, _ in found] == ["equal"]


def test_after_at_the_start_of_a_sentence_is_after() -> None:
    found = related("After the vote, Carla Stent resigned.", "Carla Stent resigned after the vote.")
    assert [relation for _, relation, _ in found] == ["equal"]


def test_a_later_plan_supersedes_an_earlier_one() -> None:
    found = related(
        "The satellite Borealis will be launched on Friday.",
        "The launch of the satellite Borealis is now planned for Sunday.",
        ("2019-05-15", "2019-05-16"),
    )
    assert [relation for _, relation, _ in found] == ["superseded"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "Flora Munro of Tarbert died on Monday at 108.",
            "Flora Munro of Tarbert, who died on Monday, was 106.",
        ),
        ("At 29, Ines Carvalho leads Setubal.", "Ines Carvalho, 31, leads Setubal."),
    ],
)
def test_an_age_is_read_without_the_word(first: str, second: str) -> None:
    assert "exclude" in [relation for _, relation, _ in related(first, second)]


def test_times_of_two_zones_are_compared_by_greenwich() -> None:
    found = related(
        "The rocket Callisto lifted off at 9 a.m. EST on Monday.",
        "The rocket Callisto lifted off at 1400 GMT on Monday.",
    )
    assert "equal" in [relation for text, relation, _ in found if text == "9 a.m."]


def test_hour_in_two_time_zones_is_two_times() -> None:
    ours, theirs = (
        read_placed(analyze(Document("a", f"It rose at 9 a.m. {zone}.")))[0].claim
        for zone in ("EST", "PST")
    )
    assert compare_values(ours, theirs)[0] == "exclude"
    assert not find_barrier(ours, theirs, "exclude")


def test_different_ordinals_are_different_things() -> None:
    first = "Her third novel sold 40,000 copies."
    assert related(first, "Her second novel sold 65,000 copies.") == []


def test_a_verb_with_over_is_no_bound() -> None:
    found = related("The cart knocked over eleven stalls.", "The cart upset eleven stalls.")
    assert found[0][:2] == ("eleven stalls", "equal")


def test_last_week_is_not_this_week() -> None:
    found = related("The bank raised its rate last week.", "The bank raised its rate this week.")
    assert found == [("last week", "exclude", "this week")]


@pytest.mark.parametrize(
    ("name", "size"),
    [("train", 840), ("dev", 781), ("test", 240), ("test3", 160), ("test4", 60), ("dev2", 60)],
)
def test_the_table_marks_one_claim_in_each_sentence(name: str, size: int) -> None:
    lines = (TABLE / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == size
    for row in rows:
        assert row["label"] in LABELS
        assert all(row[side].count(row[f"claim_{side}"]) == 1 for side in "ab"), row


@pytest.mark.parametrize("words", ["in the winter of 0000", "on 30 February 2023", "in 9999 weeks"])
def test_days_beyond_the_calendar_compare_without_an_error(words: str) -> None:
    assert not related(f"The ferry sank {words}.", "The ferry sank on Monday.")


def test_the_day_on_which_a_toll_was_given_is_no_part_of_it() -> None:
    found = related(
        "The gas blast in Ferrol killed five people, the fire chief said on Tuesday.",
        "Nine people died in the gas blast in Ferrol, the fire chief said on Thursday.",
        ("2013-05-14", "2013-05-16"),
    )
    assert ("five people", "superseded", "Nine people") in found


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The dam was begun in 1961.", "The dam was completed in 1969."),
        (
            "Mr. Sandhu, a father of six, ran the kiosk.",
            "Mr. Sandhu's brother, a father of two, found him in the kiosk.",
        ),
        (
            "It was the third victory of the season for the Belgian rider Joren Maes.",
            "Maes, a Belgian, took the stage for the fifth victory of his career.",
        ),
        (
            "The crash at Oulu killed three people.",
            "The crash at Oulu was the town's worst since 2003, when eight people were killed.",
        ),
    ],
)
def test_opposites_relatives_and_earlier_events_are_other_things(first: str, second: str) -> None:
    assert all(relation != "exclude" for _, relation, _ in related(first, second))


def test_a_part_of_a_year_is_read() -> None:
    found = related("The poet Lund died in November 1953.", "The poet Lund died in late 1953.")
    assert ("in November 1953", "entails", "late 1953") in found


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (
            "Unemployment in Sorland fell to 6.8 percent in May from 7.1 percent a month earlier.",
            "Unemployment in Sorland fell to 6.4 percent in May.",
            ("6.8 percent", "6.4 percent"),
        ),
        (
            "The surgeons in Graz needed 19 hours to separate the twins.",
            "The surgeons in Graz took 16 hours to separate the twins.",
            ("19 hours", "16 hours"),
        ),
    ],
)
def test_a_mark_sets_apart_the_nearest_figure_alone(
    first: str, second: str, kept: tuple[str, str]
) -> None:
    found = [(a, b) for a, relation, b in related(first, second) if relation == "exclude"]
    assert found == [kept]


def test_a_sentence_with_both_values_excludes_neither() -> None:
    first = "She starred in musicals of the 1940s and 1950s."
    relations = [relation for _, relation, _ in related(first, first)]
    assert relations == ["equal", "equal"]


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Police detained 112 people in Lamar.", "112 people"),
        ("Oil spread over 40 square miles of sea.", "40 square miles"),
        ("Ada Oduya, who at 102 was the oldest voter, died.", "at 102"),
    ],
)
def test_figures_that_look_like_something_else_are_read(sentence: str, text: str) -> None:
    assert (text, "equal", text) in related(sentence, sentence)


def test_a_plan_until_a_weekday_is_until_the_next_one() -> None:
    found = related(
        "The bridge at Orme will be closed until Friday.",
        "The bridge at Orme will be closed until May 17.",
        ("2019-05-15", "2019-05-15"),
    )
    assert [relation for _, relation, _ in found] == ["equal"]
