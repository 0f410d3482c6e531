"""How what one phrase says is related to what another says, and why we think so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Kind = Literal["equivalent", "entails", "entailed", "disjoint"]
"""Of the first to the second: ``entails`` if the first is the more specific (§3)."""

SYMBOLS: dict[Kind, str] = {"equivalent": "⇔", "entails": "⇒", "entailed": "⇐", "disjoint": "∅"}


class Verdict(NamedTuple):
    """A relation with the reason for it."""

    kind: Kind
    why: str


def joined(verdicts: Iterable[Verdict]) -> Verdict | None:
    """What several comparisons say together; None if each phrase is the more specific somewhere."""
    result: Verdict | None = None
    for verdict in verdicts:
        if result is None or (result.kind == "equivalent" and verdict.kind != "equivalent"):
            result = verdict
        elif verdict.kind not in ("equivalent", result.kind):
            return None
    return result
