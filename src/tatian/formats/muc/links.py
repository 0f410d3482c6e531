"""Markables with ids and links from chains, as section 7 of the definition recommends.

Every mention points to the most recent one before it that is not optional. An optional mention
always needs a link: if it precedes every mention that is not optional, it points forward to the
first of those. Of two mentions at one place the longer one comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import TypeVar

from msgspec import Struct

from tatian.formats.muc.markables import Markable, inside, locate, needs_minimum
from tatian.grouping import grouped
from tatian.text import Chain, Mention, Span

S = TypeVar("S", bound=Mention | Markable)
Place = tuple[int, int]
ChainKey = frozenset[tuple[int, int, Span | None, bool]]


class KnownMarkables(Struct, frozen=True):
    """Markables of a document as it was read, kept if its chains are unchanged."""

    ids: dict[Place, str]
    chains: dict[ChainKey, tuple[Markable, ...]]
    sections: tuple[Span, ...] = ()
    """Sections of the source; no markable may cross the border of one."""


def chain_key(mentions: Iterable[Mention | Markable]) -> ChainKey:
    """Return a key by which MUC compares chains: places, heads, optionality."""
    return frozenset((item.start, item.end, item.head, item.optional) for item in mentions)


def place_of(span: Span) -> Place:
    """Return the place of any span."""
    return span.start, span.end


def reading_order(span: Span) -> Place:
    """Return a sort key in the order of opening tags: the outer phrase first."""
    return span.start, -span.end


def can_nest(spans: Iterable[Span], sections: tuple[Span, ...]) -> bool:
    """Return whether tags can mark all spans: nested or disjoint, and all different."""
    places = [Chain("", (Mention(span.start, span.end),)) for span in spans]
    return len(list(_writable(places, sections))) == len(places)


def markables_of(text: str, chains: Sequence[Chain], earlier: KnownMarkables) -> list[Markable]:
    """Return markables for `chains`, as far as MUC can express them, in reading order.

    Chains in `earlier` keep their links.
    """
    writable = list(_writable(chains, earlier.sections))
    groups = grouped((chain, mention) for mention, chain in writable)
    id_of = _id_allocator(earlier)
    ids = {place_of(mention): id_of(place_of(mention)) for mention, _ in writable}
    ordered = [mention for mention, _ in writable]
    following = {place_of(mention): index for index, mention in enumerate(ordered, start=1)}
    markables: list[Markable] = []
    for mentions in groups.values():
        kept = earlier.chains.get(chain_key(mentions))
        if kept is not None:
            markables.extend(kept)
            continue
        for mention, antecedent in recommend_antecedents(mentions):
            head = mention.head
            after = map(ordered.__getitem__, range(following[place_of(mention)], len(ordered)))
            if not (needs_minimum(text, mention, head) and _is_findable(text, mention, after)):
                head = None
            markables.append(
                Markable(
                    mention.start,
                    mention.end,
                    id=ids[place_of(mention)],
                    antecedent=ids[place_of(antecedent)] if antecedent else None,
                    head=head,
                    optional=mention.optional and antecedent is not None,
                )
            )
    return sorted(markables, key=reading_order)


def _is_findable(text: str, mention: Mention, after: Iterable[Span]) -> bool:
    """Return whether a reader would find a mention's head by MIN, with these spans `after` it."""
    head = mention.head
    nested = partial(inside, after, mention.end)
    located = locate(text, mention, head.of(text), nested) if head else None
    return head is not None and located is not None and place_of(located) == place_of(head)


def _writable(chains: Sequence[Chain], sections: tuple[Span, ...]) -> Iterator[tuple[Mention, int]]:
    """Yield the mentions that tags can mark, in reading order, with the index of their chain.

    None is empty (§3.6), no two are on one string (§1.1), and all nest.
    """
    mentions = [
        (mention, index) for index, chain in enumerate(chains) for mention in chain.mentions
    ]
    mentions.sort(key=lambda pair: reading_order(pair[0]))
    seen: set[Place] = set()
    ends: list[int] = []
    for mention, index in mentions:
        while ends and ends[-1] <= mention.start:
            ends.pop()
        if not len(mention) or place_of(mention) in seen or (ends and mention.end > ends[-1]):
            continue
        overlapping = (section for section in sections if mention.overlaps(section))
        if all(mention.contains(other) or other.contains(mention) for other in overlapping):
            seen.add(place_of(mention))
            ends.append(mention.end)
            yield mention, index


def _id_allocator(earlier: KnownMarkables) -> Callable[[Place], str]:
    """Return a function that gives every place its old id, or the next number."""
    taken = set(earlier.ids.values())
    highest = max((int(id) for id in taken if id.isascii() and id.isdigit()), default=0)
    numbers = count(highest + 1)
    return lambda place: earlier.ids.get(place) or str(next(numbers))


def recommend_antecedents(mentions: Sequence[S]) -> Iterator[tuple[S, S | None]]:
    """Yield each mention of one chain with its antecedent.

    If all are optional, the first has none and the others point to it.
    """
    certain = next((mention for mention in mentions if not mention.optional), None)
    if certain is None:
        first, *others = mentions
        yield first, None
        for mention in others:
            yield mention, first
        return
    latest: S | None = None
    for mention in mentions:
        yield mention, latest or (certain if mention.optional else None)
        if not mention.optional:
            latest = mention
