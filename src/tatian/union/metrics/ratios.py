"""The formulas of Hirsch et al. 2023, §5.1, over any number of unions: counts are added first.

Each row of statistics is one union: its content words, and how many words are amiss.
"""

from __future__ import annotations

import numpy as np

from tatian.statistics.resampling import Numbers


def coverage_ratio(statistics: Numbers) -> Numbers:
    """total / (total + missing); 1 where there was nothing to say."""
    totals = statistics.sum(axis=-2)
    return _over(totals[..., 0], totals[..., 0] + totals[..., 1])


def kept_ratio(statistics: Numbers) -> Numbers:
    """1 - amiss / total; 1 where nothing was said."""
    totals = statistics.sum(axis=-2)
    return _over(totals[..., 0] - totals[..., 1], totals[..., 0])


def _over(part: Numbers, whole: Numbers) -> Numbers:
    ratio: Numbers = np.divide(part, whole, out=np.ones_like(whole), where=whole > 0)
    return ratio
