"""Articles come and go; their stories follow."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tatian.engine import Inline
from tatian.errors import EmptyInput, InputError
from tatian.stories import Collection, Story, find_stories
from tatian.stories import collection as stories
from tatian.stories.articles import IndexedArticle, read_articles
from tatian.text import Document

from ..corpora.nitf_samples import nitf
from .samples import EVERYTHING, FERRY, MUSEUM, QUAKE, QUAKE_LATER, article, quake


@cache
def everything_read() -> list[IndexedArticle]:
    return read_articles(EVERYTHING)


WHOLE = [FERRY, MUSEUM, QUAKE, QUAKE_LATER]


def grouped(found: Iterable[Story]) -> set[frozenset[str]]:
    return {frozenset(one.documents) for one in found}


def expected(groups: Iterable[Iterable[Document]]) -> set[frozenset[str]]:
    return {frozenset(one.id for one in group) for group in groups}


def test_articles_of_one_event_are_one_story() -> None:
    assert grouped(find_stories(EVERYTHING)) == expected(WHOLE)


def test_the_order_of_the_articles_makes_no_difference() -> None:
    assert grouped(find_stories(EVERYTHING[::-1])) == expected(WHOLE)


def test_two_earthquakes_in_one_region_a_year_apart_are_two_stories() -> None:
    assert grouped(find_stories([*QUAKE, *QUAKE_LATER])) == expected([QUAKE, QUAKE_LATER])


def test_similar_articles_far_apart_in_time_are_different_stories() -> None:
    one = quake("a", "2020-04-02", "5.8", "31", "Tarvo", "Ilse Brandt")
    next_day = quake("b", "2020-04-03", "5.9", "40", "Tarvo", "Henrik Moll")
    next_year = replace(next_day, metadata=replace(next_day.metadata, date="2021-05-11"))
    assert len(find_stories([one, next_day])) == 1
    assert len(find_stories([one, next_year])) == 2


def test_documents_of_a_story_are_sorted_by_day() -> None:
    (found,) = find_stories(FERRY[::-1])
    assert found.documents == ("wire-1", "courier-1", "weekly-1")


def test_single_article_is_a_story_and_no_article_is_an_error() -> None:
    (found,) = find_stories(FERRY[:1])
    assert found.documents == ("wire-1",)
    with pytest.raises(EmptyInput):
        find_stories([])


def test_an_article_without_words_is_a_story_of_its_own() -> None:
    found = find_stories([*FERRY, article("empty", "..."), article("figure", "7")])
    assert expected([FERRY]) < grouped(found)


def test_near_copies_are_marked(tmp_path: Path) -> None:
    reprint = article("gazette-9", f"(Wire) {FERRY[0].text} Reporting by A. Lee.", "2021-03-15")
    (found,) = find_stories([reprint, *FERRY])
    assert found.copies == {"gazette-9": "wire-1"}


def test_new_articles_join_stories_or_start_new_ones(tmp_path: Path) -> None:
    with Collection(tmp_path) as collection:
        assert collection.add([FERRY[0], *QUAKE]) == 3
        before = {one.documents[0]: one.story for one in collection.stories()}
    with Collection(tmp_path) as collection:
        assert collection.add(EVERYTHING) == len(EVERYTHING) - 3
        after = collection.stories()
    assert grouped(after) == expected(WHOLE)
    assert {one.documents[0]: one.story for one in after if one.documents[0] in before} == before


def test_stored_articles_are_skipped(tmp_path: Path) -> None:
    with Collection(tmp_path) as collection:
        collection.add(EVERYTHING)
        found = collection.stories()
        assert collection.add(EVERYTHING) == 0
        assert collection.stories() == found


def test_a_changed_article_replaces_the_old_version(tmp_path: Path) -> None:
    with Collection(tmp_path) as collection:
        collection.add(EVERYTHING)
        before = {one.documents[0]: one.story for one in collection.stories()}
        moved = replace(MUSEUM[1], id="weekly-1")
        assert (collection.add([moved]), collection.replaced) == (1, 1)
        assert grouped(collection.stories()) == expected(
            [FERRY[:2], [*MUSEUM, moved], QUAKE, QUAKE_LATER]
        )
        after = {one.documents[0]: one.story for one in collection.stories()}
    assert after == before


def test_different_articles_with_one_id_are_an_error(tmp_path: Path) -> None:
    other = replace(MUSEUM[1], id=FERRY[0].id)
    with Collection(tmp_path) as collection:
        with pytest.raises(InputError, match=f"'{other.id}': another article that was given"):
            collection.add([*FERRY, other])
        assert collection.add([*FERRY, FERRY[0]]) == len(FERRY)


def test_an_engine_reports_the_second_article_with_one_id_as_failed(tmp_path: Path) -> None:
    for folder, text in (("a", "The ferry sank."), ("b", "The ferry sank."), ("c", "It rained.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.xml").write_text(nitf("1", paragraphs=(text,)), "utf-8")
    corpus = [str(tmp_path / folder) for folder in "abc"]
    with Collection(tmp_path / "kept") as collection:
        assert collection.add_corpus(corpus, Inline()) == (1, 1)
    (aside,) = map(json.loads, (tmp_path / "kept" / "failed.jsonl").read_text().splitlines())
    assert (aside["id"], aside["text"]) == ("1", "It rained.")
    assert aside["error"] == "another article that was given with it has the same id"


def test_withdrawn_article_is_removed_completely(tmp_path: Path) -> None:
    with Collection(tmp_path) as collection:
        collection.add(EVERYTHING)
        collection.withdraw(["weekly-1"])
        collection.write()
        assert grouped(collection.stories()) == expected([FERRY[:2], MUSEUM, QUAKE, QUAKE_LATER])
    for file in tmp_path.iterdir():
        assert b"weekly-1" not in file.read_bytes()
    with Collection(tmp_path / "other") as other:
        other.add([one for one in EVERYTHING if one.id != "weekly-1"])
        kept = grouped(other.stories())
    with Collection(tmp_path) as collection:
        assert grouped(collection.stories()) == kept
        with pytest.raises(InputError, match="no article 'weekly-1'"):
            collection.withdraw(["weekly-1"])


def test_the_texts_of_a_story_are_kept(tmp_path: Path) -> None:
    with Collection(tmp_path) as collection:
        collection.add(FERRY)
        (found,) = collection.stories()
        documents = collection.documents(found.story)
    assert [one.text for one in documents] == [one.text for one in FERRY]
    assert documents[0].metadata.source == "wire"


def test_the_file_has_a_story_on_each_line(tmp_path: Path) -> None:
    with Collection(tmp_path) as collection:
        collection.add([*FERRY, *MUSEUM])
        path = collection.write()
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [set(line) for line in lines] == [{"story", "documents"}] * 2
    assert lines[0] == {
        "story": "story-1",
        "documents": ["wire-1", "courier-1", "weekly-1"],
    }


@pytest.mark.parametrize("seed", range(6))
def test_the_stories_do_not_depend_on_the_batches(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {one.id: one for one in everything_read()}
    monkeypatch.setattr(stories, "read_articles", lambda some: [known[one.id] for one in some])
    order = Random(seed).sample(EVERYTHING, len(EVERYTHING))
    with Collection(tmp_path) as collection:
        for start in range(0, len(order), 1 + seed):
            collection.add(order[start : start + 1 + seed])
        assert grouped(collection.stories()) == expected(WHOLE)


def test_interrupted_work_can_be_continued(tmp_path: Path) -> None:
    def broken(stage: str, done: int, total: int) -> None:
        if stage == "finding stories":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Collection(tmp_path) as collection:
        collection.add(FERRY, broken)
    with Collection(tmp_path) as collection:
        assert collection.stories() == []
        assert collection.add(FERRY) == 0
        assert grouped(collection.stories()) == expected([FERRY])


def test_a_locked_collection_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Collection(tmp_path) as collection:
        collection.add(FERRY)
    with sqlite3.connect(tmp_path / "state.db") as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0.01))
        locked = pytest.raises(InputError, match="cannot be used: database is locked")
        with locked, Collection(tmp_path) as collection:
            collection.add(MUSEUM)
        other.rollback()
    other.close()


def test_an_invalid_collection_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"not a database, but long enough to look like one" * 99)
    with pytest.raises(InputError, match="cannot be used"):
        Collection(tmp_path)
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(InputError, match="cannot be used"):
        Collection(tmp_path / "file")
