"""Background information found in a knowledge base by the names of entities."""

from __future__ import annotations

import pytest

from tatian.aggregation.data import Instance
from tatian.aggregation.data.background import Backgrounds
from tatian.knowledge import KnowledgeBase, open_base


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return open_base("starter")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Angela Merkel", "Angela Merkel"),
        ("German Chancellor Angela Merkel", "Angela Merkel"),
        ("Ted Cruz of Texas", "Ted Cruz"),
        ("New York’s Andrew Cuomo", "Andrew Cuomo"),
    ],
)
def test_people_are_found_with_titles_and_places_around_their_names(
    base: KnowledgeBase, name: str, title: str
) -> None:
    found = Backgrounds(base).entity(name, "person")
    assert found is not None
    assert found.title == title


def test_entities_of_another_type_are_not_used(base: KnowledgeBase) -> None:
    backgrounds = Backgrounds(base)
    assert backgrounds.entity("Paris", "location") is not None
    assert backgrounds.entity("Paris", "organization") is None


def test_existing_background_is_kept_and_unknown_entities_are_left_out(base: KnowledgeBase) -> None:
    backgrounds = Backgrounds(base)
    given = Instance(
        "i", ("Paris", "Lyon", "Nowhereville"), "location", background={"Paris": "Ours."}
    )
    filled = backgrounds.fill(given)
    assert filled.background["Paris"] == "Ours."
    assert "France" in filled.background["Lyon"]
    assert "Nowhereville" not in filled.background


def test_counts_are_reset_between_calls(base: KnowledgeBase) -> None:
    backgrounds = Backgrounds(base)
    backgrounds.fill(Instance("i", ("Paris", "Nowhereville"), "location"))
    assert backgrounds.pop_counts() == (2, 1)
    assert backgrounds.pop_counts() == (0, 0)
