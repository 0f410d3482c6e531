"""The stories of a collection as pages: woven once, again when they change, gone with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tatian.consolidation import story_pages
from tatian.consolidation.story_pages import consolidate_collection
from tatian.engine import open_engine
from tatian.errors import InputError
from tatian.stories import Collection

from ..stories.samples import FERRY, MUSEUM, QUAKE_LATER, article

REPRINT = article("gazette-9", f"(Wire) {FERRY[0].text} Reporting by A. Lee.", "2021-03-15")
ALONE = article("post-7", "The mill in Ashby will close in May, its owner Ada Thorne said.")


@pytest.fixture
def kept(tmp_path: Path) -> Any:
    with Collection(tmp_path / "kept") as collection:
        collection.add([*FERRY, REPRINT, *MUSEUM, ALONE])
        yield collection


def woven(collection: Collection, folder: Path, **options: Any) -> tuple[int, int]:
    return consolidate_collection(collection, folder, fast=True, **options)[:2]


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_every_story_of_several_articles_has_a_page(kept: Collection, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    assert woven(kept, pages) == (2, 2)
    assert names(pages) == {"index.html", "story-1.html", "story-2.html", "woven.jsonl"}
    page = (pages / "story-1.html").read_text("utf-8")
    assert "Sea Holly" in page
    assert "gazette-9" not in page
    index = (pages / "index.html").read_text("utf-8")
    assert index.partition('id="articles"')[0].count("<li>") == 2
    assert '<a href="story-1.html">' in index
    assert "2021-03-14 to 2021-03-18 · 4 articles · wire, courier, weekly" in index


def test_the_index_also_lists_single_articles(kept: Collection, tmp_path: Path) -> None:
    woven(kept, tmp_path / "pages")
    index = (tmp_path / "pages" / "index.html").read_text("utf-8")
    assert "2 stories, 1 single article" in index
    single = index.partition("Single articles")[2]
    assert "The mill in Ashby will close in May" in single
    assert "Sea Holly" not in single
    kept.withdraw(["post-7"])
    woven(kept, tmp_path / "pages")
    assert "Ashby" not in (tmp_path / "pages" / "index.html").read_text("utf-8")


def test_only_changed_stories_are_consolidated_again(kept: Collection, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    woven(kept, pages)
    before = (pages / "story-1.html").stat().st_mtime_ns
    assert woven(kept, pages) == (0, 2)
    kept.add(QUAKE_LATER)
    kept.add([replace(MUSEUM[1], text=MUSEUM[1].text + " Nothing was insured.")])
    assert woven(kept, pages) == (1, 2)
    assert (pages / "story-1.html").stat().st_mtime_ns == before
    assert "insured" in (pages / "story-2.html").read_text("utf-8")
    assert woven(kept, pages, length=30) == (2, 2)


def test_removed_story_leaves_no_page(kept: Collection, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    woven(kept, pages)
    kept.withdraw(["herald-2"])
    assert woven(kept, pages) == (0, 1)
    assert names(pages) == {"index.html", "story-1.html", "woven.jsonl"}
    for file in pages.iterdir():
        assert b"herald-2" not in file.read_bytes()


def test_work_that_was_broken_off_goes_on(
    kept: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "pages"

    def broken(name: str, done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        woven(kept, pages, progress=broken)
    with (pages / "woven.jsonl").open("ab") as file:
        file.write(b'{"story": "story-2", "made')
    assert woven(kept, pages) == (1, 2)


def test_story_that_cannot_be_consolidated_is_left_out(
    kept: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise InputError("too hard")

    monkeypatch.setattr(story_pages, "consolidate", refuse)
    heard: list[str] = []
    assert woven(kept, tmp_path / "pages", warn=heard.append) == (0, 0)
    assert heard == ["story-1 is left out: too hard", "story-2 is left out: too hard"]


def test_engine_makes_the_same_pages(kept: Collection, tmp_path: Path) -> None:
    woven(kept, tmp_path / "here")
    assert woven(kept, tmp_path / "there", engine=open_engine(processes=1)) == (2, 2)
    there = {file.name: file.read_bytes() for file in (tmp_path / "there").iterdir()}
    assert there.pop("failed.jsonl") == b""
    assert there == {file.name: file.read_bytes() for file in (tmp_path / "here").iterdir()}


def test_a_title_cannot_be_markup() -> None:
    one = story_pages.StoryPage("story-1", "", "<b>Fog</b>", 2, "", "", ("A & B",), "x")
    page = story_pages.index_page([one])
    assert "&lt;b&gt;Fog&lt;/b&gt;" in page
    assert "2 articles · A &amp; B" in page
    alone = story_pages.SingleArticle("<i>Mill</i>", "2021-03-14", "A & B", "<u>")
    page = story_pages.index_page([one], [alone])
    assert "&lt;i&gt;Mill" in page
    assert "2021-03-14 · A &amp; B" in page
    assert "<u>" not in page
