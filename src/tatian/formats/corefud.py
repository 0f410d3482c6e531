"""CorefUD and GUM: CoNLL-U with ``Entity=`` in the last column.

Words, sentences and trees are read as in every CoNLL-U file (`tatian.formats.conllu`); here the
mentions are added. A chain's id is ``DOCUMENT#id``. Types are ``etype``; ``minspan``, or else
``head``, gives the minimal string; ``identity`` becomes the ``links`` layer; all other fields are
attributes of the mention. A mention begins and ends with a word: empty nodes at its ends do not
count, and one of empty nodes alone stays in the source only. ``# meta::`` comments are the
metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from tatian.errors import InputError
from tatian.formats import ORIGINAL, Format, Original, file_name, original
from tatian.formats.conllu import parse
from tatian.formats.conllu_writer import to_conllu
from tatian.formats.entities import (
    FIELDS,
    GLOBAL,
    Bracket,
    BracketPairs,
    Fields,
    MarkedMention,
    MentionPiece,
    Node,
    cells,
    declared_fields,
    nodes,
    with_entity,
)
from tatian.formats.tokens import (
    Placed,
    Places,
    chain_labels,
    with_tokens,
)
from tatian.text import CHAINS, LINKS, Authorship, Chain, Document, Link, Mention, Metadata, Span

WORD_ROW = re.compile(r"^1(-\d+)?(\t[^\t\n]*){9}$", re.MULTILINE)
NAME = "corefud"
MADE = Authorship(by=NAME)
_META = "# meta::"
KNOWN_META = {"title": "title", "dateCreated": "date", "source": "source", "topic": "topic"}
"""Comments that are more than extra metadata."""


class FoundMention(NamedTuple):
    """A mention, the id of its chain in the file, and its nodes."""

    label: str
    mention: Mention | None
    """None if it covers no word."""
    marked: MarkedMention


class EntityAnnotation(NamedTuple):
    """Contents of a document's ``Entity=`` values."""

    nodes: list[Node]
    fields: Fields
    found: list[FoundMention]


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The documents of a CoNLL-U file's whole text."""
    for bare, annotated, source in read_annotations(text, path):
        document = _annotated(bare, annotated.found).with_layer(LINKS, _links(annotated), MADE)
        yield document.with_layer(ORIGINAL, [Original(NAME, source)], MADE)


def read_annotations(
    text: str, path: str | None = None
) -> Iterator[tuple[Document, EntityAnnotation, str]]:
    """Yield each document with words and metadata, its ``Entity=`` values, and its own lines."""
    lines = text.split("\n")
    starts = [0, *_starts(lines)]
    names: tuple[str, ...] | None = None
    for number, document in enumerate(parse(text, file_name(path), path)):
        first, last = starts[number], (*starts, len(lines))[number + 1]
        own_lines = lines[first:last]
        declared = declared_fields(own_lines)
        names = declared or names
        annotated = annotation(document, own_lines, names, first, path)
        extra = {} if declared or names is None else {GLOBAL: "-".join(names)}
        source = "\n".join(own_lines) + ("\n" if last < len(lines) else "")
        yield replace(document, metadata=_metadata(own_lines, extra)), annotated, source


def _starts(lines: Sequence[str]) -> Iterator[int]:
    """Yield the start of each document but the first: at the comments after its predecessor."""
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
) -> EntityAnnotation:
    """Return the mentions that the rows of a document mark."""
    rows = nodes(lines, before, path)
    marked = BracketPairs(rows, before, path).read()
    if marked and names is None:
        line = next(node.line for node in rows if node.entity)
        message = f"Entity= without '# {GLOBAL} = eid-etype-...' before it"
        raise InputError(message, path=path, line=before + line + 1)
    fields = Fields(names or (), document)
    places = [(pieces, _spans(document, rows, pieces)) for pieces in marked]
    for pieces, spans in places:
        title = fields.title(pieces[0].opening.fields)
        if title and spans:
            fields.link(spans[0].start, spans[-1].end, title)
    mentions_found = [
        FoundMention(
            pieces[0].opening.id,
            fields.mention(spans, pieces[0].opening.fields) if spans else None,
            pieces,
        )
        for pieces, spans in places
    ]
    return EntityAnnotation(rows, fields, mentions_found)


def _spans(document: Document, rows: Sequence[Node], marked: MarkedMention) -> list[Span]:
    """Return the words of each piece; pieces of empty nodes alone are left out."""
    spans = []
    for piece in marked:
        first = rows[piece.first].token
        last = rows[piece.last].token - rows[piece.last].empty
        if first <= last:
            spans.append(Span(document.tokens[first].start, document.tokens[last].end))
    return sorted(spans)


def _annotated(document: Document, mentions_found: Sequence[FoundMention]) -> Document:
    groups: dict[str, list[Mention]] = {}
    for found_mention in mentions_found:
        if found_mention.mention is not None:
            groups.setdefault(found_mention.label, []).append(found_mention.mention)
    chains = []
    for label, mentions in groups.items():
        ordered = tuple(sorted(mentions, key=lambda mention: (mention.start, mention.end)))
        types = {mention.type for mention in mentions}
        chains.append(
            Chain(f"{document.id}#{label}", ordered, types.pop() if len(types) == 1 else "")
        )
    chains.sort(key=lambda chain: (chain.mentions[0].start, chain.mentions[0].end))
    return document.with_layer(CHAINS, chains, MADE)


