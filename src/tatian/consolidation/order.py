"""In which order the chosen units are told, and where paragraphs end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import Struct

from tatian.consolidation.telling import Telling
from tatian.consolidation.units import Key, Unit
from tatian.text import Document
from tatian.text.dates import named_days, published

_PLACE = 1.0
_LIKE = 1.0
_OWN_ORDER = 0.3
_FOLLOWS = 0.3
_SURE = 0.35
_TIME = 0.7
_LONGEST = 6
_SHORTEST = 2
_TOPIC = 0.3


class Block(Struct, frozen=True):
    """Units of one account that stay together."""

    units: tuple[Unit, ...]

    @property
    def account(self) -> int:
        """Whose they are."""
        return self.units[0].account


def order(
    accounts: Sequence[Sequence[Unit]],
    kept: frozenset[Key],
    telling: Telling,
    backbone: int,
    days: Mapping[Key, date],
    later: frozenset[int] = frozenset(),
) -> list[Block]:
    """The backbone in its own order, the others' blocks where they fit best.

    Accounts of another day (`later`) are told after the others, woven among themselves.
    """
    told: list[Block] = []
    places = _places(accounts, telling)
    groups = [[n for n in range(len(accounts)) if n not in later], sorted(later)]
    for group in groups:
        if not group:
            continue
        first = backbone if backbone in group else max(
            group, key=lambda n: sum(u.words for u in accounts[n] if u.key in kept)
        )
        section = _blocks(accounts[first], kept)
        others = sorted(
            (n for n in group if n != first),
            key=lambda n: -sum(u.words for u in accounts[n]),
        )
        for number in others:
            section = _woven(section, _blocks(accounts[number], kept), telling, places, days)
        told += section
    return told


def _blocks(units: Sequence[Unit], kept: frozenset[Key]) -> list[Block]:
    blocks: list[list[Unit]] = []
    before: Unit | None = None
    for unit in units:
        if unit.key in kept:
            if before is not None and unit.leans and before.key in kept and blocks:
                blocks[-1].append(unit)
            else:
                blocks.append([unit])
        before = unit
    return [Block(tuple(block)) for block in blocks]


def _places(accounts: Sequence[Sequence[Unit]], telling: Telling) -> dict[Key, float]:
    """From 0 to 1, where all accounts together would tell a unit."""
    own = {
        unit.key: index / max(1, len(units) - 1)
        for units in accounts
        for index, unit in enumerate(units)
    }
    found = {}
    for key, place in own.items():
        weights = [(1.0, place)]
        for other in telling.tellers(key):
            alike = telling.likeness[key, other]
            if alike > 0.5:
                weights.append((alike**4, own[other]))
        found[key] = sum(w * p for w, p in weights) / sum(w for w, _ in weights)
    return found


def _woven(
    told: list[Block],
    blocks: Sequence[Block],
    telling: Telling,
    places: dict[Key, float],
    days: Mapping[Key, date],
) -> list[Block]:
    """Two sequences as one, each in its own order, every block beside what it is most like."""
    if not told or not blocks:
        return told or list(blocks)
    gaps = range(1, len(told) + 1)
    paths: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for block in blocks:
        reached: dict[int, tuple[float, tuple[int, ...]]] = {}
        for gap in gaps:
            fits = _fit(block, gap, told, telling, places) - _TIME * _late(block, gap, told, days)
            best = max(
                (
                    (score + (_FOLLOWS if before == gap else 0.0), path)
                    for before, (score, path) in paths.items()
                    if before <= gap
                ),
                key=lambda found: found[0],
                default=None,
            )
            if best is not None:
                reached[gap] = (best[0] + fits, (*best[1], gap))
        paths = reached
    _, chosen = max(paths.values(), key=lambda found: found[0])
    woven: list[Block] = []
    for gap, block in enumerate(told, start=1):
        woven.append(block)
        woven.extend(one for one, at in zip(blocks, chosen, strict=True) if at == gap)
    return woven


def _fit(
    block: Block, gap: int, told: Sequence[Block], telling: Telling, places: dict[Key, float]
) -> float:
    """How well a block stands between two others."""
    before = told[gap - 1]
    after = told[gap] if gap < len(told) else None
    far = abs(gap / len(told) - places[block.units[0].key])
    return _LIKE * (_like(block, before, telling) + 0.5 * _like(block, after, telling)) - (
        _PLACE * far
    )


def _late(block: Block, gap: int, told: Sequence[Block], days: Mapping[Key, date]) -> float:
    """The share of blocks with a day that would stand on the wrong side of this one."""
    day = _day(block, days)
    known = [(place < gap, found) for place, one in enumerate(told) if (found := _day(one, days))]
    if day is None or not known:
        return 0.0
    wrong = sum(other > day if before else other < day for before, other in known)
    return wrong / len(known)


def _day(block: Block, days: Mapping[Key, date]) -> date | None:
    return next((days[unit.key] for unit in block.units if unit.key in days), None)


def _like(block: Block, other: Block | None, telling: Telling) -> float:
    if other is None:
        return 0.0
    return max(
        max(telling.likeness.get((a.key, b.key), 0.0), telling.likeness.get((b.key, a.key), 0.0))
        for a in block.units
        for b in other.units
    )


def paragraphs(blocks: Sequence[Block], telling: Telling) -> list[list[Unit]]:
    """The units in paragraphs: a new one where the topic changes, never inside a block."""
    found: list[list[Unit]] = []
    before: Block | None = None
    for block in blocks:
        size = sum(len(unit.bodies) for unit in found[-1]) if found else 0
        new = before is None or size >= _LONGEST or (
            size >= _SHORTEST and _like(block, before, telling) < _TOPIC
        )
        if new:
            found.append(list(block.units))
        else:
            found[-1].extend(block.units)
        before = block
    return found


def days_of(units: Sequence[Unit], documents: Sequence[Document]) -> dict[Key, date]:
    """The day that a unit names first, if it names any."""
    found = {}
    for unit in units:
        document = documents[unit.account]
        day = published(document)
        for body in unit.bodies[:1]:
            named = named_days(document.tokens_in(body), day)
            if named:
                found[unit.key] = named[min(named)]
    return found
