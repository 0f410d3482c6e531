"""Accuracy of the coverage model beside baselines, on bundles with their facts.

    python benchmarks/coverage.py                  the table
    python benchmarks/coverage.py --limit 3        on the first three bundles
    python benchmarks/coverage.py --ways model     only some ways
    python benchmarks/coverage.py --ways model --second docs/readings/second/facts.jsonl
                                                  beside dropping by what annotators found

Areas under the curve are over all ordered pairs of different sentences of a bundle without noise.
The questions: does the second share a fact with the first, does it cover all of them; and for each
word of the first that its facts' keys mark, does the second cover all facts of the word?

Dropping is the decision itself. From the concatenated sources without noise, the sentence with the
least uncovered content is dropped, again and again. `again` is the redundancy at the cost at which
dropping still covers a given share of all facts on average.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import msgspec
import numpy as np

from agreement import Annotation, Listed
from tatian.analysis import entails_all, vectors
from tatian.analysis.coverage import WORD, Coverage, WordCoverage, read_coverage
from tatian.consolidation.metrics import find_coverage
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.statistics import Column, Table
from tatian.text.content import concept, is_content
from tatian.training.evaluation import (
    CoverageFunction,
    CoverageMatrix,
    areas_under_curve,
    coverage_matrix,
)
from tatian.training.stories import AnnotatedStory, story_of

ROOT = Path(__file__).resolve().parent.parent
TOGETHER = 3
"""Number of sentences that one is compared with at once."""
TIE = 1e-6
"""Cost of each fact of a sentence: of twins, the fuller one stays."""
LEVELS = (0.98, 0.97, 0.95)
"""Shares of the facts to cover."""


class State(NamedTuple):
    """Measures of a text from which sentences were dropped, up to a cost."""

    cost: float
    told: float
    again: float


def by_overlap(pairs: Sequence[tuple[str, str]]) -> list[Coverage]:
    """Treat a content word as covered if the other text has it too."""
    result = []
    for text, other in pairs:
        said_concepts = {concept(word) for _, _, word in words_with_offsets(other)}
        marked = tuple(
            WordCoverage(start, end, float(concept(word) in said_concepts), float(is_content(word)))
            for start, end, word in words_with_offsets(text)
        )
        result.append(sum_words(marked))
    return result


def sum_words(marked: tuple[WordCoverage, ...]) -> Coverage:
    """Return the coverage of a text from that of its words."""
    share = 1 - Coverage(0.0, 0.0, 0.0, marked).uncovered_share
    return Coverage(share, share, share, marked)


def words_with_offsets(text: str) -> list[tuple[int, int, str]]:
    """Return the words of a text with their offsets, as the model splits them."""
    return [(m.start(), m.end(), m[0]) for m in WORD.finditer(text)]


def by_vectors(pairs: Sequence[tuple[str, str]]) -> list[Coverage]:
    """Return the similarities of the sentences' vectors as coverage."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    rows = dict(zip(texts, vectors(texts), strict=True))
    return [whole_coverage(float(rows[a] @ rows[b])) for a, b in pairs]


def by_entailment(pairs: Sequence[tuple[str, str]]) -> list[Coverage]:
    """Return the probability that the second text entails the first as coverage."""
    return [whole_coverage(verdict.entailment) for verdict in entails_all((b, a) for a, b in pairs)]


def whole_coverage(share: float) -> Coverage:
    """Return one figure for the whole and none for the words."""
    return Coverage(share, share, share, ())


WAYS: dict[str, CoverageFunction] = {
    "word overlap": by_overlap,
    "sentence vectors": by_vectors,
    "entailment": by_entailment,
    "model": read_coverage,
}


class Measured:
    """Coverage and redundancy of facts in a selection of a story's sentences."""

    def __init__(self, bundle: Bundle, story: AnnotatedStory) -> None:
        self.bundle = bundle
        self.texts = [sentence.text for sentence in story.sentences]
        self.seen: dict[str, dict[str, int]] = {}

    def told(self, text: str) -> dict[str, int]:
        """Count how often a text states each of its facts."""
        if text not in self.seen:
            covered = find_coverage(self.bundle, text)
            self.seen[text] = {c.fact.id: len(c.places) for c in covered if c.places}
        return self.seen[text]

    def state(self, cost: float, left: Sequence[int]) -> State:
        """Return the measures of the sentences that are left."""
        times: dict[str, int] = {}
        for place in left:
            for fact, count in self.told(self.texts[place]).items():
                times[fact] = times.get(fact, 0) + count
        for a, b in pairwise(left):
            for fact in self.told(f"{self.texts[a]} {self.texts[b]}"):
                times.setdefault(fact, 1)
        again = (sum(times.values()) - len(times)) / len(times)
        return State(cost, len(times) / len(self.bundle.facts), again)


def drop_sentences(
    measured: Measured, count: int, cost: Callable[[int, Sequence[int]], float]
) -> list[State]:
    """Drop the sentence with the least uncovered content, until a tenth of the facts is lost."""
    left = list(range(count))
    states = [measured.state(0.0, left)]
    while len(left) > 1 and states[-1].told > 0.9:
        lowest, place = min((cost(a, [b for b in left if b != a]), a) for a in left)
        left.remove(place)
        states.append(measured.state(max(lowest, states[-1].cost), left))
    return states


def single_cost(coverages: CoverageMatrix) -> Callable[[int, Sequence[int]], float]:
    """Return the cost: what the best sentence for each word, or for the whole, lacks."""

    def cost(place: int, left: Sequence[int]) -> float:
        if not coverages[place, left[0]].words:
            return 1 - max(coverages[place, b].share for b in left)
        weights, rows = arrays(coverages, place, left)
        return float(weights @ (1 - rows.max(0)) / max(weights.sum(), 1e-9))

    return cost


