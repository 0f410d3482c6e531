"""Plots as coordinates, which a template draws as SVG: no library, nothing to load.

Each has a title, a description for those who do not see it, and its figures as a table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

WIDTH, HEIGHT = 420, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 14, 28
_ROW, _LABELS, _VALUES = 24, 120, 72
MOST_BARS = 25
_LONGEST = 14
Tick = tuple[float, str]


class Figures(Struct, frozen=True):
    """The table behind a plot."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Curve(Struct, frozen=True):
    """Something that grows over time, with a level that it is to reach."""

    id: str
    title: str
    description: str
    line: str
    area: str
    level: float | None
    level_text: str
    x: tuple[Tick, ...]
    y: tuple[Tick, ...]
    table: Figures
    kind: str = "curve"
    width: int = WIDTH
    height: int = HEIGHT


class Column(Struct, frozen=True):
    """One slice of time."""

    x: float
    y: float
    width: float
    height: float


class Columns(Struct, frozen=True):
    """Counts side by side."""

    id: str
    title: str
    description: str
    columns: tuple[Column, ...]
    x: tuple[Tick, ...]
    y: tuple[Tick, ...]
    table: Figures
    kind: str = "columns"
    width: int = WIDTH
    height: int = HEIGHT


class Value(Struct, frozen=True):
    """What is known of one person, before it is drawn."""

    label: str
    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    warned: bool = False


class Bar(Struct, frozen=True):
    """One person's line; lengths are along the plot."""

    label: str
    text: str
    y: float
    width: float
    low: float | None
    high: float | None
    warned: bool


class Bars(Struct, frozen=True):
    """People under each other, with a mark across them."""

    id: str
    title: str
    description: str
    bars: tuple[Bar, ...]
    mark: float | None
    mark_text: str
    height: int
    table: Figures
    kind: str = "bars"
    width: int = WIDTH
    start: int = _LABELS
    row: int = _ROW


def curve(
    id: str,
    title: str,
    description: str,
    points: Sequence[tuple[str, float]],
    level: float | None,
    level_text: str,
    columns: tuple[str, str],
) -> Curve:
    """A growing line through named points at equal distances."""
    top = nice(max([level or 0.0, *(value for _, value in points)], default=0.0))
    xs = _places(len(points))
    drawn = [(x, _height(value, top)) for x, (_, value) in zip(xs, points, strict=True)]
    line = " ".join(
        f"{'L' if number else 'M'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(drawn)
    )
    ground = HEIGHT - _BOTTOM
    area = f"{line} L{drawn[-1][0]:.1f} {ground} L{drawn[0][0]:.1f} {ground} Z" if drawn else ""
    return Curve(
        id,
        title,
        description,
        line,
        area,
        None if level is None else _height(level, top),
        level_text,
        _ticks([name for name, _ in points], xs),
        _levels(top),
        Figures(columns, tuple((name, f"{value:,.0f}") for name, value in points)),
    )


def columns(
    id: str,
    title: str,
    description: str,
    points: Sequence[tuple[str, float]],
    headings: tuple[str, str],
) -> Columns:
    """Counts of slices of time."""
    top = nice(max((value for _, value in points), default=0.0))
    step = (WIDTH - _LEFT - _RIGHT) / max(len(points), 1)
    ground = HEIGHT - _BOTTOM
    drawn = []
    for number, (_, value) in enumerate(points):
        y = _height(value, top)
        drawn.append(Column(_LEFT + number * step + step * 0.1, y, step * 0.8, ground - y))
    middles = [_LEFT + (number + 0.5) * step for number in range(len(points))]
    return Columns(
        id,
        title,
        description,
        tuple(drawn),
        _ticks([name for name, _ in points], middles),
        _levels(top),
        Figures(headings, tuple((name, f"{value:,.0f}") for name, value in points)),
    )


def bars(
    id: str,
    title: str,
    description: str,
    values: Sequence[Value],
    headings: tuple[str, str],
    *,
    mark: float | None = None,
    mark_text: str = "",
    top: float | None = None,
) -> Bars:
    """A line for each person who has a value; the table has everybody."""
    known = [one for one in values if one.value is not None][:MOST_BARS]
    ends = [value for one in known for value in (one.value, one.high) if value is not None]
    most = top if top is not None else nice(max([mark or 0.0, *ends], default=0.0))
    room = WIDTH - _LABELS - _VALUES

    def along(value: float | None) -> float | None:
        return None if value is None else round(room * min(max(value / most, 0.0), 1.0), 1)

    drawn = tuple(
        Bar(
            short(one.label),
            one.text,
            _TOP + number * _ROW,
            along(one.value) or 0.0,
            along(one.low),
            along(one.high),
            one.warned,
        )
        for number, one in enumerate(known)
    )
    height = 2 * _TOP + _ROW * max(len(known), 1)
    table = Figures(headings, tuple((one.label, one.text) for one in values))
    return Bars(id, title, description, drawn, along(mark), mark_text, height, table)


def nice(value: float) -> float:
    """The next round number upwards, whose half is round as well."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(
        factor * power for factor in (1, 2, 4, 6, 8, 10) if factor * power >= value * (1 - 1e-9)
    )


def short(label: str) -> str:
    """A name that has room beside its bar."""
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"


def _height(value: float, top: float) -> float:
    return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / top, 1)


def _places(number: int) -> list[float]:
    room = WIDTH - _LEFT - _RIGHT
    return [_LEFT + room * (place / (number - 1) if number > 1 else 0.5) for place in range(number)]


def _ticks(names: Sequence[str], places: Sequence[float]) -> tuple[Tick, ...]:
    """The first, the middle and the last."""
    if not names:
        return ()
    chosen = sorted({0, len(names) // 2, len(names) - 1}) if len(names) > 2 else range(len(names))
    return tuple((round(places[one], 1), names[one]) for one in chosen)


def _levels(top: float) -> tuple[Tick, ...]:
    shown = (0.0, top / 2, top)
    return tuple((_height(level, top), f"{level:,.10g}") for level in shown)
