"""Sources as wholes: their days, the backbone, separate sections, and excluded parts.

One source is the backbone, which the text follows. Sources of other days, of another kind or with a
voice of their own get a section with a heading. Parts that tell another story, or that another
source has made outdated, are excluded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from statistics import fmean as mean

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.consolidation.noise import NewsSentence
from tatian.consolidation.telling import CoverageModel
from tatian.consolidation.units import AccountUnits, Key, Unit
from tatian.text import NAMES, Document
from tatian.text.content import concept
from tatian.text.dates import YEAR_UNKNOWN, publication_days, published, written_day

_HEADLESS = 0.6
"""Factor for a source whose opening does not say whom it is about."""
_OWN = 0.5
"""Factor for a source with a voice of its own."""
_UNLIKE, _UNTOLD, _FEW = 0.31, 0.5, 5
"""Limits for a source of another kind: mean similarity to the backbone, mean share covered by
others, and least number of spans."""
APART = timedelta(days=2)
"""Largest difference between the days of sources that are consolidated together."""
_HEAD, _NEWS, _STALE = 2, 0.3, 0.85
"""Spans in a source's opening; least mean share of older openings that a new report of the same
event covers; covered share of its first span from which it is no news."""

Vectors = NDArray[np.float32]


class TextSection(Struct, frozen=True):
    """Sources that are consolidated together."""

    heading: str
    """Heading above them, if any."""
    accounts: list[int]
    why: str = ""
    """Reason for a separate section, if it is one."""


_WITHHELD = re.compile(
    r"\b(?:names?|identity|identities)\b[^.;]{0,80}?\b(?:(?:not|n't) (?:yet )?be(?:en)? "
    r"(?:released|disclosed|made public)|withheld|(?:would|will) (?:not )?be released)\b",
    re.IGNORECASE,
)
"""Statements of early reports about people whom later ones name."""
_SHORTEST = 5
"""Least number of spans in another story."""
_KNOWN = 0.2
"""Largest share of its spans that name what the sources name elsewhere."""
_NAMING = 0.5
"""Least share of its spans that name only what is named nowhere else."""
_LIKE = 0.36
"""Largest mean similarity of its spans to the rest of the sources."""
_MOST = 0.55
"""Largest similarity of any of its spans to the rest."""
_SAME_CASE = 0.2
"""Least similarity at which an outcome belongs to the status, not to another matter."""
_CAME, _CAME_UNDATED = 0.35, 0.6
"""Least share of a forecast that its outcome covers: from a later day, and with unknown days."""
_BRIEF = 16
"""Most words of a sentence that says little more than a status and may be dropped whole."""
_REST = 0.55
"""Least share of an outdated span that other spans cover, so that it may be dropped."""


def without_other_stories(
    accounts: Sequence[AccountUnits], vectors: dict[tuple[int, int], Vectors]
) -> tuple[AccountUnits, ...]:
    """Exclude closing parts that share neither names nor meaning with the rest of the sources."""
    found = []
    for number, account in enumerate(accounts):
        others = [unit for n, one in enumerate(accounts) if n != number for unit in one.units]
        rest = account.units[_start(account, others, accounts, vectors) :]
        found.append(_without(account, {unit.key: "another story" for unit in rest}))
    return tuple(found)


def without_withheld_names(accounts: Sequence[AccountUnits]) -> tuple[AccountUnits, ...]:
    """Exclude statements that names are withheld, if another source gives the names."""
    people = [_people(account.document) for account in accounts]
    found = []
    for number, account in enumerate(accounts):
        given = set().union(*(one for n, one in enumerate(people) if n != number)) - people[number]
        old = [unit.key for unit in account.units if given and _WITHHELD.search(unit.text)]
        found.append(_without(account, dict.fromkeys(old, "others give the names")))
    return tuple(found)


def without_overtaken(
    accounts: Sequence[AccountUnits], told: CoverageModel, copies: Mapping[Key, tuple[Key, ...]]
) -> tuple[AccountUnits, ...]:
    """Exclude what another source, written later, has made outdated.

    A suspicion goes after the verdict, an injured person's condition after the death, a search
    after its end, a forecast after the event. Others must cover the rest of the sentence, unless it
    is brief, and the next one must not depend on it.
    """
    days = publication_days([one.document for one in accounts])
    units = [unit for one in accounts for unit in one.units if told.knows(unit.key)]
    stated = {
        unit.key: NewsSentence(accounts[unit.account].document, unit.bodies[0]) for unit in units
    }
    passing = {key for key, one in stated.items() if one.expected() or one.statuses()}
    reasons: dict[Key, str] = {}
    for account in accounts:
        for unit, after in pairwise((*account.units, None)):
            if unit is None or unit.key not in passing or _leans(after, unit):
                continue
            others = [key for key in told.tellers(unit.key) if key not in reasons]
            later = [other for other in units if _not_before(days, unit, other)]
            rest = told.told(unit.key, others) >= _REST
            if reason := _overtaken(unit, later, stated, told, days, rest):
                reasons[unit.key] = reason
    reasons |= {key: reasons[first] for key, (first, *_) in copies.items() if first in reasons}
    return tuple(_without(account, reasons) for account in accounts)


def _leans(after: Unit | None, unit: Unit) -> bool:
    """Check whether the next span depends on this one; "the men" only if this one mentions men."""
    if after is None or after.leans != "noun":
        return after is not None and after.leans == "before"
    nouns = {concept(word) for word in after.text.lower().split()[1:3] if len(word) > 2}
    return not nouns.isdisjoint(map(concept, re.findall(r"\w+", unit.text.lower())))


def _without(account: AccountUnits, reasons: Mapping[Key, str]) -> AccountUnits:
    """Return a source with some of its spans excluded."""
    kept = tuple(unit for unit in account.units if unit.key not in reasons)
    gone = (unit for unit in account.units if unit.key in reasons)
    why = {index: reasons[unit.key] for unit in gone for index in unit.indices}
    return replace(account, units=kept, aside={**account.aside, **why})


def _not_before(days: Sequence[date | None], unit: Unit, other: Unit) -> bool:
    """Check whether a span's source may have been written before another's."""
    own, theirs = days[unit.account], days[other.account]
    return unit.account != other.account and (own is None or theirs is None or own <= theirs)


def _overtaken(
    unit: Unit,
    later: Sequence[Unit],
    stated: Mapping[Key, NewsSentence],
    told: CoverageModel,
    days: Sequence[date | None],
    rest: bool,
) -> str:
    """Return why a span is outdated, or nothing; a long one must have its `rest` covered."""

    def newer(other: Unit) -> bool:
        first, second = days[unit.account], days[other.account]
        return first is not None and second is not None and first < second

    own = stated[unit.key]
    events, statuses = own.expected(), own.statuses()
    brief = len(unit.text.split()) <= _BRIEF
    for other in later if rest or (brief and statuses) else ():
        share = told.told(unit.key, {other.key}.intersection(told.tellers(unit.key)))
        alike = newer(other) and told.likeness(unit.key, other.key) >= _SAME_CASE
        if (alike or share >= _CAME) and (ended := stated[other.key].ends(statuses)):
            return ended
        came = rest and share >= (_CAME if newer(other) else _CAME_UNDATED)
        if came and events & stated[other.key].events:
            return "a later account tells what came of it"
    return ""


def _people(document: Document) -> set[str]:
    names = document.get(NAMES) if document.has(NAMES) else ()
    return {name.of(document.text).split()[-1] for name in names if name.type == "PER"}


def _start(
    account: AccountUnits,
    others: Sequence[Unit],
    accounts: Sequence[AccountUnits],
    vectors: dict[tuple[int, int], Vectors],
) -> int:
    """Return the index of the span from which the source reports another story."""
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
    return np.asarray(np.sort(likeness, axis=1)[:, -count:].mean(axis=1))


def _names(document: Document, unit: Unit) -> set[str]:
    return {
        word.lower()
        for body in unit.bodies
        for name in document.inside(NAMES, body)
        for word in name.of(document.text).split()
        if len(word) > 2
    }


def with_day(one: AccountUnits) -> AccountUnits:
    """Set a source's day where only its dateline or an excluded line gives it."""
    day = published(one.document)
    if day is None:
        lines = [one.document.sentences[index].of(one.document.text) for index in sorted(one.aside)]
        day = next(filter(None, map(written_day, lines)), None)
    if day is None or one.document.metadata.date or day.year == YEAR_UNKNOWN:
        return one
    about = replace(one.document.metadata, date=day.isoformat())
    return replace(one, document=replace(one.document, metadata=about))


