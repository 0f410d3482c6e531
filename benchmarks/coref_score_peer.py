"""Runner of another coreference scorer on chains given as JSON, in an environment that has it.

    PYTHON benchmarks/coref_score_peer.py scorch|coreference-eval|neleval|tatian CHAINS.json

The file holds ``[[key, response], ...]``, a pair of lists of chains for each document. Prints
``{metric: [[recall, precision, f1], ...]}``: a row for each document (scorch, which has no totals
over documents of its own) or one row for all.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

Spans = list[list[tuple[int, int]]]


def scorch(documents: list[tuple[Spans, Spans]]) -> dict[str, Any]:
    """Compute MUC, B-cubed, CEAF-m, CEAF-e, BLANC."""
    from scorch import scores

    metrics = {
        "muc": scores.muc,
        "b3": scores.b_cubed,
        "ceafm": scores.ceaf_m,
        "ceafe": scores.ceaf_e,
        "blanc": scores.blanc,
    }
    sets = [([set(c) for c in key], [set(c) for c in response]) for key, response in documents]
    return {
        name: [[float(number) for number in metric(*pair)] for pair in sets]
        for name, metric in metrics.items()
    }


def coreference_eval(documents: list[tuple[Spans, Spans]]) -> dict[str, Any]:
    """Compute MUC, B-cubed, CEAF-e, LEA, for chains of at least two mentions."""
    from corefeval import Document, Scorer

    scorer = Scorer()
    for key, response in documents:
        scorer.update(Document(predicted=response, truth=key))
    names = {"muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "lea": "lea"}
    return {
        names[part.metric.__name__]: [[part.get_recall(), part.get_precision(), part.get_f1()]]
        for part in scorer.all
    }


def neleval(documents: list[tuple[Spans, Spans]]) -> dict[str, Any]:
    """Compute MUC, B-cubed, CEAF-m, CEAF-e; needs `numpy.int`, removed in numpy 1.24."""
    import numpy

    if not hasattr(numpy, "int"):
        numpy.int = int  # type: ignore[attr-defined]
    from neleval import coref_metrics

    metrics = {
        "muc": coref_metrics.muc,
        "b3": coref_metrics.b_cubed,
        "ceafm": coref_metrics.mention_ceaf,
        "ceafe": coref_metrics.entity_ceaf,
    }
    sets = [
        tuple({number: frozenset(chain) for number, chain in enumerate(side)} for side in pair)
        for pair in documents
    ]
    rates = {}
    for name, metric in metrics.items():
        counts = [metric(*pair) for pair in sets]
        right, answered, recalled, wanted = (sum(column) for column in zip(*counts, strict=True))
        recall, precision = recalled / wanted, right / answered
        rates[name] = [[recall, precision, 2 * recall * precision / (recall + precision)]]
    return rates


def tatian(documents: list[tuple[Spans, Spans]]) -> dict[str, Any]:
    """Compute all of our metrics, from the same chains as the others."""
    from tatian.coreference.metrics import ChainPair, score_pairs

    pairs = [
        ChainPair(
            str(number),
            *([(str(label), chain) for label, chain in enumerate(side)] for side in pair),
        )
        for number, pair in enumerate(documents)
    ]
    return {name: [list(rates)] for name, rates in score_pairs(pairs).all_rates().items()}


PEERS = {
    "scorch": scorch,
    "coreference-eval": coreference_eval,
    "neleval": neleval,
    "tatian": tatian,
}


def main() -> None:
    """Score with the named peer."""
    name, path = sys.argv[1:]
    documents = json.loads(Path(path).read_text())
    tupled = [[[list(map(tuple, chain)) for chain in side] for side in pair] for pair in documents]
    json.dump(PEERS[name](tupled), sys.stdout)


if __name__ == "__main__":
    main()
