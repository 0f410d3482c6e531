"""What every consolidation promises, as checks that several tests share."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.consolidation.result import Consolidation
from tatian.pipeline import Pipeline
from tatian.text import Document

from .bundles import PIPELINE


def tokens_are_where_they_say(result: Consolidation) -> None:
    """Offsets rise, words stand at them, sources lie in the accounts, the rest is glue."""
    texts = {one.id: one.text for one in result.documents}
    position = 0
    for sentence in result.sentences:
        assert (sentence.start, sentence.end) == (sentence.tokens[0].start, sentence.tokens[-1].end)
        for token in sentence.tokens:
            assert result.text[position : token.start] in {"", " ", "\n\n"}
            word = result.text[token.start : token.end]
            assert word.split() == [word]
            assert token.glue == (not token.sources)
            for source in token.sources:
                original = texts[source.document][source.start : source.end]
                assert original
                if source.kind == "copied":
                    assert original.casefold() == word.casefold()
            position = token.end
    assert position == len(result.text)


def every_sentence_has_its_fate(result: Consolidation, given: Sequence[Document]) -> None:
    """Each source sentence is listed once, in order, with a legal fate and place."""
    assert [one.id for one in result.documents] == [document.id for document in given]
    for document, one in zip(given, result.documents, strict=True):
        spans = [(sentence.start, sentence.end) for sentence in one.sentences]
        expected = PIPELINE.process(document).sentences
        assert spans == [(sentence.start, sentence.end) for sentence in expected]
        for sentence in one.sentences:
            assert sentence.fate in {"merged", "kept", "redundant", "unused"}
            assert sentence.why
            assert list(sentence.into) == sorted(set(sentence.into))
            assert all(0 <= index < len(result.sentences) for index in sentence.into)
            assert sentence.into or sentence.fate == "unused"


def fresh() -> Pipeline:
    """The models of the tests, made anew."""
    return Pipeline(analyser="rules", detector="names", resolver="match", aggregator="heads")
