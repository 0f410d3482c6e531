"""Mentions from the names of the analysis."""

from __future__ import annotations

from tatian.analysis.pieces import RuleAnalyser
from tatian.mentions.models import detectors
from tatian.mentions.models.choices import AnalysedNames
from tatian.text import MENTIONS, NAMES, Document, Name

TEXT = "Prime Minister Edda Marsh met Carla Benning of Sennick Line. Marsh left. Marsh is tired."


def analysed(*names: tuple[str, str]) -> Document:
    """The text with these names, each at its next place."""
    document = RuleAnalyser().analyze(Document("a", TEXT))
    found, position = [], 0
    for word, kind in names:
        position = TEXT.index(word, position)
        found.append(Name(position, position + len(word), kind))
        position += len(word)
    return AnalysedNames().detect(document.with_layer(NAMES, found, "test"))


def test_the_detector_is_registered_as_names() -> None:
    assert isinstance(detectors.create("names"), AnalysedNames)


def test_a_title_belongs_to_the_mention_but_not_to_the_name() -> None:
    (mention,) = analysed(("Edda Marsh", "PER")).get(MENTIONS)
    assert mention.of(TEXT) == "Prime Minister Edda Marsh"
    assert mention.head is not None
    assert mention.head.of(TEXT) == "Edda Marsh"


def test_only_people_have_titles() -> None:
    (mention,) = analysed(("Edda Marsh", "ORG")).get(MENTIONS)
    assert mention.of(TEXT) == "Edda Marsh"


def test_name_has_its_most_frequent_type() -> None:
    document = analysed(("Edda Marsh", "PER"), ("Marsh", "LOC"), ("Marsh", "LOC"))
    assert [mention.type for mention in document.get(MENTIONS)] == ["PER", "LOC", "LOC"]


def test_without_names_capitals_decide() -> None:
    document = AnalysedNames().detect(RuleAnalyser().analyze(Document("a", TEXT)))
    assert "Sennick Line" in {mention.of(TEXT) for mention in document.get(MENTIONS)}
