"""Target of a wikitext link: a page, a picture, a category, or something outside."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

from tatian.knowledge.building.wikitext_scan import LISTS
from tatian.knowledge.entities import page_title

LinkSort = Literal["page", "picture", "category", "elsewhere", "hidden"]
"""``elsewhere`` shows its words but leads to no article; ``hidden`` shows nothing."""

_MAX_TITLE_LENGTH = 255
_INVALID = re.compile(r"[\[\]{}|<>\n\x00-\x1f\ufffd]")
_REDIRECT = re.compile(r"\s*#\s*REDIRECT(?:ION)?\s*:?\s*\[\[([^\[\]|\n]+)", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")

_PICTURES = frozenset(("file", "image", "media"))
_NAMESPACES = LISTS["namespaces"]
_PROJECTS = LISTS["projects"]
_LANGUAGES = LISTS["languages"]

_OUTSIDE = _NAMESPACES | _PROJECTS | _LANGUAGES | _PICTURES | {"category"}


class Target(Struct, frozen=True):
    """Target of a link, and its default words."""

    sort: LinkSort
    title: str
    """The page, without section; for a category its name."""
    shown: str


@lru_cache(1 << 14)
def target_of(written: str) -> Target:
    """Parse the text before the first bar of a link."""
    plain = " ".join(unescape(written).replace("_", " ").split())
    if "%" in plain:
        plain = unquote(plain, errors="replace")
    colon = plain.startswith(":")
    plain = plain.lstrip(": ")
    shown = plain
    prefix, separator, rest = plain.partition(":")
    space = prefix.strip().lower()
    if separator and not colon:
        if space in _PICTURES:
            return Target("picture", rest.strip(), "")
        if space == "category":
            return Target("category", page_title(rest.partition("#")[0]), "")
        if space in _LANGUAGES:
            return Target("hidden", "", "")
    title = page_title(plain.partition("#")[0])
    if (separator and space in _OUTSIDE) or not _is_title(title):
        return Target("elsewhere", "", shown)
    return Target("page", title, shown.partition("#")[0].strip())


def pipe_trick(shown: str) -> str:
    """Return what ``[[Pipe (computing)|]]`` shows: no parenthesis, nothing after a comma."""
    bare = _PARENTHESIS.sub("", shown)
    return bare if bare != shown else bare.partition(", ")[0]


def redirect_target(source: str) -> str:
    """Return the page that a redirect leads to; empty if it is no redirect."""
    match = _REDIRECT.match(source)
    if match is None:
        return ""
    target = target_of(match[1])
    return target.title if target.sort == "page" else ""


def _is_title(title: str) -> bool:
    if not title or _INVALID.search(title) or title.startswith(("/", "../", "./")):
        return False
    return len(title.encode()) <= _MAX_TITLE_LENGTH
