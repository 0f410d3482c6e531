"""A task of another package, made by following docs/add-a-task.md."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from ...listening import listen
from ...waiting import until

GUIDE = (Path(__file__).parents[3] / "docs" / "add-a-task.md").read_text("utf-8")
FILES = dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', GUIDE, re.MULTILINE | re.DOTALL))
TATIAN = [sys.executable, "-m", "tatian"]
FILES_OF_TASK = "/static/tasks/before-after"


def commands(kind: str) -> list[list[str]]:
    """Return the commands in the guide's last console block."""
    *_, block = re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    return [line.removeprefix("$ ").split() for line in block.splitlines()]


class Reader:
    """A reader who follows the guide in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = folder / "site-packages"
        self.errors = folder / "errors.txt"
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.site), os.environ.get("PYTHONPATH", "")]),
            "PYTHONUNBUFFERED": "1",
        }

    def install(self) -> None:
        """Install the files like ``pip install .``, without the network."""
        project = tomllib.loads(FILES["pyproject.toml"])
        (package,) = project["tool"]["setuptools"]["packages"]
        source = self.folder / "before-after"
        for name, text in FILES.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text, "utf-8")
        for pattern in ("*.py", *project["tool"]["setuptools"]["package-data"][package]):
            for file in (source / package).glob(pattern):
                target = self.site / file.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read_bytes())
        about = self.site / f"{package}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Name: {project['project']['name']}\nVersion: 1.0\n")
        groups = project["project"]["entry-points"].items()
        points = (
            f"[{group}]\n{name} = {at}\n" for group, own in groups for name, at in own.items()
        )
        (about / "entry_points.txt").write_text("".join(points))

    def run(self, command: list[str]) -> str:
        """Return the output of a command."""
        assert command[0] == "tatian"
        done = subprocess.run(
            [*TATIAN, *command[1:]],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def start(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start the server on a free port without a browser."""
        with self.errors.open("wb") as errors:
            arguments = [*TATIAN, *command[1:], "--port", "0", "--no-open"]
            return subprocess.Popen(arguments, cwd=self.folder, env=self.environment, stderr=errors)

    def link(self, title: str) -> str:
        """Return the demo link that the running server prints."""
        runs = "the workbench runs on"
        until(lambda: runs in self.errors.read_text("utf-8"), "the server", pause=0.1)
        told = self.errors.read_text("utf-8")
        found = re.search(rf"{re.escape(title)}.*?(http://\S+)", told)
        assert found, told
        return found[1]


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    opened, noise = context.new_page(), []
    listen(opened, noise)
    yield opened
    context.close()
    assert noise == []


def answer(page: Page, choice: str) -> None:
    """Wait for the next item and answer it."""
    radio = page.get_by_label(choice, exact=True)
    expect(radio).not_to_be_checked()
    radio.check()
    page.get_by_role("button", name="Submit").click()


def test_a_task_of_another_package_is_found_served_worked_on_and_exported(
    reader: Reader, page: Page
) -> None:
    (pip, serve), (create, export) = commands("console"), commands("text")
    assert pip == ["pip", "install", "."]
    reader.install()
    running = reader.start(serve)
    try:
        page.goto(reader.link("Demo: What happened first?"))
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_text("The ferry sank.")).to_be_visible()
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_text("Choose one of the three.")).to_be_visible()
        answer(page, "the first")
        feedback = page.get_by_role("region", name="How the answer compares")
        expect(feedback).to_contain_text("Right is: the second. It left, then it sank.")
        page.get_by_role("button", name="Continue").click()
        for _ in range(2):
            answer(page, "the second")
        expect(page.get_by_role("heading", name="All done: thank you")).to_be_visible()
        refuses_what_is_not_the_pages(reader, page)
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(60)
    (reader.folder / "pairs.csv").write_text("first,second\nIt rained.,It had snowed.\nA,B\n")
    assert "campaign 'storms' has 2 items and is open" in reader.run(create)
    reader.run(export)
    told = (reader.folder / export[-1]).read_text().splitlines()
    assert sorted((one["id"], one["earlier"]) for one in map(json.loads, told)) == [
        ("p1", "second"),
        ("p2", "second"),
    ]


def refuses_what_is_not_the_pages(reader: Reader, page: Page) -> None:
    """Check that files outside the page's folder are not served."""
    package = reader.site / "before_after"
    (package / "page" / "leads-out.md").symlink_to(package / "guidelines.md")
    paths = (
        "before-after.js",
        "../guidelines.md",
        "%2e%2e/guidelines.md",
        "..%2f__init__.py",
        "%2e%2e/%2e%2e/before_after-1.0.dist-info/METADATA",
        "leads-out.md",
        "",
    )
    assert {path: status(page, f"{FILES_OF_TASK}/{path}") for path in paths} == {
        **dict.fromkeys(paths, 404),
        "before-after.js": 200,
    }


def status(page: Page, path: str) -> int:
    """Return the status for a path, without a browser's normalization."""
    connection = HTTPConnection(urlsplit(page.url).netloc, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_guide_shows_every_file_that_it_lists() -> None:
    listed = re.search(r"^```text\nbefore-after/\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert listed
    names = re.findall(r"^ +([\w./-]+\.\w+)", listed[1], re.MULTILINE)
    assert sorted(names) == sorted(Path(name).name for name in FILES)
