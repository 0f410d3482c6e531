"""Pairs of sentences that are fit for a union and pairs that are not, from real data."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from tatian.formats.ecbplus import read_ecbplus
from tatian.text import Document, Metadata, Span
from tatian.text.documents import Passage
from tatian.text.tokenizer import detokenize
from tatian.union.data import UnionInstance, read

UNIONS = "unions"
RANDOM = "unrelated sentences"
SPLIT = "split sentences"
NEXT = "neighbours in a report"
SEED = 1
SHORTEST = 5
"""Least number of words of a neighbour; headlines and datelines are shorter."""

Pair = tuple[str, str]


def pair_sets(data: Path, split: str) -> dict[str, list[Pair]]:
    """Return equally many pairs of each kind; `split` is ``train`` or ``eval``.

    The neighbours come from ECB+ topics that the other split does not have.
    """
    unions = read(data / "union" / f"{split}.csv")
    size = len(unions)
    part = "tune" if split == "train" else "validation"
    topics = range(1, 19) if split == "train" else range(19, 36)
    return {
        UNIONS: [(instance.sentences[0], instance.sentences[1]) for instance in unions],
        RANDOM: _shuffled(unions),
        SPLIT: _drawn(_split(data / "union" / "extra" / f"wikisplit-{part}.tsv"), size),
        NEXT: _drawn(
            _neighbours(data / "coreference" / "ecbplus-topics-1-35.tar.gz", map(str, topics)), size
        ),
    }


def as_passages(pair: Pair, prepare: Callable[[Document], Document]) -> tuple[Passage, Passage]:
    """Return both sentences as documents of their own."""
    first, second = (
        Passage(prepare(Document(f"s{number}", text, Metadata())), Span(0, len(text)))
        for number, text in enumerate(pair, 1)
    )
    return first, second


def _shuffled(unions: Sequence[UnionInstance]) -> list[Pair]:
    """Pair the first sentence of every pair with a sentence of another pair."""
    chance = random.Random(SEED)
    pairs = []
    for number, instance in enumerate(unions):
        other = (number + chance.randrange(1, len(unions))) % len(unions)
        pairs.append((instance.sentences[0], unions[other].sentences[chance.randrange(2)]))
    return pairs


def _split(path: Path) -> list[Pair]:
    """Return the halves of split sentences, detokenized: tokens would give them away."""
    pairs = []
    for line in path.read_text("utf-8").splitlines():
        first, _, second = line.partition("\t")[2].partition(" <::::> ")
        pairs.append((_prose(first), _prose(second)))
    return pairs


def _prose(tokens: str) -> str:
    return detokenize(tokens.replace("''", '"').split())[0]


def _neighbours(path: Path, topics: map[str]) -> list[Pair]:
    """Return consecutive sentences of one report."""
    pairs = []
    for document in read_ecbplus(path, topics=set(topics), header=False):
        texts = [sentence.of(document.text) for sentence in document.sentences]
        long = [text for text in texts if len(text.split()) >= SHORTEST]
        pairs.extend(pairwise(long))
    return pairs


def _drawn(pairs: list[Pair], size: int) -> list[Pair]:
    return random.Random(SEED).sample(pairs, min(size, len(pairs)))
