"""Types of the plan: what each stage of consolidation hands to the next.

`StorySources` has the spans of the sources, and `StoryComparison` how they cover each other.
`Selection` has the kept spans, and `Arrangement` their order. `Plan` adds what layout and report
need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.claims import StatedClaim, agree
from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.passages import NO_PASSAGES, Passages
from tatian.consolidation.similarity import Vectors
from tatian.consolidation.spans import Key, SourceSpan, SourceSpans
from tatian.pipeline import CrossChain
from tatian.text import Document

PlacementReason = Literal[
    "place", "like", "adds", "after", "day", "before", "expected", "follows", "depends", "order"
]
"""Reasons for the position of a span.

- place: its position in the sources
- like: next to a similar span
- adds: after a span that it elaborates
- after: after the span that covers its dropped predecessor
- day: by date
- before: ahead of a block whose dropped predecessor it covers
- expected: a forecast before its outcome
- follows: directly after its predecessor
- depends: with the span that it depends on
- order: order of the backbone, or of the section's first source
"""


class StorySources(Struct, frozen=True):
    """Sources of one story, each as spans."""

    sources: tuple[SourceSpans, ...]
    days: tuple[date | None, ...]
    """Day of each source, where it is known."""
    copies: Mapping[Key, tuple[Key, ...]]
    """Spans whose text another span has too, each mapped to that other span."""
    passages: Passages = NO_PASSAGES
    """Alignment of long sources."""
    vectors: Vectors | None = None
    """Vectors of the spans, if the encoder runs."""
    hours: tuple[datetime | None, ...] = ()
    """Moment of each source, if reports of one day are kept apart."""

    @property
    def documents(self) -> list[Document]:
        """Source documents."""
        return [source.document for source in self.sources]

    @property
    def distinct(self) -> list[list[SourceSpan]]:
        """Spans of each source, without copies."""
        return [
            [span for span in source.spans if span.key not in self.copies]
            for source in self.sources
        ]

    @property
    def spans(self) -> list[SourceSpan]:
        """Spans of all sources, without copies."""
        return [span for spans in self.distinct for span in spans]

    @property
    def moments(self) -> tuple[datetime | None, ...]:
        """Moment of each source, where its day is known."""
        midnight = datetime.min.time()
        days = (datetime.combine(day, midnight) if day else None for day in self.days)
        return self.hours or tuple(days)

    @property
    def older(self) -> frozenset[int]:
        """Indices of the sources that are older than the newest."""
        newest = max((moment for moment in self.moments if moment), default=None)
        return frozenset(
            n for n, moment in enumerate(self.moments) if moment and newest and moment < newest
        )


class ConflictingClaim(Struct, frozen=True):
    """Claim of one span in a conflict between sources."""

    key: Key
    claim: StatedClaim

    @property
    def place(self) -> tuple[Key, int]:
        """The span, and the start of the figure in its source."""
        return self.key, self.claim.figure.start


class SourceConflict(Struct, frozen=True):
    """Conflicting claims of sources about one thing."""

    claims: tuple[ConflictingClaim, ...]
    """Claims in source order; by the sources' days where the last supersedes the others."""
    relation: Literal["conflict", "superseded"] = "conflict"

    def is_latest(self, claim: ConflictingClaim) -> bool:
        """Check whether a claim gives the value that supersedes the others."""
        return self.relation == "superseded" and agree(claim.claim, self.claims[-1].claim)

    def others(self, claim: ConflictingClaim) -> list[list[ConflictingClaim]]:
        """Return the claims that exclude a claim, by value; in each group one per source."""
        groups: list[list[ConflictingClaim]] = []
        for other in self.claims:
            if agree(other.claim, claim.claim) or other.key[0] == claim.key[0]:
                continue
            group = next((known for known in groups if agree(known[0].claim, other.claim)), None)
            if group is None:
                groups.append([other])
            elif all(member.key[0] != other.key[0] for member in group):
                group.append(other)
        return groups


class SourceRanks(Struct, frozen=True):
    """Ranks of the sources by the sections in which they stand."""

    numbers: tuple[int, ...] = ()
    """Rank of each source: 0 for the backbone, higher for those that stand after it."""
    older: frozenset[int] = frozenset()
    """Indices of the sources of moments before the backbone's."""
    other_moments: frozenset[int] = frozenset()
    """Indices of the sources of other moments than the backbone's."""
    interleaved: bool = False
    """True if sources of one rank are interleaved; else they follow one another."""


