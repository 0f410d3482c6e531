"""Who stands out from the others, by measures that those who stand out cannot bend."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean, median

FAR = 3.5
"""A robust z beyond which somebody stands out (Iglewicz and Hoaglin 1993)."""
FEWEST = 3
"""People that it takes to stand out from."""
_MEDIAN_DEVIATION = 0.6745
_MEAN_DEVIATION = 0.7979
"""What turns deviations from the median into standard deviations of a normal distribution."""


def robust_z(values: Mapping[str, float]) -> dict[str, float]:
    """How far each value is from the median, in robust standard deviations.

    The spread is the median absolute deviation, or the mean one where most values are the same.
    Nobody is far from anybody where there are fewer than three, or no spread.
    """
    if len(values) < FEWEST:
        return {}
    middle = median(values.values())
    deviations = [abs(value - middle) for value in values.values()]
    spread, factor = median(deviations), _MEDIAN_DEVIATION
    if not spread:
        spread, factor = mean(deviations), _MEAN_DEVIATION
    if not spread:
        return dict.fromkeys(values, 0.0)
    return {name: factor * (value - middle) / spread for name, value in values.items()}
