"""What needs no proof of a draft, because it stands in an account."""

from __future__ import annotations

from datetime import date

import pytest

from tatian.consolidation.drafts import is_copy

SAID = "A clerk confirmed to Access that a judge signed an order yesterday allowing the transfer."


@pytest.mark.parametrize(
    "text", [SAID, SAID.replace("yesterday", "on June 12"), SAID.replace(" to Access", "")]
)
def test_the_words_of_a_sentence_in_their_order_are_a_copy(text: str) -> None:
    assert is_copy(text, SAID, date(2013, 6, 13))


def test_a_copy_has_most_of_the_words() -> None:
    assert not is_copy("A judge signed an order allowing the transfer.", SAID)


@pytest.mark.parametrize("day", ["on June 14", "on Friday", "on June 12, 2012"])
def test_a_copy_has_no_other_day(day: str) -> None:
    assert not is_copy(SAID.replace("yesterday", day), SAID, date(2013, 6, 13))
    assert not is_copy(
        SAID.replace("yesterday", "on Friday"), SAID.replace("yesterday", "on Monday")
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SAID.replace("judge", "clerk"), SAID),
        ("Police said 40 people were hurt.", "Police said 50 people were hurt."),
        ("A judge confirmed to Access that a clerk signed an order allowing the transfer.", SAID),
        ("The town was flooded, police said.", "The town was not flooded, police said."),
        ("Police said he took the car.", "Police said he allegedly took the car."),
        ("The mayor may resign in spring.", "The mayor will resign in spring."),
        ("", SAID),
    ],
)
def test_exchanged_roles_or_a_lost_doubt_are_no_copy(text: str, said: str) -> None:
    assert not is_copy(text, said)
