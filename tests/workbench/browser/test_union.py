"""The union page as annotators use it with the mouse: four steps, marks, skipping."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from .union_steps import (
    MERGED,
    NEW,
    STORM,
    WINDS,
    base,
    button,
    expect_end,
    finish,
    highlight,
    merged,
    option,
    pair,
    to_highlights,
    to_writing,
    view,
)


def test_a_union_is_written_in_four_steps(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    to_writing(page)
    expect(merged(page)).to_have_value(STORM)
    finish(page)
    expect_end(page)
    start = WINDS.index(NEW)
    highlights = [{"start": start, "end": start + len(NEW), "sentence": 1}]
    assert answers(campaign) == [
        {"type": "written", "base": 0, "merged": MERGED, "highlights": highlights}
    ]


def test_dragging_highlights_all_words_on_the_way(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_highlights(page)
    option(page, "Hillside").hover()
    page.mouse.down()
    option(page, "Primary").hover()
    option(page, "School").hover()
    page.mouse.up()
    expect(page.locator("[role=option][aria-selected=true]")).to_have_text(
        ["Hillside", "Primary", "School"]
    )


def test_a_second_click_removes_a_highlight(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_highlights(page)
    highlight(page, "Hillside", "Primary", "Hillside")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_text(["Primary"])


def test_highlights_turn_from_yellow_to_green_once_written(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside", "Primary")
    yellow, green = re.compile(r"\byellow\b"), re.compile(r"\bgreen\b")
    expect(view(page, "Hillside")).to_have_class(yellow)
    merged(page).fill("A storm tore the roof off Hillside in Marlow on Tuesday night.")
    expect(view(page, "Hillside")).to_have_class(green)
    expect(view(page, "Primary")).to_have_class(yellow)
    expect(view(page, "Primary")).to_have_attribute("aria-label", "Primary, not written in yet")
    expect(page.get_by_text("Still to write in: Primary")).to_be_visible()


def test_another_ending_of_a_highlighted_word_counts(workbench: Any, join: Any) -> None:
    page = join(
        workbench.campaign("union", [pair("A car hit a wall.", "A car crashes into a wall.")])
    )
    to_writing(page, "A car hit", "crashes")
    merged(page).fill("A car crashed into a wall.")
    expect(page.get_by_text("Everything highlighted is written in.")).to_be_visible()


def test_union_without_all_highlights_is_not_submitted(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    to_writing(page, STORM, "Hillside", "nobody")
    finish(page, "A storm tore the roof off a school in Marlow, and nobody was hurt.")
    alert = page.get_by_role("alert").filter(has_text="Not submitted yet")
    expect(alert).to_contain_text("“Hillside”")
    assert answers(campaign) == []


def test_words_of_the_base_are_marked_in_both(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_highlights(page)
    expect(page.locator(".words .again")).to_have_count(0)
    highlight(page, "School")
    expect(option(page, "School")).to_have_class(re.compile(r"\bagain\b"))
    expect(option(page, "School")).to_have_attribute(
        "aria-label", "School, also in the base sentence"
    )
    expect(page.get_by_label("The base sentence").locator(".again")).to_have_text(["school"])


def test_without_highlights_nothing_is_ticked_off(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_highlights(page, STORM)
    button(page, "Next").click()
    expect(page.locator(".left")).to_have_text("Nothing is highlighted: the base says it all.")


def test_words_without_a_source_are_listed(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside")
    merged(page).fill("A huge storm tore the roof off a Hillside school on Tuesday.")
    warning = page.get_by_text("Neither in the base nor highlighted: huge.")
    expect(warning).to_be_visible()
    merged(page).fill("A storm tore the roof off a Hillside school on Tuesday.")
    expect(warning).to_have_count(0)


def test_sentences_are_skipped_with_reason_and_note(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    button(page, "Skip these sentences").click()
    button(page, "Submit").click()
    expect(page.get_by_text("Say why you skip these sentences.")).to_be_visible()
    page.get_by_label("They disagree").check()
    page.get_by_label("A note, if you like").fill("storm or winds?")
    button(page, "Submit").click()
    expect_end(page)
    skipped = {"type": "skipped", "reason": "disagreement", "note": "storm or winds?"}
    assert answers(campaign) == [skipped]


def test_going_back_keeps_highlights_and_text(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside")
    merged(page).fill("Half a thought")
    button(page, "Back").click()
    expect(option(page, "Hillside")).to_have_attribute("aria-selected", "true")
    highlight(page, "Primary")
    button(page, "Next").click()
    expect(merged(page)).to_have_value("Half a thought")


def test_another_base_starts_anew_and_keeps_the_first(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside")
    merged(page).fill("Half a thought")
    button(page, "2 Choose the base").click()
    base(page, WINDS).check()
    expect(page.get_by_text("for the other base are not used now, but kept")).to_be_visible()
    button(page, "4 Write").click()
    expect(merged(page)).to_have_value(WINDS)
    button(page, "2 Choose the base").click()
    base(page, STORM).check()
    button(page, "4 Write").click()
    expect(merged(page)).to_have_value("Half a thought")


def test_a_step_opens_only_once_there_is_a_base(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    expect(button(page, "3 Highlight")).to_be_disabled()
    expect(button(page, "Submit")).to_be_hidden()
    button(page, "Next").click()
    expect(button(page, "Next")).to_be_disabled()
