"""Matching of a response's mentions with those of a key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from tatian.coreference.diff.result import SideMention
from tatian.coreference.metrics.documents import Match, match, place_of
from tatian.grouping import grouped
from tatian.text import TOKENS, WORDS, Document, Mention, Span, Token, Word, tokenize
from tatian.text.lexicon import CLITICS, PREPOSITIONS, QUESTION_WORDS
from tatian.text.spans import within

Pair = tuple[int, int]
Pairs = tuple[Pair, ...]
"""Indices of key and response mentions, each at most once."""


def match_mentions(
    key: Sequence[SideMention], response: Sequence[SideMention], text: str, mode: Match
) -> Pairs:
    """Return mentions that match as in scoring: exactly, or else by `mode`."""
    exact = exact_pairs(key, response)
    if mode == "exact":
        return exact
    taken_keys, taken_responses = ({pair[side] for pair in exact} for side in (0, 1))
    key_places = [
        place_of(side_mention.mention, text)._replace(identity=("key", index))
        for index, side_mention in enumerate(key)
        if index not in taken_keys
    ]
    response_places = [
        place_of(side_mention.mention, text)._replace(identity=("response", index))
        for index, side_mention in enumerate(response)
        if index not in taken_responses
    ]
    matched: Any = match(key_places, response_places, mode)
    inexact = [(key_id[1], response_id[1]) for response_id, key_id in matched.items()]
    return tuple(sorted([*exact, *inexact]))


def exact_pairs(key: Sequence[SideMention], response: Sequence[SideMention]) -> Pairs:
    """Return pairs of mentions with equal extents.

    If a phrase is marked more than once, copies with the most similar chains are paired. So the
    order of chains never matters.
    """
    key_places, response_places = _by_place(key), _by_place(response)
    similarity = _chain_similarity(key, response)
    pairs: list[Pair] = []
    for place, keys in key_places.items():
        responses = response_places.get(place, [])
        if len(keys) == len(responses) == 1:
            pairs.append((keys[0], responses[0]))
        else:
            pairs += _greedy_matching([(a, b) for a in keys for b in responses], similarity)
    return tuple(sorted(pairs))


def _chain_similarity(
    key: Sequence[SideMention], response: Sequence[SideMention]
) -> Callable[[Pair], float]:
    """Return a function for the similarity of two mentions' chains, from 0 to 1."""
    places = cache(lambda: (_places_of_chains(key), _places_of_chains(response)))

    def similarity(pair: Pair) -> float:
        key_places, response_places = places()
        keys, answer = key_places[key[pair[0]].chain], response_places[response[pair[1]].chain]
        return (keys & answer).total() / max(keys.total(), answer.total())

    return similarity


def shifted_pairs(
    key: Sequence[SideMention], response: Sequence[SideMention], pairs: Pairs, heads: Heads
) -> Pairs:
    """Return pairs of unmatched mentions with equal heads and different boundaries."""
    taken_keys, taken_responses = ({pair[side] for pair in pairs} for side in (0, 1))
    by_head = grouped(
        (heads.of(mention.mention).end, index)
        for index, mention in enumerate(response)
        if index not in taken_responses
    )
    candidates = [
        (index, response_index)
        for index, mention in enumerate(key)
        if index not in taken_keys
        for response_index in by_head.get(heads.of(mention.mention).end, ())
        if _shared_length(mention.pieces, response[response_index].pieces)
    ]

    def overlap_share(pair: Pair) -> float:
        first, second = key[pair[0]].pieces, response[pair[1]].pieces
        shared = _shared_length(first, second)
        return shared / (sum(map(len, first)) + sum(map(len, second)) - shared)

    return tuple(sorted(_greedy_matching(candidates, overlap_share)))


def _by_place(mentions: Sequence[SideMention]) -> dict[tuple[Span, ...], list[int]]:
    return grouped((mention.pieces, index) for index, mention in enumerate(mentions))


def _places_of_chains(mentions: Sequence[SideMention]) -> dict[int, Counter[tuple[Span, ...]]]:
    places: dict[int, Counter[tuple[Span, ...]]] = defaultdict(Counter)
    for mention in mentions:
        places[mention.chain][mention.pieces] += 1
    return places


def _greedy_matching(candidates: Iterable[Pair], score: Callable[[Pair], float]) -> list[Pair]:
    """Return a one-to-one matching, the best pairs first; ties in the order of the text."""
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for first, second in sorted(candidates, key=lambda pair: (-score(pair), pair)):
        if first not in partners and second not in taken:
            partners[first] = second
            taken.add(second)
    return list(partners.items())


def _shared_length(key_pieces: Sequence[Span], response_pieces: Sequence[Span]) -> int:
    return sum(
        max(0, min(first.end, second.end) - max(first.start, second.start))
        for first in key_pieces
        for second in response_pieces
    )


_AFTER_THE_HEAD = PREPOSITIONS | QUESTION_WORDS | {"that", ",", ";", ":", "(", "-", "–", "—"}


class Heads:
    """Heads of a document's phrases, from its trees or else by word order."""

    def __init__(self, document: Document) -> None:
        self._tokens = document.tokens if document.has(TOKENS) else tuple(tokenize(document.text))
        tagged = document.get(WORDS) if document.has(WORDS) and document.has(TOKENS) else ()
        self._words: dict[int, Word] = {self._tokens[word.token].start: word for word in tagged}

    def of(self, mention: Mention) -> Span:
        """Return the marked minimal string, else the token that is the head."""
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
    """Return the last word before anything that follows a head in English."""
    core = tokens[:1]
    for token in tokens[1:]:
        if token.text.lower() in _AFTER_THE_HEAD:
            break
        core.append(token)
    while len(core) > 1:
        word = core[-1].text
        if word[0].isalnum() and word.lower() not in CLITICS:
            break
        core.pop()
    return core[-1]
