"""Quantities: money, shares, measures, ages, durations, ordinals, scores and counts."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from tatian.claims.claim import (
    FRACTIONS,
    LISTS,
    NUMBER,
    VAGUE,
    ClaimKind,
    CuedPattern,
    FoundClaim,
    StatedClaim,
    ValueRange,
    apply_bound,
    bound_of,
    compare_intervals,
    context,
    last_scale,
    loose_range,
    number_value,
    patterns,
    rounding_of,
)
from tatian.text.content import concept, is_content
from tatian.text.lexicon import NUMBER_WORDS, ORDINAL_WORDS

_PATTERNS, _ORDERS = map(patterns, ("quantities", "orders"))
_NUMBERS = re.compile(NUMBER, re.IGNORECASE)
_NUMBERED = frozenset(
    cued.source
    for cued in (*_PATTERNS, *_ORDERS)
    if f"(?P<n>{NUMBER}" in cued.source and not re.search(r"\?P<(?:an|single|eve)>", cued.source)
)
"""Patterns that need a number."""
_UNITS = tuple(
    (re.compile(pattern, re.IGNORECASE), dimension, float(size))
    for dimension, size, pattern in (line.split(" ", 2) for line in LISTS["units"].splitlines())
)
_MINUTES = {"second": 1 / 60, "minute": 1.0, "hour": 60.0, "day": 1440.0, "night": 1440.0}
_MINUTES |= {"week": 10_080.0, "fortnight": 20_160.0, "month": 43_800.0, "year": 525_600.0}
_MINUTES |= {"decade": 5_256_000.0, "century": 52_560_000.0}
_YEARLY = {"day": 365, "week": 52, "month": 12, "year": 1}
"""Times in a year; pay and rent are compared by the year."""
_CURRENCIES = {"dollar": "$", "cent": "$", "euro": "€", "pound": "£", "pence": "£", "yen": "¥"}
_CURRENCIES |= {"kroner": "krone", "kronor": "krone", "krona": "krone"}
_PARTS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fourth": 0.25, "fifth": 0.2}
_PARTS |= {"sixth": 1 / 6, "seventh": 1 / 7, "eighth": 0.125, "ninth": 1 / 9, "tenth": 0.1}
_NAMED = {"once": 1, "twice": 2, "thrice": 3, "nobody": 0, "no one": 0, "none": 0, "no": 0}
_NAMED |= {"pair": 2, "couple": 2, "duo": 2, "trio": 3, "quartet": 4}
_DECADES = {"tw": 20, "th": 30, "fo": 40, "fi": 50, "si": 60, "se": 70, "ei": 80, "ni": 90}
_DECADES |= {"te": 13, "qua": 40, "qui": 50, "sex": 60, "sep": 70, "oc": 80, "no": 90}
_RANKS = {"mum": "mother", "mom": "mother", "dad": "father"}
_COUNTING = re.compile(
    rf"\d|\b(?:{'|'.join({*NUMBER_WORDS, *ORDINAL_WORDS} - {w for w in NUMBER_WORDS if '-' in w})}"
    rf"|{'|'.join(VAGUE)}|half|quarter|once|twice|thrice|nobody|none|no|most|majority|an?"
    r"|unanimous(?:ly)?|without|teenage\w*|\w+ties|\w+genarian)\b",
    re.IGNORECASE,
)

_LATER = frozenset(("after", "following", "of"))
Groups = Mapping[str, str | None]


class Measured(NamedTuple):
    """Reading of a pattern's groups: a value, its unit, and how exact it is."""

    value: float
    unit: str = ""
    rounding: float = 0.0
    written: str = ""
    vague: tuple[float, float] | None = None
    """Numbers allowed, where no number is stated."""


def find_quantities(
    line: str, taken: set[int], names: Collection[int] = ()
) -> Iterator[FoundClaim]:
    """Yield the quantities of a line, the most specific pattern first, none inside another.

    No figure is read inside `names`, the characters of names such as "Apollo 11".
    """
    if _COUNTING.search(line):
        yield from _find(_PATTERNS, line, taken, names)


def find_orders(line: str, taken: set[int]) -> Iterator[FoundClaim]:
    """Yield times of a line that are relative to another event: "the day before the vote"."""
    if context("ordered").search(line):
        yield from _find(_ORDERS, line, taken)


