"""Links chains of different documents that refer to the same thing."""

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
    """A person or thing, in all documents that mention it."""

    id: str
    name: str
    """Fullest name in any document."""
    type: str
    members: tuple[tuple[str, Chain], ...]
    """(document id, chain)"""

    def mentions(self) -> Iterator[tuple[str, Mention]]:
        """Yield every mention with the id of its document."""
        for document, chain in self.members:
            for mention in chain.mentions:
                yield document, mention


def link_chains(documents: Sequence[Document], *, lone: bool = False) -> tuple[CrossChain, ...]:
    """Group the chains of several documents by entity, in order of appearance.

    Chains of pronouns only are linked with nothing. Nor are chains that break a rule: names of
    different types, different people's names, different genders. An entity with a single mention in
    all documents is left out, unless it has a name or `lone` is set.
    """
    members = [profile for document in documents for profile in profiles(document)]
    odds = {
        (first, second): log_odds(members[first], members[second])
        for first, second in candidates([profile.keys() for profile in members])
    }
    by_id = {document.id: document for document in documents}
    allowed = Clusters(lambda number: members[number].traits)
    joined = clusters(len(members), odds, LEAST, allowed)
    groups = [[members[number] for number in group] for group in joined]
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
    """Return the longest name; without names, the longest phrase."""
    called = (
        _naming(documents[profile.document], mention)
        for profile in group
        for mention in profile.chain.mentions
    )
    return max(called, key=lambda pair: (pair[0], len(pair[1])))[1]


def _naming(document: Document, mention: Mention) -> tuple[bool, str]:
    """Return whether a mention is a name, and its words."""
    named = is_name(document, mention)
    span = mention.head if mention.head is not None and named else mention
    return named, " ".join(span.of(document.text).split())


LEAST = 0.75
"""Log-odds from which chains are linked; chosen on topics 26 to 30 of ECB+."""
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


def log_odds(left: Profile, right: Profile) -> float:
    """Return log-odds above 0 if two profiles are more likely one entity than two."""
    people = left.type == right.type == "PER"
    if (people and _different(left.names, right.names)) or _other_amounts(left.names, right.names):
        return NEVER
    return sum(WEIGHTS[name] * value for name, value in features(left, right).items())


def features(left: Profile, right: Profile) -> dict[str, float]:
    """Return the features of a pair of profiles; their order makes no difference."""
    values = _of_names(left, right) if left.names and right.names else _of_nouns(left, right)
    if left.numbers and right.numbers:
        same = not left.numbers.isdisjoint(right.numbers)
        values["numbers: equal" if same else "numbers: different"] = 1.0
    values["bias"] = 1.0
    values["noun modifies name"] = _modified(left, right) or _modified(right, left)
    values["types: different"] = bool(left.type and right.type) and left.type != right.type
    values["genders: different"] = len(left.genders | right.genders) > 1
    values["same document"] = left.document == right.document
    return values


def _of_names(left: Profile, right: Profile) -> dict[str, float]:
    kind = left.type if left.type == right.type else ""
    pairs = [(first, second) for first in left.names for second in right.names]
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


def _of_nouns(left: Profile, right: Profile) -> dict[str, float]:
    same = not left.heads.isdisjoint(right.heads)
    alike = not left.concepts.isdisjoint(right.concepts)
    disjoint = left.modifiers.isdisjoint(right.modifiers)
    return {
        "nouns: equal": same,
        "nouns: paraphrase": alike and not same,
        "nouns: nothing shared": bool(left.heads and right.heads) and not alike and not same,
        "nouns: namesakes": log(1 + left.namesakes + right.namesakes) if same else 0.0,
        "nouns: shared modifiers": share(left.modifiers, right.modifiers),
        "nouns: other modifiers": bool(left.modifiers and right.modifiers) and disjoint,
        "nouns: one modified": bool(left.modifiers) != bool(right.modifiers),
        "nouns: unlike number": left.plural != right.plural,
        "nouns: company": cosine(left.company, right.company),
    }


def share(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of all words that both have."""
    both = len(left & right)
    return both / (len(left) + len(right) - both) if both else 0.0


def cosine(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the cosine of two sets."""
    both = len(left & right)
    return both / sqrt(len(left) * len(right)) if both else 0.0


def _different(left: Sequence[Name], right: Sequence[Name]) -> bool:
    """Return True if the fullest names of two people exclude each other."""
    if not left or not right:
        return False
    return not same_name(max(left, key=len), max(right, key=len), "PER")


def _other_amounts(left: Sequence[Name], right: Sequence[Name]) -> bool:
    """Return True if both are figures and differ: "$160 million" and "$184 million"."""
    first, second = ({name for name in names if name[0][0].isdigit()} for names in (left, right))
    return bool(first and second) and first.isdisjoint(second)


def _modified(named: Profile, noun: Profile) -> bool:
    """Return True for "Actress Clara Dent" and "the actress"."""
    return bool(named.names) and not noun.names and not named.modifiers.isdisjoint(noun.heads)


Pair = tuple[int, int]
"""Indices of two things, the smaller first."""

MOST = 60
"""Maximum number of earlier things with a common key to compare with, nearest first."""
NEVER = -1000.0
"""Log-odds that no others can outweigh."""


def candidates(keys: Sequence[Collection[str]]) -> list[Pair]:
    """Return the pairs of things with a common key, in order; their number grows linearly."""
    holders: dict[str, list[int]] = {}
    pairs: set[Pair] = set()
    for number, thing_keys in enumerate(keys):
        for key in thing_keys:
            before = holders.setdefault(key, [])
            pairs.update((other, number) for other in before[-MOST:])
            before.append(number)
    return sorted(pairs)


def clusters(
    count: int,
    odds: Mapping[Pair, float],
    least: float = 0.0,
    allowed: Clusters | None = None,
) -> list[list[int]]:
    """Group the things 0 to `count`, by their first members, each group in order.

    A pair with log-odds of at least `least` joins its two groups. It does not if the compared pairs
    between the groups speak against it on average, or if a rule of `allowed` does.
    """
    groups = _Groups(count, odds, allowed or Clusters())
    likely = [(-score, pair) for pair, score in odds.items() if score >= least]
    for _, (first, second) in sorted(likely):
        groups.join(first, second)
    return groups.all()


class _Groups:
    """Groups while they grow, with the sums of the log-odds between them."""

    def __init__(self, count: int, odds: Mapping[Pair, float], allowed: Clusters) -> None:
        self._allowed = allowed
        self._of = list(range(count))
        self._members = [[number] for number in range(count)]
        self._between: list[dict[int, float]] = [{} for _ in range(count)]
        for (first, second), score in odds.items():
            self._between[first][second] = self._between[second][first] = score

    def join(self, first: int, second: int) -> None:
        """Join the groups of two things, unless more speaks against it than for it."""
        kept, absorbed = self._of[first], self._of[second]
        if kept == absorbed or self._between[kept][absorbed] < 0:
            return
        if self._allowed.join(first, second) is not None:
            return
        if len(self._members[kept]) < len(self._members[absorbed]):
            kept, absorbed = absorbed, kept
        for member in self._members[absorbed]:
            self._of[member] = kept
        self._members[kept] += self._members[absorbed]
        self._members[absorbed] = []
        merged = self._between[kept]
        merged.pop(absorbed, None)
        for third, score in self._between[absorbed].items():
            if third != kept:
                merged[third] = self._between[third][kept] = merged.get(third, 0.0) + score
                del self._between[third][absorbed]
        self._between[absorbed] = {}

    def all(self) -> list[list[int]]:
        return sorted(sorted(members) for members in self._members if members)
