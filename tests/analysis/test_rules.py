"""The analyser by rules: tokens and sentences as layers of a document."""

from __future__ import annotations

from tatian.analysis import analysers
from tatian.analysis.pieces import RuleAnalyser
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Sentence, Token

TEXT = "\ufeffMr. Smith didn't go.\r\n\r\nShe did."


def test_analysis_keeps_the_text_and_adds_tokens_and_sentences() -> None:
    document = RuleAnalyser().analyze(Document("one", TEXT))
    assert document.text == TEXT
    assert [s.of(TEXT) for s in document.sentences] == ["Mr. Smith didn't go.", "She did."]
    assert [t.text for t in document.tokens_in(document.sentences[0])] == [
        "Mr.",
        "Smith",
        "did",
        "n't",
        "go",
        ".",
    ]


def test_rules_sign_their_layers_and_add_no_others() -> None:
    document = RuleAnalyser().analyze(Document("one", TEXT))
    assert document.layers[TOKENS.name].made.by == "rules"
    assert not document.has(WORDS)
    assert not document.has(NAMES)


def test_existing_tokens_and_sentences_are_kept() -> None:
    given = Document("one", "a. b").with_layer(TOKENS, [Token(0, 2, "a."), Token(3, 4, "b")], "me")
    given = given.with_layer(SENTENCES, [Sentence(0, 4)], "me")
    assert RuleAnalyser().analyze(given) == given


def test_rule_analyser_is_registered() -> None:
    assert isinstance(analysers.create("rules"), RuleAnalyser)


def test_an_empty_text_has_empty_layers() -> None:
    document = RuleAnalyser().analyze(Document("one", ""))
    assert document.tokens == ()
    assert document.sentences == ()


def test_rule_analysis_is_deterministic() -> None:
    document = Document("one", TEXT * 3)
    assert RuleAnalyser().analyze(document) == RuleAnalyser().analyze(document)
