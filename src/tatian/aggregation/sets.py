"""Sets of entities in a text that are worth naming together, a question that TESA leaves open.

Three signs suggest such a set; each alone may be chance. The text lists the entities (an
enumeration), mentions them in the same role of neighbouring sentences (parallel mentions), or
mentions them together repeatedly (shared sentences). A plural that refers back to an enumeration
("they", "the two countries") makes it surer. One that counts what was named before ("the three
leaders") is a sign of its own.
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

from tatian.aggregation.data.records import FEWEST, MOST, fold_phrase
from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, EntitySet, Mention, Span
from tatian.text.lexicon import NUMBER_WORDS, PRONOUNS

TYPES = {"PER": "person", "LOC": "location", "ORG": "organization", "GPE": "location"}
"""TESA's names for the types of mentions."""
LISTED = 0.6
COUNTED = 0.65
TAKEN_UP = 0.3
PARALLEL = 0.25
TOGETHER = 0.2
"""Probability, by each sign alone, that a set is worth naming."""
_LISTED = "listed together"
_TAKEN_UP, _COUNTED = "taken up by a plural", "counted by a plural"
"""One plural may give both reasons; then it counts once, as the surer sign."""
_JOINTS = frozenset({",", "and", ", and", "or", ", or", "&", "as well as", ", as well as"})
_LAST = re.compile(r"\b(?:and|or|as well as)\b|&")
_AGAIN = re.compile(r"they|them|both|the (?:two|three|four|five|six|\w+ ?\w*s)", re.IGNORECASE)
_REACH = 2
"""Number of sentences after an enumeration in which a plural may refer to it."""
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "obj", "obl", "nmod:poss"})


NO_TYPES: Mapping[str, str] = MappingProxyType({})


class NameableSet(Struct, frozen=True):
    """A set that a text mentions together, and the reasons."""

    entities: EntitySet
    score: float
    reasons: tuple[str, ...]
    span: Span
    """Sentences that show it."""


class _Named(Struct, frozen=True):
    """A mention of an entity that has a name and one of TESA's types."""

    mention: Mention
    chain: str
    type: str
    sentence: int


def find_nameable(
    document: Document, least: float = 0.0, types: Mapping[str, str] = NO_TYPES
) -> tuple[NameableSet, ...]:
    """Return the sets of two to six entities of one type that are worth a name, best first.

    Chains and sentences are needed; with words, the roles of mentions count as well. `types` are
    the types of chains, by their ids, where more is known than the document says.
    """
    chains = _named_chains(document, types)
    mentions = _outermost(_mentions(document, chains.values()))
    signs: defaultdict[tuple[str, ...], list[tuple[float, str, Span]]] = defaultdict(list)
    for find in (_listed, _counted, _parallel, _together):
        for members, weight, reason in find(document, mentions):
            order = tuple(sorted({member.chain for member in members}))
            if len(order) == len(members) and FEWEST <= len(order) <= MOST:
                signs[order].append((weight, reason, _span(document, members)))
    ranked = [_worth(document, chains, members, of_set) for members, of_set in signs.items()]
    kept = (candidate for candidate in ranked if candidate.score >= least)
    return tuple(
        sorted(
            kept,
            key=lambda candidate: (-candidate.score, candidate.span, candidate.entities.chains),
        )
    )


def _worth(
    document: Document,
    chains: dict[str, Chain],
    members: tuple[str, ...],
    signs: Sequence[tuple[float, str, Span]],
) -> NameableSet:
    if any(reason == _COUNTED for _, reason, _ in signs):
        signs = [sign for sign in signs if sign[1] != _TAKEN_UP]
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


Sign = tuple[list[_Named], float, str]


