"""Whether a union means what it should: entailments, judged by a model of our own or of a hub.

Against a reference: entailment in both directions (Hirsch et al. 2023, §7.2). Without one: the
definition itself (§3), that the union entails every source and the sources together entail it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.progress import Progress, silent
from tatian.scoring.metric import Counts, Metric
from tatian.scoring.prediction import Prediction

if TYPE_CHECKING:
    from tatian.analysis import Entailment

THRESHOLD = 0.5
"""§7.2: the probability from which a text counts as entailed."""
SHIPPED = "encoder"
"""The name of the model that comes with Tatian."""

Judge = Callable[[Iterable[tuple[str, str]]], "Iterator[Entailment]"]
"""Judges (premise, hypothesis) pairs in order."""


class Defined(Struct, frozen=True):
    """How far a union satisfies the definition of §3."""

    entails: tuple[float, ...]
    """For each source, the probability that the union entails it."""
    entailed: float
    """The probability that the sources, one after the other, entail the union."""

    @property
    def holds(self) -> bool:
        """Whether all of them are likely."""
        return min(self.entailed, *self.entails) >= THRESHOLD


def judge(name: str | Judge | None = None) -> Judge:
    """The shipped model, or one for sequence classification by its name on a hub or its path.

    The paper used ``microsoft/deberta-v2-xxlarge-mnli``. A judge is returned as it is.
    """
    if name is not None and not isinstance(name, str):
        return name
    if name is None or name == SHIPPED:
        from tatian.analysis import entails_all

        return entails_all
    hub = importlib.import_module("tatian.training.hub")
    found: Judge = hub.HubEntailment(name)
    return found


def bidirectional(
    pairs: Sequence[tuple[str, str]], judge: Judge, progress: Progress = silent
) -> list[tuple[float, float]]:
    """For each (reference, prediction): does the first entail the second, and the other way."""
    both = [way for first, second in pairs for way in ((first, second), (second, first))]
    found = _probabilities(both, judge, progress, "entailment")
    return list(zip(found[::2], found[1::2], strict=True))


def equivalent(entailments: tuple[float, float]) -> bool:
    """Whether both directions are likely."""
    return min(entailments) >= THRESHOLD


def defined(
    unions: Sequence[tuple[Sequence[str], str]], judge: Judge, progress: Progress = silent
) -> list[Defined]:
    """For each (sources, union): how far the union is one, by definition."""
    asked = []
    for sources, union in unions:
        asked += [(union, source) for source in sources]
        asked.append((" ".join(sources), union))
    found = iter(_probabilities(asked, judge, progress, "definition"))
    return [Defined(tuple(next(found) for _ in sources), next(found)) for sources, _ in unions]


def _probabilities(
    pairs: Sequence[tuple[str, str]], judge: Judge, progress: Progress, stage: str
) -> list[float]:
    """Of entailment; a text entails itself, and no pair is judged twice."""
    known = {pair: 1.0 for pair in pairs if pair[0] == pair[1]}
    asked = [pair for pair in dict.fromkeys(pairs) if pair not in known]
    for done, (pair, found) in enumerate(zip(asked, judge(asked), strict=True), 1):
        known[pair] = found.entailment
        progress(stage, done, len(asked))
    return [known[pair] for pair in pairs]


def nli(model: str | Judge | None = None) -> Metric[Prediction]:
    """Whether reference and prediction entail each other, as a metric, by that `judge`."""

    def holds(items: Sequence[Prediction], by: Judge, progress: Progress) -> Iterator[bool]:
        pairs = [(one.reference, one.predicted) for one in items]
        return map(equivalent, bidirectional(pairs, by, progress))

    what = "unions that entail the reference and are entailed by it (Hirsch et al. 2023, §7.2)"
    return _metric("nli", what, model, holds)


def definition(model: str | Judge | None = None) -> Metric[Prediction]:
    """Whether a prediction is a union by definition, as a metric, by that `judge`."""

    def holds(items: Sequence[Prediction], by: Judge, progress: Progress) -> Iterator[bool]:
        unions = [(one.sentences, one.predicted) for one in items]
        return (one.holds for one in defined(unions, by, progress))

    what = "unions that entail every source and are entailed by all together (§3)"
    return _metric("definition", what, model, holds)


def _metric(
    name: str,
    what: str,
    model: str | Judge | None,
    holds: Callable[[Sequence[Prediction], Judge, Progress], Iterator[bool]],
) -> Metric[Prediction]:
    def count_all(items: Sequence[Prediction], progress: Progress = silent) -> list[Counts]:
        return [(float(one),) for one in holds(items, judge(model), progress)]

    called = model if isinstance(model, str) else getattr(model, "name", SHIPPED)
    options = {"model": called, "threshold": str(THRESHOLD)}
    return Metric(
        name, "union", what, lambda one: count_all([one])[0], batch=count_all, options=options
    )


NLI = nli()
DEFINITION = definition()
