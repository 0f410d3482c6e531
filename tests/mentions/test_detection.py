"""`detect_all`: any number of texts, with the model and the steps of choice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.formats.links import build_document, evaluated_parts, links_of, part_of, topic_of
from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.detection import PIECE_CHARACTERS, detect_all, pieces
from tatian.mentions.models.names import NameDetector
from tatian.mentions.models.prior import Prior
from tatian.text import LINKS, SENTENCES, Document, Link, Metadata, Sentence, Span

from .model_samples import mention, world


@pytest.fixture(scope="module")
def prior(tmp_path_factory: pytest.TempPathFactory) -> Prior:
    base: KnowledgeBase = world(tmp_path_factory.mktemp("world"))
    return Prior(base)


class Once:
    """Links the first "cat" of a text, and remembers what it was given."""

    def __init__(self) -> None:
        self.seen: list[Document] = []

    def detect(self, document: Document) -> Document:
        self.seen.append(document)
        at = document.text.find("cat")
        links = [Link(at, at + 3, ("Cat",), 0.5)] if at >= 0 else []
        return document.with_layer(LINKS, links, "test")


def test_existing_mentions_are_replaced(prior: Prior) -> None:
    text = "A student in Oslo."
    gold = build_document(
        "g",
        text,
        (mention(text, "A", "A"),),
        topic="Topic",
        evaluated=(Span(0, 5),),
        title="T",
        part_of="whole",
    )
    (found,) = detect_all([gold], prior)
    assert [one.titles for one in links_of(found)] == [("Student",), ("Oslo",)]
    assert (found.id, topic_of(found), evaluated_parts(found)) == ("g", "Topic", (Span(0, 5),))
    assert (found.metadata.title, part_of(found)) == ("T", "whole")


def test_names_have_their_type_and_general_terms_none(prior: Prior) -> None:
    (found,) = detect_all([Document("1", "A student in Oslo.")], prior)
    assert [(one.type, one.named) for one in links_of(found)] == [("", None), ("LOC", True)]


def test_texts_are_read_one_at_a_time(prior: Prior) -> None:
    def endless() -> object:
        while True:
            yield Document("1", "Oslo")

    found = detect_all(endless(), prior)  # type: ignore[arg-type]
    assert links_of(next(found))[0].titles == ("Oslo",)


def test_default_topic_applies_to_texts_without_one() -> None:
    model = Once()
    own = Document("2", "b", Metadata(topic="Zoos"))
    found = list(detect_all([Document("1", "a"), own], model, topic="Cars"))
    assert [topic_of(one) for one in found] == ["Cars", "Zoos"]
    assert [one.metadata.topic for one in model.seen] == ["Cars", "Zoos"]


def test_repeats_can_be_switched_off() -> None:
    document = Document("1", "A cat and a cat.")
    (with_all,) = detect_all([document], Once())
    (as_found,) = detect_all([document], Once(), repeats=False)
    assert (len(links_of(with_all)), len(links_of(as_found))) == (2, 1)


def test_titles_are_added_on_request(prior: Prior) -> None:
    document = Document("1", "Senator Hillary Clinton left.")
    (bare,) = detect_all([document], prior)
    (whole,) = detect_all([document], prior, titled=True)
    assert links_of(bare)[0].of(bare.text) == "Hillary Clinton"
    assert links_of(whole)[0].of(whole.text) == "Senator Hillary Clinton"


def test_layers_of_a_document_reach_the_model() -> None:
    model = Once()
    document = Document("1", "A cat.").with_layer(SENTENCES, [Sentence(0, 6)], "test")
    list(detect_all([document], model, topic="Cats"))
    assert model.seen[0].has(SENTENCES)
    assert model.seen[0].metadata.topic == "Cats"


def test_a_long_text_is_read_in_pieces_with_correct_offsets() -> None:
    model = Once()
    text = ("x" * 79 + "\n") * (PIECE_CHARACTERS // 40) + "The cat."
    (found,) = detect_all([Document("1", text)], model)
    assert len(model.seen) > 1
    assert [one.of(text) for one in links_of(found)] == ["cat"]


def test_an_empty_text_has_no_mentions(prior: Prior) -> None:
    assert [links_of(one) for one in detect_all([build_document("1", "")], prior)] == [()]


@given(st.text("ab .\n", max_size=200), st.integers(2, 20))
def test_pieces_are_the_whole_text_and_never_too_long(text: str, most: int) -> None:
    found = list(pieces(text, most))
    assert "".join(text[start:end] for start, end in found) == text
    assert all(0 < end - start <= most for start, end in found)


def test_long_text_is_cut_between_paragraphs() -> None:
    text = "One. Two.\nThree.\n\nFour. Five. Six."
    assert [text[start:end] for start, end in pieces(text, 26)] == [
        "One. Two.\nThree.\n\n",
        "Four. Five. Six.",
    ]


def test_a_model_that_needs_the_analysis_gets_it() -> None:
    (found,) = detect_all([Document("1", "They saw Hillary Clinton in Oslo.")], NameDetector())
    assert [(one.of(found.text), one.titles) for one in links_of(found)] == [
        ("Hillary Clinton", ()),
        ("Oslo", ()),
    ]
