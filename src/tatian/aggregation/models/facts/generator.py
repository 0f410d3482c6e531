"""Generation of phrases for sets of entities, from a knowledge base and the words of a text."""

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
from tatian.aggregation.models.facts.context import Plural, as_party, is_compatible, plurals_of
from tatian.aggregation.models.facts.phrases import PhraseDraft, SharedTrait, drafts, shared_traits
from tatian.aggregation.models.facts.senses import Sense, SenseResolver
from tatian.aggregation.models.facts.traits import TraitFrequencies
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
    """Raise an InputError for one entity under two names, and for members of another type.

    If the base has no member of the given type, all must be known as one other type.
    """
    names: dict[str, str] = {}
    any_known = any(sense.title for sense in senses)
    if not any_known:
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
        if any_known and len(kinds) == 1:
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
        """The knowledge base, which is opened at first use."""
        return open_base(self._kb)

    @cached_property
    def _frequencies(self) -> TraitFrequencies:
        return TraitFrequencies(self.base.fact_counts())

    @cached_property
    def _resolver(self) -> SenseResolver:
        return SenseResolver(self.base, self._frequencies)

    def senses(self, instance: Instance) -> tuple[Sense, ...]:
        """Return the page that each entity is resolved to, with its traits."""
        check(instance)
        return self._resolver.resolve(
            instance.entities,
            instance.type,
            instance.date,
            instance.background,
            f"{instance.title}. {instance.context}" if instance.context else "",
        )

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """Return at most `limit` phrases, best first; none if no shared traits are known."""
        check(instance)
        plurals = plurals_of(f"{instance.title}. {instance.context}", instance.type)
        return self.propose(instance, plurals, limit)

    def propose(
        self, instance: Instance, plurals: Iterable[Plural], limit: int = 10
    ) -> tuple[Proposal, ...]:
        """Generate phrases, given the plurals of the context."""
        senses = self.senses(instance)
        check_senses(instance, senses, self._resolver)
        common = shared_traits(senses)
        words = frozenset(map(str.lower, _WORD.findall(f"{instance.title} {instance.context}")))
        possible = drafts(common, instance.type)
        candidates = [score_draft(draft, words, self._frequencies) for draft in possible]
        is_person = instance.type == "person"
        nations = [
            trait for trait in common if trait.slot == "nation" and trait.depth == 0 and is_person
        ]
        for plural in dict.fromkeys(as_party(plural, senses) for plural in plurals):
            if is_compatible(plural, senses):
                candidates += [score_plural(plural, nation) for nation in (None, *nations[:1])]
        return tuple(
            Proposal(candidate.draft.phrase, candidate.score, candidate.draft.support)
            for candidate in best_drafts(candidates, limit)
        )


# A good phrase is true of all members, informative, fits the context, and is short. The weights
# were set by reading proposals for sets outside the benchmark's judged ones.

