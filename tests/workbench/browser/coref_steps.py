"""Actions on the coreference page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tatian.workbench.settings import CampaignSettings
from tatian.workbench.tasks import NewItem

TEXT = (
    "Harbour master Ines Tal closed the port.\nShe kept it shut, and it stayed so until she left."
)
WITHOUT_CHECKS = CampaignSettings(shuffled=False, options={"checks": False, "phrases": False})
"""Without the analysis of the text, which tests of anything else need not wait for."""


def document(text: str = TEXT, key: str = "port", **around: Any) -> NewItem:
    """An item; by default the text above."""
    return NewItem(key, {"text": text}, **around)


def open_text(join: Any, campaign: Any, **options: Any) -> Page:
    """An annotator's page with its text."""
    page: Page = join(campaign, **options)
    text(page).wait_for()
    if not options.get("is_mobile"):
        expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
    return page


def text(page: Page) -> Locator:
    """The text with its words."""
    return page.get_by_role("listbox", name="Text")


def word(page: Page, form: str, number: int = 0) -> Locator:
    """Return a word by its form, and by number if it is repeated."""
    places = [place for place, found in enumerate(words(page)) if found == form]
    return page.locator(f'.coref-text .w[data-i="{places[number]}"]')


def words(page: Page) -> list[str]:
    """All words in their order."""
    return [one.strip() for one in page.locator(".coref-text .w").all_text_contents()]


def drag(page: Page, first: Locator, last: Locator) -> None:
    """Mark from one word to another with the mouse."""
    first.scroll_into_view_if_needed()
    begin, end = first.bounding_box(), last.bounding_box()
    assert begin is not None
    assert end is not None
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + 8)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 8, steps=4)
    page.mouse.up()


def current(page: Page) -> Locator:
    """Return the panel's text on the current phrase."""
    return page.locator(".coref .current")


def mark(page: Page, form: str, number: int = 0) -> None:
    """Mark one word by a double click."""
    word(page, form, number).dblclick()
    expect(current(page)).to_contain_text(f"“{form}”")


def chains(page: Page) -> Locator:
    """The chains in the list, one line each."""
    return page.locator(".coref .chains > li > button")


def button(page: Page, name: str) -> Locator:
    """Return a button by its full name."""
    return page.get_by_role("button", name=name, exact=True)


def submitted(page: Page) -> None:
    """Submit the answer to the only item."""
    button(page, "Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()


def phrases(answer: dict[str, Any], source: str = TEXT) -> list[tuple[str, str | None]]:
    """The marked phrases of an answer, each with its antecedent."""
    of = {one["id"]: source[one["start"] : one["end"]] for one in answer["markables"]}
    return [(of[one["id"]], of.get(one.get("antecedent"))) for one in answer["markables"]]
