"""Writes documents as MUC SGML: untouched ones as they were, changed ones with new tags only."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from tatian.errors import InputError
from tatian.formats.format import ORIGINAL
from tatian.formats.muc.elements import (
    COREF,
    SECTIONS,
    TABLE_MARK,
    Element,
    ScannedDocument,
    escape,
    pieces,
    quote,
)
from tatian.formats.muc.links import (
    ChainKey,
    KnownMarkables,
    Place,
    key_of,
    markables_of,
    nests,
    place_of,
    reading_order,
)
from tatian.formats.muc.markables import MARKABLES, Markable, Markup, chains_of
from tatian.formats.muc.reader import NAME, read_scanned
from tatian.formats.muc.scanner import scan
from tatian.text import CHAINS, Chain, Document, Span


def write(documents: Iterable[Document]) -> Iterator[str]:
    """One text for each document; a file that had no DOC element gets one beside others."""
    written = iter(documents)
    first = next(written, None)
    if first is None:
        return
    second = next(written, None)
    if second is None:
        yield _written(first)
        return
    for document in chain([first, second], written):
        yield _apart(document, _written(document))


def _apart(document: Document, text: str) -> str:
    """A text that stays a document of its own when others follow."""
    if any(piece.name == "DOC" for piece in pieces(text)):
        return text
    return f"<DOC ID={quote(document.id)}>\n{text}\n</DOC>\n"


class _Base(NamedTuple):
    """A document as it was read, with its source."""

    source: str
    scanned: ScannedDocument
    markables: tuple[Markable, ...]
    borders: tuple[Span, ...]


def _base(document: Document) -> _Base | None:
    """What the document was read from, if that was a MUC file."""
    for original in document.get(ORIGINAL) if document.has(ORIGINAL) else ():
        if original.format == NAME:
            (scanned,) = scan(original.text).documents
            former = read_scanned(scanned, original.text, document.metadata.path)
            if former.text == document.text:
                sections = (one for one in scanned.elements if one.name in SECTIONS)
                borders = tuple(section.content for section in sections)
                return _Base(original.text, scanned, former.get(MARKABLES), borders)
    return None


def _written(document: Document) -> str:
    base = _base(document)
    markables = _markables(document, base)
    if base is None:
        return _fresh(document, markables)
    former = frozenset(base.markables)
    if len(markables) == len(former) and former.issuperset(markables):
        return base.source
    elements = {element.id: element for element in base.scanned.corefs}
    kept = {one.id: elements[one.id] for one in markables if one in former}
    return retag(base.scanned, base.source, markables, kept)


def _markables(document: Document, base: _Base | None) -> list[Markable]:
    """What to mark, in reading order: the document's markables if they say what its chains say.

    Where they differ, the one counts that was changed since reading, or else the chains.
    """
    former, borders = (base.markables, base.borders) if base else ((), ())
    own = document.get(MARKABLES) if document.has(MARKABLES) else ()
    if own != former:
        _validate(own, document)
    chains = document.get(CHAINS) if document.has(CHAINS) else chains_of(own)
    if own != former and _same(chains, chains_of(former)):
        chains = chains_of(own)
    if _same(chains, chains_of(own)) and (own == former or nests(own, borders)):
        return sorted(own, key=reading_order)
    marked = own or former
    ids = {place_of(markable): markable.id for markable in marked}
    known = KnownMarkables(ids, _by_chain(marked), borders)
    return markables_of(document.text, chains, known)


def _validate(markables: Sequence[Markable], document: Document) -> None:
    try:
        Markup(tuple(markables)).check(document.text)
    except ValueError as error:
        raise InputError(f"document '{document.id}' cannot be written: {error}") from error


def _same(one: Sequence[Chain], other: Sequence[Chain]) -> bool:
    """Whether two sets of chains are the same for MUC."""
    return Counter(key_of(chain.mentions) for chain in one) == Counter(
        key_of(chain.mentions) for chain in other
    )


def _by_chain(markables: Sequence[Markable]) -> dict[ChainKey, tuple[Markable, ...]]:
    """The markables of each chain; of none where a string is marked twice."""
    places = {place_of(markable): markable for markable in markables}
    if len(places) < len(markables):
        return {}
    return {
        key_of(chain.mentions): tuple(places[place_of(mention)] for mention in chain.mentions)
        for chain in chains_of(markables)
    }


def _fresh(document: Document, markables: Sequence[Markable]) -> str:
    """A document that was never SGML: its id and its text, so that nothing is added to the text."""
    written = [f"<DOC>\n<DOCNO> {escape(document.id)} </DOCNO>\n<TXT>\n"]
    at = 0
    for markable, opens in events(markables):
        place = markable.start if opens else markable.end
        written.append(_content(document.text, at, place))
        written.append(opening_tag(markable, document.text) if opens else CLOSING)
        at = place
    written.append(_content(document.text, at, len(document.text)))
    return "".join([*written, "\n</TXT>\n</DOC>\n"])


def _content(text: str, start: int, end: int) -> str:
    """A stretch of text as SGML; an @ that would begin a line of a table as an entity."""
    written: list[str] = []
    for found in TABLE_MARK.finditer(text, start, end):
        written += [escape(text[start : found.start()]), "&#64;"]
        start = found.end()
    return "".join([*written, escape(text[start:end])])


Event = tuple[Markable, bool]
"""A markable begins (True) or ends."""
CLOSING = f"</{COREF}>"


def opening_tag(markable: Markable, text: str) -> str:
    """``<COREF ID="3" TYPE="IDENT" REF="1" MIN="..." STATUS="OPT">``."""
    written = f"<{COREF} ID={quote(markable.id)}"
    if markable.antecedent is not None:
        written += f' TYPE="IDENT" REF={quote(markable.antecedent)}'
    if markable.head is not None:
        written += f" MIN={quote(' '.join(markable.head.of(text).split()))}"
    return written + (' STATUS="OPT">' if markable.optional else ">")


def events(markables: Sequence[Markable]) -> Iterator[Event]:
    """The order in which tags must stand; markables in reading order, nested or apart."""
    open: list[Markable] = []
    for markable in markables:
        while open and open[-1].end <= markable.start:
            yield open.pop(), False
        yield markable, True
        open.append(markable)
    while open:
        yield open.pop(), False


def retag(
    scanned: ScannedDocument, source: str, markables: Sequence[Markable], kept: dict[str, Element]
) -> str:
    """`source` with its COREF tags replaced; those of `kept` markables (by id) as they were.

    Tags that are kept also keep their place, new ones stand so that they nest with the other
    elements where they can, and close to their phrase.
    """
    tags = [
        span for one in scanned.corefs for span in ((one.start, one.opened), (one.closing, one.end))
    ]
    tags.sort()
    starts = [start for start, _ in tags]
    lengths = [0, *accumulate(end - start for start, end in tags)]
    bare = _without(source, tags)

    def stripped(place: int) -> int:
        """Where a source offset (never inside a tag) is once the old tags are gone."""
        return place - lengths[bisect_right(starts, place - 1)]

    sequence = list(events(markables))
    wide = _wide(scanned)
    places: list[int] = []
    for choice in (_keeping(kept, wide), wide, _tight(scanned)):
        places = [stripped(choice(*event)) for event in sequence]
        if places == sorted(places):
            break
    pieces: list[str] = []
    at = 0
    for (markable, opens), place in zip(sequence, places, strict=True):
        element = kept.get(markable.id)
        pieces.append(bare[at:place])
        if element is None:
            pieces.append(opening_tag(markable, scanned.text) if opens else CLOSING)
        elif opens:
            pieces.append(source[element.start : element.opened])
        else:
            pieces.append(source[element.closing : element.end])
        at = place
    return "".join([*pieces, bare[at:]])


def _without(source: str, tags: Sequence[Place]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in tags:
        pieces.append(source[at:start])
        at = end
    return "".join([*pieces, source[at:]])


def _tight(scanned: ScannedDocument) -> Callable[[Markable, bool], int]:
    """Right at the phrase."""
    layout = scanned.layout

    def place(markable: Markable, opens: bool) -> int:
        return layout.before(markable.start) if opens else layout.after(markable.end)

    return place


def _wide(scanned: ScannedDocument) -> Callable[[Markable, bool], int]:
    """Around the elements that begin or end with the phrase but do not enclose it."""
    tight = _tight(scanned)
    beginning: dict[int, list[Element]] = {}
    ending: dict[int, list[Element]] = {}
    for element in scanned.elements:
        if element.name != COREF and element.closed and len(element.content):
            beginning.setdefault(element.content.start, []).append(element)
            ending.setdefault(element.content.end, []).append(element)

    def place(markable: Markable, opens: bool) -> int:
        near = tight(markable, opens)
        start, end = place_of(markable)
        if opens:
            inside = (one.start for one in beginning.get(start, ()) if one.content.end < end)
            return min(near, min(inside, default=near))
        within = (one.end for one in ending.get(end, ()) if one.content.start > start)
        return max(near, max(within, default=near))

    return place


def _keeping(
    kept: dict[str, Element], otherwise: Callable[[Markable, bool], int]
) -> Callable[[Markable, bool], int]:
    """Where the tags have stood."""

    def place(markable: Markable, opens: bool) -> int:
        element = kept.get(markable.id)
        if element is None:
            return otherwise(markable, opens)
        return element.start if opens else element.closing

    return place
