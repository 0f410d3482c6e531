"""Documents for spaCy."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.conllu import parse
from tatian.analysis.interop import to_spacy
from tatian.analysis.rules import RuleAnalyser
from tatian.errors import MissingExtra
from tatian.text import NAMES, Document, Name

from .test_conllu import SAMPLE


def test_without_spacy_the_command_that_installs_it_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tatian\[spacy\]'"):
        to_spacy(Document("x", "A."))


@pytest.fixture(scope="module")
def vocab() -> object:
    """A blank English vocabulary of spaCy's."""
    spacy = pytest.importorskip("spacy")
    return spacy.blank("en").vocab


def test_tags_lemmas_and_trees_go_along(vocab: object) -> None:
    (document,) = parse(SAMPLE.splitlines())
    doc = to_spacy(document, vocab)
    assert doc.text == document.text
    words = [token for token in doc if not token.is_space]
    assert [token.lemma_ for token in words][:3] == ["Ann", "do", "not"]
    assert [token.pos_ for token in words][:3] == ["PROPN", "AUX", "PART"]
    assert [token.tag_ for token in words][:3] == ["NNP", "VBD", "RB"]
    assert [token.head.text for token in words] == ["go", "go", "go", "go", "go", "Why", "Why"]
    assert [token.dep_ for token in words][3] == "ROOT"
    assert words[1].morph.get("Tense") == ["Past"]
    assert [sentence.text.strip() for sentence in doc.sents] == ["Ann didn't go.", "Why?"]
    assert [(entity.text, entity.label_) for entity in doc.ents] == [("Ann", "PER")]


@given(st.text())
def test_the_text_and_so_all_offsets_are_the_same(vocab: object, text: str) -> None:
    document = RuleAnalyser().analyze(Document("x", text))
    doc = to_spacy(document, vocab)
    assert doc.text == text
    places = {(token.idx, token.text) for token in doc}
    assert {(token.start, token.text) for token in document.tokens} <= places


def test_names_across_white_space_are_found(vocab: object) -> None:
    document = RuleAnalyser().analyze(Document("x", "  Ann \t Lee."))
    document = document.with_layer(NAMES, [Name(2, 11, "PER")], "me")
    doc = to_spacy(document, vocab)
    assert [entity.text for entity in doc.ents] == ["Ann \t Lee"]
    assert len(list(doc.sents)) == 1
