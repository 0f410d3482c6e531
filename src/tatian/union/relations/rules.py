"""Rules that compare numbers, times, names and phrases without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tatian.claims import names
from tatian.claims.claim import ValueRange, compare_intervals
from tatian.text.content import concept
from tatian.text.dates import Time
from tatian.text.lexicon import word_set
from tatian.union.relations.knowledge import Kind, Knowledge, PhraseRelation, join_relations
from tatian.union.relations.units import ParsedPassage, Unit

ASSUMED = "if published the same week"
"""Reason for matching times that cannot be compared (App. B: the day of publication is known)."""


def compare_amounts(first: ValueRange, second: ValueRange) -> PhraseRelation | None:
    """Compare two numbers by their ranges; None if they exclude each other."""
    return _RELATIONS.get(compare_intervals(first, second))


_RELATIONS = {
    "equal": PhraseRelation("equivalent", "the same number"),
    "entails": PhraseRelation("entails", "a more exact number"),
    "entailed": PhraseRelation("entailed", "a less exact number"),
}


def _nested(same: bool, inside: bool, around: bool, noun: str) -> PhraseRelation | None:
    """Return the relation of two ranges: equivalent, or one inside the other."""
    if same:
        return PhraseRelation("equivalent", f"the same {noun}")
    if inside:
        return PhraseRelation("entails", f"a more exact {noun}")
    return PhraseRelation("entailed", f"a less exact {noun}") if around else None


def compare_times(first: Time, second: Time) -> PhraseRelation | None:
    """Compare two times by containment; None if they differ or cannot be compared."""
    if first.days is not None and second.days is not None:
        (begin, end), (start, stop) = first.days, second.days
        inside, around = start <= begin and end <= stop, begin <= start and stop <= end
        days = _nested(first.days == second.days, inside, around, "time")
    else:
        days = _compare_words(first, second)
    hours = _compare_hours(first.within_day, second.within_day)
    return None if days is None or hours is None else join_relations((days, hours))


def _compare_words(first: Time, second: Time) -> PhraseRelation | None:
    """Compare unresolved times by their words, else as if published in the same week."""
    ours, theirs = (
        {key: value for key, value in time.fixed.items() if key not in ("part", "clock")}
        for time in (first, second)
    )
    if any(ours[key] != theirs[key] for key in ours.keys() & theirs.keys() - {"grain"}):
        return None
    if (
        ours != theirs
        and not (ours and theirs)
        and (not first.within_day or first.within_day != second.within_day)
    ):
        return None
    nested = _nested(
        ours == theirs, ours.items() > theirs.items(), theirs.items() > ours.items(), "time"
    )
    if nested is not None:
        return nested
    if "year" in {*ours, *theirs}:
        return None
    if first.names_day and second.names_day:
        return PhraseRelation("equivalent", f"the same day {ASSUMED}")
    if first.names_day and "shift" in theirs:
        return PhraseRelation("entails", f"a more exact time {ASSUMED}")
    if second.names_day and "shift" in ours:
        return PhraseRelation("entailed", f"a less exact time {ASSUMED}")
    return None


def _compare_hours(first: Mapping[str, str], second: Mapping[str, str]) -> PhraseRelation | None:
    more, less = first.items() > second.items(), second.items() > first.items()
    return _nested(first == second, more, less, "time")


def compare_names(first: Sequence[str], second: Sequence[str]) -> PhraseRelation | None:
    """Compare two names by spelling; None if they differ."""
    order, reason = names.compare_names(first, second)
    kinds: dict[str, Kind] = {
        "equal": "equivalent", "variant": "equivalent", "entails": "entails", "entailed": "entailed"
    }  # fmt: skip
    return PhraseRelation(kinds[order], reason) if order in kinds else None


NOMINAL = frozenset(("role", "phrase"))
SAME_HEAD = "the same thing, otherwise described"
"""Reason for a match of heads whose phrases have different modifiers."""

_WORDS = PhraseRelation("equivalent", "the same words")
_REPORTS = frozenset(map(concept, "say tell announce report state according".split()))
_EMPTY = word_set("have has had having be make made get got take took go went come came do did")
"""Verbs too general to be matched by their lemma alone."""
_UNLIKE = frozenset(
    map(concept, "former alleged suspected fake possible potential future no".split())
)
"""Modifiers that change the meaning of the noun."""


class Comparer:
    """Compares a unit of one sentence with a unit of another."""

    def __init__(self, first: ParsedPassage, second: ParsedPassage, knowledge: Knowledge) -> None:
        self.first = first
        self.second = second
        self.knowledge = knowledge

    def compare(self, unit: Unit, other: Unit) -> PhraseRelation | None:
        """Return the relation of two units; None if they may have different referents."""
        kinds = {unit.kind, other.kind}
        if kinds == {"time"}:
            return compare_times(self.first.time_of[unit], self.second.time_of[other])
        if kinds == {"name"}:
            return self._names(unit, other)
        if kinds <= NOMINAL:
            return self._phrases(unit, other)
        if "name" in kinds and kinds <= {"name", *NOMINAL}:
            return self.knowledge.compare(self.first.text(unit), self.second.text(other))
        return self._acts(unit, other) if "verb" in kinds and kinds <= {"verb", *NOMINAL} else None

    def _names(self, unit: Unit, other: Unit) -> PhraseRelation | None:
        relation = self.knowledge.compare(self.first.text(unit), self.second.text(other))
        if relation is not None or unit.type != other.type:
            return relation
        return compare_names(self.first.words(unit), self.second.words(other))

    def _acts(self, unit: Unit, other: Unit) -> PhraseRelation | None:
        """Compare two verbs, or a verb and the noun derived from it."""
        ours, theirs = self.first.concepts[unit.head], self.second.concepts[other.head]
        if ours is None or self.first.tree.text(unit.head).lower() in _EMPTY:
            return None
        if ours != theirs and not {ours, theirs} <= _REPORTS:
            return None
        if self.first.negated(unit) != self.second.negated(other):
            return None
        return PhraseRelation("equivalent", "the same act")

    def _phrases(self, unit: Unit, other: Unit) -> PhraseRelation | None:
        relation = self.knowledge.compare(self.first.text(unit), self.second.text(other))
        if relation is not None:
            return relation
        head = self.first.concepts[unit.head]
        if head is None or head != self.second.concepts[other.head]:
            return None
        ours, theirs = set(self.first.content(unit)), set(self.second.content(other))
        numbers = self._numbers(unit, other, ours, theirs)
        if numbers is None or (ours ^ theirs) & _UNLIKE:
            return None
        words = _WORDS
        if ours > theirs:
            words = PhraseRelation("entails", f"adds {_added(self.first, unit, theirs)}")
        elif theirs > ours:
            words = PhraseRelation("entailed", f"lacks {_added(self.second, other, ours)}")
        elif ours != theirs:
            words = PhraseRelation("equivalent", SAME_HEAD)
        return join_relations((words, numbers))

    def _numbers(
        self, unit: Unit, other: Unit, ours: set[str], theirs: set[str]
    ) -> PhraseRelation | None:
        """Relate the numbers of two phrases and remove them from the words to compare."""
        first, second = self.first.amount(unit), self.second.amount(other)
        if first is None or second is None:
            return _WORDS
        ours -= _HEDGES
        theirs -= _HEDGES
        verdict = compare_amounts(first, second)
        if verdict is not None and verdict.kind != "equivalent":
            ours -= _figures(self.first, unit)
            theirs -= _figures(self.second, other)
        return verdict


def _added(passage: ParsedPassage, unit: Unit, excluded: set[str]) -> str:
    """Return the words of a unit that are not among the known concepts."""
    return " ".join(
        passage.tokens[place].text
        for place in unit.places
        if (concept := passage.concepts[place]) is not None and concept not in excluded
    )


def _figures(passage: ParsedPassage, unit: Unit) -> set[str]:
    concepts = (passage.concepts[place] for place in unit.places if place != unit.head)
    return {
        word for word in concepts if word is not None and (word[:1].isdigit() or word in _VAGUE)
    }


_HEDGES = frozenset(
    map(concept, "estimated roughly approximately nearly almost least exceeding".split())
)
_VAGUE = frozenset(map(concept, "dozens scores hundreds thousands millions several few".split()))
