"""Arrangement of the selected spans: sections, their order and opening, and clear references."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.noise import STEPS, NewsSentence
from tatian.consolidation.order import OrderedSpans, find_days, order_spans
from tatian.consolidation.plan import (
    Arrangement,
    Paragraph,
    Placement,
    Selection,
    StoryComparison,
    StorySources,
)
from tatian.consolidation.selection import AGAIN, TOLD, best_cover
from tatian.consolidation.sources import APART
from tatian.consolidation.spans import Key, SourceSpan, SourceSpans, find_missing_context
from tatian.text.dates import YEAR_UNKNOWN, written_day

_OPENING = 4
"""Most spans of the newest source that open the text with its news."""


class TextSection(Struct, frozen=True):
    """Sources that are consolidated together."""

    heading: str
    """Heading above them, if any."""
    sources: list[int]
    why: str = ""
    """Reason for a separate section, if it is one."""


class StoryOutline(Struct, frozen=True):
    """Facts about a story that do not depend on the selection."""

    comparison: StoryComparison
    days: Mapping[Key, date]
    """First day that each span names."""
    news: int | None
    """Newest source, if it opens with a step that the backbone's opening does not have."""


def arrange(comparison: StoryComparison, selection: Selection, *, shortened: bool) -> Arrangement:
    """Arrange the selected spans so that all references in the text are clear.

    A span that refers to something not said before it is dropped from a `shortened` text; else
    what it needs is brought back.
    """
    story = comparison.story
    outline = StoryOutline(
        comparison,
        find_days(story.spans, story.documents),
        None if story.passages.sources else _find_news(story, comparison.backbone),
    )
    arrangement = _arrange_sections(outline, selection)
    back: set[Key] = set()
    while unclear := _find_unclear(arrangement, comparison, nouns=shortened):
        current = arrangement.selection
        if shortened:
            chosen = current.restrict(current.kept.difference(unclear))
        else:
            back |= set(unclear.values())
            first = arrangement.spans[0].key
            chosen = bring_back_context(current, unclear.values(), back | {first}, comparison)
        arrangement = _arrange_sections(outline, chosen)
    return arrangement


def bring_back_context(
    selection: Selection,
    back: Collection[Key],
    needed: Collection[Key],
    comparison: StoryComparison,
) -> Selection:
    """Bring spans back, and drop those that had covered them if they are covered in turn.

    A span stays if it is `needed`, if the next one in its source depends on it, or if a dropped
    span would lose its coverage.
    """
    coverage = comparison.settled
    followed = {
        span.key
        for source in comparison.story.sources
        for span, after in pairwise(source.spans)
        if after.dependency and after.key in selection.kept
    }
    chosen = selection.bring_back(back)
    for key in (other for brought in back for other in selection.dropped.get(brought, ())):
        held = chosen.covered_by(key)
        if key not in chosen.kept - followed.union(needed) or not all(map(coverage.knows, held)):
            continue
        rest = chosen.kept - {key}
        least = AGAIN if key[0] == comparison.backbone else TOLD
        share, covering = best_cover(key, coverage, rest)
        orphans = {orphan: best_cover(orphan, coverage, rest) for orphan in held}
        if share < least or any(again < TOLD for again, _ in orphans.values()):
            continue
        dropped = {orphan: others for orphan, (_, others) in orphans.items()}
        chosen = Selection(rest, {**chosen.dropped, **dropped, key: covering}, chosen.omitted)
    return chosen


def _arrange_sections(outline: StoryOutline, selection: Selection) -> Arrangement:
    """Order the selection, section by section, with the placement of each span."""
    comparison = outline.comparison
    days = comparison.story.days
    paragraphs: list[Paragraph] = []
    placements: dict[Key, Placement] = {}
    for section in make_sections(comparison, selection.kept):
        first, *others = (days[number] for number in section.sources)
        later = [n for n, day in enumerate(others, start=1) if first and day and day > first]
        ordered = order_spans(
            [comparison.story.sources[number].spans for number in section.sources],
            selection,
            comparison.coverage,
            outline.days,
            later,
            comparison.forecasts,
        )
        opened = _open_section(ordered, section, outline, selection)
        paragraphs += [
            Paragraph(spans, "" if number else section.heading)
            for number, spans in enumerate(opened.paragraphs)
        ]
        placements |= {
            key: replace(placement, section=section.why)
            for key, placement in opened.placements.items()
        }
    return _rejoin(Arrangement(selection, tuple(paragraphs), placements), comparison)


