"""People and things, disagreements, and names for several at once."""

from __future__ import annotations

from playwright.sync_api import expect

from ..consolidation.samples import ferry
from .conftest import Open
from .looking import line, lit_sources, lit_words, word


def test_a_person_lights_all_mentions_in_the_text_and_the_accounts(show: Open) -> None:
    page = show(ferry())
    page.get_by_role("button", name="Ingrid Sol person").click()
    assert lit_words(page) == "Captain Ingrid Sol , 46 she I she"
    assert lit_sources(page) == ["Captain Ingrid Sol she I", "The captain , Ingrid Sol , 46", ""]
    assert line(page) == "Ingrid Sol person, 4 mentions in the text, 4 in the accounts"


def test_the_chosen_person_is_shown_as_chosen_until_let_go(show: Open) -> None:
    page = show(ferry())
    button = page.get_by_role("button", name="Ingrid Sol person")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert lit_words(page) == ""


def test_most_mentioned_people_come_first(show: Open) -> None:
    names = show(ferry()).locator(".chain .name").all_text_contents()
    assert names == ["Aurora", "Ingrid Sol", "Lindholm", "Divers", "harbour police"]


def test_a_word_of_a_mention_leads_to_the_person(show: Open) -> None:
    page = show(ferry())
    word(page, "Ingrid").click()
    page.locator("#reading").get_by_role("button", name="Ingrid Sol").click()
    assert lit_words(page) == "Captain Ingrid Sol , 46 she I she"


def test_a_linked_mention_shows_its_wikipedia_pages(show: Open) -> None:
    page = show(ferry())
    word(page, "Lindholm").click()
    link = page.locator("#reading").get_by_role("link", name="Wikipedia: Lindholm (harbour)")
    expect(link).to_have_attribute("href", "https://en.wikipedia.org/wiki/Lindholm_(harbour)")
    expect(link).to_have_attribute("rel", "noopener noreferrer")


def test_conflicting_words_are_marked_with_the_number_of_their_note(show: Open) -> None:
    page = show(ferry())
    marked = page.locator("#text .w.disputed")
    assert marked.all_text_contents() == ["17"]
    content = marked.evaluate("(node) => getComputedStyle(node, '::after').content")
    assert "†" in content
    assert "wavy" in marked.evaluate("(node) => getComputedStyle(node).textDecorationStyle")


def test_the_panel_lists_each_claim_with_its_account(show: Open) -> None:
    page = show(ferry())
    panel = page.get_by_role("region", name="Where the accounts disagree")
    claims = [" ".join(each.split()) for each in panel.locator(".claim").all_inner_texts()]
    assert claims == ["A 17 The Harbour Post", "B Nineteen Coastal Radio",
                      "C 17 Inquiry into Aurora crash"]  # fmt: skip


def test_a_disagreement_lights_its_words_and_all_claims(show: Open) -> None:
    page = show(ferry())
    page.get_by_role("button", name="number, sentence 1").click()
    assert lit_words(page) == "17"
    assert lit_sources(page) == ["17", "Nineteen", "17"]
    assert line(page).startswith("†1 number A “17” B “Nineteen” C “17”")


def test_a_claim_lights_its_own_place(show: Open) -> None:
    page = show(ferry())
    page.get_by_role("button", name="B Nineteen Coastal Radio").click()
    assert lit_sources(page) == ["", "Nineteen", ""]


def test_a_conflicting_word_leads_to_its_note(show: Open) -> None:
    page = show(ferry())
    word(page, "17").click()
    page.locator("#reading").get_by_role("button", name="† disputed, note 1").click()
    assert lit_sources(page) == ["17", "Nineteen", "17"]


def test_the_heading_links_to_the_disagreements(show: Open) -> None:
    page = show(ferry(), viewport={"width": 1300, "height": 760})
    page.get_by_role("link", name="The accounts disagree on one point").click()
    expect(page.locator("#disagreements")).to_be_in_viewport()


def test_an_aggregation_lights_its_phrase_and_what_it_stands_for(show: Open) -> None:
    page = show(ferry())
    page.get_by_role("button", name="Rescue workers").click()
    assert lit_words(page) == "Rescue workers"
    assert lit_sources(page) == ["", "", "Divers and harbour police"]


def test_the_members_of_an_aggregation_lead_to_their_mentions(show: Open) -> None:
    page = show(ferry())
    page.locator("#aggregations").get_by_role("button", name="harbour police").click()
    assert lit_sources(page) == ["", "", "harbour police"]
