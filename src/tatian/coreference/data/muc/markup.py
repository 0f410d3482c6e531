"""Cuts SGML into tags, entities, comments and what is left, the text.

A tag begins with ``<`` or ``</`` and a letter and ends before the next ``<``; ``>`` may stand
inside quotes. Any other ``<`` is text, so that "a < b" survives. Comments and declarations (and a
byte order mark) are no text, and nothing inside them is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tatian.coreference.data.muc.entities import ENTITY

_MARKUP = re.compile(
    rf"""(?P<comment><!--)
    |(?P<declaration>\A\ufeff|<[!?][A-Za-z][^<>]*+>)
    |<(?P<slash>/?)(?P<name>[A-Za-z][\w.-]*+)
      (?P<tag>(?:[\s/](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)?+(?=>)|[\s/][^<>]*+)>
    |(?P<broken></?COREF\b)
    |(?P<entity>{ENTITY})""",
    re.VERBOSE | re.IGNORECASE,
)
_COMMENT_END = "-->"


class Markup(NamedTuple):
    """One piece of markup."""

    kind: str
    """``tag``, ``entity``, ``broken`` (a COREF tag without an end) or ``skipped``."""
    start: int
    end: int
    name: str = ""
    """Of a tag, in capitals."""
    closing: bool = False
    rest: str = ""
    """What follows the tag's name; the entity."""


def pieces(source: str) -> Iterator[Markup]:
    """Every piece of markup, in order; what lies between them is text."""
    last = source.rfind(_COMMENT_END)
    at = 0
    while found := _MARKUP.search(source, at):
        kind = found.lastgroup
        start, at = found.span()
        if kind == "tag":
            _, _, slash, name, rest, _, _ = found.groups()
            yield Markup("tag", start, at, name.upper(), bool(slash), rest)
        elif kind == "comment":
            if at <= last:
                at = source.index(_COMMENT_END, at) + len(_COMMENT_END)
                yield Markup("skipped", start, at)
        elif kind == "declaration":
            yield Markup("skipped", start, at)
        else:
            yield Markup(kind or "", start, at, rest=found[0])
