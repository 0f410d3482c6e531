"""Checks of gold in files, and invalid stored gold."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from tatian.errors import InputError
from tatian.workbench.campaigns import audit
from tatian.workbench.settings import CampaignStage
from tatian.workbench.storage.tables import answers, items
from tatian.workbench.tasks import NewItem, tasks

from .world import SKIP, World, answer, assigned_item

CONTENT = {"sentences": ["One says it.", "Two says it."]}
RIGHT = {"type": "skipped", "reason": "no-consolidation"}
WRONG = {"type": "written", "merged": "Both.", "base": 5}
TRAINED = (CampaignStage("training", feedback=True), CampaignStage("unions"))


def item(gold: Any) -> NewItem:
    task = tasks.create("union")
    content = task.content(CONTENT)
    return NewItem("first", content, task.gold(content, gold), 0)


@pytest.mark.parametrize("gold", [WRONG, {}, {"type": "unheard of"}])
def test_items_with_invalid_gold_are_refused(world: World, gold: Any) -> None:
    campaign = world.campaign(stages=TRAINED)
    with pytest.raises(InputError):
        world.add(campaign, item(gold))
    world.add(campaign, item(RIGHT))


def test_an_answer_that_cannot_be_scored_is_stored_without_a_score(either: World) -> None:
    campaign = either.campaign(stages=TRAINED)
    either.add(campaign, item(RIGHT))
    with either.database.writing() as connection:
        broken = update(items).where(items.c.key == "first")
        connection.execute(broken.values(gold='{"type":"unheard of"}'))
    person = either.annotator(campaign)
    sent = answer(person, assigned_item(person)["assignment"])
    assert (sent.status_code, sent.json()["feedback"]) == (200, None)
    assert assigned_item(person)["stage"] == 1
    with either.database.reading() as connection:
        stored = connection.execute(select(answers.c.score, answers.c.answer)).one()
        noted = [one for one in audit.list_entries(connection, "birds") if "unscored" in one.action]
    assert stored.score is None
    assert [(one.actor, one.subject) for one in noted] == [(audit.SERVER, "first")]
    assert SKIP["reason"] in stored.answer
