"""Consent, the end, codes, waiting, sign-out and new instructions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tatian.workbench.campaigns import campaigns, guidelines
from tatian.workbench.campaigns.records import read_records
from tatian.workbench.settings import CampaignSettings, CampaignStage, Panel
from tatian.workbench.tasks import NewItem, tasks

from ...browser.test_accessibility import FAINT, nodes
from ...windows import rest
from .union_steps import (
    MERGED,
    STORM,
    button,
    expect_end,
    finish,
    merged,
    option,
    own_link,
    pair,
    to_highlights,
    to_writing,
)

OPERABLE = {"button", "link", "radio", "textbox", "checkbox", "option", "tab", "listbox"}


def skip(page: Page) -> None:
    button(page, "Skip these sentences").click()
    page.get_by_label("They disagree").check()
    button(page, "Submit").click()


def test_finishing_shows_the_code_and_the_panel_link(workbench: Any, join: Any) -> None:
    panel = Panel(code="C0DE", redirect="https://panel.example.org/done?cc={code}")
    page = join(
        workbench.campaign("union", [pair()], CampaignSettings(shuffled=False, panel=panel))
    )
    skip(page)
    expect_end(page)
    expect(page.get_by_text("C0DE", exact=True)).to_be_visible()
    link = page.get_by_role("link", name="Back to the panel")
    expect(link).to_have_attribute("href", "https://panel.example.org/done?cc=C0DE")


def test_failing_training_shows_a_message_and_the_panel_link(workbench: Any, join: Any) -> None:
    gold = {"type": "written", "merged": MERGED, "base": 0}
    stages = (CampaignStage("lesson", feedback=True, pass_mark=0.9), CampaignStage("unions"))
    lesson = NewItem("lesson", pair().content, gold, stage=0)
    panel = Panel(code="C0DE", failed="SORRY", redirect="https://panel.example.org/?cc={code}")
    settings = CampaignSettings(shuffled=False, stages=stages, panel=panel)
    page = join(workbench.campaign("union", [lesson, pair()], settings))
    skip(page)
    expect(page.get_by_text("Your mean was 0 of 100; 90 were needed.")).to_be_visible()
    button(page, "Continue").click()
    expect(page.get_by_role("heading", name="This is the end of the training")).to_be_visible()
    expect(page.get_by_text("SORRY", exact=True)).to_be_visible()
    expect(page.get_by_text("C0DE")).to_have_count(0)
    link = page.get_by_role("link", name="Back to the panel")
    expect(link).to_have_attribute("href", "https://panel.example.org/?cc=SORRY")


def test_changed_terms_need_consent_before_next_item(workbench: Any, join: Any, axe: Any) -> None:
    def ask_for(consent: str, requirements: str = "") -> None:
        settings = CampaignSettings(shuffled=False, consent=consent, requirements=requirements)
        with workbench.database.writing() as connection:
            campaigns.change(connection, campaign.id, "command line", settings=settings)

    campaign = workbench.campaign("union", [pair(key=key) for key in ("a", "b", "c")])
    page = join(campaign)
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    ask_for("May we **publish** it?")
    skip(page)
    expect(page.get_by_role("heading", name="Before you begin")).to_be_focused()
    expect(page.get_by_text("May we publish it?")).to_be_visible()
    button(page, "I agree").click()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    ask_for("May we sell it?", requirements="Fluent.")
    skip(page)
    expect(page.get_by_role("heading", name="The terms have changed")).to_be_focused()
    assert axe(page) == []
    button(page, "I meet these requirements and agree").click()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()


def test_a_closed_campaign_says_that_it_is_closed(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    to_writing(page, STORM, "Hillside")
    with page.expect_response(lambda reply: MERGED in (reply.request.post_data or "")):
        merged(page).fill(MERGED)
    expect(page.get_by_text("Draft saved")).to_be_visible()
    with workbench.database.writing() as connection:
        campaigns.change(connection, campaign.id, "command line", state="closed")
    button(page, "Submit").click()
    expect(page.get_by_role("alert").filter(has_text="This campaign is closed")).to_be_visible()
    expect(merged(page)).to_have_value(MERGED)
    button(page, "Go on").click()
    expect(page.get_by_role("heading", name="The campaign is closed")).to_be_visible()


def test_a_waiting_person_can_look_again(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    first = join(campaign)
    expect(first.get_by_role("heading", name="Step 1")).to_be_visible()
    second = join(campaign)
    expect(second.get_by_role("heading", name="Nothing to do at the moment")).to_be_visible()
    button(first, "Give back").click()
    button(first, "Give it back").click()
    expect(first.get_by_role("heading", name="Step 1")).to_have_count(0)
    button(second, "Look again").click()
    expect(second.get_by_role("heading", name="Step 1")).to_be_visible()


def test_an_answer_after_sign_out_is_sent_later(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    to_writing(page, STORM, "Hillside")
    own = own_link(page)
    page.context.clear_cookies()
    finish(page)
    expect(page.get_by_role("alert").filter(has_text="again")).to_be_visible()
    expect(merged(page)).to_have_value(MERGED)
    page.goto(own)
    expect_end(page)
    assert [one["merged"] for one in answers(campaign)] == [MERGED]
    left = page.evaluate("Object.keys(localStorage)")
    assert [key for key in left if "draft" in key or "outbox" in key] == []


def test_the_time_at_work_is_recorded(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    to_writing(page, STORM, "Hillside")
    expect(page.get_by_text("Draft saved")).to_be_visible()
    page.reload()
    expect(merged(page)).to_have_value(STORM)
    finish(page)
    expect_end(page)
    with workbench.database.reading() as connection:
        (record,) = read_records(connection, campaign)
    assert 0 < record.seconds < 120


def test_new_instructions_open_by_themselves(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    button(page, "Instructions").click()
    with workbench.database.writing() as connection:
        guidelines.add(connection, campaign.id, "Do it even better.", "command line")
    page.reload()
    expect(page.get_by_text("Do it even better.")).to_be_visible()


SHIFTS = """
  window.shifts = [];
  const note = (list) => list.getEntries().forEach(({value}) => window.shifts.push(value));
  new PerformanceObserver(note).observe({type: "layout-shift", buffered: true});
