"""Detection of sets of entities that are worth naming together, which TESA leaves open.

The signs of such a set are an enumeration, mentions in the same role of neighbouring sentences
(parallel mentions), and repeated mentions in the same sentences. A plural that refers to an
enumeration ("they", "the two countries") adds evidence. A plural that counts earlier names ("the
three leaders") is a sign of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from tatian.aggregation.data.records import MAX_ENTITIES, MIN_ENTITIES, TYPE_OF_NAME, fold_phrase
from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, EntitySet, Mention, Span
from tatian.text.lexicon import NUMBER_WORDS, PRONOUNS

TYPES = {**TYPE_OF_NAME, "GPE": "location"}
"""TESA's names for the types of mentions."""
LISTED_WEIGHT = 0.6
COUNTED_WEIGHT = 0.65
REFERRED_WEIGHT = 0.3
PARALLEL_WEIGHT = 0.25
TOGETHER_WEIGHT = 0.2
"""Probability that a set is worth naming, by each sign alone."""
_LISTED_REASON = "listed together"
_REFERRED_REASON, _COUNTED_REASON = "taken up by a plural", "counted by a plural"
"""Reasons that one plural may give at once; then only the second counts."""
_CONJUNCTIONS = frozenset({",", "and", ", and", "or", ", or", "&", "as well as", ", as well as"})
_LAST_CONJUNCTION = re.compile(r"\b(?:and|or|as well as)\b|&")
_PLURAL_REFERENCE = re.compile(
    r"they|them|both|the (?:two|three|four|five|six|\w+ ?\w*s)", re.IGNORECASE
)
_REACH = 2
"""Number of sentences after an enumeration in which a plural can refer to it."""
_ROLE_RELATIONS = frozenset({"nsubj", "nsubj:pass", "obj", "obl", "nmod:poss"})


NO_TYPES: Mapping[str, str] = MappingProxyType({})


class NameableSet(Struct, frozen=True):
    """A set of entities that is worth naming, and the reasons."""

    entities: EntitySet
    score: float
    reasons: tuple[str, ...]
    span: Span
    """Sentences that show it."""


class _NamedMention(Struct, frozen=True):
    """A mention of an entity that has a name and one of TESA's types."""

    mention: Mention
    chain: str
    type: str
    sentence: int


def find_nameable(
    document: Document, least: float = 0.0, types: Mapping[str, str] = NO_TYPES
) -> tuple[NameableSet, ...]:
    """Return the sets of two to six entities of one type that are worth a name, best first.

    Chains and sentences are needed; with words, the roles of mentions count as well. `types` adds
    types of chains, by their ids, that the document does not have.
    """
    all_chains = document.get(CHAINS)
    typed = (replace(chain, type=types.get(chain.id) or _type(chain)) for chain in all_chains)
    chains = {chain.id: chain for chain in typed if chain.type in TYPES and _name(document, chain)}
    mentions = _drop_inner(_mentions(document, chains.values()))
    signs: defaultdict[tuple[str, ...], list[tuple[float, str, Span]]] = defaultdict(list)
    for find in (_enumerations, _counted_plurals, _parallel_mentions, _shared_sentences):
        for members, weight, reason in find(document, mentions):
            order = tuple(sorted({member.chain for member in members}))
            if len(order) == len(members) and MIN_ENTITIES <= len(order) <= MAX_ENTITIES:
                signs[order].append((weight, reason, _span(document, members)))
    ranked = [_nameable_set(document, chains, *signs_of_set) for signs_of_set in signs.items()]
    kept = (candidate for candidate in ranked if candidate.score >= least)
    return tuple(sorted(kept, key=lambda set_: (-set_.score, set_.span, set_.entities.chains)))


def _nameable_set(
    document: Document,
    chains: dict[str, Chain],
    members: tuple[str, ...],
    signs: Sequence[tuple[float, str, Span]],
) -> NameableSet:
    if any(reason == _COUNTED_REASON for _, reason, _ in signs):
        signs = [sign for sign in signs if sign[1] != _REFERRED_REASON]
    doubt = 1.0
    for weight in {reason: weight for weight, reason, _ in signs}.values():
        doubt *= 1 - weight
    ordered = sorted(members, key=lambda chain: min(chains[chain].mentions))
    names = tuple(_name(document, chains[chain]) for chain in ordered)
    return NameableSet(
        entities=EntitySet(tuple(ordered), names, _type(chains[ordered[0]])),
        score=round(1 - doubt, 4),
        reasons=tuple(dict.fromkeys(reason for _, reason, _ in signs)),
        span=signs[0][2],
    )


