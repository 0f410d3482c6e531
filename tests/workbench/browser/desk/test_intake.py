"""Adding and changing sources."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from .conftest import STORY, put_in, story

GERMAN = (
    "Das Feuer brach gegen neun Uhr am Abend in einem Lager aus. Vier Menschen wurden verletzt."
)
DROP = """([name, text]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new DragEvent("dragover", options));
  document.body.dispatchEvent(new DragEvent("drop", options));
}"""


def test_unreadable_files_are_reported_others_added(desk: Any, window: Any, tmp_path: Path) -> None:
    page = window(refused=True)
    (tmp_path / "blank.txt").write_text("  \n", "utf-8")
    (tmp_path / "feuer.txt").write_text(GERMAN * 3, "utf-8")
    put_in(page, [tmp_path / "blank.txt", tmp_path / "feuer.txt", *story(tmp_path)[:1]])
    lines = page.get_by_role("alert").get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("blank.txt")
    expect(lines.nth(1)).to_contain_text(re.compile("feuer.txt.*English"))
    page.get_by_role("button", name="Dismiss: blank.txt").click()
    expect(lines).to_have_count(1)
    put_in(page, story(tmp_path)[1:2])
    expect(lines).to_have_text(re.compile("feuer.txt"))
    page.get_by_role("button", name="Remove courier.html").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("button", name="Consolidate")).to_be_disabled()


def test_sources_are_dropped_pasted_named_ordered_and_removed(
    desk: Any, window: Any, tmp_path: Path
) -> None:
    page = window()
    page.evaluate(DROP, ["wire.txt", STORY["wire.txt"]])
    cards = page.get_by_role("list", name="Sources").get_by_role("listitem")
    expect(cards).to_have_count(1)
    page.get_by_role("button", name="Paste text").click()
    page.get_by_role("textbox", name="Text").fill(STORY["weekly.docx"].partition("\n\n")[2])
    page.get_by_role("textbox", name="Title (optional)").fill("A weekly")
    page.get_by_role("button", name="Put it in").click()
    expect(cards).to_have_count(2)
    cards.nth(1).get_by_label("Publisher").fill("דבר")
    cards.nth(1).get_by_label("Date").fill("2026-03-04")
    page.get_by_role("button", name="Move source 2 up").or_(
        page.get_by_role("button", name="Move A weekly up")
    ).click()
    expect(cards.nth(0).get_by_label("Title", exact=True)).to_have_value("A weekly")
    page.reload()
    expect(cards.nth(0).get_by_label("Publisher")).to_have_value("דבר")
    expect(cards.nth(0).get_by_label("Date")).to_have_value("2026-03-04")
    page.get_by_role("button", name="Remove wire.txt").click()
    page.get_by_role("button", name="Remove it").click()
    expect(cards).to_have_count(1)


def test_a_refused_pasted_text_stays_for_correction(desk: Any, window: Any) -> None:
    page = window(refused=True)
    page.get_by_role("button", name="Paste text").click()
    text = page.get_by_role("textbox", name="Text")
    expect(text).to_be_focused()
    page.keyboard.insert_text(GERMAN * 3)
    page.get_by_role("button", name="Put it in").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("English only")
    expect(text).to_have_value(GERMAN * 3)
    text.fill(STORY["wire.txt"])
    page.get_by_role("button", name="Put it in").click()
    cards = page.get_by_role("list", name="Sources").get_by_role("listitem")
    expect(cards).to_have_count(1)
    page.get_by_role("button", name="Paste text").click()
    text.fill(GERMAN * 3)
    page.get_by_role("button", name="Put it in").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("English only")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Discard it").click()
    page.get_by_role("link", name="Tatian desk").click()
    expect(page.locator(".projects li")).to_have_count(1)


def test_deleting_a_project_asks_first(fire: Any, window: Any) -> None:
    page = window()
    page.get_by_role("link", name="Tatian desk").click()
    page.get_by_role("button", name="Delete The fire").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("link", name="The fire")).to_be_visible()
    page.get_by_role("button", name="Delete The fire").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_role("link", name="The fire")).to_have_count(0)
