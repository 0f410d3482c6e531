"""In which order the chosen units are told, why there, and where paragraphs end."""

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

from tatian.consolidation.choice import Choice
from tatian.consolidation.telling import Telling
from tatian.consolidation.units import Key, Unit
from tatian.text import Document
from tatian.text.dates import named_days, published

_PLACE = 1.0
"""What distance from its place in the accounts counts for a block."""
_LIKE = 1.0
"""What being like the block before counts for, and half of it like the one after."""
_FOLLOWS = 0.8
"""What standing where its own account has it counts for."""
_ANCHOR = 0.3
"""What standing after what tells what its account has before it counts for."""
_LEANS = 2.5
"""The same where it leans on that."""
_ELABORATES, _BESIDE = 0.6, 2.0
"""How much of a unit another must tell for it to add to that one, and what standing behind it
counts for."""
_BEFORE = 0.5
"""What standing before the block counts for whose account has told the same before it, and what it
costs others to stand between."""
_OVERTAKEN, _CAME = 1.0, 0.2
"""What standing before what was expected costs that which came of it, and how much of it that must
tell."""
_TIME = 0.5
"""What standing before an earlier day, or after a later one, counts for."""
_PART, _PARTED = 0.5, 1.0
"""What parting blocks costs that belong together, and of which one leans on the other."""
_SAME = 0.5
"""The likeness from which units of different accounts are at the same place of the story."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b(?!,\d)")
_SHORTEST, _MIDDLE, _LONGEST = 2, 4, 7
"""Sentences before which a paragraph does not end, ends where it hangs together loosely, ends."""
_TOPIC, _LOOSE = 0.3, 0.45
"""How closely a block belongs to those before it where a new paragraph begins, or may begin."""
_TOGETHER = 0.2
"""What standing together in an account counts for."""

Floats = NDArray[np.float64]

Ground = Literal[
    "place", "like", "adds", "after", "day", "before", "expected", "follows", "leans", "order"
]
"""What decides where a unit stands: its place in its account, what it is most like, what it tells
more of, what tells what its account has before it, its day, what another account has behind what it
tells, what was expected or came of that, the unit before it in its account, what it leans on, the
order of the account that leads."""
_GROUNDS: tuple[Ground, ...] = get_args(Ground)


class Placing(Struct, frozen=True):
    """Why a unit stands where it stands."""

    ground: Ground
    beside: Key | None = None
    """What it is like, or tells more of."""
    section: str = ""
    """Why its whole section stands there; nothing in the first one."""


_LEANING = Placing("leans")


class Ordered(Struct, frozen=True):
    """Units in the order in which they are told."""

    paragraphs: list[tuple[Unit, ...]]
    placings: dict[Key, Placing]


class UnitBlock(Struct, frozen=True):
    """Units of one account that stay together."""

    units: tuple[Unit, ...]
    day: date | None = None
    """The first day that it names."""
    after: tuple[Key, ...] = ()
    """The units that tell what stands before it in its account."""
    placing: Placing = Placing("order")


def order(
    accounts: Sequence[Sequence[Unit]],
    choice: Choice,
    telling: Telling,
    days: Mapping[Key, date],
    later: Collection[int] = (),
    expected: Collection[Key] = (),
) -> Ordered:
    """The paragraphs of the text: the first account in its order, the others' blocks between.

    What the others add stands beside what it is most like and breaks up as little as can be; every
    account keeps its own order. What an account of a later day tells (`later` has their places
    among the accounts) is looked for in the second half of the text. What was `expected` stands
    before what came of it.
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


def _blocks(units: Sequence[Unit], choice: Choice, days: Mapping[Key, date]) -> list[UnitBlock]:
    """What stays of an account, each unit with those that lean on it."""
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
    """Whether all that went between two units speaks of whom the later one speaks of."""
    if unit.leans != "before" or not unit.says:
        return False
    between = units[units.index(last) + 1 : units.index(unit)]
    return all(one.says == unit.says for one in between)


