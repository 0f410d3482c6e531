"""A set of entities in its context, and the phrases that name it: one line of the task's JSONL."""

from __future__ import annotations

from msgspec import Struct

TYPES = ("person", "location", "organization")
"""TESA §3.1: what the entities of a set can be, all of one set the same."""
FEWEST, MOST = 2, 6
"""TESA §3.1: how many entities a set has."""
CANDIDATES = 24
"""TESA §4.2: how many phrases a system ranks."""


class Instance(Struct, frozen=True, omit_defaults=True):
    """Entities of one type that a text speaks of together, and what names them all.

    A dataset's instance has `aggregations`; a task's also `candidates`, the gold among them.
    """

    id: str
    entities: tuple[str, ...]
    type: str
    title: str = ""
    context: str = ""
    background: dict[str, str] = {}
    """What an encyclopedia says of each entity; entities it does not know are left out."""
    aggregations: tuple[str, ...] = ()
    """The right phrases, in lower case, without determiner."""
    candidates: tuple[str, ...] = ()
    date: str = ""
    """ISO date of the text."""
    source: str = ""
    """The document it comes from."""
    mentions: dict[str, tuple[tuple[int, int], ...]] = {}
    """Where the context speaks of each entity: characters, end exclusive."""
