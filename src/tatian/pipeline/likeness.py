"""How likely two chains of different documents are one thing, from what is said of each."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

from tatian.coreference.models.match import same_name
from tatian.pipeline.linkage import NEVER
from tatian.pipeline.profiles import Name, Profile

LEAST = 0.75
"""Log-odds from which chains are put together; chosen on topics 26 to 30 of ECB+."""
WEIGHTS = {
    "bias": -0.06,
    "genders: different": -1.77,
    "names: equal": -1.62,
    "names: initials": 2.94,
    "names: one in the other": 0.29,
    "names: other last words": -1.38,
    "names: shared words": 3.82,
    "noun modifies name": -0.94,
    "nouns: company": 1.36,
    "nouns: equal": 0.84,
    "nouns: namesakes": -0.29,
    "nouns: nothing shared": -0.9,
    "nouns: one modified": -0.21,
    "nouns: other modifiers": -0.56,
    "nouns: paraphrase": -0.11,
    "nouns: shared modifiers": 0.39,
    "nouns: unlike number": -1.4,
    "numbers: different": -0.45,
    "numbers: equal": 0.41,
    "same document": -0.65,
    "types: different": -1.13,
}
"""Log-odds by feature, fitted to topics 1 to 30 of ECB+ by ``benchmarks/coref_linking.py``."""


def log_odds(one: Profile, other: Profile) -> float:
    """Above 0 where two profiles are likelier one thing than two."""
    people = one.type == other.type == "PER"
    if (people and _different(one.names, other.names)) or _other_amounts(one.names, other.names):
        return NEVER
    return sum(WEIGHTS[name] * value for name, value in features(one, other).items())


def features(one: Profile, other: Profile) -> dict[str, float]:
    """What speaks for and against a pair; which of the two comes first makes no difference."""
    found = _of_names(one, other) if one.names and other.names else _of_nouns(one, other)
    if one.numbers and other.numbers:
        same = not one.numbers.isdisjoint(other.numbers)
        found["numbers: equal" if same else "numbers: different"] = 1.0
    found["bias"] = 1.0
    found["noun modifies name"] = _modified(one, other) or _modified(other, one)
    found["types: different"] = bool(one.type and other.type) and one.type != other.type
    found["genders: different"] = len(one.genders | other.genders) > 1
    found["same document"] = one.document == other.document
    return found


def _of_names(one: Profile, other: Profile) -> dict[str, float]:
    kind = one.type if one.type == other.type else ""
    pairs = [(first, second) for first in one.names for second in other.names]
    shared = max(share(frozenset(first), frozenset(second)) for first, second in pairs)
    equal = any(first == second for first, second in pairs)
    initials = not shared and any(same_name(first, second, kind) for first, second in pairs)
    inside = any(set(a) <= set(b) or set(b) <= set(a) for a, b in pairs)
    return {
        "names: equal": equal,
        "names: initials": initials,
        "names: shared words": shared,
        "names: one in the other": inside and not equal,
        "names: other last words": all(first[-1] != second[-1] for first, second in pairs),
    }


def _of_nouns(one: Profile, other: Profile) -> dict[str, float]:
    same = not one.heads.isdisjoint(other.heads)
    alike = not one.concepts.isdisjoint(other.concepts)
    disjoint = one.modifiers.isdisjoint(other.modifiers)
    return {
        "nouns: equal": same,
        "nouns: paraphrase": alike and not same,
        "nouns: nothing shared": bool(one.heads and other.heads) and not alike and not same,
        "nouns: namesakes": log(1 + one.namesakes + other.namesakes) if same else 0.0,
        "nouns: shared modifiers": share(one.modifiers, other.modifiers),
        "nouns: other modifiers": bool(one.modifiers and other.modifiers) and disjoint,
        "nouns: one modified": bool(one.modifiers) != bool(other.modifiers),
        "nouns: unlike number": one.plural != other.plural,
        "nouns: company": cosine(one.company, other.company),
    }


def share(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of all words that both have."""
    both = len(one & other)
    return both / (len(one) + len(other) - both) if both else 0.0


def cosine(one: frozenset[str], other: frozenset[str]) -> float:
    """The cosine of two sets."""
    both = len(one & other)
    return both / sqrt(len(one) * len(other)) if both else 0.0


def _different(some: Sequence[Name], others: Sequence[Name]) -> bool:
    """Whether two people have names, the fullest of each, that one person cannot have."""
    if not some or not others:
        return False
    return not same_name(max(some, key=len), max(others, key=len), "PER")


def _other_amounts(some: Sequence[Name], others: Sequence[Name]) -> bool:
    """Whether both are figures, and not the same: "$160 million" and "$184 million"."""
    first, second = ({name for name in names if name[0][0].isdigit()} for names in (some, others))
    return bool(first and second) and first.isdisjoint(second)


def _modified(one: Profile, other: Profile) -> bool:
    """ "Actress Clara Dent" and "the actress"."""
    return bool(one.names) and not other.names and not one.modifiers.isdisjoint(other.heads)
