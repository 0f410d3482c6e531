"""Which units stay: everything is told, as little as possible is told twice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from tatian.consolidation.telling import Telling
from tatian.consolidation.units import Key, Unit

_STALE = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|last (?:night|week)"
    r"|earlier today)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"(?<!\w)(?:I|we|our|us|my|you|your)(?!\w)")
_TOLD = 0.7
"""How much of a unit others must tell for it to go."""
_LEAST = 0.0
_WITNESSES = 3
"""How many others may tell a unit together."""
_MAIN = 0.5
"""How much of it one of them must tell."""


class Choice(Struct, frozen=True):
    """What stays, and which units tell what goes."""

    kept: frozenset[Key]
    gone: Mapping[Key, tuple[Key, ...]]


def choose(
    accounts: Sequence[Sequence[Unit]], telling: Telling, backbone: int, *, told: float = _TOLD
) -> Choice:
    """Drop, one after the other, the units that others tell, those best told first.

    Of two that tell the same the fuller one stays, then the backbone's. What others lean on stays
    with them.
    """
    units = {unit.key: unit for account in accounts for unit in account}
    follower = {
        one.key: two.key
        for account in accounts
        for one, two in zip(account, account[1:], strict=False)
        if two.leans
    }
    kept = set(units)
    gone: dict[Key, tuple[Key, ...]] = {}
    needed: dict[Key, int] = {}

    def worth(key: Key) -> float:
        """What speaks for keeping it, beside what it tells."""
        unit = units[key]
        cost = 0.06 * bool(_STALE.search(unit.text)) + 0.06 * bool(_PERSONAL.search(unit.text))
        return 0.05 * (key[0] == backbone) - cost

    def witnesses(key: Key) -> tuple[Key, ...]:
        near = sorted(
            (other for other in telling.tellers(key) if other in kept),
            key=lambda other: -telling.share(key, other),
        )
        return tuple(near[:_WITNESSES])

    def judged(key: Key) -> tuple[float, tuple[Key, ...]]:
        found = witnesses(key)
        if not found or telling.share(key, found[0]) < _MAIN:
            return 0.0, ()
        return telling.told(key, found), found

    scores = {key: judged(key) for key in kept}
    while True:
        best: tuple[float, Key] | None = None
        for key in kept:
            value, found = scores[key]
            if value < told + worth(key):
                continue
            after = follower.get(key)
            if after in kept and not _may_go(units[key], units[after]):
                continue
            rank = value - worth(key) - 0.02 * telling.weight(key)
            if best is None or (rank, key) > best:
                best = (rank, key)
        if best is None:
            return Choice(frozenset(kept), gone)
        key = best[1]
        kept.remove(key)
        gone[key] = scores[key][1]
        for other in kept:
            if key in scores[other][1]:
                scores[other] = judged(other)


def _may_go(unit: Unit, after: Unit) -> bool:
    """Whether a unit is clear without the one before it, which leans on the same."""
    if after.leans != "before":
        return True
    return bool(unit.leans and unit.pronoun and after.pronoun and unit.says == after.says)
