"""Right answers from programs are checked, and a wrong one that is there already stops nobody."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from tatian.workbench.campaigns import audit
from tatian.workbench.settings import CampaignStage
from tatian.workbench.storage.tables import answers, items

from .world import SKIP, World, answer, code, given

CONTENT = {"sentences": ["One says it.", "Two says it."]}
RIGHT = {"type": "skipped", "reason": "no-consolidation"}
WRONG = {"type": "written", "merged": "Both.", "base": 5}
TRAINED = (CampaignStage("training", feedback=True), CampaignStage("unions"))
ITEMS = "/api/v1/campaigns/birds/items"


def item(**fields: Any) -> dict[str, Any]:
    return {"key": "first", "content": CONTENT, "stage": 0, **fields}


@pytest.mark.parametrize("gold", [WRONG, {}, {"type": "unheard of"}])
def test_items_with_gold_that_does_not_fit_are_refused(world: World, gold: Any) -> None:
    world.campaign(stages=TRAINED)
    program = world.program(world.user())
    assert code(program.post(ITEMS, json=[item(gold=gold)])) == (422, "bad_input")
    assert program.post(ITEMS, json=[item(gold=RIGHT)]).status_code == 201


def test_a_change_to_gold_that_does_not_fit_is_refused(world: World) -> None:
    world.campaign(stages=TRAINED)
    program = world.program(world.user())
    program.post(ITEMS, json=[item(gold=RIGHT)])
    assert code(program.patch(f"{ITEMS}/first", json={"gold": WRONG})) == (422, "bad_input")
    changed = program.patch(f"{ITEMS}/first", json={"gold": {**RIGHT, "note": "Why."}})
    assert changed.json()["gold"] == {**RIGHT, "note": "Why."}


def test_a_campaign_file_with_gold_that_does_not_fit_is_refused(world: World) -> None:
    world.campaign(stages=TRAINED)
    program = world.program(world.user())
    program.post(ITEMS, json=[item(gold=RIGHT)])
    exported = program.get("/api/v1/campaigns/birds/export?format=items").content
    broken = exported.replace(b'"no-consolidation"', b'"no-such-reason"')
    assert broken != exported
    world.campaign("owls", stages=TRAINED)
    brought = program.post("/api/v1/campaigns/owls/import?name=birds.jsonl", content=broken)
    assert code(brought) == (422, "bad_input")
    assert "first" in brought.json()["error"]["message"]


def test_an_answer_that_cannot_be_scored_is_stored_without_a_score(either: World) -> None:
    campaign = either.campaign(stages=TRAINED)
    either.program(either.user()).post(ITEMS, json=[item(gold=RIGHT)])
    with either.database.writing() as connection:
        broken = update(items).where(items.c.key == "first")
        connection.execute(broken.values(gold='{"type":"unheard of"}'))
    person = either.annotator(campaign)
    sent = answer(person, given(person)["assignment"])
    assert (sent.status_code, sent.json()["feedback"]) == (200, None)
    assert given(person)["stage"] == 1
    with either.database.reading() as connection:
        stored = connection.execute(select(answers.c.score, answers.c.answer)).one()
        noted = [one for one in audit.entries(connection, "birds") if "unscored" in one.action]
    assert stored.score is None
    assert [(one.actor, one.subject) for one in noted] == [(audit.SERVER, "first")]
    assert SKIP["reason"] in stored.answer
