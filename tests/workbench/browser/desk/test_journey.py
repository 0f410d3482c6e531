"""A first visit, from three files to a document."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from .conftest import LATER, PATIENCE, choose, put_in, sentence, story, texts

HURT = "injuring four firefighters"


def taken_out(page: Page, label: str) -> bytes:
    """Download the text as a file."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
        page.get_by_role("menuitem", name=label).click()
    return Path(download.value.path()).read_bytes()


def test_from_three_files_to_a_document(desk: Any, window: Any, tmp_path: Path) -> None:
    page = window()
    put_in(page, story(tmp_path))
    page.get_by_role("button", name="Consolidate 3 sources").click()
    expect(page.get_by_role("progressbar", name="Consolidating")).to_be_visible()
    expect(sentence(page, HURT)).to_be_visible(timeout=PATIENCE)

    page.get_by_role("button", name=re.compile("^Settle")).click()
    page.get_by_role("radio", name=re.compile("Only.*Seven")).check()
    page.get_by_role("button", name="Settle it").click()
    expect(sentence(page, "injuring seven firefighters")).to_be_visible()
    expect(page.locator("#text")).not_to_contain_text("by another account")

    choose(page, "It took 60 firefighters", "Drop")
    expect(sentence(page, "It took 60")).to_have_count(0)
    before = texts(page)
    choose(page, "The damage is put", "Move up")
    expect(page.locator("#reading")).to_contain_text("Moved to place")
    moved = before.index("The damage is put at two million crowns.")
    before.insert(moved - 1, before.pop(moved))
    assert texts(page) == before

    account = page.get_by_role("article", name=re.compile("Fire destroys"))
    fate = account.locator("p", has_text="It took 60").get_by_role("button")
    expect(fate).not_to_have_text(re.compile("^in "))
    fate.click()
    page.get_by_role("menuitem", name=re.compile("^Add to the text")).click()
    expect(sentence(page, "It took 60")).to_be_visible()

    page.get_by_role("link", name=re.compile("^Sources")).click()
    (tmp_path / "insurers.txt").write_text(LATER, "utf-8")
    put_in(page, [tmp_path / "insurers.txt"])
    before = texts(page)
    page.get_by_role("button", name="Consolidate again").click()
    expect(sentence(page, "Dora Quist")).to_be_visible(timeout=PATIENCE)
    assert [one for one in texts(page) if one in before] == before
    expect(page.locator("#text .new-sign")).to_have_count(len(texts(page)) - len(before))
    news = page.get_by_role("group", name="What is new")
    expect(news).to_contain_text("Everything else stays in its place.")
    news.get_by_role("button", name="Show the next").click()
    expect(page.locator("#text .o.fresh .new-sign")).to_be_in_viewport()
    news.get_by_role("button", name="Seen").click()
    expect(news).to_be_hidden()
    expect(page.locator("#text .new-sign").first).to_be_hidden()
    expect(sentence(page, "injuring seven firefighters")).to_be_visible()
    expect(page.get_by_role("region", name="Your decisions").get_by_role("listitem")).to_have_count(
        4
    )

    read(taken_out(page, "Word"), taken_out(page, "TEI"))
    kept = texts(page)
    page.close()
    again = window()
    again.get_by_role("listitem").filter(has_text="4 sources").get_by_role("link").click()
    expect(sentence(again, "injuring seven firefighters")).to_be_visible()
    assert texts(again) == kept


def read(word: bytes, tei: bytes) -> None:
    """Read both documents by other programs and check the decisions."""
    from docx import Document
    from lxml import etree

    text = "\n".join(one.text for one in Document(BytesIO(word)).paragraphs)
    assert "injuring seven firefighters" in text
    root = etree.fromstring(tei)
    assert root.tag == "{http://www.tei-c.org/ns/1.0}TEI"
    assert "firefighters" in "".join(root.itertext())
