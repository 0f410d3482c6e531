"""The list of sentences left out."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from .conftest import choose, sentence, texts

DROPPED = "Seven firefighters were injured"


def open_list(page: Page) -> Any:
    """Open the list and return its rows."""
    page.get_by_text("Left out:").click()
    rows = page.locator("#left-out li")
    expect(rows.first).to_be_visible()
    return rows


def test_redundant_sentences_are_listed_with_the_covering_ones(fire: Any, window: Any) -> None:
    page = window()
    row = open_list(page).filter(has_text=DROPPED)
    expect(row).to_contain_text("covered by")
    expect(row).to_contain_text("A fire destroyed a timber warehouse in the port of Ostrey")
    row.get_by_role("button", name="Go to sentence 1", exact=True).click()
    expect(sentence(page, "A fire destroyed").locator(".n")).to_be_focused()


def test_typing_t_adds_a_sentence_and_focuses_the_next(fire: Any, window: Any) -> None:
    page = window()
    before = texts(page)
    rows = open_list(page)
    many = rows.count()
    first, second = (
        rows.nth(0).get_attribute("data-source"),
        rows.nth(1).get_attribute("data-source"),
    )
    rows.nth(0).get_by_role("button", name="Add to the text").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("t")
    expect(rows).to_have_count(many - 1)
    expect(page.locator(f'#left-out li[data-source="{first}"]')).to_have_count(0)
    expect(page.locator(".decisions li")).to_have_count(1)
    expect(rows.nth(0).get_by_role("button", name="Add to the text")).to_be_focused()
    assert rows.nth(0).get_attribute("data-source") == second
    assert len(texts(page)) == len(before) + 1
    page.keyboard.press("Control+z")
    expect(rows).to_have_count(many)


def test_a_dropped_sentence_joins_the_list(fire: Any, window: Any) -> None:
    page = window()
    rows = open_list(page)
    choose(page, "It took 60 firefighters", "Drop")
    expect(rows.last).to_contain_text("It took 60 firefighters")
    expect(rows.last.locator("mark.missing").nth(1)).to_have_text("60")
