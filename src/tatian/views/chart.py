"""Bar and line charts as accessible SVG, for light and dark themes.

Every mark has its value as a tooltip, and the description lists all values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from msgspec import Struct

from tatian.views.palette import NAMED, SERIES

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 76, 58
"""Margins of the plot area; like the size of the image, in pixels."""
PAPER, INK, GRID = ("#ffffff", "#16181d"), NAMED["ink"], NAMED["rule"]
"""Colours; the background is white, unlike that of pages, since charts are printed."""
DASHES = ("none", "7 4", "2 3", "9 3 2 3", "4 2", "1 2")
"""Dash pattern of each series' line."""
MARKS = ("circle", "square", "diamond", "up", "down", "cross")
"""Shape of each series' points."""
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Matches characters that XML cannot contain."""


class ChartLabels(Struct, frozen=True):
    """Texts of a chart."""

    title: str
    horizontal: str
    vertical: str
    scale: float = 1.0
    """Factor by which shown values are multiplied: 100 for per cent."""
    digits: int = 1
    """Number of decimals of shown values."""


class ChartPoint(Struct, frozen=True):
    """A point of a line, with its standard error, 0 for none."""

    x: float
    y: float
    error: float = 0.0


def draw_bars(
    categories: Sequence[str], series: Mapping[str, Sequence[float]], labels: ChartLabels
) -> str:
    """Draw a group of bars for each category, with a bar for each series."""
    low, high, ticks = _scale(0.0, max((v for row in series.values() for v in row), default=1.0))
    area = _PlotArea(0, max(1, len(categories)), low, high)
    parts = [*_draw_axes(area, ticks, labels), *_draw_legend(series, bars=True)]
    slot = area.width / max(1, len(categories))
    width = 0.8 * slot / max(1, len(series))
    for index, category in enumerate(categories):
        centre = LEFT + slot * (index + 0.5)
        parts.append(_draw_text(centre, area.bottom + 20, category, "tick", "middle"))
        for number, (name, values) in enumerate(series.items()):
            top = area.y(values[index])
            left = centre - 0.4 * slot + number * width
            tip = f"{name}, {category}: {_format_value(values[index], labels)}"
            parts.append(
                f'<rect class="s{number % len(DASHES)}" x="{left:.1f}" y="{top:.1f}" '
                f'width="{max(1.0, width - 1.5):.1f}" height="{area.bottom - top:.1f}">'
                f"<title>{_escape(tip)}</title></rect>"
            )
    descriptions = (
        f"{name}: "
        + ", ".join(
            f"{category} {_format_value(value, labels)}"
            for category, value in zip(categories, values, strict=True)
        )
        for name, values in series.items()
    )
    return _svg(labels, descriptions, parts)


def draw_lines(series: Mapping[str, Sequence[ChartPoint]], labels: ChartLabels) -> str:
    """Draw a line for each series, with error bars of one standard error."""
    points = [point for line in series.values() for point in line]
    low, high, ticks = _scale(
        min((point.y - point.error for point in points), default=0.0),
        max((point.y + point.error for point in points), default=1.0),
    )
    xs = sorted({point.x for point in points}) or [0.0]
    margin = 0.06 * (xs[-1] - xs[0]) or 1.0
    area = _PlotArea(xs[0] - margin, xs[-1] + margin, low, high)
    parts = [*_draw_axes(area, ticks, labels), *_draw_legend(series, bars=False)]
    parts += [_draw_text(area.x(x), area.bottom + 20, f"{x:g}", "tick", "middle") for x in xs]
    ordered = {name: sorted(line, key=lambda point: point.x) for name, line in series.items()}
    for number, (name, line) in enumerate(ordered.items()):
        parts += _draw_line(area, number % len(DASHES), name, line, labels)
    descriptions = (
        f"{name}: " + ", ".join(f"{_format_value(p.y, labels)} at {p.x:g}" for p in line)
        for name, line in ordered.items()
    )
    return _svg(labels, descriptions, parts)


class _PlotArea(Struct, frozen=True):
    """Values at the edges of the plot area, to convert values to coordinates of the image."""

    left: float
    right: float
    low: float
    high: float

    @property
    def width(self) -> float:
        return WIDTH - LEFT - RIGHT

    @property
    def bottom(self) -> float:
        return HEIGHT - BOTTOM

    def x(self, value: float) -> float:
        return LEFT + self.width * (value - self.left) / (self.right - self.left)

    def y(self, value: float) -> float:
        up = (value - self.low) / (self.high - self.low)
        return self.bottom - (HEIGHT - TOP - BOTTOM) * up


def _scale(low: float, high: float) -> tuple[float, float, list[float]]:
    """Return round bounds around `low` and `high`, and the values of the ticks."""
    spread = (high - low) or abs(high) or 1.0
    rough = spread / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = unit * next(m for m in (1, 2, 5, 10) if m * unit >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [count * step for count in range(first, max(last, first + 1) + 1)]
    return ticks[0], ticks[-1], ticks


def _draw_axes(area: _PlotArea, ticks: Sequence[float], labels: ChartLabels) -> Iterator[str]:
    yield f'<text class="title" x="{LEFT}" y="28">{_escape(labels.title)}</text>'
    step = (ticks[1] - ticks[0]) * labels.scale
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    for tick in ticks:
        y = area.y(tick)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield _draw_text(LEFT - 8, y + 4, f"{tick * labels.scale:.{digits}f}", "tick", "end")
    ends = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{area.bottom}" y2="{area.bottom}"'
    yield f'<line class="axis" {ends}/>'
    yield _draw_text(LEFT + area.width / 2, HEIGHT - 14, labels.horizontal, "label", "middle")
    middle = (TOP + area.bottom) / 2
    yield (
        f'<text class="label" text-anchor="middle" '
        f'transform="translate(16 {middle:.0f}) rotate(-90)">{_escape(labels.vertical)}</text>'
    )


def _draw_legend(series: Mapping[str, object], *, bars: bool) -> Iterator[str]:
    x = float(LEFT)
    for number, name in enumerate(series):
        style = number % len(DASHES)
        if bars:
            yield f'<rect class="s{style}" x="{x:.0f}" y="44" width="14" height="12"/>'
        else:
            yield f'<path class="l{style}" d="M{x:.0f} 50h22"/>'
            yield _draw_mark(x + 11, 50, style, "")
        start = x + (20 if bars else 28)
        yield _draw_text(start, 55, name, "key", "start")
        x = start + 7.2 * len(name) + 22


def _draw_line(
    area: _PlotArea, style: int, name: str, points: Sequence[ChartPoint], labels: ChartLabels
) -> Iterator[str]:
    path = " ".join(f"{area.x(p.x):.1f},{area.y(p.y):.1f}" for p in points)
    yield f'<polyline class="l{style}" points="{path}"/>'
    for point in points:
        x = area.x(point.x)
        if point.error:
            upper, lower = area.y(point.y + point.error), area.y(point.y - point.error)
            yield f'<path class="e{style}" d="M{x:.1f} {upper:.1f}V{lower:.1f}"/>'
        spread = f" ± {_format_value(point.error, labels)}" if point.error else ""
        tip = f"{name}, {point.x:g}: {_format_value(point.y, labels)}{spread}"
        yield _draw_mark(x, area.y(point.y), style, tip)


def _draw_mark(x: float, y: float, style: int, tip: str) -> str:
    """Draw a data point; each series has its own shape, as colour alone would not do."""
    shapes = {
        "circle": f"M{x - 4:.1f} {y:.1f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        "square": f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        "diamond": f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z",
        "up": f"M{x:.1f} {y - 5:.1f}l5 9h-10z",
        "down": f"M{x:.1f} {y + 5:.1f}l5 -9h-10z",
        "cross": f"M{x - 1.5:.1f} {y - 5:.1f}h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
    }
    title = f"<title>{_escape(tip)}</title>" if tip else ""
    return f'<path class="s{style}" d="{shapes[MARKS[style]]}">{title}</path>'


def _draw_text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{_escape(text)}</text>'


def _format_value(value: float, labels: ChartLabels) -> str:
    return f"{value * labels.scale:.{labels.digits}f}"


def _escape(text: str) -> str:
    """Return the text as XML, without characters that XML cannot contain."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _svg(labels: ChartLabels, descriptions: Iterator[str], parts: Sequence[str]) -> str:
    description = f"{labels.vertical} by {labels.horizontal}. " + "; ".join(descriptions) + "."
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            'aria-labelledby="title desc">',
            f'<title id="title">{_escape(labels.title)}</title>',
            f'<desc id="desc">{_escape(description)}</desc>',
            f"<style>{_style()}</style>",
            f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _style() -> str:
    shared = (
        "text{font-family:system-ui,sans-serif;font-size:13px;fill:var(--ink)}"
        ".title{font-size:17px;font-weight:600}.tick{font-size:12px}"
        ".paper{fill:var(--paper)}.grid{stroke:var(--grid)}.axis{stroke:var(--ink)}"
    )
    for number, dash in enumerate(DASHES):
        colour = f"var(--c{number})"
        shared += (
            f".s{number}{{fill:{colour}}}.e{number}{{stroke:{colour}}}"
            f".l{number}{{stroke:{colour};stroke-width:2;fill:none;stroke-dasharray:{dash}}}"
        )
    light, dark = (
        "".join(f"--c{number}:{pair[theme]};" for number, pair in enumerate(SERIES[: len(DASHES)]))
        + f"--paper:{PAPER[theme]};--ink:{INK[theme]};--grid:{GRID[theme]}"
        for theme in (0, 1)
    )
    return f"svg{{{light}}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}{shared}"
