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
from itertools import count, takewhile
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
from tatian.formats.tokens import Placed, Places, chain_labels, with_tokens
from tatian.grouping import grouped
from tatian.text import CHAINS, LINKS, Authorship, Chain, Document, Link, Mention, Metadata, Span

WORD_ROW = re.compile(r"^1(-\d+)?(\t[^\t\n]*){9}$", re.MULTILINE)
NAME = "corefud"
AUTHOR = Authorship(by=NAME)
_META = "# meta::"
META_FIELDS = {"title": "title", "dateCreated": "date", "source": "source", "topic": "topic"}
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
    mentions: list[EntityMention]


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Read the documents of a CoNLL-U file."""
    for document, annotation, source in read_annotations(text, path):
        chains = _chains(document.id, annotation.mentions)
        document = document.with_layer(CHAINS, chains, AUTHOR)
        document = document.with_layer(LINKS, _links(annotation), AUTHOR)
        yield document.with_layer(ORIGINAL, [Original(NAME, source)], AUTHOR)


def read_annotations(
    text: str, path: str | None = None
) -> Iterator[tuple[Document, EntityAnnotation, str]]:
    """Yield each document with words and metadata, its ``Entity=`` values, and its own lines."""
    lines = text.split("\n")
    starts = [0, *_starts(lines)]
    names: tuple[str, ...] | None = None
    for number, document in enumerate(parse(text, file_name(path), path)):
        first, last = starts[number], (*starts, len(lines))[number + 1]
        section = lines[first:last]
        declared = declared_fields(section)
        names = declared or names
        annotation = read_entities(document, section, names, first, path)
        extra = {} if declared or names is None else {GLOBAL: "-".join(names)}
        source = "\n".join(section) + ("\n" if last < len(lines) else "")
        yield replace(document, metadata=_metadata(section, extra)), annotation, source


def _starts(lines: Sequence[str]) -> Iterator[int]:
    """Yield the index of the line at which each document but the first begins."""
    block_start, in_rows, has_content = 0, False, False
    for index, line in enumerate(lines):
        if not line.strip():
            if in_rows:
                block_start, in_rows = index + 1, False
        elif not line.startswith("#"):
            in_rows = has_content = True
        elif has_content and line[1:].partition("=")[0].strip() in ("newdoc", "newdoc id"):
            yield block_start
            has_content = False


def read_entities(
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
    placed = [(pieces, pieces[0].opening, _spans(document, rows, pieces)) for pieces in marked]
    for _, opening, spans in placed:
        title = fields.title(opening.fields)
        if title and spans:
            fields.link(spans[0].start, spans[-1].end, title)
    mentions = [
        EntityMention(opening.id, fields.mention(spans, opening.fields) if spans else None, pieces)
        for pieces, opening, spans in placed
    ]
    return EntityAnnotation(rows, fields, mentions)


def _spans(document: Document, rows: Sequence[Node], marked: MarkedMention) -> list[Span]:
    """Return the span of each piece; pieces of empty nodes only are left out."""
    spans = []
    for piece in marked:
        first = rows[piece.first].token
        last = rows[piece.last].token - rows[piece.last].empty
        if first <= last:
            spans.append(Span(document.tokens[first].start, document.tokens[last].end))
    return sorted(spans)


def _chains(id: str, mentions: Sequence[EntityMention]) -> list[Chain]:
    chains = []
    groups = grouped((item.label, item.mention) for item in mentions if item.mention is not None)
    for label, group in groups.items():
        ordered = tuple(sorted(group, key=_place))
        types = {mention.type for mention in group}
        chains.append(Chain(f"{id}#{label}", ordered, types.pop() if len(types) == 1 else ""))
    return sorted(chains, key=lambda chain: _place(chain.mentions[0]))


def _place(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end


def _links(annotation: EntityAnnotation) -> list[Link]:
    links = {
        (*_place(item.mention), title)
        for item in annotation.mentions
        if item.mention is not None
        and (title := annotation.fields.title(item.marked[0].opening.fields))
    }
    return [Link(start, end, (title,)) for start, end, title in sorted(links)]


def _metadata(lines: Sequence[str], extra: dict[str, str]) -> Metadata:
    fields: dict[str, str] = {}
    others = dict(extra)
    for line in takewhile(lambda line: line.startswith(("#", "\ufeff#")), lines):
        if line.startswith(_META):
            name, _, value = line.removeprefix(_META).partition("=")
            if field := META_FIELDS.get(name.strip()):
                fields[field] = value.strip()
            else:
                others[name.strip()] = value.strip()
    return Metadata(**fields, extra=others)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield each document in CoNLL-U, with ids that no two documents of the file share."""
    used: set[str] = set()
    declared: tuple[str, ...] | None = None
    for source in documents:
        text, declared = _DocumentWriter(with_tokens(source)).write(used, declared)
        yield text


