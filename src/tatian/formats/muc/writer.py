"""Writer of MUC SGML: unchanged documents are copied, others get new COREF tags only."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import NamedTuple

from tatian.errors import InputError
from tatian.formats import ORIGINAL
from tatian.formats.muc.elements import (
    COREF,
    SECTIONS,
    TABLE_MARK,
    Element,
    ScannedDocument,
    escape,
    find_markup,
    quote,
)
from tatian.formats.muc.links import (
    ChainKey,
    KnownMarkables,
    can_nest,
    chain_key,
    markables_of,
    place_of,
    reading_order,
)
from tatian.formats.muc.markables import MARKABLES, Markable, Markup, chains_of
from tatian.formats.muc.reader import NAME, read_scanned
from tatian.formats.muc.scanner import scan
from tatian.grouping import grouped
from tatian.text import CHAINS, Chain, Document, Span


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield one text for each document; a file without a DOC element gets one beside others."""
    remaining = iter(documents)
    first_two = list(islice(remaining, 2))
    for document in chain(first_two, remaining):
        text = _format(document)
        is_alone = len(first_two) < 2 or any(piece.name == "DOC" for piece in find_markup(text))
        yield text if is_alone else f"<DOC ID={quote(document.id)}>\n{text}\n</DOC>\n"


class _Base(NamedTuple):
    """A document as it was read, with its source."""

    source: str
    scanned: ScannedDocument
    markables: tuple[Markable, ...]
    sections: tuple[Span, ...]


def _base(document: Document) -> _Base | None:
    """Return the source of the document, if that was a MUC file."""
    for original in document.get(ORIGINAL, ()):
        if original.format == NAME:
            (scanned,) = scan(original.text).documents
            former = read_scanned(scanned, original.text, document.metadata.path)
            if former.text == document.text:
                elements = (element for element in scanned.elements if element.name in SECTIONS)
                sections = tuple(element.content for element in elements)
                return _Base(original.text, scanned, former.get(MARKABLES), sections)
    return None


def _format(document: Document) -> str:
    base = _base(document)
    markables = _markables(document, base)
    if base is None:
        return _new_text(document, markables)
    former = frozenset(base.markables)
    if len(markables) == len(former) and former.issuperset(markables):
        return base.source
    elements = {element.id: element for element in base.scanned.corefs}
    kept = {markable.id: elements[markable.id] for markable in markables if markable in former}
    return retag(base.scanned, base.source, markables, kept)


def _markables(document: Document, base: _Base | None) -> list[Markable]:
    """Return the markables to write, in reading order: the document's, if they fit its chains.

    If they differ, the layer that was changed after reading counts, or else the chains.
    """
    former, sections = (base.markables, base.sections) if base else ((), ())
    current = document.get(MARKABLES, ())
    if current != former:
        _validate(current, document)
    chains = document.get(CHAINS, chains_of(current))
    if current != former and _same(chains, chains_of(former)):
        chains = chains_of(current)
    if _same(chains, chains_of(current)) and (current == former or can_nest(current, sections)):
        return sorted(current, key=reading_order)
    marked = current or former
    ids = {place_of(markable): markable.id for markable in marked}
    earlier = KnownMarkables(ids, _by_chain(marked), sections)
    return markables_of(document.text, chains, earlier)


def _validate(markables: Sequence[Markable], document: Document) -> None:
    try:
        Markup(tuple(markables)).check(document.text)
    except ValueError as error:
        raise InputError(f"document '{document.id}' cannot be written: {error}") from error


def _same(first: Sequence[Chain], second: Sequence[Chain]) -> bool:
    """Return whether two sets of chains are the same for MUC."""
    return Counter(chain_key(chain.mentions) for chain in first) == Counter(
        chain_key(chain.mentions) for chain in second
    )


def _by_chain(markables: Sequence[Markable]) -> dict[ChainKey, tuple[Markable, ...]]:
    """Return the markables of each chain; none if a string is marked twice."""
    places = {place_of(markable): markable for markable in markables}
    if len(places) < len(markables):
        return {}
    return {
        chain_key(chain.mentions): tuple(places[place_of(mention)] for mention in chain.mentions)
        for chain in chains_of(markables)
    }


