"""The detokenizer: English spacing, Penn Treebank escapes, and the way back to each token."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import Span, detokenize, tokenize

WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8))


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Smith didn't pay, but they're fine; aren't you?",
        'He said "no" (twice) and "yes" once.',
        "“Yes,” she said, ‘really’ [sic].",
        "The parents' house isn't Bush's.",
        "He said 'maybe' to it.",
        "It cost $5.50, US$3 or £2, up 5%...",
        "A well-known state-of-the-art plan cannot fail!",
        "The and/or question: #5?",
        "I'm gonna go.",
    ],
)
def test_tokens_become_the_text_they_came_from(text: str) -> None:
    words = [token.text for token in tokenize(text)]
    assert detokenize(words)[0] == text


def test_penn_treebank_escapes_become_marks() -> None:
    words = "`` It -LRB- he said -RRB- is 1\\/2 , '' -LSB- sic -RSB-".split()
    assert detokenize(words)[0] == '"It (he said) is 1\\/2," [sic]'


def test_a_quote_at_the_end_closes_what_an_earlier_sentence_opened() -> None:
    assert detokenize(["I", "left", ".", '"'])[0] == 'I left."'


def test_spacing_given_by_the_corpus_is_kept() -> None:
    text, spans = detokenize(["a", ",", "b"], [True, False, True])
    assert text == "a ,b"
    assert spans == (Span(0, 1), Span(2, 3), Span(3, 4))


def test_spacing_for_other_words_is_refused() -> None:
    with pytest.raises(ValueError, match="3 words, but space_after has 1"):
        detokenize(["a", "b", "c"], [True])


def test_no_words_make_no_text() -> None:
    assert detokenize([]) == ("", ())


@given(WORDS)
def test_spans_contain_their_words_in_order(words: list[str]) -> None:
    text, spans = detokenize(words, [len(word) % 2 == 0 for word in words])
    assert len(spans) == len(words)
    assert all(a.end <= b.start <= a.end + 1 for a, b in pairwise(spans))
    escaped = {"``", "''"}
    assert all(
        span.of(text) == word
        for span, word in zip(spans, words, strict=True)
        if word not in escaped
    )


@given(WORDS)
def test_only_blanks_are_added(words: list[str]) -> None:
    text, spans = detokenize(words)
    assert (spans[0].start, spans[-1].end) == (0, len(text)) if spans else text == ""
    assert all(text[a.end : b.start] in ("", " ") for a, b in pairwise(spans))