Sign = tuple[list[_NamedMention], float, str]


def _enumerations(document: Document, mentions: Sequence[_NamedMention]) -> Iterator[Sign]:
    """Find enumerations: names with only commas or conjunctions between them."""
    conjunct_heads = _conjunct_heads(document)
    all_mentions = sorted(mention for chain in document.get(CHAINS) for mention in chain.mentions)
    for members in _runs(document, mentions):
        if conjunct_heads and _is_tail(document, members[0].mention, conjunct_heads):
            continue
        yield members, LISTED_WEIGHT, _LISTED_REASON
        if _is_referred_to(document, members, all_mentions):
            yield members, REFERRED_WEIGHT, _REFERRED_REASON


def _is_tail(document: Document, first: Mention, conjunct_heads: Mapping[int, int]) -> bool:
    """Return whether a list is only the end of a longer coordination."""
    heads = (conjunct_heads.get(token.start) for token in document.tokens_in(first))
    return any(head is not None and not first.start <= head < first.end for head in heads)


def _runs(document: Document, mentions: Sequence[_NamedMention]) -> Iterator[list[_NamedMention]]:
    members: list[_NamedMention] = []
    is_closed = False
    for first, second in pairwise(mentions):
        between = " ".join(document.text[first.mention.end : second.mention.start].lower().split())
        is_last = bool(_LAST_CONJUNCTION.search(between))
        can_continue = first.type == second.type and (is_last or not is_closed)
        if between in _CONJUNCTIONS and can_continue:
            members = [*(members or [first]), second]
            is_closed = is_last
            continue
        if is_closed:
            yield members
        members, is_closed = [], False
    if is_closed:
        yield members


def _conjunct_heads(document: Document) -> dict[int, int]:
    """Map the start of each conjunct in the trees to the start of its head."""
    tokens = document.tokens if document.has(WORDS) else ()
    return {
        tokens[word.token].start: tokens[word.head].start
        for word in (document.get(WORDS) if tokens else ())
        if word.relation == "conj" and word.head >= 0
    }


def _is_referred_to(
    document: Document, members: Sequence[_NamedMention], mentions: Sequence[Mention]
) -> bool:
    """Return whether a plural soon after the list refers to it; `mentions` are in order."""
    following = document.sentences[members[-1].sentence : members[-1].sentence + 1 + _REACH]
    begin = bisect_left(mentions, members[-1].mention.end, key=lambda mention: mention.start)
    end = bisect_left(mentions, following[-1].end, key=lambda mention: mention.start)
    phrases = (mention.of(document.text) for mention in mentions[begin:end])
    return any(_can_refer(phrase, len(members)) for phrase in phrases)


def _can_refer(phrase: str, count: int) -> bool:
    """Return whether a plural can refer to a list of this size."""
    numbers = (NUMBER_WORDS[word] for word in phrase.lower().split() if word in NUMBER_WORDS)
    return bool(_PLURAL_REFERENCE.fullmatch(phrase)) and next(numbers, count) == count


def _counted_plurals(document: Document, mentions: Sequence[_NamedMention]) -> Iterator[Sign]:
    """Find plurals that count earlier names: ``A met B and C. The three leaders ...``."""
    from tatian.aggregation.mining.antecedents import link_plurals

    if not (document.has(WORDS) and document.has(NAMES)):
        return
    by_place = {(mention.mention.start, mention.mention.end): mention for mention in mentions}
    for plural in link_plurals(document):
        named = [
            by_place.get((antecedent.mention.start, antecedent.mention.end))
            for antecedent in plural.antecedents
        ]
        members = [name for name in named if name is not None]
        if plural.counted and len(members) == len(named):
            yield members, COUNTED_WEIGHT, _COUNTED_REASON