def make_sections(comparison: StoryComparison, kept: Collection[Key]) -> list[TextSection]:
    """Group the sources: the backbone with the days beside it, other days in turn, separate ones.

    States and counts change, so only sources of neighbouring days are interleaved. In a section,
    the backbone comes first, then the sources that contribute most. A source with a voice of its
    own is separate, and so is one that is unlike the rest if days are unknown.
    """
    sources, days = comparison.story.sources, comparison.story.days
    backbone, main = comparison.backbone, days[comparison.backbone]
    words = [sum(span.words for span in source.spans if span.key in kept) for source in sources]
    numbers = sorted(range(len(sources)), key=lambda n: (n != backbone, -words[n]))
    own_voice = [number for number in numbers if sources[number].own_voice and len(sources) > 1]
    alone: list[int] = []
    together: list[int] = []
    by_day: dict[date, list[int]] = {}
    for number in numbers:
        if number in own_voice:
            continue
        day = days[number]
        if main is None or day is None:
            (alone if number in comparison.unlike else together).append(number)
        elif abs(day - main) <= APART:
            together.append(number)
        else:
            by_day.setdefault(day, []).append(number)
    reported: list[list[date]] = []
    for day in sorted(by_day):
        if reported and day - reported[-1][-1] <= APART:
            reported[-1].append(day)
        else:
            reported.append([day])
    return [
        *([TextSection("", together)] if together else []),
        *(
            _dated_section(
                group,
                [number for number in numbers if any(number in by_day[day] for day in group)],
                main,
            )
            for group in reported
        ),
        *(_separate_section(sources[number], number) for number in (*alone, *own_voice)),
    ]


def _separate_section(source: SourceSpans, number: int) -> TextSection:
    """Build the section of a source that stands alone, with its heading."""
    about = source.document.metadata
    titled = about.title and written_day(about.title) is None
    who = about.source or (f"“{about.title}”" if titled else "")
    if source.own_voice:
        why = f"in the words of {who or 'one account'}"
        return TextSection(f"{why[0].upper()}{why[1:]}:", [number], why)
    named = who or "another account"
    return TextSection(f"From {named}:", [number], f"from {named}, which is unlike the others")


def _dated_section(days: Sequence[date], sources: list[int], main: date | None) -> TextSection:
    """Build the section of sources of other days, with its heading."""
    why = f"reported on {'an earlier' if main and days[0] < main else 'a later'} day"
    if days[0] == days[-1]:
        return TextSection(f"Reported on {_written(days[0])}:", sources, why)
    return TextSection(f"Reported from {_written(days[0])} to {_written(days[-1])}:", sources, why)


def _written(day: date) -> str:
    return f"{day:%B} {day.day}" + (f", {day.year}" if day.year != YEAR_UNKNOWN else "")


def _find_news(story: StorySources, backbone: int) -> int | None:
    """Return the newest source, if it opens with a step that the backbone's opening lacks.

    It must be newer than the backbone, but near enough to share its section.
    """
    day, newest = story.days[backbone], max((day for day in story.days if day), default=None)
    if day is None or newest is None or not day < newest <= day + APART:
        return None
    known = _steps(story.sources[backbone], 2)
    for number, source in enumerate(story.sources):
        if story.days[number] == newest and not source.own_voice and _steps(source, 1) - known:
            return number
    return None


def _steps(source: SourceSpans, count: int) -> set[str]:
    """Return the steps of a case that the first spans of a source report."""
    bodies = [span.bodies[0] for span in source.spans[:count]]
    return set(STEPS).intersection(
        act for body in bodies for act in NewsSentence(source.document, body).acts
    )


def _open_section(
    ordered: OrderedSpans, section: TextSection, outline: StoryOutline, selection: Selection
) -> OrderedSpans:
    """Open the backbone's section with news, or with what replaces the backbone's first span."""
    backbone, news = outline.comparison.backbone, outline.news
    sources = outline.comparison.story.sources
    if news is not None and {backbone, news} <= set(section.sources):
        return _move_to_front(ordered, sources[news].spans, selection.kept, _OPENING)
    if backbone not in section.sources:
        return ordered
    opening = _replacement(sources, selection, backbone)
    if {span.source for span in opening} <= set(section.sources):
        return _move_to_front(ordered, opening, selection.kept, 1)
    return ordered


