"""Texts with other scripts, directions, HTML and emoji."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .union_steps import base, button, expect_end, finish, merged, option, pair, to_highlights

pytestmark = pytest.mark.long

HEBREW = ("הסערה תלשה את הגג של בית הספר.", "רוחות חזקות תלשו את הגג ביום שלישי.")
MARKUP = ("<b>Bold</b> & <script>alert(1)</script> news", "<img src=x onerror=alert(2)> is new")


def selected(page: Page) -> Any:
    return page.locator("[role=option][aria-selected=true]")


def test_right_to_left_sentences_keep_their_direction(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair(*HEBREW)])
    page = join(campaign)
    to_highlights(page, HEBREW[0])
    words = page.get_by_role("listbox")
    assert words.evaluate("node => getComputedStyle(node).direction") == "rtl"
    option(page, "הגג").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.keyboard.press("Shift+ArrowLeft")
    expect(selected(page)).to_have_text(["ביום", "שלישי"])
    button(page, "Next").click()
    assert merged(page).evaluate("node => getComputedStyle(node).direction") == "rtl"
    finish(page, "הסערה תלשה את הגג של בית הספר ביום שלישי.")
    expect_end(page)
    (answer,) = answers(campaign)
    (only,) = answer["highlights"]
    assert HEBREW[1][only["start"] : only["end"]] == "ביום שלישי"


def test_html_in_a_text_is_shown_and_not_run(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair(*MARKUP)]))
    for sentence in MARKUP:
        expect(page.get_by_text(sentence, exact=True)).to_be_visible()
    button(page, "Next").click()
    base(page, MARKUP[0]).check()
    button(page, "Next").click()
    option(page, "onerror").click()
    button(page, "Next").click()
    merged(page).fill("<script>alert(3)</script> onerror=alert(2)")
    assert page.locator("main script, main img, main b").count() == 0


def test_offsets_after_emoji_count_characters(workbench: Any, join: Any, answers: Any) -> None:
    sentence = "🚒🚒 Fire crews came 👩‍🚒 from Perrin."
    campaign = workbench.campaign("union", [pair("Crews came to the fire.", sentence)])
    page = join(campaign)
    to_highlights(page, "Crews came to")
    option(page, "Perrin").click()
    button(page, "Next").click()
    finish(page, "Crews came to the fire from Perrin.")
    expect_end(page)
    (answer,) = answers(campaign)
    (only,) = answer["highlights"]
    assert sentence[only["start"] : only["end"]] == "Perrin"


def test_scripts_without_spaces_are_highlighted_by_character(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair("昨天下雨了。", "昨天在北京下雨了。")]))
    to_highlights(page, "昨天下雨")
    option(page, "北").click()
    option(page, "京").click()
    expect(selected(page)).to_have_text(["北", "京"])


def test_three_sentences_are_merged_into_one(workbench: Any, join: Any, answers: Any) -> None:
    three = ("A house in Oster was flooded.", "The Tamm flooded a house.", "It rained for days.")
    campaign = workbench.campaign("union", [pair(*three)])
    page = join(campaign)
    to_highlights(page, three[0])
    option(page, "Tamm").click()
    option(page, "rained").click()
    button(page, "Next").click()
    finish(page, "A house in Oster was flooded by the Tamm when it rained for days.")
    expect_end(page)
    (answer,) = answers(campaign)
    assert [three[one["sentence"]][one["start"] : one["end"]] for one in answer["highlights"]] == [
        "Tamm",
        "rained",
    ]


def test_very_long_words_do_not_widen_the_page(workbench: Any, join: Any, phone: Any) -> None:
    page = join(workbench.campaign("union", [pair("a " + "x" * 500, "b " + "y" * 500)]), **phone)
    to_highlights(page, "x" * 20)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
