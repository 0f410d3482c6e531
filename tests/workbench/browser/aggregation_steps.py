"""Actions on the aggregation page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tatian.workbench.tasks import NewItem

from .conftest import item

RACE: dict[str, Any] = {
    "entities": ["Ines Tal", "Bo Lund", "Mei Aoki"],
    "type": "person",
    "title": "Two Boats Too Many for Tal",
    "context": "Ines Tal won again. Mr. Lund lost by a length, and Mei Aoki did not finish. "
    "Bo Lund said that he knew the stroke of Ms. Tal by heart.",
    "background": {
        "Ines Tal": "Ines Tal is a Portuguese rower.",
        "Mei Aoki": "Mei Aoki is a Japanese rower who studies law.",
    },
}


def race(key: str = "race", **options: Any) -> NewItem:
    """An item; by default three rowers."""
    content = {
        name: options.pop(name) for name in list(options) if name in (*RACE, "links", "mentions")
    }
    return item("aggregation", key, {**RACE, **content}, **options)


def first(page: Page) -> Locator:
    """The field of the first phrase."""
    return page.get_by_label("Your phrase")


def second(page: Page) -> Locator:
    """The field of the second phrase."""
    return page.get_by_label("A second phrase")


def none(page: Page) -> Locator:
    """The N/A box."""
    return page.get_by_role("checkbox", name="N/A")


def mentions(page: Page, name: str) -> Locator:
    """The mentions of an entity."""
    return page.locator(".mention").filter(has_text=f": {name})")


def card(page: Page, name: str) -> Locator:
    """Return the card of an entity."""
    return page.locator("details.entity").filter(has_text=name)


def submit(page: Page) -> None:
    """Press the submit button."""
    page.get_by_role("button", name="Submit", exact=True).click()


def expect_rules(page: Page, place: int, *rules: str) -> None:
    """Expect certain remarks under a field."""
    said = page.locator(".findings").nth(place).locator("[data-rule]")
    expect(said).to_have_count(len(rules))
    found = [one.get_attribute("data-rule") for one in said.all()]
    assert found == list(rules)


def expect_end(page: Page) -> None:
    """Expect the screen after the last item."""
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
