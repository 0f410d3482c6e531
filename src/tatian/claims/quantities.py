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
    bounded_range,
    compare_intervals,
    context,
    find_bound,
    half_last_digit,
    number_value,
    patterns,
    trailing_scale,
)
from tatian.text.content import concept, is_content
from tatian.text.lexicon import ORDINAL_WORDS

_PATTERNS, _ORDERS = map(patterns, ("quantities", "orders"))
_UNITS = tuple(
    (re.compile(pattern, re.IGNORECASE), dimension, float(size))
    for dimension, size, pattern in (line.split(" ", 2) for line in LISTS["units"].splitlines())
)
_MINUTES = {"second": 1 / 60, "minute": 1.0, "hour": 60.0, "day": 1440.0, "night": 1440.0}
_MINUTES |= {"week": 10_080.0, "fortnight": 20_160.0, "month": 43_800.0, "year": 525_600.0}
_MINUTES |= {"decade": 5_256_000.0, "century": 52_560_000.0}
_PER_YEAR = {"day": 365, "week": 52, "month": 12, "year": 1}
"""Units per year, to compare pay and rent by the year."""
_CURRENCIES = {"dollar": "$", "cent": "$", "euro": "€", "pound": "£", "pence": "£", "yen": "¥"}
_CURRENCIES |= {"kroner": "krone", "kronor": "krone", "krona": "krone"}
_FRACTIONS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fourth": 0.25, "fifth": 0.2}
_FRACTIONS |= {"sixth": 1 / 6, "seventh": 1 / 7, "eighth": 0.125, "ninth": 1 / 9, "tenth": 0.1}
_NUMBER_NOUNS = {"once": 1, "twice": 2, "thrice": 3, "nobody": 0, "no one": 0, "none": 0, "no": 0}
_NUMBER_NOUNS |= {"pair": 2, "couple": 2, "duo": 2, "trio": 3, "quartet": 4}
_DECADES = {"tw": 20, "th": 30, "fo": 40, "fi": 50, "si": 60, "se": 70, "ei": 80, "ni": 90}
_DECADES |= {"te": 13, "qua": 40, "qui": 50, "sex": 60, "sep": 70, "oc": 80, "no": 90}
"""First age of a decade, by the opening of its word: 20 for "tw", as in "twenties"."""
_KINSHIP = {"mum": "mother", "mom": "mother", "dad": "father"}
_LATER = frozenset(("after", "following", "of"))
Groups = Mapping[str, str | None]


class Measured(NamedTuple):
    """Value of a quantity, its unit and its exactness, read from a pattern's groups."""

    value: float
    unit: str = ""
    rounding: float = 0.0
    written: str = ""
    vague: tuple[float, float] | None = None
    """Least and greatest value of a vague word, used instead of `value`."""


def find_quantities(
    line: str, taken: set[int], names: Collection[int] = ()
) -> Iterator[FoundClaim]:
    """Yield the quantities of a line, the most specific patterns first, without overlaps.

    Figures in `names`, the offsets of names such as "Apollo 11", are skipped.
    """
    yield from _find_matches(_PATTERNS, line, taken, names)


def find_orders(line: str, taken: set[int]) -> Iterator[FoundClaim]:
    """Yield times of a line that are relative to another event: "the day before the vote"."""
    yield from _find_matches(_ORDERS, line, taken)


def _find_matches(
    kind_patterns: Sequence[CuedPattern],
    line: str,
    taken: set[int],
    names: Collection[int] = (),
) -> Iterator[FoundClaim]:
    lower = line.lower()
    for cued in kind_patterns:
        kind = cast(ClaimKind, cued.key)
        pattern = cued.matching(lower)
        for match in pattern.finditer(line) if pattern else ():
            start = match.end("lead") if "lead" in match.re.groupindex else match.start()
            free = taken.isdisjoint(range(start, match.end() + 2 * (kind == "order")))
            quantity = _read_quantity(kind, match, start) if free else None
            if quantity is not None and quantity.figure[0] not in names:
                taken.update(range(quantity.start, quantity.end))
                yield quantity


