"""The pages of a campaign: what they show, change and refuse."""

from __future__ import annotations

import re
import secrets
from html import unescape
from typing import Any

import pytest

from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns import items as all_items
from tatian.workbench.storage.database import now
from tatian.workbench.web import presentation

HOME = "/campaigns/birds"
SKIP = {"type": "skipped", "reason": "unnatural"}


@pytest.fixture
def manager(world: Any) -> Any:
    """The manager of the campaign `birds` of three items."""
    world.campaign("birds")
    return world.signed_in(world.user("maya", "manager", campaigns=("birds",)))


def post(browser: Any, place: str, **fields: str) -> Any:
    return browser.post(place, data={"csrf": browser.csrf, **fields}, headers={})


def keys(page: Any) -> list[str]:
    return re.findall(r'/items/\d+" dir="auto">([^<]*)<', page.text)


def first_item(browser: Any) -> str:
    found = re.search(r'"(/campaigns/birds/items/\d+)"', browser.get(f"{HOME}/items").text)
    assert found is not None
    return found[1]


def campaign(world: Any) -> campaigns.Campaign:
    with world.database.reading() as connection:
        return campaigns.get(connection, "birds")


def test_a_change_without_the_sessions_token_is_refused(manager: Any, world: Any) -> None:
    for place in ("/state", "/invitations"):
        refused = manager.post(HOME + place, data={"csrf": "guessed"}, headers={})
        assert refused.status_code == 403, place


@pytest.mark.parametrize("place", ["/items/abc", "/items/99999", "/nothing"])
def test_an_unknown_address_is_not_found(manager: Any, place: str) -> None:
    assert manager.get(HOME + place).status_code == 404


def test_an_item_of_another_campaign_is_not_found(manager: Any, world: Any) -> None:
    world.campaign("fish")
    with world.database.reading() as connection:
        other = all_items.list_items(connection, campaigns.get(connection, "fish"))[0]
    there = f"{HOME}/items/{other.id}"
    assert manager.get(there).status_code == 404
    assert post(manager, f"{there}/retired", retired="no").status_code == 404


def test_items_are_found_by_key_or_words_with_any_characters(either: Any) -> None:
    either.campaign("birds")
    manager = either.signed_in(either.user())
    place = f"{HOME}/items"
    assert len(keys(manager.get(place))) == 3
    assert keys(manager.get(place, params={"q": "BIRDS-1"})) == ["birds-1"]
    assert keys(manager.get(place, params={"q": "says 2"})) == ["birds-2"]
    assert len(keys(manager.get(place, params={"q": "& <b>more"}))) == 3
    assert keys(manager.get(place, params={"q": "%"})) == []
    assert keys(manager.get(place, params={"q": "\0"})) == keys(manager.get(place))


def test_items_are_found_by_state(either: Any) -> None:
    campaign = either.campaign("birds", annotators=2)
    for name, skipped in (("Ina", 2), ("Ole", 1)):
        person = either.annotator(campaign, name=name)
        for _ in range(skipped):
            item = person.get("/api/v1/work/birds").json()["item"]
            body = {"nonce": secrets.token_hex(8), "answer": SKIP, "seconds": 1}
            sent = person.post(f"/api/v1/work/birds/{item['assignment']}/answer", json=body)
            assert sent.status_code == 200, sent.text
    manager = either.signed_in(either.user())
    found = {
        state: keys(manager.get(f"{HOME}/items", params={"state": state}))
        for state in ("waiting", "begun", "done")
    }
    assert found == {"waiting": ["birds-2"], "begun": ["birds-1"], "done": ["birds-0"]}
    assert "3 of 6" in manager.get("/campaigns").text
    assert "Ina" in manager.get(first_item(manager)).text


def test_many_items_are_paginated(world: Any) -> None:
    world.campaign("birds", count=120)
    browser = world.signed_in(world.user("ada", "admin"))
    seen: list[str] = []
    place: str | None = f"{HOME}/items"
    while place:
        page = browser.get(place)
        seen += keys(page)
        following = re.search(r'rel="next" href="([^"]*)"', page.text)
        place = unescape(following[1]) if following else None
    assert seen == [f"birds-{number}" for number in range(120)]


def test_retiring_asks_first_and_can_be_undone(manager: Any) -> None:
    place = first_item(manager)
    asked = post(manager, f"{place}/retired", retired="yes")
    assert "Retire this item?" in asked.text
    assert keys(manager.get(f"{HOME}/items", params={"state": "retired"})) == []
    post(manager, f"{place}/retired", retired="yes", confirmed="yes")
    assert keys(manager.get(f"{HOME}/items", params={"state": "retired"})) == ["birds-0"]
    post(manager, f"{place}/retired", retired="no")
    assert keys(manager.get(f"{HOME}/items", params={"state": "retired"})) == []


def test_closing_asks_first_and_opening_does_not(manager: Any, world: Any) -> None:
    assert "Close this campaign?" in post(manager, f"{HOME}/state", state="closed").text
    assert campaign(world).state == "open"
    post(manager, f"{HOME}/state", state="closed", confirmed="yes")
    assert campaign(world).state == "closed"
    assert post(manager, f"{HOME}/state", state="ajar").status_code == 422
    assert campaign(world).state == "closed"
    post(manager, f"{HOME}/state", state="open")
    assert campaign(world).state == "open"


def test_an_invitation_that_has_expired_says_so_and_shows_no_link(
    manager: Any, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"{HOME}/invitations"
    post(manager, place, kind="open", label="class", days="1")
    assert "/join/" in manager.get(place).text
    later = now() + 2 * 86_400_000
    for module in ("campaigns.invitations", "web.admin.people"):
        monkeypatch.setattr(f"tatian.workbench.{module}.now", lambda: later)
    page = manager.get(place).text
    assert "expired" in page
    assert "/join/" not in page


def test_a_panels_link_has_placeholders_for_its_parameters(manager: Any) -> None:
    post(manager, f"{HOME}/invitations", kind="panel", label="Prolific")
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in unescape(manager.get(f"{HOME}/invitations").text)


def test_text_from_the_address_is_not_shown(manager: Any) -> None:
    page = manager.get(HOME, params={"done": "You <b>won</b>"}).text
    assert "won" not in page


def test_a_moment_beyond_the_calendar_is_shown_as_its_last_day() -> None:
    assert presentation.format_moment(1 << 53) == "9999-12-31 23:59"


def test_durations_are_readable() -> None:
    assert [presentation.format_duration(value) for value in (None, 12.4, 200, 7500)] == [
        "–",
        "12 s",
        "3 min 20 s",
        "2 h 5 min",
    ]
