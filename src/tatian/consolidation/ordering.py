"""In which order to tell what the accounts tell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tatian.consolidation.units import Unit


def order(
    groups: Sequence[Sequence[Unit]],
    accounts: Sequence[Sequence[Unit]],
    days: Sequence[date | None],
) -> list[int]:
    """Indices of `groups` in telling order.

    The earliest account is the backbone (where days are unknown or equal, the one that shares most
    with the others). What another account has besides goes right after what it follows there, so
    that "he said" stays near the one who spoke; what a later day's account opens with goes last.
    """
    group_of = {unit.key: number for number, group in enumerate(groups) for unit in group}
    told_of = [[unit for unit in units if unit.key in group_of] for units in accounts]
    sequences = [_once([group_of[unit.key] for unit in units]) for units in told_of]
    fresh = [{group_of[u.key] for u in units if u.opens_paragraph} for units in told_of]

    def rank(account: int) -> tuple[date, int, int, int]:
        numbers = sequences[account]
        common = sum(len({unit.account for unit in groups[n]}) > 1 for n in numbers)
        return days[account] or date.max, -common, -len(numbers), account

    told: list[int] = []
    first: date | None = None
    for account in sorted(range(len(accounts)), key=rank):
        day = days[account]
        first = first or day
        later = day is not None and first is not None and day > first
        told = _woven(told, sequences[account], fresh[account] if later else None)
    return told


def _once(numbers: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(numbers))


def _woven(told: Sequence[int], account: Sequence[int], fresh: set[int] | None) -> list[int]:
    """`told` with the new members of `account`, each run after the member it follows there.

    With `fresh` (the members that open a paragraph; given for a later day's account) a new
    paragraph, and whatever follows the opening, goes to the end instead.
    """
    if not told:
        return list(account)
    known = set(told)
    runs: dict[int, list[int]] = {}
    opening: list[int] = []
    closing: list[int] = []
    anchor: int | None = None
    for number in account:
        if number in known:
            anchor = None if fresh is not None and number == told[0] else number
            continue
        if fresh is not None and number in fresh:
            anchor = None
        if anchor is not None:
            runs.setdefault(anchor, []).append(number)
        elif fresh is not None:
            closing.append(number)
        else:
            opening.append(number)
    woven: list[int] = []
    for number in told:
        woven.append(number)
        woven.extend(runs.get(number, []))
    return woven[:1] + opening + woven[1:] + closing
