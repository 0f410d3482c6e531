"""Names, roles, contrast and structure, as an accessibility checker looks at them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from ..consolidation.samples import chorus, ferry
from .conftest import Open
from .looking import word

OPERABLE = {"button", "link", "radio", "textbox", "checkbox", "combobox"}

FAINT = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = ([red, green, blue]) => [red, green, blue]
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = rgba(getComputedStyle(at).backgroundColor);
      if (found[3] === 255) return found;
    }
    return rgba('white');
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || node.closest('.unseen, .skip')) continue;
    if (!node.checkVisibility({ visibilityProperty: true })) continue;
    const [one, other] = [light(rgba(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faint.push(`${walker.currentNode.data.trim()} ${ratio.toFixed(2)}`);
  }
  return faint;
}"""


def nodes(page: Page) -> list[dict[str, Any]]:
    """The accessibility tree of the page as drawn, as the browser gives it to assistive software.

    What `content-visibility` keeps for later has no name before the first frame.
    """
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    return [
        {
            "role": node.get("role", {}).get("value"),
            "name": node.get("name", {}).get("value", ""),
            **{each["name"]: each["value"].get("value") for each in node.get("properties", [])},
        }
        for node in tree
        if not node["ignored"]
    ]


def test_everything_that_can_be_operated_has_a_name(show: Open) -> None:
    page = show(ferry())
    word(page, "Lindholm").click()
    operable = [node for node in nodes(page) if node["role"] in OPERABLE]
    assert len(operable) > 15
    assert [node for node in operable if not node["name"].strip()] == []


def test_the_line_is_a_polite_live_region(show: Open) -> None:
    (status,) = [node for node in nodes(show(ferry())) if node["role"] == "status"]
    assert status["live"] == "polite"


def test_the_page_has_one_title_one_main_part_and_headings_in_order(show: Open) -> None:
    found = nodes(show(ferry()))
    levels = [node["level"] for node in found if node["role"] == "heading"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert [node["role"] for node in found].count("main") == 1


def test_regions_are_labelled(show: Open) -> None:
    names = [node["name"] for node in nodes(show(ferry())) if node["role"] == "region"]
    assert names == [
        "The text", "Where the accounts disagree", "People and things", "Named together",
        "The accounts",
    ]  # fmt: skip


def test_each_source_is_an_article_with_its_name(show: Open) -> None:
    names = [node["name"] for node in nodes(show(ferry())) if node["role"] == "article"]
    assert names == ["A Ferry strikes pier; 17 hurt", "B Coastal Radio",
                     "C Inquiry into Aurora crash"]  # fmt: skip


def test_toggles_expose_their_state(show: Open) -> None:
    pressed = {node["name"]: node["pressed"] for node in nodes(show(ferry())) if "pressed" in node}
    assert pressed["● Colours"] == "true"
    assert pressed["○ Dark"] == "false"


def test_ids_are_unique_and_references_resolve(show: Open) -> None:
    broken = show(ferry()).evaluate(
        """() => {
          const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
          const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
          const names = ['aria-labelledby', 'aria-describedby', 'aria-controls'];
          const dangling = names.flatMap((name) => [...document.querySelectorAll(`[${name}]`)]
            .map((node) => node.getAttribute(name)))
            .filter((id) => !document.getElementById(id));
          return [...twice, ...dangling];
        }"""
    )
    assert broken == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["idle", "word", "sentence", "chain", "one account", "plain"])
def test_all_text_has_enough_contrast(show: Open, scheme: str, state: str) -> None:
    page = show(ferry(), color_scheme=scheme)
    match state:
        case "word":
            word(page, "17").click()
        case "sentence":
            page.locator(".s.redundant").click()
        case "chain":
            page.locator(".chain").first.click()
        case "one account":
            page.get_by_role("radio", name="B Coastal Radio").check()
        case "plain":
            page.locator("#colours").click()
    assert page.evaluate(FAINT) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_eight_colours_and_the_neutral_one_have_enough_contrast(show: Open, scheme: str) -> None:
    page = show(chorus(10), color_scheme=scheme)
    page.locator("#text .w").first.click()
    assert page.evaluate(FAINT) == []


def test_reduced_motion_means_no_transitions(show: Open) -> None:
    page = show(ferry(), reduced_motion="reduce")
    assert (
        page.locator("#text .w").first.evaluate("(n) => getComputedStyle(n).transitionDuration")
        == "0s"
    )
    assert page.evaluate("motion(10)") == "instant"
