"""Names by capitalisation and titles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.pieces import RuleAnalyser
from tatian.mentions.models import detectors
from tatian.mentions.models.names import NameDetector
from tatian.text import LINKS, MENTIONS, NAMES, Document, Mention, Name


def detect_names(text: str) -> Document:
    return NameDetector().detect(RuleAnalyser().analyze(Document("a", text)))


def names(text: str) -> list[str]:
    document = detect_names(text)
    return [name.of(text) for name in document.get(NAMES)]


def types(text: str) -> dict[str, str]:
    """The type of each name."""
    return {name.of(text): name.type for name in detect_names(text).get(NAMES)}


def only_mention(text: str) -> Mention:
    (mention,) = detect_names(text).get(MENTIONS)
    return mention


def test_a_capital_inside_a_sentence_makes_a_name() -> None:
    assert names("The ferry left Halverne for Sennick.") == ["Halverne", "Sennick"]


def test_neighbouring_capitals_make_one_name() -> None:
    assert names("The captain, Jonas Verrick, left Cape Lorn.") == ["Jonas Verrick", "Cape Lorn"]


def test_a_title_belongs_to_the_mention_but_not_to_the_name() -> None:
    text = "They met Prime Minister Edda Marsh."
    mention = only_mention(text)
    assert mention.of(text) == "Prime Minister Edda Marsh"
    assert mention.head is not None
    assert mention.head.of(text) == "Edda Marsh"


def test_a_mention_without_a_title_is_the_name_itself() -> None:
    assert only_mention("They met Edda Marsh.").head is None


@pytest.mark.parametrize("text", ["They met the Prime Minister.", "He asked the Captain."])
def test_a_title_alone_is_no_name(text: str) -> None:
    assert names(text) == []


def test_capital_at_the_start_of_a_sentence_is_no_evidence() -> None:
    assert names("Divers found a tear. Fog hid the bank.") == []


def test_a_name_from_elsewhere_in_the_text_is_found_at_the_start_of_a_sentence() -> None:
    assert names("They asked Verrick. Verrick said nothing.") == ["Verrick", "Verrick"]


def test_two_capitals_at_the_start_are_a_name() -> None:
    assert names("Carla Benning was sorry.") == ["Carla Benning"]


@pytest.mark.parametrize("mark", ['"', "“", ": ", "— "])
def test_capital_after_a_quote_or_a_colon_is_no_evidence(mark: str) -> None:
    assert names(f"he said {mark}Divers went down today.") == []


@pytest.mark.parametrize("day", ["Tuesday", "March", "Jan.", "Christmas"])
def test_days_and_months_are_no_names(day: str) -> None:
    assert names(f"It sank last {day} in fog.") == []


def test_the_pronoun_i_is_no_name() -> None:
    assert names("Then I heard a scrape.") == []


def test_capitals_of_a_headline_are_no_evidence() -> None:
    assert names("Stranded Ferry Towed Into Port\n\nThe ferry left Halverne.") == ["Halverne"]


def test_a_name_from_the_text_is_found_in_a_headline() -> None:
    assert names("Ferry Towed Into Halverne Port\n\nThe ferry left Halverne.") == [
        "Halverne",
        "Halverne",
    ]


def test_an_institution_may_have_small_words_inside() -> None:
    assert names("It told the Ministry of Transport today.") == ["Ministry of Transport"]


def test_small_words_separate_names() -> None:
    assert names("The route from Halverne to Sennick.") == ["Halverne", "Sennick"]


def test_a_title_or_a_verb_of_saying_makes_a_person() -> None:
    assert types("They met Captain Verrick, and Ingrid Tolle said so.") == {
        "Verrick": "PER",
        "Ingrid Tolle": "PER",
    }


def test_a_surname_alone_is_the_person_named_in_full_elsewhere() -> None:
    assert types("They asked Jonas Verrick. In the end Verrick spoke.")["Verrick"] == "PER"


def test_nouns_inside_a_name_decide_its_type() -> None:
    text = "The Transport Ministry, Cape Lorn and the Sennick Line gave no answer."
    assert types(text) == {"Transport Ministry": "ORG", "Cape Lorn": "LOC", "Sennick Line": "ORG"}


def test_a_preposition_of_place_makes_a_place() -> None:
    assert types("It sank near Halverne.") == {"Halverne": "LOC"}


def test_capitals_throughout_make_an_organisation() -> None:
    assert types("Then the CDTA sent help.") == {"CDTA": "ORG"}


def test_a_name_without_evidence_has_no_type() -> None:
    assert types("They call her Petrel.") == {"Petrel": "MISC"}


def test_name_has_one_type_in_a_document() -> None:
    document = detect_names("They like Halverne. It sank near Halverne.")
    assert [mention.type for mention in document.get(MENTIONS)] == ["LOC", "LOC"]


def test_names_are_not_linked() -> None:
    document = detect_names("It sank near Halverne.")
    assert document.has(LINKS)
    assert document.get(LINKS) == ()


def test_existing_names_are_kept() -> None:
    text = "It sank near Halverne."
    document = RuleAnalyser().analyze(Document("a", text))
    document = document.with_layer(NAMES, [Name(0, 2, "MISC")], "somebody")
    assert NameDetector().detect(document).layers["names"].made.by == "somebody"


def test_name_detector_is_registered() -> None:
    assert isinstance(detectors.create("capitals"), NameDetector)


def test_a_text_without_words_has_no_names() -> None:
    assert names("") == []
    assert names("... !! 🚢 12") == []


WORDS = [
    "Jonas",
    "Verrick",
    "the",
    "of",
    "Captain",
    "Line",
    "in",
    "Halverne",
    "sank",
    ".",
    '"',
    ",",
]


@given(st.lists(st.sampled_from(WORDS), max_size=25))
def test_a_name_lies_inside_its_mention_on_whole_words(words: list[str]) -> None:
    document = detect_names(" ".join(words))
    starts = {token.start for token in document.tokens}
    ends = {token.end for token in document.tokens}
    for mention in document.get(MENTIONS):
        head = mention.head or mention
        assert mention.contains(head)
        assert len(head) > 0
        assert {mention.start, head.start} <= starts
        assert {mention.end, head.end} <= ends
