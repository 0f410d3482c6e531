"""In which order the text tells things."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from tatian.consolidation.ordering import order

from tatian.consolidation.units import Unit
from tatian.text import Span

MONDAY, TUESDAY = date(2023, 3, 13), date(2023, 3, 14)


def told(*accounts: str, days: tuple[date | None, ...] = ()) -> str:
    """The order of telling, where each letter is a sentence and like letters report the same.

    A capital opens a paragraph.
    """
    letters = list(dict.fromkeys("".join(accounts).lower()))
    units = [
        [
            Unit(number, index, Span(0, 0), Span(0, 0), frozenset(), opens_paragraph=one.isupper())
            for index, one in enumerate(account)
        ]
        for number, account in enumerate(accounts)
    ]
    groups = [
        [
            unit
            for number, account in enumerate(accounts)
            for unit, one in zip(units[number], account, strict=True)
            if one.lower() == letter
        ]
        for letter in letters
    ]
    found = order(groups, units, days or (None,) * len(accounts))
    return "".join(letters[index] for index in found)


def test_one_account_keeps_its_order() -> None:
    assert told("abc") == "abc"


def test_what_another_account_adds_follows_what_it_follows_there() -> None:
    assert told("abc", "axc") == "axbc"
    assert told("abcd", "bx") == "abxcd"


def test_a_run_of_news_stays_together() -> None:
    assert told("abcd", "bxy") == "abxycd"


def test_the_account_that_shares_most_is_the_backbone() -> None:
    assert told("xa", "abc", "bc") == "axbc"


def test_the_earliest_account_is_the_backbone() -> None:
    assert told("bxc", "abcd", days=(MONDAY, TUESDAY))[0] == "b"
    assert told("bxc", "abcd", days=(TUESDAY, MONDAY))[0] == "a"


def test_an_account_without_a_day_comes_after_those_with_one() -> None:
    assert told("xyz", "abz", days=(None, MONDAY))[0] == "a"


def test_news_of_a_later_day_comes_last() -> None:
    assert told("Abc", "AXby", days=(MONDAY, TUESDAY)) == "abycx"


def test_a_later_accounts_new_paragraph_comes_last_even_if_something_known_precedes_it() -> None:
    assert told("Abc", "bXy", days=(MONDAY, TUESDAY)) == "abcxy"


def test_of_the_same_day_it_stays_near() -> None:
    assert told("Abc", "AXby", days=(MONDAY, MONDAY)).index("x") < 3


def test_nothing_has_no_order() -> None:
    assert told() == ""


@given(
    st.lists(st.text("abcdefABC", max_size=6), max_size=4),
    st.lists(st.sampled_from([None, MONDAY, TUESDAY]), min_size=4, max_size=4),
)
def test_everything_is_told_exactly_once(accounts: list[str], days: list[date | None]) -> None:
    found = told(*accounts, days=tuple(days[: len(accounts)]))
    assert sorted(found) == sorted(set("".join(accounts).lower()))
