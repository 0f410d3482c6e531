"""The cache of figures, and its invalidation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.campaigns import people, privacy
from tatian.workbench.campaigns.times import CampaignCache
from tatian.workbench.settings import CampaignSettings

from .conftest import Trial

Begin = Callable[..., Trial]


class Counting:
    """A cached value that counts its computations."""

    def __init__(self, begin: Trial) -> None:
        self.trial = begin
        self.cache: CampaignCache[int] = CampaignCache(most=2)
        self.made = 0

    def asked(self, more: str = "") -> int:
        with self.trial.database.reading() as connection:
            return self.cache.get(connection, self.trial.campaign, more, self._make)

    def _make(self) -> int:
        self.made += 1
        return self.made


@pytest.fixture
def trial(begin: Begin) -> Trial:
    opened = begin(annotators=3)
    opened.items(3)
    return opened


def test_a_cached_value_is_computed_once_while_answers_stay(trial: Trial) -> None:
    somebody, found = trial.person(), Counting(trial)
    assert (found.asked(), found.asked()) == (1, 1)
    trial.give_back(trial.take(somebody))
    assert found.asked() == 1


def test_a_new_answer_invalidates_the_cache(trial: Trial) -> None:
    somebody, found = trial.person(), Counting(trial)
    found.asked()
    trial.submit(trial.take(somebody))
    assert found.asked() == 2


@pytest.mark.parametrize("how", ["excluded", "readmitted", "deleted", "settings"])
def test_any_change_of_counting_answers_invalidates_the_cache(trial: Trial, how: str) -> None:
    somebody, found = trial.person(), Counting(trial)
    trial.work(somebody, most=1)
    if how == "readmitted":
        trial.exclude(somebody)
    found.asked()
    with trial.database.writing() as connection:
        if how == "deleted":
            privacy.delete(connection, trial.campaign, somebody, "test")
        elif how == "readmitted":
            people.reinstate(connection, trial.campaign, somebody, "test")
    if how == "excluded":
        trial.exclude(somebody)
    elif how == "settings":
        trial.change(settings=CampaignSettings(annotators=3, least=2))
    assert found.asked() == 2


def test_only_the_latest_values_are_cached(trial: Trial) -> None:
    found = Counting(trial)
    assert [found.asked(one) for one in ("a", "b", "a", "c", "a", "b")] == [1, 2, 1, 3, 1, 4]
