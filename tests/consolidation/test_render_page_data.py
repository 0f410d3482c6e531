"""Pieces: whatever may be lit is a run of whole pieces, with nothing before, after or missing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tatian.consolidation.render.page_data import Pieces
from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Consolidation,
    Reference,
    SourceSentence,
    WovenChain,
    WrittenSentence,
    WrittenToken,
)
from tatian.text import Source

from .samples import ferry

Span = tuple[int, int]


def consolidation(text: str, used: list[Span], spoken_of: list[Span]) -> Consolidation:
    half = len(text) // 2
    account = Account(
        "a", None, None, None, None, text,
        tuple(
            SourceSentence(start, end, "kept", (0,), "")
            for start, end in ((0, half), (half, len(text)))
        ),
    )  # fmt: skip
    tokens = tuple(WrittenToken(0, 1, (Source("a", *span),)) for span in used)
    chain = WovenChain("c", "c", "", tuple(Reference("a", *span) for span in spoken_of))
    return Consolidation(SCHEMA, "x", (WrittenSentence(0, 1, tokens),), (account,), chains=(chain,))


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, list[Span], list[Span]]:
    text = draw(st.text(alphabet="ab é😀\n", min_size=1, max_size=40))
    edge = st.integers(0, len(text))
    span = st.tuples(edge, edge).map(sorted).map(tuple).filter(lambda each: each[0] < each[1])
    return text, draw(st.lists(span, max_size=6)), draw(st.lists(span, max_size=6))


@given(texts_with_spans())
def test_every_span_is_a_run_of_whole_pieces(drawn: tuple[str, list[Span], list[Span]]) -> None:
    text, used, spoken_of = drawn
    pieces = Pieces(consolidation(text, used, spoken_of))
    every = pieces.within("a", 0, len(text))
    for start, end in used + spoken_of:
        first, after = pieces.span("a", start, end)
        held = "".join(text[piece.start : piece.end] for piece in every[first:after])
        assert "".join(held.split()) == "".join(text[start:end].split())


@given(texts_with_spans())
def test_pieces_are_in_order_and_do_not_overlap(drawn: tuple[str, list[Span], list[Span]]) -> None:
    text, used, spoken_of = drawn
    every = Pieces(consolidation(text, used, spoken_of)).within("a", 0, len(text))
    edges = [edge for piece in every for edge in (piece.start, piece.end)]
    assert edges == sorted(edges)
    assert all(piece.start < piece.end for piece in every)


@given(texts_with_spans())
def test_a_piece_is_used_exactly_if_the_output_draws_on_it(
    drawn: tuple[str, list[Span], list[Span]],
) -> None:
    text, used, spoken_of = drawn
    covered = {offset for start, end in used for offset in range(start, end)}
    for piece in Pieces(consolidation(text, used, spoken_of)).within("a", 0, len(text)):
        assert piece.used == (piece.start in covered)


def test_pieces_are_numbered_through_all_accounts() -> None:
    sample = ferry()
    pieces = Pieces(sample)
    counts = [len(pieces.within(each.id, 0, len(each.text))) for each in sample.documents]
    firsts = [pieces.span(each.id, 0, 0)[0] for each in sample.documents]
    assert firsts == [0, counts[0], counts[0] + counts[1]]


def test_claims_that_others_contradict_are_marked() -> None:
    sample = ferry()
    radio = sample.documents[1]
    marked = [
        radio.text[piece.start : piece.end]
        for piece in Pieces(sample).within("radio", 0, len(radio.text))
        if piece.disputed
    ]
    assert marked == ["Nineteen"]
