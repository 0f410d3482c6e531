"""The desk's API: projects, sources, decisions, access."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tatian import limits
from tatian.workbench.desk import projects, results
from tatian.workbench.desk.results import StoredConsolidation
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX

from ..storage.rows import DESK as TABLES
from ..storage.rows import held
from ..web.world import Browser, World
from .texts import TEXTS, sentence_id, woven

DESK = f"{PREFIX}/desk/projects"
FERRY = Path(__file__).parents[3] / "examples" / "ferry"
ASLEEP = sentence_id("a1", "asleep")
SECRET = "Ottoline Featherstonehaugh"


@pytest.fixture(params=["sqlite", "postgresql"])
def world(
    request: pytest.FixtureRequest, new_database: Callable[[str], Database]
) -> Iterator[World]:
    world = World(new_database(request.param), desk=True)
    yield world
    world.site.desk.close()


class Project:
    """A project with a prepared text."""

    def __init__(self, world: World, browser: Browser, title: str = "Ferry") -> None:
        self.world, self.browser = world, browser
        self.id = browser.post(DESK, json={"title": title}).json()["id"]
        self.url = f"{DESK}/{self.id}"
        for text in TEXTS.values():
            assert self.post("/accounts/paste", text=text).status_code == 201
        with world.database.writing() as connection:
            held = projects.list_sources(connection, self.id)
            stamp = results.compute_stamp(held, None)
            text = msgspec.json.encode(woven()).decode()
            results.store_consolidation(connection, self.id, StoredConsolidation(stamp, None, text))

    def post(self, path: str, **body: Any) -> Any:
        return self.browser.post(self.url + path, json=body)

    def get(self, path: str = "") -> Any:
        return self.browser.get(self.url + path).json()

    def decide(self, **body: Any) -> Any:
        answer = self.post("/decisions", **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def text(self) -> str:
        return " ".join(one["text"] for one in self.get("/woven")["sentences"])


@pytest.fixture
def browser(world: World) -> Browser:
    return world.signed_in(world.user("ada", "manager"))


@pytest.fixture
def project(world: World, browser: Browser) -> Project:
    return Project(world, browser)


def test_projects_are_listed_renamed_and_deleted(browser: Browser) -> None:
    response = browser.post(DESK, json={}).json()
    assert response["title"] == "Untitled"
    browser.patch(f"{DESK}/{response['id']}", json={"title": " A\u202estory "})
    (found,) = browser.get(DESK).json()
    assert (found["title"], found["accounts"], found["words"]) == ("A story", 0, 0)
    assert found["weaving"] == "idle"
    for text in ("A boat came.", "A boat\nleft at noon."):
        browser.post(f"{DESK}/{response['id']}/accounts/paste", json={"text": text})
    (found,) = browser.get(DESK).json()
    assert (found["accounts"], found["words"]) == (2, 8)
    assert browser.delete(f"{DESK}/{response['id']}").status_code == 200
    assert browser.get(DESK).json() == []
    assert browser.get(f"{DESK}/{response['id']}").status_code == 404


def test_a_deleted_project_leaves_no_row_and_no_word(world: World, project: Project) -> None:
    before = held(world.database)
    goes = Project(world, project.browser, SECRET)
    goes.post("/accounts/paste", text=f"The {SECRET} sank.", title=SECRET)
    goes.decide(kind="write", after="", text=f"{SECRET} was her name.")
    goes.decide(kind="headline", text=SECRET)
    goes.post("/undo")
    with world.database.writing() as connection:
        results.store_finding(connection, goes.id, f"check-{SECRET}", f'"{SECRET}"')
    more = {name for name, count in held(world.database).items() if count > before[name]}
    assert more == TABLES
    assert goes.browser.delete(goes.url).status_code == 200
    assert held(world.database) == before
    assert all(SECRET not in str(one) for one in vars(world.site.desk).values())
    if world.database.sqlite:
        file = Path(world.database.url.removeprefix("sqlite:///"))
        left = [one.read_bytes() for one in file.parent.glob(f"{file.name}*")]
        assert [SECRET.encode() in data for data in left] == [False] * len(left)
        assert left
    assert project.get()["title"] == "Ferry"


def test_projects_of_others_are_not_found(world: World, project: Project) -> None:
    other = world.signed_in(world.user("eve", "admin"))
    assert other.get(DESK).json() == []
    asked = [
        other.get(project.url),
        other.get(f"{project.url}/woven"),
        other.get(f"{project.url}/events"),
        other.get(f"{project.url}/export/text"),
        other.get(f"/desk/{project.id}"),
        other.patch(project.url, json={"title": "Mine"}),
        other.delete(project.url),
        other.post(f"{project.url}/accounts/paste", json={"text": "x"}),
        other.delete(f"{project.url}/accounts/a1"),
        other.post(f"{project.url}/weave", json={}),
        other.delete(f"{project.url}/weave"),
        other.post(f"{project.url}/decisions", json={"kind": "drop", "sentence": ASLEEP}),
        other.post(f"{project.url}/undo", json={}),
    ]
    assert {answer.status_code for answer in asked} == {404}
    assert project.get()["title"] == "Ferry"


def test_files_are_added_with_their_metadata(browser: Browser) -> None:
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}/accounts"
    for file in sorted(FERRY.iterdir()):
        sent = browser.post(url, params={"name": f"../{file.name}"}, content=file.read_bytes())
        assert sent.status_code == 201, sent.text
    held = sent.json()
    assert held["added"] == ["a3"]
    assert [one["file"] for one in held["accounts"]] == sorted(f.name for f in FERRY.iterdir())
    assert held["accounts"][0]["title"] == "Ferry runs aground off Halverne with 212 aboard"


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("a.txt", b"", "empty"),
        ("a.txt", b"\0\1\2\3", "a.txt"),
        ("a.txt", ("Der Kapitän und die Fähre sind nicht auf dem Meer. " * 9).encode(), "English"),
        ("a.json", b"{", "JSON"),
    ],
)
def test_read_errors_have_one_line(browser: Browser, name: str, data: bytes, line: str) -> None:
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}/accounts"
    refused = browser.post(url, params={"name": name}, content=data)
    assert refused.status_code == 422
    message = refused.json()["error"]["message"]
    assert line in message
    assert "\n" not in message


def test_sources_are_changed_ordered_and_removed(project: Project) -> None:
    url = f"{project.url}/accounts"
    change = {"title": "Wire", "date": "2026-03-14", "source": "The Wire"}
    held = project.browser.patch(f"{url}/a1", json=change).json()["accounts"]
    assert {name: held[0][name] for name in change} == change
    assert held[0]["text"] == TEXTS["a1"]
    bad = project.browser.patch(f"{url}/a1", json={"date": "yesterday"})
    assert (bad.status_code, "not a date" in bad.text) == (422, True)
    order = project.browser.put(f"{url}/order", json={"accounts": ["a3", "a1", "a2"]})
    assert [one["id"] for one in order.json()["accounts"]] == ["a3", "a1", "a2"]
    assert project.browser.put(f"{url}/order", json={"accounts": ["a1"]}).status_code == 422
    sent = project.browser.put(f"{url}/a2/file", params={"name": "b.txt"}, content=b"A boat sank.")
    assert sent.json()["accounts"][2]["text"] == "A boat sank."
    left = project.browser.delete(f"{url}/a2").json()
    assert [one["id"] for one in left["accounts"]] == ["a3", "a1"]
    assert project.browser.delete(f"{url}/a2").status_code == 404
    more = project.post("/accounts/paste", text="A boat came.").json()
    assert more["added"] == ["a4"]
    assert "consolidate again" in project.get("/woven")["stale"]


def test_a_pasted_source_gets_a_title(browser: Browser) -> None:
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}/accounts/paste"
    for text in ("A boat came.", "Ferry aground\n\nA boat came."):
        held = browser.post(url, json={"text": text}).json()["accounts"]
    named = [(one["title"], one["file"]) for one in held]
    assert named == [(None, "pasted text 1"), ("Ferry aground", None)]


def test_invisible_characters_are_removed(browser: Browser) -> None:
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}/accounts"
    said = "\ufeffThe fire\u00adfighters\r\nput\u00a0it out in Hal\u00ad\n  verne.\r\rAll slept."
    held = browser.post(f"{url}/paste", json={"text": said}).json()["accounts"]
    sent = browser.post(url, params={"name": "a.txt"}, content=said.encode())
    texts = {one["text"] for one in (*held, *sent.json()["accounts"])}
    assert texts == {"The firefighters\nput it out in Halverne.\n\nAll slept."}


def test_the_number_of_sources_has_a_limit(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DESK_SOURCES", 3)
    refused = project.post("/accounts/paste", text="One more.")
    assert (refused.status_code, "at most" in refused.text) == (422, True)


def test_a_decision_is_answered_with_the_text(project: Project) -> None:
    before = project.get("/woven")
    assert before["stale"] == ""
    assert [one["id"] for one in before["documents"]] == ["a1", "a2", "a3"]
    after = project.decide(kind="drop", sentence=ASLEEP)
    assert after["documents"] is None
    assert ASLEEP not in [one["id"] for one in after["sentences"]]
    assert after["decisions"][0]["label"] == "Dropped “The captain was asleep.”"
    fate = next(one for one in after["fates"]["a1"] if one["id"] == ASLEEP)
    assert (fate["fate"], fate["decision"]) == ("unused", 1)
    assert after["can_undo"]
    assert not after["can_redo"]
    assert project.get("/woven")["sentences"] == after["sentences"]


def test_parts_that_the_page_has_are_not_sent_again(project: Project) -> None:
    seen = project.get("/woven")["revision"]
    body = {"kind": "drop", "sentence": ASLEEP}
    url = f"{project.url}/decisions"
    short = project.browser.post(url, json=body, params={"seen": seen}).json()
    assert short["sentences"][0] == sentence_id("a1", "ran aground")
    assert short["fates"]["a3"] is None
    assert [one["id"] for one in short["fates"]["a1"]]
    whole = project.browser.post(f"{project.url}/undo", json={}, params={"seen": 99}).json()
    assert all(one["text"] for one in whole["sentences"])


def test_undo_and_redo_step_through_decisions(project: Project) -> None:
    first = project.text
    project.decide(kind="drop", sentence=ASLEEP)
    project.decide(kind="move", sentence=sentence_id("a3", "cheered"), after="")
    second = project.text
    project.post("/undo")
    undone = project.post("/undo").json()
    assert project.text == first
    assert [one["undone"] for one in undone["decisions"]] == [True, True]
    assert project.post("/undo").status_code == 409
    project.post("/redo")
    assert project.post("/redo").json()["can_redo"] is False
    assert project.text == second
    assert project.post("/redo").status_code == 409


def test_a_new_decision_forgets_what_was_undone(project: Project) -> None:
    project.decide(kind="drop", sentence=ASLEEP)
    project.post("/undo")
    found = project.decide(kind="headline", text="Aground")
    assert [one["kind"] for one in found["decisions"]] == ["headline"]
    assert found["title"] == "Aground"


def test_inapplicable_decisions_are_refused_and_not_stored(project: Project) -> None:
    refused = project.post("/decisions", kind="drop", sentence="a9:0-1")
    assert refused.status_code == 422
    assert refused.json()["error"]["message"] == "the text does not have this sentence"
    assert project.get("/woven")["decisions"] == []
    for body in (
        {"kind": "edit", "sentence": ASLEEP, "text": " "},
        {"kind": "edit", "sentence": ASLEEP, "text": "x" * 20_001},
        {"kind": "length", "words": 0},
        {"kind": "fly"},
        {"kind": "drop", "sentence": ASLEEP, "more": 1},
    ):
        assert project.post("/decisions", **body).status_code == 422, body


def test_no_request_body_causes_a_server_error(project: Project) -> None:
    url = f"{project.url}/decisions"
    odd: list[dict[str, Any]] = [
        {"kind": "split", "sentence": ASLEEP, "at": 1 << 52},
        {"kind": "split", "sentence": ASLEEP, "at": -5},
        {"kind": "split", "sentence": ASLEEP, "at": "3"},
        {"kind": "edit", "sentence": ASLEEP, "text": "\0"},
        {"kind": "edit", "sentence": ASLEEP, "text": "\u200b"},
        {"kind": "edit", "sentence": "~~", "text": "x"},
        {"kind": "move", "sentence": ASLEEP, "after": "~1"},
        {"kind": "move", "sentence": "", "after": ""},
        {"kind": "tell", "source": ""},
        {"kind": "write", "after": "own:-1", "text": "x"},
        {"kind": "word", "sentence": ASLEEP, "wording": "model"},
        {"kind": "word", "sentence": "x", "wording": "woven"},
        {"kind": "settle", "dispute": "", "how": "one"},
        {"kind": "settle", "dispute": "+", "how": "write", "text": "()"},
        {"kind": "length", "words": -1},
        {"kind": "headline", "text": "x" * 20_001},
        {},
    ]
    answers = {str(body): project.browser.post(url, json=body).status_code for body in odd}
    assert set(answers.values()) <= {200, 404, 422}, answers
    for raw in (b"", b"[]", b"\xff", b'{"kind":"edit","sentence":"a","text":"\\ud800"}'):
        kind = {"Content-Type": "application/json", "X-CSRF-Token": project.browser.csrf}
        sent = project.browser.post(url, content=raw, headers=kind)
        assert sent.status_code in (400, 422), raw
    for path in ("sentences/%00/wordings", "checks/%2e%2e", "export/%2e%2e", "accounts/%ff/file"):
        assert project.browser.get(f"{project.url}/{path}").status_code in (404, 405, 422), path


def test_decisions_need_a_text(browser: Browser) -> None:
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}"
    body = {"kind": "drop", "sentence": ASLEEP}
    assert browser.post(f"{url}/decisions", json=body).status_code == 409
    assert browser.get(f"{url}/woven").status_code == 409
    assert browser.post(f"{url}/weave", json={}).status_code == 422


@pytest.mark.parametrize("form", ["text", "md", "html", "json"])
def test_the_export_has_every_decision(project: Project, form: str) -> None:
    project.decide(kind="headline", text="Aground")
    project.decide(kind="drop", sentence=ASLEEP)
    project.browser.patch(project.url, json={"title": 'A "story": ../../é'})
    sent = project.browser.get(f"{project.url}/export/{form}")
    name = sent.headers["content-disposition"]
    assert name.startswith('attachment; filename="A-story')
    assert "/" not in name
    endings = {
        one["format"]: one["ending"] for one in project.browser.get(project.url).json()["exports"]
    }
    assert name.endswith(f'{endings[form]}"')
    assert endings["tei"] == ".xml"
    assert "Tuesday" in sent.text
    assert project.browser.get(f"{project.url}/export/exe").status_code == 404


def test_a_conflict_is_settled_by_its_id(project: Project) -> None:
    (dispute,) = project.get("/woven")["disputes"]
    found = project.decide(kind="settle", dispute=dispute["id"], how="one", claim=1)
    settled = found["disputes"][0]["settled"]
    assert (settled["how"], settled["claim"]) == ("one", 1)
    assert "Thirteen people were hurt." in project.text
    assert found["decisions"][0]["label"] == "Settled: “Thirteen”"


def test_another_length_needs_a_new_consolidation(project: Project) -> None:
    found = project.decide(kind="length", words=60)
    assert found["length"]["value"] == 60
    assert "consolidate again" in found["stale"]
    assert project.post("/undo").json()["stale"] == ""


def test_decisions_survive_an_added_source(world: World, project: Project) -> None:
    project.decide(kind="drop", sentence=ASLEEP)
    project.decide(kind="exclude", source=sentence_id("a3", "cheered"))
    project.browser.patch(f"{project.url}/accounts/a3", json={"text": "A ferry came. It left."})
    with world.database.writing() as connection:
        held = projects.list_sources(connection, project.id)
        text = msgspec.json.decode(msgspec.json.encode(woven()))
        last = text["documents"][2]
        last["text"] = held[2].text
        last["sentences"][0] |= {"start": 0, "end": 13}
        last["sentences"][1] |= {"start": 14, "end": 22}
        stamp = results.compute_stamp(held, None)
        kept = StoredConsolidation(stamp, None, msgspec.json.encode(text).decode())
        results.store_consolidation(connection, project.id, kept)
    found = project.get("/woven")
    assert found["stale"] == ""
    assert [one["applies"] for one in found["decisions"]] == [True, False]
    assert found["decisions"][1]["why"] == "the source no longer has this sentence"
