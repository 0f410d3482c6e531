"""Accessibility of every page for annotators, tested with axe."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from tatian.workbench.campaigns import allocation
from tatian.workbench.campaigns.allocation import Assignment
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.storage.tables import assignments
from tatian.workbench.tasks import Json, NewItem, tasks

pytestmark = pytest.mark.long

LOOKS = (("desk", 1280, "light"), ("phone", 360, "dark"))
"""Between them both widths and both schemes."""
DRAFT = """async ([path, answer]) => {
  const { item } = await (await fetch(path)).json();
  const { stateOf } = await import(document.getElementById("app").dataset.module);
  const body = JSON.stringify({ revision: item.revision, draft: stateOf(answer, item.content) });
  const token = document.getElementById("app").dataset.csrf;
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": token };
  const sent = await fetch(`${path}/${item.assignment}/draft`, { method: "PUT", headers, body });
  return sent.status;
}"""
FOCUS = """() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const drawn = [one, one.closest("label"), one.parentElement].filter(Boolean)
    .some((node) => getComputedStyle(node).outlineStyle !== "none");
  return [`${one.tagName} ${one.textContent.trim().slice(0, 40)}`, drawn];
}"""
MOST_STOPS = 120
TASK = pytest.mark.parametrize("name", sorted(tasks.builtin))


def axe_findings(page: Page, axe: Any) -> dict[str, list[str]]:
    """Return axe's findings in each look."""
    wrong = {}
    for place, width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if findings := axe(page):
            wrong[f"{place}, {scheme}"] = findings
    return wrong


def wait_for_page(page: Page) -> Page:
    """Wait for the item and the instructions."""
    mounted(page)
    page.get_by_role("tabpanel").wait_for()
    return page


def mounted(page: Page) -> None:
    """Wait for the item."""
    page.locator("main .item > *").first.wait_for()


@TASK
def test_every_task_passes_axe(workbench: Any, join: Any, axe: Any, name: str) -> None:
    """Check the item, the instructions and the list of keys in all looks."""
    task = tasks.create(name)
    item = next(one for one in task.demo() if one.stage is None)
    page = wait_for_page(join(workbench.campaign(name, [item], guidelines=task.guidelines())))
    assert axe_findings(page, axe) == {}
    for tab in page.get_by_role("tab").all()[1:]:
        tab.click()
        assert axe(page, "#instructions") == []
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert axe(page) == []


@TASK
def test_feedback_passes_axe(workbench: Any, join: Any, axe: Any, name: str) -> None:
    """Check the feedback on the gold answer."""
    task = tasks.create(name)
    item = next(one for one in task.demo() if one.stage == 0)
    stages = (CampaignStage("training", feedback=True), CampaignStage("production"))
    campaign = workbench.campaign(name, [item], CampaignSettings(shuffled=False, stages=stages))
    page = wait_for_page(join(campaign))
    mine = only_assignment(workbench, campaign)
    answer = task.answer_to_page(mine.content, mine.seed, {}, one_answer(mine.gold or {}))
    path = f"/api/v1/work/{campaign.id}"
    assert page.evaluate(DRAFT, [path, answer]) == 200
    page.reload()
    mounted(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("region", name="How the answer compares")).to_be_visible()
    assert axe_findings(page, axe) == {}


def one_answer(gold: Json) -> Json:
    """Return the gold as an answer: at most two of the accepted phrases."""
    return {**gold, "phrases": gold["phrases"][:2]} if "phrases" in gold else gold


def only_assignment(workbench: Any, campaign: Campaign) -> Assignment:
    """Return the only assigned item."""
    with workbench.database.reading() as connection:
        id, annotator = connection.execute(select(assignments.c.id, assignments.c.annotator)).one()
        return allocation.get_assignment(connection, campaign, annotator, id)


@TASK
def test_tab_reaches_all_controls_with_visible_focus(workbench: Any, join: Any, name: str) -> None:
    task = tasks.create(name)
    item = next(one for one in task.demo() if one.stage is None)
    page = wait_for_page(join(workbench.campaign(name, [item], guidelines=task.guidelines())))
    page.evaluate("document.activeElement.blur()")
    stops: list[str] = []
    unseen: list[str] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at is None or (stops and at[0] == stops[0]):
            break
        stops.append(at[0])
        if not at[1]:
            unseen.append(at[0])
    else:
        raise AssertionError(f"Tab does not come to an end: {stops[-5:]}")
    assert "BUTTON Give back" in stops
    assert unseen == []


def test_screens_before_and_after_the_work_pass_axe(workbench: Any, axe: Any, browser: Any) -> None:
    settings = CampaignSettings(consent="You agree that **your answers** are published.")
    content = {"sentences": ["A ferry sank.", "The Alba sank in fog."]}
    campaign = workbench.campaign("union", [NewItem("one", content)], settings)
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    wrong: dict[str, Any] = {}
    page.goto(workbench.invitation(campaign))
    wrong["invitation"] = axe_findings(page, axe)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/work/**")
    page.get_by_role("button", name="Give back").click()
    wrong["question"] = axe_findings(page, axe)
    page.get_by_role("button", name="Give it back").click()
    page.get_by_role("heading", name="All done").or_(page.get_by_text("Nothing")).first.wait_for()
    wrong["end"] = axe_findings(page, axe)
    for place in (f"/work/{campaign.id}/privacy", "/sign-in", "/nowhere"):
        page.goto(workbench.url + place)
        wrong[place] = axe_findings(page, axe)
    context.close()
    assert {place: findings for place, findings in wrong.items() if findings} == {}
