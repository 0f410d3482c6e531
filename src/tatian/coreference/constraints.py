"""What may never be one thing: rules over whole chains, and groups that grow within them.

Each word has `Traits`, what the analysis surely knows of the phrase around it. A rule compares the
traits of two words. A group may grow only while no two of its members break a rule, so a refusal
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
"""What a time phrase fixes, as pairs in order: ("grain", "day"), ("weekday", "0")."""


class Traits(Struct, frozen=True):
    """What is surely known of the phrase around a word; empty where nothing is."""

    kind: str = ""
    """Of a name: PER, ORG or LOC."""
    name: tuple[str, ...] = ()
    """The words of a name, without title and suffix."""
    located: bool = False
    """Whether a preposition says that something is in, at or near it."""
    sex: str = ""
    """MALE, FEMALE, HUMAN (either of them) or THING."""
    number: str = ""
    noun: str = ""
    """The head lemma of a common noun."""
    pronoun: bool = False
    time: TimeValue = ()
    figures: tuple[str, ...] = ()
    """Its numerals: "12" of "12 degrees"."""
    ordinal: str = ""
    """Its place in a row: "second" of "the second strike"."""
    empty: bool = False
    """Whether it stands for nothing, as "it" in "it rains"."""
    opens: bool = False
    """Whether it is indefinite, and so begins a chain."""


class ChainRule(NamedTuple):
    """A reason for which two phrases cannot be one thing."""

    name: str
    says: str
    breaks: Callable[[Traits, Traits], bool]


def _other_kind(one: Traits, other: Traits) -> bool:
    """A name that is written the same is of another kind only where one of them is a location."""
    if not one.kind or not other.kind or one.kind == other.kind:
        return False
    if one.name == other.name:
        kinds = {one.kind: one, other.kind: other}
        if kinds.keys() != {ORGANISATION, PLACE}:
            return False
        return kinds[PLACE].located and not kinds[ORGANISATION].located
    return True


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


def _other_name(one: Traits, other: Traits) -> bool:
    """People and places whose names have no part in common, or people of two given names."""
    if not one.name or not other.name or one.kind != other.kind:
        return False
    if one.kind == PERSON:
        return _are_two_people(one.name, other.name)
    return one.kind == PLACE and _are_two_places(one.name, other.name)


def _are_two_people(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if set(one).isdisjoint(other):
        return True
    if len(one) < 2 or len(other) < 2 or one[-1] != other[-1]:
        return False
    return not _can_be_one_given_name(one, other)


def _can_be_one_given_name(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """ "J." and "John", "Rob" and "Robert", "Bill" and "William"; a middle name may come first."""
    first, second = one[0].rstrip("."), other[0].rstrip(".")
    if one[0] in other[:-1] or other[0] in one[:-1]:
        return True
    if len(min(first, second, key=len)) != 2 and (
        first.startswith(second) or second.startswith(first)
    ):
        return True
    return _SHORT_NAMES.get(first, first) == _SHORT_NAMES.get(second, second)


def _are_two_places(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if not set(one).isdisjoint(other):
        return False
    if _shortens(one, other) or _shortens(other, one):
        return False
    return not any(not words.isdisjoint(one) and not words.isdisjoint(other) for words in _ALIASES)


def _shortens(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether a name is another's initials, or an abbreviation: "S.F.", "Cal."."""
    letters = "".join(short).replace(".", "")
    initials = "".join(word[0] for word in long if word not in ("of", "the", "and"))
    if len(long) > 1 and letters in (initials, initials + "a"):
        return True
    return short[0].endswith(".") and long[0].startswith(short[0][:-1])


def _other_time(one: Traits, other: Traits) -> bool:
    """Times whose values cannot be equal."""
    if not one.time or not other.time:
        return False
    first, second = dict(one.time), dict(other.time)
    return any(first[key] != second[key] for key in first.keys() & second.keys())


def _other_figure(one: Traits, other: Traits) -> bool:
    """ "12 degrees" and "31 degrees", "the first strike" and "the second strike"."""
    if one.noun != other.noun:
        return False
    if one.figures and other.figures and one.figures != other.figures:
        return True
    return bool(one.ordinal and other.ordinal) and one.ordinal != other.ordinal


def _other_sex(one: Traits, other: Traits) -> bool:
    """A man and a woman, a person and a thing; a full name that is the same outweighs it."""
    if len(one.name) > 1 and one.name == other.name:
        return False
    sexes = {one.sex, other.sex}
    if sexes == {MALE, FEMALE}:
        return True
    return THING in sexes and not sexes.isdisjoint((MALE, FEMALE, HUMAN))


def _other_number(one: Traits, other: Traits) -> bool:
    return {one.number, other.number} == {SINGULAR, PLURAL}


