"""Campaigns are deleted by admins, once they are closed, and after a question on the page."""

from __future__ import annotations

from pathlib import Path

from .world import Browser, World, code

BIRDS = "/api/v1/campaigns/birds"


def closed(world: World) -> Browser:
    """The browser of an admin who has closed a campaign."""
    world.campaign()
    admin = world.signed_in(world.user())
    assert admin.patch(BIRDS, json={"state": "closed"}).status_code == 200
    return admin


def test_the_api_deletes_a_closed_campaign_and_refuses_an_open_one(world: World) -> None:
    world.campaign()
    admin = world.signed_in(world.user())
    assert code(admin.delete(BIRDS)) == (409, "conflict")
    admin.patch(BIRDS, json={"state": "closed"})
    assert admin.delete(BIRDS).status_code == 200
    assert code(admin.get(BIRDS)) == (404, "no_such_campaign")


def test_nothing_of_it_is_left_in_the_files(world: World, tmp_path: Path) -> None:
    admin = closed(world)
    admin.delete(BIRDS)
    files = [path.read_bytes() for path in tmp_path.glob("*.db*")]
    assert files
    assert not any(b"Two says" in one for one in files)


def test_a_manager_may_not(world: World) -> None:
    closed(world)
    manager = world.signed_in(world.user("mia", "manager", campaigns=("birds",)))
    assert manager.delete(BIRDS).status_code == 403
    assert "Delete the campaign" not in manager.get("/campaigns/birds").text


def test_the_page_asks_first(world: World) -> None:
    admin = closed(world)
    assert "Delete the campaign" in admin.get("/campaigns/birds").text
    fields = {"csrf": admin.csrf}
    asking = admin.post("/campaigns/birds/delete", data=fields, headers={})
    assert "cannot be undone" in asking.text
    assert admin.get(BIRDS).status_code == 200
    done = admin.post("/campaigns/birds/delete", data={**fields, "confirmed": "yes"}, headers={})
    assert (done.status_code, done.headers["location"]) == (303, "/campaigns?done=removed")
    assert admin.get(BIRDS).status_code == 404
    assert "The campaign is deleted." in admin.get("/campaigns?done=removed").text


def test_an_open_campaign_has_no_such_button(world: World) -> None:
    world.campaign()
    page = world.signed_in(world.user()).get("/campaigns/birds").text
    assert "Close the campaign" in page
    assert "Delete the campaign" not in page
