"""Order of the selected spans, the reason for each placement, and paragraph breaks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import reduce
from typing import get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.plan import Placement, PlacementReason, Selection
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text import Document
from tatian.text.datelines import published
from tatian.text.dates import named_days

_PLACE = 1.0
"""Penalty per unit of distance from a block's expected relative position, 0 to 1."""
_LIKE = 1.0
"""Bonus for similarity to the block before, and half of it for similarity to the one after."""
_FOLLOWS = 0.8
"""Bonus for directly following the previous block of its source."""
_ANCHOR = 0.3
"""Bonus for following the span that covers the dropped sentence before it in its source."""
_DEPENDS = 2.5
"""Bonus instead for a block that depends on that dropped sentence."""
_ELABORATES, _BESIDE = 0.6, 2.0
"""Least covered share at which a span elaborates another, and the bonus for following that one."""
_BEFORE = 0.5
"""Bonus for preceding a block whose dropped predecessor it covers, and penalty for blocks placed
between the two."""
_OVERTAKEN, _CAME = 1.0, 0.2
"""Penalty for an outcome placed before its forecast, and the least share of the forecast that it
covers."""
_TIME = 0.5
"""Penalty for placement before blocks of an earlier day or after those of a later one."""
_PART, _PARTED = 0.5, 1.0
"""Penalties for separating blocks that belong together, and a block from one it depends on."""
_SAME = 0.5
"""Least similarity at which spans of different sources are at the same point of the story."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b(?!,\d)")
_SHORTEST, _MIDDLE, _LONGEST = 2, 4, 7
"""Sentences of a paragraph: minimum, length from which a weak link ends it, and maximum."""
_TOPIC, _LOOSE = 0.3, 0.45
"""Cohesion below which a new paragraph begins, and below which a longer one may end."""
_TOGETHER = 0.2
"""Cohesion bonus for blocks that are adjacent in their source."""

Floats = NDArray[np.float64]

_REASONS: tuple[PlacementReason, ...] = get_args(PlacementReason)
_DEPENDENT = Placement("depends")


class OrderedSpans(Struct, frozen=True):
    """Spans in text order, grouped into paragraphs, with their placements."""

    paragraphs: list[tuple[SourceSpan, ...]]
    placements: dict[Key, Placement]


class SpanBlock(Struct, frozen=True):
    """Spans of one source that stay together."""

    spans: tuple[SourceSpan, ...]
    day: date | None = None
    """First day that it names."""
    after: tuple[Key, ...] = ()
    """Spans that cover the dropped span before it in its source."""
    placement: Placement = Placement("order")


def order_spans(
    sources: Sequence[Sequence[SourceSpan]],
    selection: Selection,
    coverage: CoverageModel,
    days: Mapping[Key, date],
    later: Collection[int] = (),
    forecasts: Collection[Key] = (),
) -> OrderedSpans:
    """Return the paragraphs: the first source in its order, with blocks of the others between.

    Each added block is placed next to what it resembles, and where it separates little.
    Every source keeps its own order. Blocks of `later` sources (indices of those of a later day)
    are expected in the second half of the text. `forecasts` stand before their outcomes.
    """
    places = _places(sources, coverage)
    for number in later:
        places |= {span.key: (1 + places.get(span.key, 0.0)) / 2 for span in sources[number]}
    first, *others = sources
    text = _blocks(first, selection, days)
    for spans in others:
        text = _merge(text, _blocks(spans, selection, days), coverage, places, forecasts)
    placements = {
        span.key: block.placement if block.placement.reason == "order" or not number else _DEPENDENT
        for block in text
        for number, span in enumerate(block.spans)
    }
    return OrderedSpans(group_paragraphs(text, coverage), placements)


def _blocks(
    spans: Sequence[SourceSpan], selection: Selection, days: Mapping[Key, date]
) -> list[SpanBlock]:
    """Group the kept spans of a source into blocks, each span with those that depend on it."""
    blocks: list[list[SourceSpan]] = []
    anchors: list[tuple[Key, ...]] = []
    before: SourceSpan | None = None
    for span in spans:
        if span.key in selection.kept:
            bound = before is not None and span.dependency and before.key in selection.kept
            if blocks and (bound or _same_pronoun(spans, span, blocks[-1][-1])):
                blocks[-1].append(span)
            else:
                blocks.append([span])
                anchors.append(selection.dropped.get(before.key, ()) if before is not None else ())
        before = span
    return [
        SpanBlock(tuple(block), next((days[u.key] for u in block if u.key in days), None), after)
        for block, after in zip(blocks, anchors, strict=True)
    ]


def _same_pronoun(spans: Sequence[SourceSpan], span: SourceSpan, last: SourceSpan) -> bool:
    """Check whether all dropped spans between two have the same pronoun as the later one."""
    if span.dependency != "before" or not span.pronoun_text:
        return False
    between = spans[spans.index(last) + 1 : spans.index(span)]
    return all(other.pronoun_text == span.pronoun_text for other in between)


def _places(sources: Sequence[Sequence[SourceSpan]], coverage: CoverageModel) -> dict[Key, float]:
    """Return the expected relative position of each span, 0 to 1, averaged over all sources."""
    in_source = {
        span.key: index / max(1, len(spans) - 1)
        for spans in sources
        for index, span in enumerate(spans)
        if coverage.knows(span.key)
    }
    places = {}
    for key, place in in_source.items():
        total, weight = place, 1.0
        for other in coverage.candidates(key):
            alike = coverage.similarity(key, other)
            if alike > _SAME and other in in_source:
                total += alike**4 * in_source[other]
                weight += alike**4
        places[key] = total / weight
    return places


def _merge(
    text: list[SpanBlock],
    blocks: Sequence[SpanBlock],
    coverage: CoverageModel,
    places: Mapping[Key, float],
    forecasts: Collection[Key] = (),
) -> list[SpanBlock]:
    """Merge two sequences of blocks in their orders, with the best total placement score."""
    if not text or not blocks:
        return text or list(blocks)
    home = {span.key: number for number, block in enumerate(text) for span in block.spans}
    days = sorted((block.day, number) for number, block in enumerate(text) if block.day)
    steps = []
    reasons = []
    costs = _separation_costs(text, coverage)
    covering = _covering_blocks(text, blocks)
    total = np.zeros(len(text))
    for number, block in enumerate(blocks):
        best = np.maximum.accumulate(total)
        came = np.maximum.accumulate(np.where(total >= best, np.arange(len(text)), 0))
        stays = total + (_FOLLOWS if number and not block.after else 0.0)
        came = np.where(stays >= best, np.arange(len(text)), came)
        terms = (
            *_gap_scores(block, len(text), home, days, coverage, places),
            np.where(number == covering, _BEFORE, 0.0),
            _forecast_penalties(block, text, coverage, forecasts),
        )
        total = np.maximum(best, stays) + reduce(np.add, terms)
        total -= costs + np.where(number > covering, _BEFORE, 0.0)
        steps.append(came)
        reasons.append(_strongest_reasons(terms))
    gap = int(np.argmax(total))
    after: list[list[SpanBlock]] = [[] for _ in text]
    for number in reversed(range(len(blocks))):
        block, before = blocks[number], int(steps[number][gap])
        strongest, strengths = reasons[number]
        stayed = bool(number) and before == gap and not block.after
        follows = stayed and strengths[gap] < _FOLLOWS
        reason: PlacementReason = "follows" if follows else _REASONS[strongest[gap]]
        placement = _place_block(reason, block, gap, home, coverage)
        after[gap].insert(0, replace(block, placement=placement))
        gap = before
    return [new for block, added in zip(text, after, strict=True) for new in (block, *added)]


def _separation_costs(text: Sequence[SpanBlock], coverage: CoverageModel) -> Floats:
    """Return the cost of separating each block from the next, higher where they cohere."""
    costs = np.zeros(len(text))
    for number in range(1, len(text)):
        cohesion = _cohesion(text, number, coverage)
        dependency = bool(text[number].spans[0].dependency)
        costs[number - 1] = _PARTED if dependency else _PART * max(0.0, min(cohesion, 1.0) - _TOPIC)
    return costs


def _covering_blocks(text: Sequence[SpanBlock], blocks: Sequence[SpanBlock]) -> NDArray[np.int64]:
    """For each gap, return the new block that covers the next block's dropped predecessor."""
    home = {span.key: number for number, block in enumerate(blocks) for span in block.spans}
    none = len(blocks)
    covering = [home.get(block.after[0], none) if block.after else none for block in text]
    return np.array([*covering[1:], none])


