from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.analysis.installed import unavailable
from tatian.text import Source, SourcedToken, tokenize
from tatian.text.documents import quoted_tokens
from tatian.text.layers import render
from tatian.union.models.construct.building import constructions
from tatian.union.models.construct.reading import WordingReading
from tatian.union.models.construct.related_pair import RelatedPair, relate_pair

Related = Callable[[str, str], RelatedPair]


@pytest.fixture
def related(passage_of) -> Related:
    """Two sentences with their relations."""
    if unavailable():
        pytest.skip("the encoder is not installed")

    def make(first: str, second: str) -> RelatedPair:
        found = relate_pair([passage_of(first, "one"), passage_of(second, "two")])
        assert found is not None
        return found

    return make


@pytest.fixture
def built(related) -> Callable[[str, str], list[str]]:
    """What rules make of two sentences, with the first as the frame."""

    def make(frame: str, other: str) -> list[str]:
        return [render(tokens) for tokens in constructions(related(frame, other).pairing)]

    return make


def _wording(text: str, pair: RelatedPair) -> WordingReading:
    """A text whose words come from wherever the sentences have them."""
    free = [list(sentence.tokens) for sentence in pair.sentences]
    written = []
    words = tokenize(text)
    for index, (word, quoted) in enumerate(zip(words, quoted_tokens(text, words), strict=True)):
        source: tuple[Source, ...] = ()
        for tokens in free:
            same = [token for token in tokens if token.text.lower() == word.text.lower()]
            if same and not source:
                source = same[0].sources
                tokens.remove(same[0])
        space = index == 0 or words[index - 1].end != word.start
        written.append(SourcedToken(word.text, source, space, quoted))
    return WordingReading(written, pair.sentences)


@pytest.fixture
def wording() -> Callable[[str, RelatedPair], WordingReading]:
    """Reads a text as a wording of a pair."""
    return _wording
