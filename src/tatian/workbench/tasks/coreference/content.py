"""Documents to annotate for coreference: read from files, as stored, and with markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec
from msgspec import Struct

from tatian import limits
from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.formats import HEAD, ORIGINAL, Original, file_name, find, recognize
from tatian.formats.muc import MARKABLES, PARTS
from tatian.formats.muc.links import recommend_antecedents
from tatian.formats.muc.markables import Markable, Markup
from tatian.text import (
    CHAINS,
    SENTENCES,
    TOKENS,
    Authorship,
    Chain,
    Document,
    Sentence,
    Span,
    Token,
    tokenize,
)
from tatian.text.layers import DocumentPart
from tatian.workbench.tasks.items import (
    Json,
    NewItem,
    convert,
    converter,
    item_gold,
    make_item,
    read_rows,
    to_json,
)

_FROM_FILE = Authorship(by="file")
GOLD_CHAINS = "chains"
"""Value of ``gold`` in a mapping if the chains of a corpus file are the right answers."""
FIELDS = ("id", "text", "title", "tokens", "sentences", "parts", "gold")
"""Fields of a line of JSONL, or columns of a table."""
_PLAIN = (".txt", ".text", ".md")
"""Endings of plain text files."""


class CoreferenceItem(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    text: str
    title: str = ""
    tokens: tuple[int, ...] = ()
    """Start and end of each word, if the file has them; otherwise a tokenizer finds words."""
    sentences: tuple[int, ...] = ()
    """Start and end of each sentence, if the file has them."""
    parts: tuple[DocumentPart, ...] = ()
    """Parts that are annotated or not (MUC-6 §2); all is annotated if there are none."""
    original: Original | None = None
    """The document as its file had it, so that an export changes only the markup."""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("no text to annotate")
        if len(self.text) > limits.COREFERENCE_CHARACTERS:
            raise ValueError(
                f"a text of more than {limits.COREFERENCE_CHARACTERS:,} characters: divide it"
            )
        for what, places in (("tokens", self.tokens), ("sentences", self.sentences)):
            _check_offsets(what, places, len(self.text))
        if any(part.end > len(self.text) for part in self.parts):
            raise ValueError("'parts' reach beyond the text")

    def words(self) -> Sequence[Token]:
        """Return the words that can be marked, from the file or else by Tatian's tokenizer."""
        if self.tokens:
            return [Token(*place, self.text[slice(*place)]) for place in _pairs(self.tokens)]
        return tuple(tokenize(self.text))

    def document(self, id: str, markup: Markup | None = None) -> Document:
        """Return the document with the markup, for writers and scorers of coreference."""
        document = Document(id, self.text)
        if self.tokens:
            document = document.with_layer(TOKENS, self.words(), _FROM_FILE)
        if self.sentences:
            sentences = [Sentence(*place) for place in _pairs(self.sentences)]
            document = document.with_layer(SENTENCES, sentences, _FROM_FILE)
        if self.parts:
            document = document.with_layer(PARTS, self.parts, _FROM_FILE)
        if self.original is not None:
            document = document.with_layer(ORIGINAL, [self.original], _FROM_FILE)
        return document if markup is None else add_markup(document, markup)

    def excluded(self, span: Span) -> DocumentPart | None:
        """Return the unannotated part that `span` overlaps, if there is one."""
        unannotated = (part for part in self.parts if not part.annotated)
        return next((part for part in unannotated if part.overlaps(span)), None)


class CoreferenceGold(Markup, frozen=True, omit_defaults=True):
    """The right markup."""

    note: str = ""
    """Reason."""


def add_markup(document: Document, markup: Markup) -> Document:
    """Return a document with the markup and its chains; phrases without a link are left out."""
    chains: tuple[Chain, ...] = markup.chains()
    linked = {(mention.start, mention.end) for chain in chains for mention in chain.mentions}
    linked_marks = [
        markable for markable in markup.markables if (markable.start, markable.end) in linked
    ]
    by = Authorship(by="markup", kind="person")
    return document.with_layer(MARKABLES, linked_marks, by).with_layer(CHAINS, chains, by)


