"""Cross-document coreference of chains."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log, sqrt

from msgspec import Struct

from tatian.coreference.constraints import Clusters
from tatian.coreference.models.match import same_name
from tatian.grouping import most_frequent
from tatian.pipeline.profiles import Name, Profile, is_name, profiles
from tatian.text import Chain, Document, Mention
from tatian.views.wording import squeeze


class CrossChain(Struct, frozen=True):
    """An entity with its chains in all documents."""

    id: str
    name: str
    """Longest name in any document."""
    type: str
    members: tuple[tuple[str, Chain], ...]
    """Chains, each with the id of its document."""

    def mentions(self) -> Iterator[tuple[str, Mention]]:
        """Yield every mention with the id of its document."""
        for document, chain in self.members:
            for mention in chain.mentions:
                yield document, mention


def link_chains(documents: Sequence[Document], *, lone: bool = False) -> tuple[CrossChain, ...]:
    """Group the chains of several documents by entity, in order of appearance.

    Chains of pronouns only are never linked. Nor are chains that break a rule: names of different
    types, names of different people, different genders. An entity with a single mention is left
    out, unless it has a name or `lone` is set.
    """
    members = [profile for document in documents for profile in profiles(document)]
    odds = {
        (first, second): log_odds(members[first], members[second])
        for first, second in candidates([profile.keys() for profile in members])
    }
    by_id = {document.id: document for document in documents}
    allowed = Clusters(lambda number: members[number].traits)
    joined = clusters(len(members), odds, LINK_THRESHOLD, allowed)
    groups = [[members[number] for number in group] for group in joined]
    kept = [
        group
        for group in groups
        if lone
        or any(profile.names for profile in group)
        or sum(len(profile.chain.mentions) for profile in group) > 1
    ]
    return tuple(_cross_chain(group, number, by_id) for number, group in enumerate(kept, 1))


def _cross_chain(
    group: Sequence[Profile], number: int, documents: dict[str, Document]
) -> CrossChain:
    return CrossChain(
        id=f"e{number}",
        name=_best_name(group, documents),
        type=most_frequent(profile.type for profile in group if profile.type),
        members=tuple((profile.document, profile.chain) for profile in group),
    )


def _best_name(group: Sequence[Profile], documents: dict[str, Document]) -> str:
    """Return the longest name, or the longest phrase if there are no names."""
    candidates = []
    for profile in group:
        document = documents[profile.document]
        for mention in profile.chain.mentions:
            named = is_name(document, mention)
            span = mention.head if mention.head is not None and named else mention
            candidates.append((named, squeeze(span.of(document.text))))
    return max(candidates, key=lambda pair: (pair[0], len(pair[1])))[1]


LINK_THRESHOLD = 0.75
"""Minimum log-odds of a link, chosen on topics 26 to 30 of ECB+."""
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
    """Return the log-odds that two profiles are the same entity."""
    people = left.type == right.type == "PER"
    names = left.names, right.names
    if (people and _have_different_names(*names)) or _have_different_amounts(*names):
        return NEVER
    return sum(WEIGHTS[name] * value for name, value in features(left, right).items())


def features(left: Profile, right: Profile) -> dict[str, float]:
    """Return the features of a pair of profiles, which are symmetric."""
    both_named = left.names and right.names
    values = _name_features(left, right) if both_named else _noun_features(left, right)
    if left.numbers and right.numbers:
        same = not left.numbers.isdisjoint(right.numbers)
        values["numbers: equal" if same else "numbers: different"] = 1.0
    values["bias"] = 1.0
    modified = _is_modified_by_noun(left, right) or _is_modified_by_noun(right, left)
    values["noun modifies name"] = modified
    values["types: different"] = bool(left.type and right.type) and left.type != right.type
    values["genders: different"] = len(left.genders | right.genders) > 1
    values["same document"] = left.document == right.document
    return values


def _name_features(left: Profile, right: Profile) -> dict[str, float]:
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


def _noun_features(left: Profile, right: Profile) -> dict[str, float]:
    same = not left.heads.isdisjoint(right.heads)
    share_concepts = not left.concepts.isdisjoint(right.concepts)
    disjoint = left.modifiers.isdisjoint(right.modifiers)
    return {
        "nouns: equal": same,
        "nouns: paraphrase": share_concepts and not same,
        "nouns: nothing shared": bool(left.heads and right.heads)
        and not share_concepts
        and not same,
        "nouns: namesakes": log(1 + left.namesakes + right.namesakes) if same else 0.0,
        "nouns: shared modifiers": share(left.modifiers, right.modifiers),
        "nouns: other modifiers": bool(left.modifiers and right.modifiers) and disjoint,
        "nouns: one modified": bool(left.modifiers) != bool(right.modifiers),
        "nouns: unlike number": left.plural != right.plural,
        "nouns: company": cosine(left.context_words, right.context_words),
    }


def share(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the Jaccard similarity of two sets of words."""
    both = len(left & right)
    return both / (len(left) + len(right) - both) if both else 0.0