def _find(
    kinds: Sequence[CuedPattern],
    line: str,
    taken: set[int],
    names: Collection[int] = (),
) -> Iterator[FoundClaim]:
    numbered = _NUMBERS.search(line) is not None
    lower = line.lower()
    for cued in kinds:
        kind = cast(ClaimKind, cued.key)
        pattern = cued.matching(lower) if numbered or cued.source not in _NUMBERED else None
        for match in pattern.finditer(line) if pattern else ():
            start = match.end("lead") if "lead" in match.re.groupindex else match.start()
            free = taken.isdisjoint(range(start, match.end() + 2 * (kind == "order")))
            quantity = _quantity(kind, match, start) if free else None
            if quantity is not None and quantity.figure[0] not in names:
                taken.update(range(quantity.start, quantity.end))
                yield quantity


def _quantity(kind: ClaimKind, match: re.Match[str], start: int) -> FoundClaim | None:
    """Read the value of a match, with its bound or range; None if it is no quantity."""
    line, groups, end = match.string, match.groupdict(), match.end()
    number = groups.get("n")
    before, after = line[:start], line[end:]
    if kind == "count" and number:
        if context("yearlike").search(number) and not context("counted").search(after):
            return None
        if re.fullmatch(r"\d\.\d", number) and context("quake").search(line):
            kind, groups["quake"] = "measure", "magnitude"
    if (groups.get("word") or "").lower() == "pound" and context("weight").search(line):
        return None
    if kind == "score" and context("result").search(before):
        groups["result"] = "score"
    read = _READERS[kind]({**groups, "after": after})
    if read is None:
        return None
    sign = -1 if kind == "order" and (groups.get("side") or "eve") not in _LATER else 1
    is_number = number is not None and (kind in ("count", "age", "family") or "quake" in groups)
    figure = match.span("n") if is_number else (start, end)
    if read.vague is not None:
        return _found(kind, (start, end), figure, loose_range(*read.vague), read, sign)
    scale = read.value / number_value(number) if number and number_value(number) else 1.0
    lower = groups.get("from")
    joined = lower is not None and groups["sep"] == " and " and before[-8:].lower() != "between "
    changed = kind not in ("age", "duration") and context("changed").search(before) is not None
    whole = line[match.start("from") : match.end("n")] if joined else ""
    if _NUMBERS.fullmatch(whole):
        read, lower = read._replace(value=number_value(whole) * scale, rounding=0.0), None
        figure = (min(figure[0], match.start("from")), figure[1])
    elif lower is not None and (joined or changed):
        if joined and groups.get("sign"):
            return None
        start, lower = match.start("n"), None
        figure, before = (start, figure[1]), line[:start]
    if lower is None:
        bound, size = bound_of(before, after)
        interval = apply_bound(read.value, bound, read.rounding)
        return _found(kind, (start - size, end), figure, interval, read, sign)
    low, ending = number_value(lower) * scale, last_scale(number or "")
    if last_scale(lower) == 1 and low * ending < read.value:
        low *= ending
    if low >= read.value:
        return None
    opening = re.search(r"(?:between|from) $", before, re.IGNORECASE)
    size = len(opening[0]) if opening else 0
    figure = (match.start("from"), figure[1])
    return _found(kind, (start - size, end), figure, loose_range(low, read.value), read)


def _found(
    kind: ClaimKind,
    span: tuple[int, int],
    figure: tuple[int, int],
    interval: ValueRange,
    read: Measured,
    sign: int = 1,
) -> FoundClaim:
    interval = interval if sign > 0 else _turned(interval)
    return FoundClaim(kind, *span, figure, interval, read.unit, read.written)


def _turned(interval: ValueRange) -> ValueRange:
    return ValueRange(-interval.high, -interval.low, 0.0, interval.bounded)


