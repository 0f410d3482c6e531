"""Consent to terms, and the return to a panel."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from tatian.workbench.campaigns import campaigns, items, people
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CONSENT, CampaignSettings, CampaignStage, Panel, Pay
from tatian.workbench.tasks import NewItem

from .world import SKIP, Browser, World, answer, assigned_item, code

WORK = "/api/v1/work/birds"
PANEL = Panel(
    code="DONE",
    failed="FAILED",
    excluded="OUT",
    over="OVER",
    redirect="https://panel.example/back?cc={code}",
)


def ask_for(world: World, campaign: Campaign, consent: str) -> None:
    with world.database.writing() as connection:
        settings = replace(campaign.settings, consent=consent)
        campaigns.change(connection, campaign.id, "test", settings=settings)


def sent_by_panel(world: World, campaign: Campaign, person: str = "p1") -> Browser:
    """Return the browser of a panel's participant on the work page."""
    link = world.invitation(campaign, kind="panel").partition("?")[0]
    browser = world.browser()
    browser.get(f"{link}?PROLIFIC_PID={person}")
    token = re.search(r'data-csrf="([^"]*)"', browser.get("/work/birds").text)
    assert token is not None
    browser.csrf = token[1]
    return browser


def completion_of(work: dict[str, Any]) -> tuple[str, str]:
    """Return the state and the completion code."""
    found = work["completion"]
    assert found["redirect"] == f"https://panel.example/back?cc={found['code']}"
    return work["state"], found["code"]


def test_terms_that_changed_while_read_are_shown_again(world: World) -> None:
    campaign = world.campaign(consent="Then.")
    link, browser = world.invitation(campaign), world.browser()
    read = re.search(r'name="terms" value="([^"]*)"', browser.get(link).text)
    assert read is not None
    ask_for(world, campaign, "Now.")
    refused = browser.form(link, consent="yes", terms=read[1])
    assert refused.status_code == 422
    assert "The terms have changed meanwhile" in refused.text
    assert "Now." in refused.text
    assert browser.form(link, consent="yes").status_code == 303


def test_the_api_accepts_only_the_current_terms(world: World) -> None:
    campaign = world.campaign(consent="Then.", panel=Panel())
    browser = sent_by_panel(world, campaign)
    read = browser.get(WORK).json()["asked"]["terms"]
    ask_for(world, campaign, "Now.")
    late = browser.post(f"{WORK}/consent", json={"terms": read})
    assert code(late) == (409, "conflict")
    asked = browser.get(WORK).json()["asked"]
    assert browser.post(f"{WORK}/consent", json={"terms": asked["terms"]}).status_code == 200
    assert assigned_item(browser)["stage"] == 0


def test_new_terms_are_asked_for_between_items_and_can_be_declined(world: World) -> None:
    campaign = world.campaign(consent="Then.", panel=PANEL)
    browser = sent_by_panel(world, campaign)
    asked = browser.get(WORK).json()
    assert (asked["state"], asked["completion"]) == ("consent", None)
    browser.post(f"{WORK}/consent", json={"terms": asked["asked"]["terms"]})
    mine = assigned_item(browser)["assignment"]
    ask_for(world, campaign, "Now.")
    assert assigned_item(browser)["assignment"] == mine
    answer(browser, mine)
    work = browser.get(WORK).json()
    assert (work["asked"]["again"], work["message"].strip()) == (True, "<p>Now.</p>")
    assert completion_of(work) == ("consent", "OVER")


def test_my_data_shows_agreements_with_their_times(world: World) -> None:
    campaign = world.campaign(consent="For **science** <b>only</b>.")
    page = world.annotator(campaign, consent="yes").get("/work/birds/privacy").text
    assert "What you agreed to" in page
    assert "For <strong>science</strong> &lt;b&gt;only&lt;/b&gt;." in page
    assert re.search(r"On 20\d\d-\d\d-\d\d \d\d:\d\d \(UTC\)", page)


