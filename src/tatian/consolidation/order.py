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
from tatian.text.datelines import publication_day
from tatian.text.dates import named_days

_POSITION_PENALTY = 1.0
"""Penalty per unit of distance from a block's expected relative position, 0 to 1."""
_SIMILARITY_BONUS = 1.0
"""Bonus for similarity to the block before, and half of it for similarity to the one after."""
_FOLLOW_BONUS = 0.8
"""Bonus for directly following the previous block of its source."""
_ANCHOR_BONUS = 0.3
"""Bonus for following the span that covers the dropped sentence before it in its source."""
_DEPENDENCY_BONUS = 2.5
"""Bonus instead of that one for a block that depends on that dropped sentence."""
_MIN_ELABORATED, _ELABORATION_BONUS = 0.6, 2.0
"""Minimum share of a span that is covered by the one it elaborates, and bonus for following it."""
_PRECEDE_BONUS = 0.5
"""Bonus for placing a block right before one whose dropped predecessor it covers, and penalty for
blocks placed between the two."""
_FORECAST_PENALTY, _LEAST_OUTCOME = 1.0, 0.2
"""Penalty for placing an outcome before its forecast, and the least share of a forecast that its
outcome covers."""
_DAY_PENALTY = 0.5
"""Penalty for placement before blocks of an earlier day or after those of a later one, times their
share of all dated blocks."""
_SEPARATION_PENALTY, _SEVERING_PENALTY = 0.5, 1.0
"""Penalties for separating blocks: per unit of their cohesion, and if one depends on the other."""
_MIN_SIMILARITY = 0.5
"""Minimum similarity at which spans of different sources are at the same point of the story."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b(?!,\d)")
_MIN_SENTENCES, _LONG_SENTENCES, _MAX_SENTENCES = 2, 4, 7
"""Lengths of a paragraph in sentences: least, from which a weak link ends it, and most."""
_NEW_TOPIC, _WEAK_LINK = 0.3, 0.45
"""Cohesion below which a new paragraph begins, and below which a longer one may end."""
_ADJACENT_BONUS = 0.2
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
    forecasts: Collection[Key] = (),
) -> OrderedSpans:
    """Return the paragraphs: the first source in its order, with blocks of the others between.

    Each added block is placed next to what it resembles, and where it separates little.
    Every source keeps its own order. `forecasts` stand before their outcomes.
    """
    positions = _positions(sources, coverage)
    first, *others = sources
    text = _blocks(first, selection, days)
    for spans in others:
        text = _merge(text, _blocks(spans, selection, days), coverage, positions, forecasts)
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
    previous: SourceSpan | None = None
    for span in spans:
        if span.key in selection.kept:
            is_bound = previous is not None and span.dependency and previous.key in selection.kept
            if blocks and (is_bound or _shares_pronoun(spans, span, blocks[-1][-1])):
                blocks[-1].append(span)
            else:
                blocks.append([span])
                anchors.append(selection.dropped.get(previous.key, ()) if previous else ())
        previous = span
    return [
        SpanBlock(tuple(block), next((days[s.key] for s in block if s.key in days), None), after)
        for block, after in zip(blocks, anchors, strict=True)
    ]


def _shares_pronoun(spans: Sequence[SourceSpan], span: SourceSpan, last: SourceSpan) -> bool:
    """Check whether all dropped spans between two have the pronoun of the later one."""
    if span.dependency != "before" or not span.pronoun_text:
        return False
    between = spans[spans.index(last) + 1 : spans.index(span)]
    return all(other.pronoun_text == span.pronoun_text for other in between)


def _positions(
    sources: Sequence[Sequence[SourceSpan]], coverage: CoverageModel
) -> dict[Key, float]:
    """Return the expected relative position of each span in the text, 0 to 1."""
    in_source = {
        span.key: index / max(1, len(spans) - 1)
        for spans in sources
        for index, span in enumerate(spans)
        if coverage.knows(span.key)
    }
    positions = {}
    for key, position in in_source.items():
        total, weight = position, 1.0
        for other in coverage.candidates(key):
            similarity = coverage.similarity(key, other)
            if similarity > _MIN_SIMILARITY and other in in_source:
                total += similarity**4 * in_source[other]
                weight += similarity**4
        positions[key] = total / weight
    return positions


def _merge(
    text: list[SpanBlock],
    blocks: Sequence[SpanBlock],
    coverage: CoverageModel,
    positions: Mapping[Key, float],
    forecasts: Collection[Key] = (),
) -> list[SpanBlock]:
    """Merge two sequences of blocks in their orders, with the best total placement score."""
    if not text or not blocks:
        return text or list(blocks)
    home = {span.key: number for number, block in enumerate(text) for span in block.spans}
    days = sorted((block.day, number) for number, block in enumerate(text) if block.day)
    previous_gaps = []
    reasons = []
    costs = _separation_costs(text, coverage)
    covering = _covering_blocks(text, blocks)
    total = np.zeros(len(text))
    for number, block in enumerate(blocks):
        best = np.maximum.accumulate(total)
        previous_gap = np.maximum.accumulate(np.where(total >= best, np.arange(len(text)), 0))
        staying = total + (_FOLLOW_BONUS if number and not block.after else 0.0)
        previous_gap = np.where(staying >= best, np.arange(len(text)), previous_gap)
        terms = (
            *_gap_scores(block, len(text), home, days, coverage, positions),
            np.where(number == covering, _PRECEDE_BONUS, 0.0),
            _forecast_penalties(block, text, coverage, forecasts),
        )
        total = np.maximum(best, staying) + reduce(np.add, terms)
        total -= costs + np.where(number > covering, _PRECEDE_BONUS, 0.0)
        previous_gaps.append(previous_gap)
        reasons.append(_strongest_reasons(terms))
    gap = int(np.argmax(total))
    after: list[list[SpanBlock]] = [[] for _ in text]
    for number in reversed(range(len(blocks))):
        block, previous = blocks[number], int(previous_gaps[number][gap])
        strongest, strengths = reasons[number]
        stayed = bool(number) and previous == gap and not block.after
        follows = stayed and strengths[gap] < _FOLLOW_BONUS
        reason: PlacementReason = "follows" if follows else _REASONS[strongest[gap]]
        placement = _place_block(reason, block, gap, home, coverage)
        after[gap].insert(0, replace(block, placement=placement))
        gap = previous
    return [new for block, added in zip(text, after, strict=True) for new in (block, *added)]


def _separation_costs(text: Sequence[SpanBlock], coverage: CoverageModel) -> Floats:
    """Return the cost of separating each block from the next, higher where they cohere."""
    costs = np.zeros(len(text))
    for number in range(1, len(text)):
        cohesion = _cohesion(text, number, coverage)
        dependency = bool(text[number].spans[0].dependency)
        cost = _SEPARATION_PENALTY * max(0.0, min(cohesion, 1.0) - _NEW_TOPIC)
        costs[number - 1] = _SEVERING_PENALTY if dependency else cost
    return costs


def _covering_blocks(text: Sequence[SpanBlock], blocks: Sequence[SpanBlock]) -> NDArray[np.int64]:
    """Return, for each gap, the new block that covers the next block's dropped predecessor."""
    home = {span.key: number for number, block in enumerate(blocks) for span in block.spans}
    none = len(blocks)
    covering = [home.get(block.after[0], none) if block.after else none for block in text]
    return np.array([*covering[1:], none])


