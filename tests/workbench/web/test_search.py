"""Search of the knowledge base, its access and its rate limit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tatian.workbench.campaigns import campaigns, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import TooMany
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.tasks import NewItem
from tatian.workbench.web import api_advice
from tatian.workbench.web.api_advice import RateLimit

from .world import World, code

SEARCH = "/api/v1/work/links/search"
PAGE = "/api/v1/work/links/page"


@pytest.fixture
def linking(world: World) -> Campaign:
    return mention_campaign(world)


def mention_campaign(world: World, **options: Any) -> Campaign:
    """Create an open campaign of mention detection."""
    with world.database.writing() as connection:
        settings = CampaignSettings(options=options)
        new = campaigns.create(connection, "links", "mentions.detect", "L", settings, "Go.", "test")
        items.add(connection, new, [NewItem("1", {"text": "Voters vote."})], "test")
        return campaigns.change(connection, "links", "test", state="open")


def test_words_lead_to_pages_with_descriptions(world: World, linking: Campaign) -> None:
    found = world.annotator(linking).get(SEARCH, params={"q": "voters"}).json()
    assert found[0]["title"] == "Voting"
    assert found[0]["kind"] == "concept"
    assert found[0]["description"].startswith("Voting is")


def test_a_title_leads_to_its_page_or_to_itself(world: World, linking: Campaign) -> None:
    person = world.annotator(linking)
    assert person.get(PAGE, params={"title": "video_game"}).json()["title"] == "Video game"
    assert person.get(PAGE, params={"title": "no_such page"}).json() == {"title": "No such page"}


def test_adjudicators_may_search(world: World, linking: Campaign) -> None:
    path = "/api/v1/campaigns/links/adjudicating/search?q=voters"
    manager = world.signed_in(world.user("mo", "manager", campaigns=("links",)))
    assert manager.get(path).json()[0]["title"] == "Voting"
    stranger = world.signed_in(world.user("sam", "manager"))
    assert 400 <= stranger.get(path).status_code < 500
    assert code(world.annotator(linking).get(path)) == (401, "sign_in")


def test_a_campaign_of_another_task_has_no_search(world: World) -> None:
    person = world.annotator(world.campaign())
    assert code(person.get("/api/v1/work/birds/search?q=voters")) == (404, "not_found")


@pytest.mark.parametrize("query", ["", "?q=", f"?q={'x' * 301}", "?q=a%00b", "?words=a"])
def test_empty_and_long_searches_are_refused(world: World, linking: Campaign, query: str) -> None:
    answer = world.annotator(linking).get(SEARCH + query)
    assert 400 <= answer.status_code < 500
    code(answer)


def test_a_missing_base_is_reported_without_its_path(world: World, tmp_path: Path) -> None:
    base = tmp_path / "our.db"
    base.write_bytes(Path(_starter()).read_bytes())
    person = world.annotator(mention_campaign(world, base=str(base)))
    assert person.get(SEARCH, params={"q": "voters"}).json()[0]["title"] == "Voting"
    base.unlink()
    answer = person.get(SEARCH, params={"q": "voters"})
    assert 400 <= answer.status_code < 500
    assert "tell whoever invited you" in answer.json()["error"]["message"]
    assert "our.db" not in answer.text


def _starter() -> str:
    from tatian.knowledge.base import base_path

    return base_path("starter")


def test_fast_requests_are_limited(
    world: World, linking: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_advice, "SEARCH_LIMIT", RateLimit(per_second=0, burst=2))
    person, other = world.annotator(linking), world.annotator(linking)
    for _ in range(2):
        assert person.get(SEARCH, params={"q": "voters"}).status_code == 200
    assert code(person.get(SEARCH, params={"q": "voters"})) == (429, "too_many")
    assert other.get(SEARCH, params={"q": "voters"}).status_code == 200


def test_the_limit_recovers_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.0, 0.0, 0.1, 0.3])
    monkeypatch.setattr(time, "monotonic", lambda: next(moments))
    pace = RateLimit(per_second=5, burst=2)
    pace.take("ann")
    pace.take("ann")
    with pytest.raises(TooMany):
        pace.take("ann")
    pace.take("ann")


def test_the_number_of_remembered_people_is_limited() -> None:
    pace = RateLimit(per_second=0, burst=1, people=2)
    for person in ("ann", "bob", "eve"):
        pace.take(person)
    pace.take("ann")
    with pytest.raises(TooMany):
        pace.take("eve")
