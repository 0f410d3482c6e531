"""The workbench as people meet it: a real server on a free port, real browsers that join it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tatian.workbench.campaigns import campaigns, inviting, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.settings import Settings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem, Plain, tasks
from tatian.workbench.web.app import create_app

PATIENCE = 20_000
"""Milliseconds that anything on a page may take."""
expect.set_options(timeout=PATIENCE)
ACTOR = "command line"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


class Bench:
    """A running server and its database."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(str(folder / "workbench.db"))
        self.app = create_app(self.database, joins=1000)
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(64)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(self.app, log_level="warning", lifespan="off", ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],))
        self._thread.start()

    def campaign(
        self,
        task: str,
        new: Sequence[NewItem],
        settings: Settings | None = None,
        *,
        id: str = "trial",
        guidelines: str = "Do it well.",
    ) -> Campaign:
        """An open campaign of some items."""
        chosen = settings or Settings(shuffled=False)
        with self.database.writing() as connection:
            made = campaigns.create(connection, id, task, "A trial", chosen, guidelines, ACTOR)
            items.add(connection, made, new, ACTOR)
            return campaigns.change(connection, id, ACTOR, state="open")

    def invitation(self, campaign: Campaign) -> str:
        """A new address that lets one person in."""
        with self.database.writing() as connection:
            return self.url + inviting.invite(connection, campaign, ACTOR)

    def stop(self) -> None:
        """Shut it down and wait until it is."""
        self._server.should_exit = True
        self._thread.join(30)
        self.database.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A server of its own for each test."""
    running = Bench(tmp_path)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def modules(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of a server from which its modules can be imported, for functions without state."""
    running = Bench(tmp_path_factory.mktemp("modules"))
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{running.url}/sign-in")
    yield page
    context.close()
    running.stop()


Join = Callable[..., Page]


@pytest.fixture
def join(browser: Browser, bench: Bench) -> Iterator[Join]:
    """Lets a new person into a campaign, in a browser window of their own, up to the work page.

    Whatever a page says on the console fails the test, unless `loud`.
    """
    contexts: list[BrowserContext] = []
    noise: list[str] = []

    def enter(campaign: Campaign, *, loud: bool = False, **options: Any) -> Page:
        size = {"width": 1280, "height": 900}
        context = browser.new_context(
            **{"viewport": size, "reduced_motion": "reduce", **options}  # type: ignore[arg-type]
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        if not loud:
            page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.goto(bench.invitation(campaign))
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/work/**")
        return page

    yield enter
    for context in contexts:
        context.close()
    assert noise == []


@pytest.fixture
def phone() -> dict[str, Any]:
    """Options of `join` for a small telephone."""
    return {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    }


SERIOUS = frozenset({"serious", "critical"})


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """Says which serious obstacles axe finds on a page as it stands: ``assert axe(page) == []``."""
    from axe_playwright_python.sync_playwright import Axe

    tool = Axe()

    def findings(page: Page) -> list[str]:
        found = tool.run(page).response["violations"]
        return [
            f"{one['id']} ({one['help']}): {node['html']}"
            for one in found
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]

    return findings


@pytest.fixture
def answers(bench: Bench) -> Callable[[Campaign], list[Plain]]:
    """What a campaign has stored, oldest first."""
    from tatian.workbench.campaigns.records import recorded

    def stored(campaign: Campaign) -> list[Plain]:
        with bench.database.reading() as connection:
            return [record.answer for record in recorded(connection, campaign)]

    return stored


def item(task: str, key: str, content: Plain, **options: Any) -> NewItem:
    """An item whose content the task has checked."""
    return NewItem(key, tasks.create(task).content(content), **options)
