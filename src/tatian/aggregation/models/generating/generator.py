"""Names sets of entities from what a knowledge base says of them and what their text calls them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from tatian.aggregation.data.checking import problems
from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.generating.context import Plural, as_party, fits, plurals_of
from tatian.aggregation.models.generating.phrases import drafts
from tatian.aggregation.models.generating.resolving import Resolver, Sense
from tatian.aggregation.models.generating.scoring import Scored, Scorer, best, in_context
from tatian.aggregation.models.generating.sharing import shared
from tatian.aggregation.models.generating.spread import Spread
from tatian.aggregation.models.proposals import Proposal, quoted
from tatian.errors import InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.opening import STARTER, Base, open_base


def check(instance: Instance) -> None:
    """Refuse what is no set of different entities of a known type."""
    if found := "; ".join(problems(instance)):
        raise InputError(f"instance '{instance.id}': {found}")


def check_senses(instance: Instance, senses: Sequence[Sense], resolver: Resolver) -> None:
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
    """Phrases from facts that all entities share, and from the context's own plurals."""

    def __init__(self, kb: Base = STARTER) -> None:
        self._kb = kb

    @cached_property
    def base(self) -> KnowledgeBase:
        """The base that is asked, opened when it is first needed."""
        return open_base(self._kb)

    @cached_property
    def _spread(self) -> Spread:
        return Spread(self.base.fact_counts())

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self.base, self._spread)

    def senses(self, instance: Instance) -> tuple[Sense, ...]:
        """The page that each entity is taken for, with what can be said of it."""
        check(instance)
        return self._resolver.resolve(
            instance.entities, instance.type, instance.date, instance.background
        )

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """At most `limit` phrases, best first; none where nothing is known to be shared."""
        check(instance)
        plurals = plurals_of(f"{instance.title}. {instance.context}", instance.type)
        return self.propose(instance, plurals, limit)

    def propose(
        self, instance: Instance, plurals: Iterable[Plural], limit: int = 10
    ) -> tuple[Proposal, ...]:
        """As `generate`, where the plurals of the context are known already."""
        senses = self.senses(instance)
        check_senses(instance, senses, self._resolver)
        common = shared(senses)
        scorer = Scorer(self._spread)
        words = _words(f"{instance.title} {instance.context}")
        found = [
            Scored(draft, scorer.score(draft, words)) for draft in drafts(common, instance.type)
        ]
        people = instance.type == "person"
        nations = [one for one in common if one.slot == "nation" and one.depth == 0 and people]
        for plural in dict.fromkeys(as_party(one, senses) for one in plurals):
            if fits(plural, senses):
                said = quoted(" ".join(plural.words))
                found += [in_context(plural, nation, (said,)) for nation in (None, *nations[:1])]
        return tuple(
            Proposal(one.draft.phrase, one.score, one.draft.support) for one in best(found, limit)
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))
