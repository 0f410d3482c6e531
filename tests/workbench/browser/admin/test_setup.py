"""Creation of campaigns in the browser: items, invitations, settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.campaigns import campaigns, items
from tatian.workbench.protocols import PROTOCOLS
from tatian.workbench.settings import CampaignSettings, CampaignStage, Pay
from tatian.workbench.tasks import NewItem, tasks
from tatian.workbench.web.server import admin_link

from ...crowd import Crowd
from .test_running import invite, join_and_write, open_campaign, tab

PAIRS = """\
first,second
A ferry sank.,The old ferry sank in May.
A bridge fell.,An old bridge fell.
"""
ANSWERED = """\
sentence1Text,sentence2Text,gold
A boat sank.,A boat sank off Brest.,A boat sank off Brest.
"""


@pytest.fixture
def admin(workbench: Any, window: Any) -> Page:
    """An admin whose pages may show refused requests."""
    page: Page = window(refused=True)
    page.goto(workbench.url + admin_link(workbench.app.state.site))
    return page


def create_campaign(admin: Page, workbench: Any, title: str, asks: str) -> str:
    """Create a campaign by the form and return its id."""
    admin.goto(f"{workbench.url}/campaigns")
    admin.get_by_role("link", name="New campaign").click()
    admin.get_by_label("Title").fill(title)
    admin.get_by_label("What is asked").select_option(asks)
    admin.get_by_role("button", name="Create the campaign").click()
    expect(admin.get_by_role("status")).to_contain_text("as a draft")
    return admin.url.split("/campaigns/")[1].partition("/")[0]


def read_campaign(workbench: Any, id: str) -> campaigns.Campaign:
    with workbench.database.reading() as connection:
        return campaigns.get(connection, id)


def test_a_new_campaign_gets_an_answer_of_an_invited_person(
    admin: Page, workbench: Any, window: Any, axe: Any, tmp_path: Path
) -> None:
    id = create_campaign(admin, workbench, "Ferries & bridges", "union")
    assert id == "ferries-bridges"
    file = tmp_path / "pairs.csv"
    file.write_text(PAIRS)
    admin.get_by_label("File").set_input_files(file)
    look = admin.get_by_role("button", name="Preview the first item")
    look.click()
    expect(admin.get_by_role("alert")).to_contain_text("no column 'sentence1Text'")
    admin.get_by_label("Columns of other names").fill("sentence1Text=first\nsentence2Text=second")
    look.click()
    expect(admin.get_by_text("2 items.")).to_be_visible()
    expect(admin.locator("#preview")).to_contain_text("The old ferry sank in May.")
    assert axe(admin) == []
    admin.get_by_role("button", name="Add these items").click()
    expect(admin.get_by_role("status")).to_contain_text("Items imported")
    link = invite(admin, "Amira")
    open_campaign(admin)
    join_and_write(window(), link, "Amira")
    tab(admin, "Overview")
    expect(admin.get_by_role("region", name="Progress")).to_contain_text("1 of 2")
    tab(admin, "Agreement")
    expect(admin.get_by_text("No item has two answers yet.")).to_be_visible()


def test_items_cannot_be_sent_before_the_script_runs(admin: Page, workbench: Any) -> None:
    id = create_campaign(admin, workbench, "Unions", "union")
    admin.route("**/admin/adding.js", lambda route: route.abort())
    admin.goto(f"{workbench.url}/campaigns/{id}/items/add")
    expect(admin.get_by_role("button", name="Preview the first item")).to_be_disabled()


def test_pasted_items_go_to_the_stage_that_was_chosen(admin: Page, workbench: Any) -> None:
    id = create_campaign(admin, workbench, "Unions", "protocol:union-2023")
    admin.get_by_label("Or pasted text").fill(ANSWERED)
    admin.get_by_label("Where they go").select_option("recruitment (training)")
    admin.get_by_role("button", name="Preview the first item").click()
    expect(admin.get_by_text("1 item, 1 with a right answer.")).to_be_visible()
    admin.get_by_role("button", name="Add these items").click()
    expect(admin.get_by_role("status")).to_contain_text("Items imported")
    campaign = read_campaign(workbench, id)
    assert campaign.settings.pay == PROTOCOLS["union-2023"].settings.pay
    with workbench.database.reading() as connection:
        (item,) = items.list_items(connection, campaign)
    assert item.stage == 0


def test_every_setting_is_in_the_form_and_is_kept(admin: Page, workbench: Any, axe: Any) -> None:
    id = create_campaign(admin, workbench, "Judged", "union.judge")
    tab(admin, "Settings")
    admin.get_by_label("Annotators", exact=True).fill("3")
    admin.get_by_label("Name 1").fill("practice")
    admin.get_by_label("Show the right answer 1").check()
    admin.get_by_label("Pass mark 1").fill("0.7")
    admin.get_by_label("Name 2").fill("judging")
    admin.get_by_label("Rule of adjudication").select_option("two-of-three")
    admin.get_by_label("Set pay").check()
    admin.get_by_label("For each item").fill("0.4")
    admin.get_by_label("Criteria").fill("coverage, fluency")
    admin.get_by_label("Consent", exact=True).fill("You agree.")
    assert axe(admin) == []
    admin.get_by_role("button", name="Save the settings").click()
    expect(admin.get_by_role("status")).to_contain_text("Saved.")
    assert read_campaign(workbench, id).settings == CampaignSettings(
        annotators=3,
        stages=(CampaignStage("practice", True, 0.7), CampaignStage("judging")),
        rule="two-of-three",
        pay=Pay(item=0.4),
        options={"criteria": ["coverage", "fluency"], "sources": False},
        consent="You agree.",
    )
    admin.get_by_role("button", name="Save the settings").click()
    assert read_campaign(workbench, id).settings.pay == Pay(item=0.4), (
        "what was saved is what is shown"
    )


def test_errors_are_shown_beside_their_fields(admin: Page, workbench: Any) -> None:
    create_campaign(admin, workbench, "Wrong", "union")
    tab(admin, "Settings")
    admin.get_by_label("Annotators", exact=True).fill("many")
    admin.get_by_label("Mark of the tests").fill("7")
    admin.get_by_role("button", name="Save the settings").click()
    alert = admin.get_by_role("alert")
    expect(alert).to_contain_text("Annotators: A whole number, please.")
    expect(alert).to_contain_text("Mark of the tests: 0 to 1, please.")
    expect(admin.get_by_label("Annotators", exact=True)).to_have_value("many")


def test_instructions_are_saved_as_a_new_version(admin: Page, workbench: Any) -> None:
    create_campaign(admin, workbench, "Told", "union")
    tab(admin, "Settings")
    admin.get_by_label("Instructions").fill("## Do it\n\nWell.")
    admin.get_by_role("button", name="Save as a new version").click()
    expect(admin.get_by_text("this is version 2")).to_be_visible()


def test_a_duplicate_title_asks_for_another_id(admin: Page, workbench: Any) -> None:
    create_campaign(admin, workbench, "Twice", "union")
    admin.goto(f"{workbench.url}/new-campaign")
    admin.get_by_label("Title").fill("Twice")
    admin.get_by_role("button", name="Create the campaign").click()
    expect(admin.get_by_role("alert")).to_contain_text("There is a campaign 'twice' already")


def test_a_button_creates_the_second_round_of_detection(admin: Page, workbench: Any) -> None:
    item = next(one for one in tasks.create("mentions.detect").demo() if one.gold)
    answer = {"mentions": (item.gold or {})["mentions"]}
    crowd = Crowd(workbench.database, "mentions.detect", [NewItem("zoos", item.content)])
    crowd.person({"zoos": answer})
    admin.goto(f"{workbench.url}/campaigns/{crowd.campaign.id}")
    admin.get_by_role("button", name="Create the second round").click()
    expect(admin.get_by_role("status")).to_contain_text("Second round created")
    assert read_campaign(workbench, f"{crowd.campaign.id}-confirmed").task == "mentions.confirm"


@pytest.mark.long
@pytest.mark.parametrize("name", tasks.names())
def test_people_can_be_invited_to_a_new_campaign_of_any_task(
    admin: Page, workbench: Any, window: Any, axe: Any, name: str
) -> None:
    """The first item is shown, and an invited person gets an item."""
    create_campaign(admin, workbench, "Any", name)
    demo = (tasks.create(name).folder / "demo.jsonl").read_text("utf-8").splitlines()
    produced = [line for line in demo if '"stage"' not in line]
    admin.get_by_label("Or pasted text").fill("\n".join(produced))
    admin.get_by_role("button", name="Preview the first item").click()
    expect(admin.locator("#preview")).not_to_be_empty()
    assert axe(admin) == []
    admin.get_by_role("button", name="Add these items").click()
    admin.wait_for_url("**/items?done=imported")
    link = invite(admin, "Amira")
    open_campaign(admin)
    page = window()
    page.goto(link)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
    expect(page.get_by_role("button", name="Give back")).to_be_visible()


@pytest.mark.long
def test_three_people_work_on_the_same_item(admin: Page, workbench: Any, window: Any) -> None:
    create_campaign(admin, workbench, "Any", "union")
    demo = (tasks.create("union").folder / "demo.jsonl").read_text("utf-8").splitlines()
    admin.get_by_label("Or pasted text").fill(next(one for one in demo if '"stage"' not in one))
    admin.get_by_role("button", name="Preview the first item").click()
    admin.get_by_role("button", name="Add these items").click()
    admin.wait_for_url("**/items?done=imported")
    tab(admin, "Settings")
    admin.get_by_label("Annotators", exact=True).fill("3")
    admin.get_by_role("button", name="Save the settings").click()
    links = [invite(admin, person) for person in ("Amira", "Bo", "Cid")]
    open_campaign(admin)
    for link in links:
        page = window()
        page.goto(link)
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_role("button", name="Give back")).to_be_visible()
    tab(admin, "Annotators")
    expect(admin.get_by_role("row")).to_have_count(4)
