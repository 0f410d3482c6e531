"""Coreference formats by name: how each is recognised, read and written, and what it cannot hold.

Every reader gives `Document`s with gold ``tokens`` and ``sentences`` where the format has them and
a ``chains`` layer in which single mentions are chains of one. Every reader also leaves the
document's own source text in the ``coreference.original`` layer, so that a writer of the same
format can put it back: an untouched document is written as it was read, byte for byte, and a
changed one keeps all that is not coreference.
"""

from __future__ import annotations

import re

from tatian.text import Document, formats
from tatian.text.formats import Losses

_KIND = "coreference"


class Format(formats.Format[Document], frozen=True):
    """One format of coreference files.

    What it `holds` are names of `tatian.coreference.data.features.FEATURES`.
    """

    def note(self, record: Document, losses: Losses) -> None:
        """Note the features that the document has and the format does not hold."""
        from tatian.coreference.data.features import note

        note(record, self, losses)


def _looks_like(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE | re.IGNORECASE)


_DATA = "tatian.coreference.data"
_BEGINS_GAP = _looks_like(r"\AID\tText\tPronoun\t")
_BEGINS_CONLL = _looks_like(r"^#begin document")
_BEGINS_ONTOGUM = _looks_like(r"^# begin document")
_WORD_ROW = _looks_like(r"^1(-\d+)?(\t[^\t\n]*){9}$")
_ECBPLUS = _looks_like(r"<Document\b[^>]*\bdoc_name=")
_SGML = _looks_like(r"<(DOC|COREF|DOCNO|TXT)\b[^>]*>")

EVERYTHING = frozenset(
    "parts heads optional types attributes links unchained ids tokens sentences words names "
    "metadata details relations nodes frames columns instances twofold tags layers".split()
)
"""All features (`tatian.coreference.data.features`), by name."""

FORMATS: tuple[Format, ...] = (
    Format(
        "jsonl",
        "Tatian documents, one a line",
        (".jsonl", ".json"),
        f"{_DATA}.jsonl:read",
        f"{_DATA}.jsonl:write",
        lambda head: head.lstrip().startswith("{"),
        EVERYTHING,
    ),
    Format(
        "gap",
        "GAP: one ambiguous pronoun and two names a line",
        (".tsv",),
        f"{_DATA}.gap:read",
        "",
        lambda head: bool(_BEGINS_GAP.search(head)),
    ),
    Format(
        "conll",
        "CoNLL-2012 columns (OntoNotes, LitBank, the reference scorer)",
        (".conll", ".v4_gold_conll", ".v4_auto_conll", ".key", ".response"),
        f"{_DATA}.conll:read",
        f"{_DATA}.conll:write",
        lambda head: bool(_BEGINS_CONLL.search(head)),
        frozenset({"tokens", "sentences"}),
    ),
    Format(
        "ontogum",
        "OntoGUM: number, word, coreference",
        (".ontogum", ".conll"),
        f"{_DATA}.ontogum:read",
        "",
        lambda head: bool(_BEGINS_ONTOGUM.search(head)),
    ),
    Format(
        "ecbplus",
        "ECB+ XML, one document a file",
        (".xml",),
        f"{_DATA}.ecbplus:read",
        "",
        lambda head: bool(_ECBPLUS.search(head)),
    ),
    Format(
        "corefud",
        "CoNLL-U with Entity= in the last column (CorefUD, GUM)",
        (".conllu",),
        f"{_DATA}.corefud:read",
        f"{_DATA}.corefud_writing:write",
        lambda head: bool(_WORD_ROW.search(head)),
        frozenset(
            "parts heads optional types attributes links tokens sentences words names metadata "
            "details frames relations nodes".split()
        ),
    ),
    Format(
        "muc",
        "SGML with COREF tags (MUC-6)",
        (".sgm", ".sgml", ".muc"),
        f"{_DATA}.muc:read",
        f"{_DATA}.muc:write",
        lambda head: bool(_SGML.search(head)) and not head.lstrip().startswith("<?xml"),
        frozenset("parts heads optional types attributes metadata tags".split()),
    ),
)


def find(name: str) -> Format:
    """The format called `name`."""
    return formats.find(name, FORMATS, _KIND)


def recognize(text: str, path: str | None = None) -> Format:
    """Which format a file is in, by its first lines, then by its name."""
    return formats.recognize(text, path, FORMATS, _KIND)