"""


def test_items_wait_for_their_style_and_instructions(workbench: Any, browser: Any) -> None:
    demo = [item for item in tasks.create("union.judge").demo() if item.stage in (None, 2)]
    campaign = workbench.campaign("union.judge", demo)
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(SHIFTS)
    arrived: list[str] = []

    def late(route: Route) -> None:
        rest(page)
        assert page.locator(".item").count() == 0
        arrived.append(route.request.url.rpartition("/")[2])
        route.continue_()

    page.route("**/judging.css", late)
    page.route("**/guidelines", late)
    page.goto(workbench.invitation(campaign))
    button(page, "Begin").click()
    expect(page.locator(".item .output").first).to_be_visible()
    expect(page.get_by_text("Do it well.")).to_be_visible()
    assert sorted(arrived) == ["guidelines", "judging.css"]
    page.wait_for_load_state("networkidle")
    assert sum(page.evaluate("window.shifts")) < 0.02
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_step_is_readable_and_operable_by_name(
    workbench: Any, join: Any, scheme: str
) -> None:
    page = join(workbench.campaign("union", [pair()]), color_scheme=scheme)
    to_highlights(page)
    option(page, "School").click()
    option(page, "Hillside").click()
    for step in ("1 Read", "2 Choose the base", "3 Highlight", "4 Write"):
        button(page, step).click()
        expect(button(page, step)).to_have_attribute("aria-current", "step")
        operable = [node for node in nodes(page) if node["role"] in OPERABLE]
        assert len(operable) > 10
        assert [node for node in operable if not node["name"].strip()] == []
        enabled = FAINT.replace("'.unseen, .skip'", "'.unseen, .jump, :disabled'")
        assert page.evaluate(enabled) == []


def test_the_personal_link_is_explained_and_can_be_copied(workbench: Any, join: Any) -> None:
    page = join(
        workbench.campaign("union", [pair()]), permissions=["clipboard-write", "clipboard-read"]
    )
    button(page, "My link").click()
    dialog = page.get_by_role("dialog", name="My link")
    expect(dialog).to_contain_text("on another device, or here if you lose this page")
    button(page, "Copy").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    address = dialog.get_by_label("Your personal link").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == address


def test_answers_are_listed_by_the_beginning_of_their_items(workbench: Any, join: Any) -> None:
    as_they_come = CampaignSettings(options={"shuffled": False})
    page = join(workbench.campaign("union", [pair()], as_they_come))
    skip(page)
    expect_end(page)
    button(page, "My answers").click()
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_contain_text("1. A storm tore")


def test_a_correction_begins_only_once_an_answer_is_chosen(workbench: Any, join: Any) -> None:
    gold = {"type": "written", "merged": MERGED, "base": 0}
    stages = (CampaignStage("lesson", feedback=True), CampaignStage("unions"))
    lesson = NewItem("lesson", pair().content, gold, stage=0)
    page = join(workbench.campaign("union", [lesson, pair()], CampaignSettings(stages=stages)))
    skip(page)
    button(page, "Continue").click()
    skip(page)
    expect_end(page)
    button(page, "My answers").click()
    dialog = page.get_by_role("dialog")
    expect(button(page, "Correct the chosen one")).to_be_disabled()
    last, training = dialog.get_by_role("radio").all()
    expect(training).to_be_disabled()
    expect(training).to_have_accessible_description(re.compile("Training answers are not"))
    expect(last).to_have_accessible_description("")
    last.check()
    expect(button(page, "Correct the chosen one")).to_be_enabled()
    row = dialog.get_by_role("listitem").first
    assert re.search(r"… \d", row.inner_text())
