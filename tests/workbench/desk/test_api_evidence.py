"""The desk's API: sentences left out, marked conflicts, added sources, drafts."""

from __future__ import annotations

from threading import Thread
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tatian import limits
from tatian.consolidation.result import Account, SourceSentence, WrittenSentence, WrittenToken
from tatian.text import Source
from tatian.workbench.desk.decisions import Move
from tatian.workbench.desk.editor import apply_decisions
from tatian.workbench.desk.process import Ticket

from ..web.world import World
from .test_api import Project
from .texts import ASLEEP, CLOSED, HIT, TEXTS, WOVEN, stored_decisions


@pytest.fixture
def world(new_database: Any) -> Any:
    world = World(new_database("sqlite"), desk=True)
    yield world
    world.site.desk.close()


@pytest.fixture
def project(world: World) -> Project:
    return Project(world, world.signed_in(world.user("ada", "manager")))


def place(account: str, words: str) -> dict[str, Any]:
    start = TEXTS[account].index(words)
    return {"account": account, "start": start, "end": start + len(words)}


def test_sentences_left_out_are_those_of_the_current_text(project: Project) -> None:
    found = project.get("/left-out")
    assert found["revision"] == project.get("/woven")["revision"]
    assert HIT in [one["id"] for one in found["sentences"]]
    project.decide(kind="tell", source=HIT)
    assert HIT not in [one["id"] for one in project.get("/left-out")["sentences"]]


def test_a_marked_conflict_has_the_words_of_its_places(project: Project) -> None:
    places = [place("a1", "Tuesday"), place("a2", "sandbank")]
    text = project.decide(kind="differ", places=places)
    assert [one["text"] for one in text["disputes"][-1]["claims"]] == ["Tuesday", "sandbank"]
    assert text["sentences"][0]["disputes"] == [text["disputes"][-1]["id"]]
    assert text["decisions"][-1]["label"] == "Marked: “Tuesday” and “sandbank” disagree"
    settled = project.decide(
        kind="settle", dispute=text["disputes"][-1]["id"], how="one", claim=0, attribute=False
    )
    assert settled["sentences"][0]["text"] == "A ferry ran aground on Tuesday."


def test_an_invalid_conflict_is_refused(project: Project) -> None:
    first = place("a1", "Tuesday")
    for other in (
        place("a1", "asleep"),
        {"account": "a9", "start": 0, "end": 3},
        {"account": "a2", "start": 5, "end": 5},
        {"account": "a2", "start": -4, "end": 5},
        {"account": "a2", "start": 0, "end": limits.DESK_MARKED_CHARACTERS + 10},
        {"account": "a2", "start": 1, "end": 3},
    ):
        answer = project.post("/decisions", kind="differ", places=[first, other])
        assert answer.status_code == 422, other
    assert project.get("/woven")["decisions"] == []


def test_a_draft_is_read_from_a_file_and_not_stored(project: Project) -> None:
    url = f"{project.url}/drafts?name=draft.txt"
    answer = project.browser.post(url, content=b"A ferry ran aground.\n\nNobody was hurt.")
    assert (answer.status_code, answer.json()["notes"]) == (200, [])
    assert answer.json()["text"].startswith("A ferry ran aground.")
    assert len(project.get()["accounts"]) == 3
    two = b'{"text": "A ferry ran aground."}\n{"text": "Nobody was hurt."}\n'
    refused = project.browser.post(f"{project.url}/drafts?name=two.jsonl", content=two)
    assert refused.status_code == 422
    assert "the file holds 2 texts" in refused.text
    long = b"A ferry. " * (limits.DESK_DRAFT_CHARACTERS // 9 + 1)
    assert project.browser.post(url, content=long).status_code == 422


running: list[Thread] = []


def weave(project: Project, **options: Any) -> None:
    """Consolidate, and wait for the end."""
    project.post("/weave", **options)
    running.pop().join(20)


def woven_now(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let consolidation end at once, with four sources in another order."""
    text = "The insurers will pay."
    account = Account(
        "a4", None, None, None, None, text, (SourceSentence(0, 22, "kept", (6,), ""),)
    )
    start = len(WOVEN.text) + 1
    sources = (Source("a4", 0, 22),)
    token = WrittenToken(start, start + len(text), sources)
    whole = replace(
        WOVEN,
        text=f"{WOVEN.text} {text}",
        sentences=(*WOVEN.sentences, WrittenSentence(start, start + len(text), (token,))),
        documents=(*WOVEN.documents, account),
    )
    now = apply_decisions(whole, None, stored_decisions(Move(CLOSED, ""))).consolidation

    def put(job: Any, owner: int, listener: Any, **options: Any) -> Any:
        work = Thread(target=listener.finished, args=[msgspec.json.encode(now)], daemon=True)
        work.start()
        running.append(work)
        return Ticket(1, job, owner, listener)

    monkeypatch.setattr(world.site.desk.models, "put", put)


def sentences(project: Project) -> list[tuple[str, bool]]:
    return [(one["text"], one["new"]) for one in project.get("/woven")["sentences"]]


def test_an_added_source_leaves_an_edited_text_unchanged(
    world: World, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.decide(kind="drop", sentence=ASLEEP)
    before = sentences(project)
    project.post("/accounts/paste", text="The insurers will pay.")
    woven_now(world, monkeypatch)
    weave(project)
    assert sentences(project) == [*before, ("The insurers will pay.", True)]
    weave(project, anew=True)
    assert sentences(project)[0] == ("The harbour was closed.", False)
    assert not any(new for _, new in sentences(project))


def test_an_unedited_text_is_consolidated_anew(
    world: World, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.post("/accounts/paste", text="The insurers will pay.")
    woven_now(world, monkeypatch)
    weave(project)
    assert sentences(project)[0] == ("The harbour was closed.", False)
