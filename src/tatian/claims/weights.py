"""Weights of the decision whether two claims are about the same thing."""

from __future__ import annotations

from msgspec import Struct


class SameThing(Struct, frozen=True):
    """Weights of the decision whether two claims are about the same thing, and its bounds.

    They are of a logistic regression. Those with the model are from pairs that the model never saw.
    """

    constant: float
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
    least: float
    """Least log-odds of the model in that case: in long sentences it sees too many differences."""
    bounds: tuple[float, float]
    """Least probability for values that agree, and for values that exclude each other."""


WITH_MODEL = SameThing(
    -0.8, 0.85, 2.3, 1.65, 1.4, 3.0, -2.0, (0.0, 2.5, 3.1), -1.0, bounds=(0.55, 0.86)
)
WORDS_ALONE = SameThing(
    -2.4, 0.0, 5.7, 2.9, 0.1, 0.7, 0.0, (0.0, 0.0, 0.0), 0.0, bounds=(0.6, 0.75)
)
"""Weights where the models are not installed."""
