"""Accounts as wholes: their days, which of them leads, which is told apart, what they leave out.

One account is the backbone, which the text follows. Those of other days, of another kind or in a
voice of their own have a section to themselves, with a heading; parts that tell another story, or
that another account has overtaken, are set aside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from statistics import fmean as mean

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.consolidation.telling import Telling
from tatian.consolidation.units import AccountUnits, Key, Unit
from tatian.text import NAMES, Document
from tatian.text.dates import YEAR_UNKNOWN, publication_days, published, written_day

_HEADLESS = 0.6
"""What an account counts for that does not say at its start whom it speaks of."""
_OWN = 0.5
"""What an account counts for that has a voice of its own."""
_UNLIKE, _UNTOLD, _FEW = 0.31, 0.5, 5
"""How alike to the backbone, and how much told by others, the units of an account are on average
that is of another kind, and how many it has at least."""
_APART = timedelta(days=2)
"""Accounts whose days differ by more tell of different days."""

Vectors = NDArray[np.float32]


class TextSection(Struct, frozen=True):
    """Accounts that are told together."""

    heading: str
    """What stands over them, if anything."""
    accounts: list[int]
    why: str = ""
    """Why they are told apart, if they are."""


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
"""The share of its units that must name something, and only what is named nowhere else."""
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
        sharing = sum(not one.isdisjoint(before) for one in run) / len(run)
        naming = sum(map(bool, run)) / len(run) - sharing
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


def with_day(one: AccountUnits) -> AccountUnits:
    """The account with its day, where only its dateline or a line that was set aside gives it."""
    day = published(one.document)
    if day is None:
        lines = [one.document.sentences[index].of(one.document.text) for index in sorted(one.aside)]
        day = next(filter(None, map(written_day, lines)), None)
    if day is None or one.document.metadata.date or day.year == YEAR_UNKNOWN:
        return one
    about = replace(one.document.metadata, date=day.isoformat())
    return replace(one, document=replace(one.document, metadata=about))


def copied(accounts: Sequence[AccountUnits]) -> dict[Key, tuple[Key, ...]]:
    """Units that a longer account, or the same one before, has word for word, with that one."""
    longest = sorted(
        range(len(accounts)),
        key=lambda n: (-sum(unit.words for unit in accounts[n].units), accounts[n].document.text),
    )
    first: dict[str, Key] = {}
    found: dict[Key, tuple[Key, ...]] = {}
    for number in longest:
        for unit in accounts[number].units:
            if unit.text in first:
                found[unit.key] = (first[unit.text],)
            first.setdefault(unit.text, unit.key)
    return found


def overtaken(days: Sequence[date | None]) -> frozenset[int]:
    """The accounts, by their days, after whose day another was written."""
    newest = max((day for day in days if day), default=None)
    return frozenset(n for n, day in enumerate(days) if day and newest and day < newest)


def personal(accounts: Sequence[AccountUnits]) -> frozenset[int]:
    """The accounts that have a voice of their own."""
    return frozenset(number for number, one in enumerate(accounts) if one.own)


def backbone_of(
    accounts: Sequence[AccountUnits], told: Telling, copies: Mapping[Key, tuple[Key, ...]]
) -> int:
    """The account that tells most, its own and what others tell too."""

    def tells(number: int) -> float:
        total = 0.0
        for one in accounts:
            for unit in one.units:
                if unit.key in copies:
                    key = copies[unit.key][0]
                    total += told.weight(key) * (number in (unit.account, key[0]))
                else:
                    mine = [key for key in told.tellers(unit.key) if key[0] == number]
                    share = 1.0 if unit.account == number else told.told(unit.key, mine)
                    total += told.weight(unit.key) * share
        headless = any(unit.leans for unit in accounts[number].units[:1])
        total *= _OWN if accounts[number].own else 1.0
        return total * (_HEADLESS if headless else 1.0)

    return max(range(len(accounts)), key=lambda number: (tells(number), -number))


def unlike_backbone(
    accounts: Sequence[AccountUnits], told: Telling, backbone: int
) -> frozenset[int]:
    """The accounts of which nothing fits between what the rest tells."""
    found = set()
    for number, one in enumerate(accounts):
        keys = [unit.key for unit in one.units if told.knows(unit.key)]
        if number == backbone or len(keys) < _FEW:
            continue
        alike, shares = [], []
        for key in keys:
            near = [other for other in told.neighbours(key) if other[0] == backbone]
            alike.append(max((told.likeness(key, other) for other in near), default=0.0))
            shares.append(told.told(key, [one for one in told.tellers(key) if one[0] != number]))
        if mean(alike) < _UNLIKE and mean(shares) < _UNTOLD:
            found.add(number)
    return frozenset(found)


def sections(
    accounts: Sequence[AccountUnits],
    kept: frozenset[Key],
    backbone: int,
    unlike: frozenset[int] = frozenset(),
) -> list[TextSection]:
    """The accounts of the backbone's days, those of others by time, then each in its own voice.

    The accounts of a section are those that tell most first. Whoever says "I" or
    "we" is heard alone, and so is an account that is neither like the rest nor of a known day.
    """
    days = publication_days([one.document for one in accounts])
    main = days[backbone]
    words = [sum(unit.words for unit in one.units if unit.key in kept) for one in accounts]
    numbers = sorted(range(len(accounts)), key=lambda n: (n != backbone, -words[n]))
    own = [number for number in numbers if accounts[number].own and len(accounts) > 1]
    alone: list[int] = []
    sections: dict[date | None, list[int]] = {None: []}
    for number in numbers:
        if number in own:
            continue
        day = days[number]
        if main is None or day is None:
            (alone if number in unlike else sections[None]).append(number)
        elif abs(day - main) <= _APART:
            sections[None].append(number)
        else:
            near = next((one for one in sections if one and abs(one - day) <= _APART), day)
            sections.setdefault(near, []).append(number)
    first = TextSection("", sections.pop(None))
    others = [
        (sorted(filter(None, (days[number] for number in numbers))), numbers)
        for day, numbers in sections.items()
        if day
    ]
    return [
        *([first] if first.accounts else []),
        *(_reported(told, numbers, main) for told, numbers in sorted(others)),
        *(_introduced(accounts[number], number) for number in (*alone, *own)),
    ]


def _introduced(one: AccountUnits, number: int) -> TextSection:
    """An account that is told alone, under words that say so."""
    about = one.document.metadata
    titled = about.title and written_day(about.title) is None
    who = about.source or (f"“{about.title}”" if titled else "")
    if one.own:
        why = f"in the words of {who or 'one account'}"
        return TextSection(f"{why[0].upper()}{why[1:]}:", [number], why)
    who = who or "another account"
    return TextSection(f"From {who}:", [number], f"from {who}, which is unlike the others")


def _reported(days: Sequence[date], accounts: list[int], main: date | None) -> TextSection:
    """Accounts of other days, under words that say which."""
    why = f"reported on {'an earlier' if main and days[0] < main else 'a later'} day"
    if days[0] == days[-1]:
        return TextSection(f"Reported on {_written(days[0])}:", accounts, why)
    return TextSection(f"Reported from {_written(days[0])} to {_written(days[-1])}:", accounts, why)


def _written(day: date) -> str:
    return f"{day:%B} {day.day}" + (f", {day.year}" if day.year != YEAR_UNKNOWN else "")
