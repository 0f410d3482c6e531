"""Chains across documents: which chain of one account is which of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log, sqrt

from msgspec import Struct

from tatian.coreference.constraints import Clusters
from tatian.coreference.models.match import same_name
from tatian.pipeline.profiles import Name, Profile, is_name, profiles
from tatian.text import Chain, Document, Mention


class CrossChain(Struct, frozen=True):
    """One person or thing, in all documents that speak of it."""

    id: str
    name: str
    """The fullest way any document puts it."""
    type: str
    members: tuple[tuple[str, Chain], ...]
    """(document id, chain)"""

    def mentions(self) -> Iterator[tuple[str, Mention]]:
        """Every mention with the document it stands in."""
        for document, chain in self.members:
            for mention in chain.mentions:
                yield document, mention


def link_chains(documents: Sequence[Document], *, lone: bool = False) -> tuple[CrossChain, ...]:
    """Group the chains of several documents by what is said of them, in order of appearance.

    What only pronouns speak of is linked with nothing, and nothing that breaks a rule over chains:
    names of different kinds, people of other names, a man and a woman. What is mentioned once in
    all documents is left out unless it has a name or `lone` asks for it.
    """
    known = [profile for document in documents for profile in profiles(document)]
    odds = {
        (one, other): log_odds(known[one], known[other])
        for one, other in candidates([profile.keys() for profile in known])
    }
    by_id = {document.id: document for document in documents}
    allowed = Clusters(lambda number: known[number].traits)
    joined = clusters(len(known), odds, LEAST, allowed)
    groups = [[known[number] for number in group] for group in joined]
    kept = [group for group in groups if lone or _worth_keeping(group)]
    return tuple(_joined(group, number, by_id) for number, group in enumerate(kept, 1))


def _worth_keeping(group: Sequence[Profile]) -> bool:
    mentions = sum(len(profile.chain.mentions) for profile in group)
    return mentions > 1 or any(profile.names for profile in group)


def _joined(group: Sequence[Profile], number: int, documents: dict[str, Document]) -> CrossChain:
    types = Counter(profile.type for profile in group if profile.type)
    return CrossChain(
        id=f"e{number}",
        name=_best_name(group, documents),
        type=min(types, key=lambda type: (-types[type], type)) if types else "",
        members=tuple((profile.document, profile.chain) for profile in group),
    )


def _best_name(group: Sequence[Profile], documents: dict[str, Document]) -> str:
    """The longest name; without names, the longest phrase."""
    called = (
        _called(documents[profile.document], mention)
        for profile in group
        for mention in profile.chain.mentions
    )
    return max(called, key=lambda found: (found[0], len(found[1])))[1]


def _called(document: Document, mention: Mention) -> tuple[bool, str]:
    """Whether a mention is a name, and how it calls its thing."""
    named = is_name(document, mention)
    span = mention.head if mention.head is not None and named else mention
    return named, " ".join(span.of(document.text).split())


LEAST = 0.75
"""Log-odds from which chains are put together; chosen on topics 26 to 30 of ECB+."""
WEIGHTS = {
    "bias": -0.06,
    "genders: different": -1.77,
    "names: equal": -1.62,
    "names: initials": 2.94,
    "names: one in the other": 0.29,
    "names: other last words": -1.38,
    "names: shared words": 3.82,
    "noun modifies name": -0.94,
    "nouns: company": 1.36,
    "nouns: equal": 0.84,
    "nouns: namesakes": -0.29,
    "nouns: nothing shared": -0.9,
    "nouns: one modified": -0.21,
    "nouns: other modifiers": -0.56,
    "nouns: paraphrase": -0.11,
    "nouns: shared modifiers": 0.39,
    "nouns: unlike number": -1.4,
    "numbers: different": -0.45,
    "numbers: equal": 0.41,
    "same document": -0.65,
    "types: different": -1.13,
}
"""Log-odds by feature, fitted to topics 1 to 30 of ECB+ by ``benchmarks/coref_linking.py``."""


def log_odds(one: Profile, other: Profile) -> float:
    """Above 0 where two profiles are likelier one thing than two."""
    people = one.type == other.type == "PER"
    if (people and _different(one.names, other.names)) or _other_amounts(one.names, other.names):
        return NEVER
    return sum(WEIGHTS[name] * value for name, value in features(one, other).items())


def features(one: Profile, other: Profile) -> dict[str, float]:
    """What speaks for and against a pair; which of the two comes first makes no difference."""
    found = _of_names(one, other) if one.names and other.names else _of_nouns(one, other)
    if one.numbers and other.numbers:
        same = not one.numbers.isdisjoint(other.numbers)
        found["numbers: equal" if same else "numbers: different"] = 1.0
    found["bias"] = 1.0
    found["noun modifies name"] = _modified(one, other) or _modified(other, one)
    found["types: different"] = bool(one.type and other.type) and one.type != other.type
    found["genders: different"] = len(one.genders | other.genders) > 1
    found["same document"] = one.document == other.document
    return found


def _of_names(one: Profile, other: Profile) -> dict[str, float]:
    kind = one.type if one.type == other.type else ""
    pairs = [(first, second) for first in one.names for second in other.names]
    shared = max(share(frozenset(first), frozenset(second)) for first, second in pairs)
    equal = any(first == second for first, second in pairs)
    initials = not shared and any(same_name(first, second, kind) for first, second in pairs)
    inside = any(set(a) <= set(b) or set(b) <= set(a) for a, b in pairs)
    return {
        "names: equal": equal,
        "names: initials": initials,
        "names: shared words": shared,
        "names: one in the other": inside and not equal,
        "names: other last words": all(first[-1] != second[-1] for first, second in pairs),
    }


def _of_nouns(one: Profile, other: Profile) -> dict[str, float]:
    same = not one.heads.isdisjoint(other.heads)
    alike = not one.concepts.isdisjoint(other.concepts)
    disjoint = one.modifiers.isdisjoint(other.modifiers)
    return {
        "nouns: equal": same,
        "nouns: paraphrase": alike and not same,
        "nouns: nothing shared": bool(one.heads and other.heads) and not alike and not same,
        "nouns: namesakes": log(1 + one.namesakes + other.namesakes) if same else 0.0,
        "nouns: shared modifiers": share(one.modifiers, other.modifiers),
        "nouns: other modifiers": bool(one.modifiers and other.modifiers) and disjoint,
        "nouns: one modified": bool(one.modifiers) != bool(other.modifiers),
        "nouns: unlike number": one.plural != other.plural,
        "nouns: company": cosine(one.company, other.company),
    }


def share(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of all words that both have."""
    both = len(one & other)
    return both / (len(one) + len(other) - both) if both else 0.0


