"""Parts of accounts that tell another story: what a digest has after the one that is asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.consolidation.units import Account, Unit
from tatian.text import NAMES, Document

Vectors = NDArray[np.float32]

_SHORTEST = 5
"""Units that another story has at least."""
_KNOWN = 0.2
"""The share of its units that may name what the accounts name elsewhere."""
_NAMING = 0.5
"""The share of its units that must name something."""
_LIKE = 0.36
"""How like the rest of the accounts its units may be, on the whole."""
_MOST = 0.55
"""How like any of them may be."""


def without_other_stories(
    accounts: Sequence[Account], vectors: dict[tuple[int, int], Vectors]
) -> tuple[Account, ...]:
    """The accounts without a closing part that has no names and no meaning in common with them."""
    found = []
    for number, account in enumerate(accounts):
        others = [unit for n, one in enumerate(accounts) if n != number for unit in one.units]
        start = _start(account, others, accounts, vectors)
        rest = account.units[start:]
        reasons = {index: "another story" for unit in rest for index in unit.indices}
        found.append(
            replace(account, units=account.units[:start], aside={**account.aside, **reasons})
        )
    return tuple(found)


def _start(
    account: Account,
    others: Sequence[Unit],
    accounts: Sequence[Account],
    vectors: dict[tuple[int, int], Vectors],
) -> int:
    """From which unit on the account tells another story."""
    units = account.units
    if not others:
        return len(units)
    elsewhere = np.stack([vectors[unit.key] for unit in others])
    known = set().union(*(_names(accounts[unit.account].document, unit) for unit in others))
    named = [_names(account.document, unit) for unit in units]
    own = np.stack([vectors[unit.key] for unit in units]) if units else elsewhere[:0]
    far = _nearest(own @ elsewhere.T, 5)
    for start in range(1, len(units) - _SHORTEST + 1):
        run = named[start:]
        before = known.union(*named[:start])
        naming = sum(map(bool, run)) / len(run)
        sharing = sum(not one.isdisjoint(before) for one in run) / len(run)
        shares = not named[start].isdisjoint(before)
        if units[start].leans or not named[start] or shares or naming < _NAMING or sharing > _KNOWN:
            continue
        alike = np.maximum(far[start:], _nearest(own[start:] @ own[:start].T, 3))
        if float(alike.mean()) < _LIKE and float(alike.max()) < _MOST:
            return start
    return len(units)


def _nearest(likeness: Vectors, count: int) -> Vectors:
    """Of each row the mean of its highest values."""
    nearest: Vectors = np.sort(likeness, axis=1)[:, -count:].mean(axis=1)
    return nearest


def _names(document: Document, unit: Unit) -> set[str]:
    return {
        word.lower()
        for body in unit.bodies
        for name in document.inside(NAMES, body)
        for word in name.of(document.text).split()
        if len(word) > 2
    }