def together_cost(
    story: AnnotatedStory, coverages: CoverageMatrix, tell: CoverageFunction
) -> Callable[[int, Sequence[int]], float]:
    """Return the cost with each word's probability averaged with that of the best ones together."""
    seen: dict[tuple[int, tuple[int, ...]], list[float]] = {}
    texts = [sentence.text for sentence in story.sentences]

    def cost(place: int, left: Sequence[int]) -> float:
        weights, rows = arrays(coverages, place, left)
        chosen: list[int] = []
        best = np.zeros(len(weights))
        for _ in range(min(TOGETHER, len(left))):
            gains = np.maximum(rows, best) @ weights
            gains[chosen] = -1
            chosen.append(int(gains.argmax()))
            best = np.maximum(best, rows[chosen[-1]])
        key = place, tuple(sorted(left[i] for i in chosen))
        if key not in seen:
            (covered,) = tell([(texts[place], " ".join(texts[b] for b in key[1]))])
            told_words = [word.covered for word in covered.words]
            seen[key] = told_words + [0.0] * (len(weights) - len(told_words))
        both = (np.array(seen[key]) + rows.max(0)) / 2
        return float(weights @ (1 - both) / max(weights.sum(), 1e-9))

    return cost


def fact_cost(bundle: Bundle, facts: Sequence[Listed]) -> Callable[[int, Sequence[int]], float]:
    """Return the cost as the share of a sentence's facts that are uncovered, by an annotator."""
    noise = set(bundle.noise)
    places = [f"{s.id}.{index}" for s in bundle.accounts for index in range(len(s.sentences))]
    tells = [
        {number for number, fact in enumerate(facts) if place in fact.sources}
        for place in places
        if place not in noise
    ]

    def cost(place: int, left: Sequence[int]) -> float:
        sentence_facts = tells[place]
        untold = sentence_facts.difference(*(tells[other] for other in left))
        return len(untold) / max(1, len(sentence_facts)) + TIE * len(sentence_facts)

    return cost


def arrays(
    coverages: CoverageMatrix, place: int, left: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of a sentence's words, and the probability that each other covers them."""
    carries = [[word.carries for word in coverages[place, b].words] for b in left]
    rows = [[word.covered for word in coverages[place, b].words] for b in left]
    return np.mean(carries, axis=0), np.array(rows)


def stop_at_coverage(paths: Sequence[Sequence[State]], wanted: float) -> State:
    """Return where to stop so that `wanted` is covered on average."""
    best = State(0.0, 1.0, mean(path[0].again for path in paths))
    for limit in sorted({state.cost for path in paths for state in path}):
        ends = [[state for state in path if state.cost <= limit][-1] for path in paths]
        share = mean(state.told for state in ends)
        if share >= wanted:
            best = State(limit, share, mean(state.again for state in ends))
    return best


def method_row(
    name: str, areas: dict[str, float], paths: Sequence[Sequence[State]], rate: float | None
) -> list[object]:
    """Return the figures of one method."""
    stops = [stop_at_coverage(paths, wanted) for wanted in LEVELS]
    scores = [areas.get(key) for key in ("shares", "everything", "words")]
    return [name, *scores, *(f"{stop.again:.3f} ({stop.cost:.3f})" for stop in stops), rate]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    folder = ROOT.parent / "shared/data/consolidation/dev"
    parser.add_argument("--bundles", type=Path, default=folder)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--format", choices=("text", "markdown"), default="text")
    parser.add_argument("--second", type=Path, help="the facts of a second annotator, JSONL")
    options = parser.parse_args()
    bundles = read_bundles(str(options.bundles))[: options.limit]
    second = {}
    if options.second:
        annotations = msgspec.json.Decoder(Annotation).decode_lines(options.second.read_bytes())
        second = {annotation.id: annotation.facts for annotation in annotations}
        bundles = [bundle for bundle in bundles if bundle.id in second]
    by_id = {bundle.id: story_of(bundle) for bundle in read_bundles(str(options.bundles))}
    stories = [by_id[bundle.id] for bundle in bundles]
    measured = [Measured(b, s) for b, s in zip(bundles, stories, strict=True)]
    counts = [len(story.sentences) for story in stories]
    rows = []
    for name in options.ways:
        began = time.process_time()
        coverages = [coverage_matrix(story, WAYS[name]) for story in stories]
        rate = sum(map(len, coverages)) / (time.process_time() - began)
        areas = areas_under_curve(stories, coverages)
        paths = [
            drop_sentences(m, n, single_cost(k))
            for m, n, k in zip(measured, counts, coverages, strict=True)
        ]
        rows.append(method_row(name, areas, paths, rate))
        if name == "model":
            paths = [
                drop_sentences(m, n, together_cost(s, k, read_coverage))
                for m, n, s, k in zip(measured, counts, stories, coverages, strict=True)
            ]
            rows.append(method_row("model, three read together", {}, paths, None))
    for name in ("first", "second") if second else ():
        paths = [
            drop_sentences(m, n, fact_cost(b, second[b.id] if name == "second" else b.facts))
            for m, n, b in zip(measured, counts, bundles, strict=True)
        ]
        rows.append(method_row(f"facts of the {name} annotator", {}, paths, None))
    columns = [
        "way",
        *(Column(name, 3) for name in ("shares a fact", "tells all", "words")),
        *(f"again at {level} (cost)" for level in LEVELS),
        Column("pairs per second of processor time", 0),
    ]
    table = Table.of(columns, rows, f"bundles: {len(bundles)}")
    print(table.render(options.format))


if __name__ == "__main__":
    main()
