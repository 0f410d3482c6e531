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


def _compare_ranges(same: bool, inside: bool, around: bool) -> PhraseRelation | None:
    """Return the relation of two times: equivalent, or one inside the other."""
    if same:
        return PhraseRelation("equivalent", "the same time")
    if inside:
        return PhraseRelation("entails", "a more exact time")
    return PhraseRelation("entailed", "a less exact time") if around else None


def compare_times(first: Time, second: Time) -> PhraseRelation | None:
    """Compare two times by containment; None if they differ or cannot be compared."""
    if first.days is not None and second.days is not None:
        (begin, end), (start, stop) = first.days, second.days
        inside, around = start <= begin and end <= stop, begin <= start and stop <= end
        days = _compare_ranges(first.days == second.days, inside, around)
    else:
        days = _compare_words(first, second)
    hours = _compare_fixed(first.within_day, second.within_day)
    return None if days is None or hours is None else join_relations((days, hours))


def _compare_words(first: Time, second: Time) -> PhraseRelation | None:
    """Compare unresolved times by their words, else as if published in the same week."""
    left, right = (
        {key: value for key, value in time.parts.items() if key not in ("part", "clock")}
        for time in (first, second)
    )
    if any(left[key] != right[key] for key in left.keys() & right.keys() - {"grain"}):
        return None
    is_same_hour = bool(first.within_day) and first.within_day == second.within_day
    if left != right and not (left and right) and not is_same_hour:
        return None
    nested = _compare_fixed(left, right)
    if nested is not None:
        return nested
    if "year" in {*left, *right}:
        return None
    if first.names_day and second.names_day:
        return PhraseRelation("equivalent", f"the same day {ASSUMED}")
    if first.names_day and "shift" in right:
        return PhraseRelation("entails", f"a more exact time {ASSUMED}")
    if second.names_day and "shift" in left:
        return PhraseRelation("entailed", f"a less exact time {ASSUMED}")
    return None


def _compare_fixed(first: Mapping[str, str], second: Mapping[str, str]) -> PhraseRelation | None:
    """Compare times by the parts that they fix; None if neither fixes all that the other does."""
    more, less = first.items() > second.items(), second.items() > first.items()
    return _compare_ranges(first == second, more, less)


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
_LIGHT_VERBS = word_set(
    "have has had having be make made get got take took go went come came do did"
)
"""Verbs too general to be matched by their lemma alone."""
_MEANING_CHANGERS = frozenset(
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
            return self._compare_name_units(unit, other)
        if kinds <= NOMINAL:
            return self._compare_phrases(unit, other)
        if "name" in kinds and kinds <= {"name", *NOMINAL}:
            return self.knowledge.compare(self.first.text(unit), self.second.text(other))
        are_acts = "verb" in kinds and kinds <= {"verb", *NOMINAL}
        return self._compare_acts(unit, other) if are_acts else None

    def _compare_name_units(self, unit: Unit, other: Unit) -> PhraseRelation | None:
        relation = self.knowledge.compare(self.first.text(unit), self.second.text(other))
        if relation is not None or unit.type != other.type:
            return relation
        return compare_names(self.first.words(unit), self.second.words(other))

    def _compare_acts(self, unit: Unit, other: Unit) -> PhraseRelation | None:
        """Compare two verbs, or a verb and the noun derived from it."""
        left, right = self.first.concepts[unit.head], self.second.concepts[other.head]
        if left is None or self.first.tree.text(unit.head).lower() in _LIGHT_VERBS:
            return None
        if left != right and not {left, right} <= _REPORTS:
            return None
        if self.first.negated(unit) != self.second.negated(other):
            return None
        return PhraseRelation("equivalent", "the same act")

    def _compare_phrases(self, unit: Unit, other: Unit) -> PhraseRelation | None:
        relation = self.knowledge.compare(self.first.text(unit), self.second.text(other))
        if relation is not None:
            return relation
        head = self.first.concepts[unit.head]
        if head is None or head != self.second.concepts[other.head]:
            return None
        left, right = set(self.first.content(unit)), set(self.second.content(other))
        numbers = self._compare_numbers(unit, other, left, right)
        if numbers is None or (left ^ right) & _MEANING_CHANGERS:
            return None
        words = _WORDS
        if left > right:
            words = PhraseRelation("entails", f"adds {_unshared_words(self.first, unit, right)}")
        elif right > left:
            words = PhraseRelation("entailed", f"lacks {_unshared_words(self.second, other, left)}")
        elif left != right:
            words = PhraseRelation("equivalent", SAME_HEAD)
        return join_relations((words, numbers))

    def _compare_numbers(
        self, unit: Unit, other: Unit, left: set[str], right: set[str]
    ) -> PhraseRelation | None:
        """Relate the numbers of two phrases and remove them from the words to compare."""
        first, second = self.first.amount(unit), self.second.amount(other)
        if first is None or second is None:
            return _WORDS
        left -= _HEDGES
        right -= _HEDGES
        verdict = compare_amounts(first, second)
        if verdict is not None and verdict.kind != "equivalent":
            left -= _figure_concepts(self.first, unit)
            right -= _figure_concepts(self.second, other)
        return verdict


def _unshared_words(passage: ParsedPassage, unit: Unit, excluded: set[str]) -> str:
    """Return the words of a unit that are not among the known concepts."""
    return " ".join(
        passage.tokens[place].text
        for place in unit.places
        if (concept := passage.concepts[place]) is not None and concept not in excluded
    )


def _figure_concepts(passage: ParsedPassage, unit: Unit) -> set[str]:
    concepts = (passage.concepts[place] for place in unit.places if place != unit.head)
    return {
        word for word in concepts if word is not None and (word[:1].isdigit() or word in _VAGUE)
    }


_HEDGES = frozenset(
    map(concept, "estimated roughly approximately nearly almost least exceeding".split())
)
_VAGUE = frozenset(map(concept, "dozens scores hundreds thousands millions several few".split()))
