"""The API of annotators: invitations, consent, items, drafts, answers, own data."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import func, select

from tatian.workbench.campaigns import guidelines, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignStage, Panel
from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem

from .world import SKIP, World, answer, assigned_item, code

WORK = "/api/v1/work/birds"


@pytest.fixture
def birds(world: World) -> Campaign:
    return world.campaign()


def _count(world: World, table: str) -> int:
    with world.database.reading() as connection:
        found = select(func.count()).select_from(tables.metadata.tables[table])
        return int(connection.execute(found).scalar_one())


def _texts(item: dict[str, Any]) -> set[str]:
    """Return the sorted texts of an item, as each person has another order."""
    return {sentence["text"] for sentence in item["content"]["sentences"]}


def test_an_invitation_leads_to_an_item(world: World, birds: Campaign) -> None:
    person = world.annotator(birds, name="Ann")
    work = person.get(WORK).json()
    assert work["state"] == "item"
    assert work["campaign"] == {
        "id": "birds",
        "title": "About birds",
        "task": "union",
        "module": "union.js",
    }
    assert _texts(work["item"]) == {"One says 0.", "Two says 0 & <b>more</b>."}


def test_the_work_data_do_not_unblind(world: World, birds: Campaign) -> None:
    item = assigned_item(world.annotator(birds))
    assert "birds-0" not in str(item)
    assert not {"gold", "seed", "test"} & set(item)


def test_opening_an_invitation_twice_continues_the_work(world: World, birds: Campaign) -> None:
    link, browser = world.invitation(birds), world.browser()
    browser.form(link)
    assert browser.get(link).headers["location"] == "/work/birds"
    assert _count(world, "annotators") == 1


def test_joining_needs_consent_where_there_are_terms(world: World) -> None:
    terms = world.campaign(consent="You are **paid** <script>alert(1)</script>.")
    link, browser = world.invitation(terms), world.browser()
    page = browser.get(link).text
    assert "<strong>paid</strong>" in page
    assert "<script>alert" not in page
    assert browser.form(link).status_code == 422
    assert browser.form(link, consent="yes").status_code == 303
    assert browser.get(WORK).json()["state"] == "item"


def test_a_panels_participant_agrees_on_the_page_itself(world: World) -> None:
    terms = world.campaign(consent="*Agree?*", panel=Panel(code="C1"))
    link = world.invitation(terms, kind="panel").partition("?")[0]
    browser = world.browser()
    assert browser.get(f"{link}?PROLIFIC_PID=p1").headers["location"] == "/work/birds"
    work = browser.get(WORK).json()
    assert (work["state"], work["item"]) == ("consent", None)
    assert work["message"].strip() == "<p><em>Agree?</em></p>"
    token = re.search(r'data-csrf="([^"]*)"', browser.get("/work/birds").text)
    assert token is not None
    browser.csrf = token[1]
    assert work["asked"]["again"] is False
    assert browser.post(f"{WORK}/consent", json={"terms": work["asked"]["terms"]}).json() == {}
    assert browser.get(WORK).json()["state"] == "item"


def test_requirements_are_confirmed_once_when_joining(
    world: World,
) -> None:
    link, browser = world.invitation(world.campaign(requirements="Fluent.")), world.browser()
    assert "I meet these requirements and agree." in browser.get(link).text
    assert browser.form(link).status_code == 422
    assert browser.form(link, consent="yes").status_code == 303
    assert browser.get(WORK).json()["state"] == "item"


@pytest.mark.parametrize("query", ["", "PROLIFIC_PID=", "PROLIFIC_PID={{%25PROLIFIC_PID%25}}"])
def test_a_panels_link_must_name_the_person(world: World, query: str) -> None:
    paid = world.campaign(panel=Panel())
    link = world.invitation(paid, kind="panel").partition("?")[0]
    assert world.browser().get(f"{link}?{query}").status_code == 422


def test_people_who_finish_get_code_and_address(world: World) -> None:
    panel = Panel(code="A&B", redirect="https://panel.example/done?cc={code}")
    paid = world.campaign(count=1, panel=panel)
    link = world.invitation(paid, kind="panel").partition("?")[0]
    browser = world.browser()
    browser.get(f"{link}?PROLIFIC_PID=p1")
    token = re.search(r'data-csrf="([^"]*)"', browser.get("/work/birds").text)
    assert token is not None
    browser.csrf = token[1]
    assert browser.get(WORK).json()["completion"] is None
    answer(browser, assigned_item(browser)["assignment"])
    work = browser.get(WORK).json()
    assert work["state"] == "finished"
    assert work["completion"] == {
        "outcome": "finished",
        "code": "A&B",
        "redirect": "https://panel.example/done?cc=A%26B",
    }


def test_a_resume_link_continues_work_on_another_device(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    work = person.get(WORK).json()
    other = world.browser()
    assert other.get(urlsplit(work["resume"]).path).headers["location"] == "/work/birds"
    assert assigned_item(other)["assignment"] == work["item"]["assignment"]


def test_a_stale_draft_gets_the_newer_one(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    path = f"{WORK}/{assigned_item(person)['assignment']}/draft"
    person.put(path, json={"revision": 0, "draft": {"step": 2}})
    stale = person.put(path, json={"revision": 0, "draft": {"step": 9}})
    assert code(stale) == (409, "conflict")
    assert (stale.json()["draft"], stale.json()["revision"]) == ({"step": 2}, 1)


def test_an_answer_built_on_an_older_draft_is_not_stored(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    item = assigned_item(person)["assignment"]
    person.put(f"{WORK}/{item}/draft", json={"revision": 0, "draft": {"step": 2}})
    body = {"nonce": "n" * 16, "answer": SKIP, "seconds": 1.0}
    stale = person.post(f"{WORK}/{item}/answer", json={**body, "revision": 0})
    assert code(stale) == (409, "stale")
    assert (stale.json()["draft"], stale.json()["revision"]) == ({"step": 2}, 1)
    assert _count(world, "answers") == 0
    assert person.post(f"{WORK}/{item}/answer", json={**body, "revision": 1}).status_code == 200


def test_a_program_without_drafts_names_no_revision(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    item = assigned_item(person)["assignment"]
    person.put(f"{WORK}/{item}/draft", json={"revision": 0, "draft": {"step": 2}})
    assert answer(person, item).status_code == 200


def test_own_answers_are_numbered_and_named_by_beginning(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    texts = []
    for _ in range(2):
        item = assigned_item(person)
        texts.append(item["content"]["sentences"][0]["text"])
        answer(person, item["assignment"])
    listed = person.get(f"{WORK}/mine").json()
    assert [one["number"] for one in listed] == [2, 1]
    assert [one["title"] for one in listed] == texts[::-1]


def test_an_answer_leads_to_the_next_item(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    first = assigned_item(person)["assignment"]
    done = answer(person, first)
    assert done.status_code == 200
    assert done.json()["feedback"] is None
    assert assigned_item(person)["assignment"] != first
    assert person.get(WORK).json()["progress"]["done"] == 1


def test_passing_a_stage_is_announced(world: World) -> None:
    trained = world.campaign(stages=(CampaignStage("warming up"), CampaignStage("production")))
    with world.database.writing() as connection:
        easy = NewItem("easy", {"sentences": ["A b.", "A c."]}, stage=0)
        items.add(connection, trained, [easy], "test")
    person = world.annotator(trained)
    done = answer(person, assigned_item(person)["assignment"]).json()
    assert done["message"] == "You have completed “warming up”. Next: “production”."


def test_an_answer_that_does_not_fit_the_item_is_refused(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    item = assigned_item(person)["assignment"]
    for wrong in (None, 3, "text", [], {}, {"type": "written", "base": 7, "merged": "x"}):
        refused = answer(person, item, answer=wrong)
        assert refused.status_code == 422, refused.text
    assert _count(world, "answers") == 0


def test_a_correction_replaces_the_answer_and_keeps_it(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    item = assigned_item(person)["assignment"]
    first = answer(person, item).json()["id"]
    shown = person.get(f"{WORK}/{item}").json()
    assert (shown["answer"], shown["answer_id"], shown["correctable"]) == (SKIP, first, True)
    better = {"type": "written", "base": 0, "merged": "One and two say 0."}
    body = {"nonce": "correcting", "answer": better, "seconds": 1, "replaces": first}
    assert person.post(f"{WORK}/{item}/correction", json=body).status_code == 200
    assert _count(world, "answers") == 2
    assert [one["assignment"] for one in person.get(f"{WORK}/mine").json()] == [item]


def test_an_item_given_back_goes_to_somebody_else(world: World, birds: Campaign) -> None:
    person, other = world.annotator(birds), world.annotator(birds)
    item = assigned_item(person)
    sentences = _texts(item)
    back = person.post(f"{WORK}/{item['assignment']}/return", json={"reason": "odd"})
    assert back.json() == {}
    assert _texts(assigned_item(person)) != sentences
    assert _texts(assigned_item(other)) == sentences


def test_the_instructions_come_as_tabs_without_their_own_html(world: World) -> None:
    birds = world.campaign()
    evil = "<img src=x onerror=alert(1)>\n\n```\n## no tab\n```"
    text = f"Hello.\n\n## One\n{evil}\n## Two\n[x](javascript:1)"
    with world.database.writing() as connection:
        guidelines.add(connection, "birds", text, "test")
    shown = world.annotator(birds).get(f"{WORK}/guidelines").json()
    assert shown["version"] == 2
    assert [tab["title"] for tab in shown["tabs"]] == ["One", "Two"]
    assert "Hello." in shown["tabs"][0]["html"]
    assert "<img" not in str(shown)
    assert 'href="javascript' not in str(shown)


def test_people_see_download_and_delete_their_data(world: World, birds: Campaign) -> None:
    person = world.annotator(birds, name="Ann <i>Other</i>")
    answer(person, assigned_item(person)["assignment"])
    page = person.get("/work/birds/privacy").text
    assert "Ann &lt;i&gt;Other&lt;/i&gt;" in page
    file = person.get("/work/birds/privacy/download")
    assert file.headers["content-disposition"].startswith("attachment")
    assert file.json()["annotator"]["name"] == "Ann <i>Other</i>"
    assert person.form("/work/birds/privacy").status_code == 303
    assert person.form("/work/birds/privacy", sure="yes").status_code == 200
    assert person.get(WORK).status_code == 401
    with world.database.reading() as connection:
        names = connection.execute(select(tables.annotators.c.name)).scalars().all()
    assert not any("Ann" in name for name in names)
    assert _count(world, "answers") == 1


def test_joining_is_limited_by_address(database: Database) -> None:
    world = World(database, joins=2)
    open_link = world.invitation(world.campaign(), kind="open")
    statuses = [world.browser().form(open_link).status_code for _ in range(3)]
    assert statuses == [303, 303, 429]
