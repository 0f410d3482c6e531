"""Pages tell by boxes, categories, coordinates and first sentences what they are about."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.building.kinds import guess_kind, stated_kind
from tatian.knowledge.building.mediawiki import Dump
from tatian.knowledge.building.pages import Page
from tatian.knowledge.building.wikitext import parse_wikitext


@pytest.mark.parametrize(
    ("title", "sentence", "kind"),
    [
        ("Ida Holm", "Ida Holm was a Norwegian engineer and painter.", "person"),
        ("Ida Holm", "Ida Holm is an Australian film and theatre actress.", "person"),
        ("Ida Holm", "Ida Holm was the 16th President of the United States.", "person"),
        ("Ida Holm", "Ida Holm was one of the greatest sculptors of her time.", "person"),
        ("Bergen", "Bergen is a city in Norway.", "location"),
        ("Utvær", "Utvær is a small, rocky island lying off the coast.", "location"),
        ("Solund", "The Solund Islands are a group of islands in the west.", "location"),
        ("Sognesea", "The Sognesea is the third largest body of water there.", "location"),
        (
            "Holm Works",
            "Holm Works, Inc. is an engineering company based in Bergen.",
            "organisation",
        ),
        ("The Keepers", "The Keepers were a Norwegian rock band.", "organisation"),
        ("Teacher", "A teacher is a person who helps others to learn.", "concept"),
        ("Pope", "The pope is the bishop of Rome.", "concept"),
        ("Astronaut", "Astronauts are people who travel into space.", "concept"),
        ("Sleep", "Sleep is a state of reduced awareness.", "concept"),
        ("Ida Falk", "Ida Falk is a fictional detective in crime novels.", "concept"),
        ("Opera", "Opera is a form of theatre in which music leads.", "concept"),
        ("Ida", "Ida comes from the north.", None),
        ("Brouk", "A brouk.", None),
    ],
)
def test_the_first_sentence_names_a_noun_of_a_kind(
    title: str, sentence: str, kind: str | None
) -> None:
    assert stated_kind(title, sentence) == kind


@pytest.mark.parametrize(
    ("title", "wikitext", "kind"),
    [
        ("X", "{{Infobox officeholder|a=b}} X.", "person"),
        ("X", "{{Infobox football biography}} X.", "person"),
        ("X", "{{Infobox UK place}} X.", "location"),
        ("X", "{{Infobox Australian political party}} X.", "organisation"),
        ("X", "{{Infobox company}} {{coord|60|N|5|E}} X.", "organisation"),
        ("X", "{{coord|60|N|5|E}} X.", "location"),
        ("X", "X. [[Category:1950 births]]", "person"),
        ("X", "X. [[Category:Living people]]", "person"),
        ("X", "X. [[Category:Cities in Norway]]", "location"),
        ("X", "X. [[Category:Companies of Norway]]", "organisation"),
        ("X", "X. [[Category:Norwegian painters]]", "person"),
        ("X", "X. [[Category:Music]]", None),
        ("Ida Holm", "Ida Holm (born 3 May 1950) writes.", "person"),
        ("Ida Holm", "Ida Holm (3 May 1850 – 9 June 1900) wrote.", "person"),
        ("Ida War", "The Ida War (1850–1853) went on.", "concept"),
        ("Lake Ida", "Lake Ida lies in the north.", "location"),
        ("History of Norway", "People came early.", "concept"),
        ("X", "", None),
    ],
)
def test_boxes_categories_coordinates_dates_and_titles_count(
    title: str, wikitext: str, kind: str | None
) -> None:
    assert guess_kind(title, parse_wikitext(wikitext, title)) == kind


def test_a_box_outweighs_a_word_in_the_first_sentence() -> None:
    wikitext = "{{Infobox person}}\n'''Ida Holm''' is the capital of wit."
    assert guess_kind("Ida Holm", parse_wikitext(wikitext, "Ida Holm")) == "person"


@given(st.text(max_size=200), st.text(max_size=30))
def test_kind_of_accepts_any_text(text: str, title: str) -> None:
    assert guess_kind(title, parse_wikitext(text, title)) in (
        None,
        "person",
        "location",
        "organisation",
        "concept",
    )


def test_real_pages_have_the_expected_kind(data: Path) -> None:
    """The first pages of the Schools selection are enough to see that real leads are understood."""
    wanted = {"Aberdeen": "location", "Abraham Lincoln": "person", "Abacus": None}
    found: dict[str, str | None] = {}
    for item in Dump(data / "knowledge" / "schoolswiki-pages-articles.xml.bz2", processes=1):
        if isinstance(item, Page) and item.title in wanted:
            found[item.title] = item.kind
        if len(found) == len(wanted):
            break
    assert found["Aberdeen"] == "location"
    assert found["Abraham Lincoln"] == "person"
    assert found["Abacus"] in (None, "concept")