def cosine(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the cosine similarity of two sets of words."""
    both = len(left & right)
    return both / sqrt(len(left) * len(right)) if both else 0.0


def _have_different_names(left: Sequence[Name], right: Sequence[Name]) -> bool:
    """Return True if the longest names of two people do not match."""
    if not left or not right:
        return False
    return not same_name(max(left, key=len), max(right, key=len), "PER")


def _have_different_amounts(left: Sequence[Name], right: Sequence[Name]) -> bool:
    """Return True if both are amounts and differ: "$160 million" and "$184 million"."""
    first, second = ({name for name in names if name[0][0].isdigit()} for names in (left, right))
    return bool(first and second) and first.isdisjoint(second)


def _is_modified_by_noun(named: Profile, noun: Profile) -> bool:
    """Return True for "Actress Clara Dent" and "the actress"."""
    return bool(named.names) and not noun.names and not named.modifiers.isdisjoint(noun.heads)


Pair = tuple[int, int]
"""Indices of two items, in ascending order."""

MAX_CANDIDATES = 60
"""Maximum number of nearest earlier items with a common key that an item is compared with."""
NEVER = -1000.0
"""Log-odds of a pair that must not be linked."""


def candidates(keys: Sequence[Collection[str]]) -> list[Pair]:
    """Return the pairs of items with a common key, in order; their number grows linearly."""
    holders: dict[str, list[int]] = {}
    pairs: set[Pair] = set()
    for number, thing_keys in enumerate(keys):
        for key in thing_keys:
            before = holders.setdefault(key, [])
            pairs.update((other, number) for other in before[-MAX_CANDIDATES:])
            before.append(number)
    return sorted(pairs)


def clusters(
    count: int, odds: Mapping[Pair, float], least: float = 0.0, allowed: Clusters | None = None
) -> list[list[int]]:
    """Group the items 0 to `count`; groups are ordered by their first members.

    A pair with log-odds of at least `least` joins its two groups, unless the sum of the log-odds
    between them is negative or a rule of `allowed` refuses it.
    """
    groups = _Groups(count, odds, allowed or Clusters())
    likely = [(-score, pair) for pair, score in odds.items() if score >= least]
    for _, (first, second) in sorted(likely):
        groups.join(first, second)
    return groups.all()


class _Groups:
    """Groups under construction, with the sums of the log-odds between them."""

    def __init__(self, count: int, odds: Mapping[Pair, float], allowed: Clusters) -> None:
        self._allowed = allowed
        self._of = list(range(count))
        self._members = [[number] for number in range(count)]
        self._between: list[dict[int, float]] = [{} for _ in range(count)]
        for (first, second), score in odds.items():
            self._between[first][second] = self._between[second][first] = score

    def join(self, first: int, second: int) -> None:
        """Join the groups of two items, unless their log-odds are negative or a rule refuses."""
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
