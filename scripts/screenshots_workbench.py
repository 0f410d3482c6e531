"""Take the pictures of the workbench in docs/images from a server with demo campaigns.

    python scripts/screenshots_workbench.py [FOLDER]

Needs the `workbench` extra, playwright, pillow and a Chromium ($TATIAN_CHROMIUM, or one on the
path).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright
from sqlalchemy import Connection
from starlette.applications import Starlette

from tatian.workbench import demo
from tatian.workbench.campaigns import allocation, campaigns, people, submission
from tatian.workbench.campaigns.allocation import Assignment
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import Pay
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import tasks
from tatian.workbench.web.server import admin_link, create_app

IMAGES = Path(__file__).parents[1] / "docs" / "images"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-lcd-text"]
WIDTH, FLAT, TALL = 1080, 640, 1120
COLOURS = 128
"""Colours of a picture, rare ones kept: enough for text, and a third of the size."""
LARGEST = 100_000
UNION = "demo-union"
PEOPLE = (("Amira", 41.0, 12), ("Jonas", 63.0, 9), ("Wei", 52.0, 11))
"""People at work in the pictures: name, seconds for an answer, answers."""
BRIEF = "Wei"
"""Person who answers differently from the rest."""


def main() -> None:
    """Take every picture."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        database = Database(f"{temporary}/demo.db")
        app = create_app(database)
        with serve(app) as base, sync_playwright() as playwright:
            demo.create_demos(database)
            with database.writing() as connection:
                campaign = campaigns.get(connection, UNION)
                fewer = replace(campaign.settings, annotators=3, pay=Pay(0.3, 1.25, 100))
                answer(connection, campaigns.change(connection, UNION, "demo", settings=fewer))
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            take_all(
                browser, base, admin_link(app.state.site), dict(demo.demo_paths(database)), folder
            )
            browser.close()
        database.close()


@contextmanager
def serve(app: Starlette) -> Iterator[str]:
    """Start a server on a free port; yield its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        deadline = time.monotonic() + 30
        while not server.started:
            if time.monotonic() > deadline or not thread.is_alive():
                raise SystemExit("the server does not start")
            time.sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def answer(connection: Connection, campaign: Campaign) -> None:
    """Let some people do a part of a campaign of unions."""
    task = tasks.create(campaign.task)
    for name, seconds, most in PEOPLE:
        person = people.enter(connection, campaign, name=name)
        people.consent(connection, campaign, person.id)
        for done in range(most):
            _, mine = allocation.assign_next(connection, campaign, person.id)
            if mine is None:
                break
            spent = seconds + 7 * (done % 3)
            said = union(mine, brief=name == BRIEF)
            submission.submit(
                connection, campaign, task, person.id, mine.id, str(done), said, spent
            )


def union(mine: Assignment, *, brief: bool) -> dict[str, Any]:
    """Return the gold answer if known, otherwise the longest sentence or the shortest."""
    known = mine.gold or {}
    if known.get("type") == "skipped":
        return {"type": "skipped", "reason": known["reason"]}
    if known:
        fields = {name: known[name] for name in ("merged", "base", "highlights") if name in known}
        return {"type": "written", "base": 0, **fields}
    choose = min if brief else max
    chosen = choose(range(len(mine.content["sentences"])), key=lambda n: len(sentence(mine, n)))
    return {"type": "written", "base": chosen, "merged": sentence(mine, chosen)}


def sentence(mine: Assignment, number: int) -> str:
    """Return one of an item's sentences."""
    return str(mine.content["sentences"][number])


def take_all(browser: Browser, base: str, link: str, paths: dict[str, str], folder: Path) -> None:
    """Take the pages of an admin, then those of an annotator."""
    admin = page_of(browser)
    admin.goto(base + link)
    take(admin, folder, "campaigns")
    admin.goto(f"{base}/campaigns/{UNION}")
    take(admin, folder, "campaign")
    admin.goto(f"{base}/campaigns/{UNION}/annotators")
    take(admin, folder, "annotators")
    take_adjudication(admin, f"{base}/campaigns/{UNION}/adjudicate", folder)
    for name, take_page in ANNOTATING.items():
        page = page_of(browser)
        page.goto(base + paths[f"Demo: {tasks.create(name).title}"])
        page.get_by_role("button", name="Begin").click()
        take_page(page, folder)
        page.context.close()


def take_adjudication(page: Page, address: str, folder: Path) -> None:
    """Take two people who differ, and the page to decide on."""
    page.goto(address)
    page.get_by_role("link", name="Decide the next one").click()
    expect(page.get_by_label("Merged sentence")).to_be_visible()
    page.set_viewport_size({"width": WIDTH, "height": TALL})
    page.get_by_role("heading", name="Where they differ").evaluate("it => it.scrollIntoView()")
    take(page, folder, "adjudication", tall=True)


