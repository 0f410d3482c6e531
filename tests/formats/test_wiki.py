"""One page under its several names."""

from __future__ import annotations

import pytest
from hypothesis import given

from tatian.formats.wiki import (
    dbpedia_uri,
    is_nil,
    page_of,
    title_of,
    title_through,
    wikidata_id,
    wikidata_uri,
    wikipedia_url,
)
from tatian.knowledge.entities import Entity, page_title

from .link_samples import TITLES


class Base:
    """A knowledge base of one page."""

    france = Entity(1, "France", wikidata="Q142")

    def by_wikidata(self, identifier: str) -> Entity | None:
        return self.france if identifier == "Q142" else None

    def entity(self, key: str) -> Entity | None:
        return self.france if key == "France" else None


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Free software", "Free_software"),
        ("C♯ (musical note)", "C%E2%99%AF_(musical_note)"),
        ("King's Cross", "King%27s_Cross"),
        ("AT&T", "AT%26T"),
        ("What is it?", "What_is_it%3F"),
        ("Trinity College, Oxford", "Trinity_College,_Oxford"),
        ("AC/DC", "AC/DC"),
        ("Star Wars: Episode I", "Star_Wars:_Episode_I"),
    ],
)
def test_addresses_of_wikipedia_are_built(title: str, path: str) -> None:
    assert wikipedia_url(title) == f"https://en.wikipedia.org/wiki/{path}"


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("King's Cross", "King's_Cross"),
        ("AT&T", "AT&T"),
        ("What is it?", "What_is_it%3F"),
        ('The "A" Team', "The_%22A%22_Team"),
        ("Montréal", "Montr%C3%A9al"),
    ],
)
def test_resources_of_dbpedia_are_built(title: str, path: str) -> None:
    assert dbpedia_uri(title) == f"http://dbpedia.org/resource/{path}"


@given(TITLES.map(page_title).filter(bool))
def test_titles_are_recovered_from_their_addresses(title: str) -> None:
    assert title_of(wikipedia_url(title)) == title
    assert title_of(dbpedia_uri(title)) == title
    assert page_of(wikipedia_url(title, "fr")) == ("fr", title)
    assert page_of(dbpedia_uri(title, "fr")) == ("fr", title)


@pytest.mark.parametrize(
    "uri",
    [
        "http://en.wikipedia.org/wiki/open-source_software",
        "https://en.m.wikipedia.org/wiki/Open-source_software#History",
        "https://en.wikipedia.org/w/index.php?title=Open-source_software&action=edit",
        "http://dbpedia.org/page/Open-source_software",
        "http://en.dbpedia.org/resource/Open-source_software",
        "uri:Open-source_software",
    ],
)
def test_a_page_has_many_addresses(uri: str) -> None:
    assert title_of(uri) == "Open-source software"


@pytest.mark.parametrize(
    "uri",
    [
        "https://example.org/wiki/Oslo",
        "https://fr.wikipedia.org/wiki/Oslo",
        "https://en.wikipedia.org/",
        "http://dbpedia.org/ontology/Person",
        "Oslo",
        "http://[broken",
        "http://aksw.org/notInWiki/Oslo",
        "https://en.wikipedia.org/wiki/NotInLexico",
    ],
)
def test_other_addresses_have_no_title(uri: str) -> None:
    assert title_of(uri) is None


def test_markers_for_missing_pages_are_recognised() -> None:
    assert is_nil("http://aksw.org/notInWiki/Oslo_Smith")
    assert not is_nil("https://en.wikipedia.org/wiki/Oslo")


@pytest.mark.parametrize(
    "uri",
    ["Q142", "wd:Q142", wikidata_uri("Q142"), "https://www.wikidata.org/wiki/Q142"],
)
def test_wikidata_ids_are_known_by_their_form(uri: str) -> None:
    assert wikidata_id(uri) == "Q142"


@pytest.mark.parametrize("uri", ["Q0", "142", "QQ", "https://www.wikidata.org/wiki/Property:P1"])
def test_invalid_ids_are_no_wikidata_ids(uri: str) -> None:
    assert wikidata_id(uri) is None


def test_a_knowledge_base_leads_from_wikidata_to_wikipedia() -> None:
    assert title_through("Q142", Base()) == "France"
    assert title_through("Q1", Base()) is None
    assert title_through("http://dbpedia.org/resource/Oslo", Base()) == "Oslo"
