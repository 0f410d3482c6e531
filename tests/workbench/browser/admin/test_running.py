"""A campaign from creation to export, on the pages of managers."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect


def tab(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Campaign").get_by_role("link", name=name).click()


def invite(page: Page, name: str) -> str:
    tab(page, "Invitations")
    page.get_by_label("For whom").fill(name)
    page.get_by_role("button", name="Create the link").click()
    return page.get_by_label(f"Link for {name}", exact=True).input_value()


def open_campaign(page: Page) -> None:
    tab(page, "Overview")
    page.get_by_role("button", name="Open the campaign").click()
    expect(page.get_by_role("status")).to_contain_text("opened")


def join_and_write(page: Page, link: str, name: str) -> None:
    """Join and write the first union: an unchanged sentence."""
    page.goto(link)
    page.get_by_label("Your name (optional)").fill(name)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).click()
    with page.expect_response(lambda answer: answer.url.endswith("/answer")) as sent:
        page.get_by_role("button", name="Submit").click()
    assert sent.value.ok


def downloaded(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("link", name=f"Download {name}").click()
    return Path(download.value.path()).read_bytes()


def test_a_campaign_is_opened_watched_and_exported(
    admin: Page, window: Any, workbench: Any, pairs: Any
) -> None:
    campaign = workbench.campaign("union", pairs)
    admin.goto(f"{workbench.url}/campaigns/{campaign.id}")
    link = invite(admin, "Amira")
    join_and_write(window(), link, "Amira")

    tab(admin, "Overview")
    progress = admin.get_by_role("region", name="Progress")
    expect(progress).to_contain_text("1 of 2")
    tab(admin, "Annotators")
    expect(admin.get_by_role("row", name="Amira")).to_contain_text("active")
    tab(admin, "Items")
    admin.get_by_label("State").select_option("done")
    admin.get_by_role("button", name="Show").click()
    admin.get_by_role("rowheader").get_by_role("link").click()
    expect(admin.get_by_role("article")).to_contain_text("Amira")

    tab(admin, "Export")
    record = msgspec.json.decode(downloaded(admin, "records"))
    assert record["item"] in {one.key for one in pairs}
    assert record["made"]["by"] != "Amira", "answers leave under a pseudonym"
    rows = list(csv.DictReader(io.StringIO(downloaded(admin, "table").decode())))
    assert [row["item"] for row in rows] == [record["item"]]
    with zipfile.ZipFile(io.BytesIO(downloaded(admin, "the task's own format"))) as archive:
        assert "unions.csv" in archive.namelist()


def test_excluding_asks_first_and_reassigns_the_items(
    admin: Page, window: Any, workbench: Any, pairs: Any
) -> None:
    campaign = workbench.campaign("union", pairs)
    join_and_write(window(), workbench.invitation(campaign), "Jonas")
    admin.goto(f"{workbench.url}/campaigns/trial/annotators")
    admin.get_by_role("button", name="Exclude: Jonas").click()
    expect(admin.get_by_role("heading", level=1)).to_have_text("Exclude Jonas?")
    admin.get_by_role("link", name="Cancel").click()
    expect(admin.get_by_role("row", name="Jonas")).to_contain_text("active")
    admin.get_by_role("button", name="Exclude: Jonas").click()
    admin.get_by_role("button", name="Exclude").click()
    expect(admin.get_by_role("row", name="Jonas")).to_contain_text("excluded")
    tab(admin, "Overview")
    expect(admin.get_by_role("region", name="Progress")).to_contain_text("0 of 2")
    tab(admin, "Annotators")
    admin.get_by_role("button", name="Readmit: Jonas").click()
    expect(admin.get_by_role("row", name="Jonas")).to_contain_text("active")


@pytest.mark.long
def test_progress_refreshes_by_itself(admin: Page, window: Any, workbench: Any, pairs: Any) -> None:
    campaign = workbench.campaign("union", pairs)
    admin.clock.install()
    admin.goto(f"{workbench.url}/campaigns/trial")
    progress = admin.get_by_role("region", name="Progress")
    expect(progress).to_contain_text("0 of 2")
    join_and_write(window(), workbench.invitation(campaign), "Wei")
    admin.clock.run_for(10_500)
    expect(progress).to_contain_text("1 of 2")


@pytest.mark.long
def test_a_resume_link_continues_work_in_another_browser(
    admin: Page, window: Any, workbench: Any, pairs: Any
) -> None:
    campaign = workbench.campaign("union", pairs)
    join_and_write(window(), workbench.invitation(campaign), "Wei")
    admin.goto(f"{workbench.url}/campaigns/trial/annotators")
    admin.get_by_role("link", name="Wei").click()
    admin.get_by_role("button", name="Show the link").click()
    link = admin.get_by_label("Link to carry on", exact=True).input_value()
    elsewhere = window()
    elsewhere.goto(link)
    expect(elsewhere).to_have_url(f"{workbench.url}/work/trial")


def test_personal_data_is_downloaded_and_deleted_on_request(
    admin: Page, window: Any, workbench: Any, pairs: Any
) -> None:
    campaign = workbench.campaign("union", pairs)
    join_and_write(window(), workbench.invitation(campaign), "Zoë Quist")
    admin.goto(f"{workbench.url}/campaigns/trial/annotators")
    admin.get_by_role("link", name="Zoë Quist").click()
    assert "Zoë Quist" in downloaded(admin, "personal data").decode()
    admin.get_by_role("button", name="Delete personal data").click()
    expect(admin.get_by_text("This cannot be undone")).to_be_visible()
    admin.get_by_role("button", name="Delete").click()
    expect(admin.get_by_role("table")).to_contain_text("deleted")
    expect(admin.get_by_role("table")).not_to_contain_text("Zoë Quist")
