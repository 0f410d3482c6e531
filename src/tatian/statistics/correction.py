"""P-values of several tests at once: who tests often enough finds something by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from tatian.errors import InputError

Correction = Literal["holm", "bonferroni", "none"]


def corrected(p_values: Sequence[float], method: Correction = "holm") -> list[float]:
    """The p-values as they count when all of them were looked at, in their order.

    `holm` (1979) bounds the chance of any false discovery as `bonferroni` does, and finds more.
    """
    for value in p_values:
        if math.isnan(value) or not 0 <= value <= 1:
            raise InputError(f"{value} is not a p-value")
    if method == "none":
        return list(p_values)
    if method == "bonferroni":
        return [min(1.0, value * len(p_values)) for value in p_values]
    if method != "holm":
        raise InputError(f"no correction '{method}': there are holm, bonferroni and none")
    found = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        found[index] = largest
    return found
