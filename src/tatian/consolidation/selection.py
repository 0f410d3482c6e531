"""Selection of spans that cover all sources with as little redundancy as possible."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.differing_claims import has_unique_claim
from tatian.consolidation.news_sentence import AHEAD
from tatian.consolidation.plan import Selection, SourceRanks, StoryComparison
from tatian.consolidation.redundant_blocks import drop_redundant_blocks
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text.content import concepts

_UNNAMED = re.compile(
    r"An? (?:[\w-]+ ){0,4}(?:man|woman|boy|girl|mother|father|son|daughter|brother|sister|teenager"
    r"|driver|employee|officer|suspect|student|player|actor|actress|grandmother|grandfather|member"
    r"|gunman|motorist|cyclist|pedestrian|climber|teacher|soldier|worker|resident|couple)\b"
)
"""Openings by which sources introduce people whom others name."""
_SPEECH = re.compile(r"[\"“”]")
_QUESTION = re.compile(r"\?[\"”’]+$")
MIN_COVERED_SHARE = 0.77
"""Least covered share of a span that is dropped."""
_OLDER_COVERED = 0.5
"""Least covered share of a dropped span without quotation, of a moment before the backbone's."""
_CANDIDATES = 8
"""Most candidates, best first, that are tried as covering spans."""
_LEAST_GAIN = 0.02
"""Least additional share of a span that a second covering span must cover."""
_STATEMENT_COVERED = 0.35
"""Least share of each statement that a single covering span must cover."""
_OPENING_SPANS = 5
"""Spans at the beginning of a source among which another opening is sought."""
_TIE = 1e-6
"""Tie-break in favour of keeping the backbone's span."""
_WEIGHT_PENALTY = 0.01
"""Reduction of a span's rank for dropping, per unit of word weight: the fuller duplicate stays."""
_FORECAST_MARGIN = 0.2
"""Reduction of the threshold for forecasts in sources that are not the newest."""
_OPENING_MARGIN = 0.1
"""Reduction of the threshold for a source's opening span, and for one that opens with "A man"."""
_NEVER_DROPPED = 9.0
"""Increase of the threshold for a span that always stays."""
_MOST_UNCOVERED = 3.0
"""Largest total weight of the uncovered words of a dropped span."""
_FULLY_COVERED = 0.85, 0.95
"""Covered share from which a span may be dropped though the next depends on it: by a noun or name,
or by anything else."""
MIN_BACKBONE_SHARE = 0.92
"""Least covered share of a backbone span that is dropped."""
_MARGIN = 0.05
"""Allowed shortfall of coverage when a dropped span loses one of its covering spans."""
_BORDERLINE = 0.15
"""Margin below `MIN_COVERED_SHARE` from which covering spans are also read as one text."""
_LEAST_BEST = 0.4
"""Least share of a span that the best covering span must cover."""


def select_spans(comparison: StoryComparison, length: int | None = None) -> Selection:
    """Select spans that cover the whole story, or its best part of about `length` words.

    Copies are dropped without comparison. If only one source has other spans, all of them are kept.
    """
    story = comparison.story
    judged = drop_redundant_spans(comparison)
    if story.vectors is not None and not comparison.ranks.interleaved:
        judged = drop_redundant_blocks(judged, comparison)
    selection = Selection(judged.kept, {**judged.dropped, **story.copies})
    if length is None:
        return selection
    sources = [source.spans for source in story.sources]
    return shorten(selection, sources, comparison.backbone, length)


def drop_redundant_spans(comparison: StoryComparison) -> Selection:
    """Drop redundant spans, unless only one source has spans of its own."""
    story = comparison.story
    if sum(map(bool, story.distinct)) < 2:
        return Selection(frozenset(span.key for span in story.spans), {})
    return drop_redundant(
        story.distinct,
        comparison.settled,
        comparison.backbone,
        older=story.older,
        own_voice=[n for n, source in enumerate(story.sources) if source.own_voice],
        forecasts=comparison.forecasts,
        ranks=comparison.ranks,
    )


def drop_redundant(
    sources: Sequence[Sequence[SourceSpan]],
    coverage: CoverageModel,
    backbone: int,
    *,
    older: Collection[int] = (),
    own_voice: Collection[int] = (),
    forecasts: frozenset[Key] = frozenset(),
    ranks: SourceRanks | None = None,
) -> Selection:
    """Drop redundant spans one after the other, the best covered first.

    Of two that say the same, the fuller one stays; if they are equal, the backbone's. A span stays
    if the next one needs it. `older` are the sources older than the newest. Sources in their
    `own_voice` do not cover other sources. Sources of a higher rank stand in later sections and do
    not cover those of a lower one.
    """
    ranks = ranks or SourceRanks((0,) * len(sources), interleaved=True)
    state = _Dropping(sources, coverage, backbone, older, own_voice, forecasts, ranks)
    others = {*older, *ranks.other_moments, *own_voice}
    opener = _find_opener(sources, coverage, backbone, others, forecasts)
    if opener is not None:
        state.open_with(opener)
    return state.run()


