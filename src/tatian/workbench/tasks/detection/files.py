"""Read texts to annotate from mentions JSONL, tables, and every other format of mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.formats import HEAD, Format, recognize
from tatian.formats.labels import LinkedTerm, terms_of
from tatian.formats.links import evaluated_parts, links_of, replace_links
from tatian.formats.mentions_csv import parse_terms
from tatian.formats.mentions_jsonl import LinkedLine
from tatian.formats.wiki import is_nil
from tatian.text import Document, Link
from tatian.workbench.tasks import Json, NewItem, items
from tatian.workbench.tasks.items import convert, missing_column, read_header, read_rows

MakeItem = Callable[[Document, Json | None], tuple[Json, Json | None] | None]
"""Returns content and gold of a text with its mentions, or None if the text is to be skipped. Its
second argument is the ``gold`` of the line."""
_READ_BY_FIELD = ("jsonl", "csv")
"""Formats whose fields can be mapped, and that may have more fields."""
_ANSWERS = ("detections", "confirmations")
"""Formats of annotators' answers."""


def read(
    name: str,
    data: bytes,
    mapping: Mapping[str, str],
    make: MakeItem,
    *,
    needs: tuple[str, ...] = ("text",),
    answers: bool = False,
) -> Iterator[NewItem]:
    """Read the items of a file; an item without an id gets its number.

    `needs` are fields that each line or row must have. Of annotators' answers only the texts are
    read; with `answers` also all their links.
    """
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    format = _corpus_format(text, name, mapping)
    if format is None:
        read_items = _read_lines(name, data, mapping, make, needs)
    else:
        for field, column in mapping.items():
            raise InputError(
                f"'{field}' cannot be mapped to '{column}': a file of {format.name} has no columns",
                path=name,
            )
        read_items = _read_corpus(name, text, format, make, answers=answers)
    counts = {"read": 0, "skipped": 0}
    for item in read_items:
        counts["skipped" if item is None else "read"] += 1
        if item is not None:
            yield item
    if counts["skipped"] and not counts["read"]:
        raise InputError(
            "the file contains no links to pages; if its mentions have Wikidata ids, "
            "'tatian mentions convert --kb' finds their pages",
            path=name,
        )


def _corpus_format(text: str, name: str, mapping: Mapping[str, str]) -> Format | None:
    """Return the format of a corpus; None for Tatian's own lines and tables."""
    is_json = text.lstrip().startswith("{")
    if (is_json and mapping) or mapping.get("text", "text") in read_header(text, name):
        return None
    try:
        format = recognize(text, name, "mention")
    except InputError:
        return None
    by_name = not format.recognizes(text[:HEAD])
    is_table = format.name in _READ_BY_FIELD or (by_name and name.lower().endswith(".tsv"))
    return None if is_table else format


def _read_lines(
    name: str, data: bytes, mapping: Mapping[str, str], make: MakeItem, needs: tuple[str, ...]
) -> Iterator[NewItem | None]:
    """Yield the item of each line or row; None if it is to be skipped."""

    def item(row: Json, count: int) -> NewItem | None:
        for field in needs:
            if field not in row:
                raise missing_column(row, field)
        pair = make(_text(row, count), items.item_gold(row))
        return None if pair is None else items.make_item(row, count, *pair)

    return read_rows(name, data, mapping, item)


def _text(row: Json, number: int) -> Document:
    """Return the document of a line or row; a cell has mentions as lines of ``term#link``."""
    mentions = row.get("mentions")
    fields = {field: row[field] for field in ("text", "topic", "evaluated") if row.get(field)}
    if mentions and not isinstance(mentions, str):
        fields["mentions"] = mentions
    key = items.item_key(row, number)
    line = convert({"id": key, "text": "", **fields}, LinkedLine, "not a text")
    try:
        text = line.document()
        if isinstance(mentions, str):
            return replace_links(text, parse_terms(text.text, mentions))
        return text
    except ValueError as error:
        raise InputError(str(error)) from error


def _read_corpus(
    name: str, text: str, format: Format, make: MakeItem, *, answers: bool
) -> Iterator[NewItem | None]:
    """Yield the item of each document; None if it is to be skipped."""
    if format.files:
        raise InputError(
            f"one of several files of {format.name}: 'tatian mentions convert --to jsonl' makes "
            "one of them all",
            path=name,
        )
    documents: Iterable[Document] = format.read(text, name)
    if format.name in _ANSWERS:
        documents = _merge_links(documents, name, answers=answers)
    for document in documents:
        try:
            item = make(document, None)
            yield None if item is None else NewItem(document.id, *item)
        except InputError as error:
            which = f"text '{document.id}': "
            raise InputError(which + str(error).removeprefix(which), path=name) from error


def _merge_links(documents: Iterable[Document], name: str, *, answers: bool) -> Iterator[Document]:
    """Yield each text once, with all its links if `answers`."""
    texts: dict[str, Document] = {}
    links: dict[str, list[Link]] = {}
    for document in documents:
        if texts.setdefault(document.id, document).text != document.text:
            raise InputError(f"two different texts are called '{document.id}'", path=name)
        links.setdefault(document.id, []).extend(links_of(document))
    for id, text in texts.items():
        yield replace_links(text, links[id] if answers else ())


def linked_terms(text: Document) -> tuple[LinkedTerm, ...]:
    """Return the linked terms of a text, one for each page of a mention."""
    return tuple(dict.fromkeys(terms_of(text)))


def is_settled(text: Document) -> bool:
    """Return True if the links of a text can be gold.

    They cannot without a link, if only a part was annotated, or if a page is known only by an id.
    """
    links = links_of(text)
    unknown = any(not is_nil(id) for link in links if not link.titles for id in link.ids)
    return any(link.titles for link in links) and not evaluated_parts(text) and not unknown
