"""A campaign that confirms what another gathered is made on the admin's pages."""

from __future__ import annotations

import json

import pytest

from tatian.workbench.campaigns import campaigns, items
from tatian.workbench.campaigns.answer_files import add_records
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.tasks import NewItem, tasks

from .world import Browser, World

PLACE = "/campaigns/links/confirmation"
TEXT = "The voters choose; then voters wait."
ANSWER = {"mentions": [{"start": 4, "end": 10, "term": "voters", "title": "Voting"}]}
RECORD = {
    "id": "r1", "task": "mentions.detect", "item": "v", "answer": ANSWER,
    "made": {"by": "ann", "kind": "person", "at": "2026-01-02T03:04:05Z"},
}  # fmt: skip


@pytest.fixture
def admin(world: World) -> Browser:
    """Somebody who runs a campaign in which one person has linked one term."""
    with world.database.writing() as connection:
        chosen = CampaignSettings()
        made = campaigns.create(connection, "links", "mentions.detect", "Links", chosen, "Go.", "t")
        new = NewItem("v", {"text": TEXT, "topic": "Elections"})
        items.add(connection, made, [new], "t")
        task, data = tasks.create("mentions.detect"), json.dumps(RECORD).encode()
        assert add_records(connection, made, task, "r.jsonl", data, "t").added == 1
    return world.signed_in(world.user())


def test_the_form_makes_it(world: World, admin: Browser) -> None:
    assert PLACE in admin.get("/campaigns/links/export").text
    filled_in = {"title": "Judge", "id": "judge", "annotators": "7", "repeats": "yes"}
    assert admin.form(PLACE, **{**filled_in, "annotators": "none"}).status_code == 422
    assert admin.form(PLACE, **filled_in).headers["location"] == "/campaigns/judge?done=created"
    judge = world.get("judge")
    assert (judge.task, judge.settings.annotators) == ("mentions.confirm", 7)
    with world.database.reading() as connection:
        (item,) = items.listed(connection, judge)
    assert [one["title"] for one in item.content["candidates"]] == ["Voting", "Voting"]
    assert "already" in admin.form(PLACE, **filled_in).text


def test_only_mention_detection_has_a_second_round(world: World, admin: Browser) -> None:
    world.campaign("birds")
    assert "confirmation" not in admin.get("/campaigns/birds/export").text
    assert admin.get("/campaigns/birds/confirmation").status_code == 422
    filled_in = {"title": "Judge", "id": "judge", "annotators": "7"}
    assert admin.submit("/campaigns/birds/confirmation", **filled_in).status_code == 422


def test_a_manager_makes_no_campaigns(world: World, admin: Browser) -> None:
    manager = world.signed_in(world.user("maya", "manager", campaigns=("links",)))
    assert "confirmation" not in manager.get("/campaigns/links/export").text
    assert manager.submit(PLACE, title="Judge", id="judge", annotators="7").status_code == 403
