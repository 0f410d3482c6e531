"""What the tests of the review page share: a small woven text, and how people act on it."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tatian.workbench.tasks import NewItem, Plain, tasks

FERRY = "The ferry Alba ran aground in fog on March 3, injuring 12 (13, according to B)."
CREW = "The crew was taken off by lifeboats."
REPEATED = "Fog hid the ferry."
A_FIRST = "The ferry Alba ran aground, injuring 12."
A_SECOND = "Lifeboats took off the crew."
B_FIRST = "A ferry stranded in fog yesterday, injuring 13."
B_SECOND = "Fog hid the ferry."
B_THIRD = "The captain is from Osk."


def _origin(
    account: int, sentence: int, source: str, quoted: str, kind: str = "copied"
) -> list[Any]:
    start = source.index(quoted)
    return [account, sentence, start, start + len(quoted), kind]


def _words(text: str, origins: dict[str, list[list[Any]]]) -> list[Any]:
    return [
        [found.start(), found.end(), origins.get(found.group(), [])]
        for found in re.finditer(r"\w+", text)
    ]


def _copied(text: str, account: int, sentence: int, source: str) -> list[Any]:
    there = re.findall(r"\w+", source)
    return _words(
        text,
        {
            word: [_origin(account, sentence, source, word)]
            for word in re.findall(r"\w+", text)
            if word in there
        },
    )


def woven() -> Plain:
    """Three sentences out of two accounts, with a contradiction and a sentence left out."""
    first = {
        word: [_origin(0, 0, A_FIRST, word)]
        for word in "The ferry Alba ran aground injuring 12".split()
    }
    first |= {word: [_origin(1, 0, B_FIRST, word)] for word in ("in", "fog", "13")}
    first |= {word: [_origin(1, 0, B_FIRST, "yesterday", "substituted")] for word in ("March", "3")}
    return {
        "sentences": [
            {"text": FERRY, "words": _words(FERRY, first), "opens": True},
            {"text": CREW, "words": _copied(CREW, 0, 1, A_SECOND)},
            {"text": REPEATED, "words": _copied(REPEATED, 1, 1, B_SECOND), "opens": True},
        ],
        "accounts": [
            {
                "id": "wire",
                "letter": "A",
                "name": "Coastal Wire",
                "date": "2024-03-04",
                "sentences": [
                    {"number": 0, "text": A_FIRST, "fate": "merged", "into": [0], "why": "base"},
                    {"number": 1, "text": A_SECOND, "fate": "kept", "into": [1], "why": "alone"},
                ],
            },
            {
                "id": "courier",
                "letter": "B",
                "name": "Halverne Courier",
                "sentences": [
                    {"number": 0, "text": B_FIRST, "fate": "merged", "into": [0], "why": "adds"},
                    {"number": 1, "text": B_SECOND, "fate": "kept", "into": [2], "why": "alone"},
                    {"number": 2, "text": B_THIRD, "fate": "unused", "why": "too short"},
                ],
            },
        ],
        "contradictions": [
            {
                "kind": "number",
                "why": "12 against 13",
                "sentences": [0],
                "claims": [_origin(0, 0, A_FIRST, "12")[:4], _origin(1, 0, B_FIRST, "13")[:4]],
            }
        ],
    }


def to_review(key: str = "ferry", content: Plain | None = None, **around: Any) -> NewItem:
    """An item whose content the task has checked."""
    checked = tasks.create("consolidation.review").content(content or woven())
    return NewItem(key, checked, **around)


def begun(join: Any, *args: Any, **options: Any) -> Page:
    """A reviewer's page once everything is in its place: styles, item, instructions."""
    page: Page = join(*args, **options)
    expect(page.locator(".sentence .head").first).to_have_css("display", "flex")
    if not options.get("is_mobile"):
        expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
    return page


def row(page: Page, number: int) -> Locator:
    return page.locator(".sentences > .sentence").nth(number - 1)


def head(page: Page, number: int) -> Locator:
    return row(page, number).locator(".head")


def verdict(page: Page, number: int, name: str) -> Locator:
    return page.get_by_role("radiogroup", name=f"Verdict on sentence {number}").get_by_role(
        "radio", name=name
    )


def expect_open(page: Page, number: int) -> None:
    expect(head(page, number)).to_have_attribute("aria-expanded", "true")


def expect_end(page: Page) -> None:
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
