"""MUC SGML: text with COREF tags, read and written without losing a character.

A file is read as follows.

- Documents: one for each ``<DOC>``, or one for a file that has none. Text between two belongs to
  the one before, text before the first to it.
- Text: all content without tags, comments and declarations, with entities decoded (unknown ones,
  such as ``&LR;``, are kept as they are). White space and line ends are those of the file. Header
  lines are text too: the layer `PARTS` says which parts the definition wants annotated (§2).
- Layers: `PARTS`; `MARKABLES`, the marked phrases with ids and links; ``chains``, where markables
  without links are chains of one; the source, for `write`.
- Markables: white space at their ends is left out. MIN becomes the head: `minimal.locate` chooses
  one of several places.
- Metadata: id from DOCNO or DOCID, else the file's name; title from HL, date from the annotated DD,
  source from SO.

`scan` shows everything that is in a file, broken or not. `read` refuses markup that leaves chains
in doubt. `write` returns an untouched document as it was. In a changed one it replaces COREF tags
where something has changed, and keeps all else.
"""

import re

from tatian.formats import Format
from tatian.formats.muc.markables import MARKABLES
from tatian.formats.muc.reader import NAME, read
from tatian.formats.muc.scanner import scan
from tatian.formats.muc.writer import write
from tatian.text.layers import PARTS

__all__ = ["FORMAT", "MARKABLES", "PARTS", "read", "scan", "write"]

_TAG = re.compile(r"<(DOC|COREF|DOCNO|TXT)\b[^>]*>", re.IGNORECASE)

FORMAT = Format(
    NAME,
    "SGML with COREF tags (MUC-6)",
    "coreference",
    (".sgm", ".sgml", ".muc"),
    lambda head: bool(_TAG.search(head)) and not head.lstrip().startswith("<?xml"),
    read,
    write,
)
