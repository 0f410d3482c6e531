"""Arrangement of the selected spans: sections, their order and opening, and clear references."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import accumulate, chain, groupby, pairwise, repeat

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.connectives import CONNECTIVES
from tatian.consolidation.context import find_missing_context
from tatian.consolidation.names import publisher
from tatian.consolidation.order import OrderedSpans, find_days, order_spans
from tatian.consolidation.plan import (
    Arrangement,
    Paragraph,
    Placement,
    Selection,
    StoryComparison,
)
from tatian.consolidation.references import OBJECTS
from tatian.consolidation.selection import MIN_BACKBONE_SHARE, MIN_COVERED_SHARE, best_cover
from tatian.consolidation.sources import group_by_moment
from tatian.consolidation.spans import Key, SourceSpan, SourceSpans, entry_minute, is_live_page
from tatian.text import Document
from tatian.text.dates import YEAR_UNKNOWN, written_day

_OPENING = 4
"""A replaced opening joins the first paragraph if that has fewer spans than this."""
_MIN_CONTEXT_SHARE = 0.85
"""Minimum covered share of a dropped span that is not brought back as context."""
_ACCOUNTS = tuple(
    f"a {number} account"
    for number in "second third fourth fifth sixth seventh eighth ninth tenth".split()
)
"""Names of sources that have none, in text order."""
_PRONOUN_FIRST = re.compile(r"[\"“]?(?:he|she|they|it|his|her|their|this|that)\b", re.IGNORECASE)


class TextSection(Struct, frozen=True):
    """Sources that are consolidated together."""

    heading: str
    """Heading above them, if any."""
    sources: list[int]
    why: str = ""
    """Reason for a separate section, if it is one."""
    hour: str = ""
    """Follows the first source's name in the heading: "earlier on May 5, 2024"."""


class StoryOutline(Struct, frozen=True):
    """Facts about a story that do not depend on the selection."""

    comparison: StoryComparison
    days: Mapping[Key, date]
    """First day that each span names."""


def arrange(comparison: StoryComparison, selection: Selection, *, shortened: bool) -> Arrangement:
    """Arrange the selected spans so that all references in the text are clear.

    A span that refers to something not said before it is dropped from a `shortened` text; else
    what it needs is brought back.
    """
    story = comparison.story
    outline = StoryOutline(
        comparison,
        find_days(story.spans, story.documents),
    )
    arrangement = _arrange_sections(outline, selection)
    back: set[Key] = set()
    while unclear := _find_unclear(arrangement, comparison, nouns=shortened, back=back):
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

    A span stays if it is `needed`, or if the next one in its source depends on it. It also stays if
    a dropped span would lose its coverage.
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
        if key[0] == comparison.backbone and not comparison.ranks.interleaved:
            continue
        if key not in chosen.kept - followed.union(needed) or not all(map(coverage.knows, held)):
            continue
        rest = chosen.kept - {key}
        least = MIN_BACKBONE_SHARE if key[0] == comparison.backbone else MIN_COVERED_SHARE
        share, covering = best_cover(key, coverage, rest)
        orphans = {orphan: best_cover(orphan, coverage, rest) for orphan in held}
        if share < least or any(again < MIN_COVERED_SHARE for again, _ in orphans.values()):
            continue
        dropped = {orphan: others for orphan, (_, others) in orphans.items()}
        chosen = Selection(rest, {**chosen.dropped, **dropped, key: covering}, chosen.omitted)
    return chosen


def _arrange_sections(outline: StoryOutline, selection: Selection) -> Arrangement:
    """Order the selection, section by section, with the placement of each span.

    Sources of one rank are interleaved; others follow one another.
    """
    comparison = outline.comparison
    ranks = comparison.ranks.numbers
    paragraphs: list[Paragraph] = []
    placements: dict[Key, Placement] = {}
    unnamed = chain(_ACCOUNTS, repeat("another account"))
    for section in make_sections(comparison, selection.kept):
        numbers = section.sources
        opening = _find_opening(numbers, comparison, selection)
        story_documents = [source.document for source in comparison.story.sources]
        pending = section.heading
        for part in (list(group) for _, group in groupby(numbers, ranks.__getitem__)):
            ordered = _order_sources(part, outline, selection)
            opened = _open_with(opening, ordered.paragraphs, comparison.backbone in part)
            heading = pending
            name = publisher(story_documents[part[0]], story_documents)
            if opened and not pending and part[0] != numbers[0]:
                heading = f"From {name or next(unnamed)}:"
            elif name and pending and section.hour and len(part) == 1:
                heading = f"From {name}, {section.hour}:"
            for spans in opened:
                paragraphs.append(Paragraph(spans, heading))
                heading = pending = ""
            placements |= {
                key: replace(
                    Placement("order") if key in opening else placement, section=section.why
                )
                for key, placement in ordered.placements.items()
            }
    return _rejoin(Arrangement(selection, tuple(paragraphs), placements), comparison)