def _links(annotated: EntityAnnotation) -> list[Link]:
    links = {
        (found_mention.mention.start, found_mention.mention.end, title)
        for found_mention in annotated.found
        if found_mention.mention is not None
        and (title := annotated.fields.title(found_mention.marked[0].opening.fields))
    }
    return [Link(start, end, (title,)) for start, end, title in sorted(links)]


def _metadata(lines: Sequence[str], extra: dict[str, str]) -> Metadata:
    metadata_fields: dict[str, str] = {}
    more = dict(extra)
    for line in lines:
        if not line.startswith(("#", "\ufeff#")):
            break
        if line.startswith(_META):
            name, _, value = line.removeprefix(_META).partition("=")
            field = KNOWN_META.get(name.strip())
            if field:
                metadata_fields[field] = value.strip()
            else:
                more[name.strip()] = value.strip()
    return Metadata(**metadata_fields, extra=more)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield each document in CoNLL-U, with ids that no two documents of the file share."""
    used: set[str] = set()
    declared: tuple[str, ...] | None = None
    for source in documents:
        document = with_tokens(source)
        sheet = _Sheet(document)
        text, declared = sheet.written(used, declared)
        yield text


class _Sheet:
    """A document to be written."""

    def __init__(self, document: Document) -> None:
        self.document = document
        source = original(document, NAME)
        lines = source.split("\n") if source is not None else []
        rows = nodes(lines)
        forms = [row.form for row in rows if not row.empty]
        self.own = forms == [token.text for token in document.tokens]
        if not self.own:
            source = to_conllu(document, apart=True)
            lines = source.split("\n")
        self.source = source or ""
        self.lines = lines
        self.names = declared_fields(lines) or self._inherited()

    def _inherited(self) -> tuple[str, ...] | None:
        declared = self.document.metadata.extra.get(GLOBAL)
        return tuple(declared.split("-")) if declared and self.own else None

    def written(
        self, used: set[str], declared: tuple[str, ...] | None
    ) -> tuple[str, tuple[str, ...] | None]:
        """Return the text, and the fields that the file has declared by now."""
        names = self.names or FIELDS
        before = annotation(self.document, self.lines, names)
        after = self._marked(before.found, before.nodes, before.fields, used)
        used.update(pieces[0].opening.id for pieces in after)
        old, new = cells(found_mention.marked for found_mention in before.found), cells(after)
        changed = False
        for place in {*old, *new}:
            brackets = new.get(place, [])
            if sorted(old.get(place, [])) != sorted(brackets):
                line = before.nodes[place].line
                self.lines[line] = with_entity(self.lines[line], "".join(map(str, brackets)))
                changed = True
        if declared_fields(self.lines) is None and (new or not self.own) and declared != names:
            self._insert([f"# {GLOBAL} = {'-'.join(names)}"])
            changed = True
        if not self.own:
            self._describe()
            changed = True
        text = "\n".join(self.lines) if changed else self.source
        return text, names if declared_fields(self.lines) else declared

    def _marked(
        self, before: Sequence[FoundMention], rows: Sequence[Node], fields: Fields, used: set[str]
    ) -> list[MarkedMention]:
        """Return the mentions to be written: existing ones stay as they were."""
        open_labels = {found_mention.label for found_mention in before}
        standing: dict[tuple[str, object], list[MarkedMention]] = {}
        for found_mention in before:
            standing.setdefault((found_mention.label, found_mention.mention), []).append(
                found_mention.marked
            )
        after = [found_mention.marked for found_mention in before if found_mention.mention is None]
        words = [place for place, node in enumerate(rows) if not node.empty]
        numbered = (self.names or FIELDS)[0] != "eid"
        free = (f"{'' if numbered else 'e'}{number}" for number in count(1))
        taken = open_labels if numbered else open_labels | used
        labels = chain_labels(self.document, open_labels.__contains__, taken, free)
        for placed in Places(self.document).mentions():
            label = labels[placed.chain.id]
            there = standing.get((label, placed.mention))
            after.append(there.pop() if there else self._new(placed, label, words, fields))
        return after

    def _new(
        self, placed: Placed, label: str, words: Sequence[int], fields: Fields
    ) -> MarkedMention:
        values = fields.values(placed.mention, placed.chain.type)
        of = len(placed.ranges)
        return tuple(
            MentionPiece(
                Bracket(label, part, of, opens=True, closes=False, fields=values),
                words[places.start],
                words[places.stop - 1],
            )
            for part, places in enumerate(placed.ranges, 1)
        )

    def _describe(self) -> None:
        """Add the metadata as comments, unless they exist."""
        metadata = self.document.metadata
        described = {name: getattr(metadata, field) for name, field in KNOWN_META.items()}
        described |= {name: value for name, value in metadata.extra.items() if name != GLOBAL}
        there = {line.partition("=")[0].strip() for line in self.lines if line.startswith("# meta")}
        self._insert(
            f"# meta::{_line(name)} = {_line(value)}"
            for name, value in described.items()
            if value and f"# meta::{_line(name)}" not in there
        )

    def _insert(self, comments: Iterable[str]) -> None:
        place = next((at for at, line in enumerate(self.lines) if "newdoc" in line), -1) + 1
        while self.lines[place : place + 1] and self.lines[place].startswith(f"# {GLOBAL}"):
            place += 1
        self.lines[place:place] = comments


def _line(value: str) -> str:
    return " ".join(value.split())


FORMAT = Format(
    NAME,
    "CoNLL-U with Entity= in the last column (CorefUD, GUM)",
    "coreference",
    (".conllu",),
    lambda head: bool(WORD_ROW.search(head)),
    read,
    write,
)
