"""Steps for whole sources: reading, dating, choosing the backbone, excluding parts.

One source is the backbone, which the text follows. Parts that belong to another story, or that
another source has made outdated, are excluded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import chain
from statistics import fmean as mean

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.moments import report_moments
from tatian.consolidation.news_sentence import NewsSentence
from tatian.consolidation.noise import FURNITURE
from tatian.consolidation.passages import Encode, align_passages
from tatian.consolidation.plan import SourceRanks, StorySources, find_copies
from tatian.consolidation.sexes import surname_sexes
from tatian.consolidation.similarity import Vectors
from tatian.consolidation.spans import Key, SourceSpan, SourceSpans, read_spans
from tatian.text import NAMES, Document
from tatian.text.datelines import publication_day, publication_days
from tatian.text.dates import YEAR_UNKNOWN, written_day

_HEADLESS = 0.6
"""Penalty, as a factor, for a source whose first sentence depends on context."""
_OWN = 0.5
"""Penalty, as a factor, for first-person sources and logs."""
_HEAD = 2
"""Number of spans that count as a source's opening."""
_LIKE_BEST = 0.45
"""Least likeness of a newer source's first span, as a share of the best source's."""
_SHORT_OPENING = 8
"""A first span of fewer words is compared together with the next one."""
_NEWS = 0.3
"""Minimum mean share of older openings that a newer source must cover to lead."""
_STALE = 0.85
"""A source is no news if older ones cover this share of its first span."""
_FULL = 0.64
"""Share of the best source's weight from which `_GOES_ON` is used instead of `_NEWS`."""
_SAME_DAY = 0.55
"""Share of that weight that a newer source of the best one's day needs to lead."""
_GOES_ON = 0.05
"""Lower limit instead of `_NEWS` for such a source."""

Floats = NDArray[np.float32]


_WITHHELD = re.compile(
    r"\b(?:names?|identity|identities)\b[^.;]{0,80}?\b(?:(?:not|n't) (?:yet )?be(?:en)? "
    r"(?:released|disclosed|given|published|announced|made public)|withheld"
    r"|(?:would|will) (?:not )?be released)\b",
    re.IGNORECASE,
)
"""Statements that names are withheld, as early reports make them."""
_SHORTEST = 8
"""Minimum number of spans in a closing part that is another story."""
_KNOWN = 0.2
"""Maximum share of that part's spans that share a name with the rest."""
_NAMING = 0.5
"""Minimum share of that part's spans that have only new names."""
_LIKE = 0.36
"""Maximum mean similarity of that part's spans to the rest."""
_MOST = 0.55
"""Maximum similarity of any of them to the rest."""


def remove_furniture(document: Document) -> Document:
    """Remove page furniture and soft hyphens from a document, unless it already has layers."""
    text = FURNITURE.sub("", document.text)
    changed = text != document.text and text.strip() and not document.layers
    return replace(document, text=text) if changed else document


def read_story(documents: Sequence[Document], encode: Encode | None) -> StorySources:
    """Read the sources as spans, without what does not belong to the story.

    Without `encode`, meaning is not compared, so other stories stay.
    """
    sexes = surname_sexes(documents)
    everything = exclude_withheld_names(
        [add_day(read_spans(n, document, sexes)) for n, document in enumerate(documents)]
    )
    vectors = _encode_spans(everything, encode) if encode else None
    sources = everything if vectors is None else exclude_other_stories(everything, vectors)
    days = tuple(publication_days(source.document for source in sources))
    return StorySources(
        sources,
        days,
        find_copies(sources),
        align_passages(sources, vectors, encode),
        vectors,
        report_moments(sources, days) if encode else (),
    )


def _encode_spans(sources: Sequence[SourceSpans], encode: Encode) -> Vectors:
    spans = [span for source in sources for span in source.spans]
    rows = encode([span.text for span in spans])
    return {span.key: row for span, row in zip(spans, rows, strict=True)}


def exclude_other_stories(
    sources: Sequence[SourceSpans], vectors: Vectors
) -> tuple[SourceSpans, ...]:
    """Exclude closing parts that share neither names nor meaning with the rest of the sources."""
    kept = []
    for number, source in enumerate(sources):
        others = [span for n, other in enumerate(sources) if n != number for span in other.spans]
        rest = source.spans[_start(source, others, sources, vectors) :]
        kept.append(without_spans(source, {span.key: "another story" for span in rest}))
    return tuple(kept)


def exclude_withheld_names(sources: Sequence[SourceSpans]) -> tuple[SourceSpans, ...]:
    """Exclude statements that names are withheld, if another source gives the names."""
    people = [_people(source.document) for source in sources]
    kept = []
    for number, source in enumerate(sources):
        named_elsewhere = (
            set().union(*(names for n, names in enumerate(people) if n != number)) - people[number]
        )
        old = [span.key for span in source.spans if named_elsewhere and _WITHHELD.search(span.text)]
        kept.append(without_spans(source, dict.fromkeys(old, "others give the names")))
    return tuple(kept)