def _order(groups: Groups) -> Measured | None:
    """Read a time relative to another event, in minutes; `written` has the words for that event."""
    anchor = context("anchorend").split(str(groups["after"]).lower(), maxsplit=1)[0]
    words = [word for word in re.findall(r"[a-z][\w’'-]*", anchor)[:7] if is_content(word)]
    if not words:
        return None
    anchor_words = " ".join(words)
    if same := groups.get("same"):
        part = same.lower() in ("morning", "evening", "night")
        size = _MINUTES["day" if part else same.lower()]
        return Measured(size, "time", 0.0, anchor_words, (1, 1.5 * size) if part else None)
    if groups.get("eve"):
        return Measured(_MINUTES["day"], "time", 0.0, anchor_words)
    if groups.get("side") == "of" or groups.get("short"):
        size = _duration(groups).value if groups.get("unit") else _MINUTES["week"]
        return Measured(0.0, "time", 0.0, anchor_words, (1, size))
    if many := groups.get("many"):
        size = _MINUTES[many.lower()[:-1]]
        return Measured(0.0, "time", 0.0, anchor_words, (2 * size, 24 * size))
    if groups.get("unit"):
        return Measured(_duration(groups).value, "time", 0.0, anchor_words)
    return Measured(0.0, "time", 0.0, anchor_words, (1, math.inf))


def _plain(groups: Groups) -> Measured | None:
    """Read a number, a word for one ("twice", "a trio", "nobody") or a vague word."""
    if named := groups.get("named"):
        return Measured(_NAMED[named.lower()])
    if vague := groups.get("vague"):
        return Measured(0.0, vague=VAGUE[vague.lower()])
    number = groups.get("n")
    return None if number is None else Measured(number_value(number), "", rounding_of(number))


def _score(groups: Groups) -> Measured | None:
    if groups.get("all"):
        return Measured(0.0, "unanimous")
    if groups.get("margin"):
        return Measured(number_value(groups["n"] or "one"), "margin")
    sides = [str(groups[side]).lower() for side in "ab"]
    first, second = (0 if side == "nil" else int(number_value(side)) for side in sides)
    if 12 < first < second < first + 60 and not groups.get("result"):
        return Measured(0.0, "", vague=(first, second))
    return Measured(max(first, second) * 1000 + min(first, second))


def _money(groups: Groups) -> Measured:
    word = (groups.get("word") or "").lower()
    unit = groups.get("sign") or _CURRENCIES.get(word, word)
    land = (groups.get("land") or "").replace(".", "").lower()
    unit = "$" if unit.upper() == "US$" else unit
    unit = f"{land} {unit}" if land not in ("", "us", "american") else unit
    factor = 0.01 if word in ("cent", "pence") else 1.0
    if per := (groups.get("per") or "").lower():
        factor *= _YEARLY.get(per, 1)
        unit += "/year" if per in _YEARLY else f"/{per}"
    if many := groups.get("many"):
        size = number_value(f"one {many}")
        low, high = VAGUE[str(groups["vague"]).lower()]
        return Measured(0.0, unit, vague=(low * size, high * size))
    if groups.get("half"):
        return Measured(0.5 * factor, unit)
    number = str(groups["n"])
    return Measured(number_value(number) * factor, unit, rounding_of(number) * factor)


def _share(groups: Groups) -> Measured:
    if groups.get("most"):
        return Measured(0.0, "share", 0.0, "", (math.nextafter(50, 100), 100.0))
    if part := groups.get("part"):
        up = (groups.get("up") or "one").lower()
        count = 1.0 if up in ("a", "an") else number_value(up)
        return Measured(100 * count * _PARTS[part.lower()], "share", 0.4)
    if down := groups.get("down"):
        return Measured(100 * number_value(str(groups["up"])) / number_value(down), "share")
    number = str(groups["n"])
    unit = "points" if groups.get("points") else "share"
    return Measured(number_value(number), unit, rounding_of(number))


def _measure(groups: Groups) -> Measured:
    if groups.get("feet"):
        feet, inches = (number_value(str(groups[part])) for part in ("feet", "inches"))
        return Measured(feet * 0.3048 + inches * 0.0254, "length", 0.0127, "ft")
    if groups.get("pounds"):
        pounds, ounces = (int(str(groups[part])) for part in ("pounds", "ounces"))
        return Measured(pounds * 0.4536 + ounces * 0.02835, "weight", 0.014, "lb")
    number = groups.get("n")
    value, rounding = (number_value(number), rounding_of(number)) if number else (0.5, 0.0)
    if groups.get("quake"):
        return Measured(value, "magnitude", rounding)
    if written := groups.get("unit"):
        dimension, size = next((d, s) for p, d, s in _UNITS if p.fullmatch(written))
        return Measured(value * size, dimension, rounding * size, written.lower())
    scale = (groups.get("scale") or "").lower()[:1]
    value = -value if groups.get("minus") else value
    return Measured((value - 32) / 1.8 if scale == "f" else value, "temperature", 0.0, scale)


