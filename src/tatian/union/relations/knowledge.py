"""What everybody knows about phrases, and the place where a knowledge base says what it knows."""

from __future__ import annotations

from typing import Protocol

from tatian.union.relations.kinds import Verdict

_SAME = (
    "u.s.|us|united states|u.s.a.|usa|america|united states of america",
    "u.k.|uk|united kingdom|britain|great britain",
    "u.n.|un|united nations",
    "e.u.|eu|european union",
    "u.s.s.r.|ussr|soviet union",
    "uae|u.a.e.|united arab emirates",
    "l.a.|los angeles",
    "d.c.|washington|washington d.c.|washington, d.c.",
    "n.y.|new york",
)


class Knowledge(Protocol):
    """Knows when two phrases name the same thing, or one names a kind of the other.

    Annotators of unions were told to use common knowledge (Hirsch et al. 2023, App. B): that Paris
    is the capital of France, that a supermarket is a store.
    """

    def compare(self, first: str, second: str) -> Verdict | None:
        """How what the first phrase says is related to the second; None where it cannot tell."""
        ...


class Abbreviations:
    """The few abbreviations that English news never spells out."""

    def __init__(self) -> None:
        self._group = {name: line for line in _SAME for name in line.split("|")}

    def compare(self, first: str, second: str) -> Verdict | None:
        """Equivalent if both are in one line of the list."""
        one, other = (self._group.get(_plain(phrase)) for phrase in (first, second))
        same = one is not None and one == other
        return Verdict("equivalent", "two names of one place") if same else None


def _plain(phrase: str) -> str:
    return " ".join(phrase.lower().split()).removeprefix("the ").removesuffix("'s")
