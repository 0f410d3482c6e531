"""The metrics there are, in the order in which they are printed."""

from __future__ import annotations

from collections.abc import Iterable

from tatian.errors import InputError
from tatian.scoring.b_cubed import B_CUBED
from tatian.scoring.blanc import BLANC
from tatian.scoring.ceaf import CEAF_E, CEAF_M
from tatian.scoring.conll import CONLL, PARTS, join
from tatian.scoring.lea import LEA
from tatian.scoring.mention_detection import MENTIONS
from tatian.scoring.metric import Counts, Metric
from tatian.scoring.muc import MUC
from tatian.scoring.overlap import Overlap

METRICS: dict[str, Metric] = {
    metric.name: metric for metric in (MUC, B_CUBED, CEAF_M, CEAF_E, BLANC, LEA, MENTIONS, CONLL)
}


def chosen(names: Iterable[str] | None) -> tuple[Metric, ...]:
    """The metrics called `names`, each once, in the usual order; all of them without any."""
    if names is None:
        return tuple(METRICS.values())
    wanted = set(names)
    unknown = sorted(wanted - METRICS.keys())
    if unknown:
        raise InputError(f"no metric called '{unknown[0]}': known: {', '.join(METRICS)}")
    return tuple(metric for name, metric in METRICS.items() if name in wanted)


def count_all(found: Overlap, metrics: Iterable[Metric]) -> dict[str, Counts]:
    """The counts of each metric; the CoNLL average reuses those of its parts."""
    wanted = tuple(metrics)
    counted = {metric.name: metric.count(found) for metric in wanted if metric is not CONLL}
    if CONLL in wanted:
        parts = [counted.get(part.name) or part.count(found) for part in PARTS]
        counted[CONLL.name] = join(parts)
    return {metric.name: counted[metric.name] for metric in wanted}
