"""Answers to any of the four steps, scored against what is right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tatian.errors import EmptyInput, InputError
from tatian.text import CHAINS, LINKS, Document

if TYPE_CHECKING:
    from tatian.scoring import Scores

Step = Literal["mentions", "coreference", "aggregation", "union"]


def score(
    gold: str | Path | Iterable[Any],
    predicted: Any,
    step: Step | None = None,
    *,
    metrics: Iterable[str] | None = None,
    **options: Any,
) -> Scores:
    """How well answers agree with what is right, by every usual metric or by `metrics`.

    `gold` and `predicted` are documents with chains or with links, or files of them in any format
    that `tatian.formats` reads; instances of the union step; or instances of the aggregation step
    and rankings by their ids. What they hold says which step it is; where documents have both
    chains and links, `step` does. `options` are those of the step's own `score`.
    """
    wanted, answers = _documents(gold), _documents(predicted)
    if not wanted:
        raise EmptyInput("nothing to score against")
    step = step or _step_of(wanted)
    if metrics is not None:
        options["metrics"] = metrics
    if step == "coreference":
        from tatian.coreference import metrics as coreference

        return coreference.score(wanted, answers, **options)
    if step == "mentions":
        from tatian.mentions import metrics as mentions

        return mentions.score(wanted, answers, **options)
    if step == "aggregation":
        from tatian.aggregation import metrics as aggregation

        return aggregation.score(wanted, answers, **options)
    from tatian.union import metrics as union

    return union.score(wanted, answers, **options)


def _documents(given: Any) -> Any:
    if isinstance(given, str | Path):
        from tatian.formats import read

        return read(str(given))
    return given if isinstance(given, Mapping) else list(given)


def _step_of(gold: Sequence[Any]) -> Step:
    if isinstance(gold[0], Document):
        chains = any(one.has(CHAINS) for one in gold)
        links = any(one.has(LINKS) for one in gold)
        if chains == links:
            both = "both chains and links" if chains else "neither chains nor links"
            raise InputError(f"the gold documents have {both}: say which step is scored")
        return "coreference" if chains else "mentions"
    from tatian.aggregation.data import Instance

    return "aggregation" if isinstance(gold[0], Instance) else "union"
