"""Short ways to write documents with chains, for the tests of scoring."""

from __future__ import annotations

from tatian.formats import ORIGINAL, Original
from tatian.text import CHAINS, Chain, Document, Mention, Span

Phrase = str | Mention


def phrase(
    text: str, string: str, *, head: str | None = None, optional: bool = False, last: bool = False
) -> Mention:
    """The first (or last) occurrence of `string`, with its MIN."""
    start = text.rindex(string) if last else text.index(string)
    span = None
    if head is not None:
        first = start + string.index(head)
        span = Span(first, first + len(head))
    return Mention(start, start + len(string), head=span, optional=optional)


def document(text: str, *chains: list[Phrase], id: str = "d", format: str = "") -> Document:
    """A document whose chains are given by their phrases; chains are called 0, 1, ..."""
    made = [
        Chain(
            str(number),
            tuple(one if isinstance(one, Mention) else phrase(text, one) for one in chain),
        )
        for number, chain in enumerate(chains)
    ]
    found = Document(id, text).with_layer(CHAINS, made, "test")
    return found.with_layer(ORIGINAL, [Original(format, "")], "test") if format else found
