"""Puts COREF tags into a source without moving anything else in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from tatian.coreference.annotation import Markable
from tatian.coreference.data.muc.elements import COREF, Element, ScannedDocument
from tatian.coreference.data.muc.entities import quote
from tatian.coreference.data.muc.linking import Place, place_of

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
