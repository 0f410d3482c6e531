"""What needs no proof of a draft, because it stands in an account."""

from __future__ import annotations

import pytest

from tatian.consolidation.drafts import copies

SAID = "A clerk confirmed to Access that a judge signed an order yesterday allowing the transfer."


@pytest.mark.parametrize(
    "text",
    [
        SAID,
        SAID.replace("yesterday", "on June 12"),
        SAID.replace("A clerk confirmed to Access that a", "A"),
    ],
)
def test_the_words_of_a_sentence_in_their_order_are_a_copy(text: str) -> None:
    assert copies(text, SAID) == (text.startswith("A clerk"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SAID.replace("judge", "clerk"), SAID),
        ("A judge confirmed to Access that a clerk signed an order allowing the transfer.", SAID),
        ("The town was flooded, police said.", "The town was not flooded, police said."),
        ("Police said he took the car.", "Police said he allegedly took the car."),
        ("The mayor may resign in spring.", "The mayor will resign in spring."),
        ("", SAID),
    ],
)
def test_what_changes_places_or_loses_a_doubt_is_none(text: str, said: str) -> None:
    assert not copies(text, said)