def test_my_data_without_agreements_has_no_such_part(world: World) -> None:
    person = world.annotator(world.campaign())
    assert "What you agreed to" not in person.get("/work/birds/privacy").text


def test_people_who_fail_get_their_own_code(
    world: World,
) -> None:
    stages = (CampaignStage("lesson", pass_mark=0.9), CampaignStage("production"))
    campaign = world.campaign(stages=stages, panel=PANEL)
    gold = {"type": "written", "merged": "One says more.", "base": 0}
    with world.database.writing() as connection:
        content = {"sentences": ["One says 1.", "Two says more."]}
        items.add(connection, campaign, [NewItem("lesson", content, gold, stage=0)], "test")
    browser = sent_by_panel(world, campaign)
    answer(browser, assigned_item(browser)["assignment"], answer=SKIP)
    assert completion_of(browser.get(WORK).json()) == ("failed", "FAILED")


def test_excluded_people_get_their_own_code(world: World) -> None:
    campaign = world.campaign(panel=PANEL)
    browser = sent_by_panel(world, campaign)
    with world.database.writing() as connection:
        (person,) = people.list_people(connection, campaign)
        people.exclude(connection, campaign, person.id, "test")
    assert completion_of(browser.get(WORK).json()) == ("excluded", "OUT")


def test_people_without_a_free_item_can_leave(world: World) -> None:
    campaign = world.campaign(count=1, panel=PANEL)
    first, second = (sent_by_panel(world, campaign, person) for person in ("p1", "p2"))
    mine = assigned_item(first)["assignment"]
    assert completion_of(second.get(WORK).json()) == ("waiting", "OVER")
    answer(first, mine)
    assert completion_of(first.get(WORK).json()) == ("finished", "DONE")
    late = second.get(WORK).json()
    assert completion_of(late) == ("finished", "OVER")
    assert "nothing is left to do" in late["message"]


def test_people_at_work_are_sent_back_when_a_campaign_closes(world: World) -> None:
    campaign = world.campaign(panel=PANEL)
    browser = sent_by_panel(world, campaign)
    assigned_item(browser)
    with world.database.writing() as connection:
        campaigns.change(connection, campaign.id, "test", state="closed")
    assert completion_of(browser.get(WORK).json()) == ("closed", "OVER")


def test_people_with_all_items_done_have_finished_a_closed_campaign(world: World) -> None:
    campaign = world.campaign(count=1, panel=PANEL)
    browser = sent_by_panel(world, campaign)
    answer(browser, assigned_item(browser)["assignment"])
    with world.database.writing() as connection:
        campaigns.change(connection, campaign.id, "test", state="closed")
    work = browser.get(WORK).json()
    assert (work["state"], work["completion"]["code"]) == ("finished", PANEL.code)


def test_people_with_work_left_are_not_sent_back(world: World) -> None:
    browser = sent_by_panel(world, world.campaign(panel=PANEL))
    assert browser.get(WORK).json()["completion"] is None


@pytest.mark.parametrize("settings", [{"pay": Pay(1)}, {"panel": Panel()}])
def test_the_overview_warns_if_no_purpose_is_stated(world: World, settings: dict[str, Any]) -> None:
    world.campaign(**settings)
    admin = world.signed_in(world.user())
    warning = "nothing tells them what their answers are used for"
    assert warning in admin.get("/campaigns/birds").text
    world.change("birds", settings=CampaignSettings(consent=CONSENT, pay=Pay(1)))
    assert warning not in admin.get("/campaigns/birds").text


def test_an_annotators_page_shows_agreement_to_current_terms(world: World) -> None:
    campaign = world.campaign(consent="Then.")
    world.annotator(campaign, consent="yes")
    admin = world.signed_in(world.user())
    with world.database.reading() as connection:
        (person,) = people.list_people(connection, campaign)
    page = f"/campaigns/birds/annotators/{person.id}"
    assert "Agreed to the terms" in admin.get(page).text
    assert "to other terms" not in admin.get(page).text
    ask_for(world, campaign, "Now.")
    assert "to other terms" in admin.get(page).text
