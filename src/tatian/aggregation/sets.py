"""Which entities of a text are worth naming together: the question that TESA leaves open.

Three signs, each of which alone can be chance: the text lists them (an enumeration), it puts them
into the same place of neighbouring sentences (parallel mentions), or it speaks of them together
again and again (shared sentences). A plural that takes an enumeration up again ("they", "the two
countries") makes it surer; one that counts what was named before ("the three leaders") is a sign of
its own.
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

from tatian.aggregation.data.records import FEWEST, MOST, same
from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, EntitySet, Mention, Span
from tatian.text.lexicon import NUMBER_WORDS, PRONOUNS

TYPES = {"PER": "person", "LOC": "location", "ORG": "organization", "GPE": "location"}
"""TESA's names for the types of mentions."""
LISTED = 0.6
COUNTED = 0.65
TAKEN_UP = 0.3
PARALLEL = 0.25
TOGETHER = 0.2
"""How far each sign by itself tells that a set is worth naming."""
_LISTED = "listed together"
_TAKEN_UP, _COUNTED = "taken up by a plural", "counted by a plural"
"""The same plural may be both; then it counts once, as the surer sign."""
_JOINTS = frozenset({",", "and", ", and", "or", ", or", "&", "as well as", ", as well as"})
_LAST = re.compile(r"\b(?:and|or|as well as)\b|&")
_AGAIN = re.compile(r"they|them|both|the (?:two|three|four|five|six|\w+ ?\w*s)", re.IGNORECASE)
_REACH = 2
"""In how many sentences after an enumeration a plural takes it up."""
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "obj", "obl", "nmod:poss"})


NO_TYPES: Mapping[str, str] = MappingProxyType({})


class WorthNaming(Struct, frozen=True):
    """A set that a text speaks of together, and what says so."""

    entities: EntitySet
    score: float
    reasons: tuple[str, ...]
    span: Span
    """The sentences that show it."""


class _Named(Struct, frozen=True):
    """A mention of something that has a name and one of TESA's types."""

    mention: Mention
    chain: str
    type: str
    sentence: int


def worth_naming(
    document: Document, least: float = 0.0, types: Mapping[str, str] = NO_TYPES
) -> tuple[WorthNaming, ...]:
    """The sets of two to six things of one type that are worth a name, best first.

    Reads the chains and sentences; with words, the roles of mentions as well. `types` are those of
    chains, by their ids, where more is known of them than the document says.
    """
    chains = _named_chains(document, types)
    mentions = _outermost(_mentions(document, chains.values()))
    signs: defaultdict[tuple[str, ...], list[tuple[float, str, Span]]] = defaultdict(list)
    for found in (_listed, _counted, _parallel, _together):
        for members, weight, reason in found(document, mentions):
            order = tuple(sorted({one.chain for one in members}))
            if len(order) == len(members) and FEWEST <= len(order) <= MOST:
                signs[order].append((weight, reason, _span(document, members)))
    ranked = [_worth(document, chains, members, found) for members, found in signs.items()]
    kept = (one for one in ranked if one.score >= least)
    return tuple(sorted(kept, key=lambda one: (-one.score, one.span, one.entities.chains)))


def _worth(
    document: Document,
    chains: dict[str, Chain],
    members: tuple[str, ...],
    found: Sequence[tuple[float, str, Span]],
) -> WorthNaming:
    if any(reason == _COUNTED for _, reason, _ in found):
        found = [one for one in found if one[1] != _TAKEN_UP]
    doubt = 1.0
    for weight in {reason: weight for weight, reason, _ in found}.values():
        doubt *= 1 - weight
    ordered = sorted(members, key=lambda chain: min(chains[chain].mentions))
    names = tuple(_name(document, chains[chain]) for chain in ordered)
    return WorthNaming(
        entities=EntitySet(tuple(ordered), names, _type(chains[ordered[0]])),
        score=round(1 - doubt, 4),
        reasons=tuple(dict.fromkeys(reason for _, reason, _ in found)),
        span=found[0][2],
    )


Sign = tuple[list[_Named], float, str]


