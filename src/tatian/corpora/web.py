"""The story of a web page: its main text, title, date and publisher, without what frames it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from tatian.corpora.markup import PARAGRAPHS, Block, Page
from tatian.errors import EmptyInput
from tatian.text import Document, Metadata

_TITLE = ("og:title", "twitter:title")
_DATE = (
    "article:published_time",
    "datepublished",
    "date",
    "pubdate",
    "publishdate",
    "publish-date",
    "dc.date",
    "dc.date.issued",
    "dcterms.date",
    "dcterms.created",
    "parsely-pub-date",
    "sailthru.date",
)
_LINKED_DATE = re.compile(r'"datePublished"\s*:\s*"([^"]+)"')
_FORMS = ("%B %d, %Y", "%d %B %Y", "%b %d, %Y", "%d %b %Y", "%Y/%m/%d")
_LEAST_SHARE = 0.3
"""A region is the story only if it holds this share of the page's running text."""
_MOST_LINKED = 0.5
_LEAST_LOOSE = 80
"""Characters that text outside any paragraph needs, unless it ends as a sentence does."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")


def extract(markup: str, path: str) -> Document:
    """The page as a document without an id; raises `EmptyInput` if it has no running text."""
    for by_name in (True, False):
        page = Page(markup, by_name=by_name)
        if paragraphs := [block.text for block in _story(page)]:
            return Document("", "\n\n".join(paragraphs), _about(page))
    raise EmptyInput("a web page without running text", path=path)


def _story(page: Page) -> list[Block]:
    """The running text of the region that holds the story, by its markup or by its density."""
    blocks = [block for block in page.blocks if _is_prose(block)]
    within: Counter[int] = Counter()
    density: Counter[int] = Counter()
    for block in blocks:
        around = list(_around(page, block.box))
        within.update(dict.fromkeys(around, len(block.text)))
        density.update({box: len(block.text) >> depth for depth, box in enumerate(around[:2])})
    least = _LEAST_SHARE * sum(len(block.text) for block in blocks)
    chosen = _marked(page, within, least)
    if chosen is None and density:
        chosen = max(density, key=lambda box: density[box])
    return [block for block in blocks if chosen is None or chosen in _around(page, block.box)]


def _marked(page: Page, within: Counter[int], least: float) -> int | None:
    """The largest region that the page's author marked as the story, if it is large enough."""
    kinds = (
        [index for index, box in enumerate(page.boxes) if box.story],
        [index for index, box in enumerate(page.boxes) if box.tag == "article"],
        [index for index, box in enumerate(page.boxes) if box.tag == "main"],
    )
    for regions in kinds:
        largest = max(regions, key=lambda index: within[index], default=None)
        if largest is not None and within[largest] and within[largest] >= least:
            return largest
    return None


def _around(page: Page, box: int) -> Iterator[int]:
    while box >= 0:
        yield box
        box = page.boxes[box].parent


def _is_prose(block: Block) -> bool:
    if block.linked > _MOST_LINKED * len(block.text):
        return False
    if block.tag in PARAGRAPHS:
        return True
    return len(block.text) >= _LEAST_LOOSE or _SENTENCE_END.search(block.text) is not None


def _about(page: Page) -> Metadata:
    source = page.meta.get("og:site_name") or page.meta.get("application-name")
    title = next((page.meta[name] for name in _TITLE if name in page.meta), None)
    title = title or page.titles.get("h1") or page.titles.get("title")
    title = " ".join((title or "").split())
    if source:
        title = re.sub(rf" [|:·–—-] {re.escape(source)}$", "", title)
    if not source and (address := page.canonical or page.meta.get("og:url")):
        source = (urlsplit(address).hostname or "").removeprefix("www.")
    return Metadata(title=title or None, date=_date(page), source=source or None)


def _date(page: Page) -> str | None:
    stated = [page.meta[name] for name in _DATE if name in page.meta]
    linked = _LINKED_DATE.findall("".join(page.linked_data))
    dates = (iso_date(value) for value in (*stated, *linked, *page.times))
    return next((date for date in dates if date), None)


def iso_date(written: str) -> str | None:
    """A date as pages write it, in ISO 8601; None if it is not recognised."""
    written = " ".join(written.split())
    moment = _moment(written)
    if moment is None:
        return None
    return moment.isoformat() if ":" in written else moment.date().isoformat()


def _moment(written: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(written)
    for form in _FORMS:
        with suppress(ValueError):
            return datetime.strptime(written, form)
    with suppress(ValueError):
        return parsedate_to_datetime(written)
    return None
