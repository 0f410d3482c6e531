"""Quantities: money, shares, measures, ages, durations, ordinals, scores and counts."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, cast

from tatian.claims.claim import (
    FRACTIONS,
    LISTS,
    VAGUE,
    ClaimKind,
    FoundClaim,
    StatedClaim,
    ValueRange,
    apply_bound,
    compare_intervals,
    context,
    find_bound,
    find_matches,
    half_last_digit,
    number_value,
    patterns,
    trailing_scale,
)
from tatian.text.content import concept, is_content
from tatian.text.lexicon import ORDINAL_WORDS

_PATTERNS = {name: patterns(name) for name in ("quantities", "orders")}
_UNITS = tuple(
    (re.compile(pattern, re.IGNORECASE), dimension, float(size))
    for name in ("units", "time units")
    for dimension, size, pattern in (line.split(" ", 2) for line in LISTS[name].splitlines())
)
_PER_YEAR = {"day": 365, "week": 52, "month": 12, "year": 1}
"""Units per year, to compare pay and rent by the year."""
_CURRENCIES = {"dollar": "$", "cent": "$", "euro": "€", "pound": "£", "pence": "£", "yen": "¥"}
_CURRENCIES |= {"kroner": "krone", "kronor": "krone", "krona": "krone"}
_NUMBER_NOUNS = {"once": 1, "twice": 2, "thrice": 3, "nobody": 0, "no one": 0, "none": 0, "no": 0}
_NUMBER_NOUNS |= {"pair": 2, "couple": 2, "duo": 2, "trio": 3, "quartet": 4}
_DECADES = {"tw": 20, "th": 30, "fo": 40, "fi": 50, "si": 60, "se": 70, "ei": 80, "ni": 90}
_DECADES |= {"te": 13, "qua": 40, "qui": 50, "sex": 60, "sep": 70, "oc": 80, "no": 90}
"""First age of a decade, by the opening of its word: 20 for "tw", as in "twenties"."""
_KINSHIP = {"mum": "mother", "mom": "mother", "dad": "father"}
_LATER = frozenset(("after", "following", "of"))
Groups = Mapping[str, str]


class Quantity(NamedTuple):
    """Value of a quantity without its bound, read from a pattern's groups."""

    interval: ValueRange
    unit: str = ""
    written: str = ""


def find_quantities(
    line: str,
    taken: set[int],
    names: Collection[int | None] = (),
    listed: str = "quantities",
) -> Iterator[FoundClaim]:
    """Yield the quantities of a line, the most specific patterns first, without overlaps.

    Figures in `names`, the offsets of names such as "Apollo 11", are skipped. If `listed` is
    "orders", the quantities are times relative to another event: "the day before the vote".
    """
    for kind, match in find_matches(_PATTERNS[listed], line):
        start = match.end("lead") if "lead" in match.re.groupindex else match.start()
        free = taken.isdisjoint(range(start, match.end() + 2 * (kind == "order")))
        quantity = _read_quantity(cast(ClaimKind, kind), match, start) if free else None
        if quantity is not None and quantity.figure[0] not in names:
            taken.update(range(quantity.start, quantity.end))
            yield quantity


def _read_quantity(kind: ClaimKind, match: re.Match[str], start: int) -> FoundClaim | None:
    """Read the value of a match with its bound or range; None if it is not a quantity."""
    line, end = match.string, match.end()
    groups = {name: (value or "").lower() for name, value in match.groupdict().items()}
    number, lower = groups.get("n", ""), groups.get("from", "")
    before, after = line[:start], line[end:]
    if kind == "count" and number:
        if context("yearlike").search(number) and not context("counted").search(after):
            return None
        if re.fullmatch(r"\d\.\d", number) and context("quake").search(line):
            kind, groups["quake"] = "measure", "magnitude"
    if groups.get("word") == "pound" and context("weight").search(line):
        return None
    read = _READERS[kind]({**groups, "after": after.lower()})
    if read is None:
        return None
    is_number = number and (kind in ("count", "age", "family") or "quake" in groups)
    figure = match.span("n") if is_number else (start, end)
    value = read.interval.low
    scale = value / number_value(number) if number and number_value(number) else 1.0
    is_change = kind not in ("age", "duration") and context("changed").search(before)
    if lower and is_change:
        start, lower = match.start("n"), ""
        figure, before = (start, figure[1]), line[:start]
    interval = read.interval
    if lower:
        low, ending = number_value(lower) * scale, trailing_scale(number)
        if trailing_scale(lower) == 1 and low * ending < value:
            low *= ending
        if low >= value:
            return None
        interval, figure = ValueRange(low, value, True), (match.start("from"), figure[1])
        opening = re.search(r"(?:between|from) $", before, re.IGNORECASE)
        start = opening.start() if opening else start
    elif not interval.bounded:
        bound, size = find_bound(before, after)
        interval, start = apply_bound(value, bound, interval.rounding), start - size
    if kind == "order" and groups.get("side", "eve") not in _LATER:
        interval = interval.scale(-1)
    return FoundClaim(kind, start, end, figure, interval, read.unit, read.written)


def _read_amount(groups: Groups) -> ValueRange:
    """Read a number, "half a", a word for a number ("twice", "a trio", "an") or a vague word."""
    if vague := groups.get("vague"):
        many = number_value(f"one {groups.get('many', '')}")
        return ValueRange(*VAGUE[vague], True).scale(many)
    if number := groups.get("n"):
        value = number_value(number)
        return ValueRange(value, value, False, half_last_digit(number))
    half, named = groups.get("half"), groups.get("named", "")
    value = FRACTIONS[half[0]] if half else _NUMBER_NOUNS.get(named, 1)
    return ValueRange(value, value)


