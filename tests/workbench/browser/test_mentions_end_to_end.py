"""Both rounds of the mention benchmark as people go through them, up to the figures and the data.

Training, links by three people of whom one fails the hidden test, a confirmation campaign of their
union, verdicts, export, and ``tatian mentions`` on what was exported.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.campaigns import campaigns, confirming, exporting, making
from tatian.workbench.campaigns.settings import Settings, Stage
from tatian.workbench.tasks import NewItem, Plain

TOPIC = "We should close zoos"
TEXT = "Zoos amuse children, but zoos harm animals."
TRAINING = "Zoos are old."
MORE = "Cows give milk."
TEST = "Schools take children to zoos."


def mention(text: str, term: str, title: str) -> Plain:
    start = text.index(term)
    return {"start": start, "end": start + len(term), "term": term, "title": title}


def gold(text: str, *links: tuple[str, str]) -> Plain:
    return {"mentions": [mention(text, *one) for one in links]}


def text(key: str, text: str, **around: Any) -> NewItem:
    return NewItem(key, {"text": text, "topic": TOPIC}, **around)


ITEMS = [
    text("train", TRAINING, gold=gold(TRAINING, ("Zoos", "Zoo")), stage=0),
    text("hidden", TEST, gold=gold(TEST, ("Schools", "School"), ("zoos", "Zoo")), test=True),
    text("zoos", TEXT),
    text("cows", MORE),
]
SETTINGS = Settings(
    annotators=2,
    shuffled=False,
    stages=(Stage("training", feedback=True, pass_mark=0.5), Stage("linking")),
    test_every=2,
    test_mark=0.5,
)
RIGHT = {
    TRAINING: "Zoos#Zoo",
    TEST: "Schools#School\nzoos#Zoo",
    MORE: "Cows#Cattle",
    TEXT: "Zoos#Zoo\nchildren#Child\nzoos#Zoo\nanimals#Animal",
}


SHOWN = """(last) => {
    const screen = document.querySelector(".screen h2");
    const words = document.querySelector(".words[role=listbox]");
    if (screen) return screen.textContent;
    return words && !document.querySelector("main").inert && words.textContent !== last
        ? words.textContent : null;
}"""


def linked(page: Page, lines: dict[str, str]) -> str:
    """Type the links of every text that is shown, to the end; gives the heading there."""
    shown = ""
    while True:
        shown = page.wait_for_function(SHOWN, arg=shown).json_value()
        if shown not in lines:
            return shown
        page.get_by_text("Type links").click()
        page.get_by_label("One term#page a line").fill(lines[shown])
        page.get_by_role("button", name="Submit").click()
        if shown == TRAINING:
            page.get_by_role("button", name="Continue").click()


def judged(page: Page, keys: dict[str, str]) -> None:
    """Judge both texts with the keyboard; each is known by its first candidate."""
    for done in range(len(keys)):
        expect(page.get_by_role("banner")).to_contain_text(f"{done} done")
        first = page.locator(".candidate .term").first
        expect(first).to_be_visible()
        for key in keys[first.inner_text()]:
            page.keyboard.press(key)
        page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()


def tatian(folder: Path, *args: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "tatian", *args],
        cwd=folder, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return json.loads(done.stdout) if done.stdout else None


def write_export(bench: Any, campaign: str, folder: Path) -> None:
    for file in exporting.files(bench.database, campaign):
        (folder / file.name).write_bytes(file.data)


@pytest.fixture
def detection(bench: Any, join: Any) -> Any:
    """A campaign that two people have linked well; a third failed the hidden test."""
    campaign = bench.campaign("mentions.detect", ITEMS, SETTINGS, id="links")
    careless = {**RIGHT, TEXT: "harm#Harm", TEST: "take#Harm"}
    assert linked(join(campaign), careless) == "You no longer take part"
    for own in ({}, {TEXT: "Zoos#Zoo\nanimals#Animal"}):
        assert linked(join(campaign), {**RIGHT, **own}) == "All done: thank you"
    return campaign


def test_two_rounds_make_a_benchmark(bench: Any, join: Any, detection: Any, tmp_path: Path) -> None:
    write_export(bench, "links", tmp_path)
    agreed = tatian(tmp_path, "mentions", "agree", "detections.jsonl", "--format", "json")
    assert len(agreed["detection"]["pairs"]) == 1
    with bench.database.writing() as connection:
        planned = confirming.plan(connection, detection, "confirmed", annotators=3)
        making.make(connection, planned, "test")
        second = campaigns.change(connection, "confirmed", "test", state="open")
    terms = [[one["term"] for one in item.content["candidates"]] for item in planned.items]
    assert terms == [["Zoos", "children", "zoos", "animals"], ["Cows"]]
    for keys in ("ynyy", "ynyn", "yyyy"):
        judged(join(second), {"Zoos": keys, "Cows": "n"})
    write_export(bench, "confirmed", tmp_path)
    lines = (tmp_path / "mentions.jsonl").read_text("utf-8")
    zoos, cows = map(json.loads, lines.splitlines())
    assert [(one["term"], one["titles"]) for one in zoos["mentions"]] == [
        ("Zoos", ["Zoo"]), ("zoos", ["Zoo"]), ("animals", ["Animal"])
    ]  # fmt: skip
    assert cows["mentions"] == []
    agreed = tatian(
        tmp_path, "mentions", "agree", "detections.jsonl", "confirmations.jsonl",
        "-o", "again.jsonl", "-q", "--format", "json",
    )  # fmt: skip
    assert len(agreed["confirmation"]["pairs"]) == 3
    assert (tmp_path / "again.jsonl").read_text("utf-8") == lines
    scored = tatian(
        tmp_path, "mentions", "score", "mentions.jsonl", "union.jsonl", "--format", "json"
    )
    assert scored["recall"] == 1
    assert scored["precision"] == 0.6