def _forecast_penalties(
    block: SpanBlock, text: Sequence[SpanBlock], coverage: CoverageModel, forecasts: Collection[Key]
) -> Floats:
    """Return the penalty at each gap for placing an outcome before its forecast."""
    penalties = np.zeros(len(text))
    has_forecast = _has_forecast(block, forecasts)
    for number, other in enumerate(text) if forecasts else ():
        if _has_forecast(other, forecasts) and _has_outcome(other, block, coverage, forecasts):
            penalties[:number] = -_FORECAST_PENALTY
        if has_forecast and _has_outcome(block, other, coverage, forecasts):
            penalties[number:] = -_FORECAST_PENALTY
    return penalties


def _has_forecast(block: SpanBlock, forecasts: Collection[Key]) -> bool:
    return any(span.key in forecasts for span in block.spans)


def _has_outcome(
    forecast: SpanBlock, block: SpanBlock, coverage: CoverageModel, forecasts: Collection[Key]
) -> bool:
    """Check whether a block reports the outcome of a forecast."""
    return any(
        coverage.covered_share(span.key, (outcome.key,)) > _LEAST_OUTCOME
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
    positions: Mapping[Key, float],
) -> tuple[Floats, ...]:
    """Score a block at the gap after each of `count` blocks, with one array per reason."""
    similarities = np.zeros(count + 1)
    for span in block.spans:
        for other in coverage.neighbours(span.key):
            if other in home:
                value = coverage.similarity(span.key, other)
                similarities[home[other]] = max(similarities[home[other]], value)
    gaps = np.arange(1, count + 1) / count
    position = -_POSITION_PENALTY * np.abs(gaps - positions[block.spans[0].key])
    resemblance = _SIMILARITY_BONUS * (similarities[:-1] + 0.5 * similarities[1:])
    elaboration, anchoring, dating = (np.zeros(count) for _ in range(3))
    if (elaborated := _find_elaborated(block, home, coverage)) is not None:
        elaboration[home[elaborated]] = _ELABORATION_BONUS
    for other in block.after[:1]:
        if other in home:
            dependency = bool(block.spans[0].dependency)
            anchoring[home[other]] = _DEPENDENCY_BONUS if dependency else _ANCHOR_BONUS
    if block.day is not None and days:
        dating = -_DAY_PENALTY * _day_disorder(block.day, count, days)
    return position, resemblance, elaboration, anchoring, dating


