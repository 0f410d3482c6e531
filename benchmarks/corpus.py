"""Comparison of our own bundles with real reports: lengths, overlap, redundancy, vocabulary.

    python benchmarks/corpus.py                            corpus/ beside the real bundles
    python benchmarks/corpus.py own=corpus real=DIR        any files or folders of bundles

Noise is left out. A fact is shared if several sources have it. A sentence is covered if sentences
of other sources have all of its facts. Overlap is the share of content words (by concept) that two
sentences of different sources with a common fact share.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

from data_folder import DATA
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.statistics import Column, Table
from tatian.text.content import concepts

ROOT = Path(__file__).resolve().parent.parent
WINDOW = 10_000
"""Number of words for the vocabulary count, so that sizes compare."""


def facts_by_place(bundle: Bundle) -> dict[str, set[str]]:
    """Return the facts of each sentence, without noise."""
    by_place: dict[str, set[str]] = {place: set() for place in bundle.sentences()}
    for fact in bundle.facts:
        for place in fact.sources:
            by_place[place].add(fact.id)
    return {place: facts for place, facts in by_place.items() if place not in bundle.noise}


def source_of(place: str) -> str:
    """Return the source of a sentence."""
    return place.rpartition(".")[0]


def find_covered(bundle: Bundle) -> Iterator[float]:
    """Yield for each sentence with facts whether other sources have all of them."""
    facts = facts_by_place(bundle)
    for place, ours in facts.items():
        others = (theirs for other, theirs in facts.items() if source_of(other) != source_of(place))
        if ours:
            yield float(ours <= set().union(*others))


def word_overlaps(bundle: Bundle) -> Iterator[float]:
    """Yield the word overlap of sentences that share a fact."""
    facts, sentences = facts_by_place(bundle), bundle.sentences()
    words = {place: set(concepts(sentences[place].split())) for place in facts}
    for a, b in combinations(facts, 2):
        if source_of(a) != source_of(b) and facts[a] & facts[b] and words[a] | words[b]:
            yield len(words[a] & words[b]) / len(words[a] | words[b])


def count_vocabulary(bundles: Sequence[Bundle]) -> int:
    """Count the distinct words among the first `WINDOW`."""
    words = [word.lower() for bundle in bundles for word in bundle.stacked().split()]
    return len(set(words[:WINDOW]))


def collection_row(name: str, bundles: Sequence[Bundle]) -> tuple[str | float, ...]:
    """Return the figures of one collection."""
    accounts = [source for bundle in bundles for source in bundle.accounts]
    facts = [fact for bundle in bundles for fact in bundle.facts]
    tellers = [{source_of(place) for place in fact.sources} for fact in facts]
    counts = {
        "bundles": len(bundles),
        "accounts": len(accounts) / len(bundles),
        "words": fmean(source.words for source in accounts),
        "sentence": fmean(len(s.split()) for source in accounts for s in source.sentences),
        "facts": len(facts) / len(bundles),
        "find_coverage": fmean(len(fact.sources) for fact in facts),
        "shared": 100 * fmean(len(sources) > 1 for sources in tellers),
        "covered": 100 * fmean(value for bundle in bundles for value in find_covered(bundle)),
        "overlap": 100 * fmean(value for bundle in bundles for value in word_overlaps(bundle)),
        "noise": fmean(len(bundle.noise) for bundle in bundles),
        "conflicts": fmean(len(bundle.conflicts) for bundle in bundles),
        "reference": fmean(len(bundle.reference_text().split()) for bundle in bundles),
        "vocabulary": count_vocabulary(bundles),
    }
    return name, *counts.values()


COLUMNS = (
    Column("bundles", precision=0),
    Column("accounts a bundle", precision=1),
    Column("words an account", precision=0),
    Column("words a sentence", precision=1),
    Column("facts a bundle", precision=1),
    Column("sentences a fact", precision=2),
    Column("facts of several accounts, %", precision=0),
    Column("sentences covered, %", precision=0),
    Column("overlap, %", precision=0),
    Column("noise lines", precision=1),
    Column("conflicts", precision=1),
    Column("words of the reference", precision=0),
    Column(f"different words of {WINDOW:,}", precision=0),
)


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    data = DATA / "consolidation"
    default = [
        f"ours={ROOT / 'corpus'}",
        f"real, train={data / 'train'}",
        f"real, dev={data / 'dev'}",
    ]
    parser.add_argument("collections", nargs="*", default=default, metavar="NAME=BUNDLES")
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    options = parser.parse_args()
    named: dict[str, list[Bundle]] = defaultdict(list)
    for collection in options.collections:
        name, _, path = collection.partition("=")
        named[name] += read_bundles(path)
    rows = [collection_row(name, bundles) for name, bundles in named.items()]
    print(Table.of(["collection", *COLUMNS], rows, "Bundles").render(options.format))


if __name__ == "__main__":
    main()
