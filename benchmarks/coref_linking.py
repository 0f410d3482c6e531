"""Fitting of the weights that join chains across documents, on ECB+.

    python benchmarks/coref_linking.py [--data DIR] [--topics 1,2,...]

Prints the constants of `tatian.pipeline.chains`: a logistic regression with a light penalty over
pairs that the index brings together. Examples are the trained resolver's chains, each labelled with
the thing of most of its mentions in the key. Only sentences annotated for coreference count.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from coref_cross_data import Heads, Read, key_of, read_events, resolve_all
from data_folder import DATA
from regression import logistic
from tatian.formats.ecbplus import ENTITY_TYPES
from tatian.pipeline import chains
from tatian.pipeline.chains import NEVER, candidates
from tatian.pipeline.profiles import profiles
from tatian.text import CHAINS

TOPICS = ",".join(str(number) for number in range(1, 31))
PENALTY = 1.0

Example = tuple[dict[str, float], bool]
"""Features of a pair, and True if it is one thing."""


def pairs_of_things(documents: Sequence[Read]) -> Iterator[Example]:
    """Yield pairs of a resolver's chains, without those that a rule keeps apart."""
    labels: dict[tuple[str, str], str] = {}
    for document in documents:
        heads = Heads(document.read)
        key = key_of(document.gold, ENTITY_TYPES)
        gold = {heads.of(m): chain.id for chain in key.get(CHAINS) for m in chain.mentions}
        for chain in document.read.get(CHAINS):
            places = [heads.of(m.head or m) for m in chain.mentions]
            meant = Counter(gold[place] for place in places if place in gold)
            if meant:
                labels[document.id, chain.id] = meant.most_common(1)[0][0]
    profiled = [
        (profile, labels[document.id, profile.chain.id])
        for document in documents
        for profile in profiles(document.read)
        if (document.id, profile.chain.id) in labels
    ]
    for first, second in candidates([profile.keys() for profile, _ in profiled]):
        (thing, label), (other, meant_too) = profiled[first], profiled[second]
        if chains.log_odds(thing, other) != NEVER:
            yield chains.features(thing, other), label == meant_too


def fit_log_odds(examples: Iterable[Example]) -> dict[str, float]:
    """Return log-odds by feature."""
    rows = list(examples)
    names = sorted({name for features, _ in rows for name in features})
    x = np.array([[float(features.get(name, 0)) for name in names] for features, _ in rows])
    y = np.array([same for _, same in rows], float)
    weights = logistic(x, y, [PENALTY * (name != "bias") for name in names])
    print(f"# {len(y)} pairs, {100 * y.mean():.0f}% of them one thing")
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the model and print its weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--topics", default=TOPICS, metavar="NUMBERS")
    options = parser.parse_args(arguments)
    reports = read_events(options.data, options.topics.split(","))
    clusters = [resolve_all(documents, "tatian") for documents in reports.values()]
    weights = fit_log_odds(pair for documents in clusters for pair in pairs_of_things(documents))
    print("WEIGHTS = {")
    for name, weight in weights.items():
        print(f'    "{name}": {weight},')
    print("}")


if __name__ == "__main__":
    main()
