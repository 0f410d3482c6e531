"""Which day "yesterday" was, once accounts of different days stand in one text."""

from __future__ import annotations

import pytest

from .bundles import account, bundle, consolidate, sentences

pytestmark = pytest.mark.usefixtures("unjudged")

TUESDAY, WEDNESDAY = "2023-03-14", "2023-03-15"
OTHER = "Tugs will tow the wreck."


def dated(text: str, day: str | None = TUESDAY, other: str | None = WEDNESDAY) -> str:
    """The text as it reads beside an account of another day."""
    result = consolidate([account("a", text, day), account("b", OTHER, other)])
    return " ".join(one for one in sentences(result) if one != OTHER)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("The ferry sank yesterday.", "The ferry sank on March 13."),
        ("Yesterday the ferry sank.", "On March 13 the ferry sank."),
        ("It will be towed today.", "It will be towed on March 14."),
        ("It will be towed tomorrow.", "It will be towed on March 15."),
        ("It will rise tonight.", "It will rise on the night of March 14."),
        ("It is shut until tomorrow.", "It is shut until March 15."),
        ("The ferry (yesterday a wreck) rose.", "The ferry (on March 13 a wreck) rose."),
        ("It sank yesterday morning.", "It sank on the morning of March 13."),
        ("It sank early yesterday evening.", "It sank early on the evening of March 13."),
    ],
)
def test_a_day_told_from_the_day_of_writing_becomes_a_date(text: str, written: str) -> None:
    assert dated(text) == written


def test_a_new_year_is_no_trouble() -> None:
    assert dated("It sank yesterday.", "2023-01-01") == "It sank on December 31."


@pytest.mark.parametrize(
    "text",
    [
        '"It sank yesterday," he said.',
        "“It sank yesterday,” he said.",
        '"It was old. It sank yesterday. We left," he said.',
    ],
)
def test_words_inside_quotation_marks_are_never_touched(text: str) -> None:
    assert dated(text) == text


def test_a_word_after_the_quotation_is() -> None:
    assert dated('"It sank," he said yesterday.') == '"It sank," he said on March 13.'


def test_a_possessive_stays() -> None:
    assert dated("After yesterday's storm it sank.") == "After yesterday's storm it sank."


def test_accounts_of_one_day_keep_their_words() -> None:
    text = "The ferry sank yesterday."
    assert dated(text, TUESDAY, TUESDAY) == text
    assert dated(text, TUESDAY, None) == text


def test_an_account_of_an_unknown_day_keeps_its_words() -> None:
    days = [None, TUESDAY, WEDNESDAY]
    result = consolidate(bundle("The ferry sank yesterday.", OTHER, "Fog came.", days=days))
    assert "sank yesterday" in result.text


def test_a_dateline_counts_as_the_day() -> None:
    assert dated("HALVERNE, March 14 - It sank yesterday.", None) == "It sank on March 13."


def test_a_dateline_of_the_same_day_is_no_other_day() -> None:
    text = "HALVERNE, March 14 - The ferry sank yesterday."
    assert dated(text, None, TUESDAY) == "The ferry sank yesterday."


def test_the_date_knows_the_word_it_stands_for_and_the_rest_is_glue() -> None:
    text = "The ferry sank yesterday."
    result = consolidate([account("a", text, TUESDAY), account("b", OTHER, WEDNESDAY)])
    tokens = {result.text[t.start : t.end]: t for t in result.sentences[0].tokens}
    (source,) = tokens["March"].sources
    assert (text[source.start : source.end], source.kind) == ("yesterday", "substituted")
    assert tokens["13"].sources == tokens["March"].sources
    assert tokens["on"].glue