def _new_text(document: Document, markables: Sequence[Markable]) -> str:
    """Return new SGML for a document that was not read from SGML: its id and its text."""
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
    """Return a span of text as SGML; an @ that would begin a line of a table as an entity."""
    written: list[str] = []
    for table_mark in TABLE_MARK.finditer(text, start, end):
        written += [escape(text[start : table_mark.start()]), "&#64;"]
        start = table_mark.end()
    return "".join([*written, escape(text[start:end])])


Event = tuple[Markable, bool]
"""A markable, and True where it begins, False where it ends."""
CLOSING = f"</{COREF}>"


def opening_tag(markable: Markable, text: str) -> str:
    """Return ``<COREF ID="3" TYPE="IDENT" REF="1" MIN="..." STATUS="OPT">``."""
    written = f"<{COREF} ID={quote(markable.id)}"
    if markable.antecedent is not None:
        written += f' TYPE="IDENT" REF={quote(markable.antecedent)}'
    if markable.head is not None:
        written += f" MIN={quote(' '.join(markable.head.of(text).split()))}"
    return written + (' STATUS="OPT">' if markable.optional else ">")


def events(markables: Sequence[Markable]) -> Iterator[Event]:
    """Yield the tags in order; markables are in reading order, nested or disjoint."""
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
    """Return `source` with new COREF tags; those of `kept` markables (by id) stay as they were.

    Kept tags also keep their place. New ones nest with the other elements where they can, and stay
    close to their phrase.
    """
    tags = [
        span
        for coref in scanned.corefs
        for span in ((coref.start, coref.opened), (coref.closing, coref.end))
    ]
    tags.sort()
    starts = [start for start, _ in tags]
    lengths = [0, *accumulate(end - start for start, end in tags)]
    text_starts, text_ends = (0, *(end for _, end in tags)), (*starts, len(source))
    untagged = "".join(source[start:end] for start, end in zip(text_starts, text_ends, strict=True))

    def untagged_place(place: int) -> int:
        """Return a source offset (never inside a tag) after the old tags are removed."""
        return place - lengths[bisect_right(starts, place - 1)]

    sequence = list(events(markables))
    wide = _wide(scanned)
    places: list[int] = []
    for placer in (_keeping(kept, wide), wide, _tight(scanned)):
        places = [untagged_place(placer(*event)) for event in sequence]
        if places == sorted(places):
            break
    pieces: list[str] = []
    at = 0
    for (markable, opens), place in zip(sequence, places, strict=True):
        element = kept.get(markable.id)
        pieces.append(untagged[at:place])
        if element is None:
            pieces.append(opening_tag(markable, scanned.text) if opens else CLOSING)
        elif opens:
            pieces.append(source[element.start : element.opened])
        else:
            pieces.append(source[element.closing : element.end])
        at = place
    return "".join([*pieces, untagged[at:]])


Placer = Callable[[Markable, bool], int]
"""Returns the source offset of a markable's opening tag (with True), or of its closing tag."""


def _tight(scanned: ScannedDocument) -> Placer:
    """Return a function that places tags directly at the phrase."""
    layout = scanned.layout

    def place(markable: Markable, opens: bool) -> int:
        return layout.before(markable.start) if opens else layout.after(markable.end)

    return place


def _wide(scanned: ScannedDocument) -> Placer:
    """Return a function that places tags around elements at the phrase's edges."""
    tight = _tight(scanned)
    others = [e for e in scanned.elements if e.name != COREF and e.closed and len(e.content)]
    beginning = grouped((element.content.start, element) for element in others)
    ending = grouped((element.content.end, element) for element in others)

    def place(markable: Markable, opens: bool) -> int:
        near = tight(markable, opens)
        start, end = place_of(markable)
        if opens:
            inner = (item.start for item in beginning.get(start, ()) if item.content.end < end)
            return min([near, *inner])
        inner = (item.end for item in ending.get(end, ()) if item.content.start > start)
        return max([near, *inner])

    return place


def _keeping(kept: dict[str, Element], otherwise: Placer) -> Placer:
    """Return a function that keeps the old places of tags."""

    def place(markable: Markable, opens: bool) -> int:
        element = kept.get(markable.id)
        if element is None:
            return otherwise(markable, opens)
        return element.start if opens else element.closing

    return place
