"""Which units stay: everything is told, as little as possible is told twice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.consolidation.telling import Telling
from tatian.consolidation.units import Key, Unit

_STALE = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|this (?:morning|afternoon|evening|week)"
    r"|last (?:night|week))\b",
    re.IGNORECASE,
)
_FORECAST = re.compile(
    r"\b(?:will|is due|are due|is expected|are expected|is scheduled|are scheduled|is set|are set|plans to"
    r"|is to|are to|have yet to|has yet to|would be released|was due)\b"
)
_PERSONAL = re.compile(r"(?<!\w)(?:I|we|our|us|my|you|your)(?!\w)")
_TOLD = 0.8
"""How much of a unit others must tell for it to go."""
_WITNESSES = 6
"""How many others may tell a unit together."""
_LENGTH = -0.01
_OVERTAKEN = 0.25
"""By how much less of it must be told if it says what will be, and later accounts what was."""
_AGAIN = 0.95
"""How much of a unit of the backbone others must tell."""
_STILL = 0.6
"""How much of a unit that went must be told when one of its tellers goes too."""
_LOOSE = 0.15
_MIX = 0.5
_TOGETHER = 3
_MAIN = 0.4
"""How much of it one of them must tell."""
_COST = 0.05
"""By how much less of it must be told if it is out of date or personal, or more if it is the
backbone's."""


class Choice(Struct, frozen=True):
    """What stays, and which units tell what goes."""

    kept: frozenset[Key]
    gone: Mapping[Key, tuple[Key, ...]]


def choose(
    accounts: Sequence[Sequence[Unit]],
    telling: Telling, backbone: int, old: frozenset[int] = frozenset()
) -> Choice:
    """Drop, one after the other, the units that others tell, those best told first.

    Of two that tell the same the fuller one stays, then the backbone's. What others lean on stays
    with them.
    """
    units = {unit.key: unit for account in accounts for unit in account}
    follower = {
        one.key: two.key for account in accounts for one, two in pairwise(account) if two.leans
    }
    worth = {key: _worth(unit, unit.account in old) for key, unit in units.items()}
    for account in accounts:
        for unit in account[:1]:
            worth[unit.key] -= _COST
    kept = set(units)
    gone: dict[Key, tuple[Key, ...]] = {}
    scores = {key: _judged(key, telling, kept) for key in units}
    while True:
        ranked = [
            (value - worth[key] + _LENGTH * telling.weight(key), key)
            for key in kept
            for value, found in [scores[key]]
            if found
            and value >= (_AGAIN if key[0] == backbone else _TOLD + worth[key])
            and _may_go(units[key], units.get(follower.get(key, key)), kept)
        ]
        if not ranked:
            return Choice(frozenset(kept), gone)
        _, key = max(ranked)
        kept.remove(key)
        orphans = {one: _judged(one, telling, kept) for one in gone if key in gone[one]}
        if any(value < _STILL for value, _ in orphans.values()):
            kept.add(key)
            scores[key] = (0.0, ())
            continue
        gone.update({one: found for one, (_, found) in orphans.items()})
        gone[key] = scores[key][1]
        for other in kept:
            if key in scores[other][1]:
                scores[other] = _judged(other, telling, kept)


def _judged(key: Key, telling: Telling, kept: set[Key]) -> tuple[float, tuple[Key, ...]]:
    """How much of a unit others tell, and which."""
    near = sorted(
        (-telling.told(key, (other,)), other) for other in telling.tellers(key) if other in kept
    )
    if not near or -near[0][0] < _MAIN:
        return 0.0, ()
    found = tuple(other for _, other in near[:_WITNESSES])
    value = telling.told(key, found)
    if value < _TOLD - _LOOSE:
        return value, found
    return _MIX * telling.surely(key, found[:_TOGETHER]) + (1 - _MIX) * value, found


def _worth(unit: Unit, old: bool) -> float:
    """What speaks for keeping a unit beside what it tells; `old` where a later account exists."""
    against = bool(_STALE.search(unit.text)) + bool(_PERSONAL.search(unit.text))
    return -_COST * against - (_OVERTAKEN if old and _FORECAST.search(unit.text) else 0.0)


def _may_go(unit: Unit, after: Unit | None, kept: set[Key]) -> bool:
    """Whether the unit after it is clear without it, because both lean on the same."""
    if after is None or after is unit or after.key not in kept or after.leans != "before":
        return True
    return bool(unit.leans and unit.pronoun and after.pronoun and unit.says == after.says)
