"""What two pieces say of each other by their words alone: numbers, times, names, modifiers."""

from __future__ import annotations

from tatian.text.content import concept
from tatian.text.lexicon import word_set
from tatian.union.relations.kinds import Verdict, joined
from tatian.union.relations.knowledge import Knowledge
from tatian.union.relations.rules import compare_amounts, compare_names, compare_times
from tatian.union.relations.units import Reading, Unit

NOMINAL = frozenset(("role", "phrase"))
SAME_HEAD = "the same thing, otherwise described"
"""Why two phrases match only by their heads: each adds something of its own."""

_WORDS = Verdict("equivalent", "the same words")
_REPORTS = frozenset(map(concept, "say tell announce report state according".split()))
_EMPTY = word_set("have has had having be make made get got take took go went come came do did")
"""Verbs that say too little to be the same act because they are the same word."""
_UNLIKE = frozenset(
    map(concept, "former alleged suspected fake possible potential future no".split())
)
"""Modifiers that do not leave a thing what it is."""


class Comparer:
    """Compares a piece of one sentence with a piece of another."""

    def __init__(self, first: Reading, second: Reading, knowledge: Knowledge) -> None:
        self.first = first
        self.second = second
        self.knowledge = knowledge

    def compare(self, one: Unit, other: Unit) -> Verdict | None:
        """The relation of two pieces; None if they may well be about different things."""
        kinds = {one.kind, other.kind}
        if kinds == {"time"}:
            return compare_times(self.first.time_of[one], self.second.time_of[other])
        if kinds == {"name"}:
            return self._names(one, other)
        if kinds <= NOMINAL:
            return self._phrases(one, other)
        if "name" in kinds and kinds <= {"name", *NOMINAL}:
            return self.knowledge.compare(self.first.text(one), self.second.text(other))
        return self._acts(one, other) if "verb" in kinds and kinds <= {"verb", *NOMINAL} else None

    def _names(self, one: Unit, other: Unit) -> Verdict | None:
        known = self.knowledge.compare(self.first.text(one), self.second.text(other))
        if known is not None or one.type != other.type:
            return known
        return compare_names(self.first.words(one), self.second.words(other))

    def _acts(self, one: Unit, other: Unit) -> Verdict | None:
        """A verb and a verb, or a verb and the noun made of it."""
        ours, theirs = self.first.concepts[one.head], self.second.concepts[other.head]
        if ours is None or self.first.tree.text(one.head).lower() in _EMPTY:
            return None
        if ours != theirs and not {ours, theirs} <= _REPORTS:
            return None
        if self.first.negated(one) != self.second.negated(other):
            return None
        return Verdict("equivalent", "the same act")

    def _phrases(self, one: Unit, other: Unit) -> Verdict | None:
        known = self.knowledge.compare(self.first.text(one), self.second.text(other))
        if known is not None:
            return known
        head = self.first.concepts[one.head]
        if head is None or head != self.second.concepts[other.head]:
            return None
        ours, theirs = set(self.first.content(one)), set(self.second.content(other))
        numbers = self._numbers(one, other, ours, theirs)
        if numbers is None or (ours ^ theirs) & _UNLIKE:
            return None
        words = _WORDS
        if ours > theirs:
            words = Verdict("entails", f"adds {_added(self.first, one, theirs)}")
        elif theirs > ours:
            words = Verdict("entailed", f"lacks {_added(self.second, other, ours)}")
        elif ours != theirs:
            words = Verdict("equivalent", SAME_HEAD)
        return joined((words, numbers))

    def _numbers(self, one: Unit, other: Unit, ours: set[str], theirs: set[str]) -> Verdict | None:
        """The relation of their numbers, which are then no longer words to compare."""
        first, second = self.first.amount(one), self.second.amount(other)
        if first is None or second is None:
            return _WORDS
        ours -= _HEDGES
        theirs -= _HEDGES
        verdict = compare_amounts(first, second)
        if verdict is not None and verdict.kind != "equivalent":
            ours -= _figures(self.first, one)
            theirs -= _figures(self.second, other)
        return verdict


def _added(reading: Reading, unit: Unit, known: set[str]) -> str:
    """The words of a piece that say more than what is known."""
    return " ".join(
        reading.tokens[place].text
        for place in unit.places
        if (said := reading.concepts[place]) is not None and said not in known
    )


def _figures(reading: Reading, unit: Unit) -> set[str]:
    said = (reading.concepts[place] for place in unit.places if place != unit.head)
    return {one for one in said if one is not None and (one[:1].isdigit() or one in _VAGUE)}


_HEDGES = frozenset(
    map(concept, "estimated roughly approximately nearly almost least exceeding".split())
)
_VAGUE = frozenset(map(concept, "dozens scores hundreds thousands millions several few".split()))
