"""Cuts SGML into tags, entities, comments and what is left, the text.

A tag begins with ``<`` or ``</`` and a letter and ends before the next ``<``; ``>`` may stand
inside quotes. Any other ``<`` is text, so that "a < b" survives. Comments and declarations (and a
byte order mark) are no text, and nothing inside them is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

ENTITY = r"&(?:[#][0-9]{1,7}|[#][xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,4});"
"""What may be an entity that `decode` knows."""

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENTITY = re.compile(ENTITY)


def decode(entity: str) -> str:
    """The character an entity stands for; one that is not known stands for itself."""
    name = entity[1:-1]
    if not name.startswith("#"):
        return _NAMED.get(name.lower(), entity)
    hexadecimal = name[1] in "xX"
    code = int(name[2:], 16) if hexadecimal else int(name[1:])
    is_character = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else entity


def unescape(written: str) -> str:
    """A text or an attribute's value with its entities decoded."""
    return _ENTITY.sub(lambda found: decode(found[0]), written) if "&" in written else written


def escape(text: str) -> str:
    """Text as SGML content: reading it gives the same text back."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quote(value: str) -> str:
    """A value as an attribute in double quotes."""
    return f'"{escape(value).replace(chr(34), "&quot;")}"'


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
