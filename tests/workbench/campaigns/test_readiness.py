"""Campaigns that cannot work as they are set say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tatian.workbench.campaigns import items, progress
from tatian.workbench.settings import CONSENT, CampaignStage, Pay

from .conftest import RIGHT, Room

Rooms = Callable[..., Room]
STAGES = (CampaignStage("practice"), CampaignStage("production"))


def warnings(room: Room) -> list[str]:
    with room.database.reading() as connection:
        return progress.warnings(connection, room.campaign)


def test_a_working_campaign_has_no_warnings(room: Rooms) -> None:
    made = room(stages=STAGES, test_every=2, test_mark=0.5, pay=Pay(1), consent=CONSENT)
    made.items(1, "practice", gold=RIGHT, stage=0)
    made.items(1, "test", gold=RIGHT, test=True)
    made.items(2)
    assert warnings(made) == []


def test_a_campaign_without_items_says_so_alone(room: Rooms) -> None:
    made = room(stages=STAGES, test_every=2)
    assert warnings(made) == ["there are no items: nobody has anything to do"]


def test_items_that_are_retired_do_not_count(room: Rooms) -> None:
    made = room()
    (key,) = made.items(1)
    with made.database.writing() as connection:
        items.change(connection, made.campaign, key, "test", retired=True)
    assert warnings(made) == ["there are no items: nobody has anything to do"]


@pytest.mark.parametrize(("filled", "empty"), [(0, "production"), (1, "practice")])
def test_a_stage_without_items_is_named(room: Rooms, filled: int, empty: str) -> None:
    made = room(stages=STAGES)
    made.items(1, gold=RIGHT, stage=filled)
    assert warnings(made) == [f"stage '{empty}' has no items ('stages' in its settings)"]


@pytest.mark.parametrize("settings", [{"test_every": 5}, {"test_mark": 0.5}])
def test_requested_hidden_tests_must_exist(room: Rooms, settings: dict[str, Any]) -> None:
    made = room(**settings)
    made.items(1)
    (warning,) = warnings(made)
    assert f"('{next(iter(settings))}' in its settings)" in warning


def test_existing_hidden_tests_must_be_requested(room: Rooms) -> None:
    made = room()
    made.items(1)
    made.items(2, "test", gold=RIGHT, test=True)
    assert warnings(made) == [
        "2 hidden tests are never given out ('test_every' in its settings is 0)"
    ]


@pytest.mark.parametrize("name", ["consent", "requirements"])
def test_blank_terms_are_named(room: Rooms, name: str) -> None:
    made = room(**{name: "  \n"})
    made.items(1)
    (warning,) = warnings(made)
    assert f"'{name}' in its settings is blank" in warning


def test_a_passed_deadline_gets_a_warning(room: Rooms) -> None:
    made = room(deadline=1_000)
    made.items(1)
    (warning,) = warnings(made)
    assert "the deadline has passed" in warning


def test_paid_campaigns_must_state_their_purpose(room: Rooms) -> None:
    made = room(pay=Pay(1))
    made.items(1)
    (warning,) = warnings(made)
    assert "nothing tells them what their answers are used for" in warning
