"""Which words stand inside quotation marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import Span, tokenize
from tatian.text.documents import quoted_tokens
from tatian.text.spans import within


def quoted(text: str, start: int = 0, end: int | None = None) -> str:
    """The quoted words of a stretch of `text`."""
    tokens = within(tokenize(text), Span(start, len(text) if end is None else end))
    flags = quoted_tokens(text, tokens)
    return " ".join(token.text for token, flag in zip(tokens, flags, strict=True) if flag)


@pytest.mark.parametrize(
    "text", ['"We knew," he said.', "“We knew,” he said.", "``We knew,'' he said."]
)
def test_words_between_marks_are_quoted_and_so_are_the_marks(text: str) -> None:
    assert quoted(text)[1:-1].strip("`' ") == "We knew ,"


def test_a_quotation_goes_on_into_the_next_sentence() -> None:
    text = '"We knew. It was foggy. We sailed," he said.'
    middle = text.index("It")
    assert quoted(text, middle, middle + 13) == "It was foggy ."
    assert quoted(text, text.index("We s")) == 'We sailed , "'


def test_a_mark_that_nobody_closes_ends_with_its_paragraph() -> None:
    assert quoted('He said "we knew.\n\nThe ferry sank.') == '" we knew .'


def test_a_mark_that_only_closes_quotes_what_stands_before_it() -> None:
    assert quoted('We knew," he said.') == 'We knew , "'


def test_marks_of_inches_do_not_quote() -> None:
    assert quoted('The hole was 12" wide and grew.') == ""


def test_words_between_quotations_are_not_quoted() -> None:
    assert quoted('"No," he said, "never."') == '" No , " " never . "'


def test_a_quotation_in_several_paragraphs_opens_each_of_them() -> None:
    assert quoted("“We knew.\n\n“We sailed,” he said.") == "“ We knew . “ We sailed , ”"


def test_marks_between_blanks_open_and_close_alternately() -> None:
    assert quoted('" We knew , " he said .') == '" We knew , "'


@given(st.text('ab .,"“”\n', max_size=60))
def test_text_without_quotation_marks_has_no_quoted_token(text: str) -> None:
    tokens = tokenize(text)
    flags = quoted_tokens(text, tokens)
    assert len(flags) == len(tokens)
    if not set(text) & set('"“”'):
        assert not any(flags)


@given(st.text('ab .,"“”\n', max_size=60), st.data())
def test_a_word_is_quoted_whether_asked_alone_or_with_what_stands_before(
    text: str, data: st.DataObject
) -> None:
    opened = '"Ah" ' + text.replace(",", "").replace(".", "")
    tokens = tokenize(opened)
    start = data.draw(st.integers(0, len(tokens) - 1))
    assert quoted_tokens(opened, tokens[start:]) == quoted_tokens(opened, tokens)[start:]