def without_spans(source: SourceSpans, reasons: Mapping[Key, str]) -> SourceSpans:
    """Return a source with some of its spans excluded."""
    kept = tuple(span for span in source.spans if span.key not in reasons)
    dropped = (span for span in source.spans if span.key in reasons)
    why = {index: reasons[span.key] for span in dropped for index in span.indices}
    return replace(source, spans=kept, excluded={**source.excluded, **why})


def _people(document: Document) -> set[str]:
    names = document.get(NAMES) if document.has(NAMES) else ()
    return {name.of(document.text).split()[-1] for name in names if name.type == "PER"}


def _start(
    source: SourceSpans,
    others: Sequence[SourceSpan],
    sources: Sequence[SourceSpans],
    vectors: Vectors,
) -> int:
    """Return the index of the span from which the source reports another story."""
    spans = source.spans
    if not others:
        return len(spans)
    elsewhere = np.stack([vectors[span.key] for span in others])
    known = set().union(*(_names(sources[span.source].document, span) for span in others))
    named = [_names(source.document, span) for span in spans]
    rows = np.stack([vectors[span.key] for span in spans]) if spans else elsewhere[:0]
    far = _nearest(rows @ elsewhere.T, 5)
    for start in range(1, len(spans) - _SHORTEST + 1):
        run = named[start:]
        before = known.union(*named[:start])
        sharing = sum(not names.isdisjoint(before) for names in run) / len(run)
        naming = sum(map(bool, run)) / len(run) - sharing
        shares = not named[start].isdisjoint(before)
        if (
            spans[start].dependency
            or not named[start]
            or shares
            or naming < _NAMING
            or sharing > _KNOWN
        ):
            continue
        alike = np.maximum(far[start:], _nearest(rows[start:] @ rows[:start].T, 3))
        if float(alike.mean()) < _LIKE and float(alike.max()) < _MOST:
            return start
    return len(spans)


def _nearest(similarities: Floats, count: int) -> Floats:
    return np.asarray(np.sort(similarities, axis=1)[:, -count:].mean(axis=1))


def _names(document: Document, span: SourceSpan) -> set[str]:
    return {
        word.lower()
        for body in span.bodies
        for name in document.inside(NAMES, body)
        for word in name.of(document.text).split()
        if len(word) > 2
    }


def add_day(source: SourceSpans) -> SourceSpans:
    """Set a source's day where only its dateline or an excluded line gives it."""
    document = source.document
    lines = (document.sentences[index].of(document.text) for index in sorted(source.excluded))
    day = publication_day(document) or next(filter(None, map(written_day, lines)), None)
    if day is None or document.metadata.date or day.year == YEAR_UNKNOWN:
        return source
    about = replace(document.metadata, date=day.isoformat())
    return replace(source, document=replace(document, metadata=about))


def choose_backbone(story: StorySources, coverage: CoverageModel) -> int:
    """Return the index of the source that covers most of all sources' content.

    If newer sources report the same event as news, return the newest of those, so that the text
    opens with the current state. Only sources of the newest moment may cover much less than the
    best one, and only on a later day. The first span of a newer source must resemble what others
    say. Of the sources of one moment, one that opens like the others is preferred. If days differ,
    a source without a day does not lead.
    """

    def fitness(number: int) -> tuple[float, int]:
        return weights[number] * _opening_likeness(number, story), -number

    numbers = range(len(story.sources))
    first_likeness = [_first_likeness(number, story, story.sources) for number in numbers]
    weights = [_covered_weight(number, story, coverage) for number in numbers]
    dated = [number for number, moment in enumerate(story.moments) if moment]
    possible = dated if len({story.days[number] for number in dated}) > 1 else numbers
    best = max(possible, key=lambda number: (weights[number] * first_likeness[number], -number))
    main = story.moments[best]
    newer = sorted({other for other in story.moments if other and main and other > main})
    for moment in reversed(newer):
        same_day = main is not None and moment.date() == main.date()
        share = _SAME_DAY if same_day else _FULL
        brief = not same_day and moment == newer[-1]
        full = {n for n, weight in enumerate(weights) if weight >= share * weights[best]}
        news = [
            number
            for number, other in enumerate(story.moments)
            if other == moment
            and (brief or number in full)
            and first_likeness[number] >= _LIKE_BEST * first_likeness[best]
            and _is_news(story, coverage, number, full=number in full)
        ]
        if news:
            return max(news, key=fitness)
    return max((n for n, moment in enumerate(story.moments) if moment == main), key=fitness)


def _is_news(story: StorySources, coverage: CoverageModel, number: int, *, full: bool) -> bool:
    """Check whether a source updates older ones: the same event with a new opening.

    A source that covers nearly as much as the best one (`full`) needs little in common with them.
    """
    source, moment = story.sources[number], story.moments[number]
    older = {n for n, other in enumerate(story.moments) if other and moment and other < moment}
    heads = [story.sources[n].spans[:_HEAD] for n in older]
    known_heads = [spans for spans in heads if any(coverage.knows(span.key) for span in spans)]
    if source.own_voice or not source.spans or not known_heads:
        return False
    reported = mean(_covers(coverage, {number}, spans) for spans in known_heads)
    known = _covers(coverage, older, source.spans[:1])
    return (
        known < _STALE
        and not NewsSentence(source.document, source.spans[0].bodies[0]).looks_back
        and (reported >= _NEWS or (full and max(known, reported) >= _GOES_ON))
    )


