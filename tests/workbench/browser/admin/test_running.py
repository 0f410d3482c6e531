"""A campaign from its creation to its export, as the people who run it go through it."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.web.server import admin_link

CSV = """key,first,second
bridge,The bridge opened on Monday.,"The new bridge opened, and the mayor spoke."
rain,Rain fell all night.,It rained in the north.
"""


def tab(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Campaign").get_by_role("link", name=name).click()


def create(page: Page, title: str = "Bridges & rain") -> None:
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Write sentence unions").check()
    page.get_by_role("button", name="Create as a draft").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def add_items(page: Page, folder: Path) -> None:
    file = folder / "sentences.csv"
    file.write_text(CSV, encoding="utf-8")
    tab(page, "Items")
    page.get_by_role("link", name="Add items").click()
    page.get_by_label("A file").set_input_files(file)
    page.get_by_role("button", name="Look at it first").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing, as it stands")
    expect(page.get_by_role("cell", name="Rain fell all night.")).to_be_visible()
    page.get_by_label("id", exact=True).select_option("key")
    page.get_by_label("sentence1Text").select_option("first")
    page.get_by_label("sentence2Text").select_option("second")
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_text("2 items", exact=True)).to_be_visible()
    page.get_by_role("button", name="Import 2 items").click()
    expect(page.get_by_role("status")).to_have_text("Imported.")


def invite(page: Page, name: str) -> str:
    tab(page, "Invitations")
    page.get_by_label("For whom").fill(name)
    page.get_by_role("button", name="Create the link").click()
    return page.get_by_label(f"Link for {name}", exact=True).input_value()


def open_campaign(page: Page) -> None:
    tab(page, "Overview")
    page.get_by_role("button", name="Open the campaign").click()
    expect(page.get_by_role("status")).to_contain_text("Open")


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


def downloaded(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("link", name=f"Download {name}").click()
    return Path(download.value.path()).read_bytes()


def test_a_campaign_runs_from_an_uploaded_table_to_its_exports(
    admin: Page, window: Any, tmp_path: Path
) -> None:
    create(admin)
    add_items(admin, tmp_path)
    link = invite(admin, "Amira")
    open_campaign(admin)
    join_and_answer(window(), link, "Amira")

    admin.reload()
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
    assert record["item"] in ("bridge", "rain")
    assert record["made"]["by"] != "Amira", "answers leave under a pseudonym"
    rows = list(csv.DictReader(io.StringIO(downloaded(admin, "table").decode())))
    assert [row["item"] for row in rows] == [record["item"]]
    with zipfile.ZipFile(io.BytesIO(downloaded(admin, "the task's own format"))) as archive:
        assert "unions.csv" in archive.namelist()


@pytest.mark.long
def test_a_campaign_is_made_and_opened_without_javascript(
    bench: Any, window: Any, tmp_path: Path
) -> None:
    page = window(java_script_enabled=False)
    page.goto(bench.url + admin_link(bench.app.state.site))
    create(page)
    add_items(page, tmp_path)
    invite(page, "Amira")
    open_campaign(page)
    expect(page.get_by_role("region", name="Progress")).to_contain_text("0 of 2")


def test_excluding_somebody_asks_first_and_gives_their_items_to_others(
    admin: Page, window: Any, bench: Any, pairs: Any
) -> None:
    campaign = bench.campaign("union", pairs)
    join_and_answer(window(), bench.invitation(campaign), "Jonas")
    admin.goto(f"{bench.url}/campaigns/trial/annotators")
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
def test_progress_refreshes_by_itself(admin: Page, window: Any, bench: Any, pairs: Any) -> None:
    campaign = bench.campaign("union", pairs)
    admin.clock.install()
    admin.goto(f"{bench.url}/campaigns/trial")
    progress = admin.get_by_role("region", name="Progress")
    expect(progress).to_contain_text("0 of 2")
    join_and_answer(window(), bench.invitation(campaign), "Wei")
    admin.clock.run_for(10_500)
    expect(progress).to_contain_text("1 of 2")


@pytest.mark.long
def test_a_resume_link_carries_somebody_on_in_another_browser(
    admin: Page, window: Any, bench: Any, pairs: Any
) -> None:
    campaign = bench.campaign("union", pairs)
    join_and_answer(window(), bench.invitation(campaign), "Wei")
    admin.goto(f"{bench.url}/campaigns/trial/annotators")
    admin.get_by_role("link", name="Wei").click()
    admin.get_by_role("button", name="Show the link").click()
    link = admin.get_by_label("Link to carry on", exact=True).input_value()
    elsewhere = window()
    elsewhere.goto(link)
    expect(elsewhere).to_have_url(f"{bench.url}/work/trial")


def test_personal_data_is_downloaded_and_deleted_on_request(
    admin: Page, window: Any, bench: Any, pairs: Any
) -> None:
    campaign = bench.campaign("union", pairs)
    join_and_answer(window(), bench.invitation(campaign), "Zoë Quist")
    admin.goto(f"{bench.url}/campaigns/trial/annotators")
    admin.get_by_role("link", name="Zoë Quist").click()
    assert "Zoë Quist" in downloaded(admin, "personal data").decode()
    admin.get_by_role("button", name="Delete personal data").click()
    expect(admin.get_by_text("This cannot be undone")).to_be_visible()
    admin.get_by_role("button", name="Delete").click()
    expect(admin.get_by_role("table")).to_contain_text("deleted")
    expect(admin.get_by_role("table")).not_to_contain_text("Zoë Quist")


@pytest.mark.long
def test_a_revoked_invitation_lets_nobody_in(
    admin: Page, window: Any, bench: Any, pairs: Any
) -> None:
    bench.campaign("union", pairs)
    admin.goto(f"{bench.url}/campaigns/trial")
    link = invite(admin, "Ola")
    admin.get_by_role("button", name="Revoke: Ola").click()
    admin.get_by_role("button", name="Revoke").click()
    expect(admin.get_by_role("row", name="Ola")).to_contain_text("revoked")
    stranger = window(refused=True)
    answer = stranger.goto(link)
    assert answer is not None
    assert answer.status == 410
