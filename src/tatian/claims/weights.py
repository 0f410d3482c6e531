"""Weights of the decision whether two claims are about the same thing."""

from __future__ import annotations

from msgspec import Struct


class SameThingWeights(Struct, frozen=True):
    """Weights of a logistic regression, in log-odds, and the bounds on its probability.

    Those with the model were fitted on pairs that the model never saw.
    """

    constant: float
    """Log-odds with no sign present."""
    model: float
    """Weight of the model's log-odds."""
    words: float
    """Weight of the share of the sentences' words that both have."""
    agree: float
    """Weight of values that agree."""
    governors: float
    """Weight of governors that occur in the other sentence: half for one claim, full for both."""
    named: float
    """Additional weight of names that agree."""
    distance: float
    """Weight of the distance of differing figures: the logarithm of their ratio."""
    slots: tuple[float, float, float]
    """Additional weight where both fill one slot of an event: none, one that grows, one not."""
    bounds: tuple[float, float]
    """Least probability for values that agree, and for values that exclude each other."""


WITH_MODEL = SameThingWeights(
    constant=-0.95, model=0.75, words=2.45, agree=1.55, governors=0.8, named=1.5, distance=-1.65,
    slots=(0.0, 1.9, 2.1), bounds=(0.5, 0.875),
)  # fmt: skip
WORDS_ALONE = SameThingWeights(
    constant=-2.4, model=0.0, words=5.7, agree=2.9, governors=0.1, named=0.7, distance=0.0,
    slots=(0.0, 0.0, 0.0), bounds=(0.6, 0.75),
)  # fmt: skip
"""Weights where the models are not installed."""