def group_by_moment(story: StorySources, backbone: int) -> dict[datetime, list[int]]:
    """Group the sources of other moments than the backbone's, by moment."""
    main = story.moments[backbone]
    groups: dict[datetime, list[int]] = {}
    for number, moment in sorted(
        enumerate(story.moments), key=lambda pair: pair[1] or datetime.min
    ):
        if moment and main not in (None, moment) and not story.sources[number].own_voice:
            groups.setdefault(moment, []).append(number)
    return groups


def rank_sources(
    story: StorySources, coverage: CoverageModel, backbone: int, *, interleaved: bool
) -> SourceRanks:
    """Rank the sources: the backbone, others of its moment, other moments (newest first).

    Sources with a voice of their own come last. If sources are `interleaved`, those of one moment
    share a rank.
    """
    main = story.moments[backbone]
    groups = group_by_moment(story, backbone)
    dated = {number for group in groups.values() for number in group}
    undated = [n for n, source in enumerate(story.sources) if n not in dated and n != backbone]
    own_voice = [n for n in undated if story.sources[n].own_voice]
    together = [n for n in undated if n not in own_voice]
    if interleaved:
        ranked = [[backbone, *together], *reversed(groups.values())]
    else:
        weights = [
            sum(coverage.weight(span.key) for span in spans if coverage.knows(span.key))
            for spans in story.distinct
        ]
        ranked = [
            [number]
            for group in ([backbone], together, *reversed(groups.values()))
            for number in sorted(group, key=lambda number: (-weights[number], number))
        ]
    ranked += [[number] for number in own_voice]
    numbers = {number: rank for rank, group in enumerate(ranked) for number in group}
    older = (group for moment, group in groups.items() if main is not None and moment < main)
    return SourceRanks(
        tuple(numbers[number] for number in range(len(story.sources))),
        frozenset(chain.from_iterable(older)),
        frozenset(dated),
        interleaved,
    )


def _covered_weight(number: int, story: StorySources, coverage: CoverageModel) -> float:
    """Return the weight of all content that a source covers, reduced if it makes a poor opening."""
    total = 0.0
    for span in (span for source in story.sources for span in source.spans):
        if span.key in story.copies:
            key = story.copies[span.key][0]
            total += coverage.weight(key) * (number in (span.source, key[0]))
        else:
            mine = [key for key in coverage.candidates(span.key) if key[0] == number]
            share = 1.0 if span.source == number else coverage.covered_share(span.key, mine)
            total += coverage.weight(span.key) * share
    source = story.sources[number]
    headless = any(span.dependency for span in source.spans[:1])
    total *= _OWN if source.own_voice else 1.0
    return total * (_HEADLESS if headless else 1.0)


def _opening_likeness(number: int, story: StorySources) -> float:
    """Return how similar a source's opening is to the others of its moment; 1 if unknown.

    This is the product of two mean similarities: of its opening to theirs, and of its first span
    to anything they say.
    """
    moment = story.moments[number]
    same_moment = [s for s, m in zip(story.sources, story.moments, strict=True) if m == moment]
    opening = story.sources[number].spans[:_HEAD]
    openings = [s.spans[:_HEAD] for s in same_moment if s is not story.sources[number]]
    to_openings = _mean_likeness([opening], openings, story)
    return to_openings * _first_likeness(number, story, same_moment)


def _first_likeness(number: int, story: StorySources, sources: Sequence[SourceSpans]) -> float:
    """Return how similar a source's first span is to what other sources say; 1 if unknown.

    A scene, a question or a greeting is similar to nothing.
    """
    spans = story.sources[number].spans
    first = spans[: 1 + (bool(spans) and spans[0].words < _SHORT_OPENING)]
    others = [source.spans for source in sources if source is not story.sources[number]]
    return _mean_likeness([[span] for span in first], others, story)


def _mean_likeness(
    parts: Sequence[Sequence[SourceSpan]],
    others: Sequence[Sequence[SourceSpan]],
    story: StorySources,
) -> float:
    """Return the mean of the parts' greatest similarities to each of the others; 1 if unknown."""
    vectors = story.vectors or {}
    similarities = [
        max(float(vectors[span.key] @ vectors[o.key]) for span in part for o in other)
        for part in parts
        for other in others
        if part and other and vectors
    ]
    return max(0.0, mean(similarities)) if similarities else 1.0


def _covers(
    coverage: CoverageModel, numbers: Collection[int], spans: Sequence[SourceSpan]
) -> float:
    """Return the greatest share of any span that these sources cover; 1 if none was compared."""
    shares = (
        coverage.covered_share(
            key, [candidate for candidate in coverage.candidates(key) if candidate[0] in numbers]
        )
        for key in (span.key for span in spans)
        if coverage.knows(key)
    )
    return max(shares, default=1.0)
