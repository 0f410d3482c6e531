"""All automatic metrics of predicted unions in one call, and comparison of systems (Table 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.scoring.comparison import SystemComparison, Test, compare_systems
from tatian.scoring.metric import Prediction, choose_metrics
from tatian.scoring.novelty import NOVEL
from tatian.scoring.rouge import ROUGE
from tatian.scoring.scores import Scores, count_items
from tatian.union.data import UnionInstance
from tatian.union.metrics import nli
from tatian.union.metrics.mistakes import CRITERIA
from tatian.union.metrics.nli import Judge

if TYPE_CHECKING:
    from tatian.statistics import Column

QUICK = (*ROUGE, "delta_cr", "delta_cr_abs")
"""Metrics that need no model."""
USUAL = (*ROUGE, "nli", "delta_cr", "delta_cr_abs", *CRITERIA)
"""Default metrics: all but novelty, which shows style, and the definition, which needs no gold."""


def score(
    gold: Sequence[UnionInstance],
    predicted: Sequence[UnionInstance],
    metrics: Iterable[str] = QUICK,
    *,
    nli_model: str | Judge | None = None,
    progress: Progress = silent,
    name: str | None = None,
) -> Scores:
    """Score predictions of the gold instances with the named metrics.

    Both must hold the same sentences in the same order; both must be merged. `nli_model` replaces
    the shipped entailment model: a hub name, or a judge such as
    ``tatian.consolidation.verification.judges.local.LocalEntailment``. Errors call the predictions
    `name`.
    """
    from tatian.statistics import fingerprint

    used = choose_metrics("union", metrics)
    if nli_model is not None:
        others = {metric.name: metric for metric in (nli.nli(nli_model), nli.definition(nli_model))}
        used = tuple(others.get(metric.name, metric) for metric in used)
    items = match_predictions(gold, predicted, name)
    return Scores(
        "union",
        tuple(item.id for item in items),
        used,
        count_items(items, used, progress),
        {},
        fingerprint(
            text for instance in gold for text in (*instance.sentences, instance.merged or "")
        ),
    )


def compare(
    gold: Sequence[UnionInstance],
    systems: Mapping[str, Sequence[UnionInstance]],
    metrics: Iterable[str] = USUAL,
    *,
    baseline: str | None = None,
    test: Test = "bootstrap",
    nli_model: str | Judge | None = None,
    progress: Progress = silent,
) -> SystemComparison:
    """Score every system's unions of the gold instances and test the differences."""
    wanted = tuple(metrics)
    scores = {
        name: score(gold, predicted, wanted, nli_model=nli_model, progress=progress, name=name)
        for name, predicted in systems.items()
    }
    used = next(iter(scores.values())).metrics if scores else ()
    columns = {name: column(name) for name in used}
    return compare_systems(scores, columns, baseline=baseline, test=test)


def score_references(
    gold: Sequence[UnionInstance],
    metrics: Iterable[str],
    *,
    nli_model: str | Judge | None = None,
    progress: Progress = silent,
) -> Scores:
    """Score the references themselves: the most that a system can be expected to reach.

    The definition is left out where `nli_model` judges it: that takes as long as for a system.
    """
    quick = [name for name in metrics if nli_model is None or name != "definition"]
    return score(gold, gold, quick, nli_model=nli_model, progress=progress, name="references")


def column(metric: str) -> Column:
    """Return the table column of a metric: per cent, with the best value in bold."""
    from tatian.statistics import Column

    name = _SHOWN.get(metric, metric)
    if metric == "delta_cr":
        return Column(name, precision=1, scale=100, signed=True, best="zero")
    if metric == "delta_cr_abs":
        return Column(name, precision=1, scale=100, best="min")
    return Column(name, precision=1, scale=100, best=None if metric in NOVEL else "max")


_SHOWN = {
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
    "nli": "NLI",
    "delta_cr": "ΔCR",
    "delta_cr_abs": "|ΔCR|",
    "novel1": "novel words",
    "novel2": "novel pairs",
    "novel3": "novel triples",
}


def match_predictions(
    gold: Sequence[UnionInstance], predicted: Sequence[UnionInstance], name: str | None = None
) -> list[Prediction]:
    """Pair each prediction with its reference; raise `InputError` if the sentences differ."""
    items = []
    for index, (instance, guess) in enumerate(pair_predictions(gold, predicted, name), 1):
        if instance.merged is None:
            raise InputError(
                f"gold instance {index} ('{instance.id}') has no merged sentence to compare with"
            )
        items.append(
            Prediction(instance.id, instance.sentences, instance.merged, guess.merged or "")
        )
    return items


def pair_predictions(
    gold: Sequence[UnionInstance], predicted: Sequence[UnionInstance], name: str | None = None
) -> Iterator[tuple[UnionInstance, UnionInstance]]:
    """Yield each instance with its prediction; raise `InputError` if sentences or order differ."""
    if len(gold) != len(predicted):
        raise InputError(
            f"predictions: {len(predicted)}, gold instances: {len(gold)}; there must be as many",
            path=name,
        )
    for index, (instance, guess) in enumerate(zip(gold, predicted, strict=True), 1):
        if instance.sentences != guess.sentences:
            raise InputError(
                f"prediction {index} ('{guess.id}') is about other sentences than gold instance "
                f"'{instance.id}': give both in the same order",
                path=name,
            )
        yield instance, guess
