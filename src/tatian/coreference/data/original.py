"""A document as its file had it, so that a writer of the same format can put it back."""

from __future__ import annotations

from msgspec import Struct

from tatian.text import Document, LayerKey


class Original(Struct, frozen=True):
    """A document as its file had it, for writing it back."""

    format: str
    text: str


ORIGINAL: LayerKey[Original] = LayerKey("coreference.original", Original)


def original(document: Document, format: str) -> str | None:
    """The document as a file of that format had it; None if it did not come from one."""
    for one in document.get(ORIGINAL) if document.has(ORIGINAL) else ():
        if one.format == format:
            return one.text
    return None
