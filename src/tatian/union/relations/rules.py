"""What numbers, times and names say of each other, by rules that need no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tatian.claims import names
from tatian.claims.claim import ValueRange, compare_intervals
from tatian.text.content import concept
from tatian.text.dates import Time
from tatian.text.lexicon import word_set
from tatian.union.relations.knowledge import Kind, Knowledge, PhraseRelation, joined
from tatian.union.relations.units import Chunk, Chunked

ASSUMED = "if published the same week"
"""Why times that cannot be compared may be one: App. B, the day of publication is known."""


def compare_amounts(first: ValueRange, second: ValueRange) -> PhraseRelation | None:
    """Whether one number is among those that the other allows; None if they exclude each other."""
    return _RELATIONS.get(compare_intervals(first, second))


_RELATIONS = {
    "equal": PhraseRelation("equivalent", "the same number"),
    "entails": PhraseRelation("entails", "a more exact number"),
    "entailed": PhraseRelation("entailed", "a less exact number"),
}


def _nested(same: bool, inside: bool, around: bool, what: str) -> PhraseRelation | None:
    """The relation of two numbers or times of which the first may lie in the second, or around."""
    if same:
        return PhraseRelation("equivalent", f"the same {what}")
    if inside:
        return PhraseRelation("entails", f"a more exact {what}")
    return PhraseRelation("entailed", f"a less exact {what}") if around else None


def compare_times(first: Time, second: Time) -> PhraseRelation | None:
    """Whether one time lies within the other; None if they differ or cannot be compared."""
    if first.days is not None and second.days is not None:
        (begin, end), (start, stop) = first.days, second.days
        inside, around = start <= begin and end <= stop, begin <= start and stop <= end
        days = _nested(first.days == second.days, inside, around, "time")
    else:
        days = _compare_words(first, second)
    hours = _compare_hours(first.within_day, second.within_day)
    return None if days is None or hours is None else joined((days, hours))


def _compare_words(first: Time, second: Time) -> PhraseRelation | None:
    """Times that are not known: by what is said outright, else as if published that week."""
    one, other = (
        {key: value for key, value in time.fixed.items() if key not in ("part", "clock")}
        for time in (first, second)
    )
    if any(one[key] != other[key] for key in one.keys() & other.keys() - {"grain"}):
        return None
    if (
        one != other
        and not (one and other)
        and (not first.within_day or first.within_day != second.within_day)
    ):
        return None
    nested = _nested(one == other, one.items() > other.items(), other.items() > one.items(), "time")
    if nested is not None:
        return nested
    if "year" in {*one, *other}:
        return None
    if first.names_day and second.names_day:
        return PhraseRelation("equivalent", f"the same day {ASSUMED}")
    if first.names_day and "shift" in other:
        return PhraseRelation("entails", f"a more exact time {ASSUMED}")
    if second.names_day and "shift" in one:
        return PhraseRelation("entailed", f"a less exact time {ASSUMED}")
    return None


def _compare_hours(first: Mapping[str, str], second: Mapping[str, str]) -> PhraseRelation | None:
    more, less = first.items() > second.items(), second.items() > first.items()
    return _nested(first == second, more, less, "time")


def compare_names(first: Sequence[str], second: Sequence[str]) -> PhraseRelation | None:
    """Whether two names can be one thing's, and which says more; the words as they are written."""
    order, reason = names.compare_names(first, second)
    kinds: dict[str, Kind] = {
        "equal": "equivalent", "variant": "equivalent", "entails": "entails", "entailed": "entailed"
    }  # fmt: skip
    return PhraseRelation(kinds[order], reason) if order in kinds else None


NOMINAL = frozenset(("role", "phrase"))
SAME_HEAD = "the same thing, otherwise described"
"""Why two phrases match only by their heads: each adds something of its own."""

_WORDS = PhraseRelation("equivalent", "the same words")
_REPORTS = frozenset(map(concept, "say tell announce report state according".split()))
_EMPTY = word_set("have has had having be make made get got take took go went come came do did")
"""Verbs that say too little to be the same act because they are the same word."""
_UNLIKE = frozenset(
    map(concept, "former alleged suspected fake possible potential future no".split())
)
"""Modifiers that do not leave a thing what it is."""


class Comparer:
    """Compares a piece of one sentence with a piece of another."""

    def __init__(self, first: Chunked, second: Chunked, knowledge: Knowledge) -> None:
        self.first = first
        self.second = second
        self.knowledge = knowledge

    def compare(self, one: Chunk, other: Chunk) -> PhraseRelation | None:
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

    def _names(self, one: Chunk, other: Chunk) -> PhraseRelation | None:
        known = self.knowledge.compare(self.first.text(one), self.second.text(other))
        if known is not None or one.type != other.type:
            return known
        return compare_names(self.first.words(one), self.second.words(other))

    def _acts(self, one: Chunk, other: Chunk) -> PhraseRelation | None:
        """A verb and a verb, or a verb and the noun made of it."""
        ours, theirs = self.first.concepts[one.head], self.second.concepts[other.head]
        if ours is None or self.first.tree.text(one.head).lower() in _EMPTY:
            return None
        if ours != theirs and not {ours, theirs} <= _REPORTS:
            return None
        if self.first.negated(one) != self.second.negated(other):
            return None
        return PhraseRelation("equivalent", "the same act")

    def _phrases(self, one: Chunk, other: Chunk) -> PhraseRelation | None:
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
            words = PhraseRelation("entails", f"adds {_added(self.first, one, theirs)}")
        elif theirs > ours:
            words = PhraseRelation("entailed", f"lacks {_added(self.second, other, ours)}")
        elif ours != theirs:
            words = PhraseRelation("equivalent", SAME_HEAD)
        return joined((words, numbers))

    def _numbers(
        self, one: Chunk, other: Chunk, ours: set[str], theirs: set[str]
    ) -> PhraseRelation | None:
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


def _added(reading: Chunked, unit: Chunk, known: set[str]) -> str:
    """The words of a piece that say more than what is known."""
    return " ".join(
        reading.tokens[place].text
        for place in unit.places
        if (said := reading.concepts[place]) is not None and said not in known
    )


def _figures(reading: Chunked, unit: Chunk) -> set[str]:
    said = (reading.concepts[place] for place in unit.places if place != unit.head)
    return {one for one in said if one is not None and (one[:1].isdigit() or one in _VAGUE)}


_HEDGES = frozenset(
    map(concept, "estimated roughly approximately nearly almost least exceeding".split())
)
_VAGUE = frozenset(map(concept, "dozens scores hundreds thousands millions several few".split()))
