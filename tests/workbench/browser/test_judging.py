"""The judging page with keys, mouse and touch."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import NewItem

REFERENCE = "The ferry Alba, with 40 people on board, ran aground in thick fog."
GOOD = "The ferry Alba, with 40 people aboard, ran aground in thick fog."
SHORT = "The ferry Alba ran aground."
LONG = "The ferry Alba ran aground, and a ferry with 40 people on board ran aground in thick fog."
SYSTEMS = {"zeta-large": GOOD, "omega-nine": SHORT, "kappa-two": LONG}
COVERAGE, FAITHFULNESS = "Information coverage", "Information faithfulness"


def to_judge(key: str = "alba", **changes: Any) -> NewItem:
    content = {
        "sentences": ["A ferry ran aground.", "The Alba, with 40 people, stranded in fog."],
        "reference": REFERENCE,
        "systems": SYSTEMS,
    }
    around = {name: changes.pop(name) for name in ("gold", "stage") if name in changes}
    return NewItem(key, {**content, **changes}, **around)


def open_page(join: Any, *args: Any, **options: Any) -> Page:
    """Open a judge's page and wait for styles, item and instructions."""
    page: Page = join(*args, **options)
    expect(page.locator(".output").first).to_have_css("display", "grid")
    if not options.get("is_mobile"):
        expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
    return page


def letters(page: Page) -> dict[str, str]:
    """Return the letter of each system's union on this page."""
    page.get_by_role("navigation", name="Criteria").get_by_role("button", name="Fluency").click()
    expect(page.get_by_role("heading", name="Fluency", level=2)).to_be_visible()
    found = {}
    for section in page.locator(".output").all():
        text = section.locator(".reading").inner_text()
        found[next(name for name, union in SYSTEMS.items() if union == text)] = (
            section.locator("h3").inner_text().removeprefix("Sentence").strip()
        )
    page.get_by_role("navigation", name="Criteria").get_by_role("button", name="coverage").click()
    expect(page.get_by_role("heading", name=COVERAGE, level=2)).to_be_visible()
    return found


def group(page: Page, criterion: str, letter: str) -> Locator:
    return page.get_by_role("radiogroup", name=f"{criterion} of sentence {letter}")


def rate(page: Page, criterion: str, letter: str, value: int) -> None:
    group(page, criterion, letter).get_by_role("radio", name=f"{value}:").check()


def next_page(page: Page) -> None:
    page.get_by_role("button", name="Next:").click()