def _places(accounts: Sequence[Sequence[Unit]], telling: Telling) -> dict[Key, float]:
    """From 0 to 1, where all accounts together would tell a unit."""
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
    telling: Telling,
    places: Mapping[Key, float],
    expected: Collection[Key] = (),
) -> list[UnitBlock]:
    """Two sequences as one, each in its own order, every block beside what it is most like."""
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


def _whole(told: Sequence[UnitBlock], telling: Telling) -> Floats:
    """What it costs to part each block from the next: more where they belong together."""
    costs = np.zeros(len(told))
    for number in range(1, len(told)):
        held = _held(told, number, telling)
        leans = bool(told[number].units[0].leans)
        costs[number - 1] = _PARTED if leans else _PART * max(0.0, min(held, 1.0) - _TOPIC)
    return costs


def _tellers(told: Sequence[UnitBlock], blocks: Sequence[UnitBlock]) -> NDArray[np.int64]:
    """After each block, which one to come tells what the next one's account has before it."""
    home = {unit.key: number for number, block in enumerate(blocks) for unit in block.units}
    none = len(blocks)
    found = [home.get(block.after[0], none) if block.after else none for block in told]
    return np.array([*found[1:], none])


def _too_soon(
    block: UnitBlock, told: Sequence[UnitBlock], telling: Telling, expected: Collection[Key]
) -> Floats:
    """What it costs to stand after each block if what was expected comes later, or came of it."""
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
    forecast: UnitBlock, block: UnitBlock, telling: Telling, expected: Collection[Key]
) -> bool:
    """Whether a block tells what became of something that another expected."""
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
    telling: Telling,
    places: Mapping[Key, float],
) -> tuple[Floats, ...]:
    """How well a block stands after each of the blocks that are told already, by each ground."""
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
    """At each place the ground that speaks for it more than for the others, and how much more.

    A block's place in its account is a ground only where there is no other.
    """
    each = np.stack(terms[1:])
    more = each - each.mean(axis=1, keepdims=True) if each.shape[1] > 1 else each
    most = more.max(axis=0)
    return np.where(most > 0, more.argmax(axis=0) + 1, 0).astype(np.uint8), most.astype(np.float32)


def _placing(
    ground: Ground, block: UnitBlock, gap: int, home: Mapping[Key, int], telling: Telling
) -> Placing:
    """The ground, with the unit in question where the block stands beside one."""
    if ground == "adds":
        return Placing(ground, _elaborated(block, home, telling))
    if ground != "like":
        return Placing(ground)
    _, most = max(
        (telling.likeness(unit.key, other), other)
        for unit in block.units
        for other in telling.neighbours(unit.key)
        if other in home
    )
    return Placing("like", most) if home[most] in (gap, gap + 1) else Placing("place")


def _elaborated(block: UnitBlock, home: Mapping[Key, int], telling: Telling) -> Key | None:
    """The unit that tells most of what a block of one sentence tells, if there is one."""
    if len(block.units) > 1 or block.units[0].leans:
        return None
    key = block.units[0].key
    near = [(telling.told(key, (one,)), one) for one in telling.tellers(key) if one in home]
    share, teller = max(near, default=(0.0, key))
    return teller if share > _ELABORATES else None


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


def paragraphs(blocks: Sequence[UnitBlock], telling: Telling) -> list[tuple[Unit, ...]]:
    """The units in paragraphs: a new one where the topic changes, never inside a block."""
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


def _held(blocks: Sequence[UnitBlock], number: int, telling: Telling) -> float:
    """How closely a block belongs to those before it: by likeness, and if its account says so."""
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
    """The day that a unit names first, or else the middle of the first year, if it names any."""
    found = {}
    for unit in units:
        document = documents[unit.account]
        named = named_days(document.tokens_in(unit.bodies[0]), published(document))
        if named:
            found[unit.key] = named[min(named)]
        elif year := _YEAR.search(unit.text):
            found[unit.key] = date(int(year[0]), 7, 1)
    return found
