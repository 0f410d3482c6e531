"""Moments of reports: their days, and their order within a day that brought several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta

from tatian.consolidation.noise import AHEAD
from tatian.consolidation.passing import is_passing
from tatian.consolidation.spans import SourceSpan, SourceSpans
from tatian.text.dates import named_days

_CLOCK = re.compile(
    r"\b(?P<hour>1[0-2]|0?[1-9])(?:[.:](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.?m\b"
    r"|\b(?:at|by|before|after) (?P<noon>noon|midday)\b"
    r"|\b(?:\w+day|this) (?P<part>morning|afternoon|evening|night)\b",
    re.IGNORECASE,
)
_PARTS = {"morning": 8, "afternoon": 14, "evening": 18, "night": 21}
"""Hours that stand for the parts of a day."""
_OTHER_DAY = re.compile(
    r"\b(?:yesterday|last night|(?:previous|next|following) \w+|tomorrow|night before)\b",
    re.IGNORECASE,
)
_LATER = timedelta(hours=1)
"""Least time between the latest events of two reports that were not written together."""
_PASSING = 1
"""Least number of passing states in a report that another of its day follows."""
END = time(23, 59)


def report_moments(
    sources: Sequence[SourceSpans], days: Sequence[date | None]
) -> tuple[datetime | None, ...]:
    """Return the moment of each report: the end of its day, or earlier if another is newer.

    A report is earlier if the latest hour that it reports as past is well before that of another
    report of the day, and if it has states and plans of its hour.
    """
    moments = [None if day is None else datetime.combine(day, END) for day in days]
    for day in {day for day in days if day is not None}:
        numbers = [number for number, other in enumerate(days) if other == day]
        clocks = {number: _latest_hour(sources[number], day) for number in numbers}
        known = [clock for clock in clocks.values() if clock is not None]
        for number, clock in clocks.items() if len(known) > 1 else ():
            if clock is not None and max(known) - clock >= _LATER and _develops(sources[number]):
                moments[number] = clock
    return tuple(moments)


def _latest_hour(source: SourceSpans, day: date) -> datetime | None:
    """Return the latest hour of its day that a report gives as past."""
    hours = [hour for span in source.spans for hour in _hours(source, span, day)]
    return max(hours, default=None)


def _hours(source: SourceSpans, span: SourceSpan, day: date) -> Iterable[datetime]:
    """Yield the hours in a span, unless it looks ahead or speaks of another day."""
    if AHEAD.search(span.text) or _OTHER_DAY.search(span.text):
        return
    tokens = [token for body in span.bodies for token in source.document.tokens_in(body)]
    if any(named != day for named in named_days(tokens, day).values()):
        return
    for match in _CLOCK.finditer(span.text):
        if match["hour"]:
            hour = int(match["hour"]) % 12
        else:
            hour = _PARTS[match["part"].lower()] if match["part"] else 12
        hour += 12 if (match["half"] or "").lower() == "p" else 0
        yield datetime.combine(day, time(hour, int(match["minute"] or 0)))


def _develops(source: SourceSpans) -> bool:
    """Check whether a report has several states and plans that pass."""
    passing = [span for span in source.spans if is_passing(source.document, span)]
    return len(passing) >= _PASSING
