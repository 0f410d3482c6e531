"""Names as news writes them, and what is looked up for them."""

from __future__ import annotations

import pytest

from tatian.aggregation.models.facts.senses import name_forms


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("German Chancellor Angela Merkel", "Angela Merkel"),
        ("Ted Cruz of Texas", "Ted Cruz"),
        ("Germany's Angela Merkel", "Angela Merkel"),
        ("Canada’s Prime Minister Justin Trudeau", "Justin Trudeau"),
        ("Mr. Ober", "Ober"),
        ("Sarkozy's", "Sarkozy"),
    ],
)
def test_people_are_looked_up_without_titles_and_places(name: str, bare: str) -> None:
    assert bare in name_forms(name, "person")


def test_a_company_is_looked_up_without_its_legal_form() -> None:
    assert list(name_forms("Nvidia Corp.", "organization")) == ["Nvidia Corp.", "Nvidia"]


def test_a_place_is_looked_up_without_its_article() -> None:
    assert list(name_forms("the Netherlands", "location")) == ["the Netherlands", "Netherlands"]


@pytest.mark.parametrize("name", ["Stephen King", "King", "Angela Merkel"])
def test_a_surname_that_looks_like_a_title_is_kept(name: str) -> None:
    assert list(name_forms(name, "person")) == [name]


def test_the_full_name_is_tried_first() -> None:
    assert next(name_forms("President Lincoln", "person")) == "President Lincoln"
