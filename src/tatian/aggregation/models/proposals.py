"""What a generator proposes for a set of entities, and why it may."""

from __future__ import annotations

from msgspec import Struct

QUOTED = "the text:"
"""How a line of support begins that is no fact but what the context says."""


class Proposal(Struct, frozen=True):
    """One phrase that names the whole set, with what it rests on."""

    phrase: str
    """A plural noun phrase without determiner: ``French politicians``."""
    score: float
    """From 0 to 1: how far the phrase is to be trusted."""
    support: tuple[str, ...] = ()
    """One line each, such as ``Nicolas Sarkozy: nationality France``."""


def quoted(words: str) -> str:
    """The line of support for what the context says."""
    return f"{QUOTED} “{words}”"