def _replacement(
    sources: Sequence[SourceSpans], selection: Selection, backbone: int
) -> list[SourceSpan]:
    """Return the span that replaces the backbone's first one, and those after it in its source."""
    for first in sources[backbone].spans[:1]:
        for key in selection.dropped.get(first.key, ())[:1]:
            spans = [span for span in sources[key[0]].spans if span.key >= key]
            if spans[0].key == key and not spans[0].dependency:
                return spans
    return []


def _move_to_front(
    ordered: OrderedSpans, spans: Sequence[SourceSpan], kept: Collection[Key], most: int
) -> OrderedSpans:
    """Move up to `most` kept spans of `spans` to the front, if the first of `spans` is kept.

    Spans that depend on them move along.
    """
    if not spans or spans[0].key not in kept:
        return ordered
    candidates = [span for span in spans if span.key in kept]
    count = min(most, len(candidates))
    while count < len(candidates) and candidates[count].dependency:
        count += 1
    opening = {span.key: span for span in candidates[:count]}
    rest = (
        tuple(span for span in paragraph if span.key not in opening)
        for paragraph in ordered.paragraphs
    )
    placements = ordered.placements | dict.fromkeys(opening, Placement("order"))
    first, *others = filter(None, (tuple(opening.values()), *rest))
    if most == 1 and others and len(others[0]) < _OPENING:
        return OrderedSpans([(*first, *others[0]), *others[1:]], placements)
    return OrderedSpans([first, *others], placements)


def _rejoin(arrangement: Arrangement, comparison: StoryComparison) -> Arrangement:
    """Move spans behind the span that covers what they refer to, if that makes the text clearer.

    Spans with a pronoun stay, as it would not be clear whom "they" means.
    """
    unclear = _find_unclear(arrangement, comparison, nouns=False)
    named = {span.key for span in arrangement.spans if span.pronoun is None}
    clearest, count = arrangement, len(unclear)
    for key, needed in unclear.items():
        for covering in arrangement.selection.dropped.get(needed, ())[:1] if key in named else ():
            moved = replace(clearest, paragraphs=_move(clearest.paragraphs, key, covering))
            still = len(_find_unclear(moved, comparison, nouns=False))
            if still < count:
                clearest, count = moved, still
    return clearest


def _move(paragraphs: Sequence[Paragraph], key: Key, behind: Key) -> tuple[Paragraph, ...]:
    """Return the text with a span, and those that depend on it, behind another span."""
    groups = [list(paragraph.spans) for paragraph in paragraphs]
    home = next(spans for spans in groups if any(span.key == key for span in spans))
    first = [span.key for span in home].index(key)
    last = first + 1
    while last < len(home) and home[last].dependency and home[last].source == key[0]:
        last += 1
    block = home[first:last]
    del home[first:last]
    for spans in groups if home else ():
        keys = [span.key for span in spans]
        if behind in keys:
            place = keys.index(behind) + 1
            spans[place:place] = block
            return tuple(
                replace(paragraph, spans=tuple(spans))
                for paragraph, spans in zip(paragraphs, groups, strict=True)
            )
    return tuple(paragraphs)


def _find_unclear(
    arrangement: Arrangement, comparison: StoryComparison, *, nouns: bool
) -> dict[Key, Key]:
    """Return the spans that refer to something not said before them, with the spans they need.

    The first span of the text stays, whatever it refers to. A word-for-word copy of another
    source's sentence is not brought back. With long sources, only shortened texts are checked.
    """
    story, selection = comparison.story, arrangement.selection
    if story.passages.sources and not nouns:
        return {}
    spans = arrangement.spans
    missing = find_missing_context(spans, story.sources, selection.dropped, nouns=nouns)
    first = [span.key for span in spans[:1]]
    return {
        key: needed
        for key, needed in missing.items()
        if key not in first
        and needed not in selection.kept
        and (nouns or comparison.coverage.knows(needed))
    }
