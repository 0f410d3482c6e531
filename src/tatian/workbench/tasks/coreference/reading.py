"""Documents for the coreference task from files: plain text, tables, and every corpus format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.formats import HEAD, Format, file_name, find, recognize
from tatian.formats.documents_jsonl import LAYERS
from tatian.workbench.tasks import NewItem, Plain, reading
from tatian.workbench.tasks.coreference.content import (
    Content,
    Gold,
    check_places,
    of_document,
    relinked,
)
from tatian.workbench.tasks.reading import converted, plain, plainly, rows

CHAINS = "chains"
"""What ``gold`` is mapped to where the chains of a corpus file are the right answers."""
KEYS = ("id", "text", "title", "tokens", "sentences", "parts", "gold")
_TABLE, _TABS = ".csv", ".tsv"
_PLAIN = (".txt", ".text", ".md")


def read(name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[NewItem]:
    """The documents of a file; see `CoreferenceTask.read`."""
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    if name.lower().endswith(_PLAIN):
        yield _plain_text(name, text, mapping)
    elif _is_table(name, text) or _is_ours(text):
        yield from _lines(name, data, mapping)
    else:
        yield from _corpus(name, text, mapping)


def _plain_text(name: str, text: str, mapping: Mapping[str, str]) -> NewItem:
    _refuse_mapping(mapping, name, gold=False)
    try:
        return NewItem(file_name(name), plain(converted({"text": text}, Content, "document")))
    except InputError as error:
        raise InputError(str(error), path=name) from error


def _is_table(name: str, text: str) -> bool:
    """Whether a file is a table of texts; of those with tabs, the ones of GAP are documents."""
    called = name.lower()
    return called.endswith(_TABLE) or (
        called.endswith(_TABS) and not find("gap").recognizes(text[:HEAD])
    )


def _is_ours(text: str) -> bool:
    """Whether the first line is an item of this task, and no document of a corpus format."""
    first = text.lstrip().partition("\n")[0]
    if not first.startswith("{"):
        return False
    try:
        row = msgspec.json.decode(first, type=Plain)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(row.get("text"), str) and "layers" not in row


def _lines(name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[NewItem]:
    for count, (line, row) in enumerate(rows(name, data, mapping), 1):
        try:
            yield _item(row, count)
        except (InputError, msgspec.ValidationError) as error:
            raise InputError(plainly(error), path=name, line=line) from error


def _item(row: Plain, number: int) -> NewItem:
    given = {key: row[key] for key in KEYS[1:-1] if row.get(key) not in (None, "")}
    content = converted(given, Content, "document")
    right = reading.gold(row)
    return reading.item(
        row, number, plain(content), checked_gold(content, right) if right else None
    )


def checked_gold(content: Content, given: Plain) -> Plain:
    """Gold that fits its document."""
    gold = converted(given, Gold, "gold")
    check_places(content, gold)
    return plain(Gold(relinked(gold).markables, gold.note))


def _corpus(name: str, text: str, mapping: Mapping[str, str]) -> Iterator[NewItem]:
    _refuse_mapping(mapping, name, gold=True)
    try:
        format: Format = recognize(text, name, "coreference")
    except InputError:
        yield _plain_text(name, text, mapping)
        return
    _ = LAYERS
    for document in format.read(text, name):
        try:
            content, markup = of_document(document)
            right = None
            if "gold" in mapping and markup is not None:
                right = checked_gold(content, plain(markup))
            yield NewItem(document.id, plain(content), right)
        except (InputError, ValueError) as error:
            raise InputError(f"document '{document.id}': {error}", path=name) from error


def _refuse_mapping(mapping: Mapping[str, str], name: str, *, gold: bool) -> None:
    for ours, theirs in mapping.items():
        if not (gold and (ours, theirs) == ("gold", CHAINS)):
            raise InputError(
                f"'{ours}' cannot be mapped to '{theirs}' here: a file of documents has no columns"
                + (f"; its chains are gold with gold={CHAINS}" if gold else ""),
                path=name,
            )
