"""A real server on a free port, with real browsers."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from tatian.workbench.accounts import links
from tatian.workbench.campaigns import campaigns, invitations, items, people
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import secret
from tatian.workbench.tasks import Json, NewItem, tasks
from tatian.workbench.web.server import create_app

from ...listening import page_listeners
from ...windows import PATIENCE, Windows

expect.set_options(timeout=PATIENCE)
ACTOR = "command line"
QUICK = """
  const patient = setTimeout;
  const seconds = (delay) => delay >= 1000 && delay <= 5000;
  window.setTimeout = (work, delay, ...rest) =>
    patient(work, seconds(delay) ? delay / 10 : delay, ...rest);
"""
"""What waits for seconds, such as drafts and further tries, waits for tenths of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    folder = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(folder):
            item.add_marker(pytest.mark.browser)


class Server:
    """A real server for all tests, with another application for each.

    Scripts and styles are the same for every test, and every window asks for all of them: the
    application answers once, and this repeats it, for browsers to keep. Pages are left for
    `blank`, an empty page that takes no time to draw.
    """

    def __init__(self) -> None:
        self.app: Starlette | None = None
        self._files: dict[str, list[Message]] = {}
        self._at_work = 0
        self._idle = threading.Event()
        self._idle.set()
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(64)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.blank = f"{self.url}/blank-between-tests"
        config = uvicorn.Config(self, log_level="warning", lifespan="off", ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],))
        self._thread.start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; all run in one thread, so counting them needs no lock."""
        assert self.app is not None, "a request before or after the test"
        self._at_work += 1
        self._idle.clear()
        try:
            await self._answer(self.app, scope, receive, send)
        finally:
            self._at_work -= 1
            if not self._at_work:
                self._idle.set()

    async def _answer(self, app: Starlette, scope: Scope, receive: Receive, send: Send) -> None:
        path, names = scope.get("path", ""), {name for name, _ in scope.get("headers", ())}
        if path == "/blank-between-tests":
            await PlainTextResponse("")(scope, receive, send)
            return
        if not path.startswith("/static/") or b"if-none-match" in names:
            await app(scope, receive, send)
            return
        if path not in self._files:
            answered: list[Message] = []

            async def keep(message: Message) -> None:
                answered.append(message)

            await app(scope, receive, keep)
            answered[0]["headers"] = [
                (name, b"max-age=3600" if name == b"cache-control" else value)
                for name, value in answered[0]["headers"]
            ]
            self._files[path] = answered
        for message in self._files[path]:
            await send(message)

    def rest(self) -> None:
        """Wait until all requests are answered."""
        assert self._idle.wait(30)

    def stop(self) -> None:
        """Stop the server and wait for its end."""
        self._server.should_exit = True
        self._thread.join(30)


class Workbench:
    """The application and the database of a server."""

    def __init__(self, folder: Path, server: Server, blank: Path) -> None:
        self.database = Database(shutil.copyfile(blank, str(folder / "workbench.db")))
        self.app = create_app(self.database, joins=1000)
        self.url = server.url
        self.address = server.blank
        self._server = server
        server.app = self.app

    def campaign(
        self,
        task: str,
        new: Sequence[NewItem],
        settings: CampaignSettings | None = None,
        *,
        id: str = "trial",
        guidelines: str = "Do it well.",
    ) -> Campaign:
        """Create an open campaign with items."""
        chosen = settings or CampaignSettings(shuffled=False)
        with self.database.writing() as connection:
            campaign = campaigns.create(connection, id, task, "A trial", chosen, guidelines, ACTOR)
            items.add(connection, campaign, new, ACTOR)
            return campaigns.change(connection, id, ACTOR, state="open")

    def invitation(self, campaign: Campaign) -> str:
        """Return the link of a new invitation for one person."""
        with self.database.writing() as connection:
            return self.url + invitations.invite(connection, campaign, ACTOR)

    def entrance(self, campaign: Campaign) -> str:
        """Return the personal link of a new person who agreed to the terms."""
        with self.database.writing() as connection:
            person = people.enter(connection, campaign)
            people.consent(connection, campaign, person.id)
            subject = f"{campaign.id} {person.id}"
            return (
                f"{self.url}/resume/{links.sign_token(secret(connection), links.RESUME, subject)}"
            )

    def close(self) -> None:
        """Wait for open requests, and close the database."""
        self._server.rest()
        self.database.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The server of all tests."""
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def workbench(tmp_path: Path, server: Server, blank_workbench: Path) -> Iterator[Workbench]:
    """An empty workbench."""
    opened = Workbench(tmp_path, server, blank_workbench)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def modules(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, blank_workbench: Path
) -> Iterator[Page]:
    """A page that can import the server's modules, for stateless functions."""
    server = Server()
    opened = Workbench(tmp_path_factory.mktemp("modules"), server, blank_workbench)
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.url}/sign-in")
    yield page
    context.close()
    opened.close()
    server.stop()


Join = Callable[..., Page]


@pytest.fixture
def join(windows: Windows, workbench: Workbench) -> Iterator[Join]:
    """Open the work page of a new person in a window.

    Whatever a page says on the console fails the test, unless `console_allowed`.
    """
    noise: list[str] = []

    def enter(campaign: Campaign, *, console_allowed: bool = False, **options: Any) -> Page:
        page = windows.open(QUICK, **options)
        windows.on(page, **page_listeners(noise, console=not console_allowed))
        page.goto(workbench.entrance(campaign))
        return page

    yield enter
    windows.leave(workbench.address)
    assert noise == []


@pytest.fixture
def phone() -> dict[str, Any]:
    """Options of `join` for a small phone."""
    return {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    }


SERIOUS = frozenset({"serious", "critical"})
FINDINGS = """async (part) =>
  (await axe.run(part, { resultTypes: ["violations"] })).violations
    .map(({ id, help, impact, nodes }) => ({
      id, help, impact, nodes: nodes.map(({ html }) => ({ html })),
    }))
"""


@pytest.fixture(scope="session")
def axe() -> Callable[..., list[str]]:
    """Return axe's serious findings on a page: ``assert axe(page) == []``.

    Or in the `part` of it that a selector names, where only that has changed.
    """
    from axe_playwright_python.sync_playwright import Axe

    script = Axe().axe_script

    def findings(page: Page, part: str = "html") -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(script)
        return [
            f"{one['id']} ({one['help']}): {node['html']}"
            for one in page.evaluate(FINDINGS, part)
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]

    return findings


@pytest.fixture
def answers(workbench: Workbench) -> Callable[[Campaign], list[Json]]:
    """Return the stored answers of a campaign, oldest first."""
    from tatian.workbench.campaigns.records import read_records

    def stored(campaign: Campaign) -> list[Json]:
        with workbench.database.reading() as connection:
            return [record.answer for record in read_records(connection, campaign)]

    return stored


def item(task: str, key: str, content: Json, **options: Any) -> NewItem:
    """Return an item with checked content."""
    return NewItem(key, tasks.create(task).content(content), **options)


@pytest.fixture
def chain(
    workbench: Workbench, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """The people of a campaign; hidden tests come as late as possible.

    So whoever fails one has answered an item before, which must be asked again.
    """

    from tatian.workbench.campaigns import selection

    from .chain_steps import Chain

    monkeypatch.setattr(selection, "draw", lambda campaign, annotator, what, sides: sides - 1)
    monkeypatch.setenv("TATIAN_DATABASE", str(tmp_path / "workbench.db"))
    monkeypatch.chdir(tmp_path)
    everybody = Chain(workbench, browser, tmp_path)
    yield everybody
    everybody.close()
    assert everybody.noise == []