def _parallel_mentions(document: Document, mentions: Sequence[_NamedMention]) -> Iterator[Sign]:
    """Find mentions in the same role of neighbouring sentences: ``A said ... B said ...``."""
    roles = _roles(document)
    by_role: defaultdict[tuple[str, str], dict[int, _NamedMention]] = defaultdict(dict)
    for mention in mentions:
        head = mention.mention.head or mention.mention
        role = roles.get(head.end, "") if roles else _initial_role(document, mention)
        if role and head.of(document.text).lower() not in PRONOUNS:
            by_role[mention.type, role].setdefault(mention.sentence, mention)
    for (_, role), by_place in by_role.items():
        members: list[_NamedMention] = []
        for number in sorted(by_place):
            if members and number != members[-1].sentence + 1:
                yield members, PARALLEL_WEIGHT, f"parallel mentions ({role})"
                members = []
            members.append(by_place[number])
        yield members, PARALLEL_WEIGHT, f"parallel mentions ({role})"


def _shared_sentences(document: Document, mentions: Sequence[_NamedMention]) -> Iterator[Sign]:
    """Find pairs of entities that are mentioned together in at least two sentences."""
    by_sentence: defaultdict[int, dict[str, _NamedMention]] = defaultdict(dict)
    for mention in mentions:
        by_sentence[mention.sentence].setdefault(mention.chain, mention)
    pairs_of_chains: defaultdict[tuple[str, str], list[tuple[_NamedMention, _NamedMention]]] = (
        defaultdict(list)
    )
    for in_sentence in by_sentence.values():
        for former, other in combinations(in_sentence.values(), 2):
            if former.type == other.type:
                first, second = sorted((former, other), key=lambda named: named.chain)
                pairs_of_chains[first.chain, second.chain].append((first, second))
    for pairs in pairs_of_chains.values():
        if len(pairs) > 1:
            weight = min(2 * TOGETHER_WEIGHT, TOGETHER_WEIGHT * (len(pairs) - 1))
            yield list(pairs[0]), weight, "shared sentences"


def _mentions(document: Document, chains: Iterable[Chain]) -> Iterator[_NamedMention]:
    """Yield the mentions of chains; chains with the same name and type count as the first one."""
    starts = [sentence.start for sentence in document.sentences]
    first_chains: dict[tuple[str, str], str] = {}
    for chain in chains:
        id = first_chains.setdefault((_type(chain), fold_phrase(_name(document, chain))), chain.id)
        for mention in chain.mentions:
            sentence = max(0, bisect_right(starts, mention.start) - 1)
            yield _NamedMention(mention, id, _type(chain), sentence)


def _drop_inner(mentions: Iterable[_NamedMention]) -> list[_NamedMention]:
    """Return the mentions in the order of the text, without names inside longer names."""
    kept: list[_NamedMention] = []
    for mention in sorted(mentions, key=lambda named: (named.mention.start, -named.mention.end)):
        if not kept or mention.mention.start >= kept[-1].mention.end:
            kept.append(mention)
    return kept


def _roles(document: Document) -> dict[int, str]:
    """Map the end of each word to its grammatical relation; empty without trees."""
    if not document.has(WORDS):
        return {}
    tokens = document.tokens
    roles = {}
    for word in document.get(WORDS):
        relation, above = word.relation, word
        if relation in {"flat", "compound"} and word.head >= 0:
            above = document.get(WORDS)[word.head]
            relation = above.relation
        if relation in _ROLE_RELATIONS:
            roles[tokens[word.token].end] = relation
    return roles


def _initial_role(document: Document, mention: _NamedMention) -> str:
    """Return "first" for a mention that begins its sentence, as a substitute for the subject."""
    sentence = document.sentences[mention.sentence]
    return "first" if mention.mention.start == sentence.start else ""


def _type(chain: Chain) -> str:
    return chain.type or next((mention.type for mention in chain.mentions if mention.type), "")


def _name(document: Document, chain: Chain) -> str:
    """Return the longest name among its mentions; empty if it has none."""
    mentions = chain.mentions
    typed = [mention for mention in mentions if mention.type in TYPES or mention.head is not None]
    first_chains = (
        " ".join((mention.head or mention).of(document.text).split())
        for mention in typed or [mention for mention in chain.mentions if mention.type]
    )
    named = [name for name in first_chains if name[:1].isupper() and name.lower() not in PRONOUNS]
    return max(named, key=len, default="")


def _span(document: Document, members: Sequence[_NamedMention]) -> Span:
    first = document.sentences[min(member.sentence for member in members)]
    last = document.sentences[max(member.sentence for member in members)]
    return Span(first.start, last.end)
