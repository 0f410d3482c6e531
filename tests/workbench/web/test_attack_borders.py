"""Attacks on access: other people's items, campaigns, roles, altered links."""

from __future__ import annotations

import pytest

from tatian.errors import TatianError
from tatian.workbench.accounts import links
from tatian.workbench.campaigns import campaigns, invitations, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignSettings, Panel
from tatian.workbench.storage.database import Database
from tatian.workbench.web.server import ROUTES

from .roles import address
from .world import SKIP, Browser, World, answer, assigned_item, code

API = [route for route in ROUTES if not route.page]
ANSWER = {"nonce": "12345678", "answer": SKIP, "seconds": 1}
OWN = [
    ("PUT", "draft", {"revision": 0, "draft": {}}),
    ("POST", "answer", ANSWER),
    ("POST", "return", {}),
    ("GET", "", None),
    ("POST", "correction", {**ANSWER, "replaces": "x"}),
]


def _calls(who: str) -> list[tuple[str, str]]:
    return [(route.method, address(route)) for route in API if route.who == who]


def _send(browser: Browser, method: str, path: str) -> tuple[int, str]:
    return code(browser.request(method, path, json=None if method == "GET" else {}))


@pytest.fixture
def birds(world: World) -> Campaign:
    return world.campaign()


@pytest.mark.parametrize("who", ["annotator", "user", "manager"])
def test_strangers_must_sign_in(world: World, who: str) -> None:
    world.campaign()
    answers = {call: _send(world.browser(), *call) for call in _calls(who)}
    assert set(answers.values()) == {(401, "sign_in")}


def test_an_annotators_cookie_opens_no_managers_page(world: World, birds: Campaign) -> None:
    person = world.annotator(birds)
    calls = (*_calls("user"), *_calls("manager"))
    assert {_send(person, *call) for call in calls} == {(401, "sign_in")}


def test_an_annotators_cookie_with_a_managers_name_is_refused(
    world: World, birds: Campaign
) -> None:
    person = world.annotator(birds)
    (cookie,) = (one.value for one in person.cookies.jar if "tatian_work_" in one.name)
    disguised = world.browser()
    disguised.cookies.set("tatian_session", str(cookie))
    assert disguised.get("/campaigns").headers["location"] == "/sign-in?to=/campaigns"


def test_an_admins_cookie_does_not_make_an_annotator(world: World, birds: Campaign) -> None:
    admin = world.signed_in(world.user())
    assert {_send(admin, *call) for call in _calls("annotator")} == {(401, "sign_in")}


def test_a_manager_of_one_campaign_finds_no_other(world: World, birds: Campaign) -> None:
    world.campaign("bees")
    manager = world.signed_in(world.user("max", "manager", campaigns=("bees",)))
    assert {_send(manager, *call) for call in _calls("manager")} == {(404, "not_found")}
    page = manager.get("/campaigns").text
    assert "About bees" in page
    assert "About birds" not in page
    assert manager.get("/campaigns/bees").status_code == 200


def test_a_campaign_of_others_looks_missing(world: World, birds: Campaign) -> None:
    manager = world.signed_in(world.user("max", "manager"))
    there, absent = (manager.get(f"/campaigns/{id}") for id in ("birds", "nothing"))
    assert there.status_code == absent.status_code == 404
    assert there.text.replace("birds", "X") == absent.text.replace("nothing", "X")


def test_a_manager_cannot_do_what_admins_do(world: World, birds: Campaign) -> None:
    manager = world.signed_in(world.user("max", "manager", campaigns=("birds",)))
    assert manager.submit("/campaigns/birds/delete", confirmed="yes").status_code == 403


