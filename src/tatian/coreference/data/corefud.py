"""CorefUD and GUM: CoNLL-U with ``Entity=`` in the last column.

The words, sentences and trees are read as every CoNLL-U file is (`tatian.analysis.conllu`); here
the mentions are added. A chain is called ``DOCUMENT#id``. Types are ``etype``; ``minspan``, or
where there is none ``head``, gives the minimal string; ``identity`` becomes the ``links`` layer;
all other fields are attributes of the mention. A mention begins and ends with a word: empty nodes
at its ends do not count, one of empty nodes alone stays in the source only. ``# meta::`` comments
are the metadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tatian.analysis.conllu import parse
from tatian.coreference.data.entities import GLOBAL, Fields
from tatian.coreference.data.nodes import Marked, Marks, Node, fields_named, nodes
from tatian.coreference.data.original import ORIGINAL, Original
from tatian.errors import InputError
from tatian.text import CHAINS, LINKS, Authorship, Chain, Document, Link, Mention, Metadata, Span
from tatian.text.formats import file_name

NAME = "corefud"
MADE = Authorship(by=NAME)
_META = "# meta::"
KNOWN_META = {"title": "title", "dateCreated": "date", "source": "source", "topic": "topic"}
"""Comments that are more than extra metadata."""


class Found(NamedTuple):
    """A mention, the id of its chain in the file, and the nodes it was read from."""

    label: str
    mention: Mention | None
    """None where it covers no word."""
    marked: Marked


class Annotation(NamedTuple):
    """All that a document's ``Entity=`` values say."""

    nodes: list[Node]
    fields: Fields
    found: list[Found]


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The documents of a CoNLL-U file's whole text."""
    lines = text.split("\n")
    starts = [0, *_starts(lines)]
    names: tuple[str, ...] | None = None
    for number, document in enumerate(parse(text, file_name(path), path)):
        first, last = starts[number], (*starts, len(lines))[number + 1]
        own = lines[first:last]
        declared = fields_named(own)
        names = declared or names
        found = annotation(document, own, names, first, path)
        extra = {} if declared or names is None else {GLOBAL: "-".join(names)}
        source = "\n".join(own) + ("\n" if last < len(lines) else "")
        metadata = _metadata(own, extra)
        document = _annotated(replace(document, metadata=metadata), found.found)
        document = document.with_layer(LINKS, _links(found), MADE)
        yield document.with_layer(ORIGINAL, [Original(NAME, source)], MADE)


def _starts(lines: Sequence[str]) -> Iterator[int]:
    """Where each document but the first begins: at the comments after its predecessor."""
    after_rows, rows, begun = 0, False, False
    for place, line in enumerate(lines):
        if not line.strip():
            if rows:
                after_rows, rows = place + 1, False
        elif not line.startswith("#"):
            rows = begun = True
        elif begun and line[1:].partition("=")[0].strip() in ("newdoc", "newdoc id"):
            yield after_rows
            begun = False


def annotation(
    document: Document,
    lines: Sequence[str],
    names: Sequence[str] | None,
    before: int = 0,
    path: str | None = None,
) -> Annotation:
    """The mentions that the rows of a document mark."""
    rows = nodes(lines, before, path)
    marked = Marks(rows, before, path).read()
    if marked and names is None:
        line = next(node.line for node in rows if node.entity)
        message = f"Entity= without '# {GLOBAL} = eid-etype-...' before it"
        raise InputError(message, path=path, line=before + line + 1)
    fields = Fields(names or (), document)
    places = [(one, _spans(document, rows, one)) for one in marked]
    for one, spans in places:
        title = fields.title(one.opening.fields)
        if title and spans:
            fields.link(spans[0].start, spans[-1].end, title)
    found = [
        Found(
            one.opening.id,
            fields.mention(spans, one.opening.fields) if spans else None,
            one,
        )
        for one, spans in places
    ]
    return Annotation(rows, fields, found)


def _spans(document: Document, rows: Sequence[Node], marked: Marked) -> list[Span]:
    """Where the words of each piece stand; pieces of empty nodes alone are left out."""
    spans = []
    for piece in marked.pieces:
        first = rows[piece.first].token
        last = rows[piece.last].token - rows[piece.last].empty
        if first <= last:
            spans.append(Span(document.tokens[first].start, document.tokens[last].end))
    return sorted(spans)


def _annotated(document: Document, found: Sequence[Found]) -> Document:
    groups: dict[str, list[Mention]] = {}
    for one in found:
        if one.mention is not None:
            groups.setdefault(one.label, []).append(one.mention)
    chains = []
    for label, mentions in groups.items():
        ordered = tuple(sorted(mentions, key=lambda one: (one.start, one.end)))
        types = {mention.type for mention in mentions}
        chains.append(
            Chain(f"{document.id}#{label}", ordered, types.pop() if len(types) == 1 else "")
        )
    chains.sort(key=lambda chain: (chain.mentions[0].start, chain.mentions[0].end))
    return document.with_layer(CHAINS, chains, MADE)


def _links(found: Annotation) -> list[Link]:
    links = {
        (one.mention.start, one.mention.end, title)
        for one in found.found
        if one.mention is not None and (title := found.fields.title(one.marked.opening.fields))
    }
    return [Link(start, end, (title,)) for start, end, title in sorted(links)]


def _metadata(lines: Sequence[str], extra: dict[str, str]) -> Metadata:
    known: dict[str, str] = {}
    more = dict(extra)
    for line in lines:
        if not line.startswith(("#", "\ufeff#")):
            break
        if line.startswith(_META):
            name, _, value = line.removeprefix(_META).partition("=")
            field = KNOWN_META.get(name.strip())
            if field:
                known[field] = value.strip()
            else:
                more[name.strip()] = value.strip()
    return Metadata(**known, extra=more)
