"""Parts of accounts that tell another story, or what another account has overtaken."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.consolidation.units import AccountUnits, Unit
from tatian.text import NAMES, Document

Vectors = NDArray[np.float32]

_WITHHELD = re.compile(
    r"\b(?:names?|identity|identities)\b[^.;]{0,80}?\b(?:(?:not|n't) (?:yet )?be(?:en)? "
    r"(?:released|disclosed|made public)|withheld|(?:would|will) (?:not )?be released)\b",
    re.IGNORECASE,
)
"""What early reports say of those whom later ones name."""
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
    accounts: Sequence[AccountUnits], vectors: dict[tuple[int, int], Vectors]
) -> tuple[AccountUnits, ...]:
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


def without_withheld_names(accounts: Sequence[AccountUnits]) -> tuple[AccountUnits, ...]:
    """The accounts without the news that names are not given yet, if another account gives them."""
    people = [_people(account.document) for account in accounts]
    found = []
    for number, account in enumerate(accounts):
        given = set().union(*(one for n, one in enumerate(people) if n != number)) - people[number]
        old = [unit for unit in account.units if given and _WITHHELD.search(unit.text)]
        reasons = {index: "others give the names" for unit in old for index in unit.indices}
        units = tuple(unit for unit in account.units if unit not in old)
        found.append(replace(account, units=units, aside={**account.aside, **reasons}))
    return tuple(found)


def _people(document: Document) -> set[str]:
    names = document.get(NAMES) if document.has(NAMES) else ()
    return {name.of(document.text).split()[-1] for name in names if name.type == "PER"}


def _start(
    account: AccountUnits,
    others: Sequence[Unit],
    accounts: Sequence[AccountUnits],
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
