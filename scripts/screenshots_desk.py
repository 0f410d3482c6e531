"""Take the pictures of the desk in docs/images, from a project with three invented sources.

    python scripts/screenshots_desk.py [FOLDER]

Needs what `screenshots_workbench.py` needs.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright
from screenshots_workbench import ARGUMENTS, IMAGES, chromium, page_of, save_small, serve

from tatian.workbench.storage.database import Database
from tatian.workbench.web.server import create_app, entrance_path

WIDTH = 1280
PATIENCE = 300_000
"""Milliseconds that consolidation and checks may take."""
SOURCES = (
    {
        "title": "Fire destroys a warehouse in Ostrey",
        "source": "The Wire",
        "date": "2026-03-03",
        "text": "A fire destroyed a timber warehouse in the port of Ostrey on Monday night, "
        "injuring four firefighters, the fire brigade said. The fire broke out at about 9 p.m. in "
        'a paint store. It took 60 firefighters six hours to put it out. "We heard a bang and then '
        'the roof was gone," said Mara Lindholm, who lives across the harbour. The port was closed '
        "until Tuesday noon.",
    },
    {
        "title": "Ostrey warehouse lost to fire",
        "source": "The Courier",
        "date": "2026-03-03",
        "text": "Seven firefighters were injured when a timber warehouse in the port of Ostrey "
        "burned down on Monday night. The warehouse belonged to Brandt and Sons, a family firm "
        "founded in 1921. Nobody was inside when the fire began. Police have questioned a night "
        "watchman. The damage is put at two million crowns.",
    },
    {
        "title": "After the fire",
        "source": "The Weekly",
        "date": "2026-03-04",
        "text": "The owner of the warehouse that burned down in Ostrey on Monday said on Wednesday "
        "that he would build again. Jens Brandt said that the store of paint had been inspected in "
        "January. Two of the injured firefighters were still in hospital. The harbour master wants "
        "paint stores banned from the port.",
    },
)
DRAFT = (
    "A timber warehouse in the port of Ostrey burned down on Monday night. The fire broke out at "
    "about 7 p.m. in a paint store. The warehouse belonged to a bank."
)


def main() -> None:
    """Take every picture."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        database = Database(f"{temporary}/desk.db")
        app = create_app(database, desk=True)
        with serve(app) as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            page = page_of(browser)
            page.set_viewport_size({"width": WIDTH, "height": 800})
            page.goto(base + entrance_path(app.state.site))
            consolidate(page, Path(temporary) / "fire.jsonl")
            take_text(page, folder)
            take_menu(page, folder)
            take_check(page, folder)
            browser.close()
        app.state.site.desk.close()
        database.close()


def consolidate(page: Page, file: Path) -> None:
    """Put the sources in and wait for their text."""
    file.write_text("".join(json.dumps(source) + "\n" for source in SOURCES), "utf-8")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Choose files").click()
    choosing.value.set_files(file)
    expect(page.get_by_role("list", name="Sources").get_by_role("listitem")).to_have_count(3)
    page.get_by_label("Title of the project").fill("The fire")
    page.get_by_role("button", name="Consolidate").click()
    expect(sentence(page, "timber")).to_be_visible(timeout=PATIENCE)


def sentence(page: Page, words: str) -> Locator:
    """Return the first sentence of the text with these words."""
    return page.locator("#text .o").filter(has_text=words).first


def take_text(page: Page, folder: Path) -> None:
    """Take the text, with a word that two sources have."""
    page.locator("#text .w", has_text="timber").first.hover()
    take(page, folder, "text")


def take_menu(page: Page, folder: Path) -> None:
    """Take the menu of a sentence that somebody has changed."""
    sentence(page, "still in hospital").locator(".n").click()
    page.get_by_role("menuitem", name="Edit").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill(
        "Two of the injured firefighters were still in hospital on Thursday."
    )
    dialog.get_by_role("button", name="Save").click()
    expect(sentence(page, "Thursday").locator(".own-sign:not(.verdict-waiting)")).to_be_visible(
        timeout=PATIENCE
    )
    page.set_viewport_size({"width": WIDTH, "height": 760})
    sentence(page, "Thursday").locator(".n").click()
    take(page, folder, "menu")
    page.keyboard.press("Escape")


def take_check(page: Page, folder: Path) -> None:
    """Take a draft with a supported, a contradicted and an unsupported sentence."""
    page.get_by_role("link", name="Check a draft").click()
    page.get_by_label("The draft").fill(DRAFT)
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("3 sentences checked.")).to_be_visible(timeout=PATIENCE)
    page.set_viewport_size({"width": WIDTH, "height": 900})
    page.locator(".checked-sentences > li").first.get_by_role("button").first.click()
    page.get_by_role("button", name="Check it").evaluate("it => it.scrollIntoView()")
    page.mouse.wheel(0, -200)
    take(page, folder, "check")


def take(page: Page, folder: Path, name: str) -> None:
    """Take a picture of the window, small enough for the repository."""
    page.wait_for_load_state("load")
    path = folder / f"desk-{name}.png"
    page.screenshot(path=path, animations="disabled")
    save_small(path)


if __name__ == "__main__":
    main()
