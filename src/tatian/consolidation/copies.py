"""Copies: sentences that stand word for word in several sources, or twice in one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tatian.consolidation.plan import SourceRanks, StorySources
from tatian.consolidation.spans import Key, SourceSpans


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
