"""Claims: the figures, times and names of sentences, and how two of them compare.

`read_placed` reads them from an analysed document, each with what it is about. `compare_claims`
says which claims of two documents are equal, entail or exclude each other, and why.
"""

from tatian.claims.claim import StatedClaim
from tatian.claims.compare import (
    BIRTHDAY,
    about_one,
    agree,
    compare,
    compare_values,
    find_barrier,
    is_unknown_day,
    may_supersede,
    same_thing_chance,
)
from tatian.claims.reader import (
    ClaimPair,
    ClaimReader,
    PlacedClaim,
    compare_claims,
    likenesses,
    place_claims,
    read_placed,
)

__all__ = [
    "BIRTHDAY",
    "ClaimPair",
    "ClaimReader",
    "PlacedClaim",
    "StatedClaim",
    "about_one",
    "agree",
    "compare",
    "compare_claims",
    "compare_values",
    "find_barrier",
    "is_unknown_day",
    "likenesses",
    "may_supersede",
    "place_claims",
    "read_placed",
    "same_thing_chance",
]
