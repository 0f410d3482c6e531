"""Headings, labels, focus and phone layout of every page for managers."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.campaigns import campaigns, people
from tatian.workbench.tasks import NewItem
from tatian.workbench.web.server import admin_link

pytestmark = pytest.mark.long

NASTY = "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;"
LONG = "w" * 90
PLACES = (
    "/campaigns",
    "/account",
    "/campaigns/trial",
    "/campaigns/trial/items",
    "/campaigns/trial/items/1",
    "/campaigns/trial/annotators",
    "/campaigns/trial/invitations",
    "/campaigns/trial/export",
)
NAMELESS = """() => [...document.querySelectorAll("input, select, textarea, button")]
  .filter((one) => one.type !== "hidden" && !one.hidden)
  .filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim())
  .map((one) => one.outerHTML)"""
DISORDER = """() => {
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
    .map((heading) => Number(heading.tagName[1]));
  const once = levels.filter((level) => level === 1).length === 1 && levels[0] === 1;
  const jump = levels.some((level, index) => index && level > levels[index - 1] + 1);
  return once && !jump && document.title ? null : levels;
}"""
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOO_SMALL = """() => [...document.querySelectorAll("main button, main .button, main select")]
  .filter((one) => one.getBoundingClientRect().height < 40).map((one) => one.outerHTML)"""


@pytest.fixture
def trial(workbench: Any) -> Any:
    """A campaign in which all free texts are hostile or very long."""
    content = {"sentences": [f"{NASTY} one.", f"Two {LONG}."]}
    campaign = workbench.campaign("union", [NewItem(f"{NASTY}{LONG}", content)])
    with workbench.database.writing() as connection:
        campaigns.change(connection, campaign.id, "test", title=f"{NASTY} title")
        people.enter(connection, campaign, name=f"{NASTY} {LONG}")
    workbench.invitation(campaign)
    return campaign


def findings_by_page(page: Page, base: str, script: str) -> dict[str, Any]:
    """Return the findings of a script by page."""
    wrong = {}
    for place in PLACES:
        page.goto(base + place)
        if faults := page.evaluate(script):
            wrong[place] = faults
    return wrong


def test_every_page_has_a_title_and_ordered_headings(
    admin: Page, workbench: Any, trial: Any
) -> None:
    assert findings_by_page(admin, workbench.url, DISORDER) == {}


def test_every_control_has_a_name(admin: Page, workbench: Any, trial: Any) -> None:
    assert findings_by_page(admin, workbench.url, NAMELESS) == {}


def test_every_page_fits_a_phone(workbench: Any, trial: Any, window: Any, phone: Any) -> None:
    page = window(**phone)
    page.goto(workbench.url + admin_link(workbench.app.state.site))
    assert findings_by_page(page, workbench.url, TOO_WIDE) == {}
    assert findings_by_page(page, workbench.url, TOO_SMALL) == {}


def test_the_keyboard_reaches_the_content_first_and_focus_is_seen(
    admin: Page, workbench: Any, trial: Any
) -> None:
    admin.goto(f"{workbench.url}/campaigns/trial")
    admin.keyboard.press("Tab")
    skip = admin.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    admin.keyboard.press("Enter")
    admin.keyboard.press("Tab")
    focused = admin.locator(":focus")
    expect(focused).to_have_text("Overview")
    outline = focused.evaluate("one => getComputedStyle(one).outlineStyle")
    assert outline == "solid"
