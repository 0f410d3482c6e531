"""Retellings: blocks of later sources that add too little to what stands before them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.differing_claims import has_unique_claim
from tatian.consolidation.plan import Selection, StoryComparison
from tatian.consolidation.spans import Key, SourceSpan

_SPEECH = re.compile(r"[\"“”]")


class RetellingLimits(Struct, frozen=True):
    """Least shares of a block that the text before it must cover, so that the block is dropped."""

    plain: float = 0.5
    """Blocks without new names or figures."""
    claim: float = 0.6
    """Blocks with a quotation, or with a name or figure that the text before them lacks."""
    opening_margin: float = 0.1
    """Reduction for the block that opens its source, which mostly tells the news again."""
    covering: int = 3
    """Most spans that cover one span together."""
    gain: float = 0.05
    """Least additional share that each of them must cover."""
    alike: float = 0.6
    """Similarity of a span to one before it from which its share is raised."""
    alike_bonus: float = 1.5
    """Increase of the share per unit of similarity above that."""


LIMITS = RetellingLimits()


class SpanCover(Struct, frozen=True):
    """Best cover of one span by a few others."""

    share: float = 0.0
    covering: tuple[Key, ...] = ()
    adds_claim: bool = True


def drop_retellings(selection: Selection, comparison: StoryComparison) -> Selection:
    """Drop the blocks that mostly retell what sources of lower rank say in the text.

    A block is a span with those after it that depend on it. The backbone stays whole.
    """
    ranks = comparison.ranks.numbers
    sources = comparison.story.distinct
    kept, dropped = set(selection.kept), dict(selection.dropped)
    for number in sorted(range(len(sources)), key=lambda n: ranks[n]):
        before = {key for key in kept if ranks[key[0]] < ranks[number]}
        for block in _find_blocks(sources[number], kept):
            if not before or not all(comparison.settled.knows(span.key) for span in block):
                continue
            covers = [_find_cover(span.key, comparison, before) for span in block]
            opens = block[0] is sources[number][0]
            if _share(block, covers, comparison.settled) < _limit(block, covers, opens=opens):
                continue
            kept -= {span.key for span in block}
            first = next(cover.covering for cover in covers if cover.covering)
            for span, cover in zip(block, covers, strict=True):
                dropped[span.key] = cover.covering or first
    return Selection(frozenset(kept), dropped, selection.omitted)


def _find_blocks(
    spans: Sequence[SourceSpan], kept: Collection[Key]
) -> Iterator[tuple[SourceSpan, ...]]:
    """Group the kept spans of a source, each with the following ones that depend on it."""
    block: list[SourceSpan] = []
    previous: SourceSpan | None = None
    for span in spans:
        if span.key in kept:
            if block and not (span.dependency and previous is block[-1]):
                yield tuple(block)
                block = []
            block.append(span)
        previous = span
    if block:
        yield tuple(block)


def _find_cover(key: Key, comparison: StoryComparison, before: Collection[Key]) -> SpanCover:
    """Find the few spans that together cover most of a span."""
    coverage = comparison.settled
    candidates = {other for other in coverage.candidates(key) if other in before}
    covering: tuple[Key, ...] = ()
    share = 0.0
    while candidates and len(covering) < LIMITS.covering:
        grown = {other: coverage.covered_share(key, (*covering, other)) for other in candidates}
        best = min(candidates, key=lambda other: (-grown[other], other))
        if grown[best] < share + LIMITS.gain:
            break
        share, covering = grown[best], (*covering, best)
        candidates.remove(best)
    if not covering:
        return SpanCover()
    share = max(share, coverage.joint_covered_share(key, covering))
    if vectors := comparison.story.vectors:
        nearest = max(float(vectors[key] @ vectors[other]) for other in before)
        share += LIMITS.alike_bonus * max(0.0, nearest - LIMITS.alike)
    return SpanCover(share, covering, has_unique_claim(coverage, key, sorted(before)))


def _share(
    block: Sequence[SourceSpan], covers: Sequence[SpanCover], coverage: CoverageModel
) -> float:
    """Return the covered share of a block, by weight."""
    weights = [coverage.weight(span.key) for span in block]
    covered = sum(w * cover.share for w, cover in zip(weights, covers, strict=True))
    return covered / sum(weights) if any(weights) else 0.0


def _limit(
    block: Sequence[SourceSpan], covers: Sequence[SpanCover], *, opens: bool
) -> float:
    """Return the least covered share at which a block is dropped."""
    speaks = any(_SPEECH.search(span.text) for span in block)
    adds = speaks or any(cover.adds_claim for cover in covers)
    return (LIMITS.claim if adds else LIMITS.plain) - LIMITS.opening_margin * opens
