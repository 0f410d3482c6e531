"""Adjudication on every task's page: answers are shown, used and saved."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tatian.workbench.quality.cases import current_decisions
from tatian.workbench.quality.gold import gold_files
from tatian.workbench.tasks import Json, NewItem, tasks
from tatian.workbench.tasks.agreement import VotingRule

from ...crowd import Crowd
from ..union_steps import button


def flipped(gold: Json) -> Json:
    verdicts = [{**one, "confirmed": not one["confirmed"]} for one in gold["verdicts"]]
    return {"verdicts": verdicts}


def lowest(gold: Json) -> Json:
    return {
        "systems": {name: dict.fromkeys(ratings, 1) for name, ratings in gold["systems"].items()}
    }


def none_wrong(gold: Json) -> Json:
    return {"chosen": dict.fromkeys(gold["chosen"], "no error")}


TASKS: dict[str, tuple[str, Any, Any]] = {
    "aggregation": (
        "training-skaters",
        lambda gold: {"phrases": gold["phrases"][:1]},
        lambda gold: {"phrases": []},
    ),
    "coreference": ("training-2", dict, lambda gold: {"markables": []}),
    "mentions.confirm": ("training-1", dict, flipped),
    "mentions.detect": ("training-1", dict, lambda gold: {"mentions": []}),
    "union": (
        "training-roof",
        dict,
        lambda gold: {"type": "skipped", "reason": "disagreement"},
    ),
    "union.judge": ("training-1", dict, lowest),
    "union.mark": ("training-1", dict, lambda gold: {}),
    "union.errors": ("training-1", dict, none_wrong),
    "union.skips": ("training-1", dict, lambda gold: {"chosen": {"category": "mistake"}}),
    "union.relations": ("training-1", dict, lambda gold: {}),
}
SETTLED = {"mentions.confirm"}
"""Tasks in which any rule settles what two people say differently."""


def test_every_task_is_tried() -> None:
    assert set(TASKS) == set(tasks.names())


@pytest.mark.parametrize("name", TASKS)
def test_answers_are_compared_used_and_saved(workbench: Any, adjudicator: Any, name: str) -> None:
    key, right, wrong = TASKS[name]
    (item,) = (one for one in tasks.create(name).demo() if one.key == key)
    gold = {field: value for field, value in (item.gold or {}).items() if field != "note"}
    crowd = Crowd(workbench.database, name, [NewItem(key, item.content)])
    crowd.person({key: right(gold)})
    crowd.person({key: wrong(gold)})
    page = adjudicator(crowd)
    if name in SETTLED:
        expect(page.get_by_text("1 item: 0 left to you, 1 settled")).to_be_visible()
        page.get_by_role("link", name=key).click()
    else:
        expect(page.get_by_text("1 item: 1 left to you")).to_be_visible()
        page.get_by_role("link", name="Decide the next one").click()
    state = "settled" if name in SETTLED else "open"
    expect(page.get_by_role("table")).to_contain_text(state)
    expect(page.locator(".deciding")).not_to_be_empty()
    page.get_by_role("button", name=re.compile("^Take this answer: 2,")).click()
    page.get_by_role("button", name=re.compile("^Take this answer: 1,")).click()
    # By keys: the names of the linked pages come later, and move the buttons under the mouse.
    button(page, "Undo").press("Enter")
    button(page, "Redo").press("Enter")
    button(page, "Save and next").click()
    expect(page.get_by_text("Nothing more is left to decide")).to_be_visible()
    with crowd.database.reading() as connection:
        answer = current_decisions(connection, crowd.campaign)[key].answer
    both: Any = crowd.task
    assert (
        both.settle(item.content, {"made": answer, "right": right(gold)}, VotingRule()).differences
        == ()
    )
    exported = {one.name: one.data for one in gold_files(crowd.database, "crowd")}
    assert exported.pop("provenance.jsonl").count(b"\n") == 1
    assert any(exported.values())
