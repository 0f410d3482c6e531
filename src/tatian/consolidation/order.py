"""Order of the selected spans, the reason for each placement, and paragraph breaks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import reduce
from typing import Literal, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.consolidation.choice import Selection
from tatian.consolidation.telling import CoverageModel
from tatian.consolidation.units import Key, Unit
from tatian.text import Document
from tatian.text.dates import named_days, published

_PLACE = 1.0
"""Penalty per unit of distance from a block's expected relative position, 0 to 1."""
_LIKE = 1.0
"""Bonus for similarity to the block before, and half of it for similarity to the one after."""
_FOLLOWS = 0.8
"""Bonus for directly following the previous block of its source."""
_ANCHOR = 0.3
"""Bonus for following the span that covers the dropped sentence before it in its source."""
_LEANS = 2.5
"""Bonus as above, for a block that depends on that dropped sentence."""
_ELABORATES, _BESIDE = 0.6, 2.0
"""Least covered share at which a span elaborates another, and the bonus for following that one."""
_BEFORE = 0.5
"""Bonus for preceding a block whose dropped predecessor it covers, and penalty for blocks placed
between the two."""
_OVERTAKEN, _CAME = 1.0, 0.2
"""Penalty for an outcome placed before its forecast, and the least share of the forecast that it
covers."""
_TIME = 0.5
"""Penalty for standing before an earlier day, or after a later one."""
_PART, _PARTED = 0.5, 1.0
"""Penalties for separating blocks that belong together, and a block from one it depends on."""
_SAME = 0.5
"""Least similarity at which spans of different sources are at the same point of the story."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b(?!,\d)")
_SHORTEST, _MIDDLE, _LONGEST = 2, 4, 7
"""Sentences of a paragraph: minimum, length from which a weak link ends it, and maximum."""
_TOPIC, _LOOSE = 0.3, 0.45
"""Cohesion below which a new paragraph begins, and below which a longer one may end."""
_TOGETHER = 0.2
"""Cohesion bonus for blocks that are adjacent in their source."""

Floats = NDArray[np.float64]

Ground = Literal[
    "place", "like", "adds", "after", "day", "before", "expected", "follows", "leans", "order"
]
"""Reasons for a placement. place: position in the sources; like: similarity; adds: elaboration;
after: behind what covers its dropped predecessor; day: date; before: ahead of a block whose
predecessor it covers; expected: forecast before outcome; follows: behind its predecessor; leans:
dependency; order: order of the leading source."""
_GROUNDS: tuple[Ground, ...] = get_args(Ground)


class Placement(Struct, frozen=True):
    """Placement of a span: the reason for its position."""

    ground: Ground
    beside: Key | None = None
    """Anchor: the span that it resembles or elaborates."""
    section: str = ""
    """Reason for the position of its whole section; empty in the first one."""


_LEANING = Placement("leans")


class Ordered(Struct, frozen=True):
    """Spans in text order, grouped into paragraphs, with their placements."""

    paragraphs: list[tuple[Unit, ...]]
    placings: dict[Key, Placement]


class UnitBlock(Struct, frozen=True):
    """Spans of one source that stay together."""

    units: tuple[Unit, ...]
    day: date | None = None
    """First day that it names."""
    after: tuple[Key, ...] = ()
    """Spans that cover the dropped span before it in its source."""
    placing: Placement = Placement("order")


def order(
    accounts: Sequence[Sequence[Unit]],
    choice: Selection,
    telling: CoverageModel,
    days: Mapping[Key, date],
    later: Collection[int] = (),
    expected: Collection[Key] = (),
) -> Ordered:
    """Return the paragraphs: the first source in its order, with blocks of the others between.

    Each added block stands next to what it resembles most and separates as little as possible.
    Every source keeps its own order. Blocks of `later` sources (indices of those of a later day)
    are expected in the second half of the text. Forecasts (`expected`) stand before their outcomes.
    """
    places = _places(accounts, telling)
    for number in later:
        places |= {unit.key: (1 + places.get(unit.key, 0.0)) / 2 for unit in accounts[number]}
    first, *others = accounts
    told = _blocks(first, choice, days)
    for units in others:
        told = _woven(told, _blocks(units, choice, days), telling, places, expected)
    placings = {
        unit.key: block.placing if block.placing.ground == "order" or not number else _LEANING
        for block in told
        for number, unit in enumerate(block.units)
    }
    return Ordered(paragraphs(told, telling), placings)


def _blocks(units: Sequence[Unit], choice: Selection, days: Mapping[Key, date]) -> list[UnitBlock]:
    """Group the kept spans of a source into blocks, each span with those that depend on it."""
    found: list[list[Unit]] = []
    anchors: list[tuple[Key, ...]] = []
    before: Unit | None = None
    for unit in units:
        if unit.key in choice.kept:
            bound = before is not None and unit.leans and before.key in choice.kept
            if found and (bound or _same_pronoun(units, unit, found[-1][-1])):
                found[-1].append(unit)
            else:
                found.append([unit])
                anchors.append(choice.gone.get(before.key, ()) if before is not None else ())
        before = unit
    return [
        UnitBlock(tuple(block), next((days[u.key] for u in block if u.key in days), None), after)
        for block, after in zip(found, anchors, strict=True)
    ]


def _same_pronoun(units: Sequence[Unit], unit: Unit, last: Unit) -> bool:
    """Check whether all dropped spans between two have the same pronoun as the later one."""
    if unit.leans != "before" or not unit.says:
        return False
    between = units[units.index(last) + 1 : units.index(unit)]
    return all(one.says == unit.says for one in between)


def _places(accounts: Sequence[Sequence[Unit]], telling: CoverageModel) -> dict[Key, float]:
    """Return the expected relative position of each span, 0 to 1, averaged over all sources."""
    own = {
        unit.key: index / max(1, len(units) - 1)
        for units in accounts
        for index, unit in enumerate(units)
        if telling.knows(unit.key)
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
    told: list[UnitBlock],
    blocks: Sequence[UnitBlock],
    telling: CoverageModel,
    places: Mapping[Key, float],
    expected: Collection[Key] = (),
) -> list[UnitBlock]:
    """Merge two sequences of blocks in their orders, with the best total placement score."""
    if not told or not blocks:
        return told or list(blocks)
    home = {unit.key: number for number, block in enumerate(told) for unit in block.units}
    days = sorted((block.day, number) for number, block in enumerate(told) if block.day)
    steps = []
    spoke = []
    whole = _whole(told, telling)
    tellers = _tellers(told, blocks)
    total = np.zeros(len(told))
    for number, block in enumerate(blocks):
        best = np.maximum.accumulate(total)
        came = np.maximum.accumulate(np.where(total >= best, np.arange(len(told)), 0))
        stays = total + (_FOLLOWS if number and not block.after else 0.0)
        came = np.where(stays >= best, np.arange(len(told)), came)
        terms = (
            *_fits(block, len(told), home, days, telling, places),
            np.where(number == tellers, _BEFORE, 0.0),
            _too_soon(block, told, telling, expected),
        )
        total = np.maximum(best, stays) + reduce(np.add, terms)
        total -= whole + np.where(number > tellers, _BEFORE, 0.0)
        steps.append(came)
        spoke.append(_strongest(terms))
    gap = int(np.argmax(total))
    after: list[list[UnitBlock]] = [[] for _ in told]
    for number in reversed(range(len(blocks))):
        block, before = blocks[number], int(steps[number][gap])
        grounds, strengths = spoke[number]
        stayed = bool(number) and before == gap and not block.after
        follows = stayed and strengths[gap] < _FOLLOWS
        ground: Ground = "follows" if follows else _GROUNDS[grounds[gap]]
        placing = _placing(ground, block, gap, home, telling)
        after[gap].insert(0, replace(block, placing=placing))
        gap = before
    return [one for block, added in zip(told, after, strict=True) for one in (block, *added)]


def _whole(told: Sequence[UnitBlock], telling: CoverageModel) -> Floats:
    """Return the cost of separating each block from the next, higher where they cohere."""
    costs = np.zeros(len(told))
    for number in range(1, len(told)):
        held = _held(told, number, telling)
        leans = bool(told[number].units[0].leans)
        costs[number - 1] = _PARTED if leans else _PART * max(0.0, min(held, 1.0) - _TOPIC)
    return costs


def _tellers(told: Sequence[UnitBlock], blocks: Sequence[UnitBlock]) -> NDArray[np.int64]:
    """For each gap, return the new block that covers the next block's dropped predecessor."""
    home = {unit.key: number for number, block in enumerate(blocks) for unit in block.units}
    none = len(blocks)
    found = [home.get(block.after[0], none) if block.after else none for block in told]
    return np.array([*found[1:], none])


