"""Time of changes to a text of ten sources.

With `-s` they have 1,500 words each, and the milliseconds that a user waits are printed.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ....windows import rest
from .conftest import put_in

pytestmark = pytest.mark.long(40)

CORPUS = Path(__file__).parents[4] / "corpus" / "train.jsonl"
ACCOUNTS = 10
CHANGES, CHANGES_MEASURED = 12, 24
WORDS, WORDS_MEASURED = 250, 1500
"""Words of each account: enough that changes cost a part of opening, and those of the figures."""
WEAVING = 1_200_000
"""Milliseconds that weaving may take on a machine that does other things."""
STAND = """async (at) => {
  const numbers = [...document.querySelectorAll("#text .n")];
  const one = numbers[1 + ((at * 37) % (numbers.length - 1))];
  one.focus({ preventScroll: true });
  one.scrollIntoView({ block: "center" });
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 300 }));
}"""
WATCH = """() => {
  let begun = null;
  addEventListener("keydown", ({ timeStamp }) => (begun = timeStamp), true);
  const changed = () => {
    if (begun === null) return;
    const from = begun;
    begun = null;
    const painted = new MessageChannel();
    painted.port1.onmessage = () => felt.push(performance.now() - from);
    requestAnimationFrame(() => painted.port2.postMessage(0));
  };
  const seen = { childList: true, characterData: true, subtree: true };
  window.felt = [];
  new MutationObserver(changed).observe(document.getElementById("text"), seen);
}"""
"""Milliseconds from each key until the text that it changed is painted."""
KEYS = (
    ("Alt+ArrowUp", "Moved"),
    ("Delete", "Dropped"),
    ("Control+z", "Undone"),
    ("Control+Shift+z", "Redone"),
)
TIMES = 10
"""How often each change is made that takes a question."""
DECIDED = "() => document.querySelectorAll('.decisions li').length"
ANSWERED = f"(before) => ({DECIDED})() > before"
ALONE: set[str] = set()
"""What tells sentences that have no other wording: they are not asked for it again."""


def _split(page: Page, number: int) -> None:
    item = page.get_by_role("menuitem", name="Split")
    for further in range(9):
        page.evaluate(STAND, 37 * number + 2 + further)
        page.keyboard.press("Enter")
        if item.is_enabled():
            break
        page.keyboard.press("Escape")
    item.click()
    page.get_by_role("button", name="Split it").focus()


def _word(page: Page, number: int) -> None:
    told = page.locator(".s.redundant .fate").all_text_contents()
    others = page.get_by_role("radiogroup", name="Wordings").locator("input:not([data-current])")
    for line in (one for one in told[number * 7 :] if one not in ALONE):
        page.locator("#text .n").nth(int(re.findall(r"\d+", line)[0]) - 1).focus()
        page.keyboard.press("w")
        expect(page.locator(".wordings input").first).to_be_visible()
        if others.count():
            others.last.check()
            page.get_by_role("button", name="Use this").focus()
            return
        ALONE.add(line)
        page.keyboard.press("Escape")


def _settle(page: Page, number: int) -> None:
    settling = page.locator(".settling button:enabled")
    settling.nth(number // 2 % settling.count()).click()
    claims = page.get_by_role("dialog").get_by_role("radio", name="Only")
    (claims.last if number % 2 else claims.first).check()
    page.get_by_role("button", name="Settle it").focus()


def _restore(page: Page, number: int) -> None:
    page.locator(".s.redundant .fate").nth(number * 5).click()
    page.get_by_role("menuitem", name="Add to the text").focus()


def _edit(page: Page, number: int) -> None:
    page.keyboard.press("e")
    area = page.get_by_role("dialog").get_by_role("textbox")
    area.fill(f"{area.input_value()} So they say.")
    page.get_by_role("button", name="Save").focus()


QUESTIONS = {"settle": _settle, "split": _split, "word": _word, "restore": _restore, "edit": _edit}
"""What leads to each change, up to the last key."""


def long_accounts(folder: Path, words: int) -> list[Path]:
    """Return sources of many stories, each with a number of words."""
    texts: list[list[str]] = [[] for _ in range(ACCOUNTS)]
    for line in CORPUS.read_text("utf-8").splitlines():
        told = [one["sentences"] for one in json.loads(line)["accounts"]]
        for number, text in enumerate(texts):
            if sum(len(one.split()) for one in text) < words:
                text.extend(told[number % len(told)])
    files = [folder / f"account-{number}.txt" for number in range(ACCOUNTS)]
    for file, text in zip(files, texts, strict=True):
        parts = [" ".join(text[at : at + 4]) for at in range(0, len(text), 4)]
        file.write_text("\n\n".join(parts), "utf-8")
    return files


def print_quantiles(name: str, felt: list[float]) -> None:
    """Print the median and 95th percentile of waiting times."""
    late = sorted(felt)[len(felt) * 95 // 100]
    print(f"{name:8} p50 {median(felt):.0f} ms, p95 {late:.0f} ms of {len(felt)}")


def print_times(page: Page) -> None:
    """Print how long a user waits for each kind of change."""
    print(f"\nfrom key to paint, load {os.getloadavg()[0]:.1f}:")
    print_quantiles("keys", page.evaluate("() => felt.splice(0)"))
    for name, leads in QUESTIONS.items():
        taken: list[float] = []
        for number in range(TIMES):
            page.evaluate(STAND, 37 * number + 2)
            leads(page, number)
            rest(page)
            decided = page.evaluate(f"felt.length = 0, ({DECIDED})()")
            page.keyboard.press("Enter")
            page.wait_for_function(ANSWERED, arg=decided)
            rest(page)
            taken += page.evaluate("felt")[:1]
        print_quantiles(name, taken)


class Stopwatch:
    """Processor time of the page's thread and of the server."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read(self) -> float:
        """Seconds so far."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        (spent,) = [one["value"] for one in metrics if one["name"] == "ThreadTime"]
        return float(spent) + time.process_time()


def test_a_change_is_faster_than_opening_the_text(
    desk: Any, window: Any, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    measured = pytestconfig.getoption("capture") == "no"
    page = window()
    put_in(page, long_accounts(tmp_path, WORDS_MEASURED if measured else WORDS))
    page.get_by_role("button", name="Consolidate").click()
    text = page.locator("#text .o").first
    expect(text).to_be_visible(timeout=WEAVING)
    address = page.url
    page.goto(desk.url)
    watch = Stopwatch(page)
    before = watch.read()
    page.goto(address)
    expect(text).to_be_visible()
    rest(page)
    opening = watch.read() - before
    page.evaluate(WATCH)
    changes = []
    for number in range(CHANGES_MEASURED if measured else CHANGES):
        key, said = KEYS[number % len(KEYS)]
        page.evaluate(STAND, number + 3)
        before = watch.read()
        page.keyboard.press(key)
        expect(page.locator("#reading")).to_contain_text(said)
        page.wait_for_function("(count) => felt.length >= count", arg=number + 1)
        changes.append(watch.read() - before)
    assert median(changes) < opening / 3, (opening, sorted(changes))
    if measured:
        print_times(page)
