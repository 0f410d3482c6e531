"""What a generator proposes for a set of entities, and why it may."""

from __future__ import annotations

from msgspec import Struct


class Proposal(Struct, frozen=True):
    """One phrase that names the whole set, with what it rests on."""

    phrase: str
    """A plural noun phrase without determiner: ``French politicians``."""
    score: float
    """From 0 to 1: how far the phrase is to be trusted."""
    support: tuple[str, ...] = ()
    """One line each, such as ``Nicolas Sarkozy: nationality France``."""