def backbone_of(
    accounts: Sequence[AccountUnits],
    told: CoverageModel,
    copies: Mapping[Key, tuple[Key, ...]],
    days: Sequence[date | None] = (),
) -> int:
    """Return the source that covers most, of its own content and of the others'.

    If it is over two days older than the newest sources, and one of those reports the same event as
    news, return that one: the text opens with the current state.
    """

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

    best = max(range(len(accounts)), key=lambda number: (tells(number), -number))
    newest = max((day for day in days if day), default=None)
    known = days[best] if days else None
    if newest is None or known is None or newest - known <= APART:
        return best
    older = {number for number, day in enumerate(days) if day and day < newest}
    heads = [accounts[number].units[:_HEAD] for number in older]
    known_heads = [units for units in heads if any(told.knows(unit.key) for unit in units)]
    news = [
        number
        for number, day in enumerate(days)
        if day == newest
        and not accounts[number].own
        and _covers(told, older, accounts[number].units[:1]) < _STALE
        and not NewsSentence(
            accounts[number].document, accounts[number].units[0].bodies[0]
        ).looks_back
        and known_heads
        and mean(_covers(told, {number}, units) for units in known_heads) >= _NEWS
    ]
    return max(news, key=lambda number: (tells(number), -number), default=best)


def _covers(told: CoverageModel, numbers: Collection[int], units: Sequence[Unit]) -> float:
    """Return the share that some sources cover of the best covered of these spans."""
    keys = [unit.key for unit in units if told.knows(unit.key)]
    return max(
        (told.told(key, [one for one in told.tellers(key) if one[0] in numbers]) for key in keys),
        default=1.0,
    )


