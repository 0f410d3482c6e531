"""States, plans and forecasts that time or later sources have made outdated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.news_sentence import NewsSentence
from tatian.consolidation.passing import is_passing
from tatian.consolidation.plan import SourceRanks, StorySources
from tatian.consolidation.sources import without_spans
from tatian.consolidation.spans import QUOTED, Key, SourceSpan, is_live_page
from tatian.text import NAMES, Document
from tatian.text.content import concepts

_MIN_CASE_SIMILARITY = 0.2
"""Minimum similarity at which an outcome belongs to the status, not to another matter."""
_MIN_OUTCOME_SHARE, _MIN_UNDATED_OUTCOME_SHARE = 0.35, 0.6
"""Minimum share of a forecast that its outcome covers: if a later day is known, and otherwise."""
_MAX_BRIEF_WORDS = 16
"""Maximum number of words of a brief status, which is excluded even if others do not cover the
rest of it."""
_PERSONAL = re.compile(r"\b(?:he|she|him|her|his|they|them|their)\b", re.IGNORECASE)
_MIN_REST_SHARE = 0.55
"""Minimum share of an outdated span that other spans cover, so that it may be dropped."""


def exclude_outdated(story: StorySources, coverage: CoverageModel) -> StorySources:
    """Exclude spans that later sources have made outdated.

    Another source must report the outcome: a verdict on the suspicion, a death after the condition,
    the search's end, or the expected event. Other spans must cover most of the span, unless
    it is a brief status. The next span must not depend on it.
    """
    sources, days = story.sources, story.moments
    spans = [span for source in sources for span in source.spans if coverage.knows(span.key)]
    stated = {
        span.key: NewsSentence(sources[span.source].document, span.bodies[0]) for span in spans
    }
    passing = {
        key for key, sentence in stated.items() if sentence.expected() or sentence.statuses()
    }
    reasons: dict[Key, str] = {}
    for source in sources:
        for span, after in pairwise((*source.spans, None)):
            if span is None or span.key not in passing or _depends(after, span):
                continue
            others = [key for key in coverage.candidates(span.key) if key not in reasons]
            later = [other for other in spans if _not_before(days, span, other)]
            rest = coverage.covered_share(span.key, others) >= _MIN_REST_SHARE
            if reason := _overtaken(span, later, stated, coverage, days, rest):
                reasons[span.key] = reason
    return _without(story, reasons)


def exclude_passing(
    story: StorySources, coverage: CoverageModel, ranks: SourceRanks
) -> StorySources:
    """Exclude states, counts and plans of the days before the text's main part, and of live pages.

    A span stays if it is a quotation, if the next one depends on it, or if the main part has the
    same sentence.
    """
    shared = {
        key for copy, keys in story.copies.items() if copy[0] not in ranks.older for key in keys
    }
    reasons: dict[Key, str] = {}
    live = {
        n for n, source in enumerate(story.sources) if source.own_voice and is_live_page(source)
    }
    live = live if len(live) < len(story.sources) else set()
    for source in (story.sources[number] for number in sorted(live | ranks.older)):
        for span, after in pairwise((*source.spans, None)):
            if span is None or not coverage.knows(span.key) or span.key in shared:
                continue
            needed = _depends(after, span) or _refers_back(source.document, after)
            if not needed and is_passing(source.document, span):
                reasons[span.key] = "a state or plan of an earlier day"
    return _without(story, reasons)


def _refers_back(document: Document, span: SourceSpan | None) -> bool:
    """Check whether a span has "him" or "they", but no person's name before that."""
    pronoun = _PERSONAL.search(QUOTED.sub(_blank, span.text)) if span else None
    if span is None or pronoun is None:
        return False
    before = span.text[: pronoun.start()]
    names = (name for body in span.bodies for name in document.inside(NAMES, body))
    return not any(name.type == "PER" and name.of(document.text) in before for name in names)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without(story: StorySources, reasons: Mapping[Key, str]) -> StorySources:
    """Return the story without some spans and their copies."""
    copies = {
        key: reasons[original]
        for key, (original, *_) in story.copies.items()
        if original in reasons
    }
    excluded = {**reasons, **copies}
    return replace(
        story, sources=tuple(without_spans(source, excluded) for source in story.sources)
    )


def _depends(after: SourceSpan | None, span: SourceSpan) -> bool:
    """Check whether the next span depends on this one; "the men" only if this one mentions men."""
    if after is None or after.dependency != "noun":
        return after is not None and after.dependency in ("before", "name")
    nouns = concepts(after.text.split()[1:3])
    return not set(nouns).isdisjoint(concepts(re.findall(r"\w+", span.text)))


def _not_before(days: Sequence[datetime | None], span: SourceSpan, other: SourceSpan) -> bool:
    """Check whether the other span is from another source that is not known to be earlier."""
    day, other_day = days[span.source], days[other.source]
    return span.source != other.source and (day is None or other_day is None or day <= other_day)


def _overtaken(
    span: SourceSpan,
    later: Sequence[SourceSpan],
    stated: Mapping[Key, NewsSentence],
    coverage: CoverageModel,
    days: Sequence[datetime | None],
    rest: bool,
) -> str:
    """Return why a span is outdated, or ""; `rest` says whether others cover most of it."""

    def newer(other: SourceSpan) -> bool:
        first, second = days[span.source], days[other.source]
        return first is not None and second is not None and first < second

    sentence = stated[span.key]
    events, statuses = sentence.expected(), sentence.statuses()
    brief = len(span.text.split()) <= _MAX_BRIEF_WORDS
    for other in later if rest or (brief and statuses) else ():
        share = coverage.covered_share(
            span.key, {other.key}.intersection(coverage.candidates(span.key))
        )
        alike = newer(other) and coverage.similarity(span.key, other.key) >= _MIN_CASE_SIMILARITY
        if (alike or share >= _MIN_OUTCOME_SHARE) and (ended := stated[other.key].ends(statuses)):
            return ended
        came = rest and share >= (
            _MIN_OUTCOME_SHARE if newer(other) else _MIN_UNDATED_OUTCOME_SHARE
        )
        if came and events & stated[other.key].events:
            return "a later account reports the outcome"
    return ""