def item_from_document(document: Document) -> tuple[CoreferenceItem, Markup | None]:
    """Return the content to store for a document that was read, and its markup."""
    tokens = document.tokens if document.has(TOKENS) else ()
    sentences = document.sentences if document.has(SENTENCES) else ()
    originals = document.get(ORIGINAL) if document.has(ORIGINAL) else ()
    content = CoreferenceItem(
        document.text,
        document.metadata.title or "",
        _flatten(tokens),
        _flatten(sentences) if tokens else (),
        tuple(document.get(PARTS)) if document.has(PARTS) else (),
        originals[0] if originals else None,
    )
    return content, markup_of(document)


def markup_of(document: Document) -> Markup | None:
    """Return the chains of a document as markup; None if it has no such layer.

    A phrase that is marked twice keeps its first chain. A discontinuous phrase is marked with the
    words between its parts.
    """
    if not document.has(CHAINS):
        return None
    seen: set[tuple[int, int]] = set()
    markables: list[Markable] = []
    for chain in document.get(CHAINS):
        first = ""
        for mention in sorted(chain.mentions):
            if not len(mention) or (mention.start, mention.end) in seen:
                continue
            seen.add((mention.start, mention.end))
            id = str(len(markables) + 1)
            optional = mention.optional and bool(first)
            markables.append(
                Markable(
                    mention.start, mention.end, id, first or None, mention.head, optional=optional
                )
            )
            first = first or id
    return relink(Markup(tuple(markables)))


def relink(markup: Markup) -> Markup:
    """Return the same chains with links as §7 recommends, in the order of the text.

    Each phrase refers to the nearest certain (not optional) one before it. Optional phrases before
    all certain ones refer to the first of those. A chain needs at least one certain phrase.
    """
    by_place = {(mark.start, mark.end): mark for mark in markup.markables}
    relinked_marks = {
        mark.id: Markable(mark.start, mark.end, mark.id, head=_own_head(mark))
        for mark in markup.markables
    }
    for chain in markup.chains():
        members = [by_place[mark.start, mark.end] for mark in chain.mentions]
        members.sort(key=lambda mark: (mark.start, -mark.end))
        for mark, antecedent in recommend_antecedents(members):
            relinked_marks[mark.id] = Markable(
                mark.start, mark.end, mark.id, None if antecedent is None else antecedent.id,
                _own_head(mark), optional=mark.optional and antecedent is not None,
            )  # fmt: skip
    return Markup(tuple(sorted(relinked_marks.values(), key=lambda mark: (mark.start, -mark.end))))


def check_markup(content: CoreferenceItem, answer: object, what: str) -> Markup:
    """Return markup that fits the document; InputError that begins with `what` if it does not."""
    markup = convert(answer, Markup, what)
    check_markup_positions(content, markup)
    return relink(markup)


def check_gold(content: CoreferenceItem, answer: Json) -> Json:
    """Return gold that fits its document."""
    right_answer = convert(answer, CoreferenceGold, "gold")
    check_markup_positions(content, right_answer)
    return to_json(CoreferenceGold(relink(right_answer).markables, right_answer.note))


def check_markup_positions(content: CoreferenceItem, markup: Markup) -> None:
    """Refuse markup outside the text, or in parts that are not annotated."""
    markup.check(content.text)
    if len(markup.markables) > limits.COREFERENCE_PHRASES:
        raise InputError(f"more than {limits.COREFERENCE_PHRASES:,} phrases are marked")
    for markable in markup.markables:
        if not markable.of(content.text).strip():
            raise InputError(f"markable '{markable.id}' holds nothing but white space (MUC-6 §3.6)")
        part = content.excluded(markable)
        if part is not None:
            raise InputError(
                f"markable '{markable.id}' lies in <{part.name}>, which is not annotated (MUC-6 §2)"
            )


