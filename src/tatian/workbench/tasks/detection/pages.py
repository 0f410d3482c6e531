"""Search for pages of a knowledge base, from which annotators choose.

The campaign's option ``base`` names the base: a file that ``tatian kb build`` wrote, by default the
one in the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from tatian.errors import InputError, TatianError
from tatian.knowledge.base import STARTER, KnowledgeBase, base_path, open_base
from tatian.knowledge.entities import Entity, Lookup, page_title, words_of
from tatian.workbench.settings import describe
from tatian.workbench.tasks import Json
from tatian.workbench.tasks.items import convert

_MAX_OPEN_BASES = 4
_ENOUGH_PAGES = 3
"""Number of pages below which parts of the query are looked up as well."""
_MAX_TERM_WORDS = 8
"""Maximum number of words of a term."""
_ENDINGS = ("es", "s", "ers", "er", "ors", "or", "ing", "ings", "ed", "ly")
"""Endings that are stripped to find the base form of a word."""
_MIN_STEM = 3
"""Minimum number of letters before an ending."""
_MIN_PREFIX = 4
"""Minimum number of letters of a form that is also looked up as a prefix."""
_ROLES = {"list": "a list: link the thing itself", "disambiguation": "a disambiguation page"}
"""Reason by role why no term may be linked to a page."""


class KnownPage(Struct, frozen=True, omit_defaults=True):
    """Description of a page for the person who chooses."""

    title: str
    description: str = ""
    kind: str = ""
    """person, location, organisation or concept; empty if the base lacks the page."""
    problem: str = ""
    """Reason why no term may be linked to it."""


class MentionOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a mention campaign."""

    base: Annotated[
        str | None,
        describe(
            "Knowledge base", "A file made by 'tatian kb build'; if empty, the base in the package."
        ),
    ] = None


def check(options: Json) -> None:
    """Raise InputError for invalid options; the message contains no paths of the server."""
    convert(options, MentionOptions, "options of the campaign")
    try:
        campaign_base(options)
    except InputError as error:
        raise InputError("options of the campaign: no such knowledge base ('base')") from error


def campaign_base(options: Json) -> KnowledgeBase:
    """Return the base of a campaign; it stays open, and is opened again if the file has changed."""
    try:
        path = Path(base_path(str(options.get("base") or STARTER)))
        if not path.is_file():
            raise InputError("no such file", path=str(path))
        status = path.stat()
        return _open(str(path), status.st_mtime_ns, status.st_size)
    except (TatianError, OSError, ValueError) as error:
        # Annotators see neither paths nor reasons, as they could do nothing about them.
        raise InputError(
            "the knowledge base of this campaign cannot be opened: tell whoever invited you"
        ) from error


@lru_cache(_MAX_OPEN_BASES)
def _open(path: str, changed: int, size: int) -> KnowledgeBase:
    return open_base(path)


def search(base: KnowledgeBase, query: str, limit: int = 10) -> list[KnownPage]:
    """Return pages with a title or name that is `query`, begins with it, or is part of it."""
    pages: dict[int, KnownPage] = {}
    for id in _page_ids(base, query, limit, pages):
        if id not in pages and len(pages) < limit:
            entity = base.entity(id)
            if entity is not None and entity.role == "article":
                pages[id] = _page(entity)
    return list(pages.values())


def find_page(base: KnowledgeBase, title: str) -> KnownPage:
    """Return the page that a title leads to, through redirects; its title alone if unknown."""
    entity = base.entity(title)
    return KnownPage(page_title(title)) if entity is None else _page(entity)


def _page(entity: Entity) -> KnownPage:
    role = _ROLES.get(entity.role, "")
    problem = f"'{entity.title}' is {role}" if role else ""
    return KnownPage(entity.title, entity.description, entity.kind, problem)


def _page_ids(
    base: KnowledgeBase, query: str, limit: int, pages: dict[int, KnownPage]
) -> Iterator[int]:
    words = words_of(query)
    if not words or len(words) > _MAX_TERM_WORDS:
        return
    page_id = base.id_of(query)
    if page_id is not None:
        yield page_id

    def ids_of(*lookups: Lookup) -> Iterator[int]:
        return (candidate.id for lookup in lookups for candidate in lookup.candidates)

    yield from ids_of(base.lookup(query), *base.search(query, limit))
    for size in range(len(words) - 1, 0, -1):
        if len(pages) >= _ENOUGH_PAGES:
            return
        for start in range(len(words) - size, -1, -1):
            yield from ids_of(base.lookup(" ".join(words[start : start + size])))
    if not pages:
        for form in _derive(words):
            prefixed = base.search(form, limit) if len(form) >= _MIN_PREFIX else ()
            yield from ids_of(base.lookup(form), *prefixed)


def _derive(words: list[str]) -> Iterator[str]:
    """Yield possible base forms of the words (buses, drivers, elected), the likeliest first."""
    *first_words, last = words
    for ending in _ENDINGS:
        stem = last.removesuffix(ending)
        if stem != last and len(stem) >= _MIN_STEM:
            yield from (" ".join([*first_words, stem + end]) for end in ("", "e", "ing", "ion"))
