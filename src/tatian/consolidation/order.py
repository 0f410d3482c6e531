"""In which order the chosen units are told, and where paragraphs end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.consolidation.telling import Telling
from tatian.consolidation.units import Key, Unit
from tatian.text import Document
from tatian.text.dates import named_days, published

_PLACE = 1.0
"""What distance from its place in the accounts counts for a block."""
_LIKE = 1.0
"""What being like the block before counts for, and half of it like the one after."""
_FOLLOWS = 0.4
"""What standing where its own account has it counts for."""
_TIME = 0.7
"""What standing before an earlier day, or after a later one, counts for."""
_SAME = 0.5
"""The likeness from which units of different accounts are at the same place of the story."""
_LONGEST = 6
"""Sentences after which a paragraph ends where it can."""
_SHORTEST = 2
"""Sentences before which it does not end."""
_TOPIC = 0.3
"""The likeness under which a new paragraph begins."""

Floats = NDArray[np.float64]


class Block(Struct, frozen=True):
    """Units of one account that stay together."""

    units: tuple[Unit, ...]
    day: date | None = None
    """The first day that it names."""


def order(
    accounts: Sequence[Sequence[Unit]],
    kept: frozenset[Key],
    telling: Telling,
    days: Mapping[Key, date],
) -> list[Block]:
    """The first account in its own order, the blocks of the others where they fit best.

    Every account keeps its own order.
    """
    places = _places(accounts, telling)
    first, *others = accounts
    told = _blocks(first, kept, days)
    for units in others:
        told = _woven(told, _blocks(units, kept, days), telling, places)
    return told


def _blocks(
    units: Sequence[Unit], kept: frozenset[Key], days: Mapping[Key, date]
) -> list[Block]:
    """What stays of an account, each unit with those that lean on it."""
    blocks: list[list[Unit]] = []
    before: Unit | None = None
    for unit in units:
        if unit.key in kept:
            if before is not None and unit.leans and before.key in kept:
                blocks[-1].append(unit)
            else:
                blocks.append([unit])
        before = unit
    return [
        Block(tuple(block), next((days[unit.key] for unit in block if unit.key in days), None))
        for block in blocks
    ]


def _places(accounts: Sequence[Sequence[Unit]], telling: Telling) -> dict[Key, float]:
    """From 0 to 1, where all accounts together would tell a unit."""
    own = {
        unit.key: index / max(1, len(units) - 1)
        for units in accounts
        for index, unit in enumerate(units)
    }
    found = {}
    for key, place in own.items():
        total, weight = place, 1.0
        for other in telling.tellers(key):
            alike = telling.likeness(key, other)
            if alike > _SAME and other in own:
                total += alike**4 * own[other]
                weight += alike**4
        found[key] = total / weight
    return found


def _woven(
    told: list[Block], blocks: Sequence[Block], telling: Telling, places: Mapping[Key, float]
) -> list[Block]:
    """Two sequences as one, each in its own order, every block beside what it is most like."""
    if not told or not blocks:
        return told or list(blocks)
    home = {unit.key: number for number, block in enumerate(told) for unit in block.units}
    days = sorted((block.day, number) for number, block in enumerate(told) if block.day)
    steps = []
    total = np.zeros(len(told))
    for number, block in enumerate(blocks):
        best = np.maximum.accumulate(total)
        came = np.maximum.accumulate(
            np.where(total >= best, np.arange(len(told)), 0)
        )
        stays = total + _FOLLOWS if number else total
        came = np.where(stays >= best, np.arange(len(told)), came)
        total = np.maximum(best, stays) + _fits(block, len(told), home, days, telling, places)
        steps.append(came)
    gap = int(np.argmax(total))
    after: list[list[Block]] = [[] for _ in told]
    for block, came in zip(reversed(blocks), reversed(steps), strict=True):
        after[gap].insert(0, block)
        gap = int(came[gap])
    return [one for block, added in zip(told, after, strict=True) for one in (block, *added)]


def _fits(
    block: Block,
    count: int,
    home: Mapping[Key, int],
    days: Sequence[tuple[date, int]],
    telling: Telling,
    places: Mapping[Key, float],
) -> Floats:
    """How well a block stands after each of the blocks that are told already."""
    alike = np.zeros(count + 1)
    for unit in block.units:
        for other in telling.neighbours(unit.key):
            if other in home:
                value = telling.likeness(unit.key, other)
                alike[home[other]] = max(alike[home[other]], value)
    gaps = np.arange(1, count + 1) / count
    fits: Floats = _LIKE * (alike[:-1] + 0.5 * alike[1:]) - _PLACE * np.abs(
        gaps - places[block.units[0].key]
    )
    if block.day is not None and days:
        fits -= _TIME * _misplaced(block.day, count, days)
    return fits


def _misplaced(day: date, count: int, days: Sequence[tuple[date, int]]) -> Floats:
    """After each block, the share of dated ones that a day would stand on the wrong side of."""
    wrong = np.zeros(count)
    earlier = days[: bisect_left(days, (day, -1))]
    later = days[bisect_right(days, (day, count)) :]
    for _, number in earlier:
        wrong[:number] += 1
    for _, number in later:
        wrong[number:] += 1
    return wrong / len(days)


def paragraphs(blocks: Sequence[Block], telling: Telling) -> list[tuple[Unit, ...]]:
    """The units in paragraphs: a new one where the topic changes, never inside a block."""
    found: list[list[Unit]] = []
    before: Block | None = None
    for block in blocks:
        size = sum(len(unit.bodies) for unit in found[-1]) if found else 0
        fresh = size >= _LONGEST or (
            size >= _SHORTEST and before is not None and _like(block, before, telling) < _TOPIC
        )
        if before is None or fresh:
            found.append(list(block.units))
        else:
            found[-1].extend(block.units)
        before = block
    return [tuple(units) for units in found]


def _like(block: Block, other: Block, telling: Telling) -> float:
    return max(telling.likeness(a.key, b.key) for a in block.units for b in other.units)


def days_of(units: Iterable[Unit], documents: Sequence[Document]) -> dict[Key, date]:
    """The day that a unit names first, if it names any."""
    found = {}
    for unit in units:
        document = documents[unit.account]
        named = named_days(document.tokens_in(unit.bodies[0]), published(document))
        if named:
            found[unit.key] = named[min(named)]
    return found
