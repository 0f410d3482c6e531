"""Constraints on chains: mentions that never corefer, and groups that grow within the rules.

`Traits` hold what the analysis knows for certain about the phrase around a word. A rule compares
the traits of two words. A group may grow only while no two of its members break a rule, so a
refusal holds for the whole chain and never splits it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from msgspec import Struct

from tatian.coreference import LINES

PERSON, ORGANISATION, PLACE = "PER", "ORG", "LOC"
MALE, FEMALE, HUMAN, THING = "male", "female", "human", "thing"
SINGULAR, PLURAL = "singular", "plural"

TimeValue = tuple[tuple[str, str], ...]
"""Parts of a time phrase's value, as sorted pairs: ("length", "day"), ("weekday", "0")."""


class Traits(Struct, frozen=True):
    """Certain properties of the phrase around a word; empty where nothing is known."""

    kind: str = ""
    """Type of a name: PER, ORG or LOC."""
    name: tuple[str, ...] = ()
    """Words of a name, without title and suffix."""
    located: bool = False
    """True after a preposition of place, such as "in", "at" or "near"."""
    sorts: frozenset[str] = frozenset()
    """Semantic classes that it can have, from `sorts.txt`: "person", "place", "vehicle"."""
    calling: str = ""
    """Office, trade or kind: "general", "museum". Compatible ones have the same value."""
    gender: str = ""
    """MALE, FEMALE, HUMAN (either of them) or THING."""
    number: str = ""
    noun: str = ""
    """Head lemma of a common noun."""
    pronoun: bool = False
    time: TimeValue = ()
    owner: tuple[str, ...] = ()
    """Name of the owner of a common noun: "Haas" of "Mr. Haas's lawyer"."""
    figures: tuple[str, ...] = ()
    """Its numerals: "12" of "12 degrees"."""
    ordinal: str = ""
    """Its ordinal number: "second" of "the second strike"."""
    empty: bool = False
    """True if it refers to nothing, as "it" in "it rains"."""
    indefinite: bool = False
    """True if it is indefinite, and so begins a chain."""


class ChainRule(NamedTuple):
    """A reason why two phrases cannot corefer."""

    name: str
    description: str
    breaks: Callable[[Traits, Traits], bool]


def _kinds_differ(first: Traits, second: Traits) -> bool:
    """Return whether kinds differ. Equal names differ only as LOC that is `located` and ORG."""
    if not first.kind or not second.kind or first.kind == second.kind:
        return False
    if first.name == second.name:
        by_kind = {first.kind: first, second.kind: second}
        if by_kind.keys() != {ORGANISATION, PLACE}:
            return False
        return by_kind[PLACE].located and not by_kind[ORGANISATION].located
    return True


def _sorts_differ(first: Traits, second: Traits) -> bool:
    """Return whether no class fits both, as for a town and a ship; equal full names agree."""
    if len(first.name) > 1 and first.name == second.name:
        return False
    return bool(first.sorts and second.sorts) and first.sorts.isdisjoint(second.sorts)


def _callings_differ(first: Traits, second: Traits) -> bool:
    """Return whether trades or kinds differ: a judge, a thief. People who share a name never do."""
    if not first.calling or not second.calling or first.calling == second.calling:
        return False
    return first.kind != PERSON or set(first.name).isdisjoint(second.name)


_SHORT_NAMES = {short: name for name, *short_names in LINES["short names"] for short in short_names}
_ALIASES = tuple(map(frozenset, LINES["places"]))
"""Interchangeable words in names of places."""


def _names_differ(first: Traits, second: Traits) -> bool:
    """Return whether names of one kind share no part, or people differ in given name."""
    if not first.name or not second.name or first.kind != second.kind:
        return False
    if first.kind == PERSON:
        return _are_different_people(first.name, second.name)
    if first.kind == ORGANISATION and not (first.sorts and second.sorts):
        return False
    if first.kind == PLACE and _are_different_places(set(first.name), set(second.name)):
        return True
    return bool(first.kind) and _share_nothing(first.name, second.name)


