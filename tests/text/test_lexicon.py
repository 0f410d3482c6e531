"""The word lists: complete where a class is closed, lower case, unchangeable."""

from __future__ import annotations

import pytest

from tatian.text import lexicon
from tatian.text.lexicon import (
    BEFORE_NUMBERS,
    CAPITALIZED_ABBREVIATIONS,
    MAYBE_FINAL,
    MONTHS,
    NEVER_FINAL,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    PRONOUNS,
    RELATIVE_DATES,
    ROLE_TITLES,
    STOP_WORDS,
    TITLES,
    WEEKDAYS,
    indefinite_article,
)

ABBREVIATIONS = NEVER_FINAL | BEFORE_NUMBERS | MAYBE_FINAL
COLLECTIONS = {
    name: value
    for name, value in vars(lexicon).items()
    if name.isupper() and not name.startswith("_")
}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_every_key_is_lower_case_without_blanks_around(name: str) -> None:
    assert all(key == key.lower().strip() for key in COLLECTIONS[name])


@pytest.mark.parametrize(
    "name", [name for name, value in COLLECTIONS.items() if hasattr(value, "items")]
)
def test_mappings_cannot_be_changed(name: str) -> None:
    with pytest.raises(TypeError):
        COLLECTIONS[name]["new"] = None


def test_number_words_give_their_values() -> None:
    assert [NUMBER_WORDS[word] for word in ("zero", "twelve", "ninety", "forty-two")] == [
        0,
        12,
        90,
        42,
    ]
    assert NUMBER_WORDS["million"] == 10**6


def test_ordinal_words_give_their_values() -> None:
    assert [ORDINAL_WORDS[word] for word in ("first", "twelfth", "twenty-third")] == [1, 12, 23]


def test_months_count_from_one_with_their_abbreviations() -> None:
    assert (MONTHS["january"], MONTHS["sept."], MONTHS["dec."]) == (1, 9, 12)
    assert "may." not in MONTHS


def test_weekdays_count_as_the_calendar_module_does() -> None:
    assert (WEEKDAYS["monday"], WEEKDAYS["thurs."], WEEKDAYS["sunday"]) == (0, 3, 6)


def test_pronouns_say_what_they_can_refer_to() -> None:
    assert (PRONOUNS["she"].number, PRONOUNS["she"].gender) == ("singular", "female")
    assert PRONOUNS["they"].number == "plural"
    assert PRONOUNS["you"].number is None
    assert PRONOUNS["their"].possessive
    assert PRONOUNS["himself"].reflexive


def test_relative_dates_know_their_distance() -> None:
    assert (RELATIVE_DATES["yesterday"].amount, RELATIVE_DATES["yesterday"].unit) == (-1, "day")
    assert RELATIVE_DATES["next month"].unit == "month"


def test_titles_are_distinguished_from_roles() -> None:
    assert {"mr.", "gen.", "sen."} <= TITLES
    assert {"president", "prime minister", "secretary"} <= ROLE_TITLES


def test_stop_words_hold_no_content_words() -> None:
    assert {"the", "of", "n't", "she", "would"} <= STOP_WORDS
    assert STOP_WORDS.isdisjoint({"president", "war", "said", "new", "people"})


def test_abbreviations_end_in_a_stop_and_are_of_one_kind() -> None:
    assert all(word.endswith(".") for word in ABBREVIATIONS)
    assert not NEVER_FINAL & MAYBE_FINAL
    assert not NEVER_FINAL & BEFORE_NUMBERS
    assert not MAYBE_FINAL & BEFORE_NUMBERS
    assert CAPITALIZED_ABBREVIATIONS <= ABBREVIATIONS


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("an", "hour heir honest honorary MP FBI EU 8-year-old 80th 11 18-month apple x-ray"),
        ("an", "unidentified usher uninjured NYPD American"),
        ("a", "unit union universal UN UNESCO NATO one-time European user 12 1,800 1100 180 ferry"),
        ("a", "Ukrainian house URL utility"),
    ],
)
def test_the_article_goes_by_sound(article: str, words: str) -> None:
    for word in words.split():
        assert indefinite_article(word) == article, word
