"""How soon the coreference page answers in a long document, beside one drawn anew at each step.

A real server and a real Chromium. The document has 10,000 words; 1,500 of its phrases are marked,
most of them linked. Each action is a key as an annotator would press it, at places spread over the
document; what is measured is the time from the key to the frame that shows its effect, saving the
draft in the browser and the step for undo included. The baseline makes the same change in a page
that draws text and chains anew each time, in the same browser and the same run; it neither saves
nor remembers anything. The rules of the definition are not asked: that is the server's work.

    python benchmarks/workbench_long_document.py --format markdown
    python benchmarks/workbench_long_document.py --words 2000 --phrases 300 --times 20
"""

from __future__ import annotations

import argparse
import random
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from playwright.sync_api import Page, sync_playwright

from tatian.statistics import Column, Table
from tatian.workbench.campaigns import campaigns, inviting, items
from tatian.workbench.campaigns.settings import Settings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem, Plain, tasks
from tatian.workbench.web.app import create_app

CAMPAIGN = "long"
QUIET = Settings(options={"checks": False, "phrases": False})
ACTIONS = ("select", "move", "add", "link", "undo")
NAMES = ("Tal", "Brandt", "Pelt", "Sorg", "Frisch", "Marsh", "Krol", "Vogt", "Stahl", "Winter")
THINGS = ("ferry", "harbour", "company", "council", "museum", "bridge", "school", "register")
SENTENCES = (
    "{name} of the {thing} met {other} , the head of {place} , in the morning .",
    "She told the {thing} that its {part} would close in {place} next year .",
    "The {thing} , which {other} had built , paid {name} for the {part} .",
    "They said that he had sold it to the {thing} of {place} himself .",
)

MEASURE = """async ([action, places]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const text = document.querySelector(".coref-text");
  const word = (place) => text.querySelector(`.w[data-i="${place}"]`);
  const press = (key, options = {}) => {
    const target = document.activeElement || document.body;
    const all = { key, bubbles: true, cancelable: true, ...options };
    target.dispatchEvent(new KeyboardEvent("keydown", all));
  };
  const go = async (place) => {
    const at = word(place);
    at.scrollIntoView({ block: "center" });
    await frame();
    const box = at.getBoundingClientRect();
    const where = { bubbles: true, button: 0, pointerId: 1, pointerType: "touch",
                    clientX: box.x + 2, clientY: box.y + 2 };
    at.dispatchEvent(new PointerEvent("pointerdown", { ...where, buttons: 1 }));
    at.dispatchEvent(new PointerEvent("pointerup", where));
    await frame();
    await frame();
  };
  const found = [];
  for (const place of places) {
    await go(place);
    let step = null;
    if (action === "select") step = () => press("j");
    if (action === "move") step = () => press("ArrowRight", { shiftKey: true });
    if (action === "add") {
      press("ArrowRight", { shiftKey: true });
      await frame();
      step = () => press("Enter");
    }
    if (action === "link") {
      press("j");
      await frame();
      press("l");
      await frame();
      step = () => press("Enter");
    }
    if (action === "undo") step = () => press("z", { ctrlKey: true });
    const begin = performance.now();
    step();
    await frame();
    found.push(performance.now() - begin);
    await frame();
  }
  return found;
}"""

