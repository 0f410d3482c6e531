"""A campaign that confirms what another gathered is made by programs and on the admin's pages."""

from __future__ import annotations

import json

import pytest

from .world import Browser, World, code

API = "/api/v1/campaigns"
TEXT = "The voters choose; then voters wait."
ANSWER = {"mentions": [{"start": 4, "end": 10, "term": "voters", "title": "Voting"}]}
RECORD = {
    "id": "r1", "task": "mentions.detect", "item": "v", "answer": ANSWER,
    "made": {"by": "ann", "kind": "person", "at": "2026-01-02T03:04:05Z"},
}  # fmt: skip


@pytest.fixture
def admin(world: World) -> Browser:
    """Somebody who runs a campaign in which one person has linked one term."""
    browser = world.signed_in(world.user())
    browser.post(API, json={"id": "links", "task": "mentions.detect", "title": "Links"})
    item = {"key": "v", "content": {"text": TEXT, "topic": "Elections"}}
    assert browser.post(f"{API}/links/items", json=[item]).status_code == 201
    headers = {"content-type": "application/jsonl", "X-CSRF-Token": browser.csrf}
    sent = browser.post(f"{API}/links/import", content=json.dumps(RECORD), headers=headers)
    assert sent.json()["added"] == 1
    return browser


def test_by_the_api(admin: Browser) -> None:
    made = admin.post(f"{API}/links/confirmation", json={"id": "second", "annotators": 6})
    assert made.status_code == 201
    assert (made.json()["task"], made.json()["title"]) == (
        "mentions.confirm",
        "Links: confirmation",
    )
    (item,) = admin.get(f"{API}/second/items").json()
    assert [one["title"] for one in item["content"]["candidates"]] == ["Voting"]


def test_by_the_admins_page(admin: Browser) -> None:
    assert "/campaigns/links/confirmation" in admin.get("/campaigns/links/export").text
    place = "/campaigns/links/confirmation"
    filled_in = {"title": "Judge", "id": "judge", "annotators": "7", "repeats": "yes"}
    assert admin.form(place, **{**filled_in, "annotators": "none"}).status_code == 422
    assert admin.form(place, **filled_in).headers["location"] == "/campaigns/judge?done=created"
    assert admin.get(f"{API}/judge").json()["settings"]["annotators"] == 7
    (item,) = admin.get(f"{API}/judge/items").json()
    assert len(item["content"]["candidates"]) == 2
    assert "already" in admin.form(place, **filled_in).text


def test_only_mention_detection_has_a_second_round(world: World, admin: Browser) -> None:
    world.campaign("birds")
    assert "confirmation" not in admin.get("/campaigns/birds/export").text
    assert admin.get("/campaigns/birds/confirmation").status_code == 422
    refused = admin.post(f"{API}/birds/confirmation", json={"id": "second"})
    assert code(refused) == (422, "bad_input")


def test_a_manager_makes_no_campaigns(world: World, admin: Browser) -> None:
    manager = world.signed_in(world.user("maya", "manager", campaigns=("links",)))
    assert "confirmation" not in manager.get("/campaigns/links/export").text
    refused = manager.post(f"{API}/links/confirmation", json={"id": "second"})
    assert code(refused) == (403, "refused")
