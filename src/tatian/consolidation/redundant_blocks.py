"""Redundant blocks: those of later sources that add too little to what stands before them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from math import inf

from msgspec import Struct

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.differing_claims import has_unique_claim
from tatian.consolidation.plan import Selection, StoryComparison
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text import NAMES, Document
from tatian.text.content import concepts, concepts_of

_SPEECH = re.compile(r"[\"“”]")
_DEFINITE = re.compile(r"\b(?:the|this|that|these|those|his|her|their|its) ", re.IGNORECASE)
_NEAR = 3
"""Words behind an article that may be its noun."""


class RedundancyLimits(Struct, frozen=True):
    """Least shares of a block that the text before it must cover, so that the block is dropped."""

    plain: float = 0.5
    """Blocks without new names or figures."""
    claim: float = 0.6
    """Blocks with a quotation, or with a name or figure that the text before them lacks."""
    opening_margin: float = 0.1
    """Reduction for the block that opens its source, which is mostly redundant."""
    brief: int = 14
    """Most words of a block that stays, since it costs little."""
    quotation: float = 0.35
    """Least covered share of each sentence with a quotation in a block that is dropped."""
    covering: int = 3
    """Most spans that cover one span together."""
    gain: float = 0.05
    """Least additional share that each of them must cover."""
    alike: float = 0.6
    """Similarity of a span to one before it from which its share is raised."""
    alike_bonus: float = 1.5
    """Increase of the share per unit of similarity above that."""


LIMITS = RedundancyLimits()


class SpanCover(Struct, frozen=True):
    """Best cover of one span by a few others."""

    share: float = 0.0
    covering: tuple[Key, ...] = ()
    adds_claim: bool = True
    """True if it has a name or figure that the text before it lacks."""
    exchanges_roles: bool = False
    """True if it has an act of the others with the participants' roles exchanged."""


def drop_redundant_blocks(selection: Selection, comparison: StoryComparison) -> Selection:
    """Drop the blocks that sources of lower rank mostly cover.

    A block is a span with those after it that depend on it. The backbone stays whole, and so does
    what opens the text instead of its first span. Sources of
    other moments lose nothing here: readers miss it under a heading of its own.
    """
    story, coverage, ranks = comparison.story, comparison.settled, comparison.ranks
    kept, dropped = set(selection.kept), dict(selection.dropped)
    openers = {
        key
        for other, covering in selection.dropped.items()
        if other[0] == comparison.backbone
        for key in covering
    }
    for number in sorted(range(len(story.sources)), key=ranks.numbers.__getitem__):
        before = {key for key in kept if ranks.numbers[key[0]] < ranks.numbers[number]}
        if not before or number in ranks.other_moments:
            continue
        spans = story.distinct[number]
        said = frozenset[str]().union(*(coverage.content(key).concepts for key in before))
        blocks = [*_find_blocks(spans, kept, said)]
        for place, block in enumerate(blocks):
            opens = block[0] is spans[0]
            if not openers.isdisjoint(span.key for span in block):
                continue
            if not all(coverage.knows(span.key) for span in block):
                continue
            covers = [_find_cover(span.key, comparison, before) for span in block]
            rest = [span for later in blocks[place + 1 :] for span in later]
            if _share(block, covers, coverage) < _limit(block, covers, opens=opens):
                continue
            if _introduces(block, rest, said, story.sources[number].document):
                continue
            kept -= {span.key for span in block}
            first = next(cover.covering for cover in covers if cover.covering)
            for span, cover in zip(block, covers, strict=True):
                dropped[span.key] = cover.covering or first
    return Selection(frozenset(kept), dropped, selection.omitted)


def _introduces(
    block: Sequence[SourceSpan],
    rest: Sequence[SourceSpan],
    said: frozenset[str],
    document: Document,
) -> bool:
    """Check whether a block introduces somebody or something that the rest of its source takes up.

    What was `said` before needs no introduction.
    """
    new = {word for span in block for body in span.bodies for word in concepts_of(document, body)}
    new -= said
    return any(
        new.intersection(
            concepts(document.text[body.start : body.end][match.end() :].split()[:_NEAR])
        )
        for span in rest
        for body in span.bodies
        for match in _DEFINITE.finditer(document.text[body.start : body.end])
    ) or any(
        not new.isdisjoint(concepts(name.of(document.text).split()))
        for span in rest
        for body in span.bodies
        for name in document.inside(NAMES, body)
    )


def _find_blocks(
    spans: Sequence[SourceSpan], kept: Collection[Key], said: frozenset[str]
) -> Iterator[tuple[SourceSpan, ...]]:
    """Group the kept spans of a source, each with the following ones that depend on it.

    "The coroner" and "Mr. Hall" depend on nothing if that was `said` before.
    """

    def needs_previous(span: SourceSpan) -> bool:
        if span.dependency == "noun":
            return said.isdisjoint(concepts(span.text.split()[1:2]))
        return span.dependency == "before"

    block: list[SourceSpan] = []
    previous: SourceSpan | None = None
    for span in spans:
        if span.key in kept:
            if block and not (previous is block[-1] and needs_previous(span)):
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
    vectors = comparison.story.vectors
    assert vectors is not None, "redundant blocks need vectors"
    nearest = max(float(vectors[key] @ vectors[other]) for other in before)
    share += LIMITS.alike_bonus * max(0.0, nearest - LIMITS.alike)
    return SpanCover(
        share,
        covering,
        adds_claim=has_unique_claim(coverage, key, sorted(before)),
        exchanges_roles=coverage.exchanges_roles(key, covering),
    )


def _share(
    block: Sequence[SourceSpan], covers: Sequence[SpanCover], coverage: CoverageModel
) -> float:
    """Return the covered share of a block, by weight."""
    weights = [coverage.weight(span.key) for span in block]
    covered = sum(w * cover.share for w, cover in zip(weights, covers, strict=True))
    return covered / sum(weights) if any(weights) else 0.0


def _limit(block: Sequence[SourceSpan], covers: Sequence[SpanCover], *, opens: bool) -> float:
    """Return the least covered share at which a block is dropped; infinite if it always stays."""
    is_brief = sum(span.words for span in block) <= LIMITS.brief
    spoken = [cover for span, cover in zip(block, covers, strict=True) if _SPEECH.search(span.text)]
    has_new_quotation = any(cover.share < LIMITS.quotation for cover in spoken)
    if is_brief or has_new_quotation or any(cover.exchanges_roles for cover in covers):
        return inf
    adds_claim = any(cover.adds_claim for cover in covers)
    limit = LIMITS.claim if adds_claim or spoken else LIMITS.plain
    return limit - LIMITS.opening_margin * opens
