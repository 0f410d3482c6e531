"""The encoder as an analyser: what it finds, and what it can be given."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tatian.analysis import analysers, analyze, analyze_all, installed
from tatian.analysis.encoder import EncoderAnalyser
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Sentence, Token

from .test_decode import is_tree

TEXT = (
    "Anna Keller met three ministers in Berlin. They weren't talking about the Bundesbank's cuts."
)


@pytest.fixture(scope="module")
def encoder(weights: None) -> EncoderAnalyser:
    return EncoderAnalyser(threads=2)


@pytest.fixture(scope="module")
def document(encoder: EncoderAnalyser) -> Document:
    return encoder.analyze(Document("one", TEXT))


def sentence_heads(document: Document) -> Iterator[list[int]]:
    """Heads counted from 1 in each sentence, 0 for the root."""
    words = {word.token: word for word in document.get(WORDS)}
    for sentence in document.sentences:
        inside = [
            i
            for i, token in enumerate(document.tokens)
            if sentence.start <= token.start and token.end <= sentence.end
        ]
        if inside:
            yield [words[i].head - inside[0] + 1 if words[i].head >= 0 else 0 for i in inside]


def test_every_token_gets_a_word(document: Document) -> None:
    assert [word.token for word in document.get(WORDS)] == list(range(len(document.tokens)))


def test_words_have_tag_lemma_features_and_relation(document: Document) -> None:
    by_text = {document.tokens[word.token].text: word for word in document.get(WORDS)}
    assert (by_text["met"].tag, by_text["met"].lemma, by_text["met"].relation) == (
        "VERB",
        "meet",
        "root",
    )
    assert by_text["ministers"].lemma == "minister"
    assert by_text["ministers"].features["Number"] == "Plur"
    assert by_text["n't"].lemma == "not"
    assert by_text["ministers"].fine == "NNS"


def test_names_are_found_with_their_kind(document: Document) -> None:
    found = [(name.of(TEXT), name.type) for name in document.get(NAMES)]
    assert found[:2] == [("Anna Keller", "PER"), ("Berlin", "LOC")]


def test_every_sentence_is_one_tree(document: Document) -> None:
    assert all(map(is_tree, sentence_heads(document)))


def test_encoder_signs_its_layers_with_its_version(document: Document) -> None:
    made = document.layers[WORDS.name].made
    assert made.by == "encoder"
    assert made.version
    assert document.layers[TOKENS.name].made.by == "rules"


def test_the_text_survives_json(document: Document) -> None:
    assert Document.from_json(document.to_json()) == document


def test_existing_tokens_and_sentences_are_kept(encoder: EncoderAnalyser) -> None:
    tokens = [Token(0, 11, "Anna Keller"), Token(12, 15, "met")]
    given = Document("one", TEXT).with_layer(TOKENS, tokens, "me")
    given = given.with_layer(SENTENCES, [Sentence(0, 15)], "me")
    found = encoder.analyze(given)
    assert found.tokens == tuple(tokens)
    assert found.sentences == (Sentence(0, 15),)
    assert len(found.get(WORDS)) == 2


@pytest.mark.parametrize("threads", [1, 3])
def test_analysis_does_not_depend_on_threads_or_batches(
    threads: int, encoder: EncoderAnalyser
) -> None:
    texts = [TEXT, "Stocks fell.", "", TEXT[:20], "A" * 700, TEXT * 5]
    alone = [encoder.analyze(Document(str(i), text)) for i, text in enumerate(texts)]
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    assert list(EncoderAnalyser(threads=threads).analyze_all(documents)) == alone


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(" \n\t ", id="blank"),
        pytest.param("\x00\x01\x02", id="control characters"),
        pytest.param("a\x00b \x07 c\u200bd.", id="control characters inside"),
        pytest.param("\ud800 lone", id="half a character"),
        pytest.param("\u6771\u4eac \U0001f600", id="ideographs and emoji"),
        pytest.param("x" * 5000, id="one long token"),
        pytest.param("word " * 900, id="no punctuation"),
        pytest.param("- " * 700, id="nothing but punctuation"),
        pytest.param("http://example.org/" + "a/" * 2000, id="a long address"),
    ],
)
def test_strange_texts_get_trees_too(text: str, encoder: EncoderAnalyser) -> None:
    document = encoder.analyze(Document("strange", text))
    assert len(document.get(WORDS)) == len(document.tokens)
    assert all(map(is_tree, sentence_heads(document)))
    assert all(word.lemma for word in document.get(WORDS))


def test_a_sentence_of_thousands_of_words_is_one_tree(encoder: EncoderAnalyser) -> None:
    words = ["The", "old", "dog", "saw", "Anna", "Keller", "and"] * 300
    document = next(encoder.analyze_all([[words]]))
    (heads,) = sentence_heads(document)
    assert len(heads) == 2100
    assert is_tree(heads)
    found = [name.of(document.text) for name in document.get(NAMES)]
    assert found.count("Anna Keller") > 200


def test_documents_are_analysed_as_a_stream(encoder: EncoderAnalyser) -> None:
    read: list[int] = []

    def documents() -> Iterator[str]:
        for number in range(200):
            read.append(number)
            yield "It rains."

    results = encoder.analyze_all(documents())
    next(results)
    assert len(read) < 50


def test_progress_counts_sentences(encoder: EncoderAnalyser) -> None:
    seen: list[tuple[str, int, int]] = []
    list(encoder.analyze_all([TEXT, "Go."], progress=lambda *step: seen.append(step)))
    assert seen == [("analysing sentences", 2, 2), ("analysing sentences", 3, 3)]


def test_several_threads_may_share_one_analyser(
    encoder: EncoderAnalyser, document: Document
) -> None:
    results: list[Document] = []

    def work() -> None:
        results.append(encoder.analyze(Document("one", TEXT)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [document] * 4


def test_analyze_accepts_a_text_a_document_or_sentences(weights: None) -> None:
    assert analyze(TEXT).get(WORDS) == analyze(Document("x", TEXT)).get(WORDS)
    assert len(analyze(["It rains.", "We stay."]).sentences) == 2
    assert [one.id for one in analyze_all(["It rains.", "We stay."])] == ["text-1", "text-2"]


def test_without_weights_one_call_warns_and_uses_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TATIAN_WEIGHTS", "nowhere")
    with pytest.warns(UserWarning, match="tokens and sentences only: there are no weights"):
        document = analyze(TEXT)
    assert len(document.sentences) == 2
    assert not document.has(WORDS)
    assert installed.best_model() == "rules"


def test_encoder_is_registered_and_names_its_licence(weights: None) -> None:
    assert isinstance(analysers.create("encoder", threads=1), EncoderAnalyser)
    assert "CC BY" in EncoderAnalyser.licence
