"""Documents, spans and layers: exact offsets, and JSON there and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError, LayerMissing
from tatian.text import (
    CHAINS,
    LINKS,
    MENTIONS,
    SENTENCES,
    TOKENS,
    WORDS,
    Authorship,
    Chain,
    Document,
    Link,
    Mention,
    Metadata,
    Sentence,
    Span,
    Token,
    Word,
    split,
    tokenize,
)
from tatian.text.spans import within

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
OPTIONAL = st.none() | TEXTS
METADATA = st.builds(
    Metadata,
    title=OPTIONAL,
    date=OPTIONAL,
    source=OPTIONAL,
    topic=OPTIONAL,
    path=OPTIONAL,
    extra=st.dictionaries(TEXTS, TEXTS, max_size=3),
)


def spans(length: int) -> st.SearchStrategy[Span]:
    pair = st.tuples(st.integers(0, length), st.integers(0, length))
    return pair.map(lambda ends: Span(min(ends), max(ends)))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A document with some of every kind of layer."""
    text = draw(TEXTS)
    document = Document(draw(TEXTS), text, draw(METADATA))
    places = spans(len(text))
    mentions = draw(st.lists(st.builds(_mention, places, TEXTS, st.none() | places), max_size=4))
    links = draw(st.lists(st.builds(_link, places, st.lists(TEXTS, max_size=2)), max_size=3))
    words = draw(st.lists(st.builds(Word, st.integers(0, 9), TEXTS, TEXTS), max_size=3))
    person = Authorship(draw(TEXTS), draw(TEXTS), "person", draw(OPTIONAL))
    return (
        document.with_layer(TOKENS, tokenize(text), "rules")
        .with_layer(SENTENCES, split(text), "rules")
        .with_layer(WORDS, words, "model")
        .with_layer(MENTIONS, mentions, person)
        .with_layer(LINKS, links, person)
        .with_layer(CHAINS, [Chain("c1", tuple(mentions))] if mentions else [], "match")
    )


def _mention(place: Span, type_: str, head: Span | None) -> Mention:
    return Mention(place.start, place.end, type_, head)


def _link(place: Span, titles: list[str]) -> Link:
    return Link(place.start, place.end, tuple(titles), 0.5)


@given(documents())
def test_document_is_read_back_from_json(document: Document) -> None:
    written = json.dumps(document.to_json())
    assert Document.from_json(json.loads(written)) == document


@given(documents(), st.lists(st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=3))
def test_unknown_layers_survive_the_round_trip(
    document: Document, items: list[dict[str, str]]
) -> None:
    data = json.loads(json.dumps(document.to_json()))
    data["layers"]["of another package"] = {"made": {"by": "them"}, "items": items}
    assert json.loads(json.dumps(Document.from_json(data).to_json())) == data


@pytest.mark.parametrize(
    "text",
    ["\ufeffOne.\r\nTwo.", "a\tb", "👩‍👩‍👧 left.", "cafe\u0301s", "a\u2028b", "x\x00y", "\ud800"],
)
def test_the_text_is_kept_as_it_is(text: str) -> None:
    document = Document("one", text)
    for token in document.with_layer(TOKENS, tokenize(text), "rules").tokens:
        assert text[token.start : token.end] == token.text
    assert Document.from_json(document.to_json()).text == text


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"id": "a"},
        {"id": "a", "text": 3},
        {"id": "a", "text": "b", "layers": {"tokens": {"made": {"by": "x"}, "items": [1]}}},
        {
            "id": "a",
            "text": "b",
            "layers": {
                "tokens": {"made": {"by": "x"}, "items": [{"start": 5, "end": 2, "text": "b"}]}
            },
        },
        {
            "id": "a",
            "text": "b",
            "layers": {
                "tokens": {"made": {"by": "x"}, "items": [{"start": 0, "end": 1, "text": "c"}]}
            },
        },
        {
            "id": "a",
            "text": "b c",
            "layers": {
                "sentences": {
                    "made": {"by": "x"},
                    "items": [{"start": 2, "end": 3}, {"start": 0, "end": 1}],
                }
            },
        },
    ],
)
def test_invalid_documents_are_refused(data: Any) -> None:
    with pytest.raises(InputError, match="not a Tatian document"):
        Document.from_json(data)


def test_a_layer_that_nothing_has_filled_is_missing_not_empty() -> None:
    document = Document("one", "Text.")
    with pytest.raises(LayerMissing, match="'one' has no layer 'tokens'"):
        document.get(TOKENS)
    assert document.with_layer(TOKENS, [], "rules").tokens == ()


def test_adding_a_layer_leaves_the_document_as_it_was() -> None:
    document = Document("one", "Text.")
    assert document.with_layer(TOKENS, tokenize("Text."), "rules").has(TOKENS)
    assert not document.has(TOKENS)


def test_spans_outside_the_text_are_refused() -> None:
    with pytest.raises(ValueError, match="outside document 'one'"):
        Document("one", "Text.").with_layer(SENTENCES, [Sentence(0, 6)], "rules")


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_invalid_span_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span(start, end)


@given(st.text(), st.data())
def test_a_span_covers_as_many_characters_as_it_is_long(text: str, draw: st.DataObject) -> None:
    span = draw.draw(spans(len(text)))
    assert len(span.of(text)) == len(span)


@given(st.data())
def test_spans_overlap_where_they_share_a_character(draw: st.DataObject) -> None:
    one, other = draw.draw(spans(8)), draw.draw(spans(8))
    shared = set(range(one.start, one.end)) & set(range(other.start, other.end))
    assert one.overlaps(other) == other.overlaps(one)
    assert one.overlaps(other) or not shared
    if one and other:
        assert one.overlaps(other) == bool(shared)


@given(st.text("ab. \n"), st.data())
def test_tokens_in_a_span_are_those_wholly_inside(text: str, draw: st.DataObject) -> None:
    document = Document("one", text).with_layer(TOKENS, tokenize(text), "rules")
    span = draw.draw(spans(len(text)))
    expected = [token for token in document.tokens if span.contains(token)]
    assert list(document.tokens_in(span)) == expected


def gaps(items: Sequence[Span], length: int) -> Iterator[Span]:
    """The stretches between sorted, non-overlapping `items` in a text of `length`."""
    position = 0
    for item in items:
        if item.start > position:
            yield Span(position, item.start)
        position = item.end
    if position < length:
        yield Span(position, length)


@given(st.text("ab. \n"))
def test_tokens_and_the_gaps_between_them_make_up_the_text(text: str) -> None:
    tokens = tokenize(text)
    pieces: list[Span] = sorted([*(Span(t.start, t.end) for t in tokens), *gaps(tokens, len(text))])
    assert "".join(piece.of(text) for piece in pieces) == text


def test_within_an_empty_sequence_returns_nothing() -> None:
    assert list(within([], Span(0, 5))) == []


def test_tokens_sort_by_their_place() -> None:
    assert sorted([Token(4, 5, "b"), Token(0, 1, "c")])[0].text == "c"
