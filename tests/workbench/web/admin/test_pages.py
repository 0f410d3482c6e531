"""The pages of a campaign: what they show, change and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns import items as all_items
from tatian.workbench.web.admin import common

HOME = "/campaigns/birds"


@pytest.fixture
def manager(world: Any) -> Any:
    """Somebody who runs the campaign `birds` of three items."""
    world.campaign("birds")
    return world.signed_in(world.user("maya", "manager", campaigns=("birds",)))


def test_a_change_without_the_sessions_token_is_refused(manager: Any, world: Any) -> None:
    refused = manager.post(f"{HOME}/adjudicate/apply", data={"csrf": "guessed"}, headers={})
    assert refused.status_code == 403


@pytest.mark.parametrize("place", ["/adjudicate/abc", "/adjudicate/99999", "/nothing"])
def test_an_address_that_leads_nowhere_says_so(manager: Any, place: str) -> None:
    assert manager.get(HOME + place).status_code == 404


def test_an_item_of_another_campaign_is_not_found(manager: Any, world: Any) -> None:
    world.campaign("fish")
    with world.database.reading() as connection:
        other = all_items.listed(connection, campaigns.get(connection, "fish"))[0]
    assert manager.get(f"{HOME}/adjudicate/{other.id}").status_code == 404


def test_a_page_says_nothing_that_only_the_address_says(manager: Any) -> None:
    page = manager.get(HOME, params={"done": "You <b>won</b>"}).text
    assert "won" not in page


def test_a_moment_beyond_the_calendar_is_shown_as_its_last_day() -> None:
    assert common.moment(1 << 53) == "9999-12-31 23:59"


def test_times_are_said_as_people_say_them() -> None:
    assert [common.duration(value) for value in (None, 12.4, 200, 7500)] == [
        "–",
        "12 s",
        "3 min 20 s",
        "2 h 5 min",
    ]
