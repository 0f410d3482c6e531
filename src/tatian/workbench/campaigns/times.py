"""Distributions of the durations of answers, and a cache for figures of a campaign.

Durations are rounded to tenths of a second, and from a minute on to seconds.
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
from tatian.workbench.storage.database import count_rows
from tatian.workbench.storage.tables import answers, audit, items

T = TypeVar("T")
_IGNORED = (
    "adjudication.decide", "adjudication.rule", "annotator.advance", "annotator.consent",
    "annotator.enter", "annotator.finish", "annotator.link", "answer.correct", "answer.unscored",
    "guidelines.add", "invitation.create", "invitation.revoke", "item.change", "item.return",
    "items.abandoned", "items.add", "items.suggest",
)  # fmt: skip
"""Logged actions that do not change which earlier answers count."""


def rules_stamp(connection: Connection, campaign: Campaign, *ignored: str) -> tuple[Any, ...]:
    """Return a value that changes whenever other of the existing answers may count.

    `ignored` are further logged actions that do not matter to the caller.
    """
    is_relevant = audit.c.action.not_in((*_IGNORED, *ignored))
    logged = count_rows(connection, audit, audit.c.campaign == campaign.id, is_relevant)
    few = annotators_with_few(connection, campaign)
    return campaign.last, campaign.settings.least, logged, few


class CampaignCache(Generic[T]):
    """Thread-safe cache of values that are valid until a campaign's answers change."""

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._values: WeakKeyDictionary[Engine, OrderedDict[Hashable, tuple[Any, T]]]
        self._values = WeakKeyDictionary()
        self._lock = threading.Lock()

    def get(
        self, connection: Connection, campaign: Campaign, subkey: Hashable, compute: Callable[[], T]
    ) -> T:
        """Return the cached value for a campaign and `subkey`; compute it if it is not valid."""
        key = (campaign.id, subkey)
        # Read before computing, so that changes meanwhile invalidate the value.
        count = count_rows(connection, answers, answers.c.campaign == campaign.id)
        stamp = (count, rules_stamp(connection, campaign))
        with self._lock:
            values = self._values.setdefault(connection.engine, OrderedDict())
            if key in values and values[key][0] == stamp:
                values.move_to_end(key)
                return values[key][1]
        value = compute()
        with self._lock:
            values[key] = (stamp, value)
            values.move_to_end(key)
            while len(values) > self._most:
                values.popitem(last=False)
        return value


_PARTS = 10
"""Units of time per second."""
_MINUTE = 60
"""Seconds from which durations are rounded to seconds."""


class AnswerKind(Struct, frozen=True):
    """Kind of answers of one person."""

    annotator: str
    training: bool
    """True for items of a stage before production."""
    test: bool
    correction: bool
    """True for a correction, which takes time but is not another item."""


class Times(Struct, frozen=True):
    """Distribution of the durations of answers."""

    counts: tuple[tuple[int, int], ...] = ()
    """Durations in tenths of a second with the number of answers, the shortest first."""

    @classmethod
    def of(cls, counted: Mapping[int, int]) -> Times:
        """Return the distribution, given numbers of answers by tenths of a second."""
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
        """Total time in seconds."""
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
        return (self._value_at((self.answers - 1) // 2) + self._value_at(self.answers // 2)) / 2

    def count_shorter(self, seconds: float) -> int:
        """Return the number of answers that took less than `seconds`."""
        return sum(count for tenths, count in self.counts if tenths < seconds * _PARTS)

    def _value_at(self, index: int) -> float:
        for tenths, count in self.counts:
            if index < count:
                return tenths / _PARTS
            index -= count
        raise IndexError(index)


_cache: CampaignCache[Mapping[AnswerKind, Times]] = CampaignCache()


def read_times(connection: Connection, campaign: Campaign) -> Mapping[AnswerKind, Times]:
    """Return the durations of all answers of a campaign, by person and kind."""
    return _cache.get(connection, campaign, None, lambda: _compute_times(connection, campaign))


def _compute_times(connection: Connection, campaign: Campaign) -> dict[AnswerKind, Times]:
    """Count all answers, and then move those to training items and tests, which are few."""
    counts_by_kind: defaultdict[tuple[str, int, bool, bool], Counter[int]] = defaultdict(Counter)
    for annotator, code, count in connection.execute(_count_by_code(campaign)):
        counts_by_kind[annotator, code & 1, False, False][code >> 1] += count
    is_training = items.c.stage < campaign.last
    is_special = (items.c.campaign == campaign.id, is_training | items.c.test)
    rows = connection.execute(select(items.c.id, is_training, items.c.test).where(*is_special))
    special = {row[0]: (bool(row[1]), bool(row[2])) for row in rows}
    if special:
        on_special = answers.c.item.in_(select(items.c.id).where(*is_special))
        query = _count_by_code(campaign, answers.c.item).where(on_special)
        for annotator, code, count, item in connection.execute(query):
            counts_by_kind[annotator, code & 1, False, False][code >> 1] -= count
            counts_by_kind[annotator, code & 1, *special[item]][code >> 1] += count
    timed = {
        AnswerKind(annotator, training, test, bool(is_correction)): Times.of(answer_times)
        for (annotator, is_correction, training, test), answer_times in counts_by_kind.items()
    }
    return {kind: answer_times for kind, answer_times in timed.items() if answer_times.counts}


def _count_by_code(campaign: Campaign, *more: ColumnElement[Any]) -> Select[Any]:
    """Count answers by annotator and by a code: twice the duration, plus 1 for a correction."""
    seconds = answers.c.seconds
    rounded = case(
        (seconds < _MINUTE, func.round(seconds * _PARTS)), else_=func.round(seconds) * _PARTS
    )
    is_correction = case((answers.c.replaces.is_not(None), 1), else_=0)
    code = cast(rounded, BigInteger) * 2 + is_correction
    return (
        select(answers.c.annotator, code, func.count(), *more)
        .where(answers.c.campaign == campaign.id)
        .group_by(answers.c.annotator, code, *more)
    )


def combine_times(timed: Mapping[AnswerKind, Times], chosen: Callable[[AnswerKind], bool]) -> Times:
    """Return the distribution of all kinds together for which `chosen` is true."""
    counted: Counter[int] = Counter()
    for kind, kind_times in timed.items():
        if chosen(kind):
            counted.update(dict(kind_times.counts))
    return Times.of(counted)
