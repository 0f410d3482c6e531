"""A sweep of thresholds to look at: a chart as SVG, a page with its table, a line of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from tatian.mentions.metrics.sweeping import Point, Sweep

_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 64, 52
_BLOCKS = "▁▂▃▄▅▆▇█"
_FIGURES = ("f1", "precision", "recall")
_DASHES = ("none", "8 4", "2 3", "9 3 2 3", "4 2", "1 2")
_LIGHT = ("#1d5fa8", "#b3420e", "#0f7a5a", "#8b2a8f", "#7a5b00", "#4b5563")
_DARK = ("#7fb4f0", "#f0925f", "#4fd0a5", "#dc8ee0", "#e0c04a", "#b4bcc8")
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PAGE = """
body{font-family:system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;
color:var(--ink);background:var(--paper)}
svg{width:100%;height:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.15rem .8rem;text-align:right;border-bottom:1px solid var(--grid)}
tr.best{font-weight:600}caption{text-align:left;padding:.6rem 0}
"""


def sparkline(sweep: Sweep, width: int = 40) -> str:
    """The F1 from the lowest threshold to the highest, as high as blocks."""
    step = max(1.0, len(sweep.points) / width)
    places = sorted({int(index * step) for index in range(width)})
    values = [sweep.points[place].f1 for place in places if place < len(sweep.points)]
    top = max(values) or 1.0
    return "".join(_BLOCKS[round(value / top * (len(_BLOCKS) - 1))] for value in values)


def svg(sweeps: Mapping[str, Sweep]) -> str:
    """A chart for a file of its own: of one system all figures, of several their F1."""
    return _chart(sweeps, f"<style>{_style()}</style>")


def html(sweeps: Mapping[str, Sweep]) -> str:
    """A page with the chart and every point."""
    from tatian.pages import page

    tables = "\n".join(_table(name, sweep) for name, sweep in sweeps.items())
    title = "Precision, recall and F1 by threshold"
    body = f"<main>\n<h1>{title}</h1>\n{_chart(sweeps, '')}\n{tables}\n</main>"
    return page(title, body, _style() + _PAGE)


def _chart(sweeps: Mapping[str, Sweep], style: str) -> str:
    low, high = _range(sweeps)
    parts = list(_frame(low, high))
    told = []
    for number, (name, sweep, figure) in enumerate(_series(sweeps)):
        parts += _line(number % len(_DASHES), name, sweep, figure, low, high)
        best = sweep.best
        told.append(f"{name}: best F1 {best.f1:.3f} at {best.threshold:.3g}")
    summary = "; ".join(dict.fromkeys(told))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            'aria-labelledby="sweep-title sweep-told">',
            '<title id="sweep-title">Figures by confidence threshold</title>',
            f'<desc id="sweep-told">{_safe(summary)}</desc>',
            style,
            f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _series(sweeps: Mapping[str, Sweep]) -> Iterator[tuple[str, Sweep, str]]:
    for name, sweep in sweeps.items():
        if len(sweeps) > 1:
            yield name, sweep, "f1"
            continue
        for figure in _FIGURES:
            yield figure if figure != "f1" else "F1", sweep, figure


def _range(sweeps: Mapping[str, Sweep]) -> tuple[float, float]:
    places = [point.threshold for sweep in sweeps.values() for point in sweep.points]
    low, high = min(places), max(places)
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _x(threshold: float, low: float, high: float) -> float:
    return _LEFT + (threshold - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return _HEIGHT - _BOTTOM - value * (_HEIGHT - _TOP - _BOTTOM)


def _frame(low: float, high: float) -> Iterator[str]:
    for tick in range(0, 11, 2):
        height = _y(tick / 10)
        yield (
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" '
            f'y1="{height:.1f}" y2="{height:.1f}"/>'
        )
        yield _text(_LEFT - 8, height + 4, f"{tick / 10:.1f}", "end")
    for tick in range(6):
        value = low + (high - low) * tick / 5
        yield _text(_x(value, low, high), _HEIGHT - _BOTTOM + 20, f"{value:.2g}", "middle")
    yield _text(_WIDTH / 2, _HEIGHT - 10, "threshold", "middle")


def _line(
    number: int, name: str, sweep: Sweep, figure: str, low: float, high: float
) -> Iterator[str]:
    points = " ".join(
        f"{_x(point.threshold, low, high):.1f},{_y(_value(point, figure)):.1f}"
        for point in sweep.points
    )
    yield f'<polyline class="line s{number}" points="{points}"/>'
    if figure == "f1":
        best = sweep.best
        told = f"{name}: {best.f1:.3f} at {best.threshold:.3g}"
        yield (
            f'<circle class="dot s{number}" r="5" cx="{_x(best.threshold, low, high):.1f}" '
            f'cy="{_y(best.f1):.1f}"><title>{_safe(told)}</title></circle>'
        )
    left = _LEFT + 110 * number
    yield f'<line class="line s{number}" x1="{left}" x2="{left + 26}" y1="28" y2="28"/>'
    yield _text(left + 32, 32, name[:12], "start")


def _value(point: Point, figure: str) -> float:
    value: float = getattr(point, figure)
    return value


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_safe(text)}</text>'


def _table(name: str, sweep: Sweep) -> str:
    rows = "\n".join(
        f"<tr{' class=best' if point == sweep.best else ''}>"
        + "".join(
            f"<td>{value:.4f}</td>"
            for value in (point.threshold, point.precision, point.recall, point.f1)
        )
        + "</tr>"
        for point in sweep.points
    )
    heads = "".join(f'<th scope="col">{one}</th>' for one in ("threshold", *_FIGURES[1:], "F1"))
    return (
        f"<table>\n<caption>{escape(name)}</caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>"
    )


def _style() -> str:
    lines = "".join(
        f".s{number}{{stroke:var(--c{number});stroke-dasharray:{dash}}}"
        for number, dash in enumerate(_DASHES)
    )
    return (
        f":root{{color-scheme:light dark;{_colours(_LIGHT, '#ffffff', '#1f2430', '#dde1e7')}}}"
        "@media (prefers-color-scheme:dark){:root{"
        f"{_colours(_DARK, '#16181d', '#e6e8ec', '#3a3f49')}}}}}"
        "text{font:13px system-ui,sans-serif;fill:var(--ink)}.paper{fill:var(--paper)}"
        f".grid{{stroke:var(--grid)}}.line{{fill:none;stroke-width:2}}.dot{{fill:none}}{lines}"
    )


def _colours(series: tuple[str, ...], paper: str, ink: str, grid: str) -> str:
    named = "".join(f"--c{number}:{colour};" for number, colour in enumerate(series))
    return f"{named}--paper:{paper};--ink:{ink};--grid:{grid}"


def _safe(text: str) -> str:
    """Text as XML can hold it."""
    return escape(_FORBIDDEN.sub("\ufffd", text))
