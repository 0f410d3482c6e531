"""The modules of the coreference page: chains and drawing after changes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tatian.workbench.tasks.coreference import CoreferenceTask

TEXT = "\n".join(" ".join(f"w{10 * line + place:02}" for place in range(10)) for line in range(3))
CHANGES = """async ([text, tokens, steps]) => {
  const { Markup, stateOf } = await import("/static/tasks/coreference/model.js");
  const { TextView } = await import("/static/tasks/coreference/text.js");
  const { Words } = await import("/static/tasks/coreference/words.js");
  const words = new Words(text, tokens);
  const markup = new Markup(words);
  const content = { text, tokens, closed: [] };
  const drawn = (given) => new TextView({ content, words, markup: given, label: "Text" });
  const view = drawn(markup);
  const past = [markup.state()];
  const look = ({ dataset, style }) => [dataset.open, dataset.close, style.backgroundImage,
    style.backgroundSize, style.backgroundPosition];
  const html = ({ node }) => JSON.stringify([...node.querySelectorAll("span")].map(look));
  let same = true;
  for (const [name, one, other] of steps) {
    const ids = markup.order;
    const id = ids[one % (ids.length || 1)];
    const [from, to] = [Math.min(one, other), Math.max(one, other)].map((at) => at % words.count);
    const [first, last] = [Math.min(from, to), Math.min(words.count - 1, Math.max(from, to))];
    const [start, end] = [words.start(first), words.end(last)];
    if (name === "add") markup.add(start, end, [words.start(last), end]);
    else if (name === "undo") markup.load(past[one % past.length]);
    else if (!ids.length) continue;
    else if (name === "extent") markup.setExtent(id, start, end, null);
    else if (name === "link") markup.link(id, ids[other % ids.length]);
    else if (name === "optional") markup.setOptional(id, !markup.get(id).optional);
    else markup[name](id);
    view.sync();
    past.push(markup.state());
    same &&= html(view) === html(drawn(markup));
  }
  const answer = markup.answer();
  const again = new Markup(words);
  again.load(stateOf(answer));
  return { same, answer, again: again.answer() };
}"""
MANY = """async ([text, tokens, mentions]) => {
  const { Markup } = await import("/static/tasks/coreference/model.js");
  const { TextView } = await import("/static/tasks/coreference/text.js");
  const { Words } = await import("/static/tasks/coreference/words.js");
  const words = new Words(text, tokens);
  const markup = new Markup(words);
  const view = new TextView({ content: { text, tokens }, words, markup, label: "Text" });
  const painted = () => view.elements.filter((word) => word.dataset.open).length;
  markup.load({ mentions });
  view.sync();
  const atOnce = painted();
  while (view.painting.waiting.size) await new Promise((done) => setTimeout(done, 5));
  return { atOnce, all: painted(), near: Boolean(view.elements[0].dataset.open) };
}"""
HEAD = """async ([text, tokens, places]) => {
  const { Phrases, Words } = await import("/static/tasks/coreference/words.js");
  return new Phrases(places).head(new Words(text, tokens), 0, text.length);
}"""
NAMES = ("add", "add", "add", "link", "link", "unlink", "split", "remove", "extent", "optional",
         "undo")  # fmt: skip


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def changed(workbench: Any, window: Page) -> Any:
    """Return the state after random changes."""
    window.goto(f"{workbench.url}/health")
    tokens = CoreferenceTask().to_page({"text": TEXT}, 1, {})["tokens"]

    def run(seed: int, count: int) -> Any:
        draw = random.Random(seed)
        steps = []
        for _ in range(count):
            one = draw.randrange(30)
            near = one + draw.randint(0, 4) if draw.random() < 0.7 else draw.randrange(30)
            steps.append([draw.choice(NAMES), one, near])
        return window.evaluate(CHANGES, [TEXT, tokens, steps])

    return run


def by_place(answer: dict[str, Any]) -> list[tuple[Any, ...]]:
    places = {one["id"]: (one["start"], one["end"]) for one in answer["markables"]}
    return [
        (*places[one["id"]], places.get(one.get("antecedent")), one.get("optional", False))
        for one in answer["markables"]
    ]


def test_page_and_server_link_alike_after_any_changes(changed: Any) -> None:
    task = CoreferenceTask()
    for seed in range(40):
        found = changed(seed, 30)
        stored = task.from_page({"text": TEXT}, 1, {}, found["answer"])
        assert by_place(stored) == by_place(found["answer"])
        assert by_place(found["again"]) == by_place(found["answer"])


def test_drawing_step_by_step_equals_drawing_anew(changed: Any) -> None:
    assert all(changed(seed, 40)["same"] for seed in range(40, 60))


def test_large_changes_are_painted_near_the_cursor_first(workbench: Any, window: Page) -> None:
    window.goto(f"{workbench.url}/health")
    text = " ".join(f"w{place}" for place in range(3000))
    tokens = CoreferenceTask().to_page({"text": text}, 1, {})["tokens"]
    mentions = [
        [place // 2 + 1, tokens[2 * place], tokens[2 * place + 1], place // 8 + 1, -1, -1, 0]
        for place in range(0, 3000, 2)
    ]
    found = window.evaluate(MANY, [text, tokens, mentions])
    assert found["near"]
    assert 0 < found["atOnce"] < found["all"] == len(mentions)


@pytest.mark.parametrize(
    ("phrase", "known", "minimum"),
    [
        ("Harbour master Ines Tal", {}, "Ines Tal"),
        ("Harbour master Ines Tal", {"Harbour master": "master"}, "Ines Tal"),
        ("The girl called Ines Tal", {"The girl": "girl"}, "girl"),
        ("The girl called Ines Tal", {"The girl called Ines Tal": "girl"}, "girl"),
    ],
)
def test_min_of_a_name_with_a_title_is_the_name(
    modules: Page, phrase: str, known: dict[str, str], minimum: str
) -> None:
    tokens = CoreferenceTask().to_page({"text": phrase}, 1, {})["tokens"]
    places = [
        [0, len(one), one.index(head), one.index(head) + len(head)] for one, head in known.items()
    ]
    start, end = modules.evaluate(HEAD, [phrase, tokens, places])
    assert phrase[start:end] == minimum
