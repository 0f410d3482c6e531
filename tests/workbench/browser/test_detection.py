"""The detection page: terms selected and linked, with mouse, finger and keyboard."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tatian.workbench.campaigns import items
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import Json, NewItem, tasks

TOPIC = "We should ban violent video games"
TEXT = "Video games thrill students; parents dislike video games, and he buys them anyway."


def link_item(key: str = "games", text: str = TEXT, **around: Any) -> NewItem:
    return NewItem(key, {"text": text, "topic": TOPIC}, **around)


def open_page(join: Any, *args: Any, **options: Any) -> Page:
    """Open an annotator's page and wait for styles, item and instructions."""
    page: Page = join(*args, **options)
    expect(page.locator(".detection .nothing")).to_be_attached()
    expect(page.locator(".topic .reading")).not_to_have_css("line-height", "normal")
    if not options.get("is_mobile"):
        expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
    return page


def word(page: Page, written: str, nth: int = 0) -> Locator:
    return page.locator(".detection .word", has_text=re.compile(f"^{written}$")).nth(nth)


def panel(page: Page) -> Locator:
    return page.locator(".linking")


def page_option(page: Page, title: str) -> Locator:
    return panel(page).get_by_role("option").filter(has=page.get_by_text(title, exact=True)).first


def links(page: Page) -> Locator:
    return page.locator(".links > li")


def link(term: str, title: str, text: str = TEXT, after: int = 0) -> Json:
    start = text.index(term, after)
    return {"start": start, "end": start + len(term), "term": term, "title": title}


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()


