"""Chains that a response divides, joins, lacks or invents, as lists of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from tatian.coreference.comparing.kinds import Kind
from tatian.coreference.comparing.result import Compared, Side, Torn

ABSENT = "–"
"""Instead of a chain's number: the other side does not have these mentions."""


class Group(Struct, frozen=True):
    """Mentions that are together in one chain."""

    label: str
    """What that chain is called, or `ABSENT`."""
    words: tuple[str, ...]


class Item(Struct, frozen=True):
    """One chain and how its mentions lie on the other side."""

    label: str
    groups: tuple[Group, ...]


class Listing(Struct, frozen=True):
    """The chains that have one kind of error."""

    kind: Kind
    title: str
    verb: str
    """What an item's chain does with its groups."""
    items: tuple[Item, ...]


def listings(compared: Compared, kinds: Iterable[Kind]) -> list[Listing]:
    """What there is to list of these kinds."""
    chosen = set(kinds)
    found = [listing for listing in _all(compared) if listing.kind in chosen]
    return [listing for listing in found if listing.items]


def _all(compared: Compared) -> Iterator[Listing]:
    key, response, text = compared.key, compared.response, compared.text
    yield Listing(
        "divided-entity",
        "Split: chains of the key in several chains of the response",
        "lies in",
        tuple(_torn(one, key, response, text) for one in compared.split),
    )
    yield Listing(
        "conflated-entity",
        "Merged: chains of the response that hold several of the key",
        "holds",
        tuple(_torn(one, response, key, text) for one in compared.merged),
    )
    yield Listing(
        "missing-entity",
        "Missed: chains of the key that the response has nothing of",
        "",
        tuple(_whole(key, chain, text) for chain in compared.missed_chains),
    )
    yield Listing(
        "extra-entity",
        "Invented: chains of the response that the key has nothing of",
        "",
        tuple(_whole(response, chain, text) for chain in compared.invented_chains),
    )


def _torn(torn: Torn, side: Side, other: Side, text: str) -> Item:
    groups = [
        Group(other.labels[part.chain], _words(side, part.mentions, text)) for part in torn.parts
    ]
    if torn.alone:
        groups.append(Group(ABSENT, _words(side, torn.alone, text)))
    return Item(side.labels[torn.chain], tuple(groups))


def _whole(side: Side, chain: int, text: str) -> Item:
    words = _words(side, side.members[chain], text)
    return Item(side.labels[chain], (Group(side.labels[chain], words),))


def _words(side: Side, mentions: Iterable[int], text: str) -> tuple[str, ...]:
    return tuple(side.mentions[index].of(text) for index in mentions)


def some(number: int, thing: str) -> str:
    """``1 chain``, ``2,000 chains``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