def _listed(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """Find ``A, B and C``: names with only commas or conjunctions between them."""
    joined = _joined(document)
    later = sorted(mention for chain in document.get(CHAINS) for mention in chain.mentions)
    for run in _runs(document, mentions):
        if joined and _is_tail(document, run[0].mention, joined):
            continue
        yield run, LISTED, _LISTED
        if _is_taken_up(document, run, later):
            yield run, TAKEN_UP, _TAKEN_UP


def _is_tail(document: Document, first: Mention, joined: Mapping[int, int]) -> bool:
    """Return whether a list is the tail of a longer one with an unnamed or other member."""
    heads = (joined.get(token.start) for token in document.tokens_in(first))
    return any(head is not None and not first.start <= head < first.end for head in heads)


def _runs(document: Document, mentions: Sequence[_Named]) -> Iterator[list[_Named]]:
    run: list[_Named] = []
    closed = False
    for first, second in pairwise(mentions):
        between = " ".join(document.text[first.mention.end : second.mention.start].lower().split())
        ending = bool(_LAST.search(between))
        linked = between in _JOINTS and first.type == second.type and (ending or not closed)
        if linked:
            run = [*(run or [first]), second]
            closed = ending
            continue
        if closed:
            yield run
        run, closed = [], False
    if closed:
        yield run


def _joined(document: Document) -> dict[int, int]:
    """Return the start of each conjunct in the trees, with the start of its head."""
    tokens = document.tokens if document.has(WORDS) else ()
    return {
        tokens[word.token].start: tokens[word.head].start
        for word in (document.get(WORDS) if tokens else ())
        if word.relation == "conj" and word.head >= 0
    }


def _is_taken_up(document: Document, run: Sequence[_Named], mentions: Sequence[Mention]) -> bool:
    """Return whether a plural soon after the list refers to it; `mentions` are all, in order."""
    following = document.sentences[run[-1].sentence : run[-1].sentence + 1 + _REACH]
    begin = bisect_left(mentions, run[-1].mention.end, key=lambda mention: mention.start)
    end = bisect_left(mentions, following[-1].end, key=lambda mention: mention.start)
    return any(_takes_up(mention.of(document.text), len(run)) for mention in mentions[begin:end])


def _takes_up(phrase: str, count: int) -> bool:
    """Return whether a plural may refer to a list of this size."""
    numbers = (NUMBER_WORDS[word] for word in phrase.lower().split() if word in NUMBER_WORDS)
    return bool(_AGAIN.fullmatch(phrase)) and next(numbers, count) == count


def _counted(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """Find ``A met B and C. The three leaders ...``, in analysed documents."""
    from tatian.aggregation.mining.antecedents import link_plurals

    if not (document.has(WORDS) and document.has(NAMES)):
        return
    placed = {(mention.mention.start, mention.mention.end): mention for mention in mentions}
    for plural in link_plurals(document):
        named = [
            placed.get((antecedent.mention.start, antecedent.mention.end))
            for antecedent in plural.antecedents
        ]
        members = [name for name in named if name is not None]
        if plural.counted and len(members) == len(named):
            yield members, COUNTED, _COUNTED


def _parallel(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """Find the same role in neighbouring sentences: ``A said ... B said ...``."""
    roles = _roles(document)
    by_role: defaultdict[tuple[str, str], dict[int, _Named]] = defaultdict(dict)
    for mention in mentions:
        head = mention.mention.head or mention.mention
        role = roles.get(head.end, "") if roles else _opens(document, mention)
        if role and head.of(document.text).lower() not in PRONOUNS:
            by_role[mention.type, role].setdefault(mention.sentence, mention)
    for (_, role), placed in by_role.items():
        run: list[_Named] = []
        for number in sorted(placed):
            if run and number != run[-1].sentence + 1:
                yield run, PARALLEL, f"parallel mentions ({role})"
                run = []
            run.append(placed[number])
        yield run, PARALLEL, f"parallel mentions ({role})"


def _together(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """Find two entities that at least two sentences both mention."""
    by_sentence: defaultdict[int, dict[str, _Named]] = defaultdict(dict)
    for mention in mentions:
        by_sentence[mention.sentence].setdefault(mention.chain, mention)
    met: defaultdict[tuple[str, str], list[tuple[_Named, _Named]]] = defaultdict(list)
    for in_sentence in by_sentence.values():
        for former, other in combinations(in_sentence.values(), 2):
            if former.type == other.type:
                first, second = sorted((former, other), key=lambda named: named.chain)
                met[first.chain, second.chain].append((first, second))
    for pairs in met.values():
        if len(pairs) > 1:
            yield list(pairs[0]), min(2 * TOGETHER, TOGETHER * (len(pairs) - 1)), "shared sentences"


def _mentions(document: Document, chains: Iterable[Chain]) -> Iterator[_Named]:
    """Yield the mentions of chains; chains with the same name and type count as the first one."""
    starts = [sentence.start for sentence in document.sentences]
    called: dict[tuple[str, str], str] = {}
    for chain in chains:
        id = called.setdefault((_type(chain), fold_phrase(_name(document, chain))), chain.id)
        for mention in chain.mentions:
            sentence = max(0, bisect_right(starts, mention.start) - 1)
            yield _Named(mention, id, _type(chain), sentence)


def _outermost(mentions: Iterable[_Named]) -> list[_Named]:
    """Return the mentions in the order of the text, without names inside longer names."""
    kept: list[_Named] = []
    for mention in sorted(
        mentions, key=lambda mention: (mention.mention.start, -mention.mention.end)
    ):
        if not kept or mention.mention.start >= kept[-1].mention.end:
            kept.append(mention)
    return kept


def _roles(document: Document) -> dict[int, str]:
    """Return the grammatical relation of the word that ends at each offset, if analysed."""
    if not document.has(WORDS):
        return {}
    tokens = document.tokens
    roles = {}
    for word in document.get(WORDS):
        relation, above = word.relation, word
        if relation in {"flat", "compound"} and word.head >= 0:
            above = document.get(WORDS)[word.head]
            relation = above.relation
        if relation in _SUBJECTS:
            roles[tokens[word.token].end] = relation
    return roles


def _opens(document: Document, mention: _Named) -> str:
    """Return "first" for a mention that begins its sentence, and so counts as its subject."""
    sentence = document.sentences[mention.sentence]
    return "first" if mention.mention.start == sentence.start else ""


def _named_chains(document: Document, types: Mapping[str, str]) -> dict[str, Chain]:
    """Return the chains of entities that have a name and a type, each with its type."""
    typed = (
        replace(chain, type=types.get(chain.id) or _type(chain)) for chain in document.get(CHAINS)
    )
    return {chain.id: chain for chain in typed if chain.type in TYPES and _name(document, chain)}


def _type(chain: Chain) -> str:
    return chain.type or next((mention.type for mention in chain.mentions if mention.type), "")


def _name(document: Document, chain: Chain) -> str:
    """Return the longest name among its mentions; empty if it has none."""
    typed = [
        mention for mention in chain.mentions if mention.type in TYPES or mention.head is not None
    ]
    called = (
        " ".join((mention.head or mention).of(document.text).split())
        for mention in typed or [mention for mention in chain.mentions if mention.type]
    )
    named = [name for name in called if name[:1].isupper() and name.lower() not in PRONOUNS]
    return max(named, key=len, default="")


def _span(document: Document, members: Sequence[_Named]) -> Span:
    first = document.sentences[min(member.sentence for member in members)]
    last = document.sentences[max(member.sentence for member in members)]
    return Span(first.start, last.end)
