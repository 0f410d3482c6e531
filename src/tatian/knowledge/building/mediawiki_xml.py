"""Division of a MediaWiki export into batches of whole pages, and parsing of a batch.

The cut is at the bytes ``</page>``, which wikitext inside an export cannot contain (it is escaped).
So the process that reads the file does little, and the workers parse the XML.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError, iterparse

from msgspec import Struct, structs

from tatian import limits
from tatian.errors import InputError
from tatian.text.streams import Stream

BATCH = 1 << 20
"""Bytes of XML per batch."""

_PACKED = 1 << 18
"""Packed bytes per batch."""
_STREAM = re.compile(rb"BZh[1-9]1AY&SY")
"""Beginning of a bzip2 stream: 80 bits, which packed bytes hardly ever have by chance."""
_OPEN, _CLOSE = b"<page", b"</page>"
_CUT = b"</text></revision></page>"
"""End of a page that is cut, nearly always in its text."""


class Batch(Struct, frozen=True):
    """Whole pages as bytes, and their place in the file."""

    data: bytes
    offset: int
    """Uncompressed bytes before it."""
    line: int
    """Lines before it."""
    number: int
    done: int = 0
    """Bytes of the compressed file that were read for it."""
    cut: int = 0
    """Bytes that were left out of the only page, which is too long."""
    packed: bool = False
    """True if `data` are bzip2 streams that hold the pages; `offset` counts packed bytes then."""
    last: bool = False
    """True if the export must end in a packed batch."""


class RawPage(Struct, frozen=True):
    """A page as the export has it."""

    title: str
    namespace: int = 0
    redirect: str = ""
    text: str = ""
    model: str = "wikitext"


def batches(stream: Stream) -> Iterator[Batch]:
    """Yield the pages of an export in batches of about a megabyte; raise if it is cut off.

    Where every bzip2 stream begins with a page, as in Wikipedia's multistream files, they stay
    packed: unpacking takes one process longer than many need to read the pages.
    """
    starts = _stream_starts(stream.raw.peek())
    if starts and all(start.lstrip().startswith((_OPEN, b"</mediawiki")) for start in starts):
        yield from _compressed_batches(stream)
        return
    unread = stream.take(BATCH)
    start = unread.find(_OPEN)
    while start < 0 and len(unread) < limits.WIKI_PAGE_BYTES and (data := stream.take(BATCH)):
        unread += data
        start = unread.find(_OPEN)
    if start < 0:
        _check_head(unread, stream)
        return
    offset, line = start, unread.count(b"\n", 0, start)
    unread = unread[start:]
    number = 0
    ended = False
    while not ended:
        data = stream.take(BATCH)
        ended = not data
        unread += data
        last = unread.rfind(_CLOSE)
        cut = 0
        if last < 0 and len(unread) > limits.WIKI_PAGE_BYTES:
            kept = unread[: unread.rfind(b"\n", 0, limits.WIKI_PAGE_BYTES) + 1]
            unread, skipped, lines = _skip_page(stream, unread)
            cut = skipped - len(kept)
            yield Batch(kept, offset, line, number, stream.position, cut)
            offset, line, number = offset + skipped, line + lines, number + 1
            continue
        if last >= 0 and (len(unread) >= BATCH or ended):
            end = last + len(_CLOSE)
            pages, unread = unread[:end], unread[end:]
            yield Batch(pages, offset, line, number, stream.position)
            offset, line, number = offset + end, line + pages.count(b"\n"), number + 1
    if not unread.strip().startswith(b"</mediawiki"):
        message = f"the export ends inside a page, after {offset:,} bytes of whole pages"
        advice = "the file was cut off. Download it again, or use what came before"
        raise InputError(f"{message}: {advice}", path=stream.name, line=line + 1)


def _stream_starts(head: bytes) -> list[bytes]:
    """Return the beginning of each bzip2 stream after the first, as far as visible."""
    places = [match.start() for match in _STREAM.finditer(head)]
    try:
        contents = (bz2.BZ2Decompressor().decompress(head[place:]) for place in places[1:])
        return [content[:64] for content in contents if content]
    except (OSError, ValueError):
        return []


def _streams(stream: Stream) -> Iterator[bytes]:
    """Yield the compressed bytes of a bzip2 file in pieces of whole streams."""
    unread = b""
    while data := stream.raw.read(BATCH):
        unread += data
        at = 0
        while match := _STREAM.search(unread, at + _PACKED):
            yield unread[at : match.start()]
            at = match.start()
        unread = unread[at:]
    yield unread


def _compressed_batches(stream: Stream) -> Iterator[Batch]:
    before, offset = b"", 0
    for number, data in enumerate(_streams(stream)):
        if number:
            yield Batch(before, offset, 0, number - 1, stream.position, packed=True)
            offset += len(before)
        before = data
    yield Batch(before, offset, 0, number, stream.position, packed=True, last=True)


def _decompress(batch: Batch, path: str) -> Batch:
    """Return the batch unpacked, without the text around the export's first and last page."""
    try:
        data = bz2.decompress(batch.data)
    except (OSError, ValueError) as error:
        message = f"the compressed file is damaged or was cut off after {batch.offset:,} bytes"
        advice = f"{error}. Download it again and compare its checksum"
        raise InputError(f"{message}: {advice}", path=path) from error
    end = data.rfind(_CLOSE) + len(_CLOSE) if _CLOSE in data else 0
    if batch.last and not data[end:].strip().startswith(b"</mediawiki"):
        raise InputError("the export does not end: the file was cut off", path=path)
    return structs.replace(batch, data=data[max(data.find(_OPEN), 0) : end], packed=False)