class StoryComparison(Struct, frozen=True):
    """Story, and how its spans cover and contradict each other."""

    story: StorySources
    """Story without what later sources have made outdated."""
    coverage: CoverageModel
    settled: CoverageModel
    """Coverage as if all sources in a conflict gave the same figure."""
    conflicts: tuple[SourceConflict, ...]
    backbone: int
    """Index of the source that the text follows."""
    forecasts: frozenset[Key]
    """Spans of older sources that expect something."""
    ranks: SourceRanks = SourceRanks()


class Selection(Struct, frozen=True):
    """Kept spans, and the spans that cover each dropped one."""

    kept: frozenset[Key]
    dropped: Mapping[Key, tuple[Key, ...]]
    omitted: frozenset[Key] = frozenset()
    """Spans left out to shorten the text."""

    def covering(self, key: Key) -> Key:
        """Return the span that mainly covers a dropped one and is not itself dropped."""
        while key in self.dropped:
            key = self.dropped[key][0]
        return key

    def covered_by(self, key: Key) -> list[Key]:
        """Return the dropped spans that a span covers, alone or with another."""
        return [other for other, covering in self.dropped.items() if key in covering]

    def restrict(self, kept: Collection[Key]) -> Selection:
        """Keep only some spans; omit the other kept ones and the spans that those mainly cover."""
        dropped = {
            key: tuple(other for other in covering if self.covering(other) in kept)
            for key, covering in self.dropped.items()
            if self.covering(key) in kept
        }
        everything = self.kept | self.omitted | set(self.dropped)
        return Selection(frozenset(kept), dropped, everything.difference(kept, dropped))

    def bring_back(self, keys: Iterable[Key]) -> Selection:
        """Keep spans again that other kept spans refer to."""
        back = frozenset(keys)
        dropped = {key: covering for key, covering in self.dropped.items() if key not in back}
        return Selection(self.kept | back, dropped, self.omitted - back)


class Placement(Struct, frozen=True):
    """Placement of a span: the reason for its position."""

    reason: PlacementReason
    anchor: Key | None = None
    """Span that it resembles or elaborates."""
    section: str = ""
    """Reason for the position of its whole section; empty in the first one."""


class Paragraph(Struct, frozen=True):
    """Spans of one paragraph, with a heading if it opens a section that has one."""

    spans: tuple[SourceSpan, ...]
    heading: str = ""


class Arrangement(Struct, frozen=True):
    """Selected spans in the order of the text."""

    selection: Selection
    paragraphs: tuple[Paragraph, ...]
    placements: Mapping[Key, Placement]
    """Placement of each span of the text."""

    @property
    def spans(self) -> list[SourceSpan]:
        """Spans in text order."""
        return [span for paragraph in self.paragraphs for span in paragraph.spans]


class Plan(Arrangement, frozen=True, kw_only=True):
    """Arrangement of the text, and what the layout and the report need besides."""

    story: StorySources
    coverage: CoverageModel
    conflicts: tuple[SourceConflict, ...] = ()
    """Conflicts between sources over the figures or names for one thing."""
    backbone: int
    chains: tuple[CrossChain, ...]
    cuts: Mapping[Key, frozenset[int]] = MappingProxyType({})
    """Positions, in the source, of the words that are cut from a span."""
    verifies: bool = False
    """True if changes to a sentence are used only when verified."""


def find_copies(
    sources: Sequence[SourceSpans], ranks: Sequence[int] = ()
) -> dict[Key, tuple[Key, ...]]:
    """Map each repeated span to its original.

    The original is in the source of the lowest rank, or in the longest source of that rank. Within
    one source, the first span is the original.
    """

    def precedence(number: int) -> tuple[int, int, str]:
        source = sources[number]
        rank = ranks[number] if ranks else 0
        return rank, -sum(span.words for span in source.spans), source.document.text

    originals: dict[str, Key] = {}
    copies: dict[Key, tuple[Key, ...]] = {}
    for number in sorted(range(len(sources)), key=precedence):
        for span in sources[number].spans:
            if span.text in originals:
                copies[span.key] = (originals[span.text],)
            originals.setdefault(span.text, span.key)
    return copies


def keep_where_first(story: StorySources, ranks: SourceRanks) -> StorySources:
    """Return the story with each repeated span kept where the text has it first.

    Otherwise the backbone would lose a sentence to a source that stands behind it.
    """
    if ranks.interleaved or not story.copies:
        return story
    copies = find_copies(story.sources, ranks.numbers)
    return story if copies == story.copies else replace(story, copies=copies)
