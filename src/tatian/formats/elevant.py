"""ELEVANT's benchmark JSONL: Wikidata ids, an evaluated part, nested and optional labels.

Ids stay ids: `tatian.formats.wiki.with_titles` finds their pages through a knowledge base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.formats import Format
from tatian.formats.links import build_document, trim_span
from tatian.formats.mentions_jsonl import parse_lines
from tatian.formats.wiki import title_of
from tatian.text import Document, Link, Span

_LABELS = re.compile(r'"(?:labels|evaluation_span)"\s*:\s*\[', re.IGNORECASE)
_MENTIONS = re.compile(r'"mentions"\s*:\s*\[', re.IGNORECASE)
NIL = "<NIL>"
_NO_ENTITY = (NIL, "<NO_MAPPING>", "")
UNKNOWN = "Unknown"
_OTHER = "OTHER"
_OPTIONAL = "optional"
_FLAGS = (_OPTIONAL, "coref", "desc")
_OPTIONAL_TYPES = ("QUANTITY", "DATETIME")
"""Types of labels that ELEVANT does not ask a system to find."""


class _Label(Struct, omit_defaults=True):
    id: int
    span: tuple[int, int]
    entity_id: str
    name: str = ""
    type: str = _OTHER
    parent: int | None = None
    children: list[int] = []
    optional: bool = False
    coref: bool = False
    desc: bool = False


class _Article(Struct, omit_defaults=True):
    id: int | str
    text: str
    title: str = ""
    evaluation_span: tuple[int, int] | None = None
    labels: list[_Label] = []


_DECODER = msgspec.json.Decoder(_Article)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the articles of an ELEVANT benchmark."""
    lines = parse_lines(text, path, lambda line: _document(_DECODER.decode(line)), "article")
    return (document for _, document in lines)


def _document(article: _Article) -> Document:
    part = article.evaluation_span or (0, len(article.text))
    is_whole = part == (0, len(article.text))
    evaluated = () if is_whole else (_inside(part, article.text, "evaluation_span"),)
    mentions: dict[Span, Link] = {}
    for label in article.labels:
        mention = _mention(label, article)
        before = mentions.get(span := Span(mention.start, mention.end))
        mentions[span] = _unite(before, mention) if before else mention
    return build_document(
        str(article.id), article.text, mentions.values(), title=article.title, evaluated=evaluated
    )


def _inside(span: tuple[int, int], text: str, what: str) -> Span:
    if not 0 <= span[0] < span[1] <= len(text):
        raise ValueError(f"{what} {span[0]}..{span[1]} lies outside the text, or is empty")
    return Span(*span)


def _mention(label: _Label, article: _Article) -> Link:
    span = trim_span(article.text, _inside(label.span, article.text, f"label {label.id} at"))
    entity = label.entity_id
    type = "" if label.type == _OTHER else label.type
    flags = {flag for flag in _FLAGS if getattr(label, flag)}
    flags |= {_OPTIONAL} if label.type in _OPTIONAL_TYPES else set()
    tags = tuple(flag for flag in _FLAGS if flag in flags)
    if entity in (*_NO_ENTITY, label.type) or entity.startswith(UNKNOWN):
        return Link(span.start, span.end, type=type, tags=tags)
    if title := title_of(entity):
        return Link(span.start, span.end, (title,), type=type, tags=tags)
    names = () if label.name in ("", UNKNOWN) else (label.name,)
    return Link(span.start, span.end, type=type, tags=tags, ids=(entity,), names=names)


def _unite(first: Link, second: Link) -> Link:
    """Unite two labels of one place: either is right."""
    return replace(
        first,
        titles=tuple(dict.fromkeys((*first.titles, *second.titles))),
        type=first.type or second.type,
        tags=tuple(flag for flag in _FLAGS if flag in first.tags and flag in second.tags),
        ids=(*first.ids, *second.ids),
        names=(*first.names, *second.names),
    )


FORMAT = Format(
    "elevant",
    "ELEVANT: articles with Wikidata ids, one a line",
    "mention",
    (".benchmark.jsonl",),
    lambda head: (
        head.lstrip().startswith("{") and bool(_LABELS.search(head)) and not _MENTIONS.search(head)
    ),
    read,
)