def _too_soon(
    block: UnitBlock, told: Sequence[UnitBlock], telling: CoverageModel, expected: Collection[Key]
) -> Floats:
    """Return the penalty at each gap for placing an outcome before its forecast."""
    costs = np.zeros(len(told))
    expects = _expects(block, expected)
    for number, other in enumerate(told) if expected else ():
        if _expects(other, expected) and _came_of(other, block, telling, expected):
            costs[:number] = -_OVERTAKEN
        if expects and _came_of(block, other, telling, expected):
            costs[number:] = -_OVERTAKEN
    return costs


def _expects(block: UnitBlock, expected: Collection[Key]) -> bool:
    return any(unit.key in expected for unit in block.units)


def _came_of(
    forecast: UnitBlock, block: UnitBlock, telling: CoverageModel, expected: Collection[Key]
) -> bool:
    """Check whether a block reports the outcome of something that another expected."""
    return any(
        telling.told(one.key, (two.key,)) > _CAME
        for one in forecast.units
        if one.key in expected
        for two in block.units
        if two.key not in expected and two.account != one.account
    )


def _fits(
    block: UnitBlock,
    count: int,
    home: Mapping[Key, int],
    days: Sequence[tuple[date, int]],
    telling: CoverageModel,
    places: Mapping[Key, float],
) -> tuple[Floats, ...]:
    """Score a block at the gap after each block of the text, one array per reason."""
    alike = np.zeros(count + 1)
    for unit in block.units:
        for other in telling.neighbours(unit.key):
            if other in home:
                value = telling.likeness(unit.key, other)
                alike[home[other]] = max(alike[home[other]], value)
    gaps = np.arange(1, count + 1) / count
    place = -_PLACE * np.abs(gaps - places[block.units[0].key])
    like = _LIKE * (alike[:-1] + 0.5 * alike[1:])
    adds, after, day = np.zeros(count), np.zeros(count), np.zeros(count)
    if (teller := _elaborated(block, home, telling)) is not None:
        adds[home[teller]] = _BESIDE
    for other in block.after[:1]:
        if other in home:
            after[home[other]] = _LEANS if block.units[0].leans else _ANCHOR
    if block.day is not None and days:
        day = -_TIME * _misplaced(block.day, count, days)
    return place, like, adds, after, day


