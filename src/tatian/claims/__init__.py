"""Claims: the figures, times and names of sentences, and how two of them compare.

`placed_claims` reads them from an analysed document, each with what it is about. `compare_claims`
says which claims of two documents are equal, entail or exclude each other, and why.
"""

from tatian.claims.claim import ClaimComparison, Relation, Scope, StatedClaim
from tatian.claims.compare import (
    about_one,
    agree,
    compare,
    compare_values,
    find_barrier,
    same_thing,
    superseded,
)
from tatian.claims.reader import (
    ClaimPair,
    ClaimReader,
    PlacedClaim,
    compare_claims,
    likenesses,
    placed,
    placed_claims,
)

__all__ = [
    "ClaimComparison",
    "ClaimPair",
    "ClaimReader",
    "PlacedClaim",
    "Relation",
    "Scope",
    "StatedClaim",
    "about_one",
    "agree",
    "compare",
    "compare_claims",
    "compare_values",
    "find_barrier",
    "likenesses",
    "placed",
    "placed_claims",
    "same_thing",
    "superseded",
]
