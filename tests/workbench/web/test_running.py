"""Running campaigns by program: made, filled, opened, watched, exported, closed."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tatian.workbench.storage import tables
from tatian.workbench.tasks import tasks

from .world import Browser, World, answer, code, given

CAMPAIGNS = "/api/v1/campaigns"
BIRDS = f"{CAMPAIGNS}/birds"
NEW = {"id": "birds", "task": "union", "title": "Birds"}
ITEM = {"key": "k1", "content": {"sentences": ["A b c.", "A b d."]}}


@pytest.fixture
def admin(world: World) -> Browser:
    return world.program(world.user())


def test_a_campaign_begins_as_a_draft_with_the_tasks_own_instructions(admin: Browser) -> None:
    made = admin.post(CAMPAIGNS, json=NEW)
    assert (made.status_code, made.json()["state"]) == (201, "draft")
    (first,) = admin.get(f"{BIRDS}/guidelines").json()
    assert (first["version"], first["text"]) == (1, tasks.create("union").guidelines())


def test_the_same_id_twice_is_a_conflict(admin: Browser) -> None:
    admin.post(CAMPAIGNS, json=NEW)
    assert code(admin.post(CAMPAIGNS, json=NEW)) == (409, "conflict")


def test_settings_are_given_back_as_they_were_set(admin: Browser) -> None:
    chosen = {"annotators": 3, "stages": [{"name": "try", "feedback": True}, {"name": "go"}]}
    admin.post(CAMPAIGNS, json={**NEW, "settings": chosen})
    assert admin.get(BIRDS).json()["settings"] == chosen


def test_changing_one_thing_leaves_the_rest(admin: Browser) -> None:
    admin.post(CAMPAIGNS, json={**NEW, "settings": {"annotators": 3}})
    changed = admin.patch(BIRDS, json={"title": "Other"}).json()
    assert (changed["title"], changed["settings"]) == ("Other", {"annotators": 3})


def test_every_task_is_listed_with_its_instructions(admin: Browser) -> None:
    found = {task["name"]: task for task in admin.get("/api/v1/tasks").json()}
    assert set(found) == set(tasks.names())
    assert all(task["title"] and task["guidelines"] for task in found.values())


def test_a_prefix_tells_items_of_two_files_apart(admin: Browser) -> None:
    admin.post(CAMPAIGNS, json=NEW)
    file = b"id,sentence1Text,sentence2Text\n1,A b.,A c.\n"
    for prefix, status in (("", 201), ("", 409), ("may-", 201)):
        sent = admin.post(f"{BIRDS}/import", params={"prefix": prefix}, content=file)
        assert sent.status_code == status
    assert sent.json() == {"added": 1, "known": 0, "repeated": 1}
    assert [item["key"] for item in admin.get(f"{BIRDS}/items").json()] == ["1", "may-1"]


def test_records_of_an_export_come_back_by_the_api(world: World, admin: Browser) -> None:
    ann = world.annotator(world.campaign())
    answer(ann, given(ann)["assignment"])
    records = admin.get("/api/v1/campaigns/birds/export").content
    sent = admin.post("/api/v1/campaigns/birds/import", content=records)
    assert (sent.status_code, sent.json()) == (201, {"added": 0, "known": 1, "repeated": 0})


def test_a_wrong_word_is_answered_with_the_right_ones(admin: Browser) -> None:
    refused = admin.post(CAMPAIGNS, json={**NEW, "settings": {"suggestions": "some"}})
    assert code(refused) == (422, "bad_request")
    message = refused.json()["error"]["message"]
    assert message.endswith("'$.settings.suggestions': one of 'all', 'half', 'none'")


@pytest.mark.parametrize(("stage", "status"), [(0, 422), (1, 201), (2, 422)])
def test_items_of_every_stage_but_the_last_need_gold(
    admin: Browser, stage: int, status: int
) -> None:
    stages = {"stages": [{"name": "try"}, {"name": "go"}]}
    admin.post(CAMPAIGNS, json={**NEW, "settings": stages})
    file = b'{"id": "1", "sentences": ["A b.", "A c."], "stage": 0}\n'
    sent = admin.post(f"{BIRDS}/import", params={"stage": str(stage)}, content=file)
    assert sent.status_code == status
    assert [item["stage"] for item in admin.get(f"{BIRDS}/items").json()] == [1] * (status == 201)


def test_a_program_has_suggestions_made(admin: Browser) -> None:
    admin.post(CAMPAIGNS, json={**NEW, "settings": {"suggestions": "all"}})
    admin.post(f"{BIRDS}/items", json=[ITEM])
    place = f"{BIRDS}/suggestions"
    assert admin.get(place).json() == {"missing": 1, "under_way": False}
    asked = admin.post(place)
    assert (asked.status_code, asked.json()) == (202, {"missing": 1, "under_way": True})
    assert admin.get(place).json() == {"missing": 0, "under_way": False}


def test_suggestions_that_nobody_would_see_are_not_made(admin: Browser) -> None:
    admin.post(CAMPAIGNS, json=NEW)
    assert code(admin.post(f"{BIRDS}/suggestions")) == (409, "conflict")


def test_items_come_in_as_json_and_as_a_file(admin: Browser) -> None:
    admin.post(CAMPAIGNS, json=NEW)
    one = {"added": 1, "known": 0, "repeated": 0}
    assert admin.post(f"{BIRDS}/items", json=[ITEM]).json() == one
    file = b"id,first,second\nf1,A b.,A c.\n"
    mapping = "sentence1Text=first,sentence2Text=second"
    added = admin.post(f"{BIRDS}/import?name=x.csv&map={mapping}", content=file)
    assert (added.status_code, added.json()) == (201, one)
    assert [item["key"] for item in admin.get(f"{BIRDS}/items").json()] == ["k1", "f1"]


def test_items_that_are_there_already_are_a_conflict(admin: Browser) -> None:
    admin.post(CAMPAIGNS, json=NEW)
    admin.post(f"{BIRDS}/items", json=[ITEM])
    assert code(admin.post(f"{BIRDS}/items", json=[ITEM])) == (409, "conflict")


def test_items_are_listed_page_by_page(world: World, admin: Browser) -> None:
    world.campaign(count=5)
    first = admin.get(f"{BIRDS}/items?limit=2").json()
    rest = admin.get(f"{BIRDS}/items", params={"after": first[-1]["id"]}).json()
    assert [item["key"] for item in first + rest] == [f"birds-{n}" for n in range(5)]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=x", "limit=1001", "after=-1", "after=", "after=" + "9" * 5000]
)
def test_a_page_that_cannot_be_is_refused(world: World, admin: Browser, query: str) -> None:
    world.campaign()
    assert code(admin.get(f"{BIRDS}/items?{query}")) == (422, "bad_request")


def test_a_retired_item_is_given_out_no_more(world: World, admin: Browser) -> None:
    campaign = world.campaign(count=2)
    assert admin.patch(f"{BIRDS}/items/birds-0", json={"retired": True}).json()["retired"] is True
    item = given(world.annotator(campaign))
    assert any("says 1" in one["text"] for one in item["content"]["sentences"])


def test_the_status_counts_answers_and_people(world: World, admin: Browser) -> None:
    person = world.annotator(world.campaign())
    answer(person, given(person)["assignment"])
    given(person)
    status = admin.get(f"{BIRDS}/status").json()
    assert (status["items"], status["done"], status["open"]) == (3, 1, 1)
    assert len(status["annotators"]) == len(admin.get(f"{BIRDS}/annotators").json()) == 1


@pytest.mark.parametrize("form", ["records", "csv", "task", "items"])
def test_an_export_is_a_file_with_a_name(world: World, admin: Browser, form: str) -> None:
    person = world.annotator(world.campaign())
    answer(person, given(person)["assignment"])
    file = admin.get(f"{BIRDS}/export?format={form}")
    assert file.status_code == 200
    assert file.headers["content-disposition"].startswith('attachment; filename="birds')
    assert len(file.content) == int(file.headers["content-length"]) > 0


def test_an_export_of_no_known_form_is_refused(world: World, admin: Browser) -> None:
    world.campaign()
    assert code(admin.get(f"{BIRDS}/export?format=exe")) == (422, "bad_request")


def test_every_change_is_in_the_log_with_its_author(world: World, admin: Browser) -> None:
    admin.post(CAMPAIGNS, json=NEW)
    admin.post(f"{BIRDS}/items", json=[ITEM])
    admin.post(f"{BIRDS}/guidelines", json={"text": "New."})
    made = admin.post(f"{BIRDS}/invitations", json={}).json()["invitation"]["id"]
    admin.delete(f"{BIRDS}/invitations/{made}")
    admin.patch(BIRDS, json={"state": "open"})
    entries = admin.get(f"{BIRDS}/audit").json()
    assert {entry["actor"] for entry in entries} == {"user:ada"}
    assert [entry["action"] for entry in reversed(entries)] == [
        "guidelines.add",
        "campaign.create",
        "items.add",
        "guidelines.add",
        "invitation.create",
        "invitation.revoke",
        "campaign.change",
    ]
    older = admin.get(f"{BIRDS}/audit", params={"before": entries[0]["id"], "limit": 1}).json()
    assert older == entries[1:2]


def test_accounts_are_in_the_log_without_their_secrets(world: World, admin: Browser) -> None:
    secret = "correct horse battery"
    admin.post("/api/v1/users", json={"name": "bob", "password": secret})
    admin.patch("/api/v1/users/bob", json={"password": secret + "!", "disabled": True})
    with world.database.reading() as connection:
        rows = connection.execute(select(tables.audit).order_by(tables.audit.c.id)).all()
    assert [row.action for row in rows] == ["user.create", "user.change"]
    assert "horse" not in str(rows)


def test_a_manager_is_given_campaigns_and_loses_them(world: World, admin: Browser) -> None:
    world.campaign()
    made = admin.post("/api/v1/users", json={"name": "max", "campaigns": ["birds"]})
    assert (made.status_code, made.json()["role"]) == (201, "manager")
    link = admin.post("/api/v1/users/max/link").json()["link"]
    browser = world.browser()
    assert browser.get(link).status_code == 303
    assert browser.get(BIRDS).status_code == 200
    admin.patch("/api/v1/users/max", json={"campaigns": []})
    assert browser.get(BIRDS).status_code == 404
    missing = admin.patch("/api/v1/users/max", json={"campaigns": ["nothing"]})
    assert code(missing) == (404, "not_found")


def test_the_last_admin_cannot_be_shut_out(admin: Browser) -> None:
    for change in ({"disabled": True}, {"role": "manager"}):
        assert code(admin.patch("/api/v1/users/ada", json=change)) == (409, "conflict")


def test_somebodys_data_is_handed_out_and_deleted_on_request(world: World, admin: Browser) -> None:
    person = world.annotator(world.campaign(), name="Ann")
    (one,) = admin.get(f"{BIRDS}/annotators").json()
    path = f"{BIRDS}/annotators/{one['id']}/data"
    assert admin.get(path).json()["annotator"]["name"] == "Ann"
    assert admin.delete(path).json() == {}
    assert person.get("/api/v1/work/birds").status_code == 401
    assert "Ann" not in admin.get(f"{BIRDS}/annotators").text


def test_a_change_of_one_setting_leaves_the_others(admin: Browser) -> None:
    kept = {"annotators": 3, "pay": {"item": 0.5, "currency": "EUR"}, "consent": "Old."}
    admin.post(CAMPAIGNS, json={**NEW, "settings": kept})
    done = admin.patch(BIRDS, json={"settings": {"consent": "New."}})
    assert done.json()["settings"] == {**kept, "consent": "New."}
    back = admin.patch(BIRDS, json={"settings": {"annotators": 1, "pay": None}})
    assert back.json()["settings"] == {"consent": "New."}


@pytest.mark.parametrize(
    "settings",
    [{"annotaters": 3}, {"panel": {"cod": "C1"}}, {"stages": [{"name": "p", "pass_mrk": 0.5}]}],
)
def test_a_setting_that_nobody_knows_is_refused(admin: Browser, settings: object) -> None:
    assert code(admin.post(CAMPAIGNS, json={**NEW, "settings": settings}))[0] == 422
    admin.post(CAMPAIGNS, json=NEW)
    refused = admin.patch(BIRDS, json={"settings": settings})
    assert code(refused) == (422, "bad_request")
    assert "unknown field" in refused.json()["error"]["message"]