class _DocumentWriter:
    """Writes one document: its own rows if they fit, or new ones."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.source = original(document, NAME) or ""
        forms = [row.form for row in nodes(self.source.split("\n")) if not row.empty]
        self.has_own_rows = forms == [token.text for token in document.tokens]
        if not self.has_own_rows:
            self.source = to_conllu(document, apart=True)
        self.lines = self.source.split("\n")
        self.names = declared_fields(self.lines)
        inherited = document.metadata.extra.get(GLOBAL)
        if self.names is None and inherited and self.has_own_rows:
            self.names = tuple(inherited.split("-"))

    def write(
        self, used: set[str], declared: tuple[str, ...] | None
    ) -> tuple[str, tuple[str, ...] | None]:
        """Return the text, and the fields that the file has declared so far."""
        names = self.names or FIELDS
        existing = read_entities(self.document, self.lines, names)
        to_write = self._mentions_to_write(existing, used)
        used.update(pieces[0].opening.id for pieces in to_write)
        old = brackets_by_node(item.marked for item in existing.mentions)
        new = brackets_by_node(to_write)
        for index in {*old, *new}:
            brackets = new.get(index, [])
            if sorted(old.get(index, [])) != sorted(brackets):
                line = existing.nodes[index].line
                self.lines[line] = with_entity(self.lines[line], "".join(map(str, brackets)))
        is_declared = declared == names or declared_fields(self.lines) is not None
        if not is_declared and (new or not self.has_own_rows):
            self._insert([f"# {GLOBAL} = {'-'.join(names)}"])
        if not self.has_own_rows:
            self._add_metadata()
        return "\n".join(self.lines), names if declared_fields(self.lines) else declared

    def _mentions_to_write(self, existing: EntityAnnotation, used: set[str]) -> list[MarkedMention]:
        """Return the mentions to write; those in the source are unchanged."""
        old_labels = {item.label for item in existing.mentions}
        old_marks = grouped(((item.label, item.mention), item.marked) for item in existing.mentions)
        to_write = [item.marked for item in existing.mentions if item.mention is None]
        words = [place for place, node in enumerate(existing.nodes) if not node.empty]
        has_numbers = (self.names or FIELDS)[0] != "eid"
        free = (f"{'' if has_numbers else 'e'}{number}" for number in count(1))
        taken = old_labels if has_numbers else old_labels | used
        labels = chain_labels(self.document, old_labels.__contains__, taken, free)
        for placed in Places(self.document).mentions():
            label = labels[placed.chain.id]
            marks = old_marks.get((label, placed.mention))
            new = marks.pop() if marks else self._new(placed, label, words, existing.fields)
            to_write.append(new)
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
        values = {name: getattr(metadata, field) for name, field in META_FIELDS.items()}
        values |= {name: value for name, value in metadata.extra.items() if name != GLOBAL}
        present = {line.partition("=")[0].strip() for line in self.lines if line.startswith(_META)}
        comments = {f"{_META}{_line(name)}": value for name, value in values.items() if value}
        self._insert(
            f"{start} = {_line(value)}" for start, value in comments.items() if start not in present
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