_BASE_SCORE = 0.36
_INFORMATION_BONUS = 0.42
_ENOUGH_INFORMATION = 3.0
"""Information from which a phrase is informative enough, as a decimal logarithm."""
_EXCESS_BONUS = 0.02
_STEP_PENALTY = 0.07
_WORD_PENALTY = 0.03
_WORDS_FREE = 4
_VAGUE_PENALTY = 0.27
_FIGURE = " figure"
_ORGANISATION_PLACE_PENALTY = 0.08
"""Penalty for an organisation with its place, which is less typical than a museum with its city."""
_CONTEXT_WORD_BONUS = 0.06
_SLOT_BONUSES = {
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
"""Bonus or penalty of each slot, by how often people use it."""
_SOURCE_PENALTIES = {"award": -0.25, "member of": -0.02, "employer": -0.02}
_NOUNS = frozenset({"noun", "whole", "group", "role"})
_NO_NOUN_PENALTY = 0.2
_SIMILAR_OVERLAP = 0.75


_CONTEXT_SCORE = 0.34
_DEFINITE_BONUS = 0.06
_COUNT_BONUS = 0.24
_NATION_BONUS = 0.14


class ScoredDraft(Struct, frozen=True):
    """A phrase with its score."""

    draft: PhraseDraft
    score: float


def score_draft(
    draft: PhraseDraft, context: frozenset[str], frequencies: TraitFrequencies
) -> ScoredDraft:
    """Score a draft from 0 to 1."""
    frequency = frequencies.information
    information = sum(min(map(frequency, part.traits)) for part in draft.parts)
    score = (
        _BASE_SCORE
        + _INFORMATION_BONUS * min(1.0, information / _ENOUGH_INFORMATION)
        + _EXCESS_BONUS * max(0.0, information - _ENOUGH_INFORMATION)
    )
    for part in draft.parts:
        score += _SLOT_BONUSES.get(part.slot, 0.0) - _STEP_PENALTY * part.depth
        score += min(_SOURCE_PENALTIES.get(trait.source[0], 0.0) for trait in part.traits)
        if part.value in VAGUE or part.value.endswith(_FIGURE):
            score -= _VAGUE_PENALTY
        if part.slot == "noun" and root(part.value) == "organization":
            score -= _ORGANISATION_PLACE_PENALTY * any(other.slot == "in" for other in draft.parts)
    if not any(part.slot in _NOUNS for part in draft.parts):
        score -= _NO_NOUN_PENALTY
    words = draft.phrase.lower().split()
    score -= _WORD_PENALTY * max(0, len(words) - _WORDS_FREE)
    score += _CONTEXT_WORD_BONUS * min(2, sum(word in context for word in words if len(word) > 3))
    return ScoredDraft(draft, round(min(0.98, max(0.02, score)) * draft.coverage**2, 4))


def score_plural(plural: Plural, nation: SharedTrait | None) -> ScoredDraft:
    """Score a plural of the text, with the shared nationality if it has neither one nor a party."""
    score = _CONTEXT_SCORE + _DEFINITE_BONUS * plural.definite
    score += _COUNT_BONUS * (plural.count is not None)
    words = " ".join(plural.words)
    head = SharedTrait("group", words, (), (quote_context(words),), 1.0)
    if nation is not None and not plural.nation and not plural.party:
        score += _NATION_BONUS * nation.coverage
        return ScoredDraft(PhraseDraft(f"{nation.value} {words}", (nation, head)), round(score, 4))
    return ScoredDraft(PhraseDraft(words, (head,)), round(score, 4))


def best_drafts(candidates: Iterable[ScoredDraft], limit: int) -> tuple[ScoredDraft, ...]:
    """Return the phrases with the best scores, without those similar to a better one."""
    ordered = sorted(
        candidates,
        key=lambda candidate: (
            -candidate.score,
            len(candidate.draft.phrase),
            candidate.draft.phrase,
        ),
    )
    kept: list[ScoredDraft] = []
    for candidate in ordered:
        if len(kept) == limit:
            break
        if not any(_are_similar(candidate.draft, other.draft) for other in kept):
            kept.append(candidate)
    return tuple(kept)


def _are_similar(first: PhraseDraft, other: PhraseDraft) -> bool:
    if first.meaning == other.meaning:
        return True
    if all(any(part.slot == "bordering" for part in draft.parts) for draft in (first, other)):
        return True
    return _overlap(first.phrase.lower().split(), other.phrase.lower().split()) > _SIMILAR_OVERLAP


def _overlap(words: Sequence[str], other: Sequence[str]) -> float:
    return len({*words} & {*other}) / len({*words} | {*other})


class FactJudge:
    """Judge of generated phrases by a knowledge base.

    A phrase is supported if the shared traits of the entities can be worded like that. Other
    phrases may be true too, so that the share of supported phrases is a lower bound.
    """

    def __init__(self, kb: KnowledgeBase | str | os.PathLike[str]) -> None:
        self._generator = FactGenerator(kb)

    def __call__(self, instance: Instance) -> frozenset[str]:
        """Return the normalised phrases that are supported; none for an invalid set."""
        try:
            senses = self._generator.senses(instance)
        except InputError:
            return frozenset()
        possible = drafts(shared_traits(senses), instance.type)
        return frozenset(normalize_phrase(draft.phrase) for draft in possible)