def test_an_annotator_links_with_the_mouse(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    expect(page.get_by_text(TOPIC)).to_be_visible()
    word(page, "Video").click()
    word(page, "games").click()
    expect(panel(page).get_by_role("heading")).to_contain_text("Link “Video games” to")
    expect(page_option(page, "Video game")).to_contain_text("is a")
    page_option(page, "Video game").click()
    word(page, "students").click()
    page_option(page, "Student").click()
    expect(links(page)).to_have_count(2)
    expect(word(page, "students")).to_have_accessible_name("students, linked to Student")
    submit(page)
    assert answers(campaign) == [
        {"mentions": [link("Video games", "Video game"), link("students", "Student")]}
    ]


@pytest.mark.long
def test_words_are_selected_by_dragging(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.detect", [link_item()]))
    start, end = (one.bounding_box() for one in (word(page, "Video"), word(page, "games")))
    assert start
    assert end
    page.mouse.move(start["x"] + 3, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()
    expect(panel(page).get_by_role("heading")).to_contain_text("“Video games”")


@pytest.mark.long
def test_an_annotator_links_with_keys_only(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    word(page, "Video").focus()
    for key in ("Space", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft", "Enter"):
        page.keyboard.press(key)
    field = panel(page).get_by_role("combobox")
    expect(field).to_be_focused()
    expect(field).to_have_value("Video games")
    expect(page_option(page, "Video game")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(links(page)).to_have_count(1)
    expect(word(page, "games")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign) == [{"mentions": [link("Video games", "Video game")]}]


@pytest.mark.long
def test_the_search_words_can_differ_from_the_term(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.detect", [link_item()]))
    word(page, "parents").click()
    page.keyboard.press("Enter")
    panel(page).get_by_role("combobox").fill("famil")
    expect(page_option(page, "Family")).to_be_visible()
    page_option(page, "Family").click()
    expect(links(page)).to_contain_text(["parents"])
    expect(links(page).get_by_role("link", name="Family")).to_have_attribute(
        "href", "https://en.wikipedia.org/wiki/Family"
    )


def test_a_page_missing_from_the_base_is_linked_by_its_address(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    word(page, "thrill").click()
    page.keyboard.press("Enter")
    field = panel(page).get_by_role("combobox")
    field.fill("https://en.wikipedia.org/wiki/List_of_thrills")
    expect(panel(page)).to_contain_text("is a list: link the thing itself")
    expect(panel(page).get_by_role("option")).to_have_count(0)
    field.fill("https://en.wikipedia.org/wiki/Thrill_%28emotion%29")
    expect(panel(page).get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(links(page)).to_contain_text(["Not in the knowledge base"])
    submit(page)
    assert answers(campaign) == [{"mentions": [link("thrill", "Thrill (emotion)")]}]


def test_other_places_of_a_term_are_offered(workbench: Any, join: Any, answers: Any) -> None:
    text = "Taxes pay for schools. Whoever dodges taxes robs schools; schools need taxes."
    campaign = workbench.campaign("mentions.detect", [link_item(text=text)])
    page = open_page(join, campaign)
    word(page, "schools").click()
    page_option(page, "School").click()
    offer = page.locator(".offer")
    expect(offer).to_contain_text("“schools” stands in the text at 2 more places.")
    offer.get_by_role("button", name="Link all of them").click()
    expect(links(page)).to_have_count(3)
    expect(offer).to_be_empty()
    word(page, "taxes").click()
    page_option(page, "Tax").click()
    offer.get_by_role("button", name="No").click()
    links(page).get_by_role("button", name="Link at 2 more places").click()
    submit(page)
    (answer,) = answers(campaign)
    assert [one["term"] for one in answer["mentions"]] == [
        "Taxes", "schools", "taxes", "schools", "schools", "taxes"
    ]  # fmt: skip


def test_a_term_within_a_longer_one_and_a_pronoun_are_refused_at_once(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    word(page, "Video").click()
    word(page, "games").click()
    page_option(page, "Video game").click()
    page.locator(".offer").get_by_role("button", name="No").click()
    word(page, "games").click()
    panel(page).get_by_role("option").first.click()
    expect(links(page).nth(1)).to_contain_text("Lies within “Video games”, which is linked")
    word(page, "he").click()
    panel(page).get_by_role("combobox").fill("Person")
    panel(page).get_by_role("option").first.click()
    expect(links(page).nth(2)).to_contain_text("“he” is a pronoun")
    page.get_by_role("button", name="Submit").click()
    trouble = page.locator(".problems")
    expect(trouble).to_contain_text("“games”: Lies within")
    expect(trouble).to_contain_text("is a pronoun")
    assert answers(campaign) == []
    for _ in range(2):
        links(page).nth(1).get_by_role("button", name="Remove").click()
    submit(page)
    assert answers(campaign) == [{"mentions": [link("Video games", "Video game")]}]


def test_a_link_is_changed_and_a_second_page_added(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    word(page, "students").click()
    page_option(page, "Student").click()
    links(page).get_by_role("button", name="Change the page").click()
    panel(page).get_by_role("combobox").fill("School")
    page_option(page, "School").click()
    expect(links(page)).to_have_count(1)
    links(page).get_by_role("button", name="Add another page").click()
    page_option(page, "Student").click()
    expect(links(page)).to_have_count(2)
    expect(word(page, "students")).to_have_accessible_name("students, linked to School, Student")
    submit(page)
    assert answers(campaign) == [
        {"mentions": [link("students", "School"), link("students", "Student")]}
    ]


def test_an_answer_without_links_must_be_confirmed(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".problems")).to_contain_text("say that there is nothing to link")
    assert answers(campaign) == []
    page.get_by_label("There is nothing to link in this text").check()
    submit(page)
    assert answers(campaign) == [{"mentions": []}]


def test_links_can_be_undone_and_survive_a_reload(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.detect", [link_item()]))
    word(page, "students").click()
    page_option(page, "Student").click()
    word(page, "parents").click()
    panel(page).get_by_role("combobox").fill("Family")
    page_option(page, "Family").click()
    expect(links(page)).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(links(page)).to_have_count(1)
    page.get_by_role("button", name="Redo").click()
    expect(links(page)).to_have_count(2)
    page.reload()
    expect(links(page)).to_have_count(2)
    expect(links(page).first).to_contain_text("Student is ")


@pytest.mark.long
def test_an_annotator_with_a_phone_taps(
    workbench: Any, join: Any, phone: dict[str, Any], answers: Any
) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign, **phone)
    for written in ("Video", "games"):
        word(page, written).tap()
    page_option(page, "Video game").tap()
    page.get_by_role("button", name="Link it there too").tap()
    expect(links(page)).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for control in page.locator(".detection button:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 40
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    again = link("video games", "Video game", after=12)
    assert answers(campaign) == [{"mentions": [link("Video games", "Video game"), again]}]


@pytest.mark.long
def test_offsets_count_characters_of_any_text(workbench: Any, join: Any, answers: Any) -> None:
    text = "🎮🎮 <b>Students</b> & 𝐀 “schools’” <script>alert(1)</script>"
    campaign = workbench.campaign("mentions.detect", [link_item(text=text)])
    page = open_page(join, campaign)
    expect(page.locator(".detection .words")).to_have_text(text)
    word(page, "schools").click()
    page_option(page, "School").click()
    word(page, "Students").click()
    page_option(page, "Student").click()
    submit(page)
    assert answers(campaign) == [
        {"mentions": [link("Students", "Student", text), link("schools", "School", text)]}
    ]


@pytest.mark.long
def test_arrow_keys_follow_right_to_left_text(workbench: Any, join: Any, answers: Any) -> None:
    text = "בית הספר נסגר"
    campaign = workbench.campaign("mentions.detect", [link_item(text=text)])
    page = open_page(join, campaign)
    expect(page.locator(".detection .words")).to_have_css("direction", "rtl")
    word(page, "בית").focus()
    for key in ("Space", "Shift+ArrowLeft", "Enter"):
        page.keyboard.press(key)
    panel(page).get_by_role("combobox").fill("School")
    expect(page_option(page, "School")).to_be_visible()
    page.keyboard.press("Enter")
    submit(page)
    assert answers(campaign) == [{"mentions": [link("בית הספר", "School", text)]}]


@pytest.fixture
def trained(workbench: Any) -> Any:
    gold = {"mentions": [link("students", "Student"), link("Video games", "Video game")][::-1]}
    stages = (CampaignStage("training", feedback=True), CampaignStage("linking"))
    return workbench.campaign(
        "mentions.detect",
        [link_item("t", gold={**gold, "note": "Those two."}, stage=0), link_item("p")],
        CampaignSettings(stages=stages),
    )


def test_training_shows_the_right_links_beside_the_answer(join: Any, trained: Any) -> None:
    page = open_page(join, trained)
    word(page, "students").click()
    page_option(page, "Student").click()
    word(page, "parents").click()
    panel(page).get_by_role("combobox").fill("Family")
    page_option(page, "Family").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Agreement with ours: 50 of 100.")).to_be_visible()
    expect(page.get_by_text("Those two.")).to_be_visible()
    rows = page.locator(".compared tbody tr")
    expect(rows).to_contain_text(["you did not link it", "as ours", "we did not link it"])


@pytest.mark.long
def test_a_correction_starts_from_stored_answers(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item("a"), link_item("b")])
    page = open_page(join, campaign)
    word(page, "students").click()
    page_option(page, "Student").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("banner")).to_contain_text("1 done")
    page.get_by_role("button", name="My answers").click()
    page.get_by_role("dialog").get_by_role("radio").check()
    page.get_by_role("button", name="Correct the chosen one").click()
    expect(links(page)).to_have_count(1)
    links(page).get_by_role("button", name="Remove").click()
    page.get_by_label("There is nothing to link in this text").check()
    page.get_by_role("button", name="Submit the correction").click()
    expect(page.get_by_text("You are correcting")).to_have_count(0)
    assert answers(campaign)[1:] == [{"mentions": []}]


def test_the_linker_can_suggest_a_draft(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign(
        "mentions.detect", [link_item()], CampaignSettings(suggestions="all")
    )
    items.suggest(workbench.database, campaign, tasks.create("mentions.detect"), "command line")
    page = open_page(join, campaign)
    expect(page.get_by_text("a model wrote")).to_be_visible()
    expect(word(page, "Video")).to_have_accessible_name("Video, linked to Video game")
    submit(page)
    (answer,) = answers(campaign)
    assert link("Video games", "Video game") in answer["mentions"]


@pytest.mark.long
def test_the_detection_page_passes_axe(workbench: Any, join: Any, axe: Any) -> None:
    task = tasks.create("mentions.detect")
    campaign = workbench.campaign("mentions.detect", [link_item()], guidelines=task.guidelines())
    page = open_page(join, campaign)
    assert axe(page) == []
    word(page, "Video").click()
    word(page, "games").click()
    expect(page_option(page, "Video game")).to_be_visible()
    assert axe(page) == []
    page_option(page, "Video game").click()
    page.locator("summary").click()
    page.get_by_label("One term#page a line").fill("students#Student\nhe#Person")
    expect(page.locator(".checks .problem")).to_be_visible()
    assert axe(page) == []
