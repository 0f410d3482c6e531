"""Whether a sentence is in the intersection of others: every one of them must entail it.

Hirsch et al. 2023, footnote 2: s1 and s2 entail i, and i entails all else that both entail. The
first half can be asked of an entailment model; how much of the rest is there shows in how many of
the shared content words i keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tatian.union.metrics.nli import Judge, judge


def intersection_holds(
    intersection: str, sentences: Sequence[str], *, by: Judge | None = None
) -> tuple[float, ...]:
    """For each sentence, the probability that it entails `intersection`.

    `by` judges in the place of the shipped model: see ``tatian.union.metrics.judge``.
    """
    return probabilities([intersection], sentences, by or judge())[0]


def probabilities(
    wordings: Iterable[str], sentences: Sequence[str], by: Judge
) -> list[tuple[float, ...]]:
    """As `intersection_holds` for several wordings, none of which is judged twice."""
    asked = list(wordings)
    pairs = dict.fromkeys(
        (sentence, wording)
        for wording in asked
        for sentence in sentences
        if sentence != wording and wording
    )
    known = dict(zip(pairs, (found.entailment for found in by(pairs)), strict=True))
    return [
        tuple(known.get((sentence, wording), 1.0) for sentence in sentences) for wording in asked
    ]
