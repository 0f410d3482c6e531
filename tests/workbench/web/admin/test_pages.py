"""The pages of a campaign: what they show, change and refuse."""

from __future__ import annotations

import re
import secrets
from html import unescape
from typing import Any

import pytest

from tatian.errors import AssetError
from tatian.workbench.campaigns import campaigns, guidelines
from tatian.workbench.campaigns import items as all_items
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.storage.database import now
from tatian.workbench.web.admin import common, new_campaign

HOME = "/campaigns/birds"
FILLED_IN = {
    "title": "Birds",
    "annotators": "1",
    "seed": "1",
    "batch": "0",
    "lease": "60",
    "test_every": "0",
    "production": "production",
}
"""The settings' form with nothing but what it needs."""
SKIP = {"type": "skipped", "reason": "unnatural"}


@pytest.fixture
def manager(world: Any) -> Any:
    """Somebody who runs the campaign `birds` of three items."""
    world.campaign("birds")
    return world.signed_in(world.user("maya", "manager", campaigns=("birds",)))


@pytest.fixture
def admin(world: Any) -> Any:
    """Somebody who may do everything."""
    return world.signed_in(world.user("ada", "admin"))


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
    for place in ("/state", "/settings", "/guidelines", "/invitations", "/suggestions"):
        refused = manager.post(HOME + place, data={"csrf": "guessed"}, headers={})
        assert refused.status_code == 403, place


@pytest.mark.parametrize(
    "place", ["/items/abc", "/items/99999", "/guidelines/9", "/guidelines/1?against=9", "/nothing"]
)
def test_an_address_that_leads_nowhere_says_so(manager: Any, place: str) -> None:
    assert manager.get(HOME + place).status_code == 404


def test_an_item_of_another_campaign_is_not_found(manager: Any, world: Any) -> None:
    world.campaign("fish")
    with world.database.reading() as connection:
        other = all_items.listed(connection, campaigns.get(connection, "fish"))[0]
    for place in ("", "/retired", "/priority"):
        ask = (
            manager.get if not place else lambda url: post(manager, url, retired="no", priority="1")
        )
        assert ask(f"{HOME}/items/{other.id}{place}").status_code == 404


def test_items_are_found_by_key_or_words_whatever_signs_are_in_them(either: Any) -> None:
    either.campaign("birds")
    manager = either.signed_in(either.user())
    place = f"{HOME}/items"
    assert len(keys(manager.get(place))) == 3
    assert keys(manager.get(place, params={"q": "BIRDS-1"})) == ["birds-1"]
    assert keys(manager.get(place, params={"q": "says 2"})) == ["birds-2"]
    assert len(keys(manager.get(place, params={"q": "& <b>more"}))) == 3
    assert keys(manager.get(place, params={"q": "%"})) == []
    assert keys(manager.get(place, params={"q": "\0"})) == keys(manager.get(place))


def test_items_are_found_by_how_far_they_are(either: Any) -> None:
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


def test_many_items_come_page_by_page(world: Any) -> None:
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


def test_a_retired_item_asks_first_and_comes_back(manager: Any) -> None:
    place = first_item(manager)
    asked = post(manager, f"{place}/retired", retired="yes")
    assert "Retire this item?" in asked.text
    assert keys(manager.get(f"{HOME}/items", params={"state": "retired"})) == []
    post(manager, f"{place}/retired", retired="yes", confirmed="yes")
    assert keys(manager.get(f"{HOME}/items", params={"state": "retired"})) == ["birds-0"]
    post(manager, f"{place}/retired", retired="no")
    assert keys(manager.get(f"{HOME}/items", params={"state": "retired"})) == []


def test_an_items_priority_is_a_whole_number(manager: Any) -> None:
    place = first_item(manager)
    assert post(manager, f"{place}/priority", priority="7").status_code == 303
    assert 'value="7"' in manager.get(place).text
    assert post(manager, f"{place}/priority", priority="high").status_code == 422


def test_guidelines_are_previewed_without_being_saved(manager: Any, world: Any) -> None:
    text = "Intro <script>\n\n## Rules\n\n*Read* it."
    page = post(manager, f"{HOME}/guidelines", text=text, version="1", do="preview")
    assert "<em>Read</em>" in page.text
    assert "<script>\n" not in page.text
    with world.database.reading() as connection:
        assert guidelines.latest(connection, "birds") == 1


def test_saved_guidelines_are_a_new_version_whose_differences_can_be_read(manager: Any) -> None:
    saved = post(manager, f"{HOME}/guidelines", text="Go.\nSlowly.", version="1", do="save")
    assert saved.status_code == 303
    page = manager.get(f"{HOME}/guidelines/2", params={"against": "1"}).text
    assert re.search(r"<ins[^>]*><span[^>]*>added: </span>Slowly\.</ins>", page)


def test_guidelines_that_somebody_else_changed_meanwhile_are_not_overwritten(manager: Any) -> None:
    post(manager, f"{HOME}/guidelines", text="Mine.", version="1", do="save")
    late = post(manager, f"{HOME}/guidelines", text="Theirs.", version="1", do="save")
    assert late.status_code == 422
    assert "Somebody saved version 2 meanwhile" in late.text
    assert "Theirs." in late.text, "nothing that was typed is lost"


