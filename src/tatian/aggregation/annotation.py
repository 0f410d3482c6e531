"""Annotators' answers: phrases that name several entities (TESA §3.3)."""

from __future__ import annotations

from msgspec import Struct

MOST = 2
_NO_ANSWER = frozenset({"n/a", "na"})


class AggregationAnswer(Struct, frozen=True):
    """One or two phrases for the set, or none when it cannot be named naturally (N/A)."""

    phrases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.phrases) > MOST:
            raise ValueError(f"{len(self.phrases)} phrases: at most {MOST} are asked for")
        if not all(phrase.strip() for phrase in self.phrases):
            raise ValueError("an empty phrase: leave it out")
        if any(phrase.strip().lower() in _NO_ANSWER for phrase in self.phrases):
            raise ValueError("N/A is given by having no phrases")
        if len({phrase.strip().lower() for phrase in self.phrases}) != len(self.phrases):
            raise ValueError("the same phrase twice")

    @property
    def not_applicable(self) -> bool:
        """Return whether the annotator found no natural phrase."""
        return not self.phrases