class _Dropping:
    """State of the selection while redundant spans are dropped."""

    def __init__(
        self,
        sources: Sequence[Sequence[SourceSpan]],
        coverage: CoverageModel,
        backbone: int,
        older: Collection[int],
        own_voice: Collection[int],
        forecasts: frozenset[Key],
        ranks: SourceRanks,
    ) -> None:
        self._coverage, self._backbone = coverage, backbone
        self._own_voice, self._forecasts = own_voice, forecasts
        self._outdated = coverage.settlement.outdated
        self._spans = {span.key: span for source in sources for span in source}
        self._own_voice_spans = {key for key in self._spans if key[0] in own_voice}
        self._ranks = ranks
        self._later_sections = {
            rank: {key for key in self._spans if ranks.numbers[key[0]] > rank}
            for rank in set(ranks.numbers)
        }
        """Spans of the sections behind each rank."""
        followed = [pair for source in sources for pair in pairwise(source) if pair[1].dependency]
        self._follower = {span.key: follower for span, follower in followed}
        self._answers = {follower.key for span, follower in followed if _QUESTION.search(span.text)}
        self._protection = {
            key: -_OPENING_MARGIN * bool(_UNNAMED.match(span.text))
            - _FORECAST_MARGIN * (key in forecasts)
            for key, span in self._spans.items()
        }
        for number, source in enumerate(sources):
            for span in source[:1]:
                is_update = backbone in older and number not in older
                is_opening = number == backbone and span.key not in self._outdated
                change = _NEVER_DROPPED if is_opening else -_OPENING_MARGIN * (not is_update)
                self._protection[span.key] += change
        self._backbone_opening = sources[backbone][0].key if sources[backbone] else None
        self._kept = set(self._spans)
        self._dropped: dict[Key, tuple[Key, ...]] = {}
        self._scores: dict[Key, tuple[float, tuple[Key, ...]]] = {}
        self._covers: dict[Key, set[Key]] = {key: set() for key in self._spans}
        """Spans that each span was found to cover."""
        self._ready: dict[Key, float] = {}

    def open_with(self, opener: Key) -> None:
        """Drop the backbone's first span for another one that opens the text."""
        assert self._backbone_opening is not None
        self._kept.remove(self._backbone_opening)
        self._drop(self._backbone_opening, (opener,))
        self._protection[opener] = _NEVER_DROPPED
        for later in self._later_sections.values():
            later.discard(opener)

    def run(self) -> Selection:
        """Drop spans until no other may be dropped."""
        for key in self._kept:
            self._judge(key)
        while ranked := [(rank, key) for key, rank in self._ready.items() if self._can_drop(key)]:
            self._try_to_drop(max(ranked)[1])
        return Selection(frozenset(self._kept), self._dropped)

    def _try_to_drop(self, key: Key) -> None:
        """Drop a span, unless a span dropped before would then be insufficiently covered."""
        self._ready.pop(key)
        self._kept.remove(key)
        orphans = {
            other: best_cover(other, self._coverage, self._eligible(other))
            for other in self._covers[key]
            if other in self._dropped and key in self._dropped[other]
        }
        if any(share < self._threshold(other) - _MARGIN for other, (share, _) in orphans.items()):
            self._kept.add(key)
            return
        for other, (_, covering) in orphans.items():
            self._drop(other, covering)
        self._dropped[key] = self._scores[key][1]
        for other in self._covers[key]:
            if other in self._kept and key in self._scores[other][1]:
                self._judge(other)

    def _drop(self, key: Key, covering: tuple[Key, ...]) -> None:
        self._dropped[key] = covering
        for other in covering:
            self._covers[other].add(key)

    def _judge(self, key: Key) -> None:
        share, covering = self._scores[key] = best_cover(key, self._coverage, self._eligible(key))
        for other in covering:
            self._covers[other].add(key)
        self._ready.pop(key, None)
        if covering and share >= self._threshold(key):
            rank = share - self._protection[key] - _WEIGHT_PENALTY * self._coverage.weight(key)
            self._ready[key] = rank - _TIE * (key[0] == self._backbone)

    def _eligible(self, key: Key) -> set[Key]:
        """Return the kept spans that may cover this one."""
        if key[0] == self._backbone and not self._ranks.interleaved:
            return set()
        possible = self._kept - self._later_sections[self._ranks.numbers[key[0]]]
        if key not in self._forecasts:
            possible = possible - self._forecasts
        return possible if key[0] in self._own_voice else possible - self._own_voice_spans

    def _threshold(self, key: Key) -> float:
        """Return the least covered share at which a span is dropped."""
        is_current = key not in self._forecasts and key not in self._outdated
        if key[0] in self._ranks.older and not _SPEECH.search(self._spans[key].text):
            return _OLDER_COVERED + self._protection[key]
        return (
            MIN_BACKBONE_SHARE if key[0] == self._backbone and is_current else MIN_COVERED_SHARE
        ) + self._protection[key]

    def _can_drop(self, key: Key) -> bool:
        """Check whether a span can be dropped without making the next one unclear."""
        if key in self._answers:
            return False
        share, covering = self._scores[key]
        span, follower = self._spans[key], self._follower.get(key)
        dependency = (follower or span).dependency
        if share >= _FULLY_COVERED[dependency == "before"]:
            return True
        optional = ("",) if key[0] in self._ranks.older else ("", "name")
        if follower is None or follower.key not in self._kept or dependency in optional:
            return True
        has_same_pronoun = span.pronoun_text == follower.pronoun_text
        if span.dependency and span.pronoun and follower.pronoun and has_same_pronoun:
            return True
        return dependency == "noun" and _mention_opening(covering, follower, self._coverage)


