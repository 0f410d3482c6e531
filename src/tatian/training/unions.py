"""Entailment as union scoring needs it: a sentence loses what it entails when a span is cut out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from tatian.training.data import Pair, Union

SOURCE = "union"

_FUNCTION_WORDS = frozenset(
    "a an the and or but nor of in on at by for to from with as into over after before about "
    "is are was were be been being has have had do does did will would can could may might "
    "must shall should it its he she they them his her their this that these those who whom "
    "which what when where while there here not no so than then also such some any all both "
    "i you we us our your my me him said says say".split()
)
_EDGES = re.compile(r"^\W+|\W+$")


def stem(word: str) -> str:
    """The word without case, punctuation around it and inflection at its end, roughly."""
    bare = _EDGES.sub("", word).lower().removesuffix("'s").removesuffix("’s")
    for ending in ("ing", "ed", "es", "s", "ly"):
        if len(bare) > len(ending) + 3 and bare.endswith(ending):
            return bare[: -len(ending)]
    return bare


def content_stems(text: str) -> set[str]:
    """The stems of the words that carry content."""
    stems = {stem(word) for word in text.split()}
    return {s for s in stems if s and s not in _FUNCTION_WORDS}


def without_span(
    whole: str, source: str, generator: np.random.Generator, longest: int = 6
) -> str | None:
    """`whole` with a span cut out that held content of `source` and is nowhere else in it."""
    words = whole.split()
    wanted = content_stems(source)
    starts = [i for i, word in enumerate(words) if stem(word) in wanted]
    generator.shuffle(starts)
    for start in starts:
        room = min(longest, len(words) - start, max(1, len(words) // 2))
        length = int(generator.integers(1, room + 1))
        rest = words[:start] + words[start + length :]
        lost = content_stems(" ".join(words[start : start + length])) & wanted
        if rest and lost - content_stems(" ".join(rest)):
            return " ".join(rest)
    return None


def union_pairs(
    unions: Sequence[Union], generator: np.random.Generator, cuts: int = 2
) -> list[Pair]:
    """Each union entails its sources; with a span of a source cut out, it no longer does."""
    pairs: list[Pair] = []
    for union in unions:
        both = " ".join(union.sources)
        for source in union.sources:
            pairs.append(Pair(union.merged, source, "entailment", SOURCE))
            pairs.append(Pair(both, source, "entailment", SOURCE))
            for _ in range(cuts):
                cut = without_span(union.merged, source, generator)
                if cut:
                    pairs.append(Pair(cut, source, "neutral", SOURCE))
    return pairs


def deletion_test(unions: Sequence[Union], seed: int = 0) -> list[Pair]:
    """For every source, the union whole (entailment) and with one span cut out (neutral)."""
    generator = np.random.default_rng(seed)
    pairs: list[Pair] = []
    for union in unions:
        for source in union.sources:
            cut = without_span(union.merged, source, generator, longest=4)
            if cut:
                pairs.append(Pair(union.merged, source, "entailment", SOURCE))
                pairs.append(Pair(cut, source, "neutral", SOURCE))
    return pairs
