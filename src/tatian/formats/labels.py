"""Labelers' answers in the two rounds of annotation of the mention benchmark (§3 and appendix).

In the first round labelers link terms to pages (``Record[Detection]``); in the second they confirm
or reject these links (``Record[Confirmation]``). Files have a `tatian.text.layers.Record` per line,
with its ``text`` and ``topic`` added. The formats below give one document per record, with the
labeler's terms or confirmed terms. The first round may also be a CSV with the columns ``labeler``,
``id``, ``text`` and ``mentions``, the last with lines of ``term#link``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.formats import Format, mentions_csv
from tatian.formats.links import build_document, links_of
from tatian.formats.mentions_jsonl import parse_lines
from tatian.grouping import grouped
from tatian.text import Document, Link, Span
from tatian.text.layers import Authorship, Record

_HAS_MENTIONS = re.compile(r'"answer"\s*:\s*\{\s*"mentions"', re.IGNORECASE)
_HAS_VERDICTS = re.compile(r'"answer"\s*:\s*\{\s*"verdicts"', re.IGNORECASE)
_CSV_HEADER = re.compile(
    r'\ufeff?(?:[^\n{]*,)?\s*"?labeler"?\s*(?:,|$)', re.IGNORECASE | re.MULTILINE
)
"""Header of a CSV with a row for each labeler and text."""
_LIST_TITLE = re.compile(r"(?:lists?|outline|timeline|glossary) of |index of .* articles$")
"""Wikipedia's names of list pages; "Index of dispersion" is an article."""


class LinkedTerm(Span, frozen=True, order=True):
    """A term at its place in the text, and its Wikipedia title."""

    term: str
    title: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.term) != len(self):
            raise ValueError(f"'{self.term}' is not as long as {self.start}..{self.end}")
        if not self.term.strip():
            raise ValueError("a term without letters")
        _refuse_title(self.title)

    def check(self, text: str) -> None:
        """Refuse a term that is not at its place in `text`."""
        if self.of(text) != self.term:
            place = f"{self.start}..{self.end}"
            raise InputError(f"the text has '{self.of(text)}' at {place}, not '{self.term}'")


class Detection(Struct, frozen=True):
    """All terms that a labeler found in a text, in text order."""

    mentions: tuple[LinkedTerm, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.mentions)) != len(self.mentions):
            raise ValueError("the same term, place and title twice")
        places = [(mention.start, mention.end) for mention in self.mentions]
        if places != sorted(places):
            raise ValueError("terms must be in the order of the text")

    def check(self, text: str) -> None:
        """Refuse an answer that does not fit its text."""
        for mention in self.mentions:
            mention.check(text)


class MentionVerdict(Struct, frozen=True):
    """A labeler's verdict on one candidate."""

    mention: LinkedTerm
    confirmed: bool


class Confirmation(Struct, frozen=True):
    """One labeler's verdicts on all candidates of one text."""

    verdicts: tuple[MentionVerdict, ...]

    def __post_init__(self) -> None:
        if len(self.judged) != len(self.verdicts):
            raise ValueError("two verdicts on one candidate")

    @property
    def judged(self) -> frozenset[LinkedTerm]:
        """The candidates."""
        return frozenset(verdict.mention for verdict in self.verdicts)

    @property
    def confirmed(self) -> frozenset[LinkedTerm]:
        """The candidates that the labeler accepts."""
        return frozenset(verdict.mention for verdict in self.verdicts if verdict.confirmed)


def _refuse_title(title: str) -> None:
    """Refuse sections, lists and disambiguation pages (appendix, technical guideline 3)."""
    normal_title = " ".join(title.replace("_", " ").lower().split())
    if not normal_title:
        raise ValueError("a term without a Wikipedia title")
    if "#" in normal_title:
        raise ValueError(f"'{title}' is a section of a page: link the page")
    if _LIST_TITLE.match(normal_title):
        raise ValueError(f"'{title}' is a list: link the thing itself")
    if normal_title.endswith("(disambiguation)"):
        raise ValueError(f"'{title}' is a disambiguation page: link the meaning")


DETECTION = "mentions.detect"
CONFIRMATION = "mentions.confirm"
A = TypeVar("A")
R = TypeVar("R")


