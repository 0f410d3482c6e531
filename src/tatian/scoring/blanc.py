"""BLANC: links and non-links judged alike (Recasens and Hovy 2011, extended by Luo et al. 2014).

Links are counted from the sizes of chains and of their intersections, never one by one: all
pairs of the shared mentions, less those in one chain of the key or of the response, are the
non-links both agree on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tatian.scoring.metric import Counts, Metric, Rates, ratios
from tatian.scoring.overlap import Overlap


def _count(overlap: Overlap) -> Counts:
    key, response, cells = overlap
    rows: Counter[int] = Counter()
    columns: Counter[int] = Counter()
    linked = 0
    for row, column, count in cells:
        linked += pairs(count)
        rows[row] += count
        columns[column] += count
    in_rows, in_columns = sum(map(pairs, rows.values())), sum(map(pairs, columns.values()))
    apart = pairs(overlap.shared) - in_rows - in_columns + linked
    key_links, response_links = sum(map(pairs, key)), sum(map(pairs, response))
    key_others = pairs(sum(key)) - key_links
    response_others = pairs(sum(response)) - response_links
    return linked, key_links, response_links, apart, key_others, response_others


def _rates(counts: Sequence[float]) -> Rates:
    """Return the mean of links and non-links, or the kind that the key has."""
    linked, key_links, response_links, apart, key_others, response_others = counts
    links = ratios((linked, key_links, linked, response_links))
    others = ratios((apart, key_others, apart, response_others))
    if not key_links and not key_others:
        return Rates(0.0, 0.0, 0.0)
    if not key_links:
        return others
    if not key_others:
        return links
    return Rates.mean([links, others])


def pairs(count: int) -> int:
    """Return the number of links among `count` mentions."""
    return count * (count - 1) // 2


BLANC = Metric("blanc", "coreference", "links and non-links (Luo et al. 2014)", _count, _rates)
