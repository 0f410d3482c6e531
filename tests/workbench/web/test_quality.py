"""Pages about quality: dashboard, payments, requirements."""

from __future__ import annotations

import csv
import io
from typing import Any

from tatian.workbench.settings import CampaignStage, Pay
from tatian.workbench.tasks import NewItem

from .world import World, answer, assigned_item

ONE = "/campaigns/birds"
GOLD = {"type": "written", "base": 0, "merged": "One says it."}


def browsers_with_skips(world: World, people: int = 2, **settings: Any) -> list[Any]:
    """Return browsers of people who skipped every item."""
    campaign = world.campaign(annotators=3, **settings)
    browsers = [world.annotator(campaign, name=f"P{number}") for number in range(people)]
    for number, browser in enumerate(browsers):
        for _ in range(3):
            answer(browser, assigned_item(browser)["assignment"], seconds=30.0 + number)
    return browsers


def manager(world: World) -> Any:
    return world.signed_in(world.user("maya", "manager", campaigns=("birds",)))


def test_payments_are_a_file(either: World) -> None:
    browsers_with_skips(either, pay=Pay(item=0.3))
    response = manager(either).get(f"{ONE}/payments")
    assert response.headers["content-disposition"] == 'attachment; filename="birds.payments.csv"'
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [row["amount"] for row in rows] == ["0.90", "0.90"]


def test_a_campaign_without_pay_has_no_payroll(world: World) -> None:
    browsers_with_skips(world)
    assert manager(world).get(f"{ONE}/payments").status_code == 422


def test_the_dashboard_shows_the_monitoring_data(either: World) -> None:
    browsers_with_skips(
        either, pay=Pay(item=0.3, least_hourly=100), test_every=9, test_mark=0.5, least=5
    )
    page = either.signed_in(either.user()).get("/campaigns/birds/dashboard")
    assert page.status_code == 200
    for title in ("Answers so far", "Median time", "An hour (mean)"):
        assert title in page.text
    assert "less than 100.00" in page.text
    assert "fewer than 5 items so far" in page.text
    assert "Pass mark: Hidden tests" in page.text


def test_an_empty_dashboard_says_what_is_missing(world: World) -> None:
    world.campaign()
    page = world.signed_in(world.user()).get("/campaigns/birds/dashboard")
    assert "No item has two answers yet." in page.text
    assert "Nobody has joined yet." in page.text


def test_requirements_and_pay_are_shown_before_joining(world: World) -> None:
    wanted = "Native **English**, 98 % approved <b>"
    campaign = world.campaign(requirements=wanted, pay=Pay(0.3, 1.25, 100))
    page = world.browser().get(world.invitation(campaign)).text
    assert "Native <strong>English</strong>, 98 % approved &lt;b&gt;" in page
    assert "You are paid 0.30 USD for each item, and a bonus of 1.25 USD for every 100" in page


def test_a_pass_mark_is_shown_with_the_button_to_promote(world: World) -> None:
    stages = (CampaignStage("school", pass_mark=0.8), CampaignStage("production"))
    campaign = world.campaign(stages=stages)
    world.add(campaign, NewItem("l", {"sentences": ["One.", "Two."]}, GOLD, 0))
    browser = world.annotator(campaign)
    assert assigned_item(browser)["stage"] == 0
    admin = world.signed_in(world.user())
    (person,) = world.people(campaign)
    place = f"/campaigns/birds/annotators/{person.id}"
    assert "Pass mark: 80%" in admin.get(place).text
    sent = admin.submit(f"{place}/promote")
    assert sent.headers["location"] == f"{place}?done=promoted"
    assert "Annotator promoted to the next stage." in admin.get(sent.headers["location"]).text
    assert assigned_item(browser)["stage"] == 1
    assert admin.submit(f"{place}/promote").status_code == 409
