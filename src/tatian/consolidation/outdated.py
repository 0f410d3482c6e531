"""States, plans and forecasts that time or later sources have made outdated."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise

from msgspec.structs import replace

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.noise import NewsSentence
from tatian.consolidation.plan import SourceRanks, StorySources
from tatian.consolidation.sources import without_spans
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text import Document, Word
from tatian.text.content import concept, concepts, saying

_PASSING = re.compile(
    r"\b(?:was|were)(?: still)? (?:being |to )?(?:expected|scheduled|due|planned|believed|feared"
    r"|likely|unaccounted|missing|to (?!have)\w+)\b|\b(?:still|not yet|so far|for now|yet to)\b"
    r"|\b(?:remained|has until|have until)\b|\b(?:was|were) (?:not )?(?:yet )?known\b"
)
"""States, counts and plans of the day of a report, in the past tense."""
_LASTING_TIME = re.compile(
    r"\b(?:for (?:more than |over |about |almost |nearly )?[\w-]+ (?:years|decades)|since \d{4}"
    r"|ever|never|always|once|twice|times)\b"
)
"""Times with which the present perfect states something that lasts."""
_MODALS = frozenset({"will", "may", "might", "could", "must", "should", "would", "shall"})
_LASTING = frozenset(
    "base locate situate know name call build make design use own belong contain consist measure"
    " weigh lie live stand grow employ run link lead connect carry serve cost hold cover require"
    " allow ban produce sell operate teach study speak come bear marry have mean include".split()
)
"""Verbs whose present tense states what lasts."""
_OPEN_CASES = frozenset("accuse charge suspect indict".split())
"""Verbs whose passive stays true until another source gives the verdict."""
_LASTING_QUALITIES = frozenset(
    "wide long deep high tall thick broad heavy large big small famous popular native".split()
)
_DOUBTFUL = frozenset("likely suspected alleged possible probable current".split())
_PRESENT = frozenset({"VBZ", "VBP"})
_QUOTED = re.compile(r"[\"“][^\"”]{20}")
_SAME_CASE = 0.2
"""Least similarity at which an outcome belongs to the status, not to another matter."""
_CAME, _CAME_UNDATED = 0.35, 0.6
"""Least share of a forecast that its outcome covers: if a later day is known, and otherwise."""
_BRIEF = 16
"""Most words of a span with a status that is excluded even if others do not cover the rest."""
_REST = 0.55
"""Least share of an outdated span that other spans cover, so that it may be dropped."""


def exclude_outdated(story: StorySources, coverage: CoverageModel) -> StorySources:
    """Exclude spans that later sources have made outdated.

    A suspicion is excluded once another source has the verdict, a condition once it has the death,
    a search once it has the end, a forecast once it has the event. Other spans must cover most of
    the span, unless it is a brief status, and the next span must not depend on it.
    """
    sources, days = story.sources, story.days
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
            rest = coverage.covered_share(span.key, others) >= _REST
            if reason := _overtaken(span, later, stated, coverage, days, rest):
                reasons[span.key] = reason
    return _without(story, reasons)


def exclude_passing(
    story: StorySources, coverage: CoverageModel, ranks: SourceRanks
) -> StorySources:
    """Exclude states, counts and plans of the days before the text's main part.

    A span stays if it is a quotation, if the next one depends on it, or if the main part has the
    same sentence.
    """
    shared = {
        key for copy, keys in story.copies.items() if not ranks.numbers[copy[0]] for key in keys
    }
    reasons: dict[Key, str] = {}
    for source in (story.sources[number] for number in sorted(ranks.older)):
        for span, after in pairwise((*source.spans, None)):
            if span is None or not coverage.knows(span.key) or span.key in shared:
                continue
            named = after is not None and after.dependency == "name"
            if named or _depends(after, span) or _QUOTED.search(span.text):
                continue
            if _is_passing(source.document, span):
                reasons[span.key] = "a state or plan of an earlier day"
    return _without(story, reasons)


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


def _is_passing(document: Document, span: SourceSpan) -> bool:
    """Check whether the main clause of a span states a condition or plan of its report's day."""
    sentence = NewsSentence(document, span.bodies[0])
    if _PASSING.search(sentence.text):
        return True
    words = {word.token: word for word in sentence.reported}
    children: dict[int, list[Word]] = defaultdict(list)
    for word in words.values():
        children[word.head].append(word)
    main = next((word for word in words.values() if word.head not in words), None)
    while main is not None and concept(main.lemma) in saying():
        clauses = [w for w in children[main.token] if w.relation in ("ccomp", "parataxis")]
        main = clauses[0] if clauses else None
    if main is None:
        return False
    helpers = [w for w in children[main.token] if w.relation.startswith(("aux", "cop"))]
    present = any(word.fine in _PRESENT for word in helpers)
    if any(word.lemma in _MODALS for word in helpers):
        return True
    if main.fine in _PRESENT and not any(word.fine == "VBD" for word in helpers):
        return main.lemma not in _LASTING
    if not present:
        return False
    if main.tag == "VERB":
        perfect = any(word.lemma == "have" for word in helpers)
        if perfect:
            return not _LASTING_TIME.search(sentence.text)
        return main.fine == "VBG" or main.lemma not in _LASTING | _OPEN_CASES
    described = [w.lemma for w in children[main.token] if w.relation in ("amod", "advmod", "case")]
    if main.tag == "ADJ":
        return main.lemma not in _LASTING_QUALITIES
    return not _DOUBTFUL.isdisjoint(described) or "in" in described


def _depends(after: SourceSpan | None, span: SourceSpan) -> bool:
    """Check whether the next span depends on this one; "the men" only if this one mentions men."""
    if after is None or after.dependency != "noun":
        return after is not None and after.dependency == "before"
    nouns = concepts(after.text.split()[1:3])
    return not set(nouns).isdisjoint(concepts(re.findall(r"\w+", span.text)))


def _not_before(days: Sequence[date | None], span: SourceSpan, other: SourceSpan) -> bool:
    """Check whether the other span is from another source, of no earlier day as far as known."""
    day, other_day = days[span.source], days[other.source]
    return span.source != other.source and (day is None or other_day is None or day <= other_day)


def _overtaken(
    span: SourceSpan,
    later: Sequence[SourceSpan],
    stated: Mapping[Key, NewsSentence],
    coverage: CoverageModel,
    days: Sequence[date | None],
    rest: bool,
) -> str:
    """Return why a span is outdated, or ""; `rest` says whether others cover most of it."""

    def newer(other: SourceSpan) -> bool:
        first, second = days[span.source], days[other.source]
        return first is not None and second is not None and first < second

    sentence = stated[span.key]
    events, statuses = sentence.expected(), sentence.statuses()
    brief = len(span.text.split()) <= _BRIEF
    for other in later if rest or (brief and statuses) else ():
        share = coverage.covered_share(
            span.key, {other.key}.intersection(coverage.candidates(span.key))
        )
        alike = newer(other) and coverage.similarity(span.key, other.key) >= _SAME_CASE
        if (alike or share >= _CAME) and (ended := stated[other.key].ends(statuses)):
            return ended
        came = rest and share >= (_CAME if newer(other) else _CAME_UNDATED)
        if came and events & stated[other.key].events:
            return "a later account reports the outcome"
    return ""