def _order_sources(
    numbers: Sequence[int], outline: StoryOutline, selection: Selection
) -> OrderedSpans:
    """Order the kept spans of some sources, interleaved if there are several."""
    comparison = outline.comparison
    sources = [comparison.story.sources[number] for number in numbers]
    ordered = order_spans(
        [source.spans for source in sources],
        selection,
        comparison.coverage,
        outline.days,
        comparison.forecasts,
    )
    if len(sources) == 1 and is_live_page(sources[0]):
        return replace(ordered, paragraphs=_sort_entries(ordered.paragraphs, sources[0]))
    return ordered


def _sort_entries(
    paragraphs: Iterable[Iterable[SourceSpan]], source: SourceSpans
) -> list[tuple[SourceSpan, ...]]:
    """Return the entries of a live page, one per paragraph, with the oldest first.

    Spans before the first entry stay at the top.
    """
    minutes = [entry_minute(span) for span in source.spans]
    entry_of = dict(
        zip(
            (span.key for span in source.spans),
            accumulate(int(minute is not None) for minute in minutes),
            strict=True,
        )
    )
    entries: dict[int, list[SourceSpan]] = {}
    for span in chain.from_iterable(paragraphs):
        entries.setdefault(entry_of[span.key], []).append(span)
    times = [minute for minute in minutes if minute is not None]
    newest_first = 2 * sum(before > after for before, after in pairwise(times)) > len(times) - 1
    numbers = sorted(entries, key=lambda number: -number if number and newest_first else number)
    return [tuple(entries[number]) for number in sorted(numbers, key=bool)]


def make_sections(comparison: StoryComparison, kept: Collection[Key]) -> list[TextSection]:
    """Group the sources: the backbone's moment, other moments, and those with their own voice.

    In a section, the backbone comes first. The others follow by rank, and then by the number of
    words that they contribute.
    """
    story, backbone = comparison.story, comparison.backbone
    documents = [source.document for source in story.sources]
    ranks = comparison.ranks.numbers
    groups = group_by_moment(story, backbone)
    dated = {number for group in groups.values() for number in group}
    words = [sum(s.words for s in source.spans if s.key in kept) for source in story.sources]
    ordered = sorted(range(len(ranks)), key=lambda n: (n != backbone, ranks[n], -words[n]))
    undated = [number for number in ordered if number not in dated]
    is_alone = len(ranks) == 1
    own_voice = [n for n in undated if story.sources[n].own_voice and not is_alone]
    together = [number for number in undated if number not in own_voice]
    moments = [*filter(None, (story.moments[backbone], *groups))]
    return [
        *([TextSection("", together)] if together else []),
        *(
            _dated_section(moment, [n for n in ordered if n in group], moments)
            for moment, group in groups.items()
        ),
        *(_own_section(story.sources[number], number, documents) for number in own_voice),
    ]


def _own_section(source: SourceSpans, number: int, documents: Sequence[Document]) -> TextSection:
    """Build the section of a source with a voice of its own, with its heading."""
    title = source.document.metadata.title
    titled = title and written_day(title) is None
    who = publisher(source.document, documents) or (f"“{title}”" if titled else "one account")
    why = f"in the words of {who}"
    return TextSection(f"{why[0].upper()}{why[1:]}:", [number], why)


def _dated_section(
    moment: datetime, sources: list[int], moments: Sequence[datetime]
) -> TextSection:
    """Build the section of the sources of another moment, with its heading.

    `moments` are those of the text, the main one first.
    """
    main, day = moments[0], moment.date()
    others = [other for other in moments[1:] if other.date() == day]
    after = moment > min(others)
    if moment > main and day == main.date():
        when = "later on"
    elif day == main.date():
        when = "after that, on" if after else "earlier on"
    else:
        when = "later on" if after else "first on" if len(others) > 1 else "on"
    when = f"{when} {_written(day)}"
    heading = f"Reported {when}:"
    if day == main.date():
        hour = "earlier" if moment < main else "later"
        return TextSection(heading, sources, f"reported {hour} that day", when)
    which = "an earlier" if moment < main else "a later"
    return TextSection(heading, sources, f"reported on {which} day")


def _written(day: date) -> str:
    return f"{day:%B} {day.day}" + (f", {day.year}" if day.year != YEAR_UNKNOWN else "")