def _skip_page(stream: Stream, unread: bytes) -> tuple[bytes, int, int]:
    """Return the text after a page too long to hold, and its number of bytes and lines."""
    skipped, lines = 0, 0
    while (end := unread.find(_CLOSE)) < 0:
        passed = len(unread) - len(_CLOSE)
        lines += unread.count(b"\n", 0, passed)
        skipped += passed
        data = stream.take(BATCH)
        if not data:
            return b"", skipped, lines
        unread = unread[passed:] + data
    end += len(_CLOSE)
    return unread[end:], skipped + end, lines + unread.count(b"\n", 0, end)


def _check_head(head: bytes, stream: Stream) -> None:
    if b"<mediawiki" not in head:
        message = "not a MediaWiki export: it should begin with <mediawiki ...>"
        raise InputError(message, path=stream.name, line=1)
    if b"</mediawiki" not in head:
        message = "the export ends before its first page: the file was cut off"
        raise InputError(message, path=stream.name)


def pages_of(batch: Batch, path: str) -> list[RawPage]:
    """Parse the pages of a batch; of several revisions of a page, the last."""
    if batch.packed:
        batch = _decompress(batch, path)
    end = _CUT if batch.cut else b""
    export = BytesIO(b"<mediawiki>" + batch.data + end + b"</mediawiki>")
    pages: list[RawPage] = []
    page = Element("page")
    try:
        for event, element in iterparse(export, ("start", "end")):
            if event == "start" and element.tag == "page":
                page = element
            elif event == "end" and element is page:
                pages.append(_page(page))
    except ParseError as error:
        line, column = error.position
        if batch.cut and line > batch.data.count(b"\n"):
            return [_page(page)]
        lines = export.getvalue().split(b"\n")
        parsed = lines[line - 1].decode("utf-8", "replace")[:column].encode()
        start = sum(map(len, lines[: line - 1])) + line - 1 + len(parsed) - len(b"<mediawiki>")
        after = f"after the page '{pages[-1].title}'" if pages else "in its first page"
        message = f"broken XML at byte {batch.offset + start:,}, {after}: {error}"
        raise InputError(message, path=path, line=batch.line + line) from error
    return pages


def _page(page: Element) -> RawPage:
    children = {element.tag: element for element in page.iter()}

    def text(name: str) -> str:
        return (children[name].text or "") if name in children else ""

    space = text("ns").strip()
    return RawPage(
        title=text("title").strip(),
        namespace=int(space) if space.lstrip("-").isdigit() else 0,
        redirect=children["redirect"].get("title", "") if "redirect" in children else "",
        text=text("text"),
        model=text("model").strip() or "wikitext",
    )
