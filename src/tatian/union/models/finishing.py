"""The last touches to a union, whoever wrote it: its joints, and days that are named twice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tatian.text import WovenToken
from tatian.text.lexicon import NUMBER_WORDS
from tatian.text.provenance import capitalized
from tatian.union.models import Passage
from tatian.union.models.joints import linked
from tatian.union.models.same_day import said_once


def finished(tokens: Sequence[WovenToken], passages: Sequence[Passage]) -> tuple[WovenToken, ...]:
    """The sentence as it should read; `passages` are all that stand behind its words."""
    once = said_once(tokens, passages)
    return linked(once if once == tuple(tokens) else capitalized(once), passages)


def side_by_side(tokens: Sequence[WovenToken]) -> bool:
    """Whether a number of one sentence stands right next to another sentence's ("at least 5 3")."""
    return any(
        _is_number(one) and _is_number(two) and _homes(one).isdisjoint(_homes(two))
        for one, two in pairwise(tokens)
    )


def _is_number(token: WovenToken) -> bool:
    """Whether it is a number, and none that another may multiply ("million")."""
    word = token.text.lower()
    return word[:1].isdigit() or NUMBER_WORDS.get(word, 100) < 100


def _homes(token: WovenToken) -> set[str]:
    return {source.document for source in token.sources}
