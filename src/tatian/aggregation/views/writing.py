"""How figures are written in lists of phrases, the same in all views."""

from __future__ import annotations


def score(value: float) -> str:
    """Three digits after the point as in the papers' tables; counts whole, tiny ones by powers."""
    if abs(value) > 1 and value.is_integer():
        return f"{value:.0f}"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value or 0.0:.3f}"
