"""A document ready to be learned from: its windows, its words' features, its gold heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from tatian.analysis.pieces import WordPieces, cut
from tatian.analysis.words import shape
from tatian.coreference.models.pairs import codes
from tatian.coreference.models.resolver import SPECIAL
from tatian.coreference.models.words import Text
from tatian.training.coref.data import CorefDocument, Places

Arrays = dict[str, Any]


class GoldHeads(Struct, frozen=True):
    """One scheme's annotation, by the head words of mentions."""

    chains: dict[int, int]
    """The number of each head word's chain."""
    spans: dict[int, Places]
    """The words of its mention, where they lie in one sentence."""


class CorefExample(Struct, frozen=True):
    """A document as the model takes it."""

    told: CorefDocument
    text: Text
    gold: dict[str, GoldHeads]
    windows: Arrays
    """``rows``, ``mask``, ``shapes`` ``[windows, pieces]``, ``words`` ``[windows, words, 2]``, and
    ``kept``: where each word of the document is among all words of the windows."""
    codes: Any
    """`tatian.coreference.models.pairs.codes` of the text."""


class DocumentEncoder:
    """Turns documents into examples for one table of word pieces."""

    def __init__(self, pieces: WordPieces, shapes: Sequence[str], positions: int) -> None:
        self.pieces = pieces
        self.shapes = {name: number for number, name in enumerate(shapes)}
        self.room = positions - SPECIAL

    def example(self, told: CorefDocument) -> CorefExample:
        """One document."""
        text = Text(told.analysis)
        gold = {scheme: gold_of(text, chains) for scheme, chains in told.chains.items()}
        return CorefExample(told, text, gold, self.windows(text.tokens), codes(text))

    def windows(self, tokens: Sequence[str]) -> Arrays:
        """The windows of a document, padded to the longest."""
        pieces = [self.pieces.word(token) for token in tokens]
        shapes = [self.shapes.get(shape(token), 0) for token in tokens]
        windows = cut([len(own) for own in pieces], self.room)
        time = SPECIAL + max(sum(map(len, pieces[w.first : w.last])) for w in windows)
        most = max(window.last - window.first for window in windows)
        rows, mask, shaped = (np.zeros((len(windows), time), np.int64) for _ in range(3))
        words = np.zeros((len(windows), most, 2), np.int64)
        kept: list[int] = []
        for number, window in enumerate(windows):
            rows[number, 0], at = self.pieces.start, 1
            for place in range(window.first, window.last):
                after = at + len(pieces[place])
                rows[number, at:after] = pieces[place]
                shaped[number, at:after] = shapes[place]
                words[number, place - window.first] = at, after - 1
                at = after
            rows[number, at] = self.pieces.end
            mask[number, : at + 1] = 1
            first = number * most - window.first
            kept.extend(range(first + window.begin, first + window.end))
        found = {"rows": rows, "mask": mask, "shapes": shaped, "words": words}
        return {**found, "kept": np.array(kept, np.int64)}


def gold_of(text: Text, chains: Sequence[Sequence[Places]]) -> GoldHeads:
    """Mentions by their heads; of two with one head, the shorter."""
    numbers: dict[int, int] = {}
    spans: dict[int, Places] = {}
    for number, mentions in enumerate(chains):
        for first, end in sorted(mentions, key=_length):
            head = text.head_of(first, end)
            if head in numbers:
                continue
            numbers[head] = number
            if text.begin[head] <= first and end <= text.end[head]:
                spans[head] = (first, end)
    return GoldHeads(numbers, spans)


def _length(places: Places) -> int:
    return places[1] - places[0]


def covered(text: Text, chains: Mapping[int, int]) -> Any:
    """Words of sentences in which anything is marked: of the others, nothing is known."""
    marked = np.unique(text.sentence[list(chains)])
    return np.isin(text.sentence, marked)
