"""Sentences that say nothing the rest of the text does not say."""

from __future__ import annotations

import heapq

from tatian.consolidation.draft import Draft, Settled, Told
from tatian.consolidation.units import Unit, Weights
from tatian.text.content import concept, is_telling, saying
from tatian.text.provenance import capitalized, glue
from tatian.union.models import Passage
from tatian.union.models.copying import copy_tokens

_HEADLINE_COVERED = 0.5
_REWORDED = 0.25
"""Share of a sentence's weight that may be other words for what is said."""
_MAIN_WITNESS = 0.4
"""Share of its weight that one other sentence must say for it to be the same report."""
_MOST_WITNESSES = 4
_NEAREST = 12
_COMMON = 100


def drop_repeated(draft: Draft, weights: Weights) -> None:
    """Take out sentences that a few others together say, poorest first.

    Names, numbers and quoted words must all be there; of other words a small share may be put
    otherwise.
    """
    _drop_copies(draft)
    concepts = {id(told): told.concepts() - saying() for told in draft.told}
    holders: dict[str, list[Told]] = {}
    for told in draft.told:
        for found in concepts[id(told)]:
            holders.setdefault(found, []).append(told)
    for told in sorted(draft.told, key=lambda told: weights.sum(concepts[id(told)])):
        own = concepts[id(told)]
        if not own:
            continue
        witnesses = _witnesses(told, own, holders, concepts, weights)
        if not witnesses or (_quotes(told) and not _quotes(witnesses[0])):
            continue
        if _quotes(told):
            witnesses = witnesses[:1]
        said: set[str] = set().union(*(concepts[id(other)] for other in witnesses))
        new = own - said
        if new and _quotes(told):
            continue
        telling = any(is_telling(t.text) and concept(t.text) in new for t in told.tokens[1:])
        if not telling and weights.sum(new) <= _REWORDED * weights.sum(own):
            why = "other sentences say it" + (f", but for: {', '.join(sorted(new))}" if new else "")
            draft.drop(told, witnesses[0], why)
    draft.sweep()


def _quotes(told: Told) -> bool:
    return any(token.text in {'"', "“", "”"} for token in told.tokens)


def _drop_copies(draft: Draft) -> None:
    """Take out sentences that stand word for word in the text already, quotations included."""
    first: dict[str, Told] = {}
    for told in draft.told:
        words = " ".join(t.text.lower() for t in told.tokens if t.text[0].isalnum())
        if words in first:
            draft.drop(told, first[words], "another sentence says it word for word")
        else:
            first[words] = told
    draft.sweep()


def _witnesses(
    told: Told,
    own: set[str],
    holders: dict[str, list[Told]],
    concepts: dict[int, set[str]],
    weights: Weights,
) -> list[Told]:
    """The sentences that together say most of it, each adding something; at most a few."""
    near: dict[int, tuple[float, Told]] = {}
    for found in sorted(own):
        for other in holders.get(found, ()) if len(holders[found]) <= _COMMON else ():
            if other is not told and not other.dropped:
                weight, _ = near.get(id(other), (0.0, other))
                near[id(other)] = (weight + weights(found), other)
    total = weights.sum(own)
    ranked = heapq.nsmallest(_NEAREST, near.values(), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < _MAIN_WITNESS * total:
        return []
    chosen: list[Told] = []
    missing = set(own)
    for _, other in ranked:
        shared = own & concepts[id(other)]
        if len(chosen) < _MOST_WITNESSES and missing & shared and len(shared) > 1:
            chosen.append(other)
            missing -= concepts[id(other)]
    return chosen


def settle_headlines(draft: Draft) -> None:
    """A headline is redundant where the text tells it; otherwise it becomes a sentence."""
    sets = [told.concepts() for told in draft.told]
    for account, units in enumerate(draft.accounts):
        for unit in units[:1]:
            if unit.headline:
                _settle(draft, account, unit, sets)


def _settle(draft: Draft, account: int, unit: Unit, sets: list[set[str]]) -> None:
    new = unit.concepts.difference(*sets)
    if sets and len(new) <= _HEADLINE_COVERED * len(unit.concepts):
        closest = max(range(len(sets)), key=lambda i: (len(sets[i] & unit.concepts), -i))
        settled = Settled("redundant", "a headline; the text tells it", [draft.told[closest]])
    else:
        tokens = copy_tokens(Passage(draft.documents[account], unit.body))
        told = Told((*capitalized(tokens), glue(".", space=False)), [unit])
        place = _place(draft, account)
        draft.told.insert(place, told)
        sets.insert(place, told.concepts())
        settled = Settled("kept", "a headline that says more than the text", [told])
    draft.settled[unit.key] = settled


def _place(draft: Draft, account: int) -> int:
    """Before the first sentence that follows the headline's account."""
    for index, told in enumerate(draft.told):
        if told.units and told.units[0].account == account:
            return index
    return 0
