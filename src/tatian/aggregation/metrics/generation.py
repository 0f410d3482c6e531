"""How good generated phrases are: those that people gave, those that facts support, their variety.

Phrases match after normalisation (`normal`: case, determiners, numbers). Counted are the first ten
proposals of each instance, in the order given; `tatian.scoring.generation` has the metrics.
Supported is what rests on facts: as the system tells, if it tells any (what only quotes the context
does not count), or as a knowledge base knows (`Facts` of the aggregator).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from msgspec import Struct

from tatian.aggregation.data.records import Instance, check
from tatian.aggregation.data.rules import normal
from tatian.aggregation.metrics.ranking import check_ids, fingerprint_of
from tatian.errors import InputError
from tatian.scoring.generation import LIMIT, SUPPORTED, SUPPORTED_AT_1, Proposals
from tatian.scoring.metric import chosen
from tatian.scoring.scores import Scores, counted

QUOTED = "the text:"
"""How a line of support begins that is no fact but what the context says."""
_OF_SUPPORT = (SUPPORTED, SUPPORTED_AT_1)


class Generated(Struct, frozen=True, omit_defaults=True):
    """One line of a generation: phrases for an instance, best first."""

    id: str
    aggregations: tuple[tuple[str, float], ...]
    support: tuple[tuple[str, ...], ...] = ()
    """For each phrase the facts it rests on, where the system tells."""


def score_generated(
    task: Sequence[Instance],
    generated: Mapping[str, Generated],
    *,
    facts: Callable[[Instance], Set[str]] | None = None,
    metrics: Iterable[str] | None = None,
) -> Scores:
    """How good the phrases are that a system proposed for the instances of a task.

    Support is what the system tells, or with `facts` whether a phrase is among those that it gives
    for the instance. Instances without gold are an error.
    """
    check_ids(task, generated)
    items = [_proposals(one, generated[one.id], facts) for one in task]
    told = facts is not None or any(answer.support for answer in generated.values())
    used = [one for one in chosen("generation", metrics) if told or one not in _OF_SUPPORT]
    return Scores(
        "generation",
        tuple(one.id for one in task),
        tuple(used),
        counted(items, used),
        {"limit": str(LIMIT), **({"support": "base"} if facts else {})},
        fingerprint_of(task),
        "generation.",
    )


def _proposals(
    instance: Instance, generated: Generated, facts: Callable[[Instance], Set[str]] | None
) -> Proposals:
    try:
        check(instance, ("aggregations",))
        _check(generated)
    except ValueError as error:
        raise InputError(f"instance '{instance.id}': {error}") from error
    phrases = [normal(phrase) for phrase, _ in generated.aggregations[:LIMIT]]
    if facts is not None:
        known = facts(instance)
        supported = [phrase in known for phrase in phrases]
    else:
        supported = [_rests_on_facts(lines) for lines in generated.support[:LIMIT]]
    return Proposals(phrases, frozenset(map(normal, instance.aggregations)), supported)


def _rests_on_facts(lines: Sequence[str]) -> bool:
    return any(not line.startswith(QUOTED) for line in lines)


def _check(generated: Generated) -> None:
    if any(not phrase.strip() for phrase, _ in generated.aggregations):
        raise ValueError("an empty phrase was generated: leave it out")
    if generated.support and len(generated.support) != len(generated.aggregations):
        raise ValueError(
            f"{len(generated.aggregations)} phrases, but the support of {len(generated.support)}"
        )
