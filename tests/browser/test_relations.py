"""The page of relations: readable in any window, in light and dark, without a mouse."""

from __future__ import annotations

from typing import Any

import pytest

from tatian.text import Span
from tatian.union.relations import Part, Relation, Relations
from tatian.union.relations.html import to_html
from tatian.union.relations.instances import Related

from .conftest import Open
from .test_accessibility import FAINT

FIRST = "Verrick was dismissed by Oake because the crew had lost faith in him."
SECOND = "Paula Oake fired Captain Jonas Verrick, and a-very-long-word-without-any-blank-in-it."


def part(sentence: str, words: str) -> Part:
    start = sentence.index(words)
    return Part((Span(start, start + len(words)),), words)


@pytest.fixture(scope="module")
def page() -> str:
    rows = (
        Relation(
            "entailed", part(FIRST, "Verrick"), part(SECOND, "Jonas Verrick"), "a shorter name"
        ),
        Relation(
            "equivalent", part(FIRST, "was dismissed"), part(SECOND, "fired"), "the same act", True
        ),
        Relation("disjoint", part(FIRST, "because the crew had lost faith in him")),
        Relation("disjoint", second=part(SECOND, "a-very-long-word-without-any-blank-in-it")),
    )
    return to_html([Related("1", (1, 2), (FIRST, SECOND), Relations(rows))])


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(page: str, show: Open, scheme: str) -> None:
    assert show(page, color_scheme=scheme).evaluate(FAINT) == []


def test_the_page_never_scrolls_sideways(page: str, show: Open, phone: dict[str, Any]) -> None:
    opened = show(page, **phone)
    wide = opened.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_the_table_can_be_reached_and_scrolled_by_keyboard(page: str, show: Open) -> None:
    opened = show(page)
    opened.keyboard.press("Tab")
    focused = opened.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "Relations of Item 1"


def test_colours_are_never_alone(page: str, show: Open) -> None:
    opened = show(page)
    styles = {
        name: opened.locator(f"dd mark.{name}").first.evaluate(
            "node => getComputedStyle(node).textDecorationStyle"
        )
        for name in ("s1", "s2", "both", "less")
    }
    assert len(set(styles.values())) == 4
