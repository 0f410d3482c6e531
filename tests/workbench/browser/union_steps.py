"""Actions on the union page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tatian.workbench.tasks import NewItem

STORM = "A storm tore the roof off a school in Marlow on Tuesday night."
WINDS = "Strong winds ripped off the roof of Hillside Primary School, and nobody was hurt."
MERGED = (
    "A storm tore the roof off Hillside Primary School in Marlow on Tuesday night, "
    "and nobody was hurt."
)
NEW = "Hillside Primary School, and nobody was hurt"


def pair(*sentences: str, key: str = "roof", **options: Any) -> NewItem:
    """An item; by default the two sentences above."""
    return NewItem(key, {"sentences": list(sentences or (STORM, WINDS))}, **options)


def button(page: Page, name: str) -> Locator:
    """Return a button by its full name."""
    return page.get_by_role("button", name=name, exact=True)


def option(page: Page, text: str) -> Locator:
    """Return the first word of a form in step 3."""
    return page.locator("[role=option]").filter(has_text=text).first


def base(page: Page, text: str) -> Locator:
    """Return the radio button of a base sentence."""
    return page.locator("label.card").filter(has_text=text).locator("input")


def merged(page: Page) -> Locator:
    """The field of step 4."""
    return page.get_by_label("Merged sentence")


def view(page: Page, text: str) -> Locator:
    """Return a word of a shown sentence."""
    return page.locator(".words .word").filter(has_text=text)


def to_highlights(page: Page, start: str = STORM) -> None:
    """Do steps 1 and 2."""
    button(page, "Next").click()
    base(page, start).check()
    button(page, "Next").click()


def highlight(page: Page, *texts: str) -> None:
    """Click on words one by one."""
    for text in texts:
        option(page, text).click()


def to_writing(page: Page, start: str = STORM, *texts: str) -> None:
    """Do steps 1 to 3."""
    to_highlights(page, start)
    highlight(page, *(texts or NEW.replace(",", "").split()))
    button(page, "Next").click()


def finish(page: Page, text: str = MERGED) -> None:
    """Do step 4."""
    merged(page).fill(text)
    button(page, "Submit").click()


def own_link(page: Page) -> str:
    """Return the address for resuming work."""
    button(page, "My link").click()
    address = page.get_by_label("Your personal link").input_value()
    button(page, "Close").click()
    return address


def expect_end(page: Page) -> None:
    """Expect the screen after the last item."""
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
