"""Scores of mentions with links: spans and links together, spans alone, links alone.

Definitions (the mention benchmark, §3: "the same term can appear multiple times in mentions, either
with the same span but linked to different entities, or with different spans"):

- A **gold mention** is a span with all its right pages; entries of one span are one mention. It is
  *found* when one of its pages is predicted for a span that matches. Recall is the share found.
- A **predicted link** is a span with one page. A prediction of three pages is three links: each
  is right or wrong. Precision is the share that are right.
- Spans **match** if they are equal (`strong`) or share a character (`weak`). Matching is one to
  one: each gold mention and each prediction is used once, so that as many gold mentions as possible
  are found.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple, get_args

from msgspec import Struct

from tatian.scoring.assignment import assign as heaviest
from tatian.scoring.metric import Metric, ratios
from tatian.text import Link

Match = Literal["strong", "weak"]
MATCHES: tuple[Match, ...] = get_args(Match)


class LinkItem(NamedTuple):
    """A span with its pages, ready to be compared."""

    start: int
    end: int
    titles: tuple[str, ...]
    """Distinct titles, normalised and with redirects resolved, best first."""
    mention: Link
    """Mention that it comes from, for grouping."""


Fits = Callable[[LinkItem, LinkItem], bool]
"""Returns True if a gold mention and a prediction with matching spans may be paired."""


def any_page(gold: LinkItem, predicted: LinkItem) -> bool:
    """Pair any items that match."""
    return True


def shared_page(gold: LinkItem, predicted: LinkItem) -> bool:
    """Pair only items that agree on a page."""
    return not set(gold.titles).isdisjoint(predicted.titles)


class LinkCounts(NamedTuple):
    """Counts of recall and of precision, which can count different things.

    A gold mention with two right pages, both predicted, is one mention found by two right links.
    """

    found: int = 0
    """Gold mentions that were found."""
    gold: int = 0
    right: int = 0
    """Predicted links that are right."""
    predicted: int = 0


class Partners(NamedTuple):
    """Gold mentions and their predictions, by index: first those that agree on a page."""

    right: dict[int, int]
    wrong: dict[int, int]
    """Other matches, whose pages differ."""


class LinkedPair(Struct, frozen=True, dict=True):
    """The gold mentions and the predictions of one text.

    Both are in text order, and spans are distinct.
    """

    id: str
    gold: tuple[LinkItem, ...]
    predicted: tuple[LinkItem, ...]
    match: Match = "strong"

    @cached_property
    def partners(self) -> Partners:
        """Pairs that agree on a page, and pairs of the others."""
        right = assign(self.gold, self.predicted, self.match, shared_page)
        used = set(right.values())
        gold = [index for index in range(len(self.gold)) if index not in right]
        predicted = [index for index in range(len(self.predicted)) if index not in used]
        remaining = [self.gold[i] for i in gold], [self.predicted[i] for i in predicted]
        wrong = assign(*remaining, self.match)
        return Partners(right, {gold[index]: predicted[place] for index, place in wrong.items()})


def _full(text: LinkedPair) -> LinkCounts:
    """Count every predicted (span, page)."""
    return LinkCounts(
        right=sum(
            count_agreeing(text.gold[index], text.predicted[place])
            for index, place in text.partners.right.items()
        ),
        predicted=sum(len(item.titles) for item in text.predicted),
        found=len(text.partners.right),
        gold=len(text.gold),
    )


def _detection(text: LinkedPair) -> LinkCounts:
    matched = len(assign(text.gold, text.predicted, text.match))
    return LinkCounts(matched, len(text.gold), matched, len(text.predicted))


def _linking(text: LinkedPair) -> LinkCounts:
    """Count linked pages; precision, recall and F1 are all the accuracy."""
    partners = text.partners
    right = sum(
        text.predicted[place].titles[0] in text.gold[index].titles
        for index, place in partners.right.items()
    )
    wrong = sum(bool(text.predicted[other].titles) for other in partners.wrong.values())
    matched = len(partners.right) + wrong
    return LinkCounts(right, matched, right, matched)


def count_agreeing(gold: LinkItem, predicted: LinkItem) -> int:
    """Return the number of right pages."""
    return len(set(gold.titles) & set(predicted.titles))


FULL = Metric("full", "mentions", "mentions found and linked to a right page", _full, ratios)
DETECTION = Metric("detection", "mentions", "mentions found, however linked", _detection, ratios)
LINKING = Metric(
    "linking",
    "mentions",
    "of the gold mentions that a prediction with a page matches, those whose best page is right",
    _linking,
    ratios,
)


def assign(
    gold: Sequence[LinkItem], predicted: Sequence[LinkItem], match: Match, fits: Fits = any_page
) -> dict[int, int]:
    """Return the index of the prediction of each gold mention that gets one, by its index.

    Both sides are in text order with distinct spans. As many gold mentions as possible get a
    prediction. If there is a choice, equal spans are preferred to overlaps, longer overlaps to
    shorter ones, and earlier mentions to later ones.
    """
    if match == "strong":
        place_of = {(item.start, item.end): index for index, item in enumerate(predicted)}
        same = ((index, place_of.get((item.start, item.end))) for index, item in enumerate(gold))
        return {
            index: place
            for index, place in same
            if place is not None and fits(gold[index], predicted[place])
        }
    # A pair outweighs all overlaps, equal spans outweigh any one overlap.
    same_weight = max((item.end for item in gold), default=0) + 1
    pair_weight = same_weight * (2 * len(gold) + 1)
    weights: list[tuple[int, int, float]] = []
    for index, places in enumerate(_overlapping(gold, predicted)):
        for place in places:
            item, candidate = gold[index], predicted[place]
            if fits(item, candidate):
                is_same = (item.start, item.end) == (candidate.start, candidate.end)
                weight = pair_weight + same_weight * is_same + _shared(item, candidate)
                weights.append((index, place, weight))
    return dict(sorted(heaviest(weights)))


def touches(item: LinkItem, others: Sequence[LinkItem], match: Match) -> bool:
    """Return whether an item's span matches any of the others."""
    if match == "strong":
        return any((item.start, item.end) == (other.start, other.end) for other in others)
    return any(_shared(item, other) > 0 for other in others)


def _overlapping(gold: Sequence[LinkItem], predicted: Sequence[LinkItem]) -> Iterator[list[int]]:
    """Yield for each gold mention the predictions that share a character with it."""
    starts = [item.start for item in predicted]
    reach = list(accumulate((item.end for item in predicted), max))
    for item in gold:
        first, last = bisect_right(reach, item.start), bisect_left(starts, item.end)
        yield [place for place in range(first, last) if _shared(item, predicted[place]) > 0]


def _shared(first: LinkItem, second: LinkItem) -> int:
    return min(first.end, second.end) - max(first.start, second.start)