def _is_empty(one: Traits, other: Traits) -> bool:
    return one.empty or other.empty


NAME = "name"
RULES: tuple[ChainRule, ...] = (
    ChainRule("empty", "a pronoun that stands for nothing", _is_empty),
    ChainRule("kind", "names of different kinds", _other_kind),
    ChainRule(NAME, "names of two people or places", _other_name),
    ChainRule("time", "times that cannot be equal", _other_time),
    ChainRule("figure", "other figures", _other_figure),
    ChainRule("gender", "a man and a woman, or a person and a thing", _other_sex),
    ChainRule("number", "one and several", _other_number),
)
"""What no two members of a chain may be to each other; the first that is broken is named."""
INDEFINITE = "indefinite"
"""The rule that an indefinite phrase begins a chain; only pronouns may stand before it."""
SAYS = {rule.name: rule.says for rule in RULES} | {
    INDEFINITE: "an indefinite phrase begins a chain",
    "one-clause": "subject and object of one verb",
}
"""What rules over chains say, by their names."""


class Refusal(NamedTuple):
    """Why two groups stay two: a rule, and the members that would break it."""

    rule: str
    one: int
    other: int


class _Group(Struct):
    """What is known of those in a group."""

    members: set[int]
    traits: dict[int, int]
    """Numbers of traits, each with the first member that has them."""
    apart: dict[int, str]
    """Those that are none of them, each with the rule that says so."""
    opening: int
    """The last member that is indefinite; -1 for none."""
    first: int | None
    """The first member that is no pronoun."""


Apart = Mapping[int, Mapping[int, str]]
"""Which are not the same thing, each way, with the rule that says so."""


class Clusters:
    """Words, or phrases, by their numbers, in groups that grow by links."""

    def __init__(
        self, traits: Callable[[int], Iterable[Traits]] | None = None, apart: Apart | None = None
    ) -> None:
        """`traits` says what is known of a member; members are numbered as they stand in the text.

        A member that is a chain of its own has the traits of all its mentions. `apart` holds pairs
        that never are the same thing.
        """
        self._traits_of = traits
        self._apart = apart or {}
        self._groups: dict[int, _Group] = {}
        self._traits: list[Traits] = []
        self._numbers: dict[Traits, int] = {}
        self._broken: dict[tuple[int, int], str] = {}

    def of(self, one: int) -> _Group:
        """The group that it is in, by itself if nothing was joined with it."""
        if one not in self._groups:
            own = tuple(self._traits_of(one)) if self._traits_of else ()
            self._groups[one] = _Group(
                {one},
                {self._number(traits): one for traits in own},
                dict(self._apart.get(one, {})),
                one if any(traits.opens for traits in own) else -1,
                None if any(traits.pronoun for traits in own) else one,
            )
        return self._groups[one]

    def _number(self, traits: Traits) -> int:
        number = self._numbers.setdefault(traits, len(self._traits))
        if number == len(self._traits):
            self._traits.append(traits)
        return number

    def join(self, one: int, other: int, exempt: Set[str] = frozenset()) -> Refusal | None:
        """Make two groups one, or say why they cannot be the same thing.

        Rules in `exempt` do not bind: the text itself says that the two are one.
        """
        first, second = self.of(one), self.of(other)
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
        for one, first in small.traits.items():
            for other, second in large.traits.items():
                rule = self._rule(one, other)
                if not rule or rule in exempt:
                    continue
                if rule != NAME or not self._is_whole_known(one, other, small, large):
                    return Refusal(rule, first, second)
        if INDEFINITE not in exempt:
            for opened, whole in ((small, large), (large, small)):
                if whole.first is not None and opened.opening > whole.first:
                    return Refusal(INDEFINITE, opened.opening, whole.first)
        return None

    def _is_whole_known(self, one: int, other: int, *groups: _Group) -> bool:
        """Whether "Ann" and "Lee" are parts of a name in the groups: "Ann Lee"."""
        parts = {*self._traits[one].name, *self._traits[other].name}
        return any(
            parts.issubset(self._traits[number].name) for group in groups for number in group.traits
        )

    def _apart_from(self, member: int, group: _Group) -> int:
        own = self._apart.get(member, {})
        return next((other for other in sorted(group.members) if other in own), member)

    def _rule(self, one: int, other: int) -> str:
        """The first rule that two traits break; empty if none."""
        known = self._broken.get((one, other))
        if known is None:
            first, second = self._traits[one], self._traits[other]
            broken = (rule.name for rule in RULES if rule.breaks(first, second))
            known = self._broken[one, other] = self._broken[other, one] = next(broken, "")
        return known

    def groups(self) -> list[list[int]]:
        """The groups by their first members, each in order."""
        each = {id(group): sorted(group.members) for group in self._groups.values()}
        return sorted(each.values())
