"""Which day a text speaks of, and on which day it was published."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import Document, Metadata, tokenize
from tatian.text.datelines import dateline, publication_day, publication_days
from tatian.text.dates import YEAR_UNKNOWN, day_names, find_times, named_days

TUESDAY = date(2023, 3, 14)
STORY = "A ferry ran aground off Halverne."


def of(text: str, day: str | None = None) -> Document:
    return Document("a", text, Metadata(date=day))


def days(text: str, day: date | None = TUESDAY) -> dict[str, date]:
    """The days that the tokens of `text` name, by the token."""
    tokens = tokenize(text)
    return {tokens[index].text: found for index, found in named_days(tokens, day).items()}


@pytest.mark.parametrize(
    ("opening", "place"),
    [
        ("HALVERNE, March 14 - ", "HALVERNE"),
        ("HALVERNE (Coastal Wire) — ", "HALVERNE"),
        ("PORT LORN, Sennick, ", None),
        ("CAPE LORN -- ", "CAPE LORN"),
        ("  HALVERNE, March 14, 2023 – ", "HALVERNE"),
        ("PORT LORN, Maine, Sept. 28 - ", "PORT LORN"),
        ("PORT LORN, New Sennick (Coastal Wire) -- ", "PORT LORN"),
        ("HALVERNE/LORN, 14 March 2023, 11:32 - ", "HALVERNE/LORN"),
        ("Port Lorn, March 14. - ", "Port Lorn"),
        ("Halverne, Thursday. - ", "Halverne"),
        ("HALVERNE, Monday night - ", "HALVERNE"),
        ("HALVERNE, March 14 - (AD) - ", "HALVERNE"),
        ("Halverne - ", None),
    ],
)
def test_a_dateline_is_a_place_in_capitals_before_a_dash(opening: str, place: str | None) -> None:
    found = dateline(opening + STORY)
    assert (found["place"] if found else None) == place
    assert found is None or (opening + STORY)[found.end() :] == STORY


def test_a_dateline_may_follow_a_headline() -> None:
    text = f"Ferry runs aground\n\nHALVERNE, March 14 - {STORY}"
    found = dateline(text)
    assert found is not None
    assert text[found.end() :] == STORY


def test_a_dateline_with_its_day_counts_before_other_capitals() -> None:
    text = f"URGENT - FERRY\n\nHALVERNE, March 14 - {STORY}"
    found = dateline(text)
    assert found is not None
    assert found["place"] == "HALVERNE"


def test_a_name_in_capitals_that_goes_on_in_small_letters_is_no_dateline() -> None:
    assert dateline("NATO - the alliance - said that it would send ships.") is None


def test_a_dateline_far_down_is_not_looked_for() -> None:
    assert dateline(f"{STORY} " * 30 + f"\nHALVERNE - {STORY}") is None


@pytest.mark.parametrize(("weekday", "day"), [("Monday", 13), ("Tuesday", 14), ("Thursday", 14)])
def test_a_weekday_in_the_dateline_gives_the_day_of_writing(weekday: str, day: int) -> None:
    report = of(f"HALVERNE, {weekday} night - {STORY}", "2023-03-14")
    assert publication_day(report) == date(2023, 3, day)


def test_the_date_in_the_metadata_counts_before_the_dateline() -> None:
    assert publication_day(of(f"HALVERNE, March 15 - {STORY}", "2023-03-14")) == TUESDAY


def test_a_time_after_the_date_is_ignored() -> None:
    assert publication_day(of(STORY, "2023-03-14T08:00:00Z")) == TUESDAY


@pytest.mark.parametrize(
    ("opening", "printed", "written"),
    [
        ("LORN, June 7 - ", "1939-06-08", date(1939, 6, 7)),
        ("LORN, December 31 - ", "2020-01-02", date(2019, 12, 31)),
        ("LORN, June 7 - ", "1939-06-07", date(1939, 6, 7)),
        ("LORN, June 3 - ", "1939-06-08", date(1939, 6, 8)),
        ("LORN, June 9 - ", "1939-06-08", date(1939, 6, 8)),
    ],
)
def test_a_report_is_of_the_day_of_its_dateline_if_it_was_printed_shortly_after(
    opening: str, printed: str, written: date
) -> None:
    assert publication_day(of(opening + STORY, printed)) == written


def test_a_dateline_with_its_year_gives_the_day() -> None:
    assert publication_day(of(f"HALVERNE, March 14, 2023 - {STORY}")) == TUESDAY


def test_a_dateline_may_have_the_day_before_the_month() -> None:
    assert publication_day(of(f"HALVERNE, 14 Mar. 2023 - {STORY}")) == TUESDAY


def test_a_dateline_without_a_year_gives_a_day_of_an_unknown_year() -> None:
    assert publication_day(of(f"HALVERNE, Feb. 29 - {STORY}")) == date(YEAR_UNKNOWN, 2, 29)


@pytest.mark.parametrize("day", ["yesterday", "2023-02-30", "14.3.2023"])
def test_unreadable_date_is_no_date(day: str) -> None:
    assert publication_day(of(STORY, day)) is None


@pytest.mark.parametrize("text", [STORY, f"HALVERNE - {STORY}", f"HALVERNE, June 31 - {STORY}"])
def test_without_a_real_day_the_day_is_unknown(text: str) -> None:
    assert publication_day(of(text)) is None


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_placeholder_dates_are_no_dates(day: str) -> None:
    assert publication_day(of(STORY, day)) is None


@pytest.mark.parametrize("day", ["0001-01-01", "yesterday"])
def test_a_dateline_counts_where_the_metadata_has_no_day(day: str) -> None:
    assert publication_day(of(f"HALVERNE, March 14, 2023 - {STORY}", day)) == TUESDAY


@pytest.mark.parametrize("text", ["March 99999999999999999999", "99999999999999999999 March"])
def test_invalid_day_number_is_no_date(text: str) -> None:
    assert days(f"The ferry sank on {text} off Lorn.") == {}


def test_a_dateline_takes_its_year_from_the_other_accounts() -> None:
    bundle = [of(f"HALVERNE, January 2 - {STORY}"), of(STORY, "2023-12-30"), of(STORY)]
    assert publication_days(bundle) == [date(2024, 1, 2), date(2023, 12, 30), None]


def test_where_no_account_knows_the_year_it_stays_unknown() -> None:
    assert publication_days([of(f"HALVERNE, March 14 - {STORY}"), of(STORY)]) == [
        date(YEAR_UNKNOWN, 3, 14),
        None,
    ]


def test_a_leap_day_takes_a_leap_year_or_none() -> None:
    leap = of(f"HALVERNE, Feb. 29 - {STORY}")
    assert publication_days([leap, of(STORY, "2023-12-30")])[0] == date(2024, 2, 29)
    assert publication_days([leap, of(STORY, "2022-06-01")])[0] is None


def test_yesterday_the_weekday_and_the_date_are_one_day() -> None:
    assert days("It sank yesterday, on Monday, March 13.") == {
        "yesterday": date(2023, 3, 13),
        "Monday": date(2023, 3, 13),
        "March": date(2023, 3, 13),
        "13": date(2023, 3, 13),
    }


def test_a_weekday_is_the_latest_one_as_news_writes() -> None:
    assert days("It sank on Wednesday.") == {"Wednesday": date(2023, 3, 8)}
    assert days("It sank on Tuesday.") == {"Tuesday": TUESDAY}


def test_weekday_after_will_is_the_next_one() -> None:
    assert days("It will sail on Wednesday.") == {"Wednesday": date(2023, 3, 15)}
    assert days("A chief is to be named on Wednesday.") == {"Wednesday": date(2023, 3, 15)}
    assert days("He is due in court on Tuesday.") == {"Tuesday": TUESDAY}


def test_the_day_may_stand_before_the_month() -> None:
    assert days("It sank on 13 March.") == {"13": date(2023, 3, 13), "March": date(2023, 3, 13)}


def test_a_day_may_have_a_year_of_its_own() -> None:
    assert days("It sank on March 13, 2012.")["March"] == date(2012, 3, 13)


@pytest.mark.parametrize("text", ["It sails next Friday.", "It is shut until Friday."])
def test_a_weekday_still_to_come_is_left_alone(text: str) -> None:
    assert days(text) == {}


def test_a_month_that_would_lie_far_ahead_was_last_year() -> None:
    assert days("It was built on December 3.")["December"] == date(2022, 12, 3)


@pytest.mark.parametrize("text", ["It sank in March 2014.", "It sank on March ².", "June 31"])
def test_a_month_with_a_number_that_is_no_day_names_none(text: str) -> None:
    assert days(text) == {}


def test_weekdays_without_a_known_year_are_not_resolved() -> None:
    assert days("It sank on Monday, yesterday.", date(YEAR_UNKNOWN, 3, 14)) == {
        "yesterday": date(YEAR_UNKNOWN, 3, 13)
    }


def test_without_a_publication_day_no_day_is_named() -> None:
    assert days("It sank yesterday, on Monday, March 13.", None) == {}


@given(st.dates(date(2, 1, 1), date(9998, 12, 31)))
def test_whatever_the_day_relative_words_lie_beside_it(day: date) -> None:
    found = days("yesterday today tomorrow Monday", day)
    assert found["today"] == day
    assert found["tomorrow"] - found["yesterday"] == timedelta(days=2)
    if day.year != YEAR_UNKNOWN:
        assert found["Monday"].weekday() == 0
        assert timedelta(0) <= day - found["Monday"] < timedelta(days=7)


@pytest.mark.parametrize(
    "text",
    [
        "It fell down on the Sunday before the storm.",
        "They came in their Sunday clothes.",
        "Nothing has been heard since the Friday.",
    ],
)
def test_a_weekday_behind_an_article_or_an_owner_is_not_the_last_one(text: str) -> None:
    assert days(text) == {}


def test_weekday_of_an_announced_event_is_the_next_one() -> None:
    assert days("She called a conference for Friday.")["Friday"] == TUESDAY + timedelta(days=3)


def test_a_day_of_an_unknown_year_has_no_year_in_its_names() -> None:
    assert day_names(date(YEAR_UNKNOWN, 1, 1))[-1] == "1"
    assert day_names(date(YEAR_UNKNOWN - 1, 12, 31))[-1] == "31"


@pytest.mark.parametrize(("month", "year"), [("April", 2023), ("March", 2023), ("December", 2022)])
def test_a_month_without_a_year_is_that_of_its_days(month: str, year: int) -> None:
    whole, one = (
        find_times(tokenize(f"It opens {phrase}."), TUESDAY)[0].days
        for phrase in (f"in {month}", f"on {month} 3")
    )
    assert whole
    assert one
    assert whole[0].year == one[0].year == year