def _age(groups: Groups) -> Measured | None:
    if decade := groups.get("decade"):
        if decade[0].isdigit():
            return Measured(0.0, vague=(int(decade[:2]), int(decade[:2]) + 9))
        low = next(age for start, age in _DECADES.items() if decade.lower().startswith(start))
        return Measured(0.0, vague=(low, low + (6 if low == 13 else 9)))
    return _ordinal(groups) if groups.get("ord") else _plain(groups)


def _family(groups: Groups) -> Measured:
    rank = str(groups["rank"]).lower()
    return Measured(number_value(str(groups["n"])), _RANKS.get(rank, rank))


def _duration(groups: Groups) -> Measured:
    if groups.get("hh"):
        hours, minutes, seconds = (int(str(groups[part])) for part in ("hh", "mm", "ss"))
        return Measured(hours * 60 + minutes + seconds / 60, "time")
    size = _MINUTES[str(groups["unit"]).lower()]
    if vague := groups.get("vague"):
        low, high = VAGUE[vague.lower()]
        return Measured(0.0, "time", vague=(low * size, high * size))
    if half := groups.get("half"):
        return Measured(FRACTIONS[half[0].lower()] * size, "time")
    value = number_value(str(groups["n"])) if groups.get("n") else 1.0
    plus = (groups.get("plus") or groups.get("and") or "").split(" ")[-1]
    value += {"half": 0.5, "quarter": 0.25}.get(plus, 0.0)
    if more := groups.get("more"):
        value += number_value(more) * _MINUTES[str(groups["sub"]).lower()] / size
    if less := groups.get("less"):
        value += number_value(less) * _MINUTES[str(groups["least"]).lower()] / size
    return Measured(value * size, "time")


def _ordinal(groups: Groups) -> Measured:
    if top := groups.get("top"):
        return Measured(0.0, vague=(1, number_value(top)))
    text = str(groups["ord"]).lower()
    return Measured(float(ORDINAL_WORDS.get(text) or int(re.sub(r"\D", "", text))))


_READERS = {
    "order": _order,
    "score": _score,
    "money": _money,
    "share": _share,
    "measure": _measure,
    "age": _age,
    "family": _family,
    "duration": _duration,
    "frequency": _plain,
    "ordinal": _ordinal,
    "count": _plain,
}


def compare_orders(first: StatedClaim, second: StatedClaim) -> str:
    """Compare two times that are relative to one event, or each to the other's.

    With a duration, the time between the two events is compared.
    """
    span, other = first.interval, second.interval
    assert span is not None
    assert other is not None
    if first.kind != second.kind:
        span, other = (_turned(ends) if ends.high < 0 else ends for ends in (span, other))
        return compare_intervals(span, other)
    ours, theirs = (frozenset(map(concept, c.written.split())) for c in (first, second))
    if not ours.isdisjoint(theirs):
        return compare_intervals(span, other)
    turned = (second.scope.heads - theirs) & ours and (first.scope.heads - ours) & theirs
    return compare_intervals(span, _turned(other)) if turned else ""


def compare_scores(unit: str, value: ValueRange, other: str, second_value: ValueRange) -> str:
    """Compare two results of a vote or a match: scores, margins or "unanimous"."""
    if unit == other:
        return compare_intervals(value, second_value)
    if unit and other:
        return "overlap"
    if unit:
        turned = {"entails": "entailed", "entailed": "entails"}
        order = compare_scores(other, second_value, unit, value)
        return turned.get(order, order)
    sides = divmod(value.low, 1000)
    if other == "unanimous":
        return "exclude" if sides[1] else "entails"
    margin = ValueRange(sides[0] - sides[1], sides[0] - sides[1])
    order = compare_intervals(margin, second_value)
    return "entails" if order == "equal" else order
