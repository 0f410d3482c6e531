"""Shared Wikipedia pages as evidence that two sentences report the same thing.

The texts are those of the mention benchmark's introduction (Texts 1 and 2): "proximity" and
"distance" are one page, and so are "headquarters" and "base of operation".
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tatian.consolidation.grouping import group

from tatian.consolidation.units import Unit, Weights, flatten, units_of
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Anchor, Page
from tatian.mentions.models.prior import Prior
from tatian.pipeline import Pipeline
from tatian.text import LINKS, Document, Link

ONE = "The headquarters had to be in close proximity to his office."
TWO = "The base of operation was to lie at a short distance from his desk."
OTHER = "It rained on the coast."


class Pages(list[Page]):
    """A source of knowledge."""

    name = "pages"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    path: Path = tmp_path_factory.mktemp("pages") / "pages.kb"
    pages = [
        Page("Distance", aliases=("proximity",)),
        Page("Headquarters", aliases=("base of operation",)),
        Page("Links", anchors=(Anchor("Distance", "distance"), Anchor("Distance", "proximity"))),
    ]
    build([Pages(pages)], path)
    return KnowledgeBase.open(path)


def accounts(base: KnowledgeBase | None, *texts: str) -> list[list[Unit]]:
    """The sentences of some accounts, linked to the base, or not at all."""
    pipeline = Pipeline(
        analyser="rules", detector=Prior(base) if base else "names", resolver="match"
    )
    documents = [pipeline.process(Document(str(n), text)) for n, text in enumerate(texts)]
    return [units_of(number, document) for number, document in enumerate(documents)]


def similarity(units: list[list[Unit]]) -> float:
    return Weights(flatten(units)).similarity(units[0][0], units[1][0])


def test_sentences_know_the_pages_of_their_phrases(base: KnowledgeBase) -> None:
    ((one,), (two,)) = accounts(base, ONE, TWO)
    assert set(one.pages) == set(two.pages) == {"Distance", "Headquarters"}
    assert one.pages["Distance"].isdisjoint(two.pages["Distance"])


def test_two_wordings_of_the_same_pages_are_similar(base: KnowledgeBase) -> None:
    assert similarity(accounts(None, ONE, TWO)) == 0
    assert similarity(accounts(base, ONE, TWO)) > 0.2


def test_they_come_together(base: KnowledgeBase) -> None:
    def grouped(units: list[list[Unit]]) -> list[int]:
        return sorted(len(one) for one in group(units, Weights(flatten(units))))

    assert grouped(accounts(None, f"{ONE} {OTHER}", TWO)) == [1, 1, 1]
    assert grouped(accounts(base, f"{ONE} {OTHER}", TWO)) == [1, 2]


def test_a_page_in_the_same_words_counts_once(base: KnowledgeBase) -> None:
    again = ONE.replace("office", "desk")
    assert similarity(accounts(base, ONE, again)) == similarity(accounts(None, ONE, again))


def test_one_shared_page_is_not_enough(base: KnowledgeBase) -> None:
    assert similarity(accounts(base, "The proximity hurt.", "A distance of miles.")) == 0


def test_two_names_of_one_thing_say_who_but_not_what(base: KnowledgeBase) -> None:
    ((one,), (two,)) = units = accounts(base, ONE, TWO)
    named = Weights(flatten(units), one.pages["Distance"] | one.pages["Headquarters"])
    assert named.similarity(one, two) == 0


def test_it_does_not_matter_which_comes_first(base: KnowledgeBase) -> None:
    assert similarity(accounts(base, ONE, TWO)) == similarity(accounts(base, TWO, ONE))


def test_links_that_are_not_sure_are_no_evidence() -> None:
    text = "The proximity mattered."
    unsure = Document("a", text).with_layer(LINKS, [Link(4, 13, ("Distance",), 0.1)], "test")
    sure = Document("a", text).with_layer(LINKS, [Link(4, 13, ("Distance",), 0.9)], "test")
    pipeline = Pipeline(analyser="rules", detector="names", resolver="match")
    found = [units_of(0, pipeline.process(one))[0].pages for one in (unsure, sure)]
    assert [set(one) for one in found] == [set(), {"Distance"}]
