"""CorefUD and GUM: CoNLL-U with ``Entity=`` in the last column.

Words, sentences and trees are read as in every CoNLL-U file (`tatian.formats.conllu`); here the
mentions are added. A chain's id is ``DOCUMENT#id``. The field ``etype`` is the type, ``minspan`` or
else ``head`` the minimal string, ``identity`` becomes the ``links`` layer; all other fields are
attributes of the mention. A mention begins and ends with a word: empty nodes at its ends are left
out. A mention that consists only of empty nodes is not read, but stays in the source text.
``# meta::`` comments are the metadata.
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
    brackets_by_node,
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
from tatian.grouping import grouped
from tatian.text import CHAINS, LINKS, Authorship, Chain, Document, Link, Mention, Metadata, Span

WORD_ROW = re.compile(r"^1(-\d+)?(\t[^\t\n]*){9}$", re.MULTILINE)
NAME = "corefud"
AUTHOR = Authorship(by=NAME)
_META = "# meta::"
KNOWN_META = {"title": "title", "dateCreated": "date", "source": "source", "topic": "topic"}
"""Names of metadata comments, and the fields that they fill; all others go to `extra`."""


class EntityMention(NamedTuple):
    """A mention, the id of its chain in the file, and its nodes."""

    label: str
    mention: Mention | None
    """None if it covers no word."""
    marked: MarkedMention


class EntityAnnotation(NamedTuple):
    """Contents of a document's ``Entity=`` values."""

    nodes: list[Node]
    fields: Fields
    found: list[EntityMention]


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Read the documents of a CoNLL-U file."""
    for document, annotation, source in read_annotations(text, path):
        with_chains = _with_chains(document, annotation.found)
        with_links = with_chains.with_layer(LINKS, _links(annotation), AUTHOR)
        yield with_links.with_layer(ORIGINAL, [Original(NAME, source)], AUTHOR)


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
        entities = annotation(document, own_lines, names, first, path)
        extra = {} if declared or names is None else {GLOBAL: "-".join(names)}
        source = "\n".join(own_lines) + ("\n" if last < len(lines) else "")
        yield replace(document, metadata=_metadata(own_lines, extra)), entities, source


def _starts(lines: Sequence[str]) -> Iterator[int]:
    """Yield the index of the line at which each document but the first begins."""
    block_start, in_rows, has_content = 0, False, False
    for line_index, line in enumerate(lines):
        if not line.strip():
            if in_rows:
                block_start, in_rows = line_index + 1, False
        elif not line.startswith("#"):
            in_rows = has_content = True
        elif has_content and line[1:].partition("=")[0].strip() in ("newdoc", "newdoc id"):
            yield block_start
            has_content = False


def annotation(
    document: Document,
    lines: Sequence[str],
    names: Sequence[str] | None,
    lines_before: int = 0,
    path: str | None = None,
) -> EntityAnnotation:
    """Return the mentions that the rows of a document mark."""
    rows = nodes(lines, lines_before, path)
    marked = BracketPairs(rows, lines_before, path).read()
    if marked and names is None:
        line = next(node.line for node in rows if node.entity)
        message = f"Entity= without '# {GLOBAL} = eid-etype-...' before it"
        raise InputError(message, path=path, line=lines_before + line + 1)
    fields = Fields(names or (), document)
    pieces_and_spans = [(pieces, _spans(document, rows, pieces)) for pieces in marked]
    for pieces, spans in pieces_and_spans:
        title = fields.title(pieces[0].opening.fields)
        if title and spans:
            fields.link(spans[0].start, spans[-1].end, title)
    entity_mentions = [
        EntityMention(
            pieces[0].opening.id,
            fields.mention(spans, pieces[0].opening.fields) if spans else None,
            pieces,
        )
        for pieces, spans in pieces_and_spans
    ]
    return EntityAnnotation(rows, fields, entity_mentions)


def _spans(document: Document, rows: Sequence[Node], marked: MarkedMention) -> list[Span]:
    """Return the span of each piece; pieces of empty nodes only are left out."""
    spans = []
    for piece in marked:
        first = rows[piece.first].token
        last = rows[piece.last].token - rows[piece.last].empty
        if first <= last:
            spans.append(Span(document.tokens[first].start, document.tokens[last].end))
    return sorted(spans)


def _with_chains(document: Document, entity_mentions: Sequence[EntityMention]) -> Document:
    groups = grouped(
        (entity_mention.label, entity_mention.mention)
        for entity_mention in entity_mentions
        if entity_mention.mention is not None
    )
    chains = []
    for label, mentions in groups.items():
        ordered = tuple(sorted(mentions, key=lambda mention: (mention.start, mention.end)))
        types = {mention.type for mention in mentions}
        chains.append(
            Chain(f"{document.id}#{label}", ordered, types.pop() if len(types) == 1 else "")
        )
    chains.sort(key=lambda chain: (chain.mentions[0].start, chain.mentions[0].end))
    return document.with_layer(CHAINS, chains, AUTHOR)


def _links(annotation: EntityAnnotation) -> list[Link]:
    links = {
        (entity_mention.mention.start, entity_mention.mention.end, title)
        for entity_mention in annotation.found
        if entity_mention.mention is not None
        and (title := annotation.fields.title(entity_mention.marked[0].opening.fields))
    }
    return [Link(start, end, (title,)) for start, end, title in sorted(links)]


def _metadata(lines: Sequence[str], extra: dict[str, str]) -> Metadata:
    metadata_fields: dict[str, str] = {}
    other_metadata = dict(extra)
    for line in lines:
        if not line.startswith(("#", "\ufeff#")):
            break
        if line.startswith(_META):
            name, _, value = line.removeprefix(_META).partition("=")
            field = KNOWN_META.get(name.strip())
            if field:
                metadata_fields[field] = value.strip()
            else:
                other_metadata[name.strip()] = value.strip()
    return Metadata(**metadata_fields, extra=other_metadata)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield each document in CoNLL-U, with ids that no two documents of the file share."""
    used: set[str] = set()
    declared: tuple[str, ...] | None = None
    for source in documents:
        document = with_tokens(source)
        writer = _DocumentWriter(document)
        text, declared = writer.write(used, declared)
        yield text