def test_a_judge_rates_four_criteria_by_mouse(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union.judge", [to_judge()])
    page = open_page(join, campaign)
    letter = letters(page)
    given = {
        COVERAGE: (4, 1, 4),
        FAITHFULNESS: (4, 4, 3),
        "Repetition": (4, 4, 2),
        "Fluency": (5, 5, 3),
    }
    for criterion, values in given.items():
        expect(page.get_by_role("heading", name=criterion, level=2)).to_be_visible()
        for system, value in zip(SYSTEMS, values, strict=True):
            rate(page, criterion, letter[system], value)
        if criterion != "Fluency":
            next_page(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    names = ("coverage", "faithfulness", "redundancy", "fluency")
    assert answers(campaign) == [
        {
            "systems": {
                system: dict(zip(names, values, strict=True))
                for system, values in zip(SYSTEMS, zip(*given.values(), strict=True), strict=True)
            }
        }
    ]


@pytest.mark.long
def test_everything_can_be_done_with_keys(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union.judge", [to_judge()])
    page = open_page(join, campaign)
    expect(page.get_by_role("heading", name=COVERAGE, level=2)).to_be_visible()
    for criterion, top in ((COVERAGE, 4), (FAITHFULNESS, 4), ("Repetition", 4), ("Fluency", 5)):
        expect(page.get_by_role("heading", name=criterion, level=2)).to_be_visible()
        page.keyboard.press(str(top))
        page.keyboard.press("ArrowDown")
        page.keyboard.press(str(top - 1))
        page.keyboard.press("ArrowDown")
        page.keyboard.press(str(top))
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    (answer,) = answers(campaign)
    fluencies = sorted(judged["fluency"] for judged in answer["systems"].values())
    assert fluencies == [4, 4, 5]


@pytest.mark.long
def test_enter_goes_to_the_first_unrated_union(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("union.judge", [to_judge()]))
    rate(page, COVERAGE, "A", 3)
    page.keyboard.press("Enter")
    expect(group(page, COVERAGE, "B").get_by_role("radio").first).to_be_focused()
    expect(page.get_by_role("heading", name=COVERAGE, level=2)).to_be_visible()


def test_coverage_strikes_what_is_missing_and_faithfulness_marks_what_was_added(
    workbench: Any, join: Any
) -> None:
    page = open_page(join, workbench.campaign("union.judge", [to_judge()]))
    letter = letters(page)

    def union(system: str) -> Locator:
        return page.get_by_role("region", name=f"Sentence {letter[system]}")

    expect(union("omega-nine").locator("del").first).to_contain_text("with 40 people on board")
    expect(union("zeta-large").locator("ins")).to_contain_text("aboard")
    expect(page.get_by_role("region", name="Reference")).to_contain_text(REFERENCE)
    page.keyboard.press("PageDown")
    expect(page.get_by_role("heading", name=FAITHFULNESS, level=2)).to_be_visible()
    expect(union("zeta-large").locator("ins")).to_contain_text("aboard")
    expect(page.locator(".output del")).to_have_count(0)


def test_the_reference_is_not_shown_for_repetition_and_fluency(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("union.judge", [to_judge()]))
    steps = page.get_by_role("navigation", name="Criteria")
    for criterion in ("Repetition", "Fluency"):
        steps.get_by_role("button", name=criterion).click()
        expect(page.get_by_role("heading", name=criterion, level=2)).to_be_visible()
        expect(page.get_by_text(REFERENCE)).to_have_count(0)
        expect(page.locator(".output del, .output ins")).to_have_count(0)


@pytest.mark.long
def test_the_order_is_the_same_on_all_pages_and_after_a_reload(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("union.judge", [to_judge()]))
    before = letters(page)
    page.reload()
    assert letters(page) == before


def test_unions_shared_by_systems_are_rated_once(workbench: Any, join: Any, answers: Any) -> None:
    systems = {"zeta-large": GOOD, "omega-nine": GOOD, "kappa-two": SHORT}
    settings = CampaignSettings(options={"criteria": ["fluency"]})
    campaign = workbench.campaign("union.judge", [to_judge(systems=systems)], settings)
    page = open_page(join, campaign)
    expect(page.locator(".output")).to_have_count(2)
    for letter in "AB":
        rate(page, "Fluency", letter, 4)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign) == [{"systems": {name: {"fluency": 4} for name in systems}}]


def test_a_judge_may_go_back_and_change_a_rating(workbench: Any, join: Any, answers: Any) -> None:
    options = {"criteria": ["coverage", "fluency"]}
    campaign = workbench.campaign(
        "union.judge", [to_judge(systems={"m": SHORT})], CampaignSettings(options=options)
    )
    page = open_page(join, campaign)
    rate(page, COVERAGE, "A", 4)
    next_page(page)
    rate(page, "Fluency", "A", 5)
    page.get_by_role("button", name="Back to").click()
    expect(group(page, COVERAGE, "A").get_by_role("radio", name="4:")).to_be_checked()
    rate(page, COVERAGE, "A", 2)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign) == [{"systems": {"m": {"coverage": 2, "fluency": 5}}}]


def test_incomplete_ratings_are_not_submitted(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union.judge", [to_judge()])
    page = open_page(join, campaign)
    expect(page.locator(".output")).to_have_count(3)
    expect(page.get_by_role("button", name="Submit")).to_be_hidden()
    page.keyboard.press("Control+Enter")
    alert = page.get_by_role("alert").filter(has_text="Not submitted yet")
    expect(alert).to_contain_text("Information coverage: rate A, B and C.")
    assert answers(campaign) == []


@pytest.mark.long
def test_ratings_can_be_undone_and_survive_a_reload(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("union.judge", [to_judge()]))
    rate(page, COVERAGE, "A", 2)
    rate(page, COVERAGE, "B", 3)
    page.keyboard.press("Control+z")
    expect(group(page, COVERAGE, "B").get_by_role("radio", checked=True)).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    page.reload()
    expect(group(page, COVERAGE, "A").get_by_role("radio", name="2:")).to_be_checked()
    expect(group(page, COVERAGE, "B").get_by_role("radio", name="3:")).to_be_checked()


@pytest.mark.long
def test_a_judge_with_a_phone_sees_it_all_and_taps(
    workbench: Any, join: Any, phone: dict[str, Any], answers: Any
) -> None:
    campaign = workbench.campaign(
        "union.judge", [to_judge()], CampaignSettings(options={"criteria": ["coverage"]})
    )
    page = open_page(join, campaign, **phone)
    expect(page.locator(".output")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for letter in "ABC":
        label = group(page, COVERAGE, letter).locator("label").nth(2)
        box = label.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
        label.tap()
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign)[0]["systems"]["zeta-large"] == {"coverage": 3}


@pytest.mark.long
def test_ratings_are_announced_with_their_meaning(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("union.judge", [to_judge()]))
    expect(group(page, COVERAGE, "A").get_by_role("radio")).to_have_count(4)
    radios = group(page, COVERAGE, "A").get_by_role("radio").all()
    names = [radio.get_attribute("aria-label") for radio in radios]
    assert names == [
        "1: Substantial information is missing.",
        "2: Some information is missing.",
        "3: Minor details are missing.",
        "4: Nothing is missing.",
    ]
    rate(page, COVERAGE, "B", 3)
    expect(page.locator("[aria-live=polite]")).to_have_text(
        "Sentence B: 3, Minor details are missing."
    )
    expect(page.locator(".output del").first).to_contain_text("[missing: ")


def test_text_that_looks_like_html_is_shown_and_not_run(workbench: Any, join: Any) -> None:
    evil = '<img src=x onerror=alert(1)> <b>sank</b> & "sank"</p>'
    page = open_page(
        join, workbench.campaign("union.judge", [to_judge(systems={"m": evil}, reference=evil)])
    )
    expect(page.get_by_role("region", name="Reference")).to_contain_text(evil)
    expect(page.locator("main img, main b")).to_have_count(0)


@pytest.mark.long
def test_hebrew_reads_from_right_to_left(workbench: Any, join: Any) -> None:
    union = "המעבורת עלתה על שרטון"
    page = open_page(
        join,
        workbench.campaign(
            "union.judge", [to_judge(systems={"m": union}, reference=f"אתמול {union} בערפל")]
        ),
    )
    reading = page.locator(".output .reading")
    expect(reading).to_have_attribute("dir", "rtl")
    assert reading.evaluate("node => getComputedStyle(node).direction") == "rtl"


@pytest.fixture
def trained(workbench: Any) -> Any:
    gold = {
        "systems": {
            name: {"coverage": value} for name, value in zip(SYSTEMS, (4, 1, 4), strict=True)
        },
        "note": "The short one lacks the people and the fog.",
    }
    stages = (CampaignStage("training", feedback=True), CampaignStage("judging"))
    settings = CampaignSettings(stages=stages, options={"criteria": ["coverage"]})
    return workbench.campaign(
        "union.judge", [to_judge("t", gold=gold, stage=0), to_judge("p")], settings
    )


def test_training_shows_the_right_ratings_beside_the_answer(join: Any, trained: Any) -> None:
    page = open_page(join, trained)
    for letter in "ABC":
        rate(page, COVERAGE, letter, 4)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("The short one lacks the people and the fog.")).to_be_visible()
    row = page.get_by_role("row").filter(has_text=SHORT)
    expect(row.get_by_role("cell").nth(0)).to_contain_text("4 Nothing is missing. (3 steps off)")
    expect(row.get_by_role("cell").nth(1)).to_contain_text("1 Substantial information is missing.")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name=COVERAGE, level=2)).to_be_visible()
