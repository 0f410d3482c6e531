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
_WEIGHT = 0.01
"""What speaks against a unit for each word that it tells: of twins the fuller one stays."""
_OVERTAKEN = 0.25
"""By how much less of it must be told if it says what will be, and later accounts what was."""
_LEAD = 0.1
"""By how much less of it must be told if it opens its account: it tells what all tell."""
_ALWAYS = 9.0
_AGAIN = 0.95
"""How much of a unit of the backbone others must tell."""
_STILL = 0.6
"""How much of a unit that went must be told when one of its tellers goes too."""
_LOOSE = 0.15
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
    for number, account in enumerate(accounts):
        for unit in account[:1]:
            worth[unit.key] += _ALWAYS if number == backbone else -_LEAD
    kept = set(units)
    gone: dict[Key, tuple[Key, ...]] = {}
    scores: dict[Key, tuple[float, tuple[Key, ...]]] = {}
    told_by: dict[Key, set[Key]] = {key: set() for key in units}
    ready: dict[Key, float] = {}

    def judge(key: Key) -> None:
        value, tellers = scores[key] = _judged(key, telling, kept)
        for other in tellers:
            told_by[other].add(key)
        ready.pop(key, None)
        if tellers and value >= (_AGAIN if key[0] == backbone else _TOLD) + worth[key]:
            ready[key] = value - worth[key] - _WEIGHT * telling.weight(key)

    for key in units:
        judge(key)
    while True:
        allowed = [
            (rank, key)
            for key, rank in ready.items()
            if _may_go(units[key], units.get(follower.get(key, key)), kept)
        ]
        if not allowed:
            return Choice(frozenset(kept), gone)
        _, key = max(allowed)
        ready.pop(key)
        kept.remove(key)
        orphans = {
            one: _judged(one, telling, kept)
            for one in told_by[key]
            if one in gone and key in gone[one]
        }
        if any(value < _STILL for value, _ in orphans.values()):
            kept.add(key)
            continue
        for one, (_, tellers) in orphans.items():
            gone[one] = tellers
            for other in tellers:
                told_by[other].add(one)
        gone[key] = scores[key][1]
        for other in told_by[key]:
            if other in kept and key in scores[other][1]:
                judge(other)


def _judged(key: Key, telling: Telling, kept: set[Key]) -> tuple[float, tuple[Key, ...]]:
    """How much of a unit others tell, and which: each alone, and all read as one text."""
    near = sorted(
        (-telling.told(key, (other,)), other) for other in telling.tellers(key) if other in kept
    )
    if not near or -near[0][0] < _MAIN:
        return 0.0, ()
    found = tuple(other for _, other in near[:_WITNESSES])
    value = telling.told(key, found)
    if value > _TOLD - _LOOSE:
        value = (value + telling.surely(key, found[:_TOGETHER])) / 2
    return value, found


def _worth(unit: Unit, old: bool) -> float:
    """What speaks for keeping a unit beside what it tells; `old` where a later account exists."""
    against = bool(_STALE.search(unit.text)) + bool(_PERSONAL.search(unit.text))
    return -_COST * against - (_OVERTAKEN if old and _FORECAST.search(unit.text) else 0.0)


def _may_go(unit: Unit, after: Unit | None, kept: set[Key]) -> bool:
    """Whether the unit after it is clear without it, because both lean on the same."""
    if after is None or after is unit or after.key not in kept or after.leans != "before":
        return True
    return bool(unit.leans and unit.pronoun and after.pronoun and unit.says == after.says)