NAIVE = """async ([content, state, places]) => {
  const { TextView } = await import("/static/tasks/coref-text.js");
  const { ChainList } = await import("/static/tasks/coref-chains.js");
  const { Markup } = await import("/static/tasks/coref-model.js");
  const { Words } = await import("/static/tasks/coref-words.js");
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


def document(words: int, phrases: int) -> tuple[Plain, Plain]:
    """A document of so many words, and a page's state with so many phrases marked in it."""
    draw = random.Random(0)
    paragraphs: list[str] = []
    count = 0
    while count < words:
        lines = []
        for _ in range(6):
            parts = {
                "name": draw.choice(NAMES), "other": draw.choice(NAMES), "place": "Brenn",
                "thing": draw.choice(THINGS), "part": draw.choice(THINGS),
            }  # fmt: skip
            lines.append(draw.choice(SENTENCES).format(**parts))
            count += len(lines[-1].split())
        paragraphs.append(" ".join(lines))
    task = tasks.create("coreference")
    content = task.content({"text": "\n\n".join(paragraphs)})
    tokens = task.shown(content, 0, {})["tokens"]
    total = len(tokens) // 2
    starts = sorted(draw.sample(range(total - 4), phrases))
    places = {(tokens[2 * at], tokens[2 * (at + draw.randint(0, 3)) + 1]) for at in starts}
    chains = max(1, phrases // 6)
    mentions = [
        [number, start, end, draw.randint(1, chains), -1, -1, 0]
        for number, (start, end) in enumerate(sorted(places), 1)
    ]
    return content, {"mentions": mentions}


@contextmanager
def serving(content: Plain) -> Iterator[str]:
    """A server with one campaign of one document; gives the address of an invitation."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(str(Path(folder) / "workbench.db"))
        app = create_app(database)
        with database.writing() as connection:
            made = campaigns.create(
                connection, CAMPAIGN, "coreference", "Long", QUIET, "Mark.", "benchmark"
            )
            items.add(connection, made, [NewItem("long", content)], "benchmark")
            made = campaigns.change(connection, CAMPAIGN, "benchmark", state="open")
            path = inviting.invite(connection, made, "benchmark")
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


def opened(page: Page, address: str, state: Plain) -> Plain:
    """The page with the phrases marked; gives what the server shows of the document."""
    page.goto(address)
    page.get_by_role("button", name="Begin").click()
    with page.expect_response(lambda one: one.url.endswith(f"/api/v1/work/{CAMPAIGN}")) as told:
        page.wait_for_url("**/work/**")
    item = told.value.json()["item"]
    kept = {"state": state, "revision": 0, "dirty": True, "seconds": 0}
    key = f"tatian:draft:{CAMPAIGN}:{item['assignment']}"
    page.wait_for_selector(".coref-text")
    page.evaluate("([key, kept]) => localStorage.setItem(key, JSON.stringify(kept))", [key, kept])
    with page.expect_response(lambda one: one.url.endswith("/draft")):
        page.reload()
        page.wait_for_selector(".coref-text .w[data-open]")
    return item["content"]  # type: ignore[no-any-return]


def measured(words: int, phrases: int, times: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds of each action, as the page is and drawn anew."""
    content, state = document(words, phrases)
    draw = random.Random(1)
    total = len(tasks.create("coreference").shown(content, 0, {})["tokens"]) // 2
    places = [draw.randrange(10, total - 10) for _ in range(times)]
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with serving(content) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(120_000)
        shown = opened(page, address, state)
        ours = {action: page.evaluate(MEASURE, [action, places]) for action in ACTIONS}
        naive = page.evaluate(NAIVE, [shown, state, places[: max(4, times // 10)]])
        browser.close()
    return {"ours": ours, "naive": naive}


def table(found: dict[str, dict[str, list[float]]]) -> Table:
    """The median and the 95th percentile of each action, and how many times slower the baseline."""
    rows: list[list[Any]] = []
    for action in ACTIONS:
        ours, naive = np.array(found["ours"][action]), np.array(found["naive"][action])
        median, slow = float(np.median(ours)), float(np.percentile(ours, 95))
        other, slower = float(np.median(naive)), float(np.percentile(naive, 95))
        rows.append([action, median, slow, other, slower, other / median])
    names = ("p50 ms", "p95 ms", "drawn anew p50 ms", "drawn anew p95 ms", "ratio")
    return Table.of(["action", *(Column(name, precision=1) for name in names)], rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--phrases", type=int, default=1_500)
    parser.add_argument("--times", type=int, default=60, help="how often each action is measured")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    given = parser.parse_args()
    print(table(measured(given.words, given.phrases, given.times)).render(given.format))


if __name__ == "__main__":
    main()