def take_union(page: Page, folder: Path) -> None:
    """Take the steps of a union: highlight what is new, write, and see what is missing."""
    following = page.get_by_role("button", name="Next", exact=True)
    following.click()
    page.get_by_label("A storm tore the roof off").check()
    following.click()
    words = page.get_by_role("option")
    for number in range(words.count() - 7, words.count()):
        words.nth(number).click()
    take(page, folder, "union-highlight")
    following.click()
    written = page.get_by_label("Merged sentence")
    written.fill(written.input_value().replace("a school", "Hillside Primary School"))
    take(page, folder, "union-write", ".middle", tall=True)
    page.get_by_role("button", name="Back", exact=True).click()
    for number in range(words.count() - 4, words.count()):
        words.nth(number).click()
    following.click()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("heading", name="Your answer and ours").wait_for()
    take(page, folder, "union-feedback", ".middle", tall=True)


def take_judging(page: Page, folder: Path) -> None:
    """Take the first criterion, with the first sentences rated."""
    page.get_by_role("heading", name="Information coverage").wait_for()
    for rating in ("3", "4"):
        page.keyboard.press(rating)
        page.keyboard.press("ArrowDown")
    take(page, folder, "judging", ".middle", tall=True)


def take_marking(page: Page, folder: Path) -> None:
    """Take a union with "children" for "people": a missing word, and an unfaithful one."""
    union = page.get_by_label("Union: mark what is wrong in it")
    union.wait_for()
    while "children" not in union.inner_text():
        page.get_by_role("button", name="Submit", exact=True).click()
        page.get_by_role("button", name="Continue", exact=True).click()
        union.wait_for()
    page.get_by_role("option", name="people", exact=True).click()
    union.get_by_role("option", name="children", exact=True).click()
    take(page, folder, "marking", ".middle", tall=True)


def take_aggregation(page: Page, folder: Path) -> None:
    """Take a set with a chosen mention, a written phrase and a refused one."""
    page.locator(".mention").nth(1).click()
    page.get_by_label("Your phrase").fill("the speed skaters")
    page.get_by_label("A second phrase").fill("they")
    take(page, folder, "aggregation", ".middle", tall=True)


def take_detection(page: Page, folder: Path) -> None:
    """Take a linked term, and the candidate pages of another."""
    for term in ("zoos", "animals"):
        page.get_by_role("option", name=term, exact=True).click()
        page.locator(".pages").get_by_role("option").first.wait_for()
        if term == "zoos":
            page.locator(".pages").get_by_role("option").first.click()
    take(page, folder, "detection", ".middle", tall=True)


def take_confirmation(page: Page, folder: Path) -> None:
    """Take two verdicts, and the next term."""
    page.locator(".candidate").first.wait_for()
    for key in "yn":
        page.keyboard.press(key)
    take(page, folder, "confirmation", ".middle", tall=True)


def take_coreference(page: Page, folder: Path) -> None:
    """Take two chains, and the phrase that was linked last."""
    words = page.locator(".coref-text .w")
    words.first.focus()
    for key in ("Shift+ArrowRight",) * 3 + ("Enter",):
        page.keyboard.press(key)
    for word, antecedent in (("port", ""), ("She", "ines"), ("it", "port"), ("her", "ines")):
        words.get_by_text(word, exact=True).first.dblclick()
        if antecedent:
            page.keyboard.press("l")
            page.keyboard.type(antecedent)
            page.keyboard.press("Enter")
    take(page, folder, "coreference", ".middle", tall=True)


ANNOTATING = {
    "aggregation": take_aggregation,
    "mentions.detect": take_detection,
    "mentions.confirm": take_confirmation,
    "coreference": take_coreference,
    "union": take_union,
    "union.judge": take_judging,
    "union.mark": take_marking,
}


def page_of(browser: Browser) -> Page:
    """Open a window of its own, in light colours."""
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(20_000)
    return page


def take(page: Page, folder: Path, name: str, part: str = "", *, tall: bool = False) -> None:
    """Take a picture of a page or a part of it, small enough for the repository."""
    page.set_viewport_size({"width": WIDTH, "height": TALL if tall else FLAT})
    page.wait_for_load_state("networkidle")
    expect(page.get_by_text("Saving …")).to_have_count(0)
    path = folder / f"workbench-{name}.png"
    shown = page.locator(part) if part else page
    if part:
        page.locator(part).evaluate("it => { it.style.padding = '1rem'; }")
    shown.screenshot(path=path, animations="disabled")
    save_small(path)


def save_small(path: Path) -> None:
    """Reduce the colours of a picture and check its size."""
    with Image.open(path) as full:
        fewer = full.convert("RGB").quantize(
            COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE
        )
    fewer.save(path, optimize=True)
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path} has {path.stat().st_size:,} bytes; at most {LARGEST:,}")
    print(path)


def chromium() -> str:
    """Return the path of Chromium."""
    names = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
    found = os.environ.get("TATIAN_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise SystemExit("no Chromium on the path and $TATIAN_CHROMIUM is not set")
    return found


if __name__ == "__main__":
    main()
