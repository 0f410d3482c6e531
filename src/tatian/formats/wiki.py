"""One page under its several names: Wikipedia title and URL, DBpedia URI, Wikidata id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote, urlsplit

from msgspec.structs import replace

from tatian.formats.links import links_of, replace_links
from tatian.knowledge.entities import page_title
from tatian.text import Document, Link

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase

_WIKIPEDIA_PLAIN = ";@$!*(),/~:"
"""Characters that Wikipedia keeps in the address of a page (MediaWiki's ``wfUrlencode``)."""
_DBPEDIA_PLAIN = "!$&'()*+,-./:;=@_~"
"""Characters that DBpedia keeps in the name of a resource."""
_WIKIPEDIA = re.compile(r"(?:([a-z][a-z-]*)\.)?(?:m\.|zero\.)?wikipedia\.org")
_DBPEDIA = re.compile(r"(?:([a-z][a-z-]*)\.)?dbpedia\.org")
_WIKIDATA = re.compile(
    r"(?:https?://(?:www\.|m\.)?wikidata\.org/(?:entity|wiki)/|wd:|wikidata:)?(Q[1-9]\d*)"
)
_NOWHERE = re.compile(r"/(?:notInWiki|NotInLexico)\b", re.IGNORECASE)
"""Corpora's way to write that an entity has no page: GERBIL and VoxEL."""


def wikipedia_url(title: str, language: str = "en") -> str:
    """Return the address of a page, written as Wikipedia itself writes it."""
    return f"https://{language}.wikipedia.org/wiki/{quote(_underscored(title), _WIKIPEDIA_PLAIN)}"


def dbpedia_uri(title: str, language: str = "en") -> str:
    """Return DBpedia's resource for a page, in ASCII, as GERBIL's data sets have it."""
    host = "dbpedia.org" if language == "en" else f"{language}.dbpedia.org"
    return f"http://{host}/resource/{quote(_underscored(title), _DBPEDIA_PLAIN)}"


def wikidata_uri(id: str) -> str:
    """Return the URI of an item such as ``Q142``."""
    return f"http://www.wikidata.org/entity/{id}"


def _underscored(title: str) -> str:
    return page_title(title).replace(" ", "_")


def wikidata_id(uri: str) -> str | None:
    """Return ``Q142``, if `uri` means it."""
    match = _WIKIDATA.fullmatch(uri.strip())
    return match[1] if match else None


def page_of(uri: str) -> tuple[str, str] | None:
    """Return the language and title of a Wikipedia URL or DBpedia URI; None for anything else.

    A section (``#History``) counts as its page.
    """
    try:
        parts = urlsplit(uri.strip())
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.")
    if match := _WIKIPEDIA.fullmatch(host):
        name = parts.path.removeprefix("/wiki/") if parts.path.startswith("/wiki/") else ""
        if parts.path.endswith("/index.php"):
            name = next(iter(parse_qs(parts.query).get("title", ())), "")
        elif parts.query:
            name += f"?{parts.query}"
    elif match := _DBPEDIA.fullmatch(host):
        kind, _, name = parts.path.removeprefix("/").partition("/")
        name = name if kind in ("resource", "page") else ""
        name += f"?{parts.query}" if name and parts.query else ""
    else:
        return None
    title = page_title(unquote(name))
    return (match[1] or "en", title) if title else None


def title_of(uri: str, language: str = "en") -> str | None:
    """Return the title in that language's Wikipedia that a URL or URI means, offline.

    ``uri:Title``, as the mention benchmark abbreviates, is understood too.
    """
    if uri.startswith("uri:"):
        return page_title(unquote(uri.removeprefix("uri:"))) or None
    page = None if is_nil(uri) else page_of(uri)
    return page[1] if page and page[0] == language else None


def is_nil(uri: str) -> bool:
    """Return whether a URI means "no page" (``http://aksw.org/notInWiki/Mr_Nobody``)."""
    return _NOWHERE.search(uri) is not None


def title_through(uri: str, base: KnowledgeBase) -> str | None:
    """Return the title that a URL, a URI or a Wikidata id means, by a knowledge base."""
    item = wikidata_id(uri)
    if item is None:
        return title_of(uri)
    page = base.by_wikidata(item)
    return page.title if page else None


def resolve_titles(texts: Iterable[Document], base: KnowledgeBase) -> list[Document]:
    """Return the texts with the titles that their ids mean in a knowledge base."""
    return list(with_titles(texts, lambda id: title_through(id, base), base.title_of))


def with_titles(
    texts: Iterable[Document],
    resolve: Callable[[str], str | None],
    by_name: Callable[[str], str | None] | None = None,
) -> Iterator[Document]:
    """Yield the texts with the titles of their ids.

    `resolve` turns an id such as ``Q142`` into a title, or None if it is unknown. Then `by_name`
    may try the name in the corpus (a Wikidata label is often the title). Mentions that have titles
    keep them.
    """
    for text in texts:
        yield replace_links(text, (_with_titles(link, resolve, by_name) for link in links_of(text)))


def _with_titles(
    mention: Link, resolve: Callable[[str], str | None], by_name: Callable[[str], str | None] | None
) -> Link:
    if mention.titles or not mention.ids:
        return mention
    names = zip_longest(mention.ids, mention.names[: len(mention.ids)], fillvalue="")
    titles = (resolve(id) or (by_name(name) if by_name and name else None) for id, name in names)
    return replace(mention, titles=tuple(dict.fromkeys(filter(None, titles))))
