"""What links tell of the chains of a document."""

from __future__ import annotations

from tatian.aggregation.models.facts.aggregator import pages_of, types_of
from tatian.knowledge import open_base
from tatian.text import CHAINS, LINKS, Chain, Document, Link, Mention, Span

TEXT = "Mayor Paris met Barack Obama. He saw Mars."
CHAINS_OF = [
    Chain("paris", (Mention(0, 11, "PER", head=Span(6, 11)),), "PER"),
    Chain("obama", (Mention(30, 32), Mention(16, 28, "ORG")), "ORG"),
    Chain("mars", (Mention(37, 41, "LOC"),), "LOC"),
]
LINKS_OF = [
    Link(6, 11, ("Paris",)),
    Link(16, 28, ("Barack Obama", "Paris")),
    Link(37, 41, ("Mars",)),
]


def link_document() -> Document:
    made = Document("d", TEXT).with_layer(CHAINS, CHAINS_OF, "test")
    return made.with_layer(LINKS, LINKS_OF, "test")


def test_a_chain_has_the_page_of_a_mention_or_of_its_name() -> None:
    assert pages_of(link_document()) == {"paris": "Paris", "obama": "Barack Obama", "mars": "Mars"}


def test_a_document_that_nobody_linked_has_no_pages() -> None:
    assert pages_of(Document("d", TEXT).with_layer(CHAINS, CHAINS_OF, "test")) == {}


def test_a_base_knows_people_places_and_organisations() -> None:
    assert types_of(link_document(), open_base()) == {"paris": "LOC", "obama": "PER"}


def test_without_a_base_no_types_are_known() -> None:
    assert types_of(link_document(), None) == {}