def test_a_manager_reaches_no_part_of_another_campaign_through_their_own(
    world: World, birds: Campaign
) -> None:
    world.campaign("bees")
    person = world.annotator(birds)
    (one,) = world.people(birds)
    with world.database.writing() as connection:
        item = items.list_items(connection, birds)[0].id
        invited = invitations.create(connection, birds, "test").id
    manager = world.signed_in(world.user("max", "manager", campaigns=("bees",)))
    there = "/campaigns/bees"
    assert manager.get(f"{there}/annotators/{one.id}/data").status_code == 404
    for path, fields in (
        (f"annotators/{one.id}/delete", {}),
        (f"annotators/{one.id}/state", {"state": "excluded"}),
        (f"items/{item}/retired", {"retired": "yes"}),
        (f"invitations/{invited}/revoke", {}),
    ):
        sent = manager.submit(f"{there}/{path}", confirmed="yes", **fields)
        assert sent.status_code == 404, path
    assert person.get("/api/v1/work/birds").json()["state"] == "item"


@pytest.mark.parametrize(("method", "action", "body"), OWN)
def test_other_peoples_items_are_not_found(
    world: World, birds: Campaign, method: str, action: str, body: object
) -> None:
    victim, attacker = world.annotator(birds), world.annotator(birds)
    item = assigned_item(victim)["assignment"]
    path = f"/api/v1/work/birds/{item}/{action}".rstrip("/")
    assert code(attacker.request(method, path, json=body)) == (404, "not_found")
    assert assigned_item(victim)["draft"] is None
    assert answer(victim, item).status_code == 200


@pytest.mark.parametrize(("method", "action", "body"), OWN)
def test_an_item_is_not_found_in_another_campaign(
    world: World, birds: Campaign, method: str, action: str, body: object
) -> None:
    person = world.annotator(birds)
    item = assigned_item(person)["assignment"]
    elsewhere = world.annotator(world.campaign("bees"))
    path = f"/api/v1/work/bees/{item}/{action}".rstrip("/")
    assert person.request(method, path, json=body).status_code == 401
    assert elsewhere.request(method, path, json=body).status_code == 404


def test_a_cookie_of_one_campaign_is_invalid_in_another(world: World, birds: Campaign) -> None:
    person, bees = world.annotator(birds), world.annotator(world.campaign("bees"))
    (mine,) = (one for one in person.cookies.jar if "tatian_work_" in one.name)
    (theirs,) = (one for one in bees.cookies.jar if "tatian_work_" in one.name)
    forged = world.browser()
    forged.cookies.set(theirs.name, str(mine.value))
    assert forged.get("/api/v1/work/bees").status_code == 401
    assert forged.get("/work/bees").status_code == 401


@pytest.mark.parametrize("purpose", [links.RESUME, links.SIGN_IN])
def test_a_link_serves_no_other_purpose(world: World, birds: Campaign, purpose: str) -> None:
    world.user()
    for subject in ("1", "birds 1", world.invitation(birds).rpartition("/")[2]):
        token = links.sign_token(world.site.secret, purpose, subject)
        assert world.browser().get(f"/join/{token}").status_code == 404


def test_a_panels_link_is_no_invitation_for_anybody_else(world: World) -> None:
    paid = world.campaign(panel=Panel())
    panel = world.invitation(paid, kind="panel").partition("?")[0]
    assert world.browser().get(panel.replace("/panel/", "/join/")).status_code == 404
    personal = world.invitation(paid)
    swapped = personal.replace("/join/", "/panel/") + "?PROLIFIC_PID=p1"
    assert world.browser().get(swapped).status_code == 404


def test_links_of_other_servers_are_refused(
    world: World, birds: Campaign, database: Database
) -> None:
    token = links.sign_token(b"another server's secret", links.INVITATION, "anything")
    assert world.browser().get(f"/join/{token}").status_code == 404


@pytest.mark.parametrize(
    "redirect",
    [
        "http://panel.example/",
        "javascript:alert(1)",
        "//evil.example/",
        "https:evil",
        "data:text/html,x",
        "/\\evil.example",
        "https://ok.example/ \r\nSet-Cookie: a=b",
    ],
)
def test_a_panel_sends_people_to_https_addresses_only(world: World, redirect: str) -> None:
    wrong = CampaignSettings(panel=Panel(redirect=redirect))
    with pytest.raises(TatianError), world.database.writing() as connection:
        campaigns.create(connection, "x", "union", "X", wrong, "Go.", "test")
    world.campaign()
    with pytest.raises(TatianError):
        world.change("birds", settings=wrong)
