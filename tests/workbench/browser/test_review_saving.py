"""The review page keeps what people did, takes it back on request, and stays quick."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.tasks import Plain, tasks

from .review_steps import CREW, FERRY, begun, expect_end, expect_open, head, row, to_review, verdict

pytestmark = pytest.mark.long

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """[...document.querySelectorAll('.review :is(button, label:has(input), textarea)')]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 38)
  .map((node) => node.textContent)"""
SENTENCES = 200
LATENCIES = """async (keys) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const found = [];
  for (const key of keys) {
    await frame();
    const began = performance.now();
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
    document.body.getBoundingClientRect();
    found.push(performance.now() - began);
  }
  return found;
}"""


def begin_all(page: Page) -> None:
    """One accepted, one edited, one rejected, one called back."""
    page.keyboard.press("a")
    page.keyboard.press("e")
    page.keyboard.type(" Soon.")
    page.keyboard.press("Enter")
    page.keyboard.press("r")
    page.keyboard.press("2")
    page.locator(".left-out .call").click()


def test_a_reload_loses_nothing(bench: Any, join: Any, answers: Any) -> None:
    campaign = bench.campaign("consolidation.review", [to_review()])
    page = begun(join, campaign)
    begin_all(page)
    page.reload()
    expect(page.locator(".count")).to_have_text("3 of 3 judged: 1 accepted, 1 edited, 1 rejected.")
    expect(head(page, 3)).to_contain_text("rejected: loses something")
    expect(page.locator(".left-out .call")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Submit").click()
    expect_end(page)
    (answer,) = answers(campaign)
    assert answer["sentences"][1] == {"verdict": "edit", "text": f"{CREW} Soon."}


def test_every_step_can_be_undone_and_done_again(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    begin_all(page)
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    undo.click()
    expect(page.locator(".left-out .call")).to_have_attribute("aria-pressed", "false")
    undo.click()
    expect(head(page, 3)).not_to_contain_text("loses something")
    undo.click()
    expect(page.locator(".count")).to_contain_text("2 of 3 judged")
    while undo.is_enabled():
        undo.click()
    expect(page.locator(".count")).to_have_text("0 of 3 judged.")
    expect_open(page, 1)
    while redo.is_enabled():
        redo.click()
    expect(page.locator(".count")).to_have_text("3 of 3 judged: 1 accepted, 1 edited, 1 rejected.")
    expect(row(page, 2).locator("ins")).to_contain_text("Soon")


def test_an_edit_is_kept_while_another_verdict_is_tried(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    page.keyboard.press("e")
    page.keyboard.type(" Soon.")
    verdict(page, 1, "Reject").click()
    verdict(page, 1, "Edit").click()
    expect(page.get_by_label("The sentence as it should be")).to_have_value(f"{FERRY} Soon.")


def test_an_answer_can_be_corrected(bench: Any, join: Any, answers: Any) -> None:
    campaign = bench.campaign("consolidation.review", [to_review("one"), to_review("two")])
    page = begun(join, campaign)
    begin_all(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".count")).to_have_text("0 of 3 judged.")
    page.get_by_role("button", name="My answers").click()
    page.get_by_role("dialog").get_by_role("radio").first.check()
    page.get_by_role("button", name="Correct the chosen one").click()
    expect(page.locator(".count")).to_have_text("3 of 3 judged: 1 accepted, 1 edited, 1 rejected.")
    expect(page.locator(".left-out .call")).to_have_attribute("aria-pressed", "true")
    head(page, 3).click()
    verdict(page, 3, "Accept").click()
    page.get_by_role("button", name="Submit the correction").click()
    expect(page.locator(".count")).to_have_text("0 of 3 judged.")
    assert answers(campaign)[-1]["sentences"][2] == {"verdict": "accept"}


def test_a_text_is_reviewed_with_a_finger(bench: Any, join: Any, phone: Any, answers: Any) -> None:
    campaign = bench.campaign("consolidation.review", [to_review()])
    page = begun(join, campaign, **phone)
    page.get_by_role("option", name="March, changed, from B").tap()
    expect(page.locator(".behind .lit")).to_have_text("yesterday")
    verdict(page, 1, "Accept").tap()
    expect_open(page, 2)
    verdict(page, 2, "Edit").tap()
    page.get_by_label("The sentence as it should be").fill("The crew is safe.")
    row(page, 3).locator(".reading").tap()
    expect_open(page, 3)
    verdict(page, 3, "Reject").tap()
    assert page.evaluate(OVERFLOW) == 0
    assert page.evaluate(SMALL) == []
    page.get_by_role("radio", name="Reads badly").tap()
    page.get_by_role("button", name="Submit").tap()
    expect_end(page)
    assert [one["verdict"] for one in answers(campaign)[0]["sentences"]] == [
        "accept",
        "edit",
        "reject",
    ]


def long_text() -> Plain:
    """Two hundred sentences: the demo's, again and again."""
    (demo, *_) = tasks.create("consolidation.review").demo()
    content = demo.content
    unit = content["sentences"]
    count = len(unit)
    sentences = [unit[index % count] for index in range(SENTENCES)]
    accounts = [
        {
            **account,
            "sentences": [
                {
                    **given,
                    "into": [
                        index
                        for index in range(SENTENCES)
                        if index % count in given.get("into", [])
                    ][:40],
                }
                for given in account["sentences"]
            ],
        }
        for account in content["accounts"]
    ]
    return {**content, "sentences": sentences, "accounts": accounts}


def slowest(page: Page, keys: list[str], rounds: int) -> float:
    """The 95th percentile in milliseconds, of the best of some rounds: of the page, not of whatever
    else the machine has to do."""
    found = [sorted(page.evaluate(LATENCIES, keys)) for _ in range(rounds)]
    return min(one[int(len(one) * 0.95)] for one in found)


def test_two_hundred_sentences_stay_smooth(bench: Any, join: Any) -> None:
    campaign = bench.campaign("consolidation.review", [to_review(content=long_text())])
    page = begun(join, campaign)
    expect(page.locator(".sentences > .sentence")).to_have_count(SENTENCES)
    assert slowest(page, ["j"] * 15 + ["k"] * 5, 6) < 100
    assert slowest(page, ["a"] * 20, 5) < 100
    assert slowest(page, ["r", "3"] * 10, 5) < 100
    expect(page.locator(".count")).to_contain_text("150 of 200 judged")
    assert slowest(page, ["e", "Escape", "j"] * 6, 5) < 100
    expect(page.locator(".count")).to_contain_text("180 of 200 judged")
