"""How good a phrase is: true of all, telling, at home in the context, and no longer than needed.

The weights were set by reading proposals for sets that the benchmark's judged ones are not among.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from tatian.aggregation.models.generating.context import Plural
from tatian.aggregation.models.generating.lattice import VAGUE, root
from tatian.aggregation.models.generating.phrases import Draft
from tatian.aggregation.models.generating.sharing import Shared
from tatian.aggregation.models.generating.spread import Spread

_START = 0.36
_TELLING = 0.42
_ENOUGH = 3.0
"""Powers of ten by which a phrase narrows the base down at the best."""
_BEYOND = 0.02
_PER_STEP = 0.07
_PER_WORD = 0.03
_WORDS = 4
_VAGUE = 0.27
_FIGURE = " figure"
_PLACE_OF_WORK = 0.08
"""A museum is in its city more than a newspaper is: a nationality sounds better."""
_FIT = 0.06
_SLOTS = {
    "whole": 0.08,
    "group": 0.27,
    "in": 0.03,
    "based": -0.06,
    "language": -0.15,
    "size": -0.08,
    "sex": -0.24,
    "religion": -0.08,
    "bordering": -0.32,
}
"""What people like to say of a set, and what they would rather not though it be true."""
_SOURCES = {"award": -0.25, "member of": -0.02, "employer": -0.02}
_NOUNS = frozenset({"noun", "whole", "group"})
_WITHOUT_NOUN = 0.2
_ALIKE = 0.75


_CONTEXT = 0.34
_DEFINITE = 0.06
_COUNTED = 0.24
_NATION = 0.14


class Scored(Struct, frozen=True):
    """A phrase with its score."""

    draft: Draft
    score: float


class Scorer:
    """Scores drafts and keeps the best that differ."""

    def __init__(self, spread: Spread) -> None:
        self._spread = spread

    def score(self, draft: Draft, context: frozenset[str]) -> float:
        """From 0 to 1."""
        told = sum(
            min(self._spread.information(trait) for trait in part.traits) for part in draft.parts
        )
        score = _START + _TELLING * min(1.0, told / _ENOUGH) + _BEYOND * max(0.0, told - _ENOUGH)
        for part in draft.parts:
            score += _SLOTS.get(part.slot, 0.0) - _PER_STEP * part.depth
            score += min(_SOURCES.get(trait.source[0], 0.0) for trait in part.traits)
            if part.value in VAGUE or part.value.endswith(_FIGURE):
                score -= _VAGUE
            if part.slot == "noun" and root(part.value) == "organization":
                score -= _PLACE_OF_WORK * any(other.slot == "in" for other in draft.parts)
        if not any(part.slot in _NOUNS for part in draft.parts):
            score -= _WITHOUT_NOUN
        words = draft.phrase.lower().split()
        score -= _PER_WORD * max(0, len(words) - _WORDS)
        score += _FIT * min(2, sum(word in context for word in words if len(word) > 3))
        return round(min(0.98, max(0.02, score)) * draft.coverage**2, 4)


def in_context(found: Plural, nation: Shared | None, support: Sequence[str]) -> Scored:
    """A plural of the text, with the nationality that the entities share where it lacks one.

    A party says the nationality already.
    """
    score = _CONTEXT + _DEFINITE * found.definite + _COUNTED * (found.count is not None)
    words = " ".join(found.words)
    head = Shared("group", words, (), tuple(support), 1.0)
    if nation is not None and not found.nation and not found.party:
        score += _NATION * nation.coverage
        return Scored(Draft(f"{nation.value} {words}", (nation, head)), round(score, 4))
    return Scored(Draft(words, (head,)), round(score, 4))


def best(found: Iterable[Scored], limit: int) -> tuple[Scored, ...]:
    """The best first, leaving out what says the same as a better one."""
    ordered = sorted(found, key=lambda one: (-one.score, len(one.draft.phrase), one.draft.phrase))
    kept: list[Scored] = []
    for one in ordered:
        if len(kept) == limit:
            break
        if not any(_alike(one.draft, other.draft) for other in kept):
            kept.append(one)
    return tuple(kept)


def _alike(one: Draft, other: Draft) -> bool:
    if one.meaning == other.meaning:
        return True
    if all(any(part.slot == "bordering" for part in draft.parts) for draft in (one, other)):
        return True
    return _overlap(one.phrase.lower().split(), other.phrase.lower().split()) > _ALIKE


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    return len({*one} & {*other}) / len({*one} | {*other})
