"""Main text, title, date and publisher of a web page, without its boilerplate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import compress, islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tatian import limits
from tatian.assets import sections
from tatian.corpora.decoding import Warn, decode
from tatian.corpora.markup import MarkupParser
from tatian.errors import EmptyInput
from tatian.text import Document, Metadata
from tatian.text.dates import written_day

_NAMES = sections(Path(__file__).with_name("web.txt"))
VOID_TAGS = frozenset(_NAMES["void"].split())
BLOCK_TAGS = frozenset(_NAMES["block"].split())
PARAGRAPH_TAGS = frozenset({"p", "blockquote", "pre", "li", "dd"})
_BOILERPLATE = frozenset(_NAMES["boilerplate"].split())
"""Boilerplate elements; headings are titles, which state nothing."""
_BOILERPLATE_ROLES = frozenset(_NAMES["boilerplate roles"].split())
_BOILERPLATE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:caption|comments?)(?:$|[\s_-])|"
    r"(?:^|\s)(?:ads?|advert|advertisement|author-bio|banner|breadcrumbs?|byline|cookies?|"
    r"credit|footer|menu|modal|nav|navbar|navigation|newsletter|outbrain|popup|promo|"
    r"recommended|related|share|sharing|sidebar|skip-link|social|sponsored|sr-only|subscribe|"
    r"taboola|toolbar|visually-hidden)(?:$|[\s_-])"
)
_NEVER_BOILERPLATE = frozenset({"html", "body", "main", "article"})
_IMPLIED_ENDS: dict[str, frozenset[str]] = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "tr": frozenset({"tr"}),
    "option": frozenset({"option"}),
}
"""Open elements that a start tag ends, since HTML allows end tags to be left out."""
_SCOPES = frozenset({"ul", "ol", "dl", "table", "select", "html", "body"})
_BREAK = "\v"
_HEADINGS = frozenset({"title", "h1"})


class PageBlock(NamedTuple):
    """A paragraph or other span of text between block-level tags."""

    text: str
    tag: str
    box: int
    linked: int
    """Number of characters of link text."""


class Box(NamedTuple):
    """An element that contains blocks."""

    tag: str
    parent: int
    """Index of the box around it, -1 for none."""
    is_story: bool
    """True if the page marks it as the text of the article."""


class _OpenElement(NamedTuple):
    tag: str
    box: int
    is_boilerplate: bool
    is_linked: bool


class WebPage(MarkupParser):
    """Content of an HTML page, parsed when the object is made.

    Elements whose tag marks them as boilerplate (``nav``, ``footer``) are left out; with `by_name`
    also those whose class or id does (``sidebar``, ``related-stories``).
    """

    def __init__(self, markup: str, *, by_name: bool) -> None:
        super().__init__()
        self.blocks: list[PageBlock] = []
        self.boxes: list[Box] = []
        self.meta: dict[str, str] = {}
        """First value of each name, property or itemprop, in lower case."""
        self.times: list[str] = []
        self.titles: dict[str, str] = {}
        """Text of the first ``title`` and the first ``h1`` that have any."""
        self.canonical: str | None = None
        self.json_scripts: list[str] = []
        self._by_name = by_name
        self._stack: list[_OpenElement] = []
        self._open: Counter[str] = Counter()
        self._too_deep = 0
        self._parts: list[str] = []
        self._linked = 0
        self._heading: list[str] = []
        self.read(markup)
        self._end_block()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, or handle one that has no content."""
        attributes = {name: value or "" for name, value in attrs}
        if tag in VOID_TAGS:
            self._handle_void(tag, attributes)
            return
        if len(self._stack) >= limits.PAGE_DEPTH:
            self._too_deep += 1
            return
        if tag in BLOCK_TAGS:
            self._end_implied(tag)
            self._end_block()
        parent = self._stack[-1] if self._stack else _OpenElement("", -1, False, False)
        boilerplate = parent.is_boilerplate or self._is_boilerplate(tag, attributes)
        box = parent.box
        if tag in BLOCK_TAGS and tag not in PARAGRAPH_TAGS and not boilerplate:
            story = attributes.get("itemprop", "").lower() == "articlebody"
            self.boxes.append(Box("main" if attributes.get("role") == "main" else tag, box, story))
            box = len(self.boxes) - 1
        linked = parent.is_linked or (tag == "a" and "href" in attributes)
        self._stack.append(_OpenElement(tag, box, boilerplate, linked))
        self._open[tag] += 1
        if tag in _HEADINGS:
            self._heading.clear()
        elif tag == "time" and attributes.get("datetime") and not self._outside_story():
            self.times.append(attributes["datetime"])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Treat ``<div/>`` as an empty element."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID_TAGS:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element and all open elements inside it."""
        if tag in VOID_TAGS:
            return
        if self._too_deep:
            self._too_deep -= 1
        elif self._open[tag]:
            self._close_to(tag)

    def handle_data(self, data: str) -> None:
        """Keep the text of the story, titles, and the content of scripts."""
        if not self._stack:
            self._parts.append(data)
            return
        element = self._stack[-1]
        if element.tag == "script":
            self.json_scripts.append(data)
        elif not element.is_boilerplate:
            self._parts.append(data)
            self._linked += len(data.strip()) if element.is_linked else 0
        if self._open["title"] or self._open["h1"]:
            self._heading.append(data)

    def _handle_void(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "meta" and (content := attributes.get("content", "").strip()):
            for key in ("name", "property", "itemprop"):
                if name := attributes.get(key):
                    self.meta.setdefault(name.lower(), content)
        elif tag == "link" and attributes.get("rel", "").lower() == "canonical":
            self.canonical = attributes.get("href")
        elif tag == "br":
            self._parts.append(_BREAK)
        elif tag == "hr":
            self._end_block()

    def _is_boilerplate(self, tag: str, attributes: dict[str, str]) -> bool:
        if tag in _NEVER_BOILERPLATE:
            return False
        if tag in _BOILERPLATE or "hidden" in attributes or attributes.get("aria-hidden") == "true":
            return True
        if attributes.get("role", "").lower() in _BOILERPLATE_ROLES:
            return True
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()
        return self._by_name and _BOILERPLATE_NAMES.search(names) is not None

    def _outside_story(self) -> bool:
        """Return whether the parser is in boilerplate; a header may hold the date of the story."""
        return any(
            element.tag in _BOILERPLATE and element.tag != "header" for element in self._stack
        )

    def _end_implied(self, tag: str) -> None:
        ends = _IMPLIED_ENDS.get(tag)
        for element in reversed(self._stack):
            if element.tag in (ends or ("p",)):
                self._close_to(element.tag)
                return
            if element.tag in (_SCOPES if ends else BLOCK_TAGS):
                return

    def _close_to(self, tag: str) -> None:
        while self._stack:
            element = self._stack[-1]
            if element.tag in BLOCK_TAGS:
                self._end_block()
            title = " ".join("".join(self._heading).split()) if element.tag in _HEADINGS else ""
            if title and not self._open["svg"]:
                self.titles.setdefault(element.tag, title)
            self._stack.pop()
            self._open[element.tag] -= 1
            if element.tag == tag:
                return

    def _end_block(self) -> None:
        """Add the collected text as blocks; two line breaks separate paragraphs."""
        if not self._parts:
            return
        lines = [" ".join(line.split()) for line in "".join(self._parts).split(_BREAK)]
        paragraphs = [part.strip("\n") for part in "\n".join(lines).split("\n\n")]
        tag, box = self._innermost_block()
        total = sum(map(len, paragraphs)) or 1
        for text in filter(None, paragraphs):
            self.blocks.append(PageBlock(text, tag, box, self._linked * len(text) // total))
        self._parts.clear()
        self._linked = 0

    def _innermost_block(self) -> tuple[str, int]:
        for element in reversed(self._stack):
            if element.tag in BLOCK_TAGS:
                return element.tag, element.box
        return "", -1


_TITLE = ("og:title", "twitter:title")
_BEFORE_SOURCE = tuple(f" {mark}" for mark in "|:·–—-")
_DATE = _NAMES["date"].split()
_LINKED_DATE = re.compile(r'"datePublished"\s*:\s*"([^"]+)"')
_EITHER_DAY = re.compile(r"\b(?:0?\d|1[0-2])/(?:0?\d|1[0-2])/\d{4}")
"""A date whose day and month may be in either order."""
_MIN_SHARE = 0.3
"""Minimum share of the running text that a marked region must have."""
_SHORT = 1000
"""Characters below which a story may have been mistaken for boilerplate by its class."""
_MIN_TIMES_LONGER = 3
"""Minimum ratio of the length without that filter for it to be preferred."""
_MIN_LEAD = 0.1
"""Minimum length of the lead, as a share of the length of the densest element."""
_MAX_LINKED_SHARE = 0.5
"""Maximum share of link text in a block of prose."""
_MIN_LOOSE_CHARACTERS = 80
"""Minimum number of characters of a block without a paragraph tag or a sentence end."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")


def read_page(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read the story of a page from bytes."""
    return [extract(decode(data, name, warn, declared=True), name)]


def extract(markup: str, path: str) -> Document:
    """Return the page as a document without an id; raise `EmptyInput` if it has no text."""
    page = WebPage(markup, by_name=True)
    text = _running_text(page)
    if len(text) < _SHORT:
        unfiltered = _running_text(WebPage(markup, by_name=False))
        if len(unfiltered) > _MIN_TIMES_LONGER * len(text):
            text = unfiltered
    if not text:
        raise EmptyInput("a web page without running text", path=path)
    return Document("", text, _metadata(page))


def _running_text(page: WebPage) -> str:
    return "\n\n".join(block.text for block in _story(page))


def _story(page: WebPage) -> list[PageBlock]:
    """Return the blocks of the story: a region that the page marks, or the densest one."""
    blocks = [block for block in page.blocks if _is_prose(block)]
    lengths: Counter[int] = Counter()
    density: Counter[int] = Counter()
    for block in blocks:
        ancestors = list(_ancestors(page, block.box))
        lengths.update(dict.fromkeys(ancestors, len(block.text)))
        density.update({box: len(block.text) >> depth for depth, box in enumerate(ancestors[:2])})
    least = _MIN_SHARE * sum(len(block.text) for block in blocks)
    chosen = _marked_region(page, lengths, least)
    if chosen is None and density:
        chosen = max(density, key=lambda box: density[box])
        chosen = _with_lead(page, blocks, chosen)
    return [block for block in blocks if chosen is None or chosen in _ancestors(page, block.box)]


def _with_lead(page: WebPage, blocks: list[PageBlock], chosen: int) -> int:
    """Return the chosen element, or its parent or grandparent if the lead stands there."""
    inside = [chosen in _ancestors(page, block.box) for block in blocks]
    least = _MIN_LEAD * sum(len(block.text) for block in compress(blocks, inside))
    above = blocks[: inside.index(True)]
    before = [block for block in above if len(block.text) >= _MIN_LOOSE_CHARACTERS]
    for ancestor in islice(_ancestors(page, chosen), 1, 3):
        lead = sum(len(block.text) for block in before if ancestor in _ancestors(page, block.box))
        if lead > least:
            return ancestor
    return chosen


def _marked_region(page: WebPage, lengths: Counter[int], least: float) -> int | None:
    """Return the largest region that the page marks as the story, if large enough."""
    boxes = list(enumerate(page.boxes))
    marked = [index for index, box in boxes if box.is_story]
    articles, mains = ([i for i, box in boxes if box.tag == tag] for tag in ("article", "main"))
    for regions in (marked, articles, mains):
        largest = max(regions, key=lambda index: lengths[index], default=None)
        if largest is not None and lengths[largest] and lengths[largest] >= least:
            return largest
    return None


def _ancestors(page: WebPage, box: int) -> Iterator[int]:
    while box >= 0:
        yield box
        box = page.boxes[box].parent


def _is_prose(block: PageBlock) -> bool:
    if block.linked > _MAX_LINKED_SHARE * len(block.text):
        return False
    if block.tag in PARAGRAPH_TAGS:
        return True
    return len(block.text) >= _MIN_LOOSE_CHARACTERS or _SENTENCE_END.search(block.text) is not None


def _metadata(page: WebPage) -> Metadata:
    source = page.meta.get("og:site_name") or page.meta.get("application-name")
    title = next((page.meta[name] for name in _TITLE if name in page.meta), None)
    title = title or page.titles.get("h1") or page.titles.get("title")
    title = " ".join((title or "").split())
    without_source = title.removesuffix(f" {source}")
    if source and without_source != title and without_source[-2:] in _BEFORE_SOURCE:
        title = without_source[:-2]
    source = source or _host(page.canonical) or _host(page.meta.get("og:url"))
    return Metadata(title=title or None, date=_date(page), source=source or None)


def _host(address: str | None) -> str:
    """Return the host of an address without ``www.``; empty if it has none or is malformed."""
    with suppress(ValueError):
        return (urlsplit(address or "").hostname or "").removeprefix("www.")
    return ""


def _date(page: WebPage) -> str | None:
    declared = [page.meta[name] for name in _DATE if name in page.meta]
    linked = _LINKED_DATE.findall("".join(page.json_scripts))
    dates = (iso_date(value) for value in (*declared, *linked, *page.times))
    return next((date for date in dates if date), None)


def iso_date(written: str) -> str | None:
    """Convert a date as written on a page to ISO 8601; None if it is not recognised."""
    written = " ".join(written.split())
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError):
            moment = read(written)
            return moment.isoformat() if ":" in written else moment.date().isoformat()
    day = None if _EITHER_DAY.search(written) else written_day(written)
    return day.isoformat() if day is not None else None
