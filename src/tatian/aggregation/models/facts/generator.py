"""Names sets of entities from a knowledge base and from the words of their text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.aggregation.data.records import Instance, problems
from tatian.aggregation.data.rules import normalize_phrase
from tatian.aggregation.models import Proposal, quote_context
from tatian.aggregation.models.facts.context import Plural, as_party, fits, plurals_of
from tatian.aggregation.models.facts.phrases import PhraseDraft, Shared, drafts, shared_traits
from tatian.aggregation.models.facts.senses import Sense, SenseResolver
from tatian.aggregation.models.facts.traits import Spread
from tatian.aggregation.models.facts.wording import VAGUE, root
from tatian.errors import InputError
from tatian.knowledge.base import STARTER, Base, KnowledgeBase, open_base

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase


def check(instance: Instance) -> None:
    """Raise an InputError unless the instance is a set of different entities of a known type."""
    if reasons := "; ".join(problems(instance)):
        raise InputError(f"instance '{instance.id}': {reasons}")


def check_senses(instance: Instance, senses: Sequence[Sense], resolver: SenseResolver) -> None:
    """Refuse one entity under two names, and members that are clearly of another type.

    Where the base has no member under the type given, all must be known as something else.
    """
    names: dict[str, str] = {}
    placed = any(sense.title for sense in senses)
    if not placed:
        others = [resolver.other_kinds(sense.name, instance.type) for sense in senses]
        if len(set(others)) == 1 and len(others[0]) == 1:
            raise InputError(
                f"instance '{instance.id}': type: all entities are known as "
                f"{next(iter(others[0]))}, none as {instance.type}"
            )
    for sense in senses:
        if sense.title and (other := names.setdefault(sense.title, sense.name)) != sense.name:
            raise InputError(
                f"instance '{instance.id}': '{other}' and '{sense.name}' are both "
                f"{sense.title}: name each entity once"
            )
        kinds = resolver.other_kinds(sense.name, instance.type) if not sense.title else frozenset()
        if placed and len(kinds) == 1:
            raise InputError(
                f"instance '{instance.id}': mixed types: '{sense.name}' is known as "
                f"{next(iter(kinds))}, not as {instance.type}: give entities of one type"
            )


_WORD = re.compile(r"[^\W\d_]+")


class FactGenerator:
    """Phrases from facts that all entities share, and from the plurals of the context."""

    def __init__(self, kb: Base = STARTER) -> None:
        self._kb = kb

    @cached_property
    def base(self) -> KnowledgeBase:
        """The knowledge base, opened when it is first needed."""
        return open_base(self._kb)

    @cached_property
    def _spread(self) -> Spread:
        return Spread(self.base.fact_counts())

    @cached_property
    def _resolver(self) -> SenseResolver:
        return SenseResolver(self.base, self._spread)

    def senses(self, instance: Instance) -> tuple[Sense, ...]:
        """Return the page that each entity is taken for, with its traits."""
        check(instance)
        return self._resolver.resolve(
            instance.entities,
            instance.type,
            instance.date,
            instance.background,
            f"{instance.title}. {instance.context}" if instance.context else "",
        )

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """Return at most `limit` phrases, best first; none where nothing shared is known."""
        check(instance)
        plurals = plurals_of(f"{instance.title}. {instance.context}", instance.type)
        return self.propose(instance, plurals, limit)

    def propose(
        self, instance: Instance, plurals: Iterable[Plural], limit: int = 10
    ) -> tuple[Proposal, ...]:
        """Generate phrases where the plurals of the context are known already."""
        senses = self.senses(instance)
        check_senses(instance, senses, self._resolver)
        common = shared_traits(senses)
        words = _words(f"{instance.title} {instance.context}")
        candidates = [
            score_draft(draft, words, self._spread) for draft in drafts(common, instance.type)
        ]
        people = instance.type == "person"
        nations = [
            trait for trait in common if trait.slot == "nation" and trait.depth == 0 and people
        ]
        for plural in dict.fromkeys(as_party(plural, senses) for plural in plurals):
            if fits(plural, senses):
                quotation = quote_context(" ".join(plural.words))
                candidates += [
                    in_context(plural, nation, (quotation,)) for nation in (None, *nations[:1])
                ]
        return tuple(
            Proposal(candidate.draft.phrase, candidate.score, candidate.draft.support)
            for candidate in best(candidates, limit)
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


# A good phrase is true of all, informative, fits the context, and is no longer than needed.
#
# The weights were set by reading proposals for sets that the benchmark's judged ones are not among.

_START = 0.36
_INFORMATIVE = 0.42
_ENOUGH = 3.0
"""Powers of ten by which the best phrase narrows the base down."""
_BEYOND = 0.02
_PER_STEP = 0.07
_PER_WORD = 0.03
_WORDS = 4
_VAGUE = 0.27
_FIGURE = " figure"
_PLACE_OF_WORK = 0.08
"""Penalty for naming a place of work: a museum is in its city more than a newspaper is."""
_FIT = 0.06
_SLOTS = {
    "whole": 0.08,
    "group": 0.27,
    "role": 0.0,
    "quality": -0.04,
    "role quality": 0.0,
    "in": 0.03,
    "based": -0.06,
    "language": -0.15,
    "size": -0.08,
    "sex": -0.24,
    "religion": -0.08,
    "bordering": -0.32,
}
"""Bonus or penalty of each slot: what people like to say of a set."""
_SOURCES = {"award": -0.25, "member of": -0.02, "employer": -0.02}
_NOUNS = frozenset({"noun", "whole", "group", "role"})
_WITHOUT_NOUN = 0.2
_ALIKE = 0.75


_CONTEXT = 0.34
_DEFINITE = 0.06
_COUNTED = 0.24
_NATION = 0.14


class Scored(Struct, frozen=True):
    """A phrase with its score."""

    draft: PhraseDraft
    score: float


def score_draft(draft: PhraseDraft, context: frozenset[str], spread: Spread) -> Scored:
    """Return a draft with its score, from 0 to 1."""
    narrowed = sum(min(spread.information(trait) for trait in part.traits) for part in draft.parts)
    score = (
        _START
        + _INFORMATIVE * min(1.0, narrowed / _ENOUGH)
        + _BEYOND * max(0.0, narrowed - _ENOUGH)
    )
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
    return Scored(draft, round(min(0.98, max(0.02, score)) * draft.coverage**2, 4))


def in_context(plural: Plural, nation: Shared | None, support: Sequence[str]) -> Scored:
    """Score a plural of the text, with the nationality that the entities share where it lacks one.

    A party implies the nationality already.
    """
    score = _CONTEXT + _DEFINITE * plural.definite + _COUNTED * (plural.count is not None)
    words = " ".join(plural.words)
    head = Shared("group", words, (), tuple(support), 1.0)
    if nation is not None and not plural.nation and not plural.party:
        score += _NATION * nation.coverage
        return Scored(PhraseDraft(f"{nation.value} {words}", (nation, head)), round(score, 4))
    return Scored(PhraseDraft(words, (head,)), round(score, 4))


def best(candidates: Iterable[Scored], limit: int) -> tuple[Scored, ...]:
    """Return the best phrases first, without those that mean the same as a better one."""
    ordered = sorted(
        candidates,
        key=lambda candidate: (
            -candidate.score,
            len(candidate.draft.phrase),
            candidate.draft.phrase,
        ),
    )
    kept: list[Scored] = []
    for candidate in ordered:
        if len(kept) == limit:
            break
        if not any(_alike(candidate.draft, other.draft) for other in kept):
            kept.append(candidate)
    return tuple(kept)


def _alike(first: PhraseDraft, other: PhraseDraft) -> bool:
    if first.meaning == other.meaning:
        return True
    if all(any(part.slot == "bordering" for part in draft.parts) for draft in (first, other)):
        return True
    return _overlap(first.phrase.lower().split(), other.phrase.lower().split()) > _ALIKE


def _overlap(words: Sequence[str], other: Sequence[str]) -> float:
    return len({*words} & {*other}) / len({*words} | {*other})


class FactJudge:
    """A judge of generated phrases: the phrases that a base supports for a set of entities.

    A phrase is supported if the shared traits of the entities can be worded so. Others may be true
    and differently worded, so the share of supported phrases is a lower bound.
    """

    def __init__(self, kb: KnowledgeBase | str | os.PathLike[str]) -> None:
        self._generator = FactGenerator(kb)

    def __call__(self, instance: Instance) -> frozenset[str]:
        """Return the phrases after normalisation; none for a set that is not understood."""
        try:
            senses = self._generator.senses(instance)
        except InputError:
            return frozenset()
        return frozenset(
            normalize_phrase(draft.phrase) for draft in drafts(shared_traits(senses), instance.type)
        )