class _DocumentWriter:
    """Writes one document: its own rows if they fit, or new ones."""

    def __init__(self, document: Document) -> None:
        self.document = document
        source = original(document, NAME)
        lines = source.split("\n") if source is not None else []
        rows = nodes(lines)
        forms = [row.form for row in rows if not row.empty]
        self.has_own_rows = forms == [token.text for token in document.tokens]
        if not self.has_own_rows:
            source = to_conllu(document, apart=True)
            lines = source.split("\n")
        self.source = source or ""
        self.lines = lines
        self.names = declared_fields(lines) or self._inherited()

    def _inherited(self) -> tuple[str, ...] | None:
        declared = self.document.metadata.extra.get(GLOBAL)
        return tuple(declared.split("-")) if declared and self.has_own_rows else None

    def write(
        self, used: set[str], declared: tuple[str, ...] | None
    ) -> tuple[str, tuple[str, ...] | None]:
        """Return the text, and the fields that the file has declared so far."""
        names = self.names or FIELDS
        existing = annotation(self.document, self.lines, names)
        to_write = self._mentions_to_write(existing.found, existing.nodes, existing.fields, used)
        used.update(pieces[0].opening.id for pieces in to_write)
        old, new = (
            brackets_by_node(entity_mention.marked for entity_mention in existing.found),
            brackets_by_node(to_write),
        )
        changed = False
        for node_index in {*old, *new}:
            brackets = new.get(node_index, [])
            if sorted(old.get(node_index, [])) != sorted(brackets):
                line = existing.nodes[node_index].line
                self.lines[line] = with_entity(self.lines[line], "".join(map(str, brackets)))
                changed = True
        if (
            declared_fields(self.lines) is None
            and (new or not self.has_own_rows)
            and declared != names
        ):
            self._insert([f"# {GLOBAL} = {'-'.join(names)}"])
            changed = True
        if not self.has_own_rows:
            self._add_metadata()
            changed = True
        text = "\n".join(self.lines) if changed else self.source
        return text, names if declared_fields(self.lines) else declared

    def _mentions_to_write(
        self,
        existing_mentions: Sequence[EntityMention],
        rows: Sequence[Node],
        fields: Fields,
        used: set[str],
    ) -> list[MarkedMention]:
        """Return the mentions to write; those in the source are unchanged."""
        existing_labels = {entity_mention.label for entity_mention in existing_mentions}
        existing_pieces = grouped(
            ((entity_mention.label, entity_mention.mention), entity_mention.marked)
            for entity_mention in existing_mentions
        )
        to_write = [
            entity_mention.marked
            for entity_mention in existing_mentions
            if entity_mention.mention is None
        ]
        words = [place for place, node in enumerate(rows) if not node.empty]
        has_numbers = (self.names or FIELDS)[0] != "eid"
        free = (f"{'' if has_numbers else 'e'}{number}" for number in count(1))
        taken = existing_labels if has_numbers else existing_labels | used
        labels = chain_labels(self.document, existing_labels.__contains__, taken, free)
        for placed in Places(self.document).mentions():
            label = labels[placed.chain.id]
            same_mentions = existing_pieces.get((label, placed.mention))
            to_write.append(
                same_mentions.pop() if same_mentions else self._new(placed, label, words, fields)
            )
        return to_write

    def _new(
        self, placed: Placed, label: str, words: Sequence[int], fields: Fields
    ) -> MarkedMention:
        values = fields.values(placed.mention, placed.chain.type)
        part_count = len(placed.ranges)
        return tuple(
            MentionPiece(
                Bracket(label, part, part_count, opens=True, closes=False, fields=values),
                words[token_range.start],
                words[token_range.stop - 1],
            )
            for part, token_range in enumerate(placed.ranges, 1)
        )

    def _add_metadata(self) -> None:
        """Add comments for metadata that the source does not have."""
        metadata = self.document.metadata
        described = {name: getattr(metadata, field) for name, field in KNOWN_META.items()}
        described |= {name: value for name, value in metadata.extra.items() if name != GLOBAL}
        present_comments = {
            line.partition("=")[0].strip() for line in self.lines if line.startswith("# meta")
        }
        self._insert(
            f"# meta::{_line(name)} = {_line(value)}"
            for name, value in described.items()
            if value and f"# meta::{_line(name)}" not in present_comments
        )

    def _insert(self, comments: Iterable[str]) -> None:
        index = next((at for at, line in enumerate(self.lines) if "newdoc" in line), -1) + 1
        while self.lines[index : index + 1] and self.lines[index].startswith(f"# {GLOBAL}"):
            index += 1
        self.lines[index:index] = comments


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
