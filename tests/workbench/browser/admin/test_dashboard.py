"""The dashboard and its refreshing figures."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.campaigns import allocation, people, submission
from tatian.workbench.settings import CampaignSettings, Pay
from tatian.workbench.tasks import tasks

pytestmark = pytest.mark.long

SKIP = {"type": "skipped", "reason": "no-consolidation"}
REFRESH = "async () => (await import('/static/admin/dashboard.js')).refresh()"
NAMES = ("Amira", "Benjamin van der Somewhere", "כרמל")


class Busy:
    """A campaign with annotators at work."""

    def __init__(self, workbench: Any, pairs: Any) -> None:
        self.database = workbench.database
        settings = CampaignSettings(annotators=9, shuffled=False, pay=Pay(0.3, 1.25, 100))
        self.campaign = workbench.campaign("union", pairs, settings)

    def work(self, name: str, most: int = 9, seconds: float = 40.0) -> None:
        """Let a new person skip items."""
        task = tasks.create("union")
        with self.database.writing() as connection:
            id = people.enter(connection, self.campaign, name=name).id
            for _ in range(most):
                mine = allocation.assign_next(connection, self.campaign, id)[1]
                if mine is None:
                    return
                arguments = (id, mine.id, f"nonce {mine.id}", SKIP, seconds)
                submission.submit(connection, self.campaign, task, *arguments)


@pytest.fixture
def busy(workbench: Any, pairs: Any) -> Busy:
    campaign = Busy(workbench, pairs)
    for number, name in enumerate(NAMES):
        campaign.work(name, seconds=30.0 + 10 * number)
    return campaign


@pytest.fixture
def dashboard(workbench: Any, busy: Busy, admin: Page) -> Page:
    admin.goto(f"{workbench.url}/campaigns/{busy.campaign.id}/dashboard")
    return admin


def test_the_dashboard_tab_opens_the_dashboard(workbench: Any, busy: Busy, admin: Page) -> None:
    admin.goto(f"{workbench.url}/campaigns/{busy.campaign.id}")
    admin.get_by_role("navigation", name="Campaign").get_by_role("link", name="Dashboard").click()
    expect(admin.get_by_role("heading", name="Dashboard")).to_be_visible()


def test_each_annotator_has_a_row(dashboard: Page) -> None:
    shown = dashboard.get_by_role("region", name="Annotators").get_by_role("table")
    expect(shown.get_by_role("row")).to_have_count(4)
    expect(shown.get_by_role("row", name="Amira")).to_contain_text("30 s")


def test_agreement_and_pay_are_shown(dashboard: Page) -> None:
    agreement = dashboard.get_by_role("region", name="Agreement", exact=True)
    expect(agreement).to_contain_text("Over 2 of 2 items")
    pay = dashboard.get_by_role("region", name="Pay", exact=True)
    expect(pay).to_contain_text("1.80 USD")
    with dashboard.expect_download() as download:
        pay.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "trial.payments.csv"


def test_new_answers_appear_and_the_focus_stays(dashboard: Page, busy: Busy) -> None:
    dashboard.locator("#person-1").focus()
    busy.work("Dora")
    dashboard.evaluate(REFRESH)
    expect(dashboard.get_by_role("link", name="Dora")).to_be_visible()
    expect(dashboard.locator("#person-1")).to_be_focused()


def test_an_empty_dashboard_fills_after_answers(workbench: Any, pairs: Any, admin: Page) -> None:
    busy = Busy(workbench, pairs)
    admin.goto(f"{workbench.url}/campaigns/{busy.campaign.id}/dashboard")
    expect(admin.get_by_text("Nobody has joined yet.")).to_be_visible()
    busy.work("Amira")
    admin.evaluate(REFRESH)
    expect(admin.get_by_role("link", name="Amira")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_dashboard_fits_any_width_and_passes_axe(
    dashboard: Page, axe: Any, width: int, scheme: Any
) -> None:
    dashboard.set_viewport_size({"width": width, "height": 800})
    dashboard.emulate_media(color_scheme=scheme)
    across = dashboard.evaluate("document.documentElement.scrollWidth")
    assert across <= width
    assert axe(dashboard) == []


def test_the_dashboard_works_without_scripts(workbench: Any, busy: Busy, sign_in_as: Any) -> None:
    page = sign_in_as("ada", "admin", java_script_enabled=False)
    page.goto(f"{workbench.url}/campaigns/{busy.campaign.id}/dashboard")
    expect(page.get_by_role("link", name="Amira")).to_be_visible()
