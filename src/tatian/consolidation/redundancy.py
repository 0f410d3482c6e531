"""Sentences that say nothing the rest of the text does not say."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from tatian.consolidation.draft import Draft, Settled, Told
from tatian.consolidation.units import Unit, Weights
from tatian.text import WovenToken
from tatian.text.content import concept, is_content, is_telling, saying
from tatian.text.provenance import capitalized, glue, render
from tatian.text.quotations import MARKS
from tatian.union.disagreement_denials import opposed
from tatian.union.judging import follows
from tatian.union.models import Passage
from tatian.union.models.copying import copy_tokens

_HEADLINE_COVERED = 0.5
_REWORDED = 0.15
"""Share of a sentence's weight that may be other words for what is said, where nothing judges."""
_MOST_REWORDED = 0.25
"""The same where a model of meaning agrees."""
_MAIN_WITNESS = 0.4
"""Share of its weight that one other sentence must say for it to be the same report."""
_MOST_WITNESSES = 4
_NEAREST = 12
_COMMON = 100
_PUNCTUATION = MARKS.union(",;:.-–—()")


def drop_repeated(draft: Draft, weights: Weights, *, judge: bool = True) -> None:
    """Take out sentences that a few of other accounts together say, poorest first.

    Names, numbers and quoted words must all be there; of other words a small share may be put
    otherwise. What an account says twice itself is its author's business. A sentence that another
    was dropped for stays.
    """
    _drop_copies(draft)
    concepts = {id(told): told.concepts() - saying() for told in draft.told}
    holders: dict[str, list[Told]] = {}
    for told in draft.told:
        for found in concepts[id(told)]:
            holders.setdefault(found, []).append(told)
    needed: set[int] = set()
    for told in sorted(draft.told, key=lambda told: weights.sum(concepts[id(told)])):
        own = concepts[id(told)]
        if not own or id(told) in needed:
            continue
        witnesses = _witnesses(told, own, holders, concepts, weights)
        if not witnesses or (_quotes(told) and not _quotes(witnesses[0])):
            continue
        if _denies(told, witnesses):
            continue
        if _quotes(told):
            witnesses = witnesses[:1]
        said: set[str] = set().union(*(concepts[id(other)] for other in witnesses))
        new = own - said
        if new and _quotes(told):
            continue
        telling = any(is_telling(t.text) and concept(t.text) in new for t in told.tokens)
        if not telling and (
            not new or _reworded(told, witnesses, weights.sum(new) / weights.sum(own), judge)
        ):
            words = [t.text for t in told.tokens if is_content(t.text) and concept(t.text) in new]
            reworded = f", in other words than: {' '.join(words)}" if words else ""
            draft.drop(told, witnesses[0], f"other sentences say it{reworded}")
            needed.update(id(other) for other in witnesses)
    draft.sweep()


def _denies(told: Told, witnesses: Sequence[Told]) -> bool:
    """Whether the sentence denies what none of the witnesses does, or affirms what one denies."""
    words = [token.text for witness in witnesses for token in witness.tokens]
    return opposed([token.text for token in told.tokens], words)


def _reworded(told: Told, witnesses: Sequence[Told], share: float, judge: bool) -> bool:
    """Whether the witnesses put in other words the share of the sentence that they lack."""
    if share > _MOST_REWORDED:
        return False
    written = " ".join(render(other.tokens) for other in witnesses)
    judged = follows(written, render(told.tokens)) if judge else None
    return judged if judged is not None else share <= _REWORDED


def _elsewhere(told: Told, other: Told) -> bool:
    """Whether `other` comes from accounts that `told` does not come from."""
    accounts = {unit.account for unit in told.units}
    return any(unit.account not in accounts for unit in other.units)


def _quotes(told: Told) -> bool:
    return any(token.quoted or token.text in MARKS for token in told.tokens)


def _drop_copies(draft: Draft) -> None:
    """Take out sentences that stand word for word in the text already, quotations included."""
    first: dict[str, Told] = {}
    for told in draft.told:
        words = " ".join(t.text.lower() for t in told.tokens if t.text not in _PUNCTUATION)
        if words in first and _elsewhere(told, first[words]):
            draft.drop(told, first[words], "another sentence says it word for word")
        else:
            first.setdefault(words, told)
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
            if not other.dropped and _elsewhere(told, other):
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
    """A headline is no sentence: it joins the text only for a name or number that is not there."""
    sets = [told.concepts() for told in draft.told]
    for account, units in enumerate(draft.accounts):
        for unit in units[:1]:
            if unit.headline:
                _settle(draft, account, unit, sets)


def _settle(draft: Draft, account: int, unit: Unit, sets: list[set[str]]) -> None:
    tokens = copy_tokens(Passage(draft.documents[account], unit.body))
    ends = not tokens or tokens[-1].text[-1].isalnum() or tokens[-1].text in ")]"
    told = Told((*capitalized(tokens), *([glue(".", space=False)] if ends else [])), [unit])
    own = told.concepts()
    new = own.difference(*sets)
    if sets and len(new) <= _HEADLINE_COVERED * len(own):
        closest = max(range(len(sets)), key=lambda i: (len(sets[i] & own), -i))
        settled = Settled("redundant", "a headline; the text tells it", [draft.told[closest]])
    elif sets and not _names_news(tokens, new):
        settled = Settled(
            "unused", "a headline, with nothing but words that are not in the text", []
        )
    else:
        place = _place(draft, account)
        draft.told.insert(place, told)
        sets.insert(place, own)
        settled = Settled("kept", "a headline that says more than the text", [told])
    draft.settled[unit.key] = settled


def _names_news(tokens: Sequence[WovenToken], new: set[str]) -> bool:
    """Whether a headline has a number or, unless all its words have capitals, a name of its own."""
    words = [token.text for token in tokens[1:] if is_content(token.text)]
    capitals = sum(word[0].isupper() for word in words)
    cased = capitals <= len(words) / 2
    return any(
        concept(word) in new and is_telling(word) and (cased or not word[0].isupper())
        for word in words
    )


def _place(draft: Draft, account: int) -> int:
    """Before the first sentence that follows the headline's account."""
    for index, told in enumerate(draft.told):
        if told.units and told.units[0].account == account:
            return index
    return 0
