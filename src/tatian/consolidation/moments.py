"""Moments of reports: their days, and their order within a day that brought several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from statistics import fmean as mean

from msgspec import Struct

from tatian.consolidation.news_sentence import AHEAD
from tatian.consolidation.noise import HEADLINE
from tatian.consolidation.passing import is_passing
from tatian.consolidation.spans import SourceSpan, SourceSpans
from tatian.text.datelines import dateline
from tatian.text.dates import named_days, written_day
from tatian.text.lexicon import NUMBER_WORDS

_NUMBER = "|".join(word for word, number in NUMBER_WORDS.items() if 1 <= number <= 12)
_CLOCK = re.compile(
    r"\b(?P<hour>1[0-2]|0?[1-9])(?:[.:](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.?m\b"
    rf"|\b(?P<word>{_NUMBER}|1[0-2]|[1-9])(?: o['’]clock)?,? (?:(?:in the|this|on \w+day|\w+day) )"
    r"(?P<half2>morning|afternoon|evening)\b"
    rf"|\b(?P<early>{_NUMBER}|1[0-2]|[1-9]) o['’]clock\b"
    r"|\b(?:at|by|before|after|until|since) (?P<noon>noon|midday)\b"
    r"|\b(?:\w+day|this) (?P<part>morning|afternoon|evening|night)\b|\b(?P<tonight>to-?night)\b"
    r"|\b(?P<edge>early|late) (?:on )?\w+day\b",
    re.IGNORECASE,
)
_PARTS = {"early": 5, "morning": 8, "afternoon": 14, "evening": 18, "night": 21, "late": 22}
"""Hours that stand for the parts of a day."""
_STAMP = re.compile(
    r"(?<![\d.:])(?P<hour>[01]?\d|2[0-3])"
    r"(?:[.:](?P<minute>[0-5]\d)(?![\d.:])(?: ?(?P<half>[ap])\.?m\b)?| ?(?P<half2>[ap])\.?m\b)",
    re.IGNORECASE,
)
"""Clock times above a report, also of 24 hours."""
_ISSUE = re.compile(r"\b(?:bulletin|edition|update|updated|posted|filed|issued)\b", re.IGNORECASE)
"""Words of headlines that are stamps."""
_OTHER_DAY = re.compile(
    r"\b(?:yesterday|last night|(?:previous|next|following) \w+|tomorrow|night before)\b",
    re.IGNORECASE,
)
_MIN_LATER = timedelta(hours=1)
"""Minimum time between the latest events of two reports that were not written together."""
_MIN_PASSING_SHARE = 0.25
"""Share of passing spans from which a report without past hours precedes an afternoon one."""
_MIN_MORNING_HOUR = 7
"""Least number before "o'clock" that counts as an hour before noon."""
NOON = 12
END = time(23, 59)


def report_moments(
    sources: Sequence[SourceSpans], days: Sequence[date | None]
) -> tuple[datetime | None, ...]:
    """Return the moment of each report: the end of its day, or earlier if another is newer."""
    moments = [None if day is None else datetime.combine(day, END) for day in days]
    for day in {day for day in days if day is not None}:
        numbers = [number for number, other in enumerate(days) if other == day]
        hours = _hours_of_day({number: sources[number] for number in numbers}, day)
        moments = [hours.get(number, moment) for number, moment in enumerate(moments)]
    return tuple(moments)


class _Hours(Struct, frozen=True):
    """Hours that a report gives."""

    stamp: datetime | None
    """Hour at which it was written."""
    past: datetime | None
    """Latest hour that it gives as past."""
    planned: datetime | None
    """Earliest hour that it gives as still ahead."""
    passing: float
    """Share of its spans with passing states or plans (see `is_passing`)."""

    def precedes(self, other: _Hours) -> bool:
        """Check whether another report of the day is surely newer.

        A time stamp decides. An hour in a text only shows that it was written later.
        """
        if self.stamp and other.stamp:
            return other.stamp - self.stamp >= _MIN_LATER
        if self.stamp:
            return other.past is not None and other.past > self.stamp
        if self.past:
            later = other.past is not None and other.past - self.past >= _MIN_LATER
            return later and self.passing > 0
        known = other.stamp or other.past
        if known is None:
            return False
        early = self.passing >= _MIN_PASSING_SHARE and known.hour >= NOON
        return early or (self.planned is not None and self.planned <= known)

    def moment(self, day: date) -> datetime:
        """Return the moment of a report that another one follows."""
        return self.stamp or self.past or self.planned or datetime.combine(day, time(0))


def _hours_of_day(sources: Mapping[int, SourceSpans], day: date) -> dict[int, datetime]:
    """Return the moments of those reports of one day that another one follows.

    Of reports that were written on one day but printed on several, the last printed is the newest.
    """
    hours = {number: _read_hours(source, day) for number, source in sources.items()}
    printed = {n: (source.document.metadata.date or "")[:10] for n, source in sources.items()}
    if len(set(printed.values())) > 1:
        noon = datetime.combine(day, time(NOON))
        return {n: hours[n].stamp or noon for n in sources if printed[n] < max(printed.values())}
    return _cluster(
        {
            number: report.moment(day)
            for number, report in hours.items()
            if any(report.precedes(other) for n, other in hours.items() if n != number)
        }
    )


def _read_hours(source: SourceSpans, day: date) -> _Hours:
    passing = [is_passing(source.document, span) for span in source.spans]
    return _Hours(
        _stamp(source, day),
        max(_hours(source, day, ahead=False), default=None),
        min(_hours(source, day, ahead=True), default=None),
        mean(passing) if passing else 0.0,
    )


def _cluster(hours: Mapping[int, datetime]) -> dict[int, datetime]:
    """Set hours that are less than `_MIN_LATER` before a later one to that later one."""
    together: dict[int, datetime] = {}
    latest: datetime | None = None
    for number, hour in sorted(hours.items(), key=lambda pair: pair[1], reverse=True):
        latest = hour if latest is None or latest - hour >= _MIN_LATER else latest
        together[number] = latest
    return together


def _stamp(source: SourceSpans, day: date) -> datetime | None:
    """Return the clock time of a report: its metadata's, or the latest in the lines above it."""
    if stamp := _metadata_time(source.document.metadata.date or "", day):
        return stamp
    if not source.spans:
        return None
    document, start = source.document, source.spans[0].bodies[0].start
    above = {
        document.sentences[index].of(document.text): why
        for index, why in source.excluded.items()
        if document.sentences[index].start < start
    }
    lines = [
        line
        for line, why in above.items()
        if why != HEADLINE or _ISSUE.search(line) or written_day(line)
    ]
    if opening := dateline(document.text):
        lines.append(opening[0])
    stamps = (_clock_time(match, day) for line in lines for match in _STAMP.finditer(line))
    return max(stamps, default=None)


