"""Before and after the work: agreeing to terms that may change, and where the work ends."""

from __future__ import annotations

import re

from msgspec.structs import replace

from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CONSENT, CampaignSettings, Pay

from .world import World, answer, code, given

WORK = "/api/v1/work/birds"


def ask_for(world: World, campaign: Campaign, consent: str) -> None:
    with world.database.writing() as connection:
        settings = replace(campaign.settings, consent=consent)
        campaigns.change(connection, campaign.id, "test", settings=settings)


def test_terms_that_changed_while_somebody_read_them_are_shown_again(world: World) -> None:
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


def test_the_api_takes_an_agreement_to_the_terms_that_hold_and_no_others(world: World) -> None:
    campaign = world.campaign(consent="Then.")
    browser = world.annotator(campaign, consent="yes")
    ask_for(world, campaign, "Soon.")
    read = browser.get(WORK).json()["asked"]["terms"]
    ask_for(world, campaign, "Now.")
    late = browser.post(f"{WORK}/consent", json={"terms": read})
    assert code(late) == (409, "conflict")
    asked = browser.get(WORK).json()["asked"]
    assert browser.post(f"{WORK}/consent", json={"terms": asked["terms"]}).status_code == 200
    assert given(browser)["stage"] == 0


def test_new_terms_are_asked_for_between_items(world: World) -> None:
    campaign = world.campaign(consent="Then.")
    browser = world.annotator(campaign, consent="yes")
    mine = given(browser)["assignment"]
    ask_for(world, campaign, "Now.")
    assert given(browser)["assignment"] == mine
    answer(browser, mine)
    work = browser.get(WORK).json()
    assert (work["asked"]["again"], work["message"].strip()) == (True, "<p>Now.</p>")


def test_my_data_shows_what_somebody_agreed_to_and_when(world: World) -> None:
    campaign = world.campaign(consent="For **science** <b>only</b>.")
    page = world.annotator(campaign, consent="yes").get("/work/birds/privacy").text
    assert "What you agreed to" in page
    assert "For <strong>science</strong> &lt;b&gt;only&lt;/b&gt;." in page
    assert re.search(r"On 20\d\d-\d\d-\d\d \d\d:\d\d \(UTC\)", page)


def test_my_data_of_who_was_asked_nothing_has_no_such_part(world: World) -> None:
    person = world.annotator(world.campaign())
    assert "What you agreed to" not in person.get("/work/birds/privacy").text


def test_the_overview_warns_where_nobody_is_told_what_the_data_is_for(
    world: World,
) -> None:
    world.campaign(pay=Pay(1))
    admin = world.signed_in(world.user())
    warning = "nothing tells them what their answers are used for"
    assert warning in admin.get("/campaigns/birds").text
    world.change("birds", settings=CampaignSettings(consent=CONSENT, pay=Pay(1)))
    assert warning not in admin.get("/campaigns/birds").text


def test_whoever_finds_every_item_taken_waits_until_nothing_is_left(world: World) -> None:
    campaign = world.campaign(count=1)
    first, second = world.annotator(campaign), world.annotator(campaign)
    mine = given(first)["assignment"]
    assert second.get(WORK).json()["state"] == "waiting"
    answer(first, mine)
    assert first.get(WORK).json()["state"] == "finished"
    late = second.get(WORK).json()
    assert late["state"] == "finished"
    assert "nothing is left to do" in late["message"]


def test_whoever_did_all_there_was_has_finished_even_where_it_closed_at_once(world: World) -> None:
    campaign = world.campaign(count=1)
    busy = world.annotator(campaign)
    answer(busy, given(busy)["assignment"])
    with world.database.writing() as connection:
        campaigns.change(connection, campaign.id, "test", state="closed")
    assert busy.get(WORK).json()["state"] == "finished"
