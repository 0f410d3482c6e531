"""Clusters of other resolvers as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tatian.coreference.data.formats import find, recognize
from tatian.coreference.metrics import score
from tatian.errors import InputError
from tatian.text import CHAINS, SENTENCES, TOKENS, Document

TEXT = "Vera saw her ferry. It sank."
FASTCOREF = {
    "text": TEXT,
    "clusters": [[[0, 4], [9, 12]], [[9, 18], [20, 22]]],
    "clusters_strings": [["Vera", "her"], ["her ferry", "It"]],
}
WORDS = ["Vera", "saw", "her", "ferry", ".", "It", "sank", "."]
IN_WORDS = [[[0, 0], [2, 2]], [[2, 3], [5, 5]]]
SPACY = {
    "text": TEXT,
    "tokens": [{"id": 0, "start": 0, "end": 4}],
    "spans": {
        "coref_clusters_2": [{"start": 9, "end": 18}, {"start": 20, "end": 22}],
        "coref_clusters_1": [{"start": 0, "end": 4, "label": ""}, {"start": 9, "end": 12}],
        "coref_head_clusters_1": [{"start": 0, "end": 4}],
        "sc": [{"start": 0, "end": 18}],
    },
}
CHAINS_OF = [["Vera", "her"], ["her ferry", "It"]]


def read(*objects: Any) -> list[Document]:
    return list(find("clusters").read("\n".join(map(json.dumps, objects)), "out.jsonl"))


def chains(document: Document) -> list[list[str]]:
    return [[m.of(document.text) for m in chain.mentions] for chain in document.get(CHAINS)]


@pytest.mark.parametrize(
    "given",
    [
        FASTCOREF,
        SPACY,
        {"tokens": WORDS, "clusters": IN_WORDS},
        {"words": WORDS, "predicted_clusters": IN_WORDS},
        {"document": WORDS, "clusters": IN_WORDS},
        {"sentences": [WORDS[:5], WORDS[5:]], "clusters": IN_WORDS},
    ],
    ids=["fastcoref", "spaCy", "tokens", "words", "AllenNLP", "sentences"],
)
def test_what_others_write_is_read(given: dict[str, Any]) -> None:
    (document,) = read(given)
    assert chains(document) == CHAINS_OF


def test_words_become_tokens_and_their_sentences_sentences() -> None:
    (document,) = read({"sentences": [WORDS[:5], WORDS[5:]], "clusters": IN_WORDS})
    assert [token.text for token in document.tokens] == WORDS
    assert len(document.get(SENTENCES)) == 2
    (flat,) = read({"tokens": WORDS, "clusters": IN_WORDS})
    assert flat.has(TOKENS)
    assert not flat.has(SENTENCES)


def test_a_document_is_called_by_its_key_or_after_its_file() -> None:
    named = [{**FASTCOREF, "id": "a"}, {**FASTCOREF, "doc_key": "b"}, FASTCOREF]
    assert [document.id for document in read(*named)] == ["a", "b", "out-3"]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_may_hold_one_object_or_a_list_of_them(indent: int | None) -> None:
    for whole, count in ((FASTCOREF, 1), ([FASTCOREF, SPACY], 2)):
        text = json.dumps(whole, indent=indent)
        assert recognize(text).name == "clusters"
        assert [chains(one) for one in find("clusters").read(text)] == [CHAINS_OF] * count


def test_they_can_be_scored_against_any_key() -> None:
    (response,) = read({"id": "a", **FASTCOREF})
    assert score([response], [response]).rates("conll").f1 == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1], r"out.jsonl:1: not clusters: a document is an object"),
        ({"text": TEXT}, r"it has no 'clusters'"),
        ({"clusters": []}, r"neither 'text' nor words"),
        ({"text": TEXT, "clusters": [[[5, 99]]]}, r"from 5 to 99 in a document of 28 text"),
        ({"tokens": WORDS, "clusters": [[[3, 2]]]}, r"from 3 to 3 in a document of 8 words"),
        ({"text": TEXT, "clusters": [[["0", 4]]]}, r"a mention in 'clusters' is \['0', 4\]"),
        ({"text": TEXT, "clusters": {}}, r"'clusters' is {}, not a list"),
        ({"tokens": ["a", 1], "clusters": []}, r"a word is 1"),
    ],
)
def test_what_is_wrong_is_said(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(given)


def test_a_broken_line_is_named() -> None:
    text = json.dumps(FASTCOREF) + "\n{broken\n"
    with pytest.raises(InputError, match=r"out.jsonl:2: not JSON"):
        list(find("clusters").read(text, "out.jsonl"))
