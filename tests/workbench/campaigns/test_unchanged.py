"""Figures are made once, and again as soon as answers come or go."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.campaigns import people, privacy
from tatian.workbench.campaigns.times import CampaignCache
from tatian.workbench.settings import CampaignSettings

from .conftest import Room

Open = Callable[..., Room]


class Counting:
    """A figure that says how often it was made."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.kept: CampaignCache[int] = CampaignCache(most=2)
        self.made = 0

    def asked(self, more: str = "") -> int:
        with self.room.database.reading() as connection:
            return self.kept.get(connection, self.room.campaign, more, self._make)

    def _make(self) -> int:
        self.made += 1
        return self.made


@pytest.fixture
def here(room: Open) -> Room:
    opened = room(annotators=3)
    opened.items(3)
    return opened


def test_a_cached_value_is_computed_once_while_answers_stay(here: Room) -> None:
    somebody, found = here.person(), Counting(here)
    assert (found.asked(), found.asked()) == (1, 1)
    here.give_back(here.take(somebody))
    assert found.asked() == 1


def test_a_new_answer_invalidates_the_cache(here: Room) -> None:
    somebody, found = here.person(), Counting(here)
    found.asked()
    here.submit(here.take(somebody))
    assert found.asked() == 2


@pytest.mark.parametrize("how", ["excluded", "readmitted", "deleted", "settings"])
def test_any_change_of_counting_answers_invalidates_the_cache(here: Room, how: str) -> None:
    somebody, found = here.person(), Counting(here)
    here.work(somebody, most=1)
    if how == "readmitted":
        here.exclude(somebody)
    found.asked()
    with here.database.writing() as connection:
        if how == "deleted":
            privacy.delete(connection, here.campaign, somebody, "test")
        elif how == "readmitted":
            people.reinstate(connection, here.campaign, somebody, "test")
    if how == "excluded":
        here.exclude(somebody)
    elif how == "settings":
        here.change(settings=CampaignSettings(annotators=3, least=2))
    assert found.asked() == 2


def test_only_the_latest_values_are_cached(here: Room) -> None:
    found = Counting(here)
    assert [found.asked(one) for one in ("a", "b", "a", "c", "a", "b")] == [1, 2, 1, 3, 1, 4]
