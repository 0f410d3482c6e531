"""Colours of all pages, charts and terminals, each for a light and a dark theme.

Every colour of a series has a contrast of at least 4.5 to 1 (WCAG 2) on all backgrounds. Any two
differ for every kind of colour blindness. The tests measure both. No view relies on colour alone.
"""

from __future__ import annotations

from functools import cache

Pair = tuple[str, str]
"""A colour in the light and in the dark theme."""

NAMED: dict[str, Pair] = {
    "paper": ("#fbf9f4", "#1a1815"),
    "card": ("#fffefb", "#211e1a"),
    "ink": ("#221e19", "#ebe5d9"),
    "soft": ("#665d52", "#aaa193"),
    "rule": ("#ded6c8", "#3b362f"),
    "focus": ("#221e19", "#f4e3b0"),
    "alarm": ("#a5121d", "#ff9188"),
    "lit": ("#ffe79c", "#5c4a10"),
    "verse": ("#f4eddd", "#2b2620"),
    "red": ("#fbdcd6", "#4a211b"),
    "blue": ("#dcebfb", "#17344f"),
    "violet": ("#efe6f8", "#38284a"),
    "green": ("#e0f0dc", "#1f3a22"),
    "amber": ("#fbe7c6", "#4a370f"),
    "teal": ("#cfeff0", "#11454a"),
}
"""Colours by purpose; those from ``lit`` on are backgrounds of text."""

SERIES: tuple[Pair, ...] = (
    ("#2d44d2", "#8e99f3"),
    ("#b92a02", "#fd8b09"),
    ("#1b664c", "#0ac597"),
    ("#893086", "#e4a3fe"),
    ("#443f00", "#eae35f"),
    ("#1d2a6a", "#b59ecf"),
    ("#501b28", "#fd96a9"),
    ("#344d3c", "#b0e2d9"),
)
"""Colours of sources, chains and systems, ordered so that neighbours differ most."""

TERMINAL = (
    "bright_blue",
    "bright_red",
    "green",
    "magenta",
    "yellow",
    "cyan",
    "bright_magenta",
    "bright_cyan",
)
"""Colours of the series on terminals, by their names in Rich."""


@cache
def css() -> str:
    """Return a style sheet with a variable for each colour and a class for each series."""
    series = {f"c{number}": pair for number, pair in enumerate(SERIES)} | {"cn": NAMED["soft"]}
    variables = [
        f"  --{name}: light-dark({light}, {dark});"
        for name, (light, dark) in (NAMED | series).items()
    ]
    classes = [f".{name} {{ --c: var(--{name}); }}" for name in series]
    return "\n".join([":root {", "  color-scheme: light dark;", *variables, "}", *classes, ""])
