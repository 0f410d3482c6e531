"""ELEVANT's benchmark JSONL: Wikidata ids, an evaluated part, nested and optional labels.

Ids stay ids: `tatian.mentions.data.ids.with_titles` finds their pages through a knowledge base.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.mentions.data.ids import title_of, wikidata_id, wikipedia_url
from tatian.mentions.data.jsonl import lines, place, reason
from tatian.mentions.data.places import trimmed
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import Span
from tatian.text.formats import Losses

NIL = "<NIL>"
_NOTHING = (NIL, "<NO_MAPPING>", "")
UNKNOWN = "Unknown"
_OTHER = "OTHER"
_OPTIONAL = "optional"
_FLAGS = (_OPTIONAL, "coref", "desc")
_VALUES = ("QUANTITY", "DATETIME")
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


def read(text: str, path: str | None = None) -> Iterator[LinkedText]:
    """The articles of an ELEVANT benchmark."""
    found = False
    for number, line in lines(text):
        found = True
        try:
            yield _text(_DECODER.decode(line))
        except (msgspec.DecodeError, UnicodeEncodeError, ValueError, RecursionError) as error:
            raise InputError(reason(error), path=path, line=number) from error
    if not found:
        raise EmptyInput("no article in it", path=path)


def _text(article: _Article) -> LinkedText:
    part = article.evaluation_span or (0, len(article.text))
    whole = part == (0, len(article.text))
    evaluated = () if whole else (_inside(part, article.text, "evaluation_span"),)
    mentions: dict[Span, LinkedMention] = {}
    for label in article.labels:
        one = _mention(label, article)
        before = mentions.get(span := Span(one.start, one.end))
        mentions[span] = _united(before, one) if before else one
    return LinkedText(
        id=str(article.id),
        text=article.text,
        title=article.title,
        mentions=tuple(sorted(mentions.values(), key=place)),
        evaluated=evaluated,
    )


def _inside(span: tuple[int, int], text: str, what: str) -> Span:
    if not 0 <= span[0] < span[1] <= len(text):
        raise ValueError(f"{what} {span[0]}..{span[1]} lies outside the text, or is empty")
    return Span(*span)


def _mention(label: _Label, article: _Article) -> LinkedMention:
    span = trimmed(article.text, _inside(label.span, article.text, f"label {label.id} at"))
    entity = label.entity_id
    known = entity not in (*_NOTHING, label.type) and not entity.startswith(UNKNOWN)
    title = title_of(entity) if known else None
    said = {flag for flag in _FLAGS if getattr(label, flag)}
    said |= {_OPTIONAL} if label.type in _VALUES else set()
    return LinkedMention(
        span.start,
        span.end,
        term=span.of(article.text),
        titles=(title,) if title else (),
        type="" if label.type == _OTHER else label.type,
        tags=tuple(flag for flag in _FLAGS if flag in said),
        ids=(entity,) if known and not title else (),
        names=(label.name,) if known and not title and label.name not in ("", UNKNOWN) else (),
    )


def _united(first: LinkedMention, second: LinkedMention) -> LinkedMention:
    """Two labels of one place: either is right."""
    return replace(
        first,
        titles=tuple(dict.fromkeys((*first.titles, *second.titles))),
        type=first.type or second.type,
        tags=tuple(flag for flag in _FLAGS if flag in first.tags and flag in second.tags),
        ids=(*first.ids, *second.ids),
        names=(*first.names, *second.names),
    )


def write(texts: Iterable[LinkedText], losses: Losses) -> Iterator[str]:
    """An article a line; nested mentions know their parent and children, as in ELEVANT."""
    for text in texts:
        if len(text.evaluated) > 1:
            losses.add("several evaluated parts: written as one", text.id)
        article = _Article(
            id=int(text.id) if text.id.isdecimal() and str(int(text.id)) == text.id else text.id,
            title=text.title,
            text=text.text,
            evaluation_span=_evaluated(text),
            labels=_labels(text, losses),
        )
        yield msgspec.json.encode(_plain(article)).decode() + "\n"


def _evaluated(text: LinkedText) -> tuple[int, int]:
    if not text.evaluated:
        return 0, len(text.text)
    return text.evaluated[0].start, text.evaluated[-1].end


def _labels(text: LinkedText, losses: Losses) -> list[_Label]:
    """A label for each page of each mention."""
    labels: list[_Label] = []
    for mention in text.mentions:
        if mention.titles and not mention.ids:
            losses.add("pages without a Wikidata id: written as Wikipedia's URL", text.id)
        if unsaid := set(mention.tags) - set(_FLAGS):
            losses.add("tags of mentions", text.id, len(unsaid))
        for entity, name in _entities(mention):
            label = _Label(len(labels), (mention.start, mention.end), entity, name)
            label.type = mention.type or _OTHER
            label.optional = _OPTIONAL in mention.tags and mention.type not in _VALUES
            label.coref, label.desc = "coref" in mention.tags, "desc" in mention.tags
            labels.append(label)
    _nest(labels)
    return labels


def _entities(mention: LinkedMention) -> list[tuple[str, str]]:
    """Each page of a mention: its id, and what it is called."""
    if mention.ids:
        names = (*mention.names, *mention.titles[len(mention.names) :])
        ids = [wikidata_id(one) or one for one in mention.ids]
        return [
            (id, name or UNKNOWN) for id, name in zip_longest(ids, names[: len(ids)], fillvalue="")
        ]
    if mention.titles:
        return [(wikipedia_url(title), title) for title in mention.titles]
    return [(mention.type if mention.type == _VALUES[1] else NIL, UNKNOWN)]


def _nest(labels: Sequence[_Label]) -> None:
    """Tell each label the smallest one around it; they come in text order, the longer first."""
    around: list[_Label] = []
    for label in labels:
        start, end = label.span
        while around and not (around[-1].span[0] <= start and end <= around[-1].span[1]):
            around.pop()
        if around:
            label.parent = around[-1].id
            around[-1].children = [*around[-1].children, label.id]
        around.append(label)


def _plain(article: _Article) -> dict[str, Any]:
    """As ELEVANT writes it: what is always there, and the rest where it says something."""
    plain: dict[str, Any] = msgspec.to_builtins(article)
    labels = [{"type": _OTHER, **one} for one in plain.get("labels", ())]
    return {**plain, "labels": labels}
