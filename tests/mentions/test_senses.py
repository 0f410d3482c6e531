"""Senses by context: which of a term's pages a text means."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.mentions.models.ranked import RankedLinker
from tatian.text import LINKS, Document, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@pytest.fixture(scope="module")
def linker() -> RankedLinker:
    return RankedLinker("starter")


def page(linker: RankedLinker, term: str, text: str) -> str:
    found = {one.of(text): one.titles[0] for one in linker.detect(Document("d", text)).get(LINKS)}
    return found.get(term, "")


@pytest.mark.parametrize(
    ("term", "text", "title"),
    [
        ("Jaguar", "The luxury car had a Jaguar engine under its hood.", "Jaguar Cars"),
        ("Jaguar", "A Jaguar hunted deer by the river in the forest.", "Jaguar"),
        ("Athens", "The band met in Athens, an hour from Atlanta.", "Athens, Georgia"),
        ("Athens", "Voters in Athens chose a new Greek parliament.", "Athens"),
        ("mercury", "Of all planets mercury is nearest to the sun.", "Mercury (planet)"),
        ("plant", "The plant builds trucks on two assembly lines.", "Factory"),
        ("plant", "The plant needs light and water for its leaves.", "Plant"),
        ("tank", "Oil leaked from a tank at the refinery.", "Storage tank"),
    ],
)
def test_context_words_decide_the_sense(
    linker: RankedLinker, term: str, text: str, title: str
) -> None:
    assert page(linker, term, text) == title


def test_certain_links_support_related_senses(linker: RankedLinker) -> None:
    text = "Birmingham is the largest city of Alabama after Huntsville."
    assert page(linker, "Birmingham", text) == "Birmingham, Alabama"


@pytest.mark.parametrize(
    ("term", "text", "title"),
    [
        ("empire", "The empire fell in 1889, when Pedro II was deposed.", "Empire of Brazil"),
        ("air force", "In Israel, the air force lost a jet on Monday.", "Israeli Air Force"),
    ],
)
def test_a_definite_general_term_is_that_of_the_place_the_text_talks_of(
    linker: RankedLinker, term: str, text: str, title: str
) -> None:
    assert page(linker, term, text) == title


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("empire", "Pedro II knew that an empire needs an army."),
        ("air force", "Israel asked every country with an air force for help."),
    ],
)
def test_indefinite_general_term_keeps_its_general_page(
    linker: RankedLinker, term: str, text: str
) -> None:
    assert page(linker, term, text) == term.capitalize()


def test_without_the_encoder_the_most_common_sense_is_taken() -> None:
    assert page(RankedLinker("starter", encoder=False), "Paris", "They met in Paris.") == "Paris"


def test_a_term_that_the_topic_is_about_is_linked_though_it_seldom_is(
    linker: RankedLinker,
) -> None:
    text = "The queen costs millions a year."
    about = Metadata(topic="We should abolish the monarchy")
    found = linker.detect(Document("d", text, about)).get(LINKS)
    assert [one.titles[0] for one in found] == ["Queen regnant"]