to_item = converter(CoreferenceItem, "not a document to annotate")
"""Converts the content of an item."""


def _own_head(markable: Markable) -> Span | None:
    """Return MIN unless it is the whole phrase."""
    head = markable.head
    if head is None or (head.start, head.end) == (markable.start, markable.end):
        return None
    return Span(head.start, head.end)


def _pairs(flat: Sequence[int]) -> Iterable[tuple[int, int]]:
    return zip(flat[::2], flat[1::2], strict=True)


def _flatten(spans: Iterable[Span]) -> tuple[int, ...]:
    return tuple(place for span in spans for place in (span.start, span.end))


def _check_offsets(what: str, flat: Sequence[int], length: int) -> None:
    if len(flat) % 2:
        raise ValueError(f"'{what}' must alternate starts and ends, but has an odd number of them")
    if flat and (flat[0] < 0 or flat[-1] > length):
        raise ValueError(f"'{what}' reach beyond the text")
    for index, (first, second) in enumerate(pairwise(flat)):
        if second < first or (second == first and index % 2 == 0):
            raise ValueError(f"'{what}' are not in the order of the text")


# Documents from files: plain text, tables, and every corpus format.


def read_documents(name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[NewItem]:
    """Read the documents of a file; see `CoreferenceTask.read`."""
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    if name.lower().endswith(_PLAIN):
        yield _plain_text(name, text, mapping)
    elif _is_table(name, text) or _is_item_line(text):
        yield from read_rows(name, data, mapping, _item)
    else:
        yield from _corpus(name, text, mapping)


def _plain_text(name: str, text: str, mapping: Mapping[str, str]) -> NewItem:
    _refuse_mapping(mapping, name, gold=False)
    try:
        return NewItem(
            file_name(name), to_json(convert({"text": text}, CoreferenceItem, "document"))
        )
    except InputError as error:
        raise InputError(str(error), path=name) from error


def _is_table(name: str, text: str) -> bool:
    """Return True if a file is a table of texts; some files with tabs are corpora."""
    is_corpus = any(find(corpus).recognizes(text[:HEAD]) for corpus in ("gap", "webanno"))
    return name.lower().endswith((".csv",) if is_corpus else (".csv", ".tsv"))


def _is_item_line(text: str) -> bool:
    """Return True if the first line is an item of this task, and not a document of a corpus."""
    first_line = text.lstrip().partition("\n")[0]
    if not first_line.startswith("{"):
        return False
    try:
        row = msgspec.json.decode(first_line, type=Json)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(row.get("text"), str) and "layers" not in row


def _item(row: Json, number: int) -> NewItem:
    fields = {key: row[key] for key in FIELDS[1:-1] if row.get(key) not in (None, "")}
    content, right = convert(fields, CoreferenceItem, "document"), item_gold(row)
    return make_item(row, number, to_json(content), check_gold(content, right) if right else None)


def _corpus(name: str, text: str, mapping: Mapping[str, str]) -> Iterator[NewItem]:
    _refuse_mapping(mapping, name, gold=True)
    try:
        format = recognize(text, name, "coreference")
    except InputError:
        yield _plain_text(name, text, mapping)
        return
    for document in format.read(text, name):
        try:
            content, markup = item_from_document(document)
            gold_answer = None
            if "gold" in mapping and markup is not None:
                gold_answer = check_gold(content, to_json(markup))
            yield NewItem(document.id, to_json(content), gold_answer)
        except (InputError, ValueError) as error:
            raise InputError(f"document '{document.id}': {error}", path=name) from error


def _refuse_mapping(mapping: Mapping[str, str], name: str, *, gold: bool) -> None:
    for our_name, their_name in mapping.items():
        if not (gold and (our_name, their_name) == ("gold", GOLD_CHAINS)):
            raise InputError(
                f"'{our_name}' cannot be mapped to '{their_name}' here: a file of documents has no "
                "columns" + (f"; its chains are gold with gold={GOLD_CHAINS}" if gold else ""),
                path=name,
            )
