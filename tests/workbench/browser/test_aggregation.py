"""The aggregation page: reading, background, phrases, N/A."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tatian.workbench.settings import CampaignSettings

from .aggregation_steps import (
    RACE,
    card,
    expect_end,
    expect_rules,
    first,
    mentions,
    none,
    race,
    second,
    submit,
)


def test_two_phrases_are_written_and_stored(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign)
    expect(page.locator(".prompt")).to_have_text(
        "In this article, Ines Tal, Bo Lund and Mei Aoki are discussed. The three people …"
    )
    first(page).fill("the rival rowers")
    expect(page.locator(".prompt")).to_contain_text("discussed. The rival rowers …")
    second(page).fill("the finalists")
    submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["the rival rowers", "the finalists"]}]


def test_the_prompt_follows_type_and_size(workbench: Any, join: Any) -> None:
    kinds = {
        "The two people": ("person", 2),
        "The three areas": ("location", 3),
        "The six organizations": ("organization", 6),
    }
    names = ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir"]
    sets = [
        race(type, entities=names[:count], type=type, background={})
        for type, count in kinds.values()
    ]
    page = join(workbench.campaign("aggregation", sets))
    for standard in kinds:
        expect(page.locator(".slot")).to_have_text(standard)
        expect(first(page)).to_have_accessible_name(f"Your phrase, in the place of “{standard}”")
        first(page).fill(standard)
        expect_rules(page, 0, "generic")
        first(page).fill("the trees")
        submit(page)
    expect_end(page)


def test_mentions_show_number_underline_and_name(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("aggregation", [race()]))
    tal = mentions(page, "Ines Tal")
    expect(tal).to_have_count(3)
    expect(page.locator(".headline .mention")).to_contain_text("Tal1")
    look = (
        "one => [getComputedStyle(one).backgroundColor, getComputedStyle(one).textDecorationStyle]"
    )
    looks = [mentions(page, name).first.evaluate(look) for name in ("Ines Tal", "Bo Lund")]
    assert looks[0][0] != looks[1][0]
    assert looks[0][1] != looks[1][1]
    tal.last.click()
    expect(page.locator(".picked")).to_have_text("1Ines Tal")
    expect(page.locator(".mention.current")).to_have_count(3)
    expect(card(page, "Portuguese")).to_have_class("card entity hue-1 current")
    tal.last.click()
    expect(page.locator(".mention.current")).to_have_count(0)
    expect(page.locator(".picked")).to_be_empty()


@pytest.mark.long
def test_background_is_folded_away_and_a_mention_opens_it_again(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("aggregation", [race()]))
    expect(page.get_by_text("a Portuguese rower")).to_be_visible()
    page.get_by_role("button", name="Close all").click()
    expect(page.get_by_text("a Portuguese rower")).to_be_hidden()
    mentions(page, "Ines Tal").first.click()
    expect(page.get_by_text("a Portuguese rower")).to_be_visible()
    expect(page.get_by_text("who studies law")).to_be_hidden()
    expect(card(page, "Bo Lund")).to_contain_text("Nothing was found")


def test_background_links_send_wikipedia_no_referrer(workbench: Any, join: Any) -> None:
    own = "https://en.wikipedia.org/wiki/Mei_Aoki_(rower)"
    page = join(workbench.campaign("aggregation", [race(links={"Mei Aoki": own})]))
    expect(page.get_by_role("link", name="Mei Aoki on Wikipedia")).to_have_attribute("href", own)
    link = page.get_by_role("link", name="Ines Tal on Wikipedia")
    expect(link).to_have_attribute(
        "href", "https://en.wikipedia.org/wiki/Special:Search?go=Go&search=Ines%20Tal"
    )
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(link).to_have_attribute("target", "_blank")


def test_without_background_and_article_the_prompt_still_asks(
    workbench: Any, join: Any, answers: Any
) -> None:
    settings = CampaignSettings(shuffled=False, options={"background": False})
    bare = race("bare", title="", context="", background={})
    campaign = workbench.campaign("aggregation", [bare], settings)
    page = join(campaign)
    expect(page.locator(".prompt")).to_have_text(
        "Ines Tal, Bo Lund and Mei Aoki are discussed. The three people …"
    )
    expect(page.locator(".entities li")).to_have_count(3)
    expect(page.locator("details, main a")).to_have_count(0)
    first(page).fill("rowers")
    submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["rowers"]}]


def test_invalid_answers_are_refused_with_a_reason(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign)
    for phrase, rule, reason in (
        ("they", "pronoun", "name what they are"),
        ("the three", "pronoun", "say nothing about them"),
        ("Tal, Lund", "list", "It lists them"),
        ("the winner and the losers", "and", "makes it a list"),
        ("The three people", "generic", "no more than “The three people”"),
        ("rowers / athletes", "slash", "second field"),
        ("the rowers are tired", "sentence", "only what replaces"),
        ("N/A", "n/a", "tick the box"),
    ):
        first(page).fill(phrase)
        expect_rules(page, 0, rule)
        expect(first(page)).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".findings").first).to_contain_text(reason)
        submit(page)
        expect(page.locator(".problems")).to_contain_text("First phrase: ")
        expect(page.locator(".problems")).to_contain_text(reason)
        assert answers(campaign) == []
        first(page).fill("the rowers")
        expect_rules(page, 0)
        expect(first(page)).to_have_attribute("aria-invalid", "false")


def test_repeated_phrase_is_refused(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("aggregation", [race()]))
    first(page).fill("the rowers")
    second(page).fill("The three Rowers.")
    expect_rules(page, 0)
    expect_rules(page, 1, "repeat")


def test_doubtful_phrases_are_accepted_with_a_remark(
    workbench: Any, join: Any, answers: Any
) -> None:
    doubtful = {
        "the rowers who met again in the final of the single sculls": "long",
        "the two rowers": "number",
        "the rivals of Tal": "one",
    }
    campaign = workbench.campaign("aggregation", [race(rule) for rule in doubtful.values()])
    page = join(campaign)
    for phrase, rule in doubtful.items():
        expect(first(page)).to_have_value("")
        first(page).fill(phrase)
        expect_rules(page, 0, rule)
        expect(first(page)).to_have_attribute("aria-invalid", "false")
        submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": [phrase]} for phrase in doubtful]


def test_not_applicable_excludes_a_phrase(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign)
    first(page).fill("they")
    none(page).check()
    expect(first(page)).to_be_disabled()
    expect(second(page)).to_be_disabled()
    expect_rules(page, 0)
    expect(page.get_by_text("kept, but not sent")).to_be_visible()
    none(page).uncheck()
    expect(first(page)).to_have_value("they")
    none(page).check()
    submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": []}]


def test_an_empty_answer_is_refused(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign)
    first(page).fill("   ")
    submit(page)
    expect(page.locator(".problems")).to_contain_text("Write a phrase, or tick N/A.")
    assert answers(campaign) == []


@pytest.mark.long
@pytest.mark.parametrize("height", [720, 900])
def test_scrolled_elements_are_not_under_the_toolbar(
    workbench: Any, join: Any, height: int
) -> None:
    long = "\n".join([str(RACE["context"])] * 6)
    campaign = workbench.campaign("aggregation", [race(context=long)])
    page = join(campaign, viewport={"width": 1280, "height": height})
    for field in (first(page), second(page), none(page)):
        field.evaluate("(node) => node.scrollIntoView({ block: 'end' })")
        box, bar = field.bounding_box(), page.locator(".toolbar").bounding_box()
        assert box is not None
        assert bar is not None
        assert box["y"] + box["height"] <= bar["y"]
