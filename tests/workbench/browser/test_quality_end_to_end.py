"""Controlled crowdsourcing as people meet it: training, hidden tests, exclusion, agreement."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tatian.workbench.web.serving import admin_link

PATIENCE = 20_000
SENTENCES = ("A dog barked", "A cat slept", "A bird sang", "A fish swam")


def line(key: str, text: str, **around: Any) -> str:
    """One item: whether the noun leads to its page."""
    noun = text.split()[1]
    place = {"start": 2, "end": 2 + len(noun), "term": noun}
    gold = {"verdicts": [{"mention": {**place, "title": noun.title()}, "confirmed": True}]}
    mentions = [{**place, "titles": [noun.title()]}]
    record = {"id": key, "text": text, "topic": "Animals", "mentions": mentions}
    return json.dumps(record | ({"gold": gold} | around if around else {}))


ITEMS = "\n".join(
    [
        line("lesson", "A horse ran", stage=0),
        line("hidden-0", "A cow lowed", test=True),
        line("hidden-1", "A goat ate", test=True),
        *(line(f"item-{number}", text) for number, text in enumerate(SENTENCES)),
    ]
)


@pytest.fixture
def window(browser: Browser) -> Iterator[Callable[[], Page]]:
    """Opens a window of its own."""
    contexts = []

    def opened() -> Page:
        contexts.append(browser.new_context(reduced_motion="reduce"))
        contexts[-1].set_default_timeout(PATIENCE)
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()


def tab(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Campaign").get_by_role("link", name=name).click()


def create(page: Page) -> None:
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Title").fill("Animals")
    page.get_by_label("Confirm links to Wikipedia pages").check()
    page.get_by_role("button", name="Create as a draft").click()
    tab(page, "Settings")
    for label, value in (
        ("Annotators per item", "2"),
        ("A hidden test among so many items", "2"),
        ("Pass mark on hidden tests, %", "60"),
    ):
        page.get_by_label(label).fill(value)
    page.get_by_role("textbox", name="Stage 1").fill("training")
    page.get_by_label("Pass mark, %").first.fill("50")
    page.get_by_label("Show the right answer after each item").first.check()
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")


def add_items(page: Page, folder: Path) -> None:
    file = folder / "animals.jsonl"
    file.write_text(ITEMS, "utf-8")
    tab(page, "Items")
    page.get_by_role("link", name="Add items").click()
    page.get_by_label("A file").set_input_files(file)
    page.get_by_role("button", name="Look at it first").click()
    expect(page.get_by_text("7 items, 3 with a right answer, 2 hidden tests")).to_be_visible()
    page.get_by_role("button", name="Import 7 items").click()
    expect(page.get_by_role("status")).to_have_text("Imported.")


def invite(page: Page, name: str) -> str:
    tab(page, "Invitations")
    page.get_by_label("For whom").fill(name)
    page.get_by_role("button", name="Create the link").click()
    return page.get_by_label(f"Link for {name}", exact=True).input_value()


def begin(page: Page, link: str, name: str) -> None:
    """Join, and pass the training."""
    page.goto(link)
    page.get_by_label("Your name, if you like to give one").fill(name)
    page.get_by_role("button", name="Begin").click()
    judge(page, lambda text: "y")
    page.get_by_role("button", name="Continue").click()


def judge(page: Page, verdict: Callable[[str], str]) -> None:
    """Answer the item that is shown."""
    expect(page.get_by_text("0 of 1 judged.")).to_be_visible()
    text = page.locator("main").inner_text()
    page.keyboard.press(verdict(text))
    expect(page.get_by_text("1 of 1 judged.")).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/answer")) as sent:
        page.keyboard.press("Control+Enter")
    assert sent.value.ok


def test_who_fails_the_hidden_tests_is_excluded_and_others_agree_in_their_place(
    bench: Any, window: Callable[[], Page], tmp_path: Path
) -> None:
    admin = window()
    admin.goto(bench.url + admin_link(bench.app.state.site))
    create(admin)
    add_items(admin, tmp_path)
    links = {name: invite(admin, name) for name in ("Cleo", "Anna", "Ben")}
    tab(admin, "Overview")
    admin.get_by_role("button", name="Open the campaign").click()

    cleo = window()
    begin(cleo, links["Cleo"], "Cleo")
    out = cleo.get_by_role("heading", name="You no longer take part")
    for _ in range(2):
        judge(cleo, lambda text: "n")
        expect(cleo.get_by_text("0 of 1 judged.").or_(out).first).to_be_visible()
        if out.is_visible():
            break
    expect(out).to_be_visible()

    for name in ("Anna", "Ben"):
        page = window()
        begin(page, links[name], name)
        odd = SENTENCES[0] if name == "Ben" else "nothing"
        for _ in range(6):
            judge(page, lambda text, odd=odd: "n" if odd in text else "y")  # type: ignore[misc]
        expect(page.get_by_role("heading", name="All done")).to_be_visible()

    tab(admin, "Dashboard")
    expect(admin.get_by_text("8 of 8", exact=True)).to_be_visible()
    people = admin.get_by_role("region", name="Annotators").first
    expect(people.get_by_role("row", name="Cleo")).to_contain_text("excluded")
    expect(people.get_by_role("row", name="Cleo")).to_contain_text("0% of 1")
    expect(people.get_by_role("row", name="Cleo")).to_contain_text("below the mark of 60%")
    expect(people.get_by_role("row", name="Anna")).to_contain_text("100% of 2")
    agreement = admin.get_by_role("region", name="Agreement", exact=True)
    expect(agreement).to_contain_text("Over 4 of 4 items")
    expect(agreement.get_by_role("row", name=re.compile("kappa"))).to_contain_text("0.000")
    expect(admin.get_by_role("img", name="Score on hidden tests")).to_be_visible()
    tab(admin, "Audit log")
    excluded = admin.get_by_role("row", name=re.compile("annotator.exclude"))
    expect(excluded).to_contain_text(re.compile(r"reopened: [123]"))
