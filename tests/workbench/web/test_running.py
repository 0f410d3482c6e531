"""Running campaigns on the pages: filled, exported; who runs them, and who no longer does."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tatian.workbench.campaigns import items
from tatian.workbench.storage import tables

from .world import Browser, World, answer, given

BIRDS = "/campaigns/birds"
SECRET = "correct horse battery"


@pytest.fixture
def admin(world: World) -> Browser:
    return world.signed_in(world.user())


def test_a_campaign_begins_as_a_draft_and_no_other_has_its_id(world: World, admin: Browser) -> None:
    made = admin.form("/new-campaign", title="Birds", id="birds", task="union")
    assert made.headers["location"] == f"{BIRDS}?done=created"
    assert world.get("birds").state == "draft"
    assert admin.form("/new-campaign", title="B", id="birds", task="union").status_code == 422


def test_a_retired_item_is_given_out_no_more(world: World, admin: Browser) -> None:
    campaign = world.campaign(count=2)
    with world.database.reading() as connection:
        first = items.listed(connection, campaign)[0].id
    sent = admin.submit(f"{BIRDS}/items/{first}/retired", retired="yes", confirmed="yes")
    assert sent.status_code == 303
    item = given(world.annotator(campaign))
    assert any("says 1" in one["text"] for one in item["content"]["sentences"])


@pytest.mark.parametrize("form", ["records", "csv", "task", "items"])
def test_an_export_is_a_file_with_a_name(world: World, admin: Browser, form: str) -> None:
    person = world.annotator(world.campaign())
    answer(person, given(person)["assignment"])
    assert f'href="{BIRDS}/export/{form}"' in admin.get(f"{BIRDS}/export").text
    file = admin.get(f"{BIRDS}/export/{form}")
    assert file.status_code == 200
    assert file.headers["content-disposition"].startswith('attachment; filename="birds')
    assert len(file.content) == int(file.headers["content-length"]) > 0


def test_an_export_of_no_known_form_is_not_there(world: World, admin: Browser) -> None:
    world.campaign()
    assert admin.get(f"{BIRDS}/export/exe").status_code == 404


def test_accounts_are_in_the_log_without_their_secrets(world: World, admin: Browser) -> None:
    admin.form("/users", name="bob", role="manager", password=SECRET)
    admin.submit("/users/bob", do="password", password=SECRET + "!")
    admin.submit("/users/bob", do="disable", confirmed="yes")
    with world.database.reading() as connection:
        rows = connection.execute(select(tables.audit).order_by(tables.audit.c.id)).all()
    assert [row.action for row in rows] == ["user.create", "user.change", "user.change"]
    assert {row.actor for row in rows} == {"user:ada"}
    assert "horse" not in str(rows)


def test_a_manager_is_given_campaigns_and_loses_them(world: World, admin: Browser) -> None:
    world.campaign()
    admin.form("/users", name="max", role="manager")
    admin.submit("/users/max", do="campaigns", **{"member.birds": "yes"})
    page = admin.submit("/users/max/link").text
    link = page.split('value="http://localhost')[1].split('"')[0]
    browser = world.browser()
    assert browser.get(link).status_code == 303
    assert browser.get(BIRDS).status_code == 200
    admin.submit("/users/max", do="campaigns")
    assert browser.get(BIRDS).status_code == 404
    missing = admin.submit("/users/max", do="campaigns", **{"member.nothing": "yes"})
    assert missing.status_code in (404, 422)


@pytest.mark.parametrize("change", [{"do": "disable", "confirmed": "yes"}, {"do": "role"}])
def test_the_last_admin_cannot_be_shut_out(admin: Browser, change: dict[str, str]) -> None:
    assert admin.submit("/users/ada", **change).status_code == 422
    assert admin.get("/users").status_code == 200


def test_somebodys_data_is_handed_out_and_deleted_on_request(world: World, admin: Browser) -> None:
    person = world.annotator(campaign := world.campaign(), name="Ottoline")
    (one,) = world.people(campaign)
    path = f"{BIRDS}/annotators/{one.id}"
    assert admin.get(f"{path}/data").json()["annotator"]["name"] == "Ottoline"
    assert admin.submit(f"{path}/delete", confirmed="yes").status_code == 303
    assert person.get("/api/v1/work/birds").status_code == 401
    assert "Ottoline" not in admin.get(f"{BIRDS}/annotators").text
