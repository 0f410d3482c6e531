"""Response times of annotation pages in long documents, beside a page that redraws everything.

A real server and a real Chromium, with the defaults of a campaign: live checks and phrases on the
coreference page, search on the detection page. Each action is an annotator's key press
(`workbench_long_document.js`), at places spread over the document. The time is from the key to the
frame that shows its effect, including saving the draft in the browser and the step for undo. Every
few actions there is a pause, so that drafts are sent and rules asked; their answers are drawn while
further actions are measured. ``open`` is from the request of the page to the frame that shows the
draft. The baseline makes the same changes in a page that redraws text and chains each time, in the
same browser and the same run; it saves and remembers nothing.

    python benchmarks/workbench_long_document.py --format markdown
    python benchmarks/workbench_long_document.py --pages coref --words 2000 --phrases 300 --times 20
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

import workbench_long_pages as pages
from tatian.statistics import Column, Table
from tatian.workbench.campaigns import campaigns, invitations, items
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import Json, NewItem
from tatian.workbench.web.server import create_app
from workbench_long_pages import LongPage

CAMPAIGN = "long"
PAUSES = (6, 1_200)
"""Number of actions before a pause, and its milliseconds."""
OPENED = 5
"""Number of times a page is opened."""
MEASURE = Path(__file__).with_suffix(".js").read_text().partition("\n\n")[2]

WATCH = """(() => {
  const selector = %r;
  const watch = new MutationObserver(() => {
    if (!document.querySelector(selector)) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.drawnAt = performance.now(); }));
  });
  watch.observe(document, { childList: true, subtree: true, attributes: true });
})()"""

DRAWN = """() => new Promise((done) => {
  const look = () => (window.drawnAt ? done(window.drawnAt) : setTimeout(look, 20));
  look();
})"""

NAIVE = """async ([content, state, places]) => {
  const { TextView } = await import("/static/tasks/coreference/text.js");
  const { ChainList } = await import("/static/tasks/coreference/chains.js");
  const { Markup } = await import("/static/tasks/coreference/model.js");
  const { Words } = await import("/static/tasks/coreference/words.js");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const words = new Words(content.text, content.tokens);
  const markup = new Markup(words);
  markup.load(state);
  const root = document.createElement("div");
  root.className = "coref";
  document.querySelector("main").replaceChildren(root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".coref-text .paragraph { content-visibility: visible !important; }");
  document.adoptedStyleSheets = [sheet];
  let chosen = 0;
  const draw = () => {
    const view = new TextView({ content, words, markup, label: "Text", on: {} });
    for (const index of [...view.painting.waiting]) view.painting.processNow(index);
    const list = new ChainList(words, markup, { jump() {} });
    view.choose(chosen, chosen + 1);
    list.sync(null);
    root.replaceChildren(view.node, list.node);
  };
  draw();
  await frame();
  const before = structuredClone(state);
  const changes = {
    select: () => {},
    move: () => { chosen += 1; },
    add: (place) => markup.add(words.start(place), words.end(place + 1)),
    link: (place) => {
      const ids = markup.order;
      markup.link(ids[place % ids.length], ids[(place * 7 + 1) % ids.length]);
    },
    undo: () => markup.load(before),
  };
  const found = {};
  for (const [action, change] of Object.entries(changes)) {
    found[action] = [];
    for (const place of places) {
      chosen = place;
      const begin = performance.now();
      change(place);
      draw();
      await frame();
      found[action].push(performance.now() - begin);
    }
  }
  return found;
}"""


@contextmanager
def serve_item(long: LongPage) -> Iterator[str]:
    """Start a server with one campaign of one item; yield the address of an invitation."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(str(Path(folder) / "workbench.db"))
        app = create_app(database)
        with database.writing() as connection:
            campaign = campaigns.create(
                connection, CAMPAIGN, long.task, "Long", CampaignSettings(), "Mark.", "benchmark"
            )
            items.add(connection, campaign, [NewItem("long", long.content)], "benchmark")
            campaign = campaigns.change(connection, CAMPAIGN, "benchmark", state="open")
            path = invitations.invite(connection, campaign, "benchmark")
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}{path}"
        finally:
            server.should_exit = True
            thread.join(30)
            database.close()