def _forecast_penalties(
    block: SpanBlock, text: Sequence[SpanBlock], coverage: CoverageModel, forecasts: Collection[Key]
) -> Floats:
    """Return the penalty at each gap for placing an outcome before its forecast."""
    costs = np.zeros(len(text))
    expects = _expects(block, forecasts)
    for number, other in enumerate(text) if forecasts else ():
        if _expects(other, forecasts) and _came_of(other, block, coverage, forecasts):
            costs[:number] = -_OVERTAKEN
        if expects and _came_of(block, other, coverage, forecasts):
            costs[number:] = -_OVERTAKEN
    return costs


def _expects(block: SpanBlock, forecasts: Collection[Key]) -> bool:
    return any(span.key in forecasts for span in block.spans)


def _came_of(
    forecast: SpanBlock, block: SpanBlock, coverage: CoverageModel, forecasts: Collection[Key]
) -> bool:
    """Check whether a block reports the outcome of something that another expected."""
    return any(
        coverage.covered_share(span.key, (outcome.key,)) > _CAME
        for span in forecast.spans
        if span.key in forecasts
        for outcome in block.spans
        if outcome.key not in forecasts and outcome.source != span.source
    )


def _gap_scores(
    block: SpanBlock,
    count: int,
    home: Mapping[Key, int],
    days: Sequence[tuple[date, int]],
    coverage: CoverageModel,
    places: Mapping[Key, float],
) -> tuple[Floats, ...]:
    """Score a block at the gap after each block of the text, one array per reason."""
    alike = np.zeros(count + 1)
    for span in block.spans:
        for other in coverage.neighbours(span.key):
            if other in home:
                value = coverage.similarity(span.key, other)
                alike[home[other]] = max(alike[home[other]], value)
    gaps = np.arange(1, count + 1) / count
    place = -_PLACE * np.abs(gaps - places[block.spans[0].key])
    like = _LIKE * (alike[:-1] + 0.5 * alike[1:])
    adds, after, day = np.zeros(count), np.zeros(count), np.zeros(count)
    if (elaborated := _elaborated(block, home, coverage)) is not None:
        adds[home[elaborated]] = _BESIDE
    for other in block.after[:1]:
        if other in home:
            after[home[other]] = _DEPENDS if block.spans[0].dependency else _ANCHOR
    if block.day is not None and days:
        day = -_TIME * _misplaced(block.day, count, days)
    return place, like, adds, after, day


