"""A base as a source of another."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from tatian.errors import InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Page, Redirect
from tatian.knowledge.building.sources import ExistingBase

from .bases import SOURCES, WORLD, Listed, base_of


@pytest.fixture
def world(tmp_path: Path) -> Path:
    build([Listed(*WORLD)], tmp_path / "world.kb")
    return tmp_path / "world.kb"


def test_a_base_built_from_a_base_answers_alike(world: Path, tmp_path: Path) -> None:
    build([ExistingBase(world)], tmp_path / "again.kb")
    with KnowledgeBase.open(world) as one, KnowledgeBase.open(tmp_path / "again.kb") as other:
        assert list(one) == list(other)
        assert [one.inlinks(i).tolist() for i in range(12)] == [
            other.inlinks(i).tolist() for i in range(12)
        ]
        assert list(one.terms()) == list(other.terms())
        for term, _ in one.terms():
            assert other.lookup(term) == one.lookup(term)


@settings(max_examples=settings.default.max_examples * 3 // 5)
@given(sources=SOURCES)
def test_copied_base_gives_the_same_answers(
    sources: list[list[Page | Redirect]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("any")
    with base_of(place / "a.kb", *sources) as one:
        build([ExistingBase(place / "a.kb")], place / "b.kb")
        with KnowledgeBase.open(place / "b.kb") as other:
            assert list(other) == list(one)
            assert list(other.terms()) == list(one.terms())
            for term, number in one.terms():
                assert other.lookup(term) == one.lookup(term)
                assert other.counts_of(number) == one.counts_of(number)


def test_further_sources_are_added_to_a_base(world: Path, tmp_path: Path) -> None:
    more = Listed(Page("Jaguar", wikidata="Q35694"), Page("Puma"))
    build([ExistingBase(world), more], tmp_path / "more.kb")
    with KnowledgeBase.open(tmp_path / "more.kb") as base:
        assert len(base) == 12
        assert (jaguar := base.by_wikidata("Q35694"))
        assert jaguar.description == "A cat of the Americas."


def test_invalid_base_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.kb").write_text("no base")
    with pytest.raises(InputError, match="is no knowledge base"):
        ExistingBase(tmp_path / "a.kb")
