"""The API of answer checks."""

from __future__ import annotations

from typing import Any

import pytest

from tatian.workbench.campaigns import campaigns, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.tasks import NewItem

from .world import Browser, World, assigned_item, code

TEXT = "The boys and girls enjoy their breakfast."
QUIET = {"checks": True, "phrases": False}
MARKS = [{"id": "1", "start": 0, "end": 18}, {"id": "2", "start": 4, "end": 24}]


@pytest.fixture
def chains(world: World) -> Campaign:
    settings = CampaignSettings(annotators=2, options=QUIET)
    with world.database.writing() as connection:
        campaign = campaigns.create(
            connection, "chains", "coreference", "C", settings, "Go.", "test"
        )
        items.add(connection, campaign, [NewItem("one", {"text": TEXT})], "test")
        return campaigns.change(connection, "chains", "test", state="open")


def request_check(person: Browser, assignment: Any, campaign: str = "chains", **body: Any) -> Any:
    body.setdefault("answer", {"markables": MARKS})
    return person.post(f"/api/v1/work/{campaign}/{assignment}/check", json=body)


def test_the_rules_check_an_unfinished_answer(world: World, chains: Campaign) -> None:
    person = world.annotator(chains)
    mine = assigned_item(person, "chains")["assignment"]
    answer = request_check(person, mine)
    assert answer.status_code == 200
    rules = {note["rule"] for note in answer.json()["notes"]}
    assert "crossing-mentions" in rules
    assert answer.json()["phrases"] is None
    assert assigned_item(person, "chains")["draft"] is None


def test_invalid_markup_is_refused_with_a_message(world: World, chains: Campaign) -> None:
    person = world.annotator(chains)
    mine = assigned_item(person, "chains")["assignment"]
    assert code(request_check(person, mine, answer={"markables": [{"id": 3}]})) == (
        422,
        "bad_request",
    )
    assert code(request_check(person, mine, more=1)) == (422, "bad_request")


def test_a_task_without_rules_has_no_checks(world: World) -> None:
    birds = world.campaign()
    person = world.annotator(birds)
    mine = assigned_item(person)["assignment"]
    assert code(request_check(person, mine, "birds")) == (404, "not_found")
