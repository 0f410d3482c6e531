"""How answers came in over time, counted by the database."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, func, select

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.storage.tables import assignments, items

_MINUTE = 60_000
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
WIDTHS = (
    (_MINUTE, "minute"),
    (10 * _MINUTE, "ten minutes"),
    (_HOUR, "hour"),
    (6 * _HOUR, "six hours"),
    (_DAY, "day"),
    (7 * _DAY, "week"),
    (28 * _DAY, "four weeks"),
)
MOST = 48
"""Slices that a campaign is cut into, where its length allows."""


class Slice(Struct, frozen=True):
    """Some time of a campaign."""

    start: int
    answers: int


class History(Struct, frozen=True):
    """Answers to production items, of people who were not excluded, from the first to the last."""

    width: int
    """Milliseconds of a slice."""
    called: str
    """What people call that time."""
    slices: tuple[Slice, ...]
    last_hour: int
    """Answers within the hour before now."""

    @property
    def per_hour(self) -> float | None:
        """Answers in an hour on average, over the slices in which there were any."""
        busy = [one.answers for one in self.slices if one.answers]
        return sum(busy) * _HOUR / (self.width * len(busy)) if busy else None


def history(connection: Connection, campaign: Campaign, now: int) -> History:
    """Cut a campaign's time into slices of a length that people have a word for."""
    chosen = _produced(campaign)
    finished = assignments.c.finished
    joined = assignments.join(items, assignments.c.item == items.c.id)
    found = select(
        func.min(finished), func.max(finished), func.count().filter(finished > now - _HOUR)
    )
    first, last, recent = connection.execute(found.select_from(joined).where(*chosen)).one()
    if first is None:
        return History(*WIDTHS[0], (), 0)
    width, called = next(
        (one for one in WIDTHS if (last // one[0] - first // one[0]) < MOST), WIDTHS[-1]
    )
    place = finished // width
    counted = select(place, func.count()).select_from(joined).where(*chosen).group_by(place)
    answers = {int(row[0]): row[1] for row in connection.execute(counted)}
    places = range(first // width, last // width + 1)
    slices = (Slice(one * width, answers.get(one, 0)) for one in places)
    return History(width, called, tuple(slices), recent)


def _produced(campaign: Campaign) -> tuple[ColumnElement[bool], ...]:
    return (
        assignments.c.campaign == campaign.id,
        assignments.c.state == "done",
        items.c.stage == campaign.last,
        items.c.test.is_(False),
    )