def _read_quantity(kind: ClaimKind, match: re.Match[str], start: int) -> FoundClaim | None:
    """Read the value of a match with its bound or range; None if it is not a quantity."""
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
    is_number = number is not None and (kind in ("count", "age", "family") or "quake" in groups)
    figure = match.span("n") if is_number else (start, end)
    scale = read.value / number_value(number) if number and number_value(number) else 1.0
    lower = groups.get("from")
    is_sum = lower is not None and groups["sep"] == " and " and before[-8:].lower() != "between "
    is_change = kind not in ("age", "duration") and context("changed").search(before) is not None
    sum_text = line[match.start("from") : match.end("n")] if is_sum else ""
    if re.fullmatch(NUMBER, sum_text, re.IGNORECASE):
        read, lower = read._replace(value=number_value(sum_text) * scale, rounding=0.0), None
        figure = (min(figure[0], match.start("from")), figure[1])
    elif lower is not None and (is_sum or is_change):
        if is_sum and groups.get("sign"):
            return None
        start, lower = match.start("n"), None
        figure, before = (start, figure[1]), line[:start]
    if read.vague is not None:
        interval = bounded_range(*read.vague)
    elif lower is None:
        bound, size = find_bound(before, after)
        interval, start = apply_bound(read.value, bound, read.rounding), start - size
    else:
        low, ending = number_value(lower) * scale, trailing_scale(number or "")
        if trailing_scale(lower) == 1 and low * ending < read.value:
            low *= ending
        if low >= read.value:
            return None
        interval, figure = bounded_range(low, read.value), (match.start("from"), figure[1])
        opening = re.search(r"(?:between|from) $", before, re.IGNORECASE)
        start = opening.start() if opening else start
    if kind == "order" and (groups.get("side") or "eve") not in _LATER:
        interval = _negate(interval)
    return FoundClaim(kind, start, end, figure, interval, read.unit, read.written)


def _negate(interval: ValueRange) -> ValueRange:
    return ValueRange(-interval.high, -interval.low, 0.0, interval.bounded)


def _read_order(groups: Groups) -> Measured | None:
    """Read a time relative to an event, in minutes; `written` has the event's words."""
    anchor = context("anchorend").split(str(groups["after"]).lower(), maxsplit=1)[0]
    words = [word for word in re.findall(r"[a-z][\w’'-]*", anchor)[:7] if is_content(word)]
    if not words:
        return None
    length = _read_duration(groups).value if groups.get("unit") else 0.0
    minutes = length
    ends: tuple[float, float] | None = None
    if same := groups.get("same"):
        is_part = same.lower() in ("morning", "evening", "night")
        minutes = _MINUTES["day" if is_part else same.lower()]
        ends = (1, 1.5 * minutes) if is_part else None
    elif groups.get("eve"):
        minutes = _MINUTES["day"]
    elif groups.get("side") == "of" or groups.get("short"):
        ends = 1, length or _MINUTES["week"]
    elif many := groups.get("many"):
        ends = 2 * _MINUTES[many.lower()[:-1]], 24 * _MINUTES[many.lower()[:-1]]
    elif not length:
        ends = 1, math.inf
    return Measured(minutes, "time", 0.0, " ".join(words), ends)


def _read_number(groups: Groups) -> Measured | None:
    """Read a number, a word for one ("twice", "a trio", "nobody") or a vague word."""
    if named := groups.get("named"):
        return Measured(_NUMBER_NOUNS[named.lower()])
    if vague := groups.get("vague"):
        return Measured(0.0, vague=VAGUE[vague.lower()])
    number = groups.get("n")
    return None if number is None else Measured(number_value(number), "", half_last_digit(number))


def _read_score(groups: Groups) -> Measured | None:
    if groups.get("all"):
        return Measured(0.0, "unanimous")
    if groups.get("margin"):
        return Measured(number_value(groups["n"] or "one"), "margin")
    sides = [str(groups[side]).lower() for side in "ab"]
    first, second = (0 if side == "nil" else int(number_value(side)) for side in sides)
    if 12 < first < second < first + 60 and not groups.get("result"):
        return Measured(0.0, "", vague=(first, second))
    return Measured(max(first, second) * 1000 + min(first, second))


def _read_money(groups: Groups) -> Measured:
    word = (groups.get("word") or "").lower()
    unit = groups.get("sign") or _CURRENCIES.get(word, word)
    land = (groups.get("land") or "").replace(".", "").lower()
    unit = "$" if unit.upper() == "US$" else unit
    unit = f"{land} {unit}" if land not in ("", "us", "american") else unit
    factor = 0.01 if word in ("cent", "pence") else 1.0
    if per := (groups.get("per") or "").lower():
        factor *= _PER_YEAR.get(per, 1)
        unit += "/year" if per in _PER_YEAR else f"/{per}"
    if many := groups.get("many"):
        size = number_value(f"one {many}")
        low, high = VAGUE[str(groups["vague"]).lower()]
        return Measured(0.0, unit, vague=(low * size, high * size))
    if groups.get("half"):
        return Measured(0.5 * factor, unit)
    number = str(groups["n"])
    return Measured(number_value(number) * factor, unit, half_last_digit(number) * factor)


