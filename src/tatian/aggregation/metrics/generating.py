"""How good generated phrases are: those that people gave, those that facts support, their variety.

Nobody gives candidates here, and there are good phrases that no annotator thought of, so a match
with the gold is a lower bound. Phrases match after normalisation (`normal`: case, determiners,
numbers). Counted are the first `limit` proposals of each instance, in the order given:

- `match@1`, `match@10`: the share of instances whose first proposal, or any, is a gold phrase;
- `mrr`: one over the place of the first proposal that is, 0 where none is;
- `recall`: the share of an instance's gold phrases that were proposed;
- `supported`, `supported@1`: the share of proposals, and of first proposals, that rest on facts: as
  the system tells, if it tells any (what only quotes the context does not count), or as a
  knowledge base knows (`support.Facts`);
- `distinct`: the share of proposals that are not an earlier one of their instance again; what has
  no proposals adds nothing, and without any at all it is 0;
- `words`: the share of the proposals' words that no earlier one of the instance used (distinct-1,
  Li et al. 2016): the variety of vocabulary;
- `answered`: the share of instances with any proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from msgspec import Struct

import tatian
from tatian.aggregation.data.records import Instance, check
from tatian.aggregation.metrics.normal import normal
from tatian.aggregation.metrics.scores import plain
from tatian.aggregation.metrics.scoring import check_ids, fingerprint_of
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.statistics import Score
    from tatian.statistics.resampling import Numbers

LIMIT = 10
"""TESA Table 7: the ten hypotheses of the beam."""
QUOTED = "the text:"
"""How a line of support begins that is no fact but what the context says."""
_OF_SUPPORT = ("supported", "supported@1")


class Generated(Struct, frozen=True, omit_defaults=True):
    """One line of a generation: phrases for an instance, best first."""

    id: str
    aggregations: tuple[tuple[str, float], ...]
    support: tuple[tuple[str, ...], ...] = ()
    """For each phrase the facts it rests on, where the system tells."""


class Generations(Struct, frozen=True):
    """How good a system's phrases are; make one with `score_generated`."""

    ids: tuple[str, ...]
    counts: dict[str, tuple[tuple[float, float], ...]]
    """For each measure and instance, what counts and out of how much."""
    options: dict[str, str]
    data: str
    """The fingerprint of the task."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of all figures."""
        return tuple(self.counts)

    def score(self, measure: str) -> Score:
        """One figure with its bootstrap error, interval and signature."""
        from tatian.statistics import Score

        if measure not in self.counts:
            raise InputError(f"no measure '{measure}': there are {', '.join(self.counts)}")
        return Score.of(
            f"generation.{measure}",
            self.counts[measure],
            share,
            ids=self.ids,
            data=self.data,
            options=self.options,
        )

    def signature(self) -> str:
        """One line that says how the figures were made; equal lines mean comparable figures."""
        fields = {
            **self.options,
            "n": len(self.ids),
            "data": self.data,
            "version": tatian.__version__,
        }
        return "|".join(["generation", *(f"{name}:{value}" for name, value in fields.items())])

    def to_json(self) -> dict[str, Any]:
        """Plain data, fractions of 1, unrounded; a single instance has no intervals."""
        return plain(self, len(self.ids))


def score_generated(
    task: Sequence[Instance],
    generated: Mapping[str, Generated],
    *,
    limit: int = LIMIT,
    facts: Callable[[Instance], Set[str]] | None = None,
) -> Generations:
    """How good the phrases are that a system proposed for the instances of a task.

    Support is what the system tells, or with `facts` (such as `support.Facts`) whether a phrase is
    among those that it gives for the instance. Instances without gold are an error.
    """
    if limit < 1:
        raise InputError(f"the first {limit} proposals: the limit is at least 1")
    check_ids(task, generated)
    each = [_judged(one, generated[one.id], limit, facts) for one in task]
    told = facts is not None or any(answer.support for answer in generated.values())
    counts = {
        name: tuple(judged[name] for judged in each)
        for name in each[0]
        if told or name not in _OF_SUPPORT
    }
    options = {"limit": str(limit), **({"support": "base"} if facts else {})}
    return Generations(tuple(one.id for one in task), counts, options, fingerprint_of(task))


def share(statistics: Numbers) -> Numbers:
    """What counts of all, over the items together; 0 of nothing."""
    import numpy as np

    totals = statistics.sum(axis=-2)
    found: Numbers = np.divide(
        totals[..., 0], totals[..., 1], out=np.zeros_like(totals[..., 0]), where=totals[..., 1] > 0
    )
    return found


def _judged(
    instance: Instance,
    generated: Generated,
    limit: int,
    facts: Callable[[Instance], Set[str]] | None,
) -> dict[str, tuple[float, float]]:
    try:
        check(instance, ("aggregations",))
        _check(generated)
    except ValueError as error:
        raise InputError(f"instance '{instance.id}': {error}") from error
    phrases = [normal(phrase) for phrase, _ in generated.aggregations[:limit]]
    gold = {normal(phrase) for phrase in instance.aggregations}
    if facts is not None:
        known = facts(instance)
        supported = [phrase in known for phrase in phrases]
    else:
        supported = [_rests_on_facts(lines) for lines in generated.support[:limit]]
    places = [place for place, phrase in enumerate(phrases, start=1) if phrase in gold]
    words = [word for phrase in phrases for word in phrase.split()]
    first = places[0] if places else 0
    return {
        "match@1": (first == 1, 1),
        f"match@{limit}": (first > 0, 1),
        "mrr": (1 / first if first else 0, 1),
        "recall": (len(gold.intersection(phrases)) / len(gold), 1),
        "supported": (sum(supported), len(phrases)),
        "supported@1": (sum(supported[:1]), len(phrases[:1])),
        "distinct": (len(set(phrases)), len(phrases)),
        "words": (len(set(words)), len(words)),
        "answered": (bool(phrases), 1),
    }


def _rests_on_facts(lines: Sequence[str]) -> bool:
    return any(not line.startswith(QUOTED) for line in lines)


def _check(generated: Generated) -> None:
    if any(not phrase.strip() for phrase, _ in generated.aggregations):
        raise ValueError("an empty phrase was generated: leave it out")
    if generated.support and len(generated.support) != len(generated.aggregations):
        raise ValueError(
            f"{len(generated.aggregations)} phrases, but the support of {len(generated.support)}"
        )
