"""Claims of sources of different days, and of texts without a day."""

from __future__ import annotations

import pytest

from tatian.analysis import analyze
from tatian.analysis.installed import unavailable
from tatian.claims import compare_claims, is_unknown_day, read_placed
from tatian.text import Document, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


def related(
    first: str, second: str, days: tuple[str | None, str | None]
) -> list[tuple[str, str, str]]:
    documents = [
        analyze(Document(text, text, Metadata(date=day)))
        for text, day in zip((first, second), days, strict=True)
    ]
    return [
        (pair.first.text, pair.comparison.relation, pair.second.text)
        for pair in compare_claims(*map(read_placed, documents))
        if pair.comparison.relation != "unrelated" and pair.first.kind != "name"
    ]


MONDAY, WEDNESDAY = "2021-02-08", "2021-02-10"


def test_the_number_aboard_and_the_hour_do_not_grow_from_day_to_day() -> None:
    found = related(
        "A ferry with 86 people aboard capsized off Tarn at 7:42 a.m. on Monday, killing nine.",
        "The ferry that capsized off Tarn at 7:44 a.m. on Monday had 88 people aboard, 17 of whom"
        " drowned.",
        (MONDAY, WEDNESDAY),
    )
    assert ("86 people", "exclude", "88 people") in found
    assert ("at 7:42 a.m.", "exclude", "7:44 a.m.") in [
        (f"at {first.removeprefix('at ')}", relation, second.removeprefix("at "))
        for first, relation, second in found
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("on Monday", "on Monday", ["equal"]),
        ("on Monday", "on Friday", ["exclude"]),
        ("on Monday", "on February 8", ["equal"]),
        ("on February 8", "on February 9", ["exclude"]),
        ("next year", "next year", ["equal"]),
        ("yesterday", "on Monday", []),
    ],
)
def test_a_text_without_a_day_is_read_beside_one_with_a_day(
    first: str, second: str, expected: list[str]
) -> None:
    found = related(
        f"The dam at Orme was closed {first}.",
        f"The dam at Orme was closed {second}.",
        (None, WEDNESDAY),
    )
    assert [relation for _, relation, _ in found] == expected


@pytest.mark.parametrize(("day", "unknown"), [("2018-03-06", False), ("2018-03-05", True)])
def test_the_evening_of_the_day_of_publication_may_be_known(day: str, unknown: bool) -> None:
    texts = (
        ("The bridge at Orme fell on Tuesday evening.", "2018-03-08"),
        ("The bridge at Orme fell on March 2.", day),
    )
    ours, theirs = (
        [
            placed.claim
            for placed in read_placed(analyze(Document("a", text, Metadata(date=published))))
            if placed.claim.kind == "date"
        ]
        for text, published in texts
    )
    assert is_unknown_day(ours[0], theirs[0]) is unknown


@pytest.mark.parametrize("hour", ["past midnight", "early morning", "noon"])
def test_until_before_an_hour_is_no_day(hour: str) -> None:
    sentence = f"He sat with us from seven until {hour}."
    days = [text for text, *_ in related(sentence, sentence, (MONDAY, MONDAY))]
    assert not any(text.endswith("until") for text in days)
