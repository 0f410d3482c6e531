"""Responses to annotators reveal neither systems nor hidden tests."""

from __future__ import annotations

import secrets
from typing import Any

from tatian.knowledge.base import STARTER, base_path
from tatian.workbench.campaigns import campaigns, items
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import NewItem, tasks

from .world import Browser, World, assigned_item

SECRET = ("omega-nine", "alpha-two", "HIDDEN", "PLAIN", "TRAIN", "gold", "score", '"test"')
WORK = "/api/v1/work/judged"


def annotator_of_blind_campaign(world: World) -> Browser:
    """A person in a campaign with training, hidden tests and items of two systems."""
    content = {
        "sentences": ["One thing.", "Another thing."],
        "reference": "One thing and another.",
        "systems": {"omega-nine": "One thing.", "alpha-two": "Another thing."},
    }
    ratings = {"coverage": 2, "faithfulness": 4, "redundancy": 4, "fluency": 5}
    gold = {"systems": {"omega-nine": ratings, "alpha-two": ratings}}
    settings = CampaignSettings(
        stages=(CampaignStage("lesson"), CampaignStage("judging")), test_every=2
    )
    with world.database.writing() as connection:
        campaign = campaigns.create(
            connection, "judged", "union.judge", "J", settings, "Go.", "test"
        )
        new = [NewItem("TRAIN-1", content, gold, 0), NewItem("HIDDEN-1", content, gold, test=True)]
        new += [NewItem(f"PLAIN-{n}", content) for n in range(3)]
        items.add(connection, campaign, new, "test")
        campaign = campaigns.change(connection, "judged", "test", state="open")
    return world.annotator(campaign, name="Ann")


def answer(person: Browser, item: dict[str, Any]) -> None:
    names = [one["name"] for one in item["content"]["criteria"]]
    ratings = {name: [3] * len(item["content"]["outputs"]) for name in names}
    body = {"nonce": secrets.token_hex(8), "answer": {"ratings": ratings}, "seconds": 1.0}
    sent = person.post(f"{WORK}/{item['assignment']}/answer", json=body)
    assert sent.status_code == 200, sent.text


def test_nothing_sent_to_an_annotator_unblinds(world: World) -> None:
    person = annotator_of_blind_campaign(world)
    responses: list[str] = []
    for _ in range(4):
        responses.append(person.get(WORK).text)
        item = assigned_item(person, "judged")
        draft = {"revision": 0, "draft": {"ratings": {}}}
        person.put(f"{WORK}/{item['assignment']}/draft", json=draft)
        answer(person, item)
        responses.append(person.get(f"{WORK}/{item['assignment']}").text)
    last = assigned_item(person, "judged")["assignment"]
    person.post(f"{WORK}/{last}/return", json={"reason": "too hard"})
    page = "/work/judged"
    ways = (f"{WORK}/mine", page, f"{page}/privacy", f"{page}/privacy/download")
    responses += [person.get(path).text for path in ways]
    for text in responses:
        assert [word for word in SECRET if word in text] == []


def test_own_data_contain_every_answer_and_action(world: World) -> None:
    person = annotator_of_blind_campaign(world)
    item = assigned_item(person, "judged")
    answer(person, item)
    mine = person.get("/work/judged/privacy/download").json()
    assert [one["assignment"] for one in mine["answers"]] == [item["assignment"]]
    assert set(mine["answers"][0]["answer"]["ratings"]) == {
        one["name"] for one in item["content"]["criteria"]
    }
    assert mine["assignments"][0]["state"] == "done"
    assert "annotator.enter" in {one["action"] for one in mine["audit"]}


def test_annotators_do_not_see_paths_of_the_server(world: World) -> None:
    content = tasks.create("mentions.detect").demo()[-1].content
    path = str(base_path(STARTER))
    settings = CampaignSettings(options={"base": path})
    with world.database.writing() as connection:
        campaign = campaigns.create(
            connection, "linked", "mentions.detect", "L", settings, "Go.", "test"
        )
        items.add(connection, campaign, [NewItem("1", content)], "test")
        campaign = campaigns.change(connection, "linked", "test", state="open")
    assert path not in world.annotator(campaign).get("/api/v1/work/linked").text