def _find_opener(
    sources: Sequence[Sequence[SourceSpan]],
    coverage: CoverageModel,
    backbone: int,
    others: Collection[int],
    forecasts: Collection[Key],
) -> Key | None:
    """Return a longer opening span of a source that alone covers the backbone's first span.

    Spans of the `others`, which are of another moment or have a voice of their own, are not
    considered.
    """
    if not sources[backbone]:
        return None
    first = sources[backbone][0]
    candidates = [
        span
        for number, source in enumerate(sources)
        for span in source[:_OPENING_SPANS]
        if (number == backbone or number not in others)
        and span is not first
        and span.key not in forecasts
        and span.words > first.words
        and not span.dependency
        and not _UNNAMED.match(span.text)
    ]
    shares = [(best_cover(first.key, coverage, {span.key})[0], span.key) for span in candidates]
    share, key = max(shares, default=(0.0, first.key))
    return key if share >= MIN_BACKBONE_SHARE else None


def find_forecasts(spans: Iterable[SourceSpan], older: Collection[int]) -> frozenset[Key]:
    """Return the spans of `older` sources that are forecasts."""
    return frozenset(span.key for span in spans if span.source in older and AHEAD.search(span.text))


def best_cover(
    key: Key, coverage: CoverageModel, kept: Collection[Key]
) -> tuple[float, tuple[Key, ...]]:
    """Return the covered share of a span, and the one or two spans that cover it."""
    candidates = [other for other in coverage.candidates(key) if other in kept]
    nearest = sorted((-coverage.covered_share(key, (other,)), other) for other in candidates)
    if not nearest or -nearest[0][0] < _LEAST_BEST:
        return 0.0, ()
    (best, first), *further = nearest
    single = (has_unique_claim(coverage, key, (first,)), best - _LEAST_GAIN, (first,))
    pairs = [(first, other) for _, other in further[: _CANDIDATES - 1]]
    joint = [
        (has_unique_claim(coverage, key, pair), -coverage.covered_share(key, pair), pair)
        for pair in pairs
    ]
    lacks_claim, _, covering = min([single, *joint])
    stated = coverage.least_statement_share(key, covering)
    omits_much = coverage.uncovered_weight(key, covering) > _MOST_UNCOVERED
    if lacks_claim or stated < _STATEMENT_COVERED or omits_much:
        return 0.0, ()
    share = coverage.covered_share(key, covering)
    if share > MIN_COVERED_SHARE - _BORDERLINE:
        return (share + coverage.joint_covered_share(key, covering)) / 2, covering
    return share, covering


def _mention_opening(covering: Iterable[Key], span: SourceSpan, coverage: CoverageModel) -> bool:
    """Check whether covering spans mention the noun that opens the next span: "the coroner"."""
    mentioned = frozenset[str]().union(*(coverage.content(key).concepts for key in covering))
    return not mentioned.isdisjoint(concepts(span.text.split()[1:2]))


def shorten(
    selection: Selection, sources: Sequence[Sequence[SourceSpan]], backbone: int, words: int
) -> Selection:
    """Shorten a selection to about `words` words: what most sources say, and say early.

    The backbone's spans get a small preference, and its first kept span always stays. A span brings
    the spans that it depends on.
    """
    spans = {span.key: span for source in sources for span in source}
    predecessor = {
        follower.key: span.key
        for source in sources
        for span, follower in pairwise(source)
        if follower.dependency
    }
    covered_by = {key: {key[0]} for key in selection.kept}
    for key in selection.dropped:
        covered_by.get(selection.covering(key), set()).add(key[0])
    position = {span.key: index for source in sources for index, span in enumerate(source)}
    ranked = sorted(
        selection.kept,
        key=lambda key: (
            -(len(covered_by[key]) + 1 / (1 + position[key]) + (key[0] == backbone) / 2),
            key,
        ),
    )
    first = [span.key for span in sources[backbone] if span.key in selection.kept][:1]
    kept: set[Key] = set()
    remaining = words
    for key in dict.fromkeys([*first, *ranked]):
        needed = [key]
        while (previous := predecessor.get(needed[-1])) is not None and previous in selection.kept:
            needed.append(previous)
        cost = sum(spans[member].words for member in needed if member not in kept)
        if not kept or cost <= remaining:
            kept.update(needed)
            remaining -= cost
    return selection.restrict(kept)
