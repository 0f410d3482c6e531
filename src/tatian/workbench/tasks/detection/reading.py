"""Texts to annotate out of files: mentions JSONL, tables, and every other format of mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.formats import HEAD, Format, recognize
from tatian.formats.labels import terms
from tatian.formats.links import evaluated_parts, links_of, relinked
from tatian.formats.mentions_csv import parse
from tatian.formats.mentions_jsonl import LinkedLine
from tatian.formats.wiki import is_nil
from tatian.mentions.annotation import LinkedTerm
from tatian.text import Document, Link
from tatian.workbench.tasks import NewItem, Plain, items
from tatian.workbench.tasks.items import converted, each, header, lacking

Made = Callable[[Document, Plain | None], tuple[Plain, Plain | None] | None]
"""Content and gold of a text with its mentions, None where there is nothing to ask about it; the
second is what the line calls ``gold``."""
_OURS = ("jsonl", "csv")
"""Formats that are read field by field, so that they can be mapped and say more of an item."""
_ROUNDS = ("detections", "confirmations")


def read(
    name: str,
    data: bytes,
    mapping: Mapping[str, str],
    made: Made,
    *,
    needs: tuple[str, ...] = ("text",),
    answers: bool = False,
) -> Iterator[NewItem]:
    """The items of a file; one without an id is called by its number.

    `needs` are the fields that each line or row has. Of labelers' records the texts are read, and
    with `answers` what anybody linked in them.
    """
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    format = _corpus(text, name, mapping)
    if format is None:
        found = _rows(name, data, mapping, made, needs)
    else:
        _refuse_mapping(mapping, format, name)
        found = _texts(name, text, format, made, answers=answers)
    given, passed = 0, 0
    for one in found:
        if one is None:
            passed += 1
        else:
            given += 1
            yield one
    if passed and not given:
        raise InputError(
            "no links to pages in it; where its mentions have Wikidata ids, 'tatian mentions "
            "convert --kb' finds their pages",
            path=name,
        )


def _corpus(text: str, name: str, mapping: Mapping[str, str]) -> Format | None:
    """The format of a corpus; None of lines and tables of our own."""
    is_json = text.lstrip().startswith("{")
    if (is_json and mapping) or mapping.get("text", "text") in header(text, name):
        return None
    try:
        format = recognize(text, name, "mention")
    except InputError:
        return None
    by_name = not format.recognizes(text[:HEAD])
    return None if format.name in _OURS or (by_name and name.lower().endswith(".tsv")) else format


def _refuse_mapping(mapping: Mapping[str, str], format: Format, name: str) -> None:
    for ours, theirs in mapping.items():
        raise InputError(
            f"'{ours}' cannot be mapped to '{theirs}' here: a file of {format.name} has no columns",
            path=name,
        )


def _rows(
    name: str, data: bytes, mapping: Mapping[str, str], made: Made, needs: tuple[str, ...]
) -> Iterator[NewItem | None]:
    def item(row: Plain, count: int) -> NewItem | None:
        for field in needs:
            if field not in row:
                raise lacking(row, field)
        found = made(_text(row, count), items.gold(row))
        return None if found is None else items.item(row, count, *found)

    return each(name, data, mapping, item)


def _text(row: Plain, number: int) -> Document:
    """A line or row; mentions in a cell are lines of ``term#link``."""
    entered = row.get("mentions")
    given = {field: row[field] for field in ("text", "topic", "evaluated") if row.get(field)}
    if entered and not isinstance(entered, str):
        given["mentions"] = entered
    key = items.key(row, number)
    line = converted({"id": key, "text": "", **given}, LinkedLine, "not a text")
    try:
        text = line.document()
        return relinked(text, parse(text.text, entered)) if isinstance(entered, str) else text
    except ValueError as error:
        raise InputError(str(error)) from error


def _texts(
    name: str, text: str, format: Format, made: Made, *, answers: bool
) -> Iterator[NewItem | None]:
    if format.files:
        raise InputError(
            f"one of several files of {format.name}: 'tatian mentions convert --to jsonl' makes "
            "one of them all",
            path=name,
        )
    found: Iterable[Document] = format.read(text, name)
    if format.name in _ROUNDS:
        found = _together(found, name, answers=answers)
    for one in found:
        try:
            item = made(one, None)
            yield None if item is None else NewItem(one.id, *item)
        except InputError as error:
            which = f"text '{one.id}': "
            raise InputError(which + str(error).removeprefix(which), path=name) from error


def _together(found: Iterable[Document], name: str, *, answers: bool) -> Iterator[Document]:
    """Each text once, with what anybody linked in it."""
    texts: dict[str, Document] = {}
    links: dict[str, list[Link]] = {}
    for one in found:
        if texts.setdefault(one.id, one).text != one.text:
            raise InputError(f"two different texts are called '{one.id}'", path=name)
        links.setdefault(one.id, []).extend(links_of(one))
    for id, text in texts.items():
        yield relinked(text, links[id] if answers else ())


def linked(text: Document) -> tuple[LinkedTerm, ...]:
    """A text's mentions, a term for each page, each where it stands."""
    return tuple(dict.fromkeys(terms(text)))


def is_settled(text: Document) -> bool:
    """Whether a text says all that is to be linked in it.

    It does not where nothing is linked, where only a part was annotated, and where the page of a
    mention is known by an id alone.
    """
    links = links_of(text)
    unknown = any(not is_nil(id) for one in links if not one.titles for id in one.ids)
    return any(one.titles for one in links) and not evaluated_parts(text) and not unknown
