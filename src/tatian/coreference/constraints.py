"""Constraints on chains: mentions that never corefer, and groups that grow within the rules.

Each word has `Traits`, which the analysis surely knows of the phrase around it. A rule compares the
traits of two words. A group may grow only while no two of its members break a rule. So a refusal
holds for the whole chain and never leaves half of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from msgspec import Struct

from tatian.text.lexicon import word_set

PERSON, ORGANISATION, PLACE = "PER", "ORG", "LOC"
MALE, FEMALE, HUMAN, THING = "male", "female", "human", "thing"
SINGULAR, PLURAL = "singular", "plural"

TimeValue = tuple[tuple[str, str], ...]
"""Parts of a time phrase's value, as sorted pairs: ("length", "day"), ("weekday", "0")."""


class Traits(Struct, frozen=True):
    """Sure knowledge of the phrase around a word; empty where nothing is known."""

    kind: str = ""
    """Type of a name: PER, ORG or LOC."""
    name: tuple[str, ...] = ()
    """Words of a name, without title and suffix."""
    located: bool = False
    """True if a preposition says that something is in, at or near it."""
    sorts: frozenset[str] = frozenset()
    """Sorts of things that it can be, of `sorts.txt`: "person", "place", "vehicle"."""
    calling: str = ""
    """Office, trade or kind: "general", "museum"; those that one thing may have are one."""
    sex: str = ""
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
    """Its place in a row: "second" of "the second strike"."""
    empty: bool = False
    """True if it refers to nothing, as "it" in "it rains"."""
    opens: bool = False
    """True if it is indefinite, and so begins a chain."""


class ChainRule(NamedTuple):
    """A reason why two phrases cannot corefer."""

    name: str
    says: str
    breaks: Callable[[Traits, Traits], bool]


def _other_kind(first: Traits, second: Traits) -> bool:
    """Return whether kinds differ; for one name, ORG and LOC only, if just LOC is `located`."""
    if not first.kind or not second.kind or first.kind == second.kind:
        return False
    if first.name == second.name:
        kinds = {first.kind: first, second.kind: second}
        if kinds.keys() != {ORGANISATION, PLACE}:
            return False
        return kinds[PLACE].located and not kinds[ORGANISATION].located
    return True


def _other_sort(first: Traits, second: Traits) -> bool:
    """Return whether nothing can be both, a town and a ship; an equal full name outweighs it."""
    if len(first.name) > 1 and first.name == second.name:
        return False
    return bool(first.sorts and second.sorts) and first.sorts.isdisjoint(second.sorts)


def _other_calling(first: Traits, second: Traits) -> bool:
    """Return whether trades or kinds differ, a judge and a thief; a person's name outweighs it."""
    if not first.calling or not second.calling or first.calling == second.calling:
        return False
    return first.kind != PERSON or set(first.name).isdisjoint(second.name)


_SHORT_NAMES = {
    "bill": "william", "will": "william", "bob": "robert", "rob": "robert", "dick": "richard",
    "rick": "richard", "jim": "james", "jack": "john", "ted": "edward", "ned": "edward",
    "tony": "anthony", "peggy": "margaret", "meg": "margaret", "liz": "elizabeth",
    "betty": "elizabeth", "bess": "elizabeth", "kate": "catherine", "harry": "henry",
    "hank": "henry", "chuck": "charles", "mike": "michael", "nick": "nicholas", "polly": "mary",
    "molly": "mary", "jerry": "gerald", "larry": "lawrence", "andy": "andrew", "joe": "joseph",
}  # fmt: skip
_ALIASES = (
    word_set("us usa u.s u.s. u.s.a. america states"),
    word_set("uk u.k u.k. britain kingdom england"),
    word_set("ussr u.s.s.r. soviet russia"),
    word_set("holland netherlands"),
    word_set("burma myanmar"),
    word_set("persia iran"),
    word_set("uae emirates"),
)
"""Words of places' names that stand for each other."""


def _other_name(first: Traits, second: Traits) -> bool:
    """Return whether names of one kind share no part, or people differ in given name."""
    if not first.name or not second.name or first.kind != second.kind:
        return False
    if first.kind == PERSON:
        return _are_two_people(first.name, second.name)
    if first.kind == ORGANISATION and not (first.sorts and second.sorts):
        return False
    if first.kind == PLACE and _are_two_parts(set(first.name), set(second.name)):
        return True
    return bool(first.kind) and _are_unlike(first.name, second.name)


