"""Warnings about campaigns that cannot work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tatian.workbench.campaigns import items, progress
from tatian.workbench.settings import CONSENT, CampaignStage, Pay

from .conftest import RIGHT, Trial

Rooms = Callable[..., Trial]
STAGES = (CampaignStage("practice"), CampaignStage("production"))


def warnings(begin: Trial) -> list[str]:
    with begin.database.reading() as connection:
        return progress.find_warnings(connection, begin.campaign)


def test_a_working_campaign_has_no_warnings(begin: Rooms) -> None:
    trial = begin(stages=STAGES, test_every=2, test_mark=0.5, pay=Pay(1), consent=CONSENT)
    trial.items(1, "practice", gold=RIGHT, stage=0)
    trial.items(1, "test", gold=RIGHT, test=True)
    trial.items(2)
    assert warnings(trial) == []


def test_a_campaign_without_items_says_so_alone(begin: Rooms) -> None:
    trial = begin(stages=STAGES, test_every=2)
    assert warnings(trial) == ["there are no items: nobody has anything to do"]


def test_items_that_are_retired_do_not_count(begin: Rooms) -> None:
    trial = begin()
    (key,) = trial.items(1)
    with trial.database.writing() as connection:
        items.change(connection, trial.campaign, key, "test", retired=True)
    assert warnings(trial) == ["there are no items: nobody has anything to do"]


@pytest.mark.parametrize(("filled", "empty"), [(0, "production"), (1, "practice")])
def test_a_stage_without_items_is_named(begin: Rooms, filled: int, empty: str) -> None:
    trial = begin(stages=STAGES)
    trial.items(1, gold=RIGHT, stage=filled)
    assert warnings(trial) == [f"stage '{empty}' has no items ('stages' in its settings)"]


@pytest.mark.parametrize("settings", [{"test_every": 5}, {"test_mark": 0.5}])
def test_requested_hidden_tests_must_exist(begin: Rooms, settings: dict[str, Any]) -> None:
    trial = begin(**settings)
    trial.items(1)
    (warning,) = warnings(trial)
    assert f"('{next(iter(settings))}' in its settings)" in warning


def test_existing_hidden_tests_must_be_requested(begin: Rooms) -> None:
    trial = begin()
    trial.items(1)
    trial.items(2, "test", gold=RIGHT, test=True)
    assert warnings(trial) == [
        "2 hidden tests are never given out ('test_every' in its settings is 0)"
    ]


@pytest.mark.parametrize("name", ["consent", "requirements"])
def test_blank_terms_are_named(begin: Rooms, name: str) -> None:
    trial = begin(**{name: "  \n"})
    trial.items(1)
    (warning,) = warnings(trial)
    assert f"'{name}' in its settings is blank" in warning


def test_a_passed_deadline_gets_a_warning(begin: Rooms) -> None:
    trial = begin(deadline=1_000)
    trial.items(1)
    (warning,) = warnings(trial)
    assert "the deadline has passed" in warning


def test_paid_campaigns_must_state_their_purpose(begin: Rooms) -> None:
    trial = begin(pay=Pay(1))
    trial.items(1)
    (warning,) = warnings(trial)
    assert "nothing tells them what their answers are used for" in warning
