"""Access to the pages of admins, managers and strangers."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tatian.workbench.accounts import users

PASSWORD = "correct horse battery"


def test_a_new_user_signs_in_by_password_and_out(workbench: Any, window: Any, pairs: Any) -> None:
    campaign = workbench.campaign("union", pairs)
    with workbench.database.writing() as connection:
        nadia = users.create(connection, "nadia", "manager", PASSWORD)
        users.set_campaigns(connection, nadia, [campaign.id])

    page = window(refused=True)
    page.goto(workbench.url)
    page.get_by_label("Name").fill("nadia")
    page.get_by_label("Password").fill("a wrong password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="A trial")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{workbench.url}/campaigns/trial")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_changing_ones_password_ends_every_session(admin: Page, workbench: Any) -> None:
    admin.goto(f"{workbench.url}/account")
    admin.get_by_label("New password").fill(PASSWORD)
    admin.get_by_role("button", name="Set the password").click()
    expect(admin.get_by_role("heading", level=1)).to_have_text("Sign in")
    admin.get_by_label("Name").fill("admin")
    admin.get_by_label("Password").fill(PASSWORD)
    admin.get_by_role("button", name="Sign in").click()
    expect(admin.get_by_role("heading", level=1)).to_have_text("Campaigns")