def _are_different_people(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    if set(first).isdisjoint(second):
        return True
    if len(first) < 2 or len(second) < 2 or first[-1] != second[-1]:
        return False
    return not _can_be_one_given_name(first, second)


def _can_be_one_given_name(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether given or middle names are compatible: "J." and "John", "Rob" and "Robert"."""
    first, second = words[0].rstrip("."), others[0].rstrip(".")
    if words[0] in others[:-1] or others[0] in words[:-1]:
        return True
    if len(min(first, second, key=len)) != 2 and (
        first.startswith(second) or second.startswith(first)
    ):
        return True
    return _SHORT_NAMES.get(first, first) == _SHORT_NAMES.get(second, second)


def _are_different_places(first: set[str], second: set[str]) -> bool:
    """Return whether two places share one word of several: "Port Calder", "Calder County"."""
    return len(first & second) == 1 and min(len(first), len(second)) > 1


def _share_nothing(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether names share no word or alias, and neither abbreviates the other."""
    if not set(first).isdisjoint(second):
        return False
    if _is_short_for(first, second) or _is_short_for(second, first):
        return False
    return not any(words & {*first} and words & {*second} for words in _ALIASES)


def _is_short_for(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Return whether one name is the other's initials or abbreviation: "S.F.", "Cal."."""
    letters = "".join(short).replace(".", "")
    initials = "".join(word[0] for word in long if word not in ("of", "the", "and"))
    if len(long) > 1 and letters in (initials, initials + "a"):
        return True
    return short[0].endswith(".") and long[0].startswith(short[0][:-1])


def _times_differ(first: Traits, second: Traits) -> bool:
    """Return whether two times differ in a part that both give."""
    parts, other_parts = dict(first.time), dict(second.time)
    return any(parts[key] != other_parts[key] for key in parts.keys() & other_parts.keys())


def _figures_differ(first: Traits, second: Traits) -> bool:
    """Return whether figures differ ("two men", "three suspects"), or ordinals of equal nouns."""
    if first.figures and second.figures and first.figures != second.figures:
        return True
    if first.noun != second.noun:
        return False
    return bool(first.ordinal and second.ordinal) and first.ordinal != second.ordinal


def _owners_differ(first: Traits, second: Traits) -> bool:
    """Return whether equal nouns have owners with different names."""
    if not first.owner or not second.owner or first.noun != second.noun:
        return False
    return set(first.owner).isdisjoint(second.owner)


def _genders_differ(first: Traits, second: Traits) -> bool:
    """Return whether a man, a woman and a thing are mixed up; equal full names never differ."""
    if len(first.name) > 1 and first.name == second.name:
        return False
    genders = {first.gender, second.gender}
    if genders == {MALE, FEMALE}:
        return True
    return THING in genders and not genders.isdisjoint((MALE, FEMALE, HUMAN))


def _numbers_differ(first: Traits, second: Traits) -> bool:
    return {first.number, second.number} == {SINGULAR, PLURAL}


def _has_empty_pronoun(first: Traits, second: Traits) -> bool:
    return first.empty or second.empty


NAME = "name"
RULES: tuple[ChainRule, ...] = (
    ChainRule("empty", "a pronoun that stands for nothing", _has_empty_pronoun),
    ChainRule("kind", "names of different kinds", _kinds_differ),
    ChainRule(NAME, "names of two people or places", _names_differ),
    ChainRule("time", "times that cannot be equal", _times_differ),
    ChainRule("figure", "other figures", _figures_differ),
    ChainRule("owners", "things of two owners", _owners_differ),
    ChainRule("sort", "things of two sorts, such as a town and a ship", _sorts_differ),
    ChainRule(
        "calling", "two ranks, trades or kinds, such as a shop and a museum", _callings_differ
    ),
    ChainRule("gender", "a man and a woman, or a person and a thing", _genders_differ),
    ChainRule("number", "one and several", _numbers_differ),
)
"""Rules for any two members of a chain; a refusal names the first that is broken."""
INDEFINITE = "indefinite"
"""Rule that an indefinite phrase begins a chain; only pronouns may precede it."""
RULE_DESCRIPTIONS = {rule.name: rule.description for rule in RULES} | {
    INDEFINITE: "an indefinite phrase begins a chain",
    "one-clause": "subject and object of one verb",
    "owner": "an owner and what it has",
    "dateline": "the place before a report, and what the report tells",
}
"""Descriptions of the rules over chains, by their names."""


class Refusal(NamedTuple):
    """Reason why two groups cannot be joined: a rule, and the members that would break it."""

    rule: str
    first: int
    second: int


class _Group(Struct):
    """Members of a group and their traits."""

    members: set[int]
    traits: dict[int, int]
    """First member with each set of traits, by the number of the set."""
    excluded: dict[int, str]
    """Words that cannot be members, each with the rule that excludes it."""
    last_indefinite: int
    """Last member that is indefinite; -1 for none."""
    first_nominal: int | None
    """First member that is not a pronoun."""


Exclusions = Mapping[int, Mapping[int, str]]
"""Pairs that never corefer, in both directions, with the rule that excludes them."""


class Clusters:
    """Groups of numbered words or phrases, joined link by link."""

    def __init__(
        self,
        traits: Callable[[int], Iterable[Traits]] | None = None,
        exclusions: Exclusions | None = None,
    ) -> None:
        """Start with single members; `traits` returns the traits of a member.

        Members are numbered in the order of the text. A member that is a whole chain has the traits
        of all its mentions.
        """
        self._traits_of = traits
        self._exclusions = exclusions or {}
        self._groups: dict[int, _Group] = {}
        self._traits: list[Traits] = []
        self._numbers: dict[Traits, int] = {}
        self._broken: dict[tuple[int, int], str] = {}

    def group_of(self, member: int) -> _Group:
        """Return the group of a member; a new member is alone in its group."""
        if member not in self._groups:
            traits_of_member = tuple(self._traits_of(member)) if self._traits_of else ()
            self._groups[member] = _Group(
                {member},
                {self._number(traits): member for traits in traits_of_member},
                dict(self._exclusions.get(member, {})),
                member if any(traits.indefinite for traits in traits_of_member) else -1,
                None if any(traits.pronoun for traits in traits_of_member) else member,
            )
        return self._groups[member]

    def _number(self, traits: Traits) -> int:
        number = self._numbers.setdefault(traits, len(self._traits))
        if number == len(self._traits):
            self._traits.append(traits)
        return number

    def join(self, member: int, other: int, exempt: Set[str] = frozenset()) -> Refusal | None:
        """Join the groups of two members, or return why they cannot corefer.

        Rules in `exempt` do not apply, as where the text itself equates the two.
        """
        first, second = self.group_of(member), self.group_of(other)
        if first is second:
            return None
        small, large = sorted((first, second), key=lambda group: len(group.members))
        refusal = self._find_refusal(small, large, exempt)
        if refusal is not None:
            return refusal
        large.members |= small.members
        large.traits = small.traits | large.traits
        large.excluded |= small.excluded
        large.last_indefinite = max(small.last_indefinite, large.last_indefinite)
        nominals = (small.first_nominal, large.first_nominal)
        large.first_nominal = min((first for first in nominals if first is not None), default=None)
        self._groups |= dict.fromkeys(small.members, large)
        return None

    def _find_refusal(self, small: _Group, large: _Group, exempt: Set[str]) -> Refusal | None:
        for member in small.members:
            if member in large.excluded:
                return Refusal(large.excluded[member], member, self._find_excluded(member, large))
        for traits, member in small.traits.items():
            for other_traits, other in large.traits.items():
                rule = self._find_broken_rule(traits, other_traits)
                if not rule or rule in exempt:
                    continue
                if rule != NAME or not self._is_full_name_known(traits, other_traits, small, large):
                    return Refusal(rule, member, other)
        if INDEFINITE not in exempt:
            for later, earlier in ((small, large), (large, small)):
                start = earlier.first_nominal
                if start is not None and later.last_indefinite > start:
                    return Refusal(INDEFINITE, later.last_indefinite, start)
        return None

    def _is_full_name_known(self, first: int, second: int, *groups: _Group) -> bool:
        """Return whether the groups have a name with the words of both: "Ann", "Lee", "Ann Lee"."""
        parts = {*self._traits[first].name, *self._traits[second].name}
        numbers = (number for group in groups for number in group.traits)
        return any(parts.issubset(self._traits[number].name) for number in numbers)

    def _find_excluded(self, member: int, group: _Group) -> int:
        """Return the first member of a group that another member never corefers with."""
        excluded = self._exclusions.get(member, {})
        return next((other for other in sorted(group.members) if other in excluded), member)

    def _find_broken_rule(self, first: int, second: int) -> str:
        """Return the first rule that two trait sets break; empty if none."""
        broken = self._broken.get((first, second))
        if broken is None:
            pair = self._traits[first], self._traits[second]
            broken = next((rule.name for rule in RULES if rule.breaks(*pair)), "")
            self._broken[first, second] = self._broken[second, first] = broken
        return broken

    def groups(self) -> list[list[int]]:
        """Return the groups in the order of their first members."""
        members = {id(group): sorted(group.members) for group in self._groups.values()}
        return sorted(members.values())