def _find_opening(
    numbers: Sequence[int], comparison: StoryComparison, selection: Selection
) -> dict[Key, SourceSpan]:
    """Return the spans that open the text instead of the backbone's first one, if it is dropped.

    Spans that depend on the replacement belong to it.
    """
    opening: dict[Key, SourceSpan] = {}
    if comparison.backbone in numbers:
        for span in _replacement(comparison.story.sources, selection, comparison.backbone):
            if opening and not span.dependency:
                break
            opening[span.key] = span
    return opening if all(key[0] in numbers for key in opening) else {}


def _open_with(
    opening: Mapping[Key, SourceSpan],
    paragraphs: Sequence[tuple[SourceSpan, ...]],
    is_first: bool,
) -> list[tuple[SourceSpan, ...]]:
    """Remove the opening from its place, and put it before the first part of the text."""
    rest = [tuple(span for span in spans if span.key not in opening) for spans in paragraphs]
    first, *others = [tuple(opening.values()) if is_first else (), *filter(None, rest)]
    if first and others and len(others[0]) < _OPENING:
        return [(*first, *others[0]), *others[1:]]
    return [first, *others] if first else others


def _replacement(
    sources: Sequence[SourceSpans], selection: Selection, backbone: int
) -> list[SourceSpan]:
    """Return the kept span that replaces the backbone's first, and the kept ones after it."""
    for first in sources[backbone].spans[:1]:
        for key in selection.dropped.get(first.key, ())[:1]:
            spans = [span for span in sources[key[0]].spans if span.key >= key]
            if key in selection.kept and spans[0].key == key and not spans[0].dependency:
                return [span for span in spans if span.key in selection.kept]
    return []


def _rejoin(arrangement: Arrangement, comparison: StoryComparison) -> Arrangement:
    """Move spans behind the span that covers what they refer to, if that makes the text clearer.

    Spans with a pronoun stay, as it would not be clear whom "they" means. No span leaves its
    section.
    """
    ranks = comparison.ranks.numbers
    unclear = _find_unclear(arrangement, comparison, nouns=False)
    named = {span.key for span in arrangement.spans if span.pronoun is None}
    clearest, count = arrangement, len(unclear)
    for key, needed in unclear.items():
        for covering in arrangement.selection.dropped.get(needed, ())[:1] if key in named else ():
            if ranks and ranks[key[0]] != ranks[covering[0]]:
                continue
            moved = replace(clearest, paragraphs=_move(clearest.paragraphs, key, covering))
            still = len(_find_unclear(moved, comparison, nouns=False))
            if still < count:
                clearest, count = moved, still
    return clearest


def _move(paragraphs: Sequence[Paragraph], key: Key, behind: Key) -> tuple[Paragraph, ...]:
    """Return the paragraphs with a span, and those that depend on it, moved behind another."""
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
    arrangement: Arrangement,
    comparison: StoryComparison,
    *,
    nouns: bool,
    back: Collection[Key] = (),
) -> dict[Key, Key]:
    """Return the spans that refer to something not said before them, with the spans they need.

    The first span of the text stays, whatever it refers to. A word-for-word copy of another
    source's sentence is not brought back. With long sources, only shortened texts are checked.
    A span with a pronoun that was brought `back` as context needs its own context.
    """
    story, selection = comparison.story, arrangement.selection
    if story.passages.sources and not nouns:
        return {}
    spans = arrangement.spans
    missing = find_missing_context(spans, story.sources, selection.dropped, nouns=nouns)
    first = [span.key for span in spans[:1]]
    chained = {span.key for span in spans if span.key in back and span.pronoun is not None}
    return {
        key: needed
        for key, needed in missing.items()
        if key not in first
        and needed not in selection.kept
        and (nouns or comparison.coverage.knows(needed))
        and (key in chained or not _is_covered(needed, key, arrangement, comparison))
    }


def _is_covered(
    needed: Key, key: Key, arrangement: Arrangement, comparison: StoryComparison
) -> bool:
    """Check whether the text covers nearly all of a span that another one needs.

    If the other span opens with a pronoun, or has one as an object ("saw it"), the answer is no.
    """
    span = next(span for span in arrangement.spans if span.key == key)
    connective = CONNECTIVES.match(span.text)
    opening = span.text[connective.end() :].lstrip(", ") if connective else span.text
    points = _PRONOUN_FIRST.match(opening) or span.pronoun_text in OBJECTS
    if points or not comparison.settled.knows(needed):
        return False
    share, _ = best_cover(needed, comparison.settled, arrangement.selection.kept)
    return share >= _MIN_CONTEXT_SHARE