def cosine(one: frozenset[str], other: frozenset[str]) -> float:
    """The cosine of two sets."""
    both = len(one & other)
    return both / sqrt(len(one) * len(other)) if both else 0.0


def _different(some: Sequence[Name], others: Sequence[Name]) -> bool:
    """Whether two people have names, the fullest of each, that one person cannot have."""
    if not some or not others:
        return False
    return not same_name(max(some, key=len), max(others, key=len), "PER")


def _other_amounts(some: Sequence[Name], others: Sequence[Name]) -> bool:
    """Whether both are figures, and not the same: "$160 million" and "$184 million"."""
    first, second = ({name for name in names if name[0][0].isdigit()} for names in (some, others))
    return bool(first and second) and first.isdisjoint(second)


def _modified(one: Profile, other: Profile) -> bool:
    """ "Actress Clara Dent" and "the actress"."""
    return bool(one.names) and not other.names and not one.modifiers.isdisjoint(other.heads)


Pair = tuple[int, int]
"""Numbers of two things, the smaller first."""

MOST = 60
"""Earlier things with a key in common that one is compared with, the nearest ones."""
NEVER = -1000.0
"""Log-odds that no others can outweigh."""


def candidates(keys: Sequence[Collection[str]]) -> list[Pair]:
    """The pairs of things that have a key in common, in order; their number grows linearly."""
    holders: dict[str, list[int]] = {}
    found: set[Pair] = set()
    for number, own in enumerate(keys):
        for key in own:
            before = holders.setdefault(key, [])
            found.update((other, number) for other in before[-MOST:])
            before.append(number)
    return sorted(found)


def clusters(
    count: int,
    odds: Mapping[Pair, float],
    least: float = 0.0,
    allowed: Clusters | None = None,
) -> list[list[int]]:
    """Things 0 to `count` in groups, by their first members, each in order.

    A pair with log-odds of at least `least` brings its two groups together, unless the pairs
    between them that were compared speak against it on average, or a rule of `allowed` does.
    """
    groups = _Groups(count, odds, allowed or Clusters())
    likely = [(-score, pair) for pair, score in odds.items() if score >= least]
    for _, (one, other) in sorted(likely):
        groups.join(one, other)
    return groups.all()


class _Groups:
    """Groups while they grow, with the sums of the log-odds between them."""

    def __init__(self, count: int, odds: Mapping[Pair, float], allowed: Clusters) -> None:
        self._allowed = allowed
        self._of = list(range(count))
        self._members = [[number] for number in range(count)]
        self._between: list[dict[int, float]] = [{} for _ in range(count)]
        for (one, other), score in odds.items():
            self._between[one][other] = self._between[other][one] = score

    def join(self, one: int, other: int) -> None:
        """Make the groups of two things one, unless more speaks against it than for it."""
        kept, gone = self._of[one], self._of[other]
        if kept == gone or self._between[kept][gone] < 0:
            return
        if self._allowed.join(one, other) is not None:
            return
        if len(self._members[kept]) < len(self._members[gone]):
            kept, gone = gone, kept
        for member in self._members[gone]:
            self._of[member] = kept
        self._members[kept] += self._members[gone]
        self._members[gone] = []
        own = self._between[kept]
        own.pop(gone, None)
        for third, score in self._between[gone].items():
            if third != kept:
                own[third] = self._between[third][kept] = own.get(third, 0.0) + score
                del self._between[third][gone]
        self._between[gone] = {}

    def all(self) -> list[list[int]]:
        return sorted(sorted(members) for members in self._members if members)
