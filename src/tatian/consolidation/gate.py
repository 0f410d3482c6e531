"""The last gate: a sentence that the weave has changed is written so only if it is proved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tatian.consolidation.units import Key, Unit
from tatian.pipeline import CrossChain
from tatian.text import Document, Token, WovenToken
from tatian.text.content import concept, is_content
from tatian.text.layers import capitalized
from tatian.text.lexicon import RELATIVE_DATES, WEEKDAYS

_DAYS = frozenset((*WEEKDAYS, *(word for said in RELATIVE_DATES for word in said.split())))
"""What names a day."""
_BEFORE = 3
"""Sentences before one that say whom it is about."""

Written = list[tuple[WovenToken, ...]]
"""The sentences of a unit as the weave would write them."""


def refused(
    units: Sequence[Unit],
    drafts: Mapping[Key, Written],
    documents: Sequence[Document],
    chains: Sequence[CrossChain],
) -> dict[Key, str]:
    """The units that must stay as their account has them, each with the reason.

    Whole sentences need no proof, nor do those that lost nothing but "also" and "however"; what
    is cut, named or put into another tense is held against the sentences it comes from. A day in
    place of "yesterday" is reckoned from the account's own day, which no sentence of it says.
    """
    changed = [
        (unit, number, capitalized(tokens))
        for unit in units
        for number, tokens in enumerate(drafts[unit.key])
        if _said(tokens) != _said(documents[unit.account].tokens_in(unit.bodies[number]))
    ]
    if not changed:
        return {}
    from tatian.consolidation.proof import unproved

    near = [_sources(*one, documents) for one in changed]
    reasons = unproved([tokens for _, _, tokens in changed], near, documents, chains)
    found: dict[Key, str] = {}
    for (unit, _, _), why in zip(changed, reasons, strict=True):
        if why:
            found.setdefault(unit.key, why)
    return found


def _said(tokens: Iterable[Token | WovenToken]) -> list[str]:
    said = [token.text for token in tokens if is_content(token.text)]
    return [concept(text) for text in said if text.lower() not in _DAYS]


def _sources(
    unit: Unit, number: int, tokens: Sequence[WovenToken], documents: Sequence[Document]
) -> list[Key]:
    """The sentences that the words come from, and those before it in its account."""
    index = unit.indices[number]
    found = [(unit.account, n) for n in range(max(0, index - _BEFORE), index + 1)]
    places = {document.id: n for n, document in enumerate(documents)}
    for source in (one for token in tokens for one in token.sources):
        account = places[source.document]
        for n, sentence in enumerate(documents[account].sentences):
            if sentence.start <= source.start < sentence.end and (account, n) not in found:
                found.append((account, n))
    return found