def unlike_backbone(
    accounts: Sequence[AccountUnits], told: CoverageModel, backbone: int
) -> frozenset[int]:
    """Return the sources of which nothing fits among the rest."""
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
    """Group the sources: the backbone's days, other days by time, then each separate source.

    In a section, the sources that contribute most come first. A source that says "I" or "we" stands
    alone, and so does one that is unlike the rest and of unknown day.
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
        elif abs(day - main) <= APART:
            sections[None].append(number)
        else:
            near = next((one for one in sections if one and abs(one - day) <= APART), day)
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
    """Build the section of a source that stands alone, with its heading."""
    about = one.document.metadata
    titled = about.title and written_day(about.title) is None
    who = about.source or (f"“{about.title}”" if titled else "")
    if one.own:
        why = f"in the words of {who or 'one account'}"
        return TextSection(f"{why[0].upper()}{why[1:]}:", [number], why)
    who = who or "another account"
    return TextSection(f"From {who}:", [number], f"from {who}, which is unlike the others")


def _reported(days: Sequence[date], accounts: list[int], main: date | None) -> TextSection:
    """Build the section of sources of other days, with its heading."""
    why = f"reported on {'an earlier' if main and days[0] < main else 'a later'} day"
    if days[0] == days[-1]:
        return TextSection(f"Reported on {_written(days[0])}:", accounts, why)
    return TextSection(f"Reported from {_written(days[0])} to {_written(days[-1])}:", accounts, why)


def _written(day: date) -> str:
    return f"{day:%B} {day.day}" + (f", {day.year}" if day.year != YEAR_UNKNOWN else "")
