"""Whether a sentence follows from what is written already, where a model of meaning is at hand."""

from __future__ import annotations

from functools import cache

LIKELY = 0.5
"""The union paper, §7.2: the probability from which a sentence counts as entailed."""


def follows(premise: str, hypothesis: str) -> bool | None:
    """Whether `premise` says what `hypothesis` says; None where the encoder is not installed."""
    if not _available():
        return None
    from tatian.analysis import entails

    return entails(premise, hypothesis).entailment >= LIKELY


@cache
def _available() -> bool:
    from tatian.analysis.installed import unavailable

    return not unavailable()
