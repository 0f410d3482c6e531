"""Failed and unanswered actions on the page of a project."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Route, expect

from ....windows import rest, until
from .conftest import choose, texts


def test_a_failed_change_is_reverted_and_can_be_retried(fire: Any, window: Any) -> None:
    page = window(refused=True)
    page.set_viewport_size({"width": 1280, "height": 500})
    before = texts(page)
    page.route("**/decisions*", lambda route: route.abort())
    page.locator("#text .n").last.focus()
    page.keyboard.press("Delete")
    said = page.get_by_role("alert").filter(has_text="Not done: there is no connection")
    expect(said).to_be_in_viewport(ratio=1)
    assert texts(page) == before
    expect(page.locator("#reading")).not_to_contain_text("Dropped")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(said).to_have_count(0)
    expect(page.locator(".decisions li")).to_have_count(1)
    assert texts(page) == before[:-1]


def test_failures_stay_until_retried_or_dismissed(fire: Any, window: Any) -> None:
    page = window(refused=True)
    before = texts(page)
    page.route("**/decisions*", lambda route: route.abort())
    for words in before[:2]:
        choose(page, words, "Drop")
    banner = page.locator(".banner")
    expect(banner.get_by_text("Not done: there is no connection (drop a sentence)")).to_have_count(
        2
    )
    page.unroute_all()
    choose(page, before[3], "Move up")
    expect(page.locator(".decisions li")).to_have_count(1)
    expect(banner).to_contain_text("Not done")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".decisions li")).to_have_count(3)
    expect(banner).to_be_empty()
    assert texts(page) == [before[3], before[2], *before[4:]]


def test_an_action_without_an_answer_is_not_repeated(fire: Any, window: Any) -> None:
    page = window(refused=True)
    before = texts(page)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/decisions*", lose)
    choose(page, before[0], "Write a sentence after it")
    page.get_by_role("dialog").get_by_role("textbox").fill("It rained.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".banner")).to_contain_text("write a sentence")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".banner")).to_be_empty()
    assert len(texts(page)) == len(before) + 1


def test_a_refusal_stays_until_it_is_dismissed(fire: Any, window: Any) -> None:
    page = window(refused=True)
    body = '{"error": {"code": "bad", "message": "not like this"}}'
    page.route("**/decisions*", lambda route: route.fulfill(status=400, body=body))
    choose(page, texts(page)[0], "Drop")
    expect(page.locator(".banner")).to_contain_text("Not like this.")
    page.unroute_all()
    choose(page, texts(page)[0], "Drop")
    expect(page.locator(".decisions li")).to_have_count(1)
    expect(page.locator(".banner")).to_contain_text("Not like this.")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator(".banner")).to_be_empty()


def test_discarding_typed_words_asks_first(fire: Any, window: Any) -> None:
    page = window()
    choose(page, "Nobody was inside", "Edit")
    dialog = page.get_by_role("dialog")
    typed = dialog.get_by_role("textbox")
    typed.fill("Nobody was there.")
    for key in ("Escape", "Escape"):
        page.keyboard.press(key)
        rest(page)
    expect(typed).to_be_focused()
    expect(typed).to_have_value("Nobody was there.")
    page.keyboard.press("Escape")
    dialog.get_by_role("button", name="Keep writing").click()
    expect(typed).to_be_focused()
    dialog.get_by_role("button", name="Cancel").click()
    dialog.get_by_role("button", name="Discard it").click()
    expect(dialog).to_have_count(0)
    choose(page, "Nobody was inside", "Edit")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_last_message_stays_while_pointing_at_a_word(fire: Any, window: Any) -> None:
    page = window()
    page.clock.install()
    unanswered: list[Route] = []
    page.route(re.compile("decisions"), lambda route: unanswered.append(route))
    choose(page, "The fire broke out", "Drop")
    page.clock.fast_forward(2100)
    page.locator("#text .w", has_text="inspected").hover()
    said = page.locator("#reading")
    expect(said).to_have_text(re.compile(r"^Dropped\..*inspected.*After the"))
    until(page, lambda: unanswered)
    unanswered[0].continue_()
    expect(page.locator(".decisions li")).to_have_count(1)
    rest(page)
    expect(said).to_have_text(re.compile(r"^Dropped\..*inspected.*After the"))
    expect(page.locator("#text .w.lit")).to_have_text("inspected")


def test_an_added_sentence_appears_before_the_server_answers(fire: Any, window: Any) -> None:
    page = window()
    first = texts(page)
    unanswered: list[Route] = []
    page.route(re.compile("decisions"), lambda route: unanswered.append(route))
    page.locator(".account p", has_text="Seven firefighters").get_by_role("button").click()
    page.get_by_role("menuitem", name="Add to the text").click()
    told = texts(page)
    assert len(told) == len(first) + 1
    page.locator("#text .w", has_text="burned").first.hover()
    until(page, lambda: unanswered)
    unanswered[0].continue_()
    expect(page.locator(".decisions li")).to_have_count(1)
    assert texts(page) == told
