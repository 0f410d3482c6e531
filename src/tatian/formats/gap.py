"""GAP (Webster et al. 2018): one ambiguous pronoun, two names, and the name it refers to.

A line is a document with three mentions, whose attribute ``gap`` is ``pronoun``, ``A`` or ``B``.
The names that the line calls coreferential are in the pronoun's chain; all others are chains of
one. In test data without an answer, the name also has ``label`` ``?``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tatian.errors import EmptyInput, InputError
from tatian.formats import ORIGINAL, Format, Original
from tatian.text import CHAINS, Authorship, Chain, Document, Mention, Metadata

_BEGINS = re.compile(r"\AID\tText\tPronoun\t", re.IGNORECASE)
NAME = "gap"
COLUMNS = tuple("ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref URL".split())
PRONOUNS = frozenset("she her hers herself he him his himself".split())
"""Pronouns of GAP."""
_AUTHOR = Authorship(by=NAME)
_ROLE = "gap"
_NAMES = ("A", "B")
_UNSURE = ("label", "?")
_ANSWERS = {"TRUE": True, "FALSE": False, "": None}


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield a document for each line below the header; errors name the line."""
    header, *lines = text.split("\n")
    names = [name.strip().lower() for name in header.removeprefix("\ufeff").split("\t")]
    missing = [name for name in COLUMNS[:-1] if name.lower() not in names]
    if {name.lower() for name in missing} - {"a-coref", "b-coref"}:
        raise InputError(f"no column '{missing[0]}' in the header", path=path, line=1)
    if not any(line.strip() for line in lines):
        raise EmptyInput("no line below the header", path=path)
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        values = line.rstrip("\r").split("\t")
        if len(values) != len(names):
            message = f"{len(values)} columns where the header has {len(names)}"
            raise InputError(message, path=path, line=number)
        source = f"{header}\n{line}" + ("\n" if number <= len(lines) else "")
        try:
            document = _document(dict(zip(names, values, strict=True)))
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from None
        yield document.with_layer(ORIGINAL, [Original(NAME, source)], _AUTHOR)


def _document(row: Mapping[str, str]) -> Document:
    text = row["text"]
    chains = [[_mention(text, row, "Pronoun")]]
    for name in _NAMES:
        answer = row.get(f"{name.lower()}-coref", "").strip().upper()
        if answer not in _ANSWERS:
            raise ValueError(f"{name}-coref is '{answer}': it must be TRUE, FALSE or empty")
        mention = _mention(text, row, name, sure=bool(answer))
        if _ANSWERS[answer]:
            chains[0].append(mention)
        else:
            chains.append([mention])
    ordered = sorted((sorted(chain, key=_place) for chain in chains), key=lambda c: _place(c[0]))
    layer = [Chain(f"{row['id']}#{number}", tuple(chain)) for number, chain in enumerate(ordered)]
    url = row.get("url", "")
    document = Document(row["id"], text, Metadata(extra={"url": url} if url else {}))
    return document.with_layer(CHAINS, layer, _AUTHOR)


def _place(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end


def _mention(text: str, row: Mapping[str, str], name: str, *, sure: bool = True) -> Mention:
    written, offset_text = row[name.lower()], row[f"{name.lower()}-offset"].strip()
    if not (offset_text.isascii() and offset_text.isdecimal()):
        raise ValueError(f"{name}-offset is '{offset_text}': it must be a number")
    start = int(offset_text)
    if not written or text[start : start + len(written)] != written:
        actual = text[start : start + len(written)]
        raise ValueError(f"{name} is '{written}', but the text has '{actual}' at {start}")
    role = (_ROLE, name if name in _NAMES else name.lower())
    attributes = (role,) if sure else (role, _UNSURE)
    return Mention(start, start + len(written), attributes=attributes)


FORMAT = Format(
    NAME,
    "GAP: one ambiguous pronoun and two names a line",
    "coreference",
    (".tsv",),
    lambda head: bool(_BEGINS.search(head)),
    read,
)
