"""Output words that know where they came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import Source, SourcedToken
from tatian.text.layers import capitalized, glue, lower_opening_capitals, render

HERE = (Source("a", 0, 3),)


def woven(*words: str) -> list[SourcedToken]:
    return [SourcedToken(word, HERE) for word in words]


def test_a_word_without_sources_is_glue() -> None:
    assert glue("and").glue
    assert not SourcedToken("ferry", HERE).glue


def test_words_are_printed_with_their_blanks_but_none_before_the_first() -> None:
    assert render([*woven("It", "sank"), glue(".", space=False)]) == "It sank."
    assert render([]) == ""


def test_a_sentence_begins_with_a_capital() -> None:
    assert render(capitalized(woven("the", "ferry", "sank"))) == "The ferry sank"


def test_a_capital_does_not_change_where_the_word_came_from() -> None:
    assert capitalized(woven("the"))[0].sources == HERE


def test_brackets_before_the_first_word_are_passed_over() -> None:
    assert render(capitalized(woven("(", "the", "ferry"))) == "( The ferry"


@pytest.mark.parametrize("first", ["@coastguard", "#ferry", "7", "$5", "'tis"])
def test_only_the_first_word_is_capitalised(first: str) -> None:
    assert render(capitalized(woven(first, "said"))) == f"{first} said"


@pytest.mark.parametrize("first", ["iPhone", "eBay", "www.halverne.org", "a@b.org", "NATO"])
def test_names_and_addresses_keep_their_spelling(first: str) -> None:
    assert render(capitalized(woven(first, "fell"))) == f"{first} fell"


def test_quoted_words_are_never_altered() -> None:
    quote = [SourcedToken(text, HERE, quoted=True) for text in ('"', "we", "knew", '"')]
    assert capitalized([*quote, *woven("he", "said")]) == (*quote, *woven("he", "said"))


def test_a_letter_whose_capital_is_two_letters_grows() -> None:
    assert capitalized(woven("ßo"))[0].text == "SSo"


@given(st.lists(st.text(min_size=1, max_size=6), max_size=6))
def test_capitals_change_at_most_one_word_and_only_its_case(words: list[str]) -> None:
    before = woven(*words)
    after = capitalized(before)
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) <= 1
    assert all(a.text.casefold() == b.text.casefold() for a, b in changed)
    assert capitalized(after) == after


@pytest.mark.parametrize(
    ("opening", "text", "written"),
    [
        ("A FIRE BROKE out in Halverne", "", "A fire broke out in Halverne"),
        ("ANN DALE sailed on", "The captain, Ann Dale, sailed.", "Ann Dale sailed on"),
        ("NATO FORCES left", "A spokesman of NATO FORCES spoke.", "NATO FORCES left"),
        ("UN men left", "", "UN men left"),
        ("FERRY SINKS", "", "FERRY SINKS"),
    ],
)
def test_capitals_that_open_an_article_become_small(opening: str, text: str, written: str) -> None:
    assert render(lower_opening_capitals(woven(*opening.split()), text)) == written