def _read_share(groups: Groups) -> Measured:
    if groups.get("most"):
        return Measured(0.0, "share", 0.0, "", (math.nextafter(50, 100), 100.0))
    if part := groups.get("part"):
        up = (groups.get("up") or "one").lower()
        count = 1.0 if up in ("a", "an") else number_value(up)
        return Measured(100 * count * _FRACTIONS[part.lower()], "share", 0.4)
    if down := groups.get("down"):
        return Measured(100 * number_value(str(groups["up"])) / number_value(down), "share")
    number = str(groups["n"])
    unit = "points" if groups.get("points") else "share"
    return Measured(number_value(number), unit, half_last_digit(number))


def _read_measure(groups: Groups) -> Measured:
    if groups.get("feet"):
        feet, inches = (number_value(str(groups[part])) for part in ("feet", "inches"))
        return Measured(feet * 0.3048 + inches * 0.0254, "length", 0.0127, "ft")
    if groups.get("pounds"):
        pounds, ounces = (int(str(groups[part])) for part in ("pounds", "ounces"))
        return Measured(pounds * 0.4536 + ounces * 0.02835, "weight", 0.014, "lb")
    number = groups.get("n")
    value, rounding = (number_value(number), half_last_digit(number)) if number else (0.5, 0.0)
    if groups.get("quake"):
        return Measured(value, "magnitude", rounding)
    if written := groups.get("unit"):
        dimension, size = next((d, s) for p, d, s in _UNITS if p.fullmatch(written))
        return Measured(value * size, dimension, rounding * size, written.lower())
    scale = (groups.get("scale") or "").lower()[:1]
    value = -value if groups.get("minus") else value
    return Measured((value - 32) / 1.8 if scale == "f" else value, "temperature", 0.0, scale)


def _read_age(groups: Groups) -> Measured | None:
    if decade := groups.get("decade"):
        if decade[0].isdigit():
            return Measured(0.0, vague=(int(decade[:2]), int(decade[:2]) + 9))
        low = next(age for start, age in _DECADES.items() if decade.lower().startswith(start))
        return Measured(0.0, vague=(low, low + (6 if low == 13 else 9)))
    return _read_ordinal(groups) if groups.get("ord") else _read_number(groups)


def _read_family(groups: Groups) -> Measured:
    rank = str(groups["rank"]).lower()
    return Measured(number_value(str(groups["n"])), _KINSHIP.get(rank, rank))


def _read_duration(groups: Groups) -> Measured:
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


def _read_ordinal(groups: Groups) -> Measured:
    if top := groups.get("top"):
        return Measured(0.0, vague=(1, number_value(top)))
    text = str(groups["ord"]).lower()
    return Measured(float(ORDINAL_WORDS.get(text) or int(re.sub(r"\D", "", text))))


_READERS = {
    "order": _read_order,
    "score": _read_score,
    "money": _read_money,
    "share": _read_share,
    "measure": _read_measure,
    "age": _read_age,
    "family": _read_family,
    "duration": _read_duration,
    "frequency": _read_number,
    "ordinal": _read_ordinal,
    "count": _read_number,
}


def compare_orders(first: StatedClaim, second: StatedClaim) -> str:
    """Compare two times relative to one event, or to each other's event.

    If one is a duration, compare it with the time between the two events. Return "" if the events
    differ.
    """
    left, right = first.interval, second.interval
    assert left is not None
    assert right is not None
    if first.kind != second.kind:
        left, right = (_negate(ends) if ends.high < 0 else ends for ends in (left, right))
        return compare_intervals(left, right)
    anchors, rivals = (frozenset(map(concept, c.written.split())) for c in (first, second))
    if not anchors.isdisjoint(rivals):
        return compare_intervals(left, right)
    is_reversed = (second.scope.heads - rivals) & anchors and (first.scope.heads - anchors) & rivals
    return compare_intervals(left, _negate(right)) if is_reversed else ""


def compare_scores(unit: str, first: ValueRange, second_unit: str, second: ValueRange) -> str:
    """Compare two results of a vote or a match: scores, margins or "unanimous"."""
    if unit == second_unit:
        return compare_intervals(first, second)
    if unit and second_unit:
        return "overlap"
    if unit:
        relation = compare_scores(second_unit, second, unit, first)
        return {"entails": "entailed", "entailed": "entails"}.get(relation, relation)
    points = divmod(first.low, 1000)
    if second_unit == "unanimous":
        return "exclude" if points[1] else "entails"
    margin = ValueRange(points[0] - points[1], points[0] - points[1])
    relation = compare_intervals(margin, second)
    return "entails" if relation == "equal" else relation


def written_unit(claim: StatedClaim) -> str:
    """Return the unit as written: "hour" for "48 hours"."""
    if claim.kind != "duration":
        return claim.written
    return re.split(r"[\s-]", claim.stated.lower())[-1].rstrip("s")
