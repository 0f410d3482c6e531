"""The union page on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tatian.workbench.tasks import tasks

from .union_steps import STORM, base, button, expect_end, merged, option, pair

pytestmark = pytest.mark.long

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """[...document.querySelectorAll('button, a, label.card, textarea, [role=option]')]
  .filter((node) => node.checkVisibility() && !node.matches('.jump'))
  .filter((node) => node.getBoundingClientRect().height < 38)
  .map((node) => node.textContent)"""


def draw_finger(page: Page, start: Locator, end: Locator) -> None:
    """Drag a finger from one word to another."""
    session = page.context.new_cdp_session(page)
    start.scroll_into_view_if_needed()
    begin, stop = middle(start), middle(end)

    def send(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", begin)
    for part in range(1, 11):
        way = {axis: begin[axis] + (stop[axis] - begin[axis]) * part / 10 for axis in "xy"}
        send("touchMove", way)
    send("touchEnd")


def middle(word: Locator) -> dict[str, float]:
    box = word.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def tap_to_words(page: Page) -> None:
    button(page, "Next").tap()
    base(page, STORM).tap()
    button(page, "Next").tap()


def test_a_union_is_written_by_touch(workbench: Any, join: Any, phone: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, **phone)
    tap_to_words(page)
    for text in ("Hillside", "Primary", "Hillside", "Hillside"):
        option(page, text).tap()
    expect(page.locator("[role=option][aria-selected=true]")).to_have_text(["Hillside", "Primary"])
    button(page, "Next").tap()
    merged(page).fill("A storm tore the roof off Hillside Primary in Marlow on Tuesday night.")
    button(page, "Submit").tap()
    expect_end(page)
    assert len(answers(campaign)) == 1


def test_dragging_a_finger_sideways_highlights_words(workbench: Any, join: Any, phone: Any) -> None:
    page = join(
        workbench.campaign("union", [pair("A car hit a wall.", "Cars hit old walls.")]), **phone
    )
    button(page, "Next").tap()
    base(page, "A car hit").tap()
    button(page, "Next").tap()
    draw_finger(page, option(page, "Cars"), option(page, "old"))
    expect(page.locator("[role=option][aria-selected=true]")).to_have_text(["Cars", "hit", "old"])


def test_every_step_fits_and_has_large_targets(workbench: Any, join: Any, phone: Any) -> None:
    guidelines = tasks.create("union").guidelines()
    page = join(workbench.campaign("union", [pair()], guidelines=guidelines), **phone)
    expect(page.get_by_role("heading", name="Step 1")).to_be_in_viewport()
    expect(page.get_by_role("complementary", name="Instructions")).to_be_hidden()
    button(page, "Instructions").tap()
    page.get_by_role("tab", name="Subtle cases").tap()
    assert page.evaluate(OVERFLOW) == 0
    button(page, "Instructions").tap()
    tap_to_words(page)
    option(page, "Hillside").tap()
    for step in ("1 Read", "2 Choose the base", "3 Highlight", "4 Write"):
        button(page, step).tap()
        expect(button(page, step)).to_have_attribute("aria-current", "step")
        assert page.evaluate(OVERFLOW) == 0
        assert page.evaluate(SMALL) == []
