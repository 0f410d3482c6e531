"""Retiring items and exporting answers."""

from __future__ import annotations

import pytest

from tatian.workbench.campaigns import items

from .world import Browser, World, answer, assigned_item

BIRDS = "/campaigns/birds"


@pytest.fixture
def admin(world: World) -> Browser:
    return world.signed_in(world.user())


def test_a_retired_item_is_given_out_no_more(world: World, admin: Browser) -> None:
    campaign = world.campaign(count=2)
    with world.database.reading() as connection:
        first = items.list_items(connection, campaign)[0].id
    sent = admin.submit(f"{BIRDS}/items/{first}/retired", retired="yes", confirmed="yes")
    assert sent.status_code == 303
    item = assigned_item(world.annotator(campaign))
    assert any("says 1" in one["text"] for one in item["content"]["sentences"])


@pytest.mark.parametrize("form", ["records", "csv", "task"])
def test_an_export_is_a_file_with_a_name(world: World, admin: Browser, form: str) -> None:
    person = world.annotator(world.campaign())
    answer(person, assigned_item(person)["assignment"])
    assert f'href="{BIRDS}/export/{form}"' in admin.get(f"{BIRDS}/export").text
    file = admin.get(f"{BIRDS}/export/{form}")
    assert file.status_code == 200
    assert file.headers["content-disposition"].startswith('attachment; filename="birds')
    assert len(file.content) == int(file.headers["content-length"]) > 0


def test_an_unknown_export_is_not_found(world: World, admin: Browser) -> None:
    world.campaign()
    assert admin.get(f"{BIRDS}/export/exe").status_code == 404
