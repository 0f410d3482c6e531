"""What each kind of error costs: the score of a response in which only that kind is put right.

The experiment of Kummerfeld & Klein 2013, section 4, on the CoNLL average. Kinds meet in the same
chains, so their costs do not add up to what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tatian.coreference.comparing.compare import Comparison
from tatian.coreference.comparing.kinds import KINDS, Kind
from tatian.coreference.comparing.mending import mended
from tatian.coreference.metrics.documents import score
from tatian.progress import Progress, silent
from tatian.text import CHAINS, Chain, Document

METRIC = "conll"


def with_costs(comparison: Comparison, progress: Progress = silent) -> Comparison:
    """The comparison with its `costs`; refuses a response that cannot be scored."""
    key = [_document(one.id, one.text, one.key.chains) for one in comparison.documents]
    before = _f1(comparison, key, ())
    costs: dict[Kind, float] = {}
    for done, (kind, number) in enumerate(comparison.counts.items(), 1):
        costs[kind] = _f1(comparison, key, (kind,)) - before if number else 0.0
        progress("score", done, len(KINDS))
    return msgspec.structs.replace(comparison, costs=costs)


def _f1(comparison: Comparison, key: list[Document], kinds: Iterable[Kind]) -> float:
    response = [_document(one.id, one.text, mended(one, kinds)) for one in comparison.documents]
    found = score(
        key,
        response,
        metrics=[METRIC],
        match=comparison.match,
        singletons=comparison.singletons,
    )
    return found.rates(METRIC).f1


def _document(id: str, text: str, chains: Iterable[Chain]) -> Document:
    return Document(id, text).with_layer(CHAINS, chains, "tatian.coreference.comparing")
