"""The page of all stories: searched as one types, read without colour or mouse."""

from __future__ import annotations

from tatian.consolidation.story_pages import StoryPage, index_page

from .conftest import Open
from .test_accessibility import FAINT

STORIES = [
    StoryPage(
        "story-1", "", "Ferry runs aground", 4, "2021-03-14", "2021-03-18", ("Wire",), "In fog"
    ),
    StoryPage(
        "story-2", "", "Paintings stolen", 2, "2021-03-15", "2021-03-16", ("Herald",), "At night"
    ),
]


def test_the_search_shows_what_has_every_word(show: Open) -> None:
    page = show(index_page(STORIES))
    entries = page.locator("#stories > li")
    assert entries.locator("visible=true").count() == 2
    page.get_by_label("Search").fill("FERRY wire")
    assert entries.locator("visible=true").all_inner_texts()[0].startswith("Ferry runs aground")
    assert page.get_by_role("status").inner_text() == "1 story"
    page.get_by_label("Search").fill("ferry herald")
    assert page.get_by_role("status").inner_text() == "0 stories"
    page.get_by_label("Search").fill("")
    assert page.get_by_role("status").inner_text() == "2 stories"


def test_index_is_readable_in_light_and_dark_and_on_a_phone(show: Open) -> None:
    for scheme in ("light", "dark"):
        page = show(
            index_page(STORIES), color_scheme=scheme, viewport={"width": 320, "height": 600}
        )
        assert page.evaluate(FAINT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
