"""Small documents to compare, made in code."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tatian.text import CHAINS, Chain, Document, Mention, Span

TEXT = (
    "The ferry Aurora ran aground. Jonas Verrick, her captain, said he had seen the buoy. "
    "The ship was towed to Sennick, and the crew left it there."
)

Places = Sequence[Sequence[str]]


def mention(phrase: str, text: str = TEXT) -> Mention:
    """A phrase of the text; ``he#2`` is its second occurrence, ``a|b`` one in two pieces."""
    pieces = [_span(piece, text) for piece in phrase.split("|")]
    parts = tuple(pieces) if len(pieces) > 1 else ()
    return Mention(pieces[0].start, pieces[-1].end, parts=parts)


def document(chains: Places, text: str = TEXT, id: str = "doc") -> Document:
    """A document with these chains of phrases."""
    made = [
        Chain(f"c{number}", tuple(sorted(mention(one, text) for one in phrases)))
        for number, phrases in enumerate(chains, 1)
    ]
    return Document(id, text).with_layer(CHAINS, made, "test")


def _span(phrase: str, text: str) -> Span:
    words, _, number = phrase.partition("#")
    start = -1
    for _ in range(int(number or 1)):
        start = text.index(words, start + 1)
    return Span(start, start + len(words))


WORDS = "the ferry sank it was old and she left them there".split()
BOARD = " ".join(WORDS)


@st.composite
def annotated(draw: st.DrawFn, optional: bool = False) -> Document:
    """Any chains on a short text: nested, crossing, repeated and discontinuous mentions too."""
    starts = [sum(len(word) + 1 for word in WORDS[:index]) for index in range(len(WORDS))]
    ends = [start + len(word) for start, word in zip(starts, WORDS, strict=True)]

    def span() -> Span:
        first = draw(st.integers(0, len(WORDS) - 1))
        last = draw(st.integers(first, min(first + 3, len(WORDS) - 1)))
        return Span(starts[first], ends[last])

    def one() -> Mention:
        whole = span()
        free = draw(st.booleans()) if optional else False
        other = span()
        if other.start > whole.end and draw(st.booleans()):
            return Mention(whole.start, other.end, optional=free, parts=(whole, other))
        return Mention(whole.start, whole.end, optional=free)

    chains = [
        Chain(f"c{number}", tuple(one() for _ in range(draw(st.integers(1, 4)))))
        for number in range(draw(st.integers(0, 5)))
    ]
    return Document("board", BOARD).with_layer(CHAINS, chains, "test")
