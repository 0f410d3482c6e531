"""How chains are told apart: by number always, by colour and line as well."""

from __future__ import annotations

COLOURS = 8
LINES = 4
"""Each round of the colours has another line."""


def tint(colour: int | None) -> str:
    """The classes of a chain's colour; chains of one mention share a quiet one."""
    if colour is None:
        return "cn"
    line = colour // COLOURS % LINES
    return f"c{colour % COLOURS}" + (f" l{line}" if line else "")
