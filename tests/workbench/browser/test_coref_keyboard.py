"""The coreference page with the keyboard and for screen readers."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .coref_steps import (
    WITHOUT_CHECKS,
    chains,
    current,
    document,
    mark,
    open_text,
    phrases,
    word,
    words,
)

pytestmark = pytest.mark.long


@pytest.fixture
def campaign(workbench: Any) -> Any:
    return workbench.campaign("coreference", [document()], WITHOUT_CHECKS)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def into_the_text(page: Page) -> None:
    """Move the focus to the text by Tab."""
    page.locator("#task").focus()
    press(page, "Tab")
    expect(word(page, "Harbour")).to_be_focused()


def test_a_document_is_annotated_with_keys_alone(join: Any, campaign: Any, answers: Any) -> None:
    page = open_text(join, campaign)
    into_the_text(page)
    press(page, "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Enter")
    expect(current(page)).to_contain_text("“Harbour master Ines Tal”")
    press(page, "Control+ArrowRight", "Enter")
    expect(current(page)).to_contain_text("“She”")
    press(page, "l")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("ines")
    press(page, "Enter")
    expect(chains(page)).to_have_count(1)
    expect(word(page, "She")).to_be_focused()
    press(page, "o")
    expect(current(page)).to_contain_text("optional")
    press(page, "k")
    expect(word(page, "Harbour")).to_be_focused()
    press(page, "Control+Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    (answer,) = answers(campaign)
    assert phrases(answer)[1] == ("She", "Harbour master Ines Tal")
    assert answer["markables"][1]["optional"] is True


def test_j_and_k_cycle_through_the_marked_phrases(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    for form in ("port", "She", "it"):
        mark(page, form)
    press(page, "Control+Home")
    for form in ("port", "She", "it", "port"):
        press(page, "j")
        expect(word(page, form)).to_be_focused()
    press(page, "k")
    expect(word(page, "it")).to_be_focused()


def test_i_selects_the_enclosing_phrase(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    into_the_text(page)
    press(page, "Enter", "Shift+ArrowRight", "Enter")
    expect(current(page)).to_contain_text("“Harbour master”")
    press(page, "Control+Home", "Control+End", "Control+Home")
    expect(current(page)).to_contain_text("“Harbour”")
    press(page, "i")
    expect(current(page)).to_contain_text("“Harbour master”")
    press(page, "i")
    expect(current(page)).not_to_contain_text("master")


def test_an_antecedent_is_chosen_by_number_by_words_or_by_arrows(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    for form in ("Harbour", "port", "She", "left"):
        mark(page, form)
    press(page, "l")
    options = page.get_by_role("listbox", name="Antecedents").get_by_role("option")
    expect(options).to_have_text(["3 She", "2 port", "1 Harbour"])
    page.keyboard.type("2")
    expect(options).to_have_text(["2 port"])
    press(page, "Backspace", "ArrowDown", "ArrowDown")
    expect(options.nth(2)).to_have_attribute("aria-selected", "true")
    press(page, "Enter")
    expect(current(page)).to_contain_text("antecedent: “Harbour”")


COMPOSED = """field => field.dispatchEvent(new KeyboardEvent("keydown", {
  key: "Enter", isComposing: true, bubbles: true, cancelable: true,
}))"""


def test_enter_of_an_input_method_chooses_nothing(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    mark(page, "port")
    mark(page, "it")
    press(page, "l")
    assert page.get_by_role("combobox").evaluate(COMPOSED), "the key is the input method's"
    expect(page.get_by_role("combobox")).to_be_focused()
    press(page, "Enter")
    expect(current(page)).to_contain_text("antecedent: “port”")


def test_escape_closes_the_choice_of_an_antecedent(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    mark(page, "port")
    mark(page, "it")
    press(page, "l", "Escape")
    expect(page.get_by_role("combobox")).to_be_hidden()
    expect(word(page, "it")).to_be_focused()


def test_the_cursor_moves_by_lines_and_paragraphs(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    into_the_text(page)
    press(page, "ArrowDown")
    expect(word(page, "She")).to_be_focused()
    press(page, "End")
    expect(page.locator(f'.w[data-i="{len(words(page)) - 1}"]')).to_be_focused()
    press(page, "Home", "ArrowUp")
    expect(word(page, "Harbour")).to_be_focused()


def test_arrow_keys_follow_right_to_left_text(workbench: Any, join: Any) -> None:
    given = "אבג דהו זחט."
    page = open_text(join, workbench.campaign("coreference", [document(given)], WITHOUT_CHECKS))
    page.locator("#task").focus()
    press(page, "Tab", "ArrowLeft")
    expect(word(page, "דהו")).to_be_focused()
    press(page, "ArrowRight")
    expect(word(page, "אבג")).to_be_focused()


def test_changes_are_announced_to_screen_readers(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    said = page.locator("[aria-live=polite]")
    into_the_text(page)
    press(page, "Enter")
    expect(said).to_have_text("Marked: Harbour.")
    press(page, "ArrowRight", "ArrowLeft")
    expect(said).to_have_text("Harbour: chain 1, 1 phrase")
    press(page, "Delete")
    expect(said).to_have_text("Mark deleted.")