def _read_order(groups: Groups) -> Quantity | None:
    """Read a time relative to an event, in minutes; `written` has the event's words."""
    anchor = context("anchorend").split(groups["after"], maxsplit=1)[0]
    words = [word for word in re.findall(r"[a-z][\w’'-]*", anchor)[:7] if is_content(word)]
    if not words:
        return None
    length = _read_measure(groups).interval.low if groups.get("unit") else 0.0
    ends = length, length
    if same := groups.get("same"):
        is_part = same in ("morning", "evening", "night")
        size = _unit("day" if is_part else same)[1]
        ends = (1, 1.5 * size) if is_part else (size, size)
    elif groups.get("eve"):
        ends = _unit("day")[1], _unit("day")[1]
    elif groups.get("side") == "of" or groups.get("short"):
        ends = 1, length or _unit("week")[1]
    elif many := groups.get("many"):
        ends = 2 * _unit(many)[1], 24 * _unit(many)[1]
    elif not length:
        ends = 1, math.inf
    return Quantity(ValueRange(*ends, ends[0] < ends[1]), "time", " ".join(words))


def _read_number(groups: Groups) -> Quantity:
    return Quantity(_read_amount(groups))


def _exact(value: float, unit: str = "", rounding: float = 0.0, written: str = "") -> Quantity:
    return Quantity(ValueRange(value, value, False, rounding), unit, written)


def _read_score(groups: Groups) -> Quantity | None:
    if groups.get("all"):
        return _exact(0.0, "unanimous")
    if groups.get("margin"):
        return Quantity(_read_amount(groups), "margin")
    first, second = (int(number_value(groups[side])) for side in "ab")
    return _exact(max(first, second) * 1000 + min(first, second))


def _read_money(groups: Groups) -> Quantity:
    word, per = groups.get("word", ""), groups.get("per", "")
    unit = groups.get("sign", "").upper().removeprefix("US") or _CURRENCIES.get(word, word)
    land = groups.get("land", "").replace(".", "")
    unit = f"{land} {unit}" if land not in ("", "us", "american") else unit
    factor = (0.01 if word in ("cent", "pence") else 1.0) * _PER_YEAR.get(per, 1)
    if per:
        unit += "/year" if per in _PER_YEAR else f"/{per}"
    return Quantity(_read_amount(groups).scale(factor), unit)


def _read_share(groups: Groups) -> Quantity:
    if groups.get("most"):
        return Quantity(ValueRange(math.nextafter(50, 100), 100.0, True), "share")
    if part := groups.get("part"):
        count = number_value(f"{groups.get('up') or 'one'} ")
        size = {"half": 2, "quarter": 4}.get(part) or ORDINAL_WORDS[part]
        return _exact(100 * count / size, "share", 0.4)
    if down := groups.get("down"):
        return _exact(100 * number_value(groups["up"]) / number_value(down), "share")
    return Quantity(_read_amount(groups), "share")


def _unit(written: str) -> tuple[str, float]:
    """Return the dimension and size of a unit."""
    return next((d, size) for pattern, d, size in _UNITS if pattern.fullmatch(written))


def _read_measure(groups: Groups) -> Quantity:
    if groups.get("hh"):
        hours, minutes, seconds = (int(groups[part]) for part in ("hh", "mm", "ss"))
        return _exact(hours * 60 + minutes + seconds / 60, "time")
    amount = _read_amount(groups)
    if groups.get("quake"):
        return Quantity(amount, "magnitude")
    if written := groups.get("unit"):
        dimension, size = _unit(written)
        amount = amount.scale(size)
        plus = (groups.get("plus") or groups.get("and") or "").split(" ")[-1]
        extra = {"half": 0.5, "quarter": 0.25}.get(plus, 0.0) * size
        for more, sub in (("more", "sub"), ("less", "least")):
            if groups.get(more):
                extra += number_value(groups[more]) * _unit(groups[sub] or "inch")[1]
        return Quantity(amount.shift(extra) if extra else amount, dimension, f"{size:g}")
    scale = groups.get("scale", "")[:1]
    value = -amount.low if groups.get("minus") else amount.low
    return _exact((value - 32) / 1.8 if scale == "f" else value, "temperature", 0.0, scale)


def _read_age(groups: Groups) -> Quantity:
    if decade := groups.get("decade"):
        opening = next((age for start, age in _DECADES.items() if decade.startswith(start)), 0)
        low = opening or int(decade[:2])
        return Quantity(ValueRange(low, low + (6 if low == 13 else 9), True))
    return _read_ordinal(groups) if groups.get("ord") else _read_number(groups)


def _read_family(groups: Groups) -> Quantity:
    return Quantity(_read_amount(groups), _KINSHIP.get(groups["rank"], groups["rank"]))


def _read_ordinal(groups: Groups) -> Quantity:
    if top := groups.get("top"):
        return Quantity(ValueRange(1, number_value(top), True))
    text = groups["ord"]
    return _exact(float(ORDINAL_WORDS.get(text) or int(re.sub(r"\D", "", text))))


_READERS = {
    "order": _read_order,
    "score": _read_score,
    "money": _read_money,
    "share": _read_share,
    "measure": _read_measure,
    "age": _read_age,
    "family": _read_family,
    "duration": _read_measure,
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
        left, right = (ends.scale(-1) if ends.high < 0 else ends for ends in (left, right))
        return compare_intervals(left, right)
    anchors, rivals = (frozenset(map(concept, c.written.split())) for c in (first, second))
    if not anchors.isdisjoint(rivals):
        return compare_intervals(left, right)
    is_reversed = second.scope.heads & anchors and first.scope.heads & rivals
    return compare_intervals(left, right.scale(-1)) if is_reversed else ""


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