def _are_two_people(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    if set(first).isdisjoint(second):
        return True
    if len(first) < 2 or len(second) < 2 or first[-1] != second[-1]:
        return False
    return not _can_be_one_given_name(first, second)


def _can_be_one_given_name(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether given names fit: "J." and "John", "Rob" and "Robert"; middle names count."""
    first, second = words[0].rstrip("."), others[0].rstrip(".")
    if words[0] in others[:-1] or others[0] in words[:-1]:
        return True
    if len(min(first, second, key=len)) != 2 and (
        first.startswith(second) or second.startswith(first)
    ):
        return True
    return _SHORT_NAMES.get(first, first) == _SHORT_NAMES.get(second, second)


def _are_two_parts(first: set[str], second: set[str]) -> bool:
    """Return whether places share a word and each has one more: "Port Calder", "Calder County"."""
    return len(first & second) == 1 and min(len(first), len(second)) > 1


def _are_unlike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether names share no word and none is short for the other."""
    if not set(first).isdisjoint(second):
        return False
    if _shortens(first, second) or _shortens(second, first):
        return False
    return not any(
        not words.isdisjoint(first) and not words.isdisjoint(second) for words in _ALIASES
    )


def _shortens(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Return whether a name is another's initials, or an abbreviation: "S.F.", "Cal."."""
    letters = "".join(short).replace(".", "")
    initials = "".join(word[0] for word in long if word not in ("of", "the", "and"))
    if len(long) > 1 and letters in (initials, initials + "a"):
        return True
    return short[0].endswith(".") and long[0].startswith(short[0][:-1])


def _other_time(earlier: Traits, later: Traits) -> bool:
    """Return whether the values of two times cannot be equal."""
    if not earlier.time or not later.time:
        return False
    first, second = dict(earlier.time), dict(later.time)
    return any(first[key] != second[key] for key in first.keys() & second.keys())


def _other_figure(first: Traits, second: Traits) -> bool:
    """Return whether figures differ ("two men", "three suspects"), or ordinals of one noun do."""
    if first.figures and second.figures and first.figures != second.figures:
        return True
    if first.noun != second.noun:
        return False
    return bool(first.ordinal and second.ordinal) and first.ordinal != second.ordinal


def _other_owner(first: Traits, second: Traits) -> bool:
    """Return whether things of one noun have owners of two names."""
    if not first.owner or not second.owner or first.noun != second.noun:
        return False
    return set(first.owner).isdisjoint(second.owner)


def _other_sex(first: Traits, second: Traits) -> bool:
    """Return whether sex differs, or person and thing; an equal full name outweighs it."""
    if len(first.name) > 1 and first.name == second.name:
        return False
    sexes = {first.sex, second.sex}
    if sexes == {MALE, FEMALE}:
        return True
    return THING in sexes and not sexes.isdisjoint((MALE, FEMALE, HUMAN))


def _other_number(first: Traits, second: Traits) -> bool:
    return {first.number, second.number} == {SINGULAR, PLURAL}


def _is_empty(first: Traits, second: Traits) -> bool:
    return first.empty or second.empty


NAME = "name"
RULES: tuple[ChainRule, ...] = (
    ChainRule("empty", "a pronoun that stands for nothing", _is_empty),
    ChainRule("kind", "names of different kinds", _other_kind),
    ChainRule(NAME, "names of two people or places", _other_name),
    ChainRule("time", "times that cannot be equal", _other_time),
    ChainRule("figure", "other figures", _other_figure),
    ChainRule("owners", "things of two owners", _other_owner),
    ChainRule("sort", "things of two sorts, such as a town and a ship", _other_sort),
    ChainRule("calling", "two ranks, trades or kinds, such as a shop and a museum", _other_calling),
    ChainRule("gender", "a man and a woman, or a person and a thing", _other_sex),
    ChainRule("number", "one and several", _other_number),
)
"""Rules for any two members of a chain; the first that is broken is named."""
INDEFINITE = "indefinite"
"""Rule that an indefinite phrase begins a chain; only pronouns may stand before it."""
SAYS = {rule.name: rule.says for rule in RULES} | {
    INDEFINITE: "an indefinite phrase begins a chain",
    "one-clause": "subject and object of one verb",
    "owner": "an owner and what it has",
    "dateline": "the place before a report, and what the report tells",
}
"""Descriptions of the rules over chains, by their names."""


class Refusal(NamedTuple):
    """Reason why two groups stay apart: a rule, and the members that would break it."""

    rule: str
    one: int
    other: int


class _Group(Struct):
    """Members of a group and their traits."""

    members: set[int]
    traits: dict[int, int]
    """Numbers of traits, each with the first member that has them."""
    apart: dict[int, str]
    """Words that cannot be members, each with the rule."""
    opening: int
    """Last member that is indefinite; -1 for none."""
    first: int | None
    """First member that is no pronoun."""


Apart = Mapping[int, Mapping[int, str]]
"""Pairs that never corefer, in both directions, with the rule."""


class Clusters:
    """Words or phrases, by their numbers, in groups that grow by links."""

    def __init__(
        self, traits: Callable[[int], Iterable[Traits]] | None = None, apart: Apart | None = None
    ) -> None:
        """Start with single members; `traits` returns the traits of a member.

        Members are numbered in the order of the text. A member that is a chain of its own has the
        traits of all its mentions. `apart` holds pairs that never corefer.
        """
        self._traits_of = traits
        self._apart = apart or {}
        self._groups: dict[int, _Group] = {}
        self._traits: list[Traits] = []
        self._numbers: dict[Traits, int] = {}
        self._broken: dict[tuple[int, int], str] = {}

    def of(self, member: int) -> _Group:
        """Return the group of a member, which may be alone in it."""
        if member not in self._groups:
            traits_of_member = tuple(self._traits_of(member)) if self._traits_of else ()
            self._groups[member] = _Group(
                {member},
                {self._number(traits): member for traits in traits_of_member},
                dict(self._apart.get(member, {})),
                member if any(traits.opens for traits in traits_of_member) else -1,
                None if any(traits.pronoun for traits in traits_of_member) else member,
            )
        return self._groups[member]

    def _number(self, traits: Traits) -> int:
        number = self._numbers.setdefault(traits, len(self._traits))
        if number == len(self._traits):
            self._traits.append(traits)
        return number

    def join(self, member: int, other: int, exempt: Set[str] = frozenset()) -> Refusal | None:
        """Join two groups, or return the reason why they cannot corefer.

        Rules in `exempt` do not apply: the text itself equates the two.
        """
        first, second = self.of(member), self.of(other)
        if first is second:
            return None
        small, large = sorted((first, second), key=lambda group: len(group.members))
        refusal = self._refusal(small, large, exempt)
        if refusal is not None:
            return refusal
        large.members |= small.members
        large.traits = small.traits | large.traits
        large.apart |= small.apart
        large.opening = max(small.opening, large.opening)
        if small.first is not None:
            large.first = small.first if large.first is None else min(small.first, large.first)
        self._groups |= dict.fromkeys(small.members, large)
        return None

    def _refusal(self, small: _Group, large: _Group, exempt: Set[str]) -> Refusal | None:
        for member in small.members:
            if member in large.apart:
                return Refusal(large.apart[member], member, self._apart_from(member, large))
        for first_traits, member in small.traits.items():
            for second_traits, second in large.traits.items():
                rule = self._rule(first_traits, second_traits)
                if not rule or rule in exempt:
                    continue
                if rule != NAME or not self._is_whole_known(
                    first_traits, second_traits, small, large
                ):
                    return Refusal(rule, member, second)
        if INDEFINITE not in exempt:
            for opened, whole in ((small, large), (large, small)):
                if whole.first is not None and opened.opening > whole.first:
                    return Refusal(INDEFINITE, opened.opening, whole.first)
        return None

    def _is_whole_known(self, first: int, second: int, *groups: _Group) -> bool:
        """Return whether "Ann" and "Lee" are parts of a name in the groups: "Ann Lee"."""
        parts = {*self._traits[first].name, *self._traits[second].name}
        return any(
            parts.issubset(self._traits[number].name) for group in groups for number in group.traits
        )

    def _apart_from(self, member: int, group: _Group) -> int:
        refused = self._apart.get(member, {})
        return next((other for other in sorted(group.members) if other in refused), member)

    def _rule(self, number: int, second_number: int) -> str:
        """Return the first rule that two traits break; empty if none."""
        rule_name = self._broken.get((number, second_number))
        if rule_name is None:
            first, second = self._traits[number], self._traits[second_number]
            broken = (rule.name for rule in RULES if rule.breaks(first, second))
            rule_name = self._broken[number, second_number] = self._broken[
                second_number, number
            ] = next(broken, "")
        return rule_name

    def groups(self) -> list[list[int]]:
        """Return the groups by their first members, each in order."""
        members = {id(group): sorted(group.members) for group in self._groups.values()}
        return sorted(members.values())
