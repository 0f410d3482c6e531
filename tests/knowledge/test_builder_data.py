"""A base from real files: what they share is merged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.sources import open_sources


@pytest.mark.long
def test_concepts_and_titles_of_one_page_are_one_entity(data: Path, tmp_path: Path) -> None:
    files = ("concepts.json.gz", "concept-extracts.zip", "vital-article-titles.txt.gz")
    sources = open_sources([str(data / "knowledge" / name) for name in files])
    info = build(sources, tmp_path / "a.kb")
    concepts, titles = (source.pages for source in info.sources)
    assert max(concepts, titles) < info.counts.entities < concepts + titles
    with KnowledgeBase.open(tmp_path / "a.kb") as base:
        artist = base.lookup("artists").candidates[0]
        assert artist.title == "Artist"
        entity = base.entity(artist.id)
        assert entity
        assert entity.wikidata == "Q483501"
        assert entity == base.by_wikidata("Q483501")
        assert len({one.title for one in base}) == len(base)
        assert base.dictionary.get("film director") is not None
