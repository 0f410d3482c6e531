"""The pages of unions in a browser: readable in light and dark, on a telephone, without a sound."""

from __future__ import annotations

from typing import Any

import pytest

from tatian.union.data import UnionInstance
from tatian.union.plots import lowest_histogram
from tatian.union.ratings import Rating, human_scores
from tatian.union.views import to_html
from tatian.union.views.examples import SystemUnion, examples

from .conftest import Open
from .test_accessibility import FAINT

PAIR = (
    "The fire has destroyed a large section of the store and fire crews are still on the scene.",
    "A FIRE has badly damaged the Waitrose supermarket in Wellington's High Street.",
)
UNION = "The fire has destroyed a large section of the Waitrose supermarket in Wellington."
OTHER = f"{PAIR[0]} {PAIR[1]} Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Tesco"
OVER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def html() -> str:
    instance = UnionInstance("fire", PAIR, UNION)
    ratings = [Rating("fire", "mine", "ann", 3, 4, 2, 5)]
    return to_html(examples([instance], {"mine": {"fire": SystemUnion(OTHER)}}, ratings))


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_is_easy_to_read(scheme: str, html: str, show: Open) -> None:
    assert show(html, color_scheme=scheme).evaluate(FAINT) == []


def test_colours_differ_and_so_do_underlines(html: str, show: Open) -> None:
    page = show(html)
    styles = page.evaluate(
        """() => ['s0', 's1', 'all'].map((name) => {
          const style = getComputedStyle(document.querySelector(`mark.${name}`));
          return [style.backgroundColor, style.textDecorationStyle];
        })"""
    )
    assert len({colour for colour, _ in styles}) == 3
    assert len({line for _, line in styles}) == 3


def test_a_telephone_needs_no_scrolling_sideways(
    html: str, show: Open, phone: dict[str, Any]
) -> None:
    assert show(html, **phone).evaluate(OVER) <= 0


def test_the_structure_is_headings_and_pairs_of_names_and_texts(html: str, show: Open) -> None:
    page = show(html)
    assert page.locator("h1").count() == 1
    assert page.locator("article h2").inner_text() == "Item fire"
    assert page.locator("dt").all_inner_texts() == [
        "sentence 1",
        "sentence 2",
        "gold union",
        "mine",
    ]


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_plot_follows_the_readers_scheme(scheme: str, show: Open) -> None:
    svg = lowest_histogram(human_scores([Rating("1", "a", "", 4, 4, 3)]))
    page = show(f"<!doctype html><title>plot</title>{svg}", color_scheme=scheme)
    paper = page.evaluate("() => getComputedStyle(document.querySelector('.paper')).fill")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 29)"}[scheme]
