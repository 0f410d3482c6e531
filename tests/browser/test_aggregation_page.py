"""The page of ranked and generated phrases, in a browser."""

from __future__ import annotations

from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics.reading import Answers
from tatian.aggregation.views import examples, to_html

from .conftest import Open

PHRASES = ("ports", "lakes", "states", "rivers", "hills", "towns", "seas", "cities")
INSTANCE = Instance(
    "i1",
    ("Lisbon", "Porto"),
    "location",
    context="Lisbon and Porto will tax short stays.",
    background={"Porto": "A city in Portugal."},
    aggregations=("cities",),
    candidates=PHRASES,
)
RANKED = Answers("ranking", {"i1": tuple((one, -float(n)) for n, one in enumerate(PHRASES))})
HTML = to_html(examples([INSTANCE], {"First": RANKED, "Second": RANKED}))


def test_gold_is_bold_and_nothing_else_in_the_lists(show: Open) -> None:
    page = show(HTML)
    weights = (
        page.locator("ol")
        .first.locator("li")
        .evaluate_all(
            "items => items.map(one => getComputedStyle(one.querySelector('b') || one).fontWeight)"
        )
    )
    assert weights == ["400"] * 7 + ["700"]


def test_remaining_gold_keeps_its_rank(show: Open) -> None:
    page = show(HTML)
    assert page.locator("ol").first.locator("li").last.get_attribute("value") == "8"


def test_systems_stand_side_by_side_and_below_each_other_on_a_telephone(show: Open) -> None:
    def tops(**options: object) -> set[int]:
        sections = show(HTML, **options).locator("section")
        return {round(box["y"]) for one in sections.all() if (box := one.bounding_box())}

    assert len(tops()) == 1
    assert len(tops(viewport={"width": 390, "height": 800})) == 2


def test_the_page_fits_a_telephone(show: Open) -> None:
    page = show(HTML, viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_background_opens(show: Open) -> None:
    page = show(HTML)
    text = page.get_by_text("A city in Portugal.")
    assert not text.is_visible()
    page.get_by_text("Background").click()
    assert text.is_visible()