def _strongest_reasons(terms: Sequence[Floats]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return for each gap the reason that favours it most over other gaps, and by how much.

    Position in the source is the reason only if no other favours the gap.
    """
    scores = np.stack(terms[1:])
    advantages = scores - scores.mean(axis=1, keepdims=True) if scores.shape[1] > 1 else scores
    strengths = advantages.max(axis=0)
    strongest = np.where(strengths > 0, advantages.argmax(axis=0) + 1, 0)
    return strongest.astype(np.uint8), strengths.astype(np.float32)


def _place_block(
    reason: PlacementReason,
    block: SpanBlock,
    gap: int,
    home: Mapping[Key, int],
    coverage: CoverageModel,
) -> Placement:
    """Return the placement, with an anchor where the reason has one."""
    if reason == "adds":
        return Placement(reason, _find_elaborated(block, home, coverage))
    if reason != "like":
        return Placement(reason)
    _, closest = max(
        (coverage.similarity(span.key, other), other)
        for span in block.spans
        for other in coverage.neighbours(span.key)
        if other in home
    )
    return Placement("like", closest) if home[closest] in (gap, gap + 1) else Placement("place")


def _find_elaborated(
    block: SpanBlock, home: Mapping[Key, int], coverage: CoverageModel
) -> Key | None:
    """Return the span that a block of a single span elaborates, if there is one."""
    if len(block.spans) > 1 or block.spans[0].dependency:
        return None
    key = block.spans[0].key
    candidates = [other for other in coverage.candidates(key) if other in home]
    shares = [(coverage.covered_share(key, (other,)), other) for other in candidates]
    share, elaborated = max(shares, default=(0.0, key))
    return elaborated if share > _MIN_ELABORATED else None


def _day_disorder(day: date, count: int, days: Sequence[tuple[date, int]]) -> Floats:
    """Return, for each gap, the share of dated blocks that a block of this day would misplace."""
    misplaced = np.zeros(count)
    earlier = days[: bisect_left(days, (day, -1))]
    later = days[bisect_right(days, (day, count)) :]
    for _, number in earlier:
        misplaced[:number] += 1
    for _, number in later:
        misplaced[number:] += 1
    return misplaced / len(days)


def group_paragraphs(
    blocks: Sequence[SpanBlock], coverage: CoverageModel
) -> list[tuple[SourceSpan, ...]]:
    """Group blocks into paragraphs: break where the topic changes, never inside a block."""
    groups: list[list[SourceSpan]] = []
    size = 0
    for number, block in enumerate(blocks):
        cohesion = _cohesion(blocks, number, coverage) if number else 0.0
        is_weak = cohesion < _NEW_TOPIC or (size >= _LONG_SENTENCES and cohesion < _WEAK_LINK)
        if not number or (size >= _MIN_SENTENCES and (is_weak or size >= _MAX_SENTENCES)):
            groups.append([])
            size = 0
        groups[-1].extend(block.spans)
        size += sum(len(span.bodies) for span in block.spans)
    return [tuple(spans) for spans in groups]


def _cohesion(blocks: Sequence[SpanBlock], number: int, coverage: CoverageModel) -> float:
    """Return a block's cohesion with those before it, by similarity and the source's paragraphs."""
    before, after = blocks[max(0, number - 2) : number], blocks[number : number + 2]
    similarity = max(
        coverage.similarity(span.key, other.key)
        for block in before
        for span in block.spans
        for next_block in after
        for other in next_block.spans
    )
    last, first = before[-1].spans[-1], after[0].spans[0]
    if last.source != first.source or first.indices[0] != last.indices[-1] + 1:
        return similarity
    if first.opens is None:
        return similarity + _ADJACENT_BONUS
    return _NEW_TOPIC / 2 if first.opens else 1.0


def find_days(spans: Iterable[SourceSpan], documents: Sequence[Document]) -> dict[Key, date]:
    """Return the first day that a span names, or else the middle of the first year, if any."""
    days = {}
    for span in spans:
        document = documents[span.source]
        named = named_days(document.tokens_in(span.bodies[0]), publication_day(document))
        if named:
            days[span.key] = named[min(named)]
        elif year := _YEAR.search(span.text):
            days[span.key] = date(int(year[0]), 7, 1)
    return days
