"""The desk as a process, with real models and sudden ends."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

import msgspec
import pytest

from tatian.workbench.desk import projects, results
from tatian.workbench.desk.results import StoredConsolidation
from tatian.workbench.storage.database import Database

from ...chat.server import Script, says, sends, serve
from ...waiting import until
from .texts import TEXTS, sentence_id, woven

PATIENCE = 120
FIRST = (
    "A ferry with 212 people on board ran aground off Halverne on Tuesday. "
    "Lifeboats took everyone off within two hours."
)
SECOND = (
    "The ferry Marla Grey ran aground off Halverne on Tuesday in thick fog. "
    "Its captain was questioned for three hours."
)


DECISIONS = (
    {"kind": "drop", "sentence": sentence_id("a1", "asleep")},
    {"kind": "move", "sentence": sentence_id("a3", "cheered"), "after": ""},
    {"kind": "headline", "text": "Aground"},
    {"kind": "exclude", "source": sentence_id("a2", "sandbank")},
)


class Server:
    """``tatian desk`` on a database, with a signed-in browser."""

    def __init__(self, database: Path, *options: str) -> None:
        command = [sys.executable, "-m", "tatian", "desk", "--no-browser", "--port", "0", *options]
        self.process = subprocess.Popen(
            [*command, "--database", str(database)], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        found = re.search(r"(http://\S+)(/sign-in/\S+)", self.process.stderr.readline())
        assert found is not None
        self.url = found[1]
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))
        with self.opener.open(self.url + found[2], timeout=PATIENCE) as page:
            token = re.search(r'data-csrf="([^"]+)"', page.read().decode())
        assert token is not None
        self.csrf = token[1]

    def ask(self, method: str, path: str, body: Any = None, at: str = "desk/projects") -> Any:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        headers = {"X-CSRF-Token": self.csrf, "Content-Type": kind}
        url = f"{self.url}/api/v1/{at}{path}"
        request = Request(url, data, headers, method=method)
        with self.opener.open(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def until(self, path: str, done: Callable[[Any], bool], patience: int = PATIENCE) -> Any:
        found = None

        def reached() -> bool:
            nonlocal found
            found = self.ask("GET", path)
            return done(found)

        until(reached, path, patience=patience, pause=0.1)
        return found

    def woven(self, project: str, patience: int = PATIENCE) -> Any:
        over = ("idle", "failed", "cancelled", "interrupted")
        return self.until(f"/{project}", lambda one: one["weaving"]["state"] in over, patience)

    def end(self, how: int = signal.SIGTERM, patience: int = PATIENCE) -> int:
        self.process.send_signal(how)
        try:
            return self.process.wait(patience)
        finally:
            self.process.kill()
            self.process.wait()
            assert self.process.stderr is not None
            self.process.stderr.close()


def surroundings(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Return the environment of the desk."""
    patch.setenv("TATIAN_CACHE", str(folder / "cache"))
    patch.setenv("TATIAN_PROMPT_TRIES", "1")
    patch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A desk shared by tests, each with its own project."""
    folder = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:
        surroundings(patch, folder)
        running = Server(folder / "desk.db")
        yield running
        running.end()


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Server]]:
    """Return a function that starts the desk on one database."""
    surroundings(monkeypatch, tmp_path)
    servers: list[Server] = []

    def start(*options: str) -> Server:
        servers.append(Server(tmp_path / "desk.db", *options))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.end()


def create_project(server: Server) -> str:
    """Create a project with two short sources."""
    project = server.ask("POST", "", {})["id"]
    server.ask("POST", f"/{project}/accounts?name=first.txt", FIRST.encode())
    server.ask("POST", f"/{project}/accounts/paste", {"text": SECOND, "date": "2026-03-15"})
    return str(project)


def start_long_consolidation(server: Server) -> str:
    """Start a consolidation that takes seconds, so that it is seen running."""
    boats = " ".join(f"Boat {one} took {one + 20} of them to the harbour." for one in range(200))
    return weaving(server, f"{FIRST} {boats}", f"{SECOND} {boats}")


def test_files_become_an_edited_text(server: Server) -> None:
    project = create_project(server)
    with server.opener.open(f"{server.url}/api/v1/desk/projects/{project}/events") as stream:
        server.ask("POST", f"/{project}/weave", {})
        told = []
        while "woven" not in told[2:]:
            line = stream.readline().decode()
            told += [line.split()[1]] if line.startswith("event") else []
    assert told[:2] == ["weaving", "woven"]
    found = server.woven(project)
    assert found["weaving"]["state"] == "idle"
    (first, *_) = found["woven"]["sentences"]
    assert {one for each in found["woven"]["sentences"] for one in each["accounts"]} == {"a1", "a2"}

    words = "Nobody on Mars was ever told of a submarine."
    typed = {"kind": "edit", "sentence": first["id"], "text": words}
    answer = server.ask("POST", f"/{project}/decisions", typed)
    assert answer["sentences"][0]["verdict"]["verdict"] == "waiting"

    def judged(text: Any) -> bool:
        return bool(text["sentences"][0]["verdict"]["verdict"] != "waiting")

    text = server.until(f"/{project}/woven", judged)
    assert text["sentences"][0]["verdict"]["verdict"] in ("unsupported", "contradicted", "unknown")

    draft = {"text": "Lifeboats took everyone off within two hours. Nobody on Mars was ever told."}
    check = server.ask("POST", f"/{project}/checks", draft)
    done = server.until(
        f"/{project}/checks/{check['check']}", lambda one: one["state"] != "waiting"
    )
    verdicts = [one["verdict"] for one in done["trace"]["sentences"]]
    assert (verdicts[0], verdicts[1] != "supported") == ("supported", True)
    assert done["trace"]["untold"]


def test_people_without_the_link_are_refused_and_a_new_one_is_printed(
    started: Callable[[], Server],
) -> None:
    server = started()
    other = build_opener(HTTPCookieProcessor(CookieJar()))
    for path in ("/desk", "/sign-in", "/sign-in?to=/desk", "/api/v1/desk/projects"):
        with pytest.raises(HTTPError) as refused:
            other.open(server.url + path, timeout=PATIENCE)
        refused.value.close()
        assert refused.value.code == 401
    server.process.send_signal(signal.SIGTERM)
    _, said = server.process.communicate(timeout=PATIENCE)
    assert len(re.findall(r"http://\S+/sign-in/\S+", said)) == 1


def test_the_server_stops_while_pages_listen(started: Callable[[], Server]) -> None:
    server = started()
    project = create_project(server)
    with server.opener.open(f"{server.url}/api/v1/desk/projects/{project}/events") as stream:
        assert stream.readline()
        assert server.end(patience=15) in (0, -signal.SIGTERM)


class Killed(NamedTuple):
    """A desk that was killed at work and restarted."""

    again: Server
    decided: str
    """A project with decisions."""
    last: Any
    """Its text before the server was killed."""
    cut_off: str
    """A project that was being woven."""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    """Kill the server during decisions in a project and consolidation of another."""
    folder = tmp_path_factory.mktemp("killed")
    with pytest.MonkeyPatch.context() as patch:
        surroundings(patch, folder)
        first = Server(folder / "desk.db")
        decided = str(first.ask("POST", "", {})["id"])
        for text in TEXTS.values():
            first.ask("POST", f"/{decided}/accounts/paste", {"text": text})
        _woven_by_hand(folder / "desk.db", decided)
        for body in DECISIONS:
            last = first.ask("POST", f"/{decided}/decisions", body)
        first.ask("POST", f"/{decided}/undo", {})
        cut_off = start_long_consolidation(first)
        first.until(f"/{cut_off}", lambda found: found["weaving"]["state"] == "running")
        first.end(signal.SIGKILL)
        again = Server(folder / "desk.db")
        yield Killed(again, decided, last, cut_off)
        again.end()


def test_no_decision_is_lost_when_the_server_is_killed(killed: Killed) -> None:
    text = killed.again.ask("GET", f"/{killed.decided}")["woven"]
    assert [one["kind"] for one in text["decisions"]] == [body["kind"] for body in DECISIONS]
    assert [one["undone"] for one in text["decisions"]] == [False, False, False, True]
    assert [one["text"] for one in text["sentences"]] == [
        one["text"] for one in killed.last["sentences"]
    ]


@pytest.mark.long
def test_an_interrupted_consolidation_is_shown_and_restarted(killed: Killed) -> None:
    server, project = killed.again, killed.cut_off
    found = server.ask("GET", f"/{project}")
    assert found["weaving"]["state"] == "interrupted"
    assert len(found["accounts"]) == 2
    server.ask("POST", f"/{project}/weave", {})
    assert server.woven(project)["woven"]["words"] > 20


def _woven_by_hand(path: Path, project: str) -> None:
    database = Database(str(path))
    with database.writing() as connection:
        stamp = results.compute_stamp(projects.list_sources(connection, project), None)
        text = msgspec.json.encode(woven()).decode()
        results.store_consolidation(connection, project, StoredConsolidation(stamp, None, text))
    database.close()


def weaving(server: Server, *texts: str) -> str:
    """Create a project with sources and consolidate it."""
    project = str(server.ask("POST", "", {})["id"])
    for text in texts:
        server.ask("POST", f"/{project}/accounts/paste", {"text": text})
    server.ask("POST", f"/{project}/weave", {})
    return project


@pytest.mark.long
def test_a_consolidation_is_stopped_and_restarted(server: Server) -> None:
    project = start_long_consolidation(server)
    server.until(f"/{project}", lambda found: found["weaving"]["state"] == "running")
    server.ask("DELETE", f"/{project}/weave")
    assert server.woven(project)["weaving"]["state"] in ("cancelled", "idle")
    server.ask("POST", f"/{project}/weave", {})
    assert server.woven(project)["weaving"]["state"] == "idle"


@pytest.mark.long
def test_a_union_of_source_sentences_is_offered_and_chosen(server: Server) -> None:
    project = weaving(
        server,
        "A ferry ran aground off Halverne on Tuesday. Nobody was hurt on the ship.",
        "A large ferry ran aground off Halverne on Tuesday. It was foggy at sea.",
    )
    text = server.woven(project)["woven"]
    told = {
        id
        for fates in text["fates"].values()
        for one in fates
        for id in one["into"]
        if one["fate"] == "redundant"
    }
    (sentence, *_) = told
    path = f"/{project}/sentences/{sentence}/wordings"
    offered = server.until(path, lambda one: not one["waiting"])["wordings"]
    kinds = {one["kind"] for one in offered}
    assert kinds >= {"woven", "source"}
    last = offered[-1]
    body = {"kind": "word", "sentence": sentence, "wording": last["key"]}
    after = server.ask("POST", f"/{project}/decisions", body)
    assert last["text"] in [one["text"] for one in after["sentences"]]
    with pytest.raises(HTTPError) as refused:
        server.ask("POST", f"/{project}/decisions", {**body, "wording": "source:a9:0-1"})
    refused.value.close()
    assert refused.value.code == 422


WITH_ALL = "The ferry Anna, carrying 80 passengers, ran aground off Halverne on Monday."
OTHERWISE = "With 80 passengers aboard, the ferry Anna ran aground off Halverne on Monday."


def create_mergeable(server: Server) -> str:
    """Create a project with two sources that a model can merge into a sentence."""
    return weaving(
        server,
        "The ferry Anna ran aground off Halverne on Monday. It carried 80 passengers.",
        "The ferry Anna ran aground on Monday.",
    )


def test_a_later_language_model_rewords_the_text(started: Callable[..., Server]) -> None:
    replies = [says(f"{WITH_ALL} [A1 A2 B1]"), says(f"{OTHERWISE} [A1 B1 C1]")]
    with serve(Script(*replies)) as script:
        script.models = sends({}, 503)
        server = started("--writer", script.url)
        project = create_mergeable(server)
        woven = server.woven(project)["woven"]
        assert "language model could not be asked" in woven["stale"]
        assert "503" in woven["stale"]
        assert [one["model"] for one in woven["sentences"]] == [False, False]
        path = f"/{project}/sentences/{woven['sentences'][0]['id']}/wordings"
        away = server.until(path, lambda one: not one["waiting"])
        assert "503" in away["problem"]
        kinds = {one["kind"] for one in away["wordings"]}
        assert kinds - {"union"} == {"woven", "source"}

        script.models = sends({"data": [{"id": "only-model"}]})
        server.ask("POST", f"/{project}/weave", {})
        woven = server.woven(project)["woven"]
        assert (woven["stale"], woven["writing"]["model"]) == ("", "only-model")
        (sentence,) = woven["sentences"]
        assert (sentence["text"], sentence["model"]) == (WITH_ALL, True)
        path = f"/{project}/sentences/{sentence['id']}/wordings"
        server.ask("GET", f"{path}?again=true")
        offered = server.until(path, lambda one: not one["waiting"])["wordings"]
        (other,) = [one for one in offered if one["kind"] == "model"]
        assert other["text"] == OTHERWISE
        decision = {"kind": "word", "sentence": sentence["id"], "wording": other["key"]}
        (now,) = server.ask("POST", f"/{project}/decisions", decision)["sentences"]
        assert (now["text"], now["model"]) == (OTHERWISE, True)
    taken = server.ask("GET", f"/{project}/export/json")
    assert taken["writer"]["drafts"] == [{"text": OTHERWISE, "sentences": [0], "why": ""}]


def test_answers_of_a_model_are_stored_and_deleted_with_the_project(
    started: Callable[..., Server], tmp_path: Path
) -> None:
    with serve(Script(says(f"{WITH_ALL} [A1 A2 B1]"))) as script:
        server = started("--writer", script.url)
        project = create_mergeable(server)
        assert server.woven(project)["woven"]["sentences"][0]["model"]
    database = Database(str(tmp_path / "desk.db"))
    with database.reading() as connection:
        (answer,) = results.get_answers(connection, project).values()
    assert answer.text == f"{WITH_ALL} [A1 A2 B1]"
    assert not list(tmp_path.rglob("*.jsonl"))
    server.ask("DELETE", f"/{project}")
    with database.reading() as connection:
        assert results.get_answers(connection, project) == {}
    database.close()
    server.end()
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or WITH_ALL.encode() not in file.read_bytes()


@pytest.mark.long
def test_stored_answers_of_a_model_are_not_requested_again(started: Callable[..., Server]) -> None:
    with serve(Script(says(f"{WITH_ALL} [A1 A2 B1]"))) as script:
        server = started("--writer", script.url)
        project = create_mergeable(server)
        server.woven(project)
        asked = len(script.requests)
        (account, *_) = server.ask("GET", f"/{project}")["accounts"]
        text = account["text"] + "\n"
        server.ask("PATCH", f"/{project}/accounts/{account['id']}", {"text": text})
        assert server.ask("GET", f"/{project}")["woven"]["stale"]
        server.ask("POST", f"/{project}/weave", {})
        assert server.woven(project)["woven"]["sentences"][0]["model"]
        assert len(script.requests) == asked
