"""Sentences that several sources have word for word."""

from __future__ import annotations

from tatian.consolidation.plan import SourceRanks, StorySources, find_copies, keep_where_first
from tatian.consolidation.spans import read_spans

from .bundles import bundle, consolidate, processed, sentences

SHARED = "Lifeboats saved all 212 people aboard."


def read(*texts: str) -> StorySources:
    sources = tuple(read_spans(n, document) for n, document in enumerate(processed(*texts)))
    return StorySources(sources, (None,) * len(sources), find_copies(sources))


def test_original_is_in_the_longest_source() -> None:
    story = read(f"Fog came. {SHARED}", f"A ferry sank off Halverne in fog. {SHARED} {SHARED}")
    assert story.copies == {(0, 1): ((1, 1),), (1, 2): ((1, 1),)}


def test_original_is_in_the_source_that_stands_first() -> None:
    story = read(f"Fog came. {SHARED}", f"A ferry sank off Halverne in fog. {SHARED}")
    assert keep_where_first(story, SourceRanks((0, 1))).copies == {(1, 1): ((0, 1),)}


def test_interleaved_sources_keep_their_copies() -> None:
    story = read(f"Fog came. {SHARED}", f"A ferry sank off Halverne in fog. {SHARED}")
    assert keep_where_first(story, SourceRanks((0, 0), interleaved=True)) is story


def test_backbone_keeps_a_sentence_that_a_longer_source_has_too() -> None:
    news = "A ferry with 212 people sank off Halverne on Monday."
    backbone = f"{news} {SHARED} Nobody was hurt."
    longer = f"{SHARED} The mayor of Sennick spoke for an hour about herring, bridges and schools."
    brief = "On Monday a ferry with 212 people sank off Halverne. Nobody was hurt at all."
    text = sentences(consolidate(bundle(longer, brief, backbone)))
    assert text[:3] == [news, SHARED, "Nobody was hurt."]
