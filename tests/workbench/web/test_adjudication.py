"""The API of adjudication."""

from __future__ import annotations

import json

import pytest

from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem

from ..crowd import LONG, OTHER, SHORT, UNIONS, Crowd, skipped, written
from .world import Browser, World, code

HERE = "/api/v1/campaigns/crowd/adjudication"
GOLD = "/campaigns/crowd/adjudicate/gold"


@pytest.fixture
def crowd(database: Database) -> Crowd:
    """Two people who agree on one item and differ on another."""
    crowd = Crowd(database, "union", UNIONS[:2])
    crowd.person({"pair-0": written(SHORT), "pair-1": written(SHORT)})
    crowd.person({"pair-0": written(SHORT), "pair-1": written(OTHER)})
    return crowd


@pytest.fixture
def manager(crowd: Crowd) -> Browser:
    """The manager of the campaign."""
    world = World(crowd.database)
    return world.signed_in(world.user("mia", "manager", campaigns=("crowd",)))


def test_an_item_comes_with_its_answers_and_a_start(manager: Browser) -> None:
    found = manager.get(f"{HERE}/pair-1").json()
    assert (found["module"], found["state"], found["decision"]) == ("union.js", "disputed", None)
    assert [one["answer"]["merged"] for one in found["answers"]] == [SHORT, OTHER]
    assert found["settled"]["merged"] in (SHORT, OTHER)
    assert found["differences"][0]["where"] == "Merged sentence"


def test_a_decision_is_stored_and_becomes_gold(manager: Browser) -> None:
    body = {"answer": written(LONG), "note": "Both lack the day.", "replaces": None}
    response = manager.post(f"{HERE}/pair-1", json=body)
    assert (response.status_code, response.json()["by"]) == (201, "user:mia")
    lines = manager.get(GOLD).text.splitlines()
    assert {one["item"]: one["how"] for one in map(json.loads, lines)} == {
        "pair-0": "rule",
        "pair-1": "person",
    }
    assert manager.get(f"{HERE}/pair-1").json()["decision"]["answer"] == written(LONG)


def test_a_decision_that_was_overtaken_is_refused(manager: Browser) -> None:
    manager.post(f"{HERE}/pair-1", json={"answer": skipped()})
    second = manager.post(f"{HERE}/pair-1", json={"answer": written(LONG)})
    assert code(second) == (409, "conflict")


def test_a_decision_names_the_answers_that_were_seen(manager: Browser, crowd: Crowd) -> None:
    seen = [one["id"] for one in manager.get(f"{HERE}/pair-1").json()["answers"]]
    crowd.person({"pair-0": written(SHORT), "pair-1": written(OTHER)})
    manager.post(f"{HERE}/pair-1", json={"answer": skipped(), "answers": seen})
    found = manager.get(f"{HERE}/pair-1").json()
    assert found["state"] == "overtaken"


def test_the_default_rule_is_the_tasks_own(database: Database) -> None:
    link = {"start": 0, "end": 6, "term": "Voters", "title": "Voting"}
    content = {"text": "Voters vote.", "candidates": [link]}
    crowd = Crowd(database, "mentions.confirm", [NewItem("v", content)])
    for person in range(7):
        crowd.person({"v": {"verdicts": [{"mention": link, "confirmed": person < 4}]}})
    world = World(database)
    manager = world.signed_in(world.user("mia", "manager", campaigns=("crowd",)))

    def winner(query: str) -> str:
        said: str = manager.get(f"{HERE}/v{query}").json()["differences"][0]["winner"]
        return said

    assert (winner(""), winner("?rule=six-of-ten"), winner("?rule=majority")) == ("no", "no", "yes")
    assert manager.get(GOLD).json()["rule"] == "six-of-ten"
    page = manager.get("/campaigns/crowd/adjudicate").text
    assert '<option value="six-of-ten" selected>' in page


def test_an_answer_or_a_rule_that_does_not_fit_is_refused(manager: Browser) -> None:
    assert manager.post(f"{HERE}/pair-1", json={"answer": {"type": "x"}}).status_code == 422
    assert manager.post(f"{HERE}/pair-1", json={"answer": 7}).status_code == 422
    assert manager.get(f"{HERE}/pair-1?rule=coin").status_code == 422
    assert manager.get(f"{HERE}/nothing").status_code == 404


def test_a_task_without_search_and_checks_has_neither(manager: Browser) -> None:
    asks = "/api/v1/campaigns/crowd/adjudicating"
    assert manager.get(f"{asks}/search?q=x").status_code == 404
    check = manager.post(f"{asks}/pair-1/check", json={"answer": {}})
    assert check.status_code == 404


def test_the_next_page_cycles_through_open_cases(manager: Browser, crowd: Crowd) -> None:
    here = "/campaigns/crowd/adjudicate"
    first = manager.get(f"{here}/next").headers["location"]
    assert first.startswith(f"{here}/")
    assert SHORT in manager.get(first).text
    manager.post(f"{HERE}/pair-1", json={"answer": skipped()})
    assert manager.get(f"{here}/next").headers["location"] == here
