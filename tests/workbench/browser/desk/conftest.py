"""The desk on a real server, with real browsers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tatian.workbench.storage.database import Database
from tatian.workbench.web.server import create_app, entrance_path

from ....listening import page_listeners
from ....windows import Windows
from .lasting import LastingModels, Worker

PATIENCE = 60_000
"""Milliseconds that weaving may take."""
STORY = {
    "wire.txt": """Fire destroys a warehouse in Ostrey

A fire destroyed a timber warehouse in the port of Ostrey on Monday night,
injuring four firefighters, the fire brigade said. The fire broke out at about 9 p.m. in a paint
store. It took 60 firefighters six hours to put it out. "We heard a bang and then the roof was
gone," said Mara Lindholm, who lives across the harbour. The port was closed until Tuesday noon.
""",
    "courier.html": """<!doctype html>
<html lang="en"><head><title>Ostrey warehouse lost to fire</title></head><body><article>
<h1>Ostrey warehouse lost to fire</h1>
<p>Seven firefighters were injured when a timber warehouse in the port of Ostrey burned down on
Monday night. The warehouse belonged to Brandt and Sons, a family firm founded in 1921. Nobody was
inside when the fire began. Police have questioned a night watchman. The damage is put at two
million crowns.</p>
</article></body></html>
""",
    "weekly.docx": """After the fire

The owner of the warehouse that burned down in Ostrey on Monday said on Wednesday that he would
build again. Jens Brandt said that the store of paint had been inspected in January. Two of the
injured firefighters were still in hospital. The harbour master wants paint stores banned from the
port.
""",
}
"""Three accounts of one fire, which do not agree on how many were hurt."""
LATER = """The insurers

The insurers of Brandt and Sons said on Friday that they would pay. A safety expert from Halverne,
Dora Quist, will look into the cause of the fire.
"""
Window = Callable[..., Page]
WORKER = Worker()


@pytest.fixture(scope="session", autouse=True)
def worker() -> Iterator[None]:
    """Ends the process of the models when no test needs it any more."""
    yield
    WORKER.end()


class Desk:
    """A server that opens the desk, and its database."""

    def __init__(self, path: Path, server: Any, **options: Any) -> None:
        self.database = Database(str(path))
        self.app = create_app(self.database, desk=True, **options)
        self.app.state.site.desk.models = LastingModels(WORKER)
        self.url = f"{server.url}/desk"
        self.base = server.url
        self.address = server.blank
        self._server = server
        server.app = self.app

    def enter(self, page: Page) -> None:
        """Open the link that `tatian desk` prints."""
        page.goto(self.base + entrance_path(self.app.state.site))

    def close(self) -> None:
        """Wait for open requests, end the models and close the database."""
        self._server.rest()
        self.app.state.site.desk.close()
        self.database.close()


@pytest.fixture
def desk(tmp_path: Path, server: Any) -> Iterator[Desk]:
    """A desk without projects."""
    opened = Desk(tmp_path / "desk.db", server)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def woven_story(browser: Browser, server: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a consolidated project, for tests that copy it."""
    folder = tmp_path_factory.mktemp("woven")
    opened = Desk(folder / "desk.db", server)
    context = browser.new_context()
    page = context.new_page()
    opened.enter(page)
    put_in(page, story(folder))
    page.get_by_label("Title of the project").fill("The fire")
    page.get_by_role("button", name="Consolidate").click()
    expect(page.locator("#text .o").first).to_be_visible(timeout=PATIENCE)
    context.close()
    opened.close()
    return folder / "desk.db"


@pytest.fixture
def fire(woven_story: Path, tmp_path: Path, server: Any) -> Iterator[Desk]:
    """A desk with the consolidated project "The fire"."""
    shutil.copyfile(woven_story, tmp_path / "desk.db")
    opened = Desk(tmp_path / "desk.db", server)
    yield opened
    opened.close()


@pytest.fixture
def window(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Window]:
    """Open the desk, or "The fire" if the test uses it, in a window.

    Whatever a page says on the console fails the test, unless `loud`; `refused`: some answers are
    refusals.
    """
    name = "fire" if "fire" in request.fixturenames else "desk"
    desk: Desk = request.getfixturevalue(name)
    noise: list[str] = []

    def opened(*, refused: bool = False, loud: bool = False, **options: Any) -> Page:
        page = windows.open(**options)
        windows.on(page, **page_listeners(noise, console=not loud, refused=refused))
        desk.enter(page)
        if name == "fire":
            page.get_by_role("link", name="The fire").click()
            expect(page.locator("#text .o").first).to_be_visible()
        return page

    yield opened
    windows.leave(desk.address)
    assert noise == []


def story(folder: Path) -> list[Path]:
    """Write the three files of the story, each of another kind."""
    from docx import Document

    for name, text in STORY.items():
        if name.endswith(".docx"):
            document = Document()
            for paragraph in text.split("\n\n"):
                document.add_paragraph(paragraph.replace("\n", " ").strip())
            document.save(str(folder / name))
        else:
            (folder / name).write_text(text, "utf-8")
    return [folder / name for name in STORY]


def put_in(page: Page, files: Sequence[Path]) -> None:
    """Choose files, and wait until the page has read them."""
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Choose files").click()
    choosing.value.set_files(files)
    cards = page.get_by_role("list", name="Sources").get_by_role("listitem")
    expect(cards.filter(has_text=files[-1].name)).to_be_visible()


def sentence(page: Page, words: str) -> Locator:
    """Return the sentence of the text with these words."""
    return page.locator("#text .o").filter(has_text=words)


def choose(page: Page, words: str, item: str) -> None:
    """Choose an item in the menu of the sentence with these words."""
    sentence(page, words).locator(".n").click()
    page.get_by_role("menuitem", name=re.compile(f"^{item}")).click()


def texts(page: Page) -> list[str]:
    """Return the sentences of the text, without numbers and letters."""
    got: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("#text .o")].map((one) => {
          const copy = one.cloneNode(true);
          copy.querySelectorAll(".n, .sigla").forEach((each) => each.remove());
          return copy.textContent.trim();
        })"""
    )
    return got
