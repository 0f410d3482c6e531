"""Coreference formats by name: how each is recognised, read and written, and what it cannot hold.

Every reader gives `Document`s with gold ``tokens`` and ``sentences`` where the format has them and
a ``chains`` layer in which single mentions are chains of one. Every reader also leaves the
document's own source text in the ``coreference.original`` layer, so that a writer of the same
format can put it back: an untouched document is written as it was read, byte for byte, and a
changed one keeps all that is not coreference.
"""

from __future__ import annotations

from msgspec import Struct

from tatian.text import Document, LayerKey, formats
from tatian.text.formats import Losses, file_name

__all__ = ["ORIGINAL", "Format", "Losses", "Original", "file_name", "find", "original", "recognize"]
_KIND = "coreference"


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


class Format(formats.Format[Document], frozen=True):
    """One format of coreference files.

    What it `holds` are names of `tatian.coreference.data.features.FEATURES`.
    """

    def note(self, record: Document, losses: Losses) -> None:
        """Note the features that the document has and the format does not hold."""
        from tatian.coreference.data.features import note

        note(record, self, losses)


def find(name: str) -> Format:
    """The format called `name`."""
    from tatian.coreference.data.known import FORMATS

    return formats.find(name, FORMATS, _KIND)


def recognize(text: str, path: str | None = None) -> Format:
    """Which format a file is in, by its first lines, then by its name."""
    from tatian.coreference.data.known import FORMATS

    return formats.recognize(text, path, FORMATS, _KIND)
