"""A campaign with its manager, its annotators and the command line.

In every chain Cleo comes first, answers carelessly and fails the hidden question; Anna and Ben
answer in her place and differ once, which somebody decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tatian.cli import main
from tatian.workbench.campaigns import campaigns, people
from tatian.workbench.web.server import admin_link

from ...listening import listen

PATIENCE = 20_000
PEOPLE = ("Cleo", "Anna", "Ben")
DONE = "All done: thank you"
EXCLUDED = "You no longer take part"
SETTINGS = {"annotators": 2, "shuffled": False, "test_every": 2, "test_mark": 0.6}
"""One hidden question among two items, so that everybody meets one."""

_SHOWN = """([asked, last]) => {
    const screen = document.querySelector(".screen h2");
    if (screen) return screen.textContent;
    const found = document.querySelector(asked);
    const ready = found && !document.querySelector("main").inert;
    return ready && found.textContent !== last ? found.textContent : null;
}"""
Act = Callable[[Page], None]


class Chain:
    """A server with windows of its users, and a folder for commands on its database."""

    def __init__(self, workbench: Any, browser: Browser, folder: Path) -> None:
        self.bench = workbench
        self.folder = folder
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._admin: Page | None = None
        self.noise: list[str] = []

    def close(self) -> None:
        """Close all windows."""
        for context in self._contexts:
            context.close()

    def window(self) -> Page:
        """Open a window of another person and record its console messages."""
        context = self._browser.new_context(
            viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        listen(page, self.noise)
        return page

    @property
    def admin(self) -> Page:
        """Return the window of the manager."""
        if self._admin is None:
            self._admin = self.window()
            self._admin.goto(self.bench.url + admin_link(self.bench.app.state.site))
        return self._admin

    def tatian(self, *arguments: str) -> Any:
        """Return the output of a command, parsed if it is JSON."""
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout) if "json" in arguments else result.stdout

    def write(self, name: str, *records: Any) -> str:
        """Write records to a file of JSON lines."""
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (self.folder / name).write_text(lines, "utf-8")
        return name

    def read(self, name: str) -> list[Any]:
        """Return the records of a file of JSON lines."""
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]

    def links(self, id: str) -> dict[str, str]:
        """Return a personal link per person, from the command line."""
        (self.folder / "people.txt").write_text("\n".join(PEOPLE), "utf-8")
        told = self.tatian(
            "campaign", "invite", id, "--labels", "people.txt", "--public-url", self.bench.url
        )
        return dict(line.split("\t") for line in told.splitlines())

    def enter(self, link: str, name: str) -> Page:
        """Open a personal link and begin."""
        page = self.window()
        page.goto(link)
        page.get_by_label("Your name (optional)").fill(name)
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/work/**")
        return page

    def pseudonyms(self, id: str) -> dict[str, str]:
        """Return the pseudonyms in the export."""
        with self.bench.database.reading() as connection:
            found = people.list_people(connection, campaigns.get(connection, id))
        return {one.name: one.id for one in found}

    def agreement(self, id: str) -> dict[str, float]:
        """Return the agreement of two people on two items, from the command line."""
        found = self.tatian("campaign", "agreement", id, "--format", "json")
        assert (found["items"], found["annotators"], found["answers"]) == (2, 2, 4)
        return {one["name"]: one["value"] for one in found["measures"]}

    def decide(self, id: str, about: str, number: int) -> None:
        """Let the manager decide the only open item by an answer."""
        page = self.admin
        page.goto(f"{self.bench.url}/campaigns/{id}/adjudicate")
        expect(page.get_by_text("2 items: 1 left to you, 1 settled by the rule")).to_be_visible()
        page.get_by_role("link", name="Decide the next one").click()
        expect(page.get_by_role("row").filter(has_text=about)).to_contain_text("open")
        page.get_by_role("button", name=re.compile(f"^Take this answer: {number},")).click()
        page.get_by_label("Note").fill("As the guidelines say.")
        page.get_by_role("button", name="Save and next", exact=True).click()
        expect(page.get_by_text("Nothing more is left to decide")).to_be_visible()

    def exported(self, id: str) -> dict[str, str]:
        """Apply the rule to other items, and export gold and answers to folders.

        Says who decided each item: a person, or the rule.
        """
        self.tatian("campaign", "adjudicate", id, "--apply", "--to", "task", "-o", f"{id}-gold/")
        self.tatian("campaign", "export", id, "--to", "task", "-o", f"{id}-answers/")
        return {one["item"]: one["how"] for one in self.read(f"{id}-gold/provenance.jsonl")}


def work(page: Page, asked: str, answers: Mapping[str, Act], told: str = "") -> tuple[int, str]:
    """Answer all items; return their number and the last heading.

    `asked` is where a page says what it asks; `answers` are known by a part of that, the training
    item's first, after which comes what was `told` about it.
    """
    shown = ""
    for done in range(len(answers) + 1):
        shown = page.wait_for_function(_SHOWN, arg=[asked, shown]).json_value()
        known = next((key for key in answers if key in shown), None)
        if known is None:
            break
        answers[known](page)
        if told and not done:
            feedback = page.get_by_role("region", name="How the answer compares")
            expect(feedback).to_contain_text(told)
            page.get_by_role("button", name="Continue").click()
            expect(feedback).to_have_count(0)
    return done, shown


def submit(page: Page) -> None:
    """Press the submit button."""
    page.get_by_role("button", name="Submit", exact=True).click()


def tab(page: Page, name: str) -> None:
    """A part of a campaign's pages."""
    page.get_by_role("navigation", name="Campaign").get_by_role("link", name=name).click()


def row(part: Page | Locator, name: str) -> Locator:
    """Return the table row whose text matches a pattern."""
    return part.get_by_role("row", name=re.compile(name)).first
