"""All automatic metrics of predicted unions in one call, each with its per-item values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.scoring.compression import compression_difference
from tatian.scoring.novelty import NOVEL, novel_rates
from tatian.scoring.rouge import ROUGE, rouge
from tatian.union.data import Instance
from tatian.union.metrics.estimates import estimate
from tatian.union.metrics.nli import SHIPPED, THRESHOLD, bidirectional, defined, equivalent, judge

if TYPE_CHECKING:
    from tatian.statistics import Aggregate, Score

Family = Literal["rouge", "nli", "compression", "estimates", "novelty", "definition"]
FAMILIES: tuple[Family, ...] = get_args(Family)
QUICK: tuple[Family, ...] = ("rouge", "compression")
"""What needs no model."""
USUAL: tuple[Family, ...] = ("rouge", "nli", "compression", "estimates")
"""What says how good a union is; novelty says how it was made, the definition needs no gold."""

METRICS: dict[str, Family] = {
    **dict.fromkeys(ROUGE, "rouge"),
    "nli": "nli",
    "delta_cr": "compression",
    "delta_cr_abs": "compression",
    "coverage": "estimates",
    "faithfulness": "estimates",
    "redundancy": "estimates",
    **dict.fromkeys(NOVEL, "novelty"),
    "definition": "definition",
}
"""Every metric that `score` gives, and its family."""


class Item(Struct, frozen=True):
    """One prediction beside its reference."""

    id: str
    sentences: tuple[str, ...]
    reference: str
    predicted: str


class _Measured(Struct, frozen=True):
    """A metric's numbers for each item, and how they become one."""

    statistics: Sequence[float] | Sequence[Sequence[float]]
    options: dict[str, str] = {}
    aggregate: Aggregate | None = None


def score(
    gold: Sequence[Instance],
    predicted: Sequence[Instance],
    families: Collection[Family] = QUICK,
    *,
    nli_model: str | None = None,
    progress: Progress = silent,
    name: str | None = None,
) -> dict[str, Score]:
    """The metrics of `families` for predictions of the gold instances, by name.

    Both must hold the same sentences in the same order; both must be merged. `nli_model` names an
    entailment model of a hub to use in place of the shipped one, `name` is what errors call the
    predictions.
    """
    from tatian.statistics import Score, fingerprint, mean

    if unknown := set(families) - set(FAMILIES):
        raise InputError(f"no family of metrics '{min(unknown)}': there are {', '.join(FAMILIES)}")
    items = matched(gold, predicted, name)
    data = fingerprint(text for one in gold for text in (*one.sentences, one.merged or ""))
    ids = [item.id for item in items]
    scores = {}
    for family in (one for one in FAMILIES if one in families):
        for metric, one in _FAMILIES[family](items, nli_model, progress).items():
            scores[metric] = Score.of(
                metric,
                one.statistics,
                one.aggregate or mean,
                ids=ids,
                data=data,
                options=one.options,
            )
    return scores


def matched(
    gold: Sequence[Instance], predicted: Sequence[Instance], name: str | None = None
) -> list[Item]:
    """Each prediction beside its reference; refuses predictions for other sentences."""
    if len(gold) != len(predicted):
        raise InputError(
            f"predictions: {len(predicted)}, gold instances: {len(gold)}; there must be as many",
            path=name,
        )
    items = []
    for index, (instance, guess) in enumerate(zip(gold, predicted, strict=True), 1):
        if instance.sentences != guess.sentences:
            raise InputError(
                f"prediction {index} ('{guess.id}') is about other sentences than gold instance "
                f"'{instance.id}': give both in the same order",
                path=name,
            )
        if instance.merged is None:
            raise InputError(
                f"gold instance {index} ('{instance.id}') has no merged sentence to compare with"
            )
        items.append(Item(instance.id, instance.sentences, instance.merged, guess.merged or ""))
    return items


def _rouge(items: Sequence[Item], model: str | None, progress: Progress) -> dict[str, _Measured]:
    found = rouge([(item.reference, item.predicted) for item in items])
    options = {"stem": "porter", "measure": "f"}
    return {name: _Measured([one[name] for one in found], options) for name in ROUGE}


def _nli(items: Sequence[Item], model: str | None, progress: Progress) -> dict[str, _Measured]:
    pairs = [(item.reference, item.predicted) for item in items]
    found = bidirectional(pairs, judge(model), progress)
    return {"nli": _Measured([float(equivalent(one)) for one in found], _nli_options(model))}


def _definition(
    items: Sequence[Item], model: str | None, progress: Progress
) -> dict[str, _Measured]:
    found = defined([(item.sentences, item.predicted) for item in items], judge(model), progress)
    values = [float(one.holds) for one in found]
    return {"definition": _Measured(values, _nli_options(model))}


def _nli_options(model: str | None) -> dict[str, str]:
    return {"model": model or SHIPPED, "threshold": str(THRESHOLD)}


def _compression(
    items: Sequence[Item], model: str | None, progress: Progress
) -> dict[str, _Measured]:
    differences = [
        compression_difference(item.sentences, item.reference, item.predicted) for item in items
    ]
    return {
        "delta_cr": _Measured(differences),
        "delta_cr_abs": _Measured([abs(difference) for difference in differences]),
    }


def _estimates(
    items: Sequence[Item], model: str | None, progress: Progress
) -> dict[str, _Measured]:
    from tatian.union.metrics.ratios import coverage_ratio, kept_ratio

    found = [estimate(item.sentences, item.predicted) for item in items]
    return {
        "coverage": _Measured([(one.total, len(one.missing)) for one in found], {}, coverage_ratio),
        "faithfulness": _Measured(
            [(one.total, len(one.unfaithful)) for one in found], {}, kept_ratio
        ),
        "redundancy": _Measured([(one.total, len(one.repeated)) for one in found], {}, kept_ratio),
    }


def _novelty(items: Sequence[Item], model: str | None, progress: Progress) -> dict[str, _Measured]:
    found = [novel_rates(item.sentences, item.predicted) for item in items]
    return {name: _Measured([one[name] for one in found]) for name in NOVEL}


_FAMILIES: dict[Family, Callable[[Sequence[Item], str | None, Progress], dict[str, _Measured]]] = {
    "rouge": _rouge,
    "nli": _nli,
    "compression": _compression,
    "estimates": _estimates,
    "novelty": _novelty,
    "definition": _definition,
}
