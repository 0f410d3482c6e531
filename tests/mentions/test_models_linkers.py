"""The linkers ``prior`` and ``tagme``, and what they write into a document's layers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.knowledge import open_base
from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.models.choices import LinkChoice, most_common
from tatian.mentions.models.prior import Prior
from tatian.mentions.models.tagme import TagMe
from tatian.text import LINKS, MENTIONS, NAMES, SENTENCES, TOKENS, Document, Name, Sentence, Token

from .model_samples import world


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return world(tmp_path_factory.mktemp("world"))


def pages(choices: list[LinkChoice], text: str) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.candidates[0].title) for one in choices]


def test_prior_chooses_the_most_common_page(base: KnowledgeBase) -> None:
    text = "A jaguar is a cat of the forest."
    assert pages(Prior(base).choose(text), text) == [
        ("jaguar", "Jaguar Cars"),
        ("cat", "Cat"),
        ("forest", "Forest"),
    ]


def test_priors_confidence_is_the_commonness_of_the_page(base: KnowledgeBase) -> None:
    (found,) = Prior(base).choose("A jaguar.")
    assert found.score == found.candidates[0].prior == base.lookup("jaguar").candidates[0].prior


def test_tagme_chooses_the_page_with_the_most_votes(base: KnowledgeBase) -> None:
    linker = TagMe(base, threshold=0)
    text = "A jaguar is a cat of the forest."
    assert pages(linker.choose(text), text)[0] == ("jaguar", "Jaguar")
    other = "Her jaguar is the fastest car on the motorway."
    assert pages(linker.choose(other), other)[0] == ("jaguar", "Jaguar Cars")


def test_tagme_drops_incoherent_links(base: KnowledgeBase) -> None:
    text = "A jaguar is a cat of the forest, and Oslo has a student."
    kept = {title for _, title in pages(TagMe(base, threshold=0.3).choose(text), text)}
    assert {"Jaguar", "Cat", "Forest"} <= kept
    assert not kept & {"Oslo", "Student"}


def test_threshold_drops_links_with_lower_confidence(base: KnowledgeBase) -> None:
    assert Prior(base, threshold=0.99).choose("A jaguar.") == []
    assert len(Prior(base, threshold=0.5).choose("A jaguar.")) == 1


def test_terms_with_a_low_link_probability_can_be_excluded(base: KnowledgeBase) -> None:
    text = "A student saw a jaguar."
    found = Prior(base, link_probability=0.1).choose(text)
    assert [text[one.start : one.end] for one in found] == ["jaguar"]


@pytest.mark.parametrize("model", [Prior, TagMe])
def test_several_pages_only_where_they_are_nearly_as_likely(
    model: type[Prior | TagMe], base: KnowledgeBase
) -> None:
    (one,) = model(base, threshold=0, titles=3).choose("A cat.")
    assert [page.title for page in one.candidates] == ["Cat"]


def test_the_most_common_pages_come_first(base: KnowledgeBase) -> None:
    senses = base.lookup("jaguar").candidates
    assert most_common(senses[::-1], 1) == senses[:1]
    assert [one.title for one in senses] == ["Jaguar Cars", "Jaguar"]


@pytest.mark.parametrize("model", [Prior, TagMe])
@pytest.mark.parametrize("text", ["", " \n\t", "...", "\ud800", "1999", "he and they"])
def test_a_text_with_nothing_to_link_has_no_links(
    model: type[Prior | TagMe], text: str, base: KnowledgeBase
) -> None:
    assert model(base).detect(Document("1", text)).get(LINKS) == ()


@pytest.mark.parametrize("text", ["JAGUARS IN OSLO", "jaguars in oslo", "Jaguars In Oslo"])
def test_case_makes_no_difference(text: str, base: KnowledgeBase) -> None:
    assert [title for _, title in pages(Prior(base).choose(text), text)] == ["Jaguar Cars", "Oslo"]


def test_redirects_and_plurals_lead_to_the_page(base: KnowledgeBase) -> None:
    text = "Pupils and students."
    assert [title for _, title in pages(Prior(base).choose(text), text)] == ["Student", "Student"]


def test_list_pages_are_not_linked(base: KnowledgeBase) -> None:
    text = "See the list of cats."
    assert "List of cats" not in [title for _, title in pages(Prior(base).choose(text), text)]


def test_a_document_that_was_not_analysed_has_the_linked_names(base: KnowledgeBase) -> None:
    document = Prior(base).detect(Document("1", "A student met Hillary Clinton in Oslo."))
    assert [(one.of(document.text), one.type) for one in document.get(MENTIONS)] == [
        ("Hillary Clinton", "PER"),
        ("Oslo", "LOC"),
    ]
    assert [one.titles for one in document.get(LINKS)] == [
        ("Student",),
        ("Hillary Clinton",),
        ("Oslo",),
    ]


def test_a_name_keeps_the_type_that_the_analysis_gave_it(base: KnowledgeBase) -> None:
    text = "Oslo won the cup."
    document = Document("1", text).with_layer(SENTENCES, [Sentence(0, len(text))], "test")
    document = document.with_layer(NAMES, [Name(0, 4, "ORG")], "test")
    document = document.with_layer(TOKENS, [Token(0, 4, "Oslo")], "test")
    found = Prior(base).detect(document)
    assert [one.type for one in found.get(MENTIONS)] == ["ORG"]


def test_the_starter_base_is_opened_by_its_name_and_by_default() -> None:
    with open_base("starter") as named, open_base(None) as shipped:
        assert named.path == shipped.path


def test_missing_base_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.kb"):
        Prior(tmp_path / "nowhere.kb")
