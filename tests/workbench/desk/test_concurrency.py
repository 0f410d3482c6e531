"""Simultaneous changes of a project, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from sqlalchemy import Connection

from tatian.workbench.desk import projects, results
from tatian.workbench.desk.projects import Project, RunState
from tatian.workbench.desk.results import StoredConsolidation
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX

from ...waiting import until
from ..browser.desk.lasting import LastingModels, Worker
from ..web.world import Browser, World
from .texts import TEXTS, sentence_id, woven

AT_ONCE = 6


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """A process of the models for all desks."""
    lasting = Worker()
    yield lasting
    lasting.end()


@pytest.fixture(params=["sqlite", "postgresql"])
def browser(
    request: pytest.FixtureRequest, new_database: Callable[[str], Database], worker: Worker
) -> Iterator[Browser]:
    world = World(new_database(request.param), desk=True)
    world.site.desk.models = LastingModels(worker)
    yield world.signed_in(world.user())
    world.site.desk.close()


def test_simultaneously_added_sources_are_all_stored(browser: Browser) -> None:
    url = f"{PREFIX}/desk/projects"
    url = f"{url}/{browser.post(url, json={}).json()['id']}/accounts/paste"

    def paste(number: int) -> int:
        return int(browser.post(url, json={"text": f"Ferry {number} sank."}).status_code)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert set(pool.map(paste, range(AT_ONCE))) == {201}
    held = browser.post(url, json={"text": "One more."}).json()["accounts"]
    assert [one["id"] for one in held] == [f"a{n + 1}" for n in range(AT_ONCE + 1)]


def test_simultaneous_decisions_are_all_stored(browser: Browser) -> None:
    url = f"{PREFIX}/desk/projects"
    project = browser.post(url, json={}).json()["id"]
    url = f"{url}/{project}"
    for text in TEXTS.values():
        browser.post(f"{url}/accounts/paste", json={"text": text})
    database: Database = browser.app.state.site.database  # type: ignore[attr-defined]
    with database.writing() as connection:
        stamp = results.compute_stamp(projects.list_sources(connection, project), None)
        kept = StoredConsolidation(stamp, None, msgspec.json.encode(woven()).decode())
        results.store_consolidation(connection, project, kept)
    sentences = [
        sentence_id("a1", "asleep"),
        sentence_id("a1", "Twelve"),
        sentence_id("a2", "closed"),
        sentence_id("a3", "cheered"),
    ]

    def drop(sentence: str) -> int:
        body = {"kind": "drop", "sentence": sentence}
        return int(browser.post(f"{url}/decisions", json=body).status_code)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert set(pool.map(drop, sentences)) == {200}
    found = browser.get(f"{url}/woven").json()
    assert [one["number"] for one in found["decisions"]] == [1, 2, 3, 4]
    assert all(one["applies"] for one in found["decisions"])
    assert len(found["sentences"]) == 2


def test_a_consolidation_that_just_ended_is_not_interrupted(browser: Browser) -> None:
    """The state that was read before is outdated; that of an earlier server was interrupted."""
    url = f"{PREFIX}/desk/projects"
    project = browser.post(url, json={}).json()["id"]
    desk = browser.app.state.site.desk  # type: ignore[attr-defined]
    read = Project(project, 1, "", 0, 0, 0, 0, RunState("running"))
    assert desk.run_state(read).state == "interrupted"
    browser.post(f"{url}/{project}/accounts/paste", json={"text": "A ferry sank off Orme."})
    browser.post(f"{url}/{project}/weave", json={})
    until(lambda: browser.get(f"{url}/{project}").json()["weaving"]["state"] == "idle", pause=0.05)
    assert desk.run_state(read).state == "running"


def test_who_still_reads_an_earlier_text_does_not_keep_it_for_others(browser: Browser) -> None:
    url = f"{PREFIX}/desk/projects"
    project = browser.post(url, json={}).json()["id"]
    for text in TEXTS.values():
        browser.post(f"{url}/{project}/accounts/paste", json={"text": text})
    site = browser.app.state.site  # type: ignore[attr-defined]

    def store(title: str) -> None:
        with site.database.writing() as connection:
            stamp = results.compute_stamp(projects.list_sources(connection, project), None)
            text = msgspec.json.encode(msgspec.structs.replace(woven(), title=title)).decode()
            kept = StoredConsolidation(stamp, None, text)
            results.store_consolidation(connection, project, kept)

    found = Project(project, 1, "", 0, 0, 0, 0, RunState("idle"))

    def title(connection: Connection) -> str:
        manuscript = site.desk.load_inputs(connection, found).manuscript
        return str(manuscript.consolidation.title)

    store("Earlier")
    with site.database.reading() as connection:
        assert title(connection) == "Earlier"
        store("Later")
        title(connection)
    with site.database.reading() as connection:
        assert title(connection) == "Later"
