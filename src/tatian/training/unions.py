"""Unions that this project wrote, of two sentences of different sources or of one.

Some were written for the purpose (`WRITTEN`). A reference sentence of a bundle is taken as the
union of two sentences if it adds nearly nothing to them and leaves out little of either. If the
facts and words of one sentence cover those of another, the first is their union.
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
"""By bundle: two sentences, and the parts of their union: characters of the first (0) or the second
(1), or words of our own between them. The sentences themselves are not in it."""
COPIED = 0.85
"""Least share of a union's content words that its sentences have."""
KEPT = 0.7
"""Least share of the content words of both sentences together that the union has."""
KEPT_OF_EACH = 0.5
MOST = 2
"""Most pairs for one reference sentence: the nearest."""
NEW = 0.34
"""Largest share of its content words that a covered sentence may have for itself."""
SHORTEST = 5
"""Fewest words of a sentence."""
_EXACT = re.compile(r"\b[A-Z][a-z]\w+|\d[\d.,:]*")


Part = tuple[int, int, int] | str
Written = tuple[str, str, list[Part]]


class _Said(Struct, frozen=True):
    text: str
    facts: frozenset[str]
    stems: set[str]


def project_unions(paths: Iterable[Path]) -> list[SentenceUnion]:
    """Return the unions of all bundles in folders or files, each pair of sentences once."""
    unions: dict[frozenset[str], SentenceUnion] = {}
    by_bundle = msgspec.json.decode(WRITTEN.read_bytes(), type=dict[str, list[Written]])
    for path in paths:
        for bundle in read_bundles(str(path)):
            handwritten = written_unions(bundle, by_bundle.get(bundle.id, ()))
            for union in (*handwritten, *find_unions(bundle), *find_covered(bundle)):
                unions.setdefault(frozenset(union.sources), union)
    return list(unions.values())


def written_unions(bundle: Bundle, unions: Iterable[Written]) -> Iterator[SentenceUnion]:
    """The unions that were written for two sentences of a bundle."""
    texts = bundle.sentences()
    for first, second, parts in unions:
        sources = texts[first], texts[second]
        words = (
            part if isinstance(part, str) else sources[part[0]][part[1] : part[2]] for part in parts
        )
        yield SentenceUnion(sources, "".join(words))


def find_unions(bundle: Bundle) -> Iterator[SentenceUnion]:
    """Yield two sentences and the reference sentence that is their union."""
    sentences = _sentences(bundle)
    for reference in bundle.reference:
        stems = content_stems(reference.text)
        facts = set(reference.facts)
        near = [sentence for sentence in sentences if sentence.facts & facts]
        scored = []
        for first_said, second_said in combinations(near, 2):
            both = first_said.stems | second_said.stems
            copied = len(stems & both) / max(1, len(stems))
            kept = len(stems & both) / max(1, len(both))
            least = min(
                len(s.stems & stems) / max(1, len(s.stems)) for s in (first_said, second_said)
            )
            if copied >= COPIED and kept >= KEPT and least >= KEPT_OF_EACH:
                scored.append((copied + kept, first_said.text, second_said.text))
        scored.sort(reverse=True)
        for _, first, second in scored[:MOST]:
            yield SentenceUnion((first, second), reference.text)


def find_covered(bundle: Bundle) -> Iterator[SentenceUnion]:
    """Yield two sentences of which the first covers all of the second, in any words."""
    sentences = [sentence for sentence in _sentences(bundle) if sentence.facts]
    for wide in sentences:
        for other in sentences:
            new = other.stems - wide.stems
            if (
                letters(wide.text) != letters(other.text)
                and other.facts <= wide.facts
                and other.stems
                and len(new) <= NEW * len(other.stems)
                and set(_EXACT.findall(other.text[1:])) <= set(_EXACT.findall(wide.text))
            ):
                yield SentenceUnion((wide.text, other.text), wide.text)
                break


def _sentences(bundle: Bundle) -> list[_Said]:
    facts_of = facts_by_place(bundle)
    return [
        _Said(text, frozenset(fact.id for fact in facts_of.get(place, ())), content_stems(text))
        for place, text in bundle.sentences().items()
        if place not in bundle.noise and len(text.split()) >= SHORTEST
    ]


SOURCE = "union"


def without_span(
    whole: str, source: str, generator: np.random.Generator, longest: int = 6
) -> str | None:
    """Cut a span out of `whole` that has content of `source` and occurs nowhere else in it."""
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
    unions: Sequence[SentenceUnion], generator: np.random.Generator, cuts: int = 2
) -> list[EntailmentPair]:
    """Each union entails its sources; with a span of a source cut out, it no longer does."""
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
    """Return the union of every source whole (entailment) and with a span cut out (neutral)."""
    generator = np.random.default_rng(seed)
    pairs: list[EntailmentPair] = []
    for union in unions:
        for source in union.sources:
            cut = without_span(union.merged, source, generator, longest=4)
            if cut:
                pairs.append(EntailmentPair(union.merged, source, "entailment", SOURCE))
                pairs.append(EntailmentPair(cut, source, "neutral", SOURCE))
    return pairs
