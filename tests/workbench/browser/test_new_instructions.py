"""Instructions that change while people work."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.campaigns import guidelines
from tatian.workbench.campaigns.records import read_records

from .union_steps import button, expect_end, pair

pytestmark = pytest.mark.long

CHANGED = "The instructions have changed"
TWO = [pair(), pair("One thing.", "Another thing.", key="two")]


def rewritten(workbench: Any, campaign: Any, text: str) -> None:
    with workbench.database.writing() as connection:
        guidelines.add(connection, campaign.id, text, "command line")


def instruction_versions(workbench: Any, campaign: Any) -> list[int]:
    """Return the instruction versions of the stored answers, oldest first."""
    with workbench.database.reading() as connection:
        return [record.guideline for record in read_records(connection, campaign)]


def skip(page: Page) -> None:
    button(page, "Skip these sentences").click()
    page.get_by_label("They disagree").check()
    button(page, "Submit").click()


def correct(page: Page) -> None:
    button(page, "My answers").click()
    page.get_by_role("dialog").get_by_role("radio").first.check()
    button(page, "Correct the chosen one").click()
    expect(page.get_by_text("You are correcting an earlier answer")).to_be_visible()


def send(page: Page) -> None:
    button(page, "Submit the correction").click()
    expect_end(page)


def test_new_instructions_are_shown_before_the_next_item(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", TWO)
    page = join(campaign)
    expect(page.get_by_text("Do it well.")).to_be_visible()
    button(page, "Instructions").click()
    rewritten(workbench, campaign, "Do it even better.")
    skip(page)
    expect(page.get_by_text("One thing.")).to_be_visible()
    expect(page.get_by_role("note").filter(has_text=CHANGED)).to_be_visible()
    expect(page.locator("[aria-live=polite]")).to_contain_text(CHANGED)
    expect(page.get_by_text("Do it even better.")).to_be_visible()
    expect(page.get_by_text("Do it well.")).to_have_count(0)
    skip(page)
    expect_end(page)
    expect(page.get_by_text(CHANGED)).to_have_count(0)
    assert instruction_versions(workbench, campaign) == [1, 2]


def test_a_correction_stores_the_version_of_its_instructions(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    skip(page)
    expect_end(page)
    correct(page)
    rewritten(workbench, campaign, "Do it even better.")
    send(page)
    rewritten(workbench, campaign, "Do it best.")
    correct(page)
    expect(page.get_by_role("note").filter(has_text=CHANGED)).to_be_visible()
    expect(page.get_by_text("Do it best.")).to_be_visible()
    send(page)
    assert instruction_versions(workbench, campaign) == [1, 1, 3]
