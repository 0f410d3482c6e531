"""Sentences put together to the texts they are parts of, for linkers that read more than one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec.structs import replace

from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import Span

_BETWEEN = " "


def joined(texts: Iterable[LinkedText]) -> Iterator[LinkedText]:
    """Neighbours that are parts of one text as that text; others as they are."""
    for whole, parts in groupby(texts, key=lambda text: text.part_of):
        if whole:
            yield _together(whole, list(parts))
        else:
            yield from parts


def _together(whole: str, parts: list[LinkedText]) -> LinkedText:
    mentions: list[LinkedMention] = []
    evaluated: list[Span] = []
    at = 0
    for part in parts:
        mentions += (replace(one, start=one.start + at, end=one.end + at) for one in part.mentions)
        annotated = part.evaluated or (Span(0, len(part.text)),)
        evaluated += (Span(one.start + at, one.end + at) for one in annotated)
        at += len(part.text) + len(_BETWEEN)
    return LinkedText(
        whole,
        _BETWEEN.join(part.text for part in parts),
        parts[0].topic,
        tuple(mentions),
        tuple(evaluated) if any(part.evaluated for part in parts) else (),
        parts[0].title,
    )