def _metadata_time(written: str, day: date) -> datetime | None:
    """Return the time of an ISO 8601 date, as its own clock gives it; midnight is no time."""
    try:
        stamp = datetime.fromisoformat(written).replace(tzinfo=None)
    except ValueError:
        return None
    return stamp if stamp.date() == day and stamp.time() != time(0) else None


def _clock_time(match: re.Match[str], day: date) -> datetime:
    hour, half = int(match["hour"]), (match["half"] or match["half2"] or "").lower()
    hour = hour % 12 + 12 * (half == "p") if half and hour <= 12 else hour
    return datetime.combine(day, time(hour, int(match["minute"] or 0)))


def _hours(source: SourceSpans, day: date, *, ahead: bool) -> Iterator[datetime]:
    """Yield the hours of `day` that a report gives as past, or else as still `ahead`."""
    for span in source.spans:
        if bool(AHEAD.search(span.text)) == ahead and not _OTHER_DAY.search(span.text):
            tokens = [token for body in span.bodies for token in source.document.tokens_in(body)]
            if all(named == day for named in named_days(tokens, day).values()):
                yield from _clock_times(span, day)


def _clock_times(span: SourceSpan, day: date) -> Iterable[datetime]:
    for match in _CLOCK.finditer(span.text):
        if match["hour"]:
            hour = int(match["hour"]) % 12 + 12 * (match["half"].lower() == "p")
        elif word := match["word"] or match["early"]:
            number = int(word) if word.isdecimal() else NUMBER_WORDS[word.lower()]
            morning = (
                number >= _MIN_MORNING_HOUR
                if match["early"]
                else match["half2"].lower() == "morning"
            )
            hour = number % 12 + 12 * (not morning or (bool(match["early"]) and number == NOON))
        else:
            part = "night" if match["tonight"] else (match["part"] or match["edge"] or "").lower()
            hour = _PARTS.get(part, NOON)
        yield datetime.combine(day, time(hour, int(match["minute"] or 0)))
