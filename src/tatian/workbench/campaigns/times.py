"""Durations of answers, counted by the database, so that large campaigns need not be read.

The database counts answers by tenths of a second, and from a minute on by seconds. Medians and
means come from these counts and are as exact as they are.
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
from tatian.workbench.campaigns.records import annotators_with_few
from tatian.workbench.storage.tables import answers, audit, items

# Cache of figures that are valid until a campaign's answers change.
#
# Answers are only ever added, and the audit log has everything else that decides which of them
# count. Counting both shows, in a few milliseconds, whether anything can have changed.

T = TypeVar("T")
_HARMLESS = (
    "adjudication.decide", "adjudication.rule", "annotator.advance", "annotator.consent",
    "annotator.enter", "annotator.finish", "annotator.link", "answer.correct", "answer.unscored",
    "guidelines.add", "invitation.create", "invitation.revoke", "item.change", "item.return",
    "items.abandoned", "items.add", "items.suggest",
)  # fmt: skip
"""Logged actions that change no earlier answer's count, or that come with a new answer."""


def rules(connection: Connection, campaign: Campaign, *besides: str) -> tuple[Any, ...]:
    """Return a value that changes whenever other answers may count, apart from new ones.

    `besides` are further actions that change nothing for the caller.
    """
    logged = (
        select(func.count())
        .select_from(audit)
        .where(audit.c.campaign == campaign.id, audit.c.action.not_in((*_HARMLESS, *besides)))
    )
    few = annotators_with_few(connection, campaign)
    return campaign.last, campaign.settings.least, connection.execute(logged).scalar(), few


class CampaignCache(Generic[T]):
    """Cache of values for campaigns, valid until answers come or go; thread-safe."""

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._values: WeakKeyDictionary[Engine, OrderedDict[Hashable, tuple[Any, T]]]
        self._values = WeakKeyDictionary()
        self._turn = threading.Lock()

    def get(
        self, connection: Connection, campaign: Campaign, more: Hashable, make: Callable[[], T]
    ) -> T:
        """Return the cached value of this campaign and `more` if it is valid, or else make it."""
        key = (campaign.id, more)
        counted = select(func.count()).where(answers.c.campaign == campaign.id)
        # Read before the value is made, so that changes in between are seen the next time.
        stamp = (connection.execute(counted).scalar(), rules(connection, campaign))
        with self._turn:
            values = self._values.setdefault(connection.engine, OrderedDict())
            if key in values and values[key][0] == stamp:
                values.move_to_end(key)
                return values[key][1]
        value = make()
        with self._turn:
            values[key] = (stamp, value)
            values.move_to_end(key)
            while len(values) > self._most:
                values.popitem(last=False)
        return value


_PARTS = 10
"""Parts of a second."""
_MINUTE = 60


class AnswerKind(Struct, frozen=True):
    """Answers of one person that are timed together."""

    annotator: str
    training: bool
    """True for items of a stage before production."""
    test: bool
    correction: bool
    """True for a correction: time at work, but no further item."""


class Times(Struct, frozen=True):
    """Distribution of the durations of answers."""

    counts: tuple[tuple[int, int], ...] = ()
    """Tenths of a second with the number of such answers, the quickest first."""

    @classmethod
    def of(cls, counted: Mapping[int, int]) -> Times:
        """Return the distribution of answers by tenths of a second."""
        return cls(tuple(sorted((tenths, count) for tenths, count in counted.items() if count)))

    def __or__(self, other: Times) -> Times:
        """Return both together."""
        return Times.of(Counter(dict(self.counts)) + Counter(dict(other.counts)))

    @property
    def answers(self) -> int:
        """Number of answers."""
        return sum(count for _, count in self.counts)

    @property
    def seconds(self) -> float:
        """Total seconds."""
        return sum(tenths * count for tenths, count in self.counts) / _PARTS

    @property
    def mean(self) -> float | None:
        """Mean seconds of an answer."""
        return self.seconds / self.answers if self.counts else None

    @property
    def median(self) -> float | None:
        """Median seconds of an answer."""
        if not self.counts:
            return None
        return (self._at((self.answers - 1) // 2) + self._at(self.answers // 2)) / 2

    def count_quicker(self, seconds: float) -> int:
        """Return the number of answers that took less than this."""
        return sum(count for tenths, count in self.counts if tenths < seconds * _PARTS)

    def _at(self, place: int) -> float:
        for tenths, count in self.counts:
            if place < count:
                return tenths / _PARTS
            place -= count
        raise IndexError(place)


_cache: CampaignCache[Mapping[AnswerKind, Times]] = CampaignCache()


def times(connection: Connection, campaign: Campaign) -> Mapping[AnswerKind, Times]:
    """Return the durations of all answers of a campaign, by person and kind."""
    return _cache.get(connection, campaign, None, lambda: _timed(connection, campaign))


def _timed(connection: Connection, campaign: Campaign) -> dict[AnswerKind, Times]:
    """Count all answers, then separate those to training items and tests, which are few."""
    counted: defaultdict[tuple[str, int, bool, bool], Counter[int]] = defaultdict(Counter)
    for annotator, code, count in connection.execute(_coded(campaign)):
        counted[annotator, code & 1, False, False][code >> 1] += count
    trained = items.c.stage < campaign.last
    apart = (items.c.campaign == campaign.id, trained | items.c.test)
    rows = connection.execute(select(items.c.id, trained, items.c.test).where(*apart))
    special = {row[0]: (bool(row[1]), bool(row[2])) for row in rows}
    if special:
        theirs = answers.c.item.in_(select(items.c.id).where(*apart))
        split = _coded(campaign, answers.c.item).where(theirs)
        for annotator, code, count, item in connection.execute(split):
            counted[annotator, code & 1, False, False][code >> 1] -= count
            counted[annotator, code & 1, *special[item]][code >> 1] += count
    timed = {
        AnswerKind(annotator, training, test, bool(again)): Times.of(lengths)
        for (annotator, again, training, test), lengths in counted.items()
    }
    return {kind: lengths for kind, lengths in timed.items() if lengths.counts}


def _coded(campaign: Campaign, *more: ColumnElement[Any]) -> Select[Any]:
    """Select answers by person and by a code of length and kind, which groups faster."""
    taken = answers.c.seconds
    rounded = case((taken < _MINUTE, func.round(taken * _PARTS)), else_=func.round(taken) * _PARTS)
    again = case((answers.c.replaces.is_not(None), 1), else_=0)
    code = cast(rounded, BigInteger) * 2 + again
    return (
        select(answers.c.annotator, code, func.count(), *more)
        .where(answers.c.campaign == campaign.id)
        .group_by(answers.c.annotator, code, *more)
    )


def combine(timed: Mapping[AnswerKind, Times], chosen: Callable[[AnswerKind], bool]) -> Times:
    """Return the durations of all chosen kinds together."""
    counted: Counter[int] = Counter()
    for kind, lengths in timed.items():
        if chosen(kind):
            counted.update(dict(lengths.counts))
    return Times.of(counted)
