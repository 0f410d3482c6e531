"""A piece of one sentence that can be moved whole, and what it hangs on in the other."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tatian.union.models.aligning.sentences import Parsed

OPENING_QUOTES = frozenset(("“", "``", '"'))
CLOSING_QUOTES = frozenset(("”", "''", '"'))


class Unit(Struct, frozen=True):
    """A piece of the other sentence that is new, and what it hangs on in the base."""

    head: int
    places: tuple[int, ...]
    """What is moved, in order, in the other sentence."""
    relation: str
    """Its relation to its governor; ``root`` for a clause, ``attribution`` for who says it,
    ``premodifier`` for what stands before its noun, ``title`` for what stands before a name."""
    governor: int = -1
    """In the other sentence, -1 for none."""
    anchor: int | None = None
    """The word of the base that answers to the governor."""
    sure: bool = True
    """Whether the anchor says the same as the governor, and not only plays its part."""


def trimmed(sentence: Parsed, places: Sequence[int]) -> tuple[int, ...]:
    """Without punctuation at the edges, quotation marks aside."""
    kept = list(places)
    while kept and sentence.tag(kept[0]) == "PUNCT" and not sentence.tokens[kept[0]].quoted:
        kept.pop(0)
    while kept and sentence.tag(kept[-1]) == "PUNCT" and not sentence.tokens[kept[-1]].quoted:
        kept.pop()
    return tuple(kept)


def cuts_quotation(sentence: Parsed, places: Sequence[int]) -> bool:
    """Whether only a part of what stands in quotation marks would be moved."""
    tokens, lower = sentence.tokens, sentence.lower
    held = [place for place in places if tokens[place].quoted]
    if not held:
        return False
    first, last = held[0], held[-1]
    opens = lower[first] in OPENING_QUOTES
    closes = lower[last] in CLOSING_QUOTES and last > first
    whole = held == list(range(first, last + 1))
    begun = first == 0 or not tokens[first - 1].quoted
    ended = last + 1 == len(tokens) or not tokens[last + 1].quoted
    return not (opens and closes and whole and begun and ended)
