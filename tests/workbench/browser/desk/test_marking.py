"""Marking of conflicts by menus and by selected words."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from .conftest import choose, sentence

SELECT = """(node, words) => {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + words.length);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return;
  }
}"""


def source_sentence(page: Page, words: str) -> Any:
    """Return the source sentence with these words."""
    return page.locator(".account p.s", has_text=words)


def test_two_sentences_are_marked_by_menus_and_settled(fire: Any, window: Any) -> None:
    page = window()
    source_sentence(page, "It took 60 firefighters").get_by_role("button").click()
    page.get_by_role("menuitem", name="Another source says otherwise").click()
    expect(page.locator("#reading")).to_contain_text("Choose the sentence of another source")
    source_sentence(page, "The damage is put at two million").get_by_role("button").press("Enter")
    dialog = page.get_by_role("dialog", name="These disagree")
    expect(dialog.locator('[aria-pressed="true"]')).to_have_text(["60", "two"])
    dialog.get_by_role("button", name="These disagree").click()
    expect(sentence(page, "It took 60 firefighters")).to_be_visible()
    points = page.get_by_role("group", name="Disagreements")
    expect(points).to_contain_text("2 disagreements:four or Seven60 or two")
    expect(page.locator(".decisions li")).to_contain_text("Marked: “60” and “two” disagree")
    points.get_by_role("button", name="60 or two").click()
    page.get_by_role("group", name="Tools").get_by_role("button", name="Settle").click()
    page.get_by_role("radio", name=re.compile("Only.*two million crowns")).check()
    page.get_by_role("button", name="Settle it").click()
    expect(sentence(page, "It took two firefighters six hours")).to_be_visible()
    for _ in range(2):
        page.keyboard.press("Control+z")
    expect(points).to_contain_text("1 disagreement:")


def test_selected_words_are_marked(fire: Any, window: Any) -> None:
    page = window()
    start = page.get_by_role("button", name="Disagrees with")
    expect(start).to_be_hidden()
    source_sentence(page, "The fire broke out").evaluate(SELECT, "a paint store".split()[1])
    start.click()
    source_sentence(page, "belonged to Brandt").evaluate(SELECT, "family firm")
    source_sentence(page, "belonged to Brandt").dispatch_event("click")
    dialog = page.get_by_role("dialog", name="These disagree")
    expect(dialog.locator('[aria-pressed="true"]')).to_have_text(["paint", "family", "firm"])
    dialog.get_by_role("button", name="These disagree").click()
    expect(page.locator(".decisions li")).to_contain_text("“paint” and “family firm” disagree")


def test_marking_needs_two_sources_and_words(fire: Any, window: Any) -> None:
    page = window()
    choose(page, "Nobody was inside", "A source says otherwise")
    source_sentence(page, "Police have questioned").get_by_role("button").click()
    expect(page.locator("#reading")).to_contain_text("Choose a sentence of another source.")
    source_sentence(page, "The fire broke out").get_by_role("button").click()
    dialog = page.get_by_role("dialog", name="These disagree")
    save = dialog.get_by_role("button", name="These disagree")
    expect(save).to_be_disabled()
    dialog.get_by_role("button", name="Nobody").click()
    dialog.get_by_role("button", name="paint").click()
    expect(save).to_be_enabled()
    page.keyboard.press("Escape")
    choose(page, "Nobody was inside", "A source says otherwise")
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Tools")).to_be_visible()
    expect(page.locator(".decisions li")).to_have_count(0)