def test_empty_guidelines_are_refused(manager: Any) -> None:
    assert post(manager, f"{HOME}/guidelines", text=" ", version="1", do="save").status_code == 422


def test_settings_are_kept(manager: Any, world: Any) -> None:
    fields = {
        **FILLED_IN,
        "title": "Birds!",
        "annotators": "3",
        "lease": "30",
        "test_every": "5",
        "production": "work",
        "suggestions": "half",
        "consent": "Yes?",
    }
    assert post(manager, f"{HOME}/settings", **fields).status_code == 303
    kept = campaign(world)
    assert kept.title == "Birds!"
    assert kept.settings == CampaignSettings(
        annotators=3,
        shuffled=False,
        lease=30,
        stages=(CampaignStage("work"),),
        test_every=5,
        corrections=False,
        suggestions="half",
        consent="Yes?",
    )


def test_settings_that_the_campaign_cannot_take_say_why(manager: Any, world: Any) -> None:
    refused = post(manager, f"{HOME}/settings", **FILLED_IN, stage_0_name="training")
    assert refused.status_code == 422
    assert "the number of stages stays as it is" in refused.text
    assert len(campaign(world).settings.stages) == 1


def test_closing_asks_first_and_opening_does_not(manager: Any, world: Any) -> None:
    assert "Close this campaign?" in post(manager, f"{HOME}/state", state="closed").text
    assert campaign(world).state == "open"
    post(manager, f"{HOME}/state", state="closed", confirmed="yes")
    assert campaign(world).state == "closed"
    assert post(manager, f"{HOME}/state", state="ajar").status_code == 422
    assert campaign(world).state == "closed"
    post(manager, f"{HOME}/state", state="open")
    assert campaign(world).state == "open"


def test_a_new_campaign_is_named_after_its_title_and_a_name_is_taken_once(admin: Any) -> None:
    fields = {"title": "Brücken & Regen: 2027", "task": "union"}
    assert (
        post(admin, "/new-campaign", **fields)
        .headers["location"]
        .startswith("/campaigns/brucken-regen-2027")
    )
    again = post(admin, "/new-campaign", **fields)
    assert again.status_code == 422
    assert "already" in again.text


@pytest.mark.parametrize("task", ["nothing", "os:system", ""])
def test_only_tasks_that_are_installed_can_be_chosen(admin: Any, task: str) -> None:
    assert post(admin, "/new-campaign", title="T", task=task).status_code == 422


def test_a_title_of_any_script_gives_a_name(admin: Any) -> None:
    assert new_campaign.slug("橋") == "campaign"
    assert post(admin, "/new-campaign", title="橋", task="union").status_code == 303


def test_an_invitation_that_has_expired_says_so_and_shows_no_link(
    manager: Any, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"{HOME}/invitations"
    post(manager, place, kind="open", label="class", days="1")
    assert "/join/" in manager.get(place).text
    later = now() + 2 * 86_400_000
    for module in ("campaigns.invitations", "web.admin.invitations"):
        monkeypatch.setattr(f"tatian.workbench.{module}.now", lambda: later)
    page = manager.get(place).text
    assert "expired" in page
    assert "/join/" not in page


def test_a_panels_link_has_places_for_its_parameters(manager: Any) -> None:
    post(manager, f"{HOME}/invitations", kind="panel", label="Prolific")
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in unescape(manager.get(f"{HOME}/invitations").text)


def test_a_page_says_nothing_that_only_the_address_says(manager: Any) -> None:
    page = manager.get(HOME, params={"done": "You <b>won</b>"}).text
    assert "won" not in page


def test_suggestions_are_offered_where_the_settings_want_them(world: Any) -> None:
    world.campaign("birds", suggestions="all")
    browser = world.signed_in(world.user("ada", "admin"))
    assert "3 items have no suggestion yet" in browser.get(f"{HOME}/items").text
    assert post(browser, f"{HOME}/suggestions").status_code == 303
    assert "no suggestion yet" not in browser.get(f"{HOME}/items").text


def test_a_model_that_fails_is_told_in_the_log(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(task: Any, content: Any) -> None:
        raise AssetError("the weights are damaged")

    monkeypatch.setattr("tatian.workbench.tasks.union.UnionTask.suggest", fails)
    world.campaign("birds", suggestions="all")
    browser = world.signed_in(world.user())
    assert post(browser, f"{HOME}/suggestions").status_code == 303
    assert "the weights are damaged" in browser.get(f"{HOME}/audit").text
    assert post(browser, f"{HOME}/suggestions").status_code == 303, "it can be asked again"


def test_the_log_tells_who_did_what(manager: Any) -> None:
    post(manager, f"{HOME}/state", state="closed", confirmed="yes")
    assert "user:maya" in manager.get(f"{HOME}/audit").text


def test_a_moment_beyond_the_calendar_is_shown_as_its_last_day() -> None:
    assert common.moment(1 << 53) == "9999-12-31 23:59"


def test_times_are_said_as_people_say_them() -> None:
    assert [common.duration(value) for value in (None, 12.4, 200, 7500)] == [
        "–",
        "12 s",
        "3 min 20 s",
        "2 h 5 min",
    ]
