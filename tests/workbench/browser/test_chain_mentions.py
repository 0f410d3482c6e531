"""Both rounds of the mention benchmark, up to scored gold.

Training, links by three people, a decision, a second campaign that confirms the union of what was
linked, verdicts by three people, and the benchmark that six in ten of them confirm.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .chain_steps import DONE, EXCLUDED, PEOPLE, SETTINGS, Act, Chain, submit, work

pytestmark = pytest.mark.long

TOPIC = "We should close zoos"
LESSON = "Zoos are old."
HIDDEN = "Schools take children to zoos."
ZOOS = "Zoos amuse children, but zoos harm animals."
COWS = "Cows give milk."
HORSE = "A horse ran."


def text(id: str, text: str, *links: tuple[str, str]) -> dict[str, Any]:
    """Return a text with its right links."""
    mentions = [
        {"start": text.index(term), "end": text.index(term) + len(term), "titles": [title]}
        for term, title in links
    ]
    return {"id": id, "text": text, "topic": TOPIC, "mentions": mentions}


def typed(*lines: str) -> Act:
    """Type links as term#page."""

    def act(page: Page) -> None:
        page.locator("summary").get_by_text("Type links").click()
        page.get_by_label("One term#page a line").fill("\n".join(lines))
        submit(page)

    return act


RIGHT = {
    LESSON: typed("Zoos#Zoo"),
    HIDDEN: typed("Schools#School", "zoos#Zoo"),
    COWS: typed("Cows#Cattle"),
    ZOOS: typed("Zoos#Zoo", "children#Child", "zoos#Zoo", "animals#Animal"),
}
CARELESS = {**RIGHT, ZOOS: typed("harm#Harm"), HIDDEN: typed("take#Harm")}
SPARSE = {**RIGHT, ZOOS: typed("Zoos#Zoo", "animals#Animal")}


def judge_all(keys: str) -> Act:
    """Judge all candidates with the keyboard."""

    def act(page: Page) -> None:
        expect(page.get_by_text(f"0 of {len(keys)} judged.")).to_be_visible()
        for key in keys:
            page.keyboard.press(key)
        expect(page.get_by_text(f"{len(keys)} of {len(keys)} judged.")).to_be_visible()
        page.keyboard.press("Control+Enter")

    return act


VERDICTS = {
    "Cleo": {ZOOS: judge_all("nnnn"), COWS: judge_all("n"), HORSE: judge_all("n")},
    "Anna": {ZOOS: judge_all("yyyy"), COWS: judge_all("n"), HORSE: judge_all("y")},
    "Ben": {ZOOS: judge_all("ynyy"), COWS: judge_all("n"), HORSE: judge_all("y")},
}


def link(chain: Chain) -> None:
    """Run the first round with three people."""
    (chain.folder / "settings.json").write_text(json.dumps(SETTINGS))
    lesson = chain.write("lesson.jsonl", text("lesson", LESSON, ("Zoos", "Zoo")))
    right = (("Schools", "School"), ("zoos", "Zoo"))
    chain.tatian(
        "campaign", "create", "links", "--task", "mentions.detect", "--settings", "settings.json",
        chain.write("texts.jsonl", text("zoos", ZOOS), text("cows", COWS)),
        "--stage", f"training={lesson}",
        "--tests", chain.write("hidden.jsonl", text("hidden", HIDDEN, *right)), "--open", "-q",
    )  # fmt: skip
    links = chain.links("links")
    for name, answers, end in zip(
        PEOPLE, (CARELESS, RIGHT, SPARSE), ((3, EXCLUDED), (4, DONE), (4, DONE)), strict=True
    ):
        page = chain.enter(links[name], name)
        told = "Agreement with ours: 100 of 100."
        assert work(page, ".words[role=listbox]", answers, told) == end


def confirm(chain: Chain) -> None:
    """Run the second round, with a hidden test set by a command."""
    chain.tatian("campaign", "confirm", "links", "links2", "--annotators", "2", "-q")
    horse = text("horse", HORSE, ("horse", "Horse"))
    place = {"start": 2, "end": 7, "term": "horse", "title": "Horse"}
    right = {"verdicts": [{"mention": place, "confirmed": True}]}
    hidden = chain.write("horse.jsonl", {**horse, "gold": right})
    chain.tatian("campaign", "import", "links2", hidden, "--test", "-q")
    tests = chain.write("tests.json", {"test_every": 2, "test_mark": 0.6})
    chain.tatian("campaign", "settings", "links2", tests, "-q")
    admin = chain.admin
    admin.goto(f"{chain.bench.url}/campaigns/links2")
    admin.get_by_role("button", name="Open the campaign").click()
    expect(admin.get_by_role("status")).to_contain_text("Campaign opened")
    links = chain.links("links2")
    ends = dict(zip(PEOPLE, ((2, EXCLUDED), (3, DONE), (3, DONE)), strict=True))
    for name, answers in VERDICTS.items():
        page = chain.enter(links[name], name)
        assert work(page, ".confirmation .context .reading", answers) == ends[name]


def test_detection_and_confirmation_make_a_benchmark(chain: Any) -> None:
    link(chain)
    kappa = chain.agreement("links")["average pairwise kappa"]
    chain.decide("links", "“children”", 1)
    assert chain.exported("links") == {"zoos": "person", "cows": "rule"}
    linked = "links-answers/detections.jsonl"
    agreed = chain.tatian("mentions", "agree", linked, "--format", "json", "-q")
    assert agreed["detection"]["kappa"] == pytest.approx(kappa)
    ben = chain.pseudonyms("links")["Ben"]
    own = chain.write("ben.jsonl", *(one for one in chain.read(linked) if one["made"]["by"] == ben))
    right = "links-gold/union.jsonl"
    assert score(chain, right, right) == (1, 1)
    assert score(chain, right, own) == (1, 0.6)

    confirm(chain)
    kappa = chain.agreement("links2")["average pairwise kappa"]
    assert chain.exported("links2") == {"zoos": "rule", "cows": "rule"}
    verdicts = "links2-answers/confirmations.jsonl"
    agreed = chain.tatian(
        "mentions", "agree", linked, verdicts, "-o", "again.jsonl", "--format", "json", "-q"
    )
    assert agreed["confirmation"]["kappa"] == pytest.approx(kappa)
    right = "links2-gold/mentions.jsonl"
    zoos, cows = chain.read(right)
    assert [(one["term"], one["titles"]) for one in zoos["mentions"]] == [
        ("Zoos", ["Zoo"]), ("zoos", ["Zoo"]), ("animals", ["Animal"]),
    ]  # fmt: skip
    assert cows["mentions"] == []
    assert chain.read("again.jsonl") == chain.read("links2-answers/mentions.jsonl")
    assert score(chain, right, right) == (1, 1)
    assert score(chain, right, "links-answers/union.jsonl") == (0.6, 1)
    assert score(chain, right, own) == pytest.approx((2 / 3, 2 / 3))


def score(chain: Chain, gold: str, found: str) -> tuple[float, float]:
    """Precision and recall."""
    scores = chain.tatian("mentions", "score", gold, found, "--format", "json", "-q")
    return scores["precision"], scores["recall"]
