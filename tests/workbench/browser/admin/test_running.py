"""A campaign while people work in it, as those watch it who run it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect


def tab(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Campaign").get_by_role("link", name=name).click()


def join_and_answer(page: Page, link: str, name: str) -> None:
    """Write the first union: one sentence as it stands says everything."""
    page.goto(link)
    page.get_by_label("Your name, if you like to give one").fill(name)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).click()
    with page.expect_response(lambda answer: answer.url.endswith("/answer")) as sent:
        page.get_by_role("button", name="Submit").click()
    assert sent.value.ok


def test_a_campaign_is_watched(admin: Page, window: Any, bench: Any, pairs: Any) -> None:
    campaign = bench.campaign("union", pairs)
    admin.goto(f"{bench.url}/campaigns/{campaign.id}")
    expect(admin.get_by_role("region", name="Progress")).to_contain_text("0 of 2")
    join_and_answer(window(), bench.invitation(campaign), "Amira")
    tab(admin, "Overview")
    expect(admin.get_by_role("region", name="Progress")).to_contain_text("1 of 2")
    tab(admin, "Dashboard")
    expect(admin.get_by_role("row", name="Amira")).to_contain_text("active")


@pytest.mark.long
def test_progress_refreshes_by_itself(admin: Page, window: Any, bench: Any, pairs: Any) -> None:
    campaign = bench.campaign("union", pairs)
    admin.clock.install()
    admin.goto(f"{bench.url}/campaigns/trial")
    progress = admin.get_by_role("region", name="Progress")
    expect(progress).to_contain_text("0 of 2")
    join_and_answer(window(), bench.invitation(campaign), "Wei")
    admin.clock.run_for(10_500)
    expect(progress).to_contain_text("1 of 2")