def read_detections(text: str, path: str | None = None) -> Iterator[Record[Detection]]:
    """Read the records of the first round, as JSONL or CSV."""
    if _CSV_HEADER.match(text):
        return (record for record, _ in _read_csv(text, path))
    return _records(text, path, msgspec.json.Decoder(Record[Detection]))


def read_confirmations(text: str, path: str | None = None) -> Iterator[Record[Confirmation]]:
    """Read the records of the second round."""
    return _records(text, path, msgspec.json.Decoder(Record[Confirmation]))


def _records(text: str, path: str | None, decoder: msgspec.json.Decoder[R]) -> Iterator[R]:
    return (record for _, record in parse_lines(text, path, decoder.decode, "record"))


def terms_of(text: Document) -> tuple[LinkedTerm, ...]:
    """Return a text's mentions in the form of labelers' answers: a term for each page, in order.

    Links to sections, lists and disambiguation pages raise an `InputError`: the guidelines exclude
    them.
    """
    try:
        terms = [
            LinkedTerm(link.start, link.end, link.of(text.text), title)
            for link in links_of(text)
            for title in link.titles
        ]
    except ValueError as error:
        raise InputError(f"text '{text.id}': {error}") from error
    return tuple(sorted(terms, key=lambda term: (term.start, term.end)))


def detection(text: Document, authorship: Authorship) -> Record[Detection]:
    """Return a text's mentions as a labeler's record of the first round."""
    id = f"{authorship.by}/{DETECTION}/{text.id}"
    return Record(id, DETECTION, text.id, authorship, Detection(terms_of(text)))


def _read_csv(text: str, path: str | None) -> Iterator[tuple[Record[Detection], Document]]:
    """Yield the records of a CSV, each with its document."""
    for row, document in mentions_csv.rows(text, path, needed=("labeler",)):
        labeler = (row["labeler"] or "").strip()
        if not labeler:
            raise InputError(f"no labeler is named for text '{document.id}'", path=path)
        try:
            yield detection(document, Authorship(by=labeler, kind="person")), document
        except ValueError as error:
            raise InputError(f"labeler '{labeler}': {error}", path=path) from error


def _read_detections(text: str, path: str | None) -> Iterator[Document]:
    if _CSV_HEADER.match(text):
        return (document for _, document in _read_csv(text, path))
    return _documents(text, path, _Line[Detection], lambda answer: answer.mentions)


def links_of_terms(terms: Iterable[LinkedTerm]) -> Iterator[Link]:
    """Yield a link for each place of linked terms, with all its pages."""
    pages = grouped(((term.start, term.end), term.title) for term in terms)
    for (start, end), titles in pages.items():
        yield Link(start, end, tuple(titles))


class _Line(Record[A], Generic[A], frozen=True, omit_defaults=True):
    text: str | None = None
    topic: str = ""


def _documents(
    text: str,
    path: str | None,
    kind: type[_Line[A]],
    get_terms: Callable[[A], Iterable[LinkedTerm]],
) -> Iterator[Document]:
    for number, record in parse_lines(text, path, msgspec.json.Decoder(kind).decode, "record"):
        if record.text is None:
            problem = 'the record does not say the text it is about ("text")'
            raise InputError(problem, path=path, line=number)
        terms = list(get_terms(record.answer))
        for term in terms:
            try:
                term.check(record.text)
            except InputError as error:
                problem = f"record '{record.id}': {error}"
                raise InputError(problem, path=path, line=number) from error
        yield build_document(record.item, record.text, links_of_terms(terms), topic=record.topic)


DETECTIONS = Format(
    "detections",
    "labelers' records of the first round, with their texts",
    "mention",
    (".detections.jsonl",),
    lambda head: (
        bool(_CSV_HEADER.match(head))
        or (head.lstrip().startswith("{") and bool(_HAS_MENTIONS.search(head)))
    ),
    _read_detections,
)
CONFIRMATIONS = Format(
    "confirmations",
    "labelers' records of the second round, with their texts",
    "mention",
    (".confirmations.jsonl",),
    lambda head: head.lstrip().startswith("{") and bool(_HAS_VERDICTS.search(head)),
    lambda text, path: _documents(
        text, path, _Line[Confirmation], lambda answer: sorted(answer.confirmed)
    ),
)