def _listed(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """``A, B and C``: what stands between them is a comma or a conjunction."""
    joined = _joined(document)
    later = sorted(mention for chain in document.get(CHAINS) for mention in chain.mentions)
    for run in _runs(document, mentions):
        if joined and _is_tail(document, run[0].mention, joined):
            continue
        yield run, LISTED, _LISTED
        if _is_taken_up(document, run, later):
            yield run, TAKEN_UP, _TAKEN_UP


def _is_tail(document: Document, first: Mention, joined: Mapping[int, int]) -> bool:
    """Whether a list is the end of a longer one, of which something has no name or another type."""
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
    """Where words stand that the tree joins to one before them, each with where that stands."""
    tokens = document.tokens if document.has(WORDS) else ()
    return {
        tokens[word.token].start: tokens[word.head].start
        for word in (document.get(WORDS) if tokens else ())
        if word.relation == "conj" and word.head >= 0
    }


def _is_taken_up(document: Document, run: Sequence[_Named], mentions: Sequence[Mention]) -> bool:
    """Whether a plural soon after the list means it; the mentions are all there are, in order."""
    following = document.sentences[run[-1].sentence : run[-1].sentence + 1 + _REACH]
    begin = bisect_left(mentions, run[-1].mention.end, key=lambda one: one.start)
    end = bisect_left(mentions, following[-1].end, key=lambda one: one.start)
    return any(_takes_up(one.of(document.text), len(run)) for one in mentions[begin:end])


def _takes_up(phrase: str, count: int) -> bool:
    """Whether a plural may mean a list of so many."""
    said = (NUMBER_WORDS[word] for word in phrase.lower().split() if word in NUMBER_WORDS)
    return bool(_AGAIN.fullmatch(phrase)) and next(said, count) == count


def _counted(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """``A met B and C. The three leaders ...``, in documents that were analysed."""
    from tatian.aggregation.mining.antecedents import link_plurals

    if not (document.has(WORDS) and document.has(NAMES)):
        return
    placed = {(one.mention.start, one.mention.end): one for one in mentions}
    for plural in link_plurals(document):
        found = [placed.get((one.mention.start, one.mention.end)) for one in plural.antecedents]
        members = [one for one in found if one is not None]
        if plural.counted and len(members) == len(found):
            yield members, COUNTED, _COUNTED


def _parallel(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """The same role in neighbouring sentences: ``A said ... B said ...``."""
    roles = _roles(document)
    by_role: defaultdict[tuple[str, str], dict[int, _Named]] = defaultdict(dict)
    for one in mentions:
        head = one.mention.head or one.mention
        role = roles.get(head.end, "") if roles else _opens(document, one)
        if role and head.of(document.text).lower() not in PRONOUNS:
            by_role[one.type, role].setdefault(one.sentence, one)
    for (_, role), placed in by_role.items():
        run: list[_Named] = []
        for number in sorted(placed):
            if run and number != run[-1].sentence + 1:
                yield run, PARALLEL, f"parallel mentions ({role})"
                run = []
            run.append(placed[number])
        yield run, PARALLEL, f"parallel mentions ({role})"


def _together(document: Document, mentions: Sequence[_Named]) -> Iterator[Sign]:
    """Two things that at least two sentences mention both."""
    by_sentence: defaultdict[int, dict[str, _Named]] = defaultdict(dict)
    for one in mentions:
        by_sentence[one.sentence].setdefault(one.chain, one)
    met: defaultdict[tuple[str, str], list[tuple[_Named, _Named]]] = defaultdict(list)
    for found in by_sentence.values():
        for one, other in combinations(found.values(), 2):
            if one.type == other.type:
                first, second = sorted((one, other), key=lambda named: named.chain)
                met[first.chain, second.chain].append((first, second))
    for pairs in met.values():
        if len(pairs) > 1:
            yield list(pairs[0]), min(2 * TOGETHER, TOGETHER * (len(pairs) - 1)), "shared sentences"


def _mentions(document: Document, chains: Iterable[Chain]) -> Iterator[_Named]:
    """Chains that have the same name and type count as one, the first of them."""
    starts = [sentence.start for sentence in document.sentences]
    called: dict[tuple[str, str], str] = {}
    for chain in chains:
        id = called.setdefault((_type(chain), same(_name(document, chain))), chain.id)
        for mention in chain.mentions:
            sentence = max(0, bisect_right(starts, mention.start) - 1)
            yield _Named(mention, id, _type(chain), sentence)


def _outermost(mentions: Iterable[_Named]) -> list[_Named]:
    """In the order of the text, without names inside longer names."""
    found: list[_Named] = []
    for one in sorted(mentions, key=lambda one: (one.mention.start, -one.mention.end)):
        if not found or one.mention.start >= found[-1].mention.end:
            found.append(one)
    return found


def _roles(document: Document) -> dict[int, str]:
    """What the word that ends at a place is to its head, where the document was analysed."""
    if not document.has(WORDS):
        return {}
    tokens = document.tokens
    found = {}
    for word in document.get(WORDS):
        relation, above = word.relation, word
        if relation in {"flat", "compound"} and word.head >= 0:
            above = document.get(WORDS)[word.head]
            relation = above.relation
        if relation in _SUBJECTS:
            found[tokens[word.token].end] = relation
    return found


def _opens(document: Document, one: _Named) -> str:
    """Without trees, what a sentence begins with is taken for its subject."""
    sentence = document.sentences[one.sentence]
    return "first" if one.mention.start == sentence.start else ""


def _named_chains(document: Document, types: Mapping[str, str]) -> dict[str, Chain]:
    """The chains of things that have a name and a type, each with its type."""
    typed = (
        replace(chain, type=types.get(chain.id) or _type(chain)) for chain in document.get(CHAINS)
    )
    return {chain.id: chain for chain in typed if chain.type in TYPES and _name(document, chain)}


def _type(chain: Chain) -> str:
    return chain.type or next((one.type for one in chain.mentions if one.type), "")


def _name(document: Document, chain: Chain) -> str:
    """The longest name among its mentions; empty if it has none."""
    typed = [one for one in chain.mentions if one.type in TYPES or one.head is not None]
    called = (
        " ".join((one.head or one).of(document.text).split())
        for one in typed or [one for one in chain.mentions if one.type]
    )
    named = [name for name in called if name[:1].isupper() and name.lower() not in PRONOUNS]
    return max(named, key=len, default="")


def _span(document: Document, members: Sequence[_Named]) -> Span:
    first = document.sentences[min(one.sentence for one in members)]
    last = document.sentences[max(one.sentence for one in members)]
    return Span(first.start, last.end)
