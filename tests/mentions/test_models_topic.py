"""What the topic of a text says about its links."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.analysis.installed import unavailable
from tatian.formats.links import links_of
from tatian.knowledge.base import KnowledgeBase, open_base
from tatian.knowledge.building.pages import Page
from tatian.mentions.detection import (
    MIN_RELATEDNESS,
    detect_all,
    drop_unrelated,
    is_name,
    with_specific,
)
from tatian.mentions.models.prior import Prior
from tatian.mentions.models.ranked import RankedLinker
from tatian.text import Document, Link

from ..knowledge.bases import base_of
from .model_samples import mention, world


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return world(tmp_path_factory.mktemp("world"))


@pytest.fixture
def states(tmp_path: Path) -> KnowledgeBase:
    return base_of(
        tmp_path / "states.kb",
        (
            Page("Israel", kind="location", aliases=("Israeli",)),
            Page("Brazil", kind="location", aliases=("Brazilian",)),
            Page("Air force"),
            Page("Israeli Air Force"),
            Page("Empire"),
            Page("Empire of Brazil"),
        ),
    )


def terms(text: str, mentions: list[Link]) -> list[str]:
    return [one.of(text) for one in mentions]


@pytest.mark.parametrize(
    ("topic", "titles"),
    [
        ("We should arm Israel", ["Israeli Air Force", "Empire"]),
        ("The Brazilian monarchy", ["Air force", "Empire of Brazil"]),
        ("The Monarchy", ["Air force", "Empire"]),
        ("", ["Air force", "Empire"]),
    ],
)
def test_the_page_of_the_topics_place_is_preferred_to_the_general_one(
    states: KnowledgeBase, topic: str, titles: list[str]
) -> None:
    text = "The air force and the empire."
    found = [mention(text, "air force", "Air force"), mention(text, "empire", "Empire")]
    assert [one.titles[0] for one in with_specific(text, found, topic, states)] == titles


def test_a_name_keeps_its_own_page(states: KnowledgeBase) -> None:
    text = "They flew with Empire to Rio."
    found = [mention(text, "Empire", "Empire", type="ORG")]
    assert with_specific(text, found, "Brazil", states) == found


def test_the_place_itself_is_not_its_own_page(tmp_path: Path) -> None:
    israel = Page("Israel", kind="location", aliases=("State of Israel",))
    base = base_of(tmp_path / "state.kb", (israel, Page("State")))
    text = "The state pays."
    found = [mention(text, "state", "State")]
    assert with_specific(text, found, "Israel", base) == found


def test_general_terms_unrelated_to_the_topic_are_dropped(base: KnowledgeBase) -> None:
    text = "A forest, a motorway, Oslo and a cat."
    found = [
        mention(text, "forest", "Forest"),
        mention(text, "motorway", "Motorway"),
        mention(text, "Oslo", "Oslo", type="LOC"),
        mention(text, "cat", "Cat"),
    ]
    kept = drop_unrelated(text, found, "We should keep every cat", base, 0.2)
    assert terms(text, kept) == ["forest", "Oslo", "cat"]


def test_pages_without_links_are_kept(base: KnowledgeBase) -> None:
    text = "A student and a thing."
    found = [mention(text, "student", "Student"), mention(text, "thing", "No such page")]
    assert drop_unrelated(text, found, "The cat", base, 0.9) == found


def test_a_topic_without_known_pages_drops_nothing(base: KnowledgeBase) -> None:
    text = "A motorway."
    found = [mention(text, "motorway", "Motorway")]
    assert drop_unrelated(text, found, "We should abolish everything", base, 0.9) == found


@pytest.mark.parametrize(
    ("text", "term", "title", "type", "expected"),
    [
        ("in Oslo", "Oslo", "Oslo", "LOC", True),
        ("the world war", "world war", "World War II", "", True),
        ("They read the Bible", "Bible", "Bible", "", True),
        ("It ended. Voters left", "Voters", "Voting", "", False),
        ("the voters", "voters", "Voting", "", False),
        ("open source", "open source", "Open-source software", "", False),
    ],
)
def test_type_title_or_capitals_identify_names(
    text: str, term: str, title: str, type: str, expected: bool
) -> None:
    assert is_name(text, mention(text, term, title, type=type)) is expected


VIDEO_GAMES = "We should ban violent video games"


def linked_terms(text: str, *titles: tuple[str, str]) -> list[Link]:
    return [mention(text, term, title) for term, title in titles]


@pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
def test_descriptions_decide_relatedness_without_links() -> None:
    text = "Children play games and drink water."
    found = linked_terms(text, ("games", "Game"), ("water", "Water"))
    kept = drop_unrelated(text, found, VIDEO_GAMES, open_base(), MIN_RELATEDNESS)
    assert terms(text, kept) == ["games"]


@pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
def test_a_short_topic_drops_unrelated_terms_by_default() -> None:
    text = "A prisoner sat on a chair before the execution."
    linker = RankedLinker("starter")
    for related, wanted in ((None, False), (0.0, True)):
        (found,) = detect_all(
            [Document("d", text)],
            linker,
            topic="We should abolish the death penalty",
            related=related,
        )
        assert ("chair" in terms(text, list(links_of(found)))) is wanted


def test_a_long_topic_is_a_text_that_guides_and_drops_nothing() -> None:
    text = "Students in Oslo drink tea."
    linker = Prior("starter")
    (found,) = detect_all([Document("d", text)], linker, topic="Let us talk about chess. " * 5)
    assert "tea" in terms(text, list(links_of(found)))
