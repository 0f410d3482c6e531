"""Normalised values of time phrases, for `constraints`."""

from __future__ import annotations

from collections.abc import Mapping

from tatian.coreference.constraints import TimeValue
from tatian.coreference.words import Text
from tatian.text import Document
from tatian.text.datelines import publication_day
from tatian.text.dates import Time, find_times, named_days
from tatian.text.lexicon import RELATIVE_DATES

_SHIFTS = {-1: "back", 0: "this", 1: "on"}
_VALUE_KEYS = ("weekday", "month", "day", "year", "clock", "part", "shift")


def times(document: Document, text: Text) -> dict[int, TimeValue]:
    """Map the position of each time phrase's head to the value of the phrase."""
    day = publication_day(document)
    values: dict[int, TimeValue] = {}
    for begin in sorted(set(text.begin.tolist())):
        tokens = document.tokens[begin : int(text.end[begin])]
        days = named_days(tokens, day)
        for time in find_times(tokens, day):
            phrase = range(begin + time.first, begin + time.end)
            dates = {days[index - begin] for index in phrase if index - begin in days}
            date = {"date": next(iter(dates)).isoformat()} if len(dates) == 1 else {}
            value = tuple(sorted((_value_of(time) | date).items()))
            values |= {index: value for index in phrase if text.head[index] not in phrase}
    return values


def _value_of(time: Time) -> dict[str, str]:
    """Return the parts of a time's value, such as its length, weekday and month."""
    parts = time.parts
    value = {key: parts[key] for key in _VALUE_KEYS if key in parts}
    if "relative" in parts:
        value["shift"] = _SHIFTS[RELATIVE_DATES[parts["relative"]].amount]
    length = _unit_of(parts)
    if length:
        value["length"] = length
    if time.days is not None and length == "day":
        day = time.days[0]
        value["weekday"] = str(day.weekday())
        if "weekday" not in parts:
            value |= {"month": str(day.month), "day": str(day.day)}
    return value


def _unit_of(parts: Mapping[str, str]) -> str:
    """Return the unit of time that a phrase names: "day", "month", "year"; empty if unknown."""
    if "part" in parts or "clock" in parts:
        return ""
    if parts.keys() & {"weekday", "day"}:
        return "day"
    if "grain" in parts:
        return parts["grain"]
    return "month" if "month" in parts else "year" if "year" in parts else ""
