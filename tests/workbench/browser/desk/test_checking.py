"""Verification of drafts: their input, and the passages behind each verdict."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from .conftest import story

DRAFT = "Four firefighters were hurt. It took 90 firefighters. A bank owned it."


def passage(account: str, stance: str, text: str, **lit: list[list[int]]) -> dict[str, Any]:
    """Return a passage as the server sends it."""
    around = {"before": "What comes before.", "after": "What follows."}
    runs = {"supporting": [], "opposing": [], **lit}
    return (
        {"account": account, "stance": stance, "start": 0, "end": 9, "text": text} | around | runs
    )


def sentence(start: int, end: int, verdict: str, **more: Any) -> dict[str, Any]:
    """Return a sentence of the draft as the server sends it."""
    plain = {"support": 0.5, "why": "a reason", "tokens": [], "unsupported": [], "passages": []}
    return {"start": start, "end": end, "verdict": verdict} | plain | more


TRACE = {
    "text": DRAFT,
    "accounts": ["a1", "a2", "a3"],
    "untold": [],
    "sentences": [
        sentence(
            0,
            28,
            "supported",
            passages=[
                passage("a1", "for", "Four were hurt, men of the brigade.", supporting=[[0, 14]]),
                passage("a2", "for", "Four firefighters went to hospital.", supporting=[[0, 17]]),
            ],
        ),
        sentence(
            29,
            54,
            "contradicted",
            unsupported=[[37, 39]],
            passages=[
                passage(
                    "a1",
                    "against",
                    "It took 60 firefighters.",
                    opposing=[[8, 10]],
                    supporting=[[0, 7]],
                )
            ],
        ),
        sentence(
            55,
            70,
            "unsupported",
            unsupported=[[55, 70]],
            passages=[passage("a3", "near", "The owner spoke.", supporting=[[4, 9]])],
        ),
    ],
}


def checked(page: Page) -> Any:
    """Return the verified sentences of a draft."""
    answer = {"check": "check-1", "state": "done", "problem": "", "trace": TRACE}
    page.route("**/checks", lambda route: route.fulfill(status=202, body=json.dumps(answer)))
    page.get_by_role("link", name="Check a draft").click()
    page.get_by_label("The draft").fill(DRAFT)
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("3 sentences checked.")).to_be_visible()
    return page.locator(".checked-sentences > li")


def test_a_badge_opens_its_passage_with_highlighted_words(fire: Any, window: Any) -> None:
    page = window()
    first = checked(page).nth(0)
    expect(first.locator(".passage")).to_have_count(0)
    badge = first.get_by_role("button", name=re.compile("^A, .*: show the passage"))
    badge.click()
    expect(badge).to_have_attribute("aria-expanded", "true")
    expect(first.locator(".passage")).to_contain_text("What comes before. Four were hurt")
    expect(first.locator("mark.supporting")).to_have_text(["Four were hurt"])
    first.get_by_role("button", name=re.compile("^B, ")).press("Enter")
    expect(first.locator(".passage")).to_have_count(2)
    badge.click()
    expect(first.locator(".passage")).to_have_count(1)


def test_contradicting_passages_are_open_and_coloured(fire: Any, window: Any) -> None:
    page = window()
    second = checked(page).nth(1)
    expect(second.locator("mark.doubt")).to_have_text(["90"])
    expect(second.locator(".passage")).to_contain_text("says otherwise")
    expect(second.locator("mark.opposing")).to_have_text(["60"])
    colours = [
        second.locator(name).evaluate("(node) => getComputedStyle(node).backgroundColor")
        for name in ("mark.opposing", "mark.supporting")
    ]
    assert colours[0] != colours[1]


def test_unsupported_sentences_show_the_nearest_passage(fire: Any, window: Any) -> None:
    page = window()
    third = checked(page).nth(2)
    expect(third.locator(".mark")).to_have_count(0)
    third.get_by_role("button", name="Nearest passages").click()
    expect(third.locator(".passage")).to_contain_text("The owner spoke.")
    expect(third.locator(".passage")).to_contain_text("comes nearest")


def test_a_draft_can_be_a_file(fire: Any, window: Any, tmp_path: Path) -> None:
    page = window()
    page.get_by_role("link", name="Check a draft").click()
    draft = page.get_by_label("The draft")
    word = story(tmp_path)[2]
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Choose a file").click()
    choosing.value.set_files([word])
    expect(draft).to_have_value(re.compile("The harbour master wants paint stores banned"))
    expect(page.get_by_role("button", name="Check it")).to_be_enabled()
    expect(page.get_by_role("link", name="Sources (3)")).to_be_visible()


def test_replacing_typed_words_by_a_file_asks_first(fire: Any, window: Any, tmp_path: Path) -> None:
    page = window(refused=True)
    page.get_by_role("link", name="Check a draft").click()
    draft = page.get_by_label("The draft")
    draft.fill("Mine.")
    (tmp_path / "empty.txt").write_text(" ", "utf-8")
    for answer, file in (("Keep it", story(tmp_path)[0]), ("Replace it", tmp_path / "empty.txt")):
        with page.expect_file_chooser() as choosing:
            page.get_by_role("button", name="Choose a file").click()
        choosing.value.set_files([file])
        page.get_by_role("button", name=answer).click()
    expect(page.locator(".checking").get_by_role("status")).to_contain_text("empty.txt")
    expect(draft).to_have_value("Mine.")
