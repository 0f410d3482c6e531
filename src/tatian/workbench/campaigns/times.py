"""How long answers took, counted by the database, so that a large campaign is not read to watch it.

The database counts answers by tenths of a second, from a minute on by seconds; medians and means
come from the counts and are exact to that.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    Select,
    case,
    cast,
    func,
    select,
)

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import with_few
from tatian.workbench.storage.tables import answers, audit, items

# Figures that hold while a campaign's answers stay what they are, so that they are made once.
#
# Answers are only ever added, and whatever else decides which of them count, and whose they are, is
# in the audit log: counting both tells, in a few milliseconds, whether anything can have changed.

T = TypeVar("T")
_HARMLESS = (
    "adjudication.decide", "adjudication.rule", "annotator.advance", "annotator.consent",
    "annotator.enter", "annotator.finish", "annotator.link", "answer.correct", "answer.unscored",
    "guidelines.add", "invitation.create", "invitation.revoke", "item.change", "item.return",
    "items.abandoned", "items.add", "items.suggest",
)  # fmt: skip
"""Logged actions after which the same answers count as before, or which come with a new one."""


def rules(connection: Connection, campaign: Campaign, *besides: str) -> tuple[Any, ...]:
    """Differs from before where other answers may count, apart from new ones.

    `besides`: further actions after which nothing is different to whoever asks.
    """
    logged = (
        select(func.count())
        .select_from(audit)
        .where(audit.c.campaign == campaign.id, audit.c.action.not_in((*_HARMLESS, *besides)))
    )
    few = with_few(connection, campaign)
    return campaign.last, campaign.settings.least, connection.execute(logged).scalar(), few


class Remembered(Generic[T]):
    """The last values that were made, each good until answers come or go; safe to share."""

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._found: WeakKeyDictionary[Engine, OrderedDict[Hashable, tuple[Any, T]]]
        self._found = WeakKeyDictionary()
        self._turn = threading.Lock()

    def get(
        self, connection: Connection, campaign: Campaign, more: Hashable, make: Callable[[], T]
    ) -> T:
        """What was made for this campaign and `more` if it still holds, or else made now."""
        key = (campaign.id, more)
        counted = select(func.count()).where(answers.c.campaign == campaign.id)
        # Read before anything is made: what comes in between is then seen the next time.
        stamp = (connection.execute(counted).scalar(), rules(connection, campaign))
        with self._turn:
            known = self._found.setdefault(connection.engine, OrderedDict())
            if key in known and known[key][0] == stamp:
                known.move_to_end(key)
                return known[key][1]
        value = make()
        with self._turn:
            known[key] = (stamp, value)
            known.move_to_end(key)
            while len(known) > self._most:
                known.popitem(last=False)
        return value


_PARTS = 10
"""Of a second."""
_MINUTE = 60


class Kind(Struct, frozen=True):
    """Answers of one person that are timed together."""

    annotator: str
    training: bool
    """Whether to items of a stage before production."""
    test: bool
    correction: bool
    """Whether in place of an earlier answer: time at work, but no further item."""


class Times(Struct, frozen=True):
    """How often answers took how long."""

    counts: tuple[tuple[int, int], ...] = ()
    """Tenths of a second and the number of answers that took them, the quickest first."""

    @classmethod
    def of(cls, counted: Mapping[int, int]) -> Times:
        """From answers by tenths of a second."""
        return cls(tuple(sorted((tenths, count) for tenths, count in counted.items() if count)))

    def __or__(self, other: Times) -> Times:
        """Both together."""
        return Times.of(Counter(dict(self.counts)) + Counter(dict(other.counts)))

    @property
    def answers(self) -> int:
        """How many."""
        return sum(count for _, count in self.counts)

    @property
    def seconds(self) -> float:
        """All together."""
        return sum(tenths * count for tenths, count in self.counts) / _PARTS

    @property
    def mean(self) -> float | None:
        """Seconds of one answer on average."""
        return self.seconds / self.answers if self.counts else None

    @property
    def median(self) -> float | None:
        """Seconds that half of the answers took at most."""
        if not self.counts:
            return None
        return (self._at((self.answers - 1) // 2) + self._at(self.answers // 2)) / 2

    def quicker(self, seconds: float) -> int:
        """How many took less than this."""
        return sum(count for tenths, count in self.counts if tenths < seconds * _PARTS)

    def _at(self, place: int) -> float:
        for tenths, count in self.counts:
            if place < count:
                return tenths / _PARTS
            place -= count
        raise IndexError(place)


_kept: Remembered[Mapping[Kind, Times]] = Remembered()


def times(connection: Connection, campaign: Campaign) -> Mapping[Kind, Times]:
    """Every answer of a campaign, by person and kind."""
    return _kept.get(connection, campaign, None, lambda: _timed(connection, campaign))


def _timed(connection: Connection, campaign: Campaign) -> dict[Kind, Times]:
    """Count all answers; then take those to training items and tests, which are few, apart."""
    counted: defaultdict[tuple[str, int, bool, bool], Counter[int]] = defaultdict(Counter)
    for annotator, code, count in connection.execute(_coded(campaign)):
        counted[annotator, code & 1, False, False][code >> 1] += count
    trained = items.c.stage < campaign.last
    apart = (items.c.campaign == campaign.id, trained | items.c.test)
    found = connection.execute(select(items.c.id, trained, items.c.test).where(*apart))
    special = {row[0]: (bool(row[1]), bool(row[2])) for row in found}
    if special:
        theirs = answers.c.item.in_(select(items.c.id).where(*apart))
        split = _coded(campaign, answers.c.item).where(theirs)
        for annotator, code, count, item in connection.execute(split):
            counted[annotator, code & 1, False, False][code >> 1] -= count
            counted[annotator, code & 1, *special[item]][code >> 1] += count
    timed = {
        Kind(annotator, training, test, bool(again)): Times.of(lengths)
        for (annotator, again, training, test), lengths in counted.items()
    }
    return {kind: lengths for kind, lengths in timed.items() if lengths.counts}


def _coded(campaign: Campaign, *more: ColumnElement[Any]) -> Select[Any]:
    """Answers by person, and by length and kind in one number, which a database groups faster."""
    taken = answers.c.seconds
    rounded = case((taken < _MINUTE, func.round(taken * _PARTS)), else_=func.round(taken) * _PARTS)
    again = case((answers.c.replaces.is_not(None), 1), else_=0)
    code = cast(rounded, BigInteger) * 2 + again
    return (
        select(answers.c.annotator, code, func.count(), *more)
        .where(answers.c.campaign == campaign.id)
        .group_by(answers.c.annotator, code, *more)
    )


def together(timed: Mapping[Kind, Times], chosen: Callable[[Kind], bool]) -> Times:
    """The answers of all kinds that are chosen."""
    counted: Counter[int] = Counter()
    for kind, lengths in timed.items():
        if chosen(kind):
            counted.update(dict(lengths.counts))
    return Times.of(counted)
