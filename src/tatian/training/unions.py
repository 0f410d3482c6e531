"""Unions from this project's bundles, of two sentences of their sources.

Some were written as unions (`WRITTEN`). A reference sentence of a bundle counts as the union of two
sentences if it adds nearly nothing to them and leaves out little of either. A sentence counts as
its union with another if it covers the facts and words of that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from tatian.corpora.bundles import Bundle, read_bundles
from tatian.training.data import EntailmentPair, SentenceUnion, content_stems, stem
from tatian.training.stories import facts_by_place, letters

WRITTEN = Path(__file__).with_name("written.json")
"""File of unions by bundle: the ids of two sentences, and the parts of their union. A part is a
range of characters of the first (0) or second (1) sentence, or words between them."""
MIN_COPIED_SHARE = 0.85
"""Minimum share of a union's content words that are in its sentences."""
MIN_KEPT_SHARE = 0.7
"""Minimum share of the content words of both sentences that are in the union."""
MIN_KEPT_OF_EACH = 0.5
"""Minimum share of the content words of each sentence that are in the union."""
MAX_PAIRS = 2
"""Maximum number of pairs for one reference sentence: the nearest."""
MAX_NEW_SHARE = 0.34
"""Maximum share of a covered sentence's content words that the other lacks."""
MIN_WORDS = 5
"""Minimum number of words of a sentence."""
_EXACT = re.compile(r"\b[A-Z][a-z]\w+|\d[\d.,:]*")


Part = tuple[int, int, int] | str
Written = tuple[str, str, list[Part]]


class _SentenceWords(Struct, frozen=True):
    text: str
    facts: frozenset[str]
    stems: set[str]


def project_unions(paths: Iterable[Path]) -> list[SentenceUnion]:
    """Return the unions of all bundles in folders or files, one for each pair of sentences."""
    unions: dict[frozenset[str], SentenceUnion] = {}
    by_bundle = msgspec.json.decode(WRITTEN.read_bytes(), type=dict[str, list[Written]])
    for path in paths:
        for bundle in read_bundles(str(path)):
            handwritten = written_unions(bundle, by_bundle.get(bundle.id, ()))
            for union in (*handwritten, *find_unions(bundle), *find_covered(bundle)):
                unions.setdefault(frozenset(union.sources), union)
    return list(unions.values())


def written_unions(bundle: Bundle, unions: Iterable[Written]) -> Iterator[SentenceUnion]:
    """Yield the unions that were written for two sentences of a bundle."""
    texts = bundle.sentences()
    for first, second, parts in unions:
        sources = texts[first], texts[second]
        yield SentenceUnion(sources, join_parts(sources, parts))


def join_parts(sources: Sequence[str], parts: Iterable[Part]) -> str:
    """Return the text of a union that is stored as parts."""
    return "".join(
        part if isinstance(part, str) else sources[part[0]][part[1] : part[2]] for part in parts
    )


def find_unions(bundle: Bundle) -> Iterator[SentenceUnion]:
    """Yield pairs of sentences with a reference sentence that is their union."""
    sentences = _sentences(bundle)
    for reference in bundle.reference:
        stems = content_stems(reference.text)
        facts = set(reference.facts)
        candidates = [sentence for sentence in sentences if sentence.facts & facts]
        scored = []
        for first_words, second_words in combinations(candidates, 2):
            both = first_words.stems | second_words.stems
            copied = len(stems & both) / max(1, len(stems))
            kept = len(stems & both) / max(1, len(both))
            least = min(
                len(s.stems & stems) / max(1, len(s.stems)) for s in (first_words, second_words)
            )
            if copied >= MIN_COPIED_SHARE and kept >= MIN_KEPT_SHARE and least >= MIN_KEPT_OF_EACH:
                scored.append((copied + kept, first_words.text, second_words.text))
        scored.sort(reverse=True)
        for _, first, second in scored[:MAX_PAIRS]:
            yield SentenceUnion((first, second), reference.text)


def find_covered(bundle: Bundle) -> Iterator[SentenceUnion]:
    """Yield pairs of sentences of which the first covers the second and is their union."""
    sentences = [sentence for sentence in _sentences(bundle) if sentence.facts]
    for covering in sentences:
        for covered in sentences:
            new = covered.stems - covering.stems
            if (
                letters(covering.text) != letters(covered.text)
                and covered.facts <= covering.facts
                and covered.stems
                and len(new) <= MAX_NEW_SHARE * len(covered.stems)
                and set(_EXACT.findall(covered.text[1:])) <= set(_EXACT.findall(covering.text))
            ):
                yield SentenceUnion((covering.text, covered.text), covering.text)
                break


def _sentences(bundle: Bundle) -> list[_SentenceWords]:
    facts_of = facts_by_place(bundle)
    return [
        _SentenceWords(
            text, frozenset(fact.id for fact in facts_of.get(place, ())), content_stems(text)
        )
        for place, text in bundle.sentences().items()
        if place not in bundle.noise and len(text.split()) >= MIN_WORDS
    ]


SOURCE = "union"


def without_span(
    whole: str, source: str, generator: np.random.Generator, longest: int = 6
) -> str | None:
    """Delete a span of `whole` with content of `source` that occurs nowhere else in it."""
    words = whole.split()
    source_stems = content_stems(source)
    starts = [i for i, word in enumerate(words) if stem(word) in source_stems]
    generator.shuffle(starts)
    for start in starts:
        most = min(longest, len(words) - start, max(1, len(words) // 2))
        length = int(generator.integers(1, most + 1))
        remaining = words[:start] + words[start + length :]
        removed = content_stems(" ".join(words[start : start + length])) & source_stems
        if remaining and removed - content_stems(" ".join(remaining)):
            return " ".join(remaining)
    return None


def union_pairs(
    unions: Sequence[SentenceUnion], generator: np.random.Generator, cuts: int = 2
) -> list[EntailmentPair]:
    """Return entailment pairs: a union entails its sources, but not without a span of a source."""
    pairs: list[EntailmentPair] = []
    for union in unions:
        both = " ".join(union.sources)
        for source in union.sources:
            pairs.append(EntailmentPair(union.merged, source, "entailment", SOURCE))
            pairs.append(EntailmentPair(both, source, "entailment", SOURCE))
            for _ in range(cuts):
                cut = without_span(union.merged, source, generator)
                if cut:
                    pairs.append(EntailmentPair(cut, source, "neutral", SOURCE))
    return pairs


def deletion_test(unions: Sequence[SentenceUnion], seed: int = 0) -> list[EntailmentPair]:
    """Return pairs of a union, whole (entailment) or without a span (neutral), and a source."""
    generator = np.random.default_rng(seed)
    pairs: list[EntailmentPair] = []
    for union in unions:
        for source in union.sources:
            cut = without_span(union.merged, source, generator, longest=4)
            if cut:
                pairs.append(EntailmentPair(union.merged, source, "entailment", SOURCE))
                pairs.append(EntailmentPair(cut, source, "neutral", SOURCE))
    return pairs