def _strongest_reasons(terms: Sequence[Floats]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return for each gap the reason that favours it most over other gaps, and by how much.

    Position in the source is the reason only if no other favours the gap.
    """
    scores = np.stack(terms[1:])
    more = scores - scores.mean(axis=1, keepdims=True) if scores.shape[1] > 1 else scores
    most = more.max(axis=0)
    return np.where(most > 0, more.argmax(axis=0) + 1, 0).astype(np.uint8), most.astype(np.float32)


def _place_block(
    reason: PlacementReason,
    block: SpanBlock,
    gap: int,
    home: Mapping[Key, int],
    coverage: CoverageModel,
) -> Placement:
    """Return the placement, with an anchor where the reason has one."""
    if reason == "adds":
        return Placement(reason, _elaborated(block, home, coverage))
    if reason != "like":
        return Placement(reason)
    _, most = max(
        (coverage.similarity(span.key, other), other)
        for span in block.spans
        for other in coverage.neighbours(span.key)
        if other in home
    )
    return Placement("like", most) if home[most] in (gap, gap + 1) else Placement("place")


def _elaborated(block: SpanBlock, home: Mapping[Key, int], coverage: CoverageModel) -> Key | None:
    """Return the span that covers most of a block of one span, if there is one."""
    if len(block.spans) > 1 or block.spans[0].dependency:
        return None
    key = block.spans[0].key
    candidates = [other for other in coverage.candidates(key) if other in home]
    shares = [(coverage.covered_share(key, (other,)), other) for other in candidates]
    share, elaborated = max(shares, default=(0.0, key))
    return elaborated if share > _ELABORATES else None


def _misplaced(day: date, count: int, days: Sequence[tuple[date, int]]) -> Floats:
    """For each gap, return the share of dated blocks that are out of order with a day there."""
    wrong = np.zeros(count)
    earlier = days[: bisect_left(days, (day, -1))]
    later = days[bisect_right(days, (day, count)) :]
    for _, number in earlier:
        wrong[:number] += 1
    for _, number in later:
        wrong[number:] += 1
    return wrong / len(days)


def group_paragraphs(
    blocks: Sequence[SpanBlock], coverage: CoverageModel
) -> list[tuple[SourceSpan, ...]]:
    """Group blocks into paragraphs: break where the topic changes, never inside a block."""
    groups: list[list[SourceSpan]] = []
    size = 0
    for number, block in enumerate(blocks):
        cohesion = _cohesion(blocks, number, coverage) if number else 0.0
        long = size >= _LONGEST or (size >= _MIDDLE and cohesion < _LOOSE) or cohesion < _TOPIC
        if not number or (size >= _SHORTEST and long):
            groups.append([])
            size = 0
        groups[-1].extend(block.spans)
        size += sum(len(span.bodies) for span in block.spans)
    return [tuple(spans) for spans in groups]


def _cohesion(blocks: Sequence[SpanBlock], number: int, coverage: CoverageModel) -> float:
    """Return a block's cohesion with those before it, by similarity and the source's paragraphs."""
    before, after = blocks[max(0, number - 2) : number], blocks[number : number + 2]
    alike = max(
        coverage.similarity(span.key, other.key)
        for block in before
        for span in block.spans
        for next_block in after
        for other in next_block.spans
    )
    last, first = before[-1].spans[-1], after[0].spans[0]
    if last.source != first.source or first.indices[0] != last.indices[-1] + 1:
        return alike
    if first.opens is None:
        return alike + _TOGETHER
    return _TOPIC / 2 if first.opens else 1.0


def find_days(spans: Iterable[SourceSpan], documents: Sequence[Document]) -> dict[Key, date]:
    """Return the first day that a span names, or else the middle of the first year, if any."""
    days = {}
    for span in spans:
        document = documents[span.source]
        named = named_days(document.tokens_in(span.bodies[0]), published(document))
        if named:
            days[span.key] = named[min(named)]
        elif year := _YEAR.search(span.text):
            days[span.key] = date(int(year[0]), 7, 1)
    return days
