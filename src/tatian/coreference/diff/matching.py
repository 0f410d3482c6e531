"""Which mention of a response answers to which mention of a key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import cast

from tatian.coreference.diff.result import SideMention
from tatian.coreference.metrics.documents import place_of
from tatian.coreference.metrics.matching import Match, MentionPlace, match
from tatian.text import TOKENS, WORDS, Document, Mention, Span, Token, Word, tokenize
from tatian.text.lexicon import CLITICS, PREPOSITIONS, QUESTION_WORDS
from tatian.text.spans import within

Pair = tuple[int, int]
Pairs = tuple[Pair, ...]
"""Indices of key and response mentions, each at most once."""


def match_mentions(
    key: Sequence[SideMention], response: Sequence[SideMention], text: str, mode: Match
) -> Pairs:
    """Mentions that match as in scoring: exactly, or else by `mode`."""
    found = exact_pairs(key, response)
    if mode == "exact":
        return found
    taken, taken_too = ({pair[side] for pair in found} for side in (0, 1))
    wanted = [_place(one, text, index) for index, one in enumerate(key) if index not in taken]
    given = [
        _place(one, text, -1 - index)
        for index, one in enumerate(response)
        if index not in taken_too
    ]
    others = match(wanted, given, mode)
    inexact = [(cast(int, one), -1 - cast(int, other)) for other, one in others.items()]
    return tuple(sorted([*found, *inexact]))


def _place(marked: SideMention, text: str, identity: int) -> MentionPlace:
    """A mention as the scorer's matching knows it, under a number that only one side has."""
    return place_of(marked.mention, text)._replace(identity=identity)


def exact_pairs(key: Sequence[SideMention], response: Sequence[SideMention]) -> Pairs:
    """Mentions of the same characters.

    Where a phrase is marked more than once, the copies whose chains are most alike belong
    together, so that the order of chains never matters.
    """
    ours, theirs = _by_place(key), _by_place(response)
    alike = _alike(key, response)
    found: list[Pair] = []
    for place, one in ours.items():
        other = theirs.get(place, [])
        if len(one) == len(other) == 1:
            found.append((one[0], other[0]))
        else:
            found += _best([(a, b) for a in one for b in other], alike)
    return tuple(sorted(found))


def _alike(key: Sequence[SideMention], response: Sequence[SideMention]) -> Callable[[Pair], float]:
    """What tells how alike the chains of two mentions are: 1 where they mark the same places."""
    places = cache(lambda: (_places_of_chains(key), _places_of_chains(response)))

    def alike(pair: Pair) -> float:
        ours, theirs = places()
        one, other = ours[key[pair[0]].chain], theirs[response[pair[1]].chain]
        return (one & other).total() / max(one.total(), other.total())

    return alike


def shifted_pairs(
    key: Sequence[SideMention], response: Sequence[SideMention], found: Pairs, heads: Heads
) -> Pairs:
    """Of the mentions that have no partner yet, those of one head with different boundaries."""
    taken_key, taken = ({pair[side] for pair in found} for side in (0, 1))
    by_head: dict[int, list[int]] = defaultdict(list)
    for index, one in enumerate(response):
        if index not in taken:
            by_head[heads.of(one.mention).end].append(index)
    candidates = [
        (index, other)
        for index, one in enumerate(key)
        if index not in taken_key
        for other in by_head[heads.of(one.mention).end]
        if _shared(one.pieces, response[other].pieces)
    ]
    return tuple(sorted(_best(candidates, lambda pair: _likeness(key[pair[0]], response[pair[1]]))))


def _by_place(mentions: Sequence[SideMention]) -> dict[tuple[Span, ...], list[int]]:
    places: dict[tuple[Span, ...], list[int]] = defaultdict(list)
    for index, one in enumerate(mentions):
        places[one.pieces].append(index)
    return places


def _places_of_chains(mentions: Sequence[SideMention]) -> dict[int, Counter[tuple[Span, ...]]]:
    places: dict[int, Counter[tuple[Span, ...]]] = defaultdict(Counter)
    for one in mentions:
        places[one.chain][one.pieces] += 1
    return places


def _best(candidates: Iterable[Pair], worth: Callable[[Pair], float]) -> list[Pair]:
    """Pairs one to one, the worthiest first; among equals, in the order of the text."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    for one, other in sorted(candidates, key=lambda pair: (-worth(pair), pair)):
        if one not in found and other not in taken:
            found[one] = other
            taken.add(other)
    return list(found.items())


def _shared(ours: Iterable[Span], theirs: Sequence[Span]) -> int:
    return sum(
        max(0, min(one.end, other.end) - max(one.start, other.start))
        for one in ours
        for other in theirs
    )


def _likeness(one: SideMention, other: SideMention) -> float:
    shared = _shared(one.pieces, other.pieces)
    return shared / (sum(map(len, one.pieces)) + sum(map(len, other.pieces)) - shared)


_AFTER_THE_HEAD = PREPOSITIONS | QUESTION_WORDS | {"that", ",", ";", ":", "(", "-", "–", "—"}


class Heads:
    """Finds the heads of the phrases of one document: by its trees, or else by word order."""

    def __init__(self, document: Document) -> None:
        self._tokens = document.tokens if document.has(TOKENS) else tuple(tokenize(document.text))
        tagged = document.get(WORDS) if document.has(WORDS) and document.has(TOKENS) else ()
        self._words: dict[int, Word] = {self._tokens[word.token].start: word for word in tagged}

    def of(self, mention: Mention) -> Span:
        """The minimal string: as marked, or else the token that the others depend on."""
        if mention.head is not None:
            return mention.head
        pieces = mention.parts or (mention,)
        tokens = [token for piece in pieces for token in within(self._tokens, piece)]
        if not tokens:
            return mention
        return self._by_tree(tokens) or _by_order(tokens)

    def _by_tree(self, tokens: list[Token]) -> Token | None:
        places = {token.start for token in tokens}
        for token in tokens:
            word = self._words.get(token.start)
            if word is not None and word.tag != "PUNCT":
                above = self._tokens[word.head].start if word.head >= 0 else -1
                if above not in places:
                    return token
        return None


def _by_order(tokens: list[Token]) -> Token:
    """The last word before anything that follows a head in English."""
    core = tokens[:1]
    for token in tokens[1:]:
        if token.text.lower() in _AFTER_THE_HEAD:
            break
        core.append(token)
    while len(core) > 1 and not _can_be_head(core[-1].text):
        core.pop()
    return core[-1]


def _can_be_head(word: str) -> bool:
    return word[0].isalnum() and word.lower() not in CLITICS