def _strongest(terms: Sequence[Floats]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the reason that favours each gap most over the others, and by how much.

    Position in the source is a reason only where no other applies.
    """
    each = np.stack(terms[1:])
    more = each - each.mean(axis=1, keepdims=True) if each.shape[1] > 1 else each
    most = more.max(axis=0)
    return np.where(most > 0, more.argmax(axis=0) + 1, 0).astype(np.uint8), most.astype(np.float32)


def _placing(
    ground: Ground, block: UnitBlock, gap: int, home: Mapping[Key, int], telling: CoverageModel
) -> Placement:
    """Return the placement, with an anchor where the reason has one."""
    if ground == "adds":
        return Placement(ground, _elaborated(block, home, telling))
    if ground != "like":
        return Placement(ground)
    _, most = max(
        (telling.likeness(unit.key, other), other)
        for unit in block.units
        for other in telling.neighbours(unit.key)
        if other in home
    )
    return Placement("like", most) if home[most] in (gap, gap + 1) else Placement("place")


def _elaborated(block: UnitBlock, home: Mapping[Key, int], telling: CoverageModel) -> Key | None:
    """Return the span that covers most of a block of one span, if there is one."""
    if len(block.units) > 1 or block.units[0].leans:
        return None
    key = block.units[0].key
    near = [(telling.told(key, (one,)), one) for one in telling.tellers(key) if one in home]
    share, teller = max(near, default=(0.0, key))
    return teller if share > _ELABORATES else None


def _misplaced(day: date, count: int, days: Sequence[tuple[date, int]]) -> Floats:
    """For each gap, return the share of dated blocks on whose wrong side a day would stand."""
    wrong = np.zeros(count)
    earlier = days[: bisect_left(days, (day, -1))]
    later = days[bisect_right(days, (day, count)) :]
    for _, number in earlier:
        wrong[:number] += 1
    for _, number in later:
        wrong[number:] += 1
    return wrong / len(days)


def paragraphs(blocks: Sequence[UnitBlock], telling: CoverageModel) -> list[tuple[Unit, ...]]:
    """Group blocks into paragraphs: break where the topic changes, never inside a block."""
    found: list[list[Unit]] = []
    size = 0
    for number, block in enumerate(blocks):
        held = _held(blocks, number, telling) if number else 0.0
        long = size >= _LONGEST or (size >= _MIDDLE and held < _LOOSE) or held < _TOPIC
        if not number or (size >= _SHORTEST and long):
            found.append([])
            size = 0
        found[-1].extend(block.units)
        size += sum(len(unit.bodies) for unit in block.units)
    return [tuple(units) for units in found]


def _held(blocks: Sequence[UnitBlock], number: int, telling: CoverageModel) -> float:
    """Return a block's cohesion with those before it, from similarity and source layout."""
    before, after = blocks[max(0, number - 2) : number], blocks[number : number + 2]
    alike = max(
        telling.likeness(one.key, two.key)
        for block in before
        for one in block.units
        for other in after
        for two in other.units
    )
    last, first = before[-1].units[-1], after[0].units[0]
    if last.account != first.account or first.indices[0] != last.indices[-1] + 1:
        return alike
    if first.opens is None:
        return alike + _TOGETHER
    return _TOPIC / 2 if first.opens else 1.0


def days_of(units: Iterable[Unit], documents: Sequence[Document]) -> dict[Key, date]:
    """Return the first day that a span names, or else the middle of the first year, if any."""
    found = {}
    for unit in units:
        document = documents[unit.account]
        named = named_days(document.tokens_in(unit.bodies[0]), published(document))
        if named:
            found[unit.key] = named[min(named)]
        elif year := _YEAR.search(unit.text):
            found[unit.key] = date(int(year[0]), 7, 1)
    return found
