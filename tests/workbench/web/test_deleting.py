"""Deletion of closed campaigns by admins."""

from __future__ import annotations

from pathlib import Path

from .world import Browser, World

BIRDS = "/campaigns/birds"


def closed(world: World) -> Browser:
    """An admin's browser, with a closed campaign."""
    world.campaign()
    world.change("birds", state="closed")
    return world.signed_in(world.user())


def test_an_open_campaign_is_not_deleted(world: World) -> None:
    world.campaign()
    admin = world.signed_in(world.user())
    assert admin.submit(f"{BIRDS}/delete", confirmed="yes").status_code == 409
    assert admin.get(BIRDS).status_code == 200


def test_a_deleted_campaign_leaves_no_trace_in_the_files(world: World, tmp_path: Path) -> None:
    admin = closed(world)
    assert admin.submit(f"{BIRDS}/delete", confirmed="yes").status_code == 303
    files = [path.read_bytes() for path in tmp_path.glob("*.db*")]
    assert files
    assert not any(b"Two says" in one for one in files)


def test_deleting_asks_first(world: World) -> None:
    admin = closed(world)
    assert "Delete the campaign" in admin.get("/campaigns/birds").text
    fields = {"csrf": admin.csrf}
    asking = admin.post("/campaigns/birds/delete", data=fields, headers={})
    assert "cannot be undone" in asking.text
    assert admin.get(BIRDS).status_code == 200
    done = admin.post("/campaigns/birds/delete", data={**fields, "confirmed": "yes"}, headers={})
    assert (done.status_code, done.headers["location"]) == (303, "/campaigns?done=removed")
    assert admin.get(BIRDS).status_code == 404
    assert "Campaign deleted." in admin.get("/campaigns?done=removed").text


def test_an_open_campaign_has_no_delete_button(world: World) -> None:
    world.campaign()
    page = world.signed_in(world.user()).get("/campaigns/birds").text
    assert "Close the campaign" in page
    assert "Delete the campaign" not in page
