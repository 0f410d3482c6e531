"""Entailment checks of unions, by the shipped model or one from a hub.

With a reference: entailment in both directions (Hirsch et al. 2023, §7.2). Without one, the
definition of §3: the union entails every source, and the sources together entail the union.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.progress import Progress, silent
from tatian.scoring.metric import Counts, Metric, Prediction

if TYPE_CHECKING:
    from tatian.analysis import Entailment

MIN_ENTAILMENT = 0.5
"""Minimum probability at which a text counts as entailed (§7.2)."""
SHIPPED = "encoder"
"""Name of the model that comes with Tatian."""

Judge = Callable[[Iterable[tuple[str, str]]], "Iterator[Entailment]"]
"""Function that judges (premise, hypothesis) pairs in order."""


class DefinitionCheck(Struct, frozen=True):
    """Probabilities that a union satisfies the definition of §3."""

    entails: tuple[float, ...]
    """Probability that the union entails each source."""
    entailed: float
    """Probability that the concatenated sources entail the union."""

    @property
    def holds(self) -> bool:
        """True if every entailment reaches the threshold."""
        return min(self.entailed, *self.entails) >= MIN_ENTAILMENT


def load_judge(name: str | Judge | None = None) -> Judge:
    """Return the shipped judge, or a sequence classification model by its hub name or path.

    The paper used ``microsoft/deberta-v2-xxlarge-mnli``. A judge is returned as it is.
    """
    if name is not None and not isinstance(name, str):
        return name
    if name is None or name == SHIPPED:
        from tatian.analysis import entails_all

        return entails_all
    hub = importlib.import_module("tatian.pytorch.hub")
    hub_judge: Judge = hub.HubEntailment(name)
    return hub_judge


def entail_both_ways(
    pairs: Sequence[tuple[str, str]], judge: Judge, progress: Progress = silent
) -> list[tuple[float, float]]:
    """Return both probabilities of entailment for each (reference, prediction)."""
    both = [way for first, second in pairs for way in ((first, second), (second, first))]
    chances = entailment_chances(both, judge, progress)
    return list(zip(chances[::2], chances[1::2], strict=True))


def are_equivalent(entailments: tuple[float, float]) -> bool:
    """Return True if both directions reach the threshold."""
    return min(entailments) >= MIN_ENTAILMENT


def check_definition(
    unions: Sequence[tuple[Sequence[str], str]], judge: Judge, progress: Progress = silent
) -> list[DefinitionCheck]:
    """Return for each (sources, union) how far the union satisfies the definition."""
    asked = []
    for sources, union in unions:
        asked += [(union, source) for source in sources]
        asked.append((" ".join(sources), union))
    chances = iter(entailment_chances(asked, judge, progress, "definition"))
    return [
        DefinitionCheck(tuple(next(chances) for _ in sources), next(chances))
        for sources, _ in unions
    ]


def entailment_chances(
    pairs: Sequence[tuple[str, str]],
    judge: Judge,
    progress: Progress = silent,
    stage: str = "entailment",
) -> list[float]:
    """Return probabilities of entailment; a text entails itself, and no pair is judged twice."""
    chances = {pair: 1.0 for pair in pairs if pair[0] == pair[1]}
    asked = [pair for pair in dict.fromkeys(pairs) if pair not in chances]
    for done, (pair, verdict) in enumerate(zip(asked, judge(asked), strict=True), 1):
        chances[pair] = verdict.entailment
        progress(stage, done, len(asked))
    return [chances[pair] for pair in pairs]


def nli(model: str | Judge | None = None) -> Metric[Prediction]:
    """Return the metric of mutual entailment of reference and prediction."""

    def holds(items: Sequence[Prediction], by: Judge, progress: Progress) -> Iterator[bool]:
        pairs = [(item.reference, item.predicted) for item in items]
        return map(are_equivalent, entail_both_ways(pairs, by, progress))

    text = "unions that entail the reference and are entailed by it (Hirsch et al. 2023, §7.2)"
    return _metric("nli", text, model, holds)


def definition(model: str | Judge | None = None) -> Metric[Prediction]:
    """Return the metric of being a union by definition, by `load_judge(model)`."""

    def holds(items: Sequence[Prediction], by: Judge, progress: Progress) -> Iterator[bool]:
        unions = [(item.sentences, item.predicted) for item in items]
        return (outcome.holds for outcome in check_definition(unions, by, progress))

    text = "unions that entail every source and are entailed by all together (§3)"
    return _metric("definition", text, model, holds)


def _metric(
    name: str,
    text: str,
    model: str | Judge | None,
    holds: Callable[[Sequence[Prediction], Judge, Progress], Iterator[bool]],
) -> Metric[Prediction]:
    def count_all(items: Sequence[Prediction], progress: Progress = silent) -> list[Counts]:
        return [(float(held),) for held in holds(items, load_judge(model), progress)]

    called = model if isinstance(model, str) else getattr(model, "name", SHIPPED)
    options = {"model": called, "threshold": str(MIN_ENTAILMENT)}
    return Metric(
        name, "union", text, lambda item: count_all([item])[0], batch=count_all, options=options
    )


NLI = nli()
DEFINITION = definition()