def open_draft(page: Page, address: str, long: LongPage) -> tuple[Json, list[float]]:
    """Open the page with its draft; return the item as shown, and the milliseconds."""
    page.goto(address)
    page.get_by_role("button", name="Begin").click()
    with page.expect_response(
        lambda reply: reply.url.endswith(f"/api/v1/work/{CAMPAIGN}")
    ) as response_info:
        page.wait_for_url("**/work/**")
    item = response_info.value.json()["item"]
    kept = {"state": long.draft, "revision": 0, "dirty": True, "seconds": 0}
    key = f"tatian:draft:{CAMPAIGN}:{item['assignment']}"
    page.wait_for_selector("main .item")
    page.evaluate("([key, kept]) => localStorage.setItem(key, JSON.stringify(kept))", [key, kept])
    page.add_init_script(WATCH % long.ready)
    with page.expect_response(lambda reply: reply.url.endswith("/draft")):
        page.reload()
    took = []
    for _ in range(OPENED):
        page.reload()
        took.append(page.evaluate(DRAWN))
    return item["content"], took


def measure_page(
    browser: Browser, long: LongPage, times: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the milliseconds of each action on the page and, for coreference, on the baseline."""
    draw = random.Random(1)
    places = [draw.randrange(10, long.places) for _ in range(times)]
    with serve_item(long) as address:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(120_000)
        advised = []
        page.on("response", lambda r: advised.append(1) if r.url.endswith("/check") else None)
        shown, took = open_draft(page, address, long)
        while long.name == "coref" and not advised:
            page.wait_for_timeout(100)
        durations = {"open": took}
        for action in long.actions:
            durations[action] = page.evaluate(MEASURE, [long.name, action, places, PAUSES])
        naive = {}
        if long.name == "coref":
            few = places[: max(3, times // 10)]
            naive = page.evaluate(NAIVE, [shown, long.draft, few])
        page.close()
    return durations, naive


def choose_pages(options: argparse.Namespace) -> list[LongPage]:
    """Return the chosen pages."""
    makers: dict[str, Callable[[], LongPage]] = {
        "coref": lambda: pages.coreference_item(options.words, options.phrases),
        "detection": lambda: pages.detection_item(2_200, 700),
        "marking": lambda: pages.marking_item(2_000, 200),
    }
    return [make() for name, make in makers.items() if name in options.pages]


def time_table(results: dict[str, tuple[LongPage, dict[str, list[float]]]]) -> Table:
    """Tabulate the median, the 95th percentile and the slowest of each action of each page."""
    rows: list[list[Any]] = []
    for name, (long, actions) in results.items():
        for action, taken in actions.items():
            summary = (np.median(taken), np.percentile(taken, 95), max(taken))
            rows.append([name, long.size, action, len(taken), *map(float, summary)])
    names = ("p50 ms", "p95 ms", "slowest ms")
    figures = [Column(name, precision=1) for name in names]
    return Table.of(["page", "size", "action", "times", *figures], rows)


def compare_pages(ours: dict[str, list[float]], naive: dict[str, list[float]]) -> Table:
    """Compare the coreference page with the redrawn one."""
    rows: list[list[Any]] = []
    for action, taken in naive.items():
        median = float(np.median(ours[action]))
        other, slower = float(np.median(taken)), float(np.percentile(taken, 95))
        rows.append([action, median, other, slower, other / median])
    names = ("p50 ms", "drawn anew p50 ms", "drawn anew p95 ms", "ratio")
    return Table.of(["action", *(Column(name, precision=1) for name in names)], rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--phrases", type=int, default=1_500)
    parser.add_argument("--times", type=int, default=30, help="how often each action is measured")
    names = ("coref", "detection", "marking")
    parser.add_argument("--pages", nargs="+", choices=names, default=names)
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    options = parser.parse_args()
    path = shutil.which("chromium") or shutil.which("google-chrome")
    results: dict[str, tuple[LongPage, dict[str, list[float]]]] = {}
    naive: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for long in choose_pages(options):
            taken, anew = measure_page(browser, long, options.times)
            results[long.name] = (long, taken)
            naive |= anew
        browser.close()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    print(time_table(results).render(options.format))
    if naive:
        print(compare_pages(results["coref"][1], naive).render(options.format))


if __name__ == "__main__":
    main()
