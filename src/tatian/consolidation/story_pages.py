"""Pages of all consolidated stories of a collection, and an index to browse and search them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

import tatian
from tatian.atomic import open_replaced
from tatian.consolidation.result import Consolidation
from tatian.consolidation.weave import consolidate
from tatian.engine import Engine, Failed, Inline, WorkChunk
from tatian.errors import InputError
from tatian.knowledge import open_base
from tatian.pipeline import Pipeline
from tatian.pipeline.shards import FAILED
from tatian.progress import Progress, silent
from tatian.stories import Collection, Story
from tatian.stories.store import checksum
from tatian.text import Document
from tatian.views.page import read_assets, render_page, style_sheet

INDEX = "index.html"
_NOTES = "woven.jsonl"
_PAGE = re.compile(r"story-\d+\.html")
_EXCERPT = 300
_TITLE = 100


class StoryPage(Struct, frozen=True):
    """Index entry of a page, with a fingerprint of its documents and options."""

    story: str
    made_of: str
    title: str
    articles: int
    first: str
    last: str
    """Last day of its articles."""
    sources: tuple[str, ...]
    excerpt: str


class SingleArticle(Struct, frozen=True):
    """Index entry of the only article on an event."""

    title: str
    day: str
    source: str
    excerpt: str


class PageCounts(NamedTuple):
    """Numbers of stories consolidated now, of pages in all, and of stories left out."""

    consolidated: int
    pages: int
    failed: int


class StoryJob(Struct, frozen=True):
    """Job for workers that consolidate stories of a collection and write their pages."""

    directory: str
    folder: str
    stories: tuple[tuple[Story, str], ...]
    """Stories, each with the fingerprint of its page."""
    kb: str | None = None
    fast: bool = False
    length: int | None = None

    @property
    def parts(self) -> tuple[tuple[tuple[Story, str], ...], ...]:
        """A single part: one worker reads the collection."""
        return (self.stories,) if self.stories else ()

    def read(self, part: tuple[tuple[Story, str], ...]) -> Iterator[WorkChunk]:
        """Yield a chunk for each story, with its documents."""
        with Collection(self.directory) as collection:
            for story, made_of in part:
                yield WorkChunk(story.story, ((story, made_of, _documents(collection, story)),))

    def begin(self) -> Callable[[Any], tuple[StoryPage, str]]:
        """Build the pipeline, and return the function that consolidates a story."""
        base = open_base(self.kb) if self.kb else None
        pipeline = Pipeline.fast(base) if self.fast else Pipeline(kb=base)

        def consolidate_story(item: tuple[Story, str, list[Document]]) -> tuple[StoryPage, str]:
            story, made_of, documents = item
            result = consolidate(documents, pipeline=pipeline, fast=self.fast, length=self.length)
            return _index_entry(story, made_of, result), result.to_html()

        return consolidate_story

    def end(
        self, chunk: WorkChunk, results: list[tuple[StoryPage, str] | Failed]
    ) -> StoryPage | tuple[str, str]:
        """Write the page; return the story and the error of a failure."""
        (result,) = results
        if isinstance(result, Failed):
            return chunk.key, result.error
        entry, page = result
        _write(Path(self.folder) / f"{entry.story}.html", page)
        return entry


def consolidate_collection(
    collection: Collection,
    folder: Path,
    *,
    kb: str | None = None,
    fast: bool = False,
    length: int | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
    warn: Callable[[str], None] = lambda message: None,
) -> PageCounts:
    """Consolidate every changed story of two articles or more, on an engine or in this process.

    Pages are written whole and noted at once, so interrupted work can resume. Near-copies are left
    out, and pages of stories that no longer exist are removed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        notes, pages, changed = _read_notes(folder), {}, []
        all_stories = collection.stories()
        stories = [story for story in all_stories if len(story.documents) > len(story.copies) + 1]
        for story in stories:
            made_of = _fingerprint(_documents(collection, story), fast, length)
            previous = notes.get(story.story)
            is_same = previous is not None and previous.made_of == made_of
            if previous and is_same and (folder / f"{story.story}.html").is_file():
                pages[story.story] = previous
            else:
                changed.append((story, made_of))
        unchanged_count = len(pages)
        job = StoryJob(str(collection.directory), str(folder), tuple(changed), kb, fast, length)
        failed = b""
        for number, result in enumerate((engine or Inline()).run(job), start=1):
            if isinstance(result, StoryPage):
                pages[result.story] = result
                with (folder / _NOTES).open("ab") as file:
                    file.write(msgspec.json.encode(result) + b"\n")
            else:
                story_name, problem = result
                warn(f"{story_name} is left out: {problem}")
                failed += msgspec.json.encode({"story": story_name, "error": problem}) + b"\n"
            progress("consolidating stories", unchanged_count + number, len(stories))
        if engine:
            _write(folder / FAILED, failed.decode())
        page_stories = {story.story for story in stories}
        single = [
            _single_article(document)
            for story in all_stories
            if story.story not in page_stories
            for document in _documents(collection, story)
        ]
        kept = [pages[story.story] for story in stories if story.story in pages]
        _write_index(folder, kept, single)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be written: {reason}", path=str(folder)) from error
    return PageCounts(len(pages) - unchanged_count, len(pages), len(stories) - len(pages))


def _documents(collection: Collection, story: Story) -> list[Document]:
    """Return the documents that a page is made from."""
    return [
        document
        for document in collection.documents(story.story)
        if document.id not in story.copies
    ]


def _read_notes(folder: Path) -> dict[str, StoryPage]:
    """Return the notes on finished pages; a truncated line is skipped."""
    pages = {}
    file = folder / _NOTES
    for line in file.read_bytes().splitlines() if file.is_file() else ():
        try:
            page = msgspec.json.decode(line, type=StoryPage)
        except msgspec.DecodeError:
            continue
        pages[page.story] = page
    return pages


def _fingerprint(documents: list[Document], fast: bool, length: int | None) -> str:
    sums = [(document.id, checksum(document)) for document in documents]
    return json.dumps([tatian.__version__, fast, length, sums])


def _index_entry(story: Story, made_of: str, result: Consolidation) -> StoryPage:
    days = sorted(filter(None, (document.date for document in result.documents)))
    sources = (document.source for document in result.documents)
    return StoryPage(
        story=story.story,
        made_of=made_of,
        title=result.title or result.text.partition("\n")[0][:_TITLE],
        articles=len(story.documents),
        first=days[0][:10] if days else "",
        last=days[-1][:10] if days else "",
        sources=tuple(dict.fromkeys(filter(None, sources))),
        excerpt=result.text[:_EXCERPT].rpartition(" ")[0],
    )


def _single_article(document: Document) -> SingleArticle:
    about = document.metadata
    text = " ".join(document.text.split())
    return SingleArticle(
        title=about.title or text[:_TITLE],
        day=(about.date or "")[:10],
        source=about.source or "",
        excerpt=text[:_EXCERPT].rpartition(" ")[0],
    )


def _write(path: Path, text: str) -> None:
    with open_replaced(path) as file:
        file.write(text.encode())


def _write_index(folder: Path, pages: list[StoryPage], single: list[SingleArticle]) -> None:
    """Write the index and the notes on finished pages, and remove all other pages."""
    page_names = {f"{page.story}.html" for page in pages}
    for file in folder.glob("story-*.html"):
        if _PAGE.fullmatch(file.name) and file.name not in page_names:
            file.unlink()
    lines = b"".join(msgspec.json.encode(page) + b"\n" for page in pages)
    _write(folder / _NOTES, lines.decode())
    _write(folder / INDEX, index_page(pages, single))


def index_page(pages: list[StoryPage], single: Sequence[SingleArticle] = ()) -> str:
    """Render the stories, latest first, then single articles, with a search field."""
    latest = sorted(pages, key=lambda page: (page.last, page.articles), reverse=True)
    entries = "".join(map(_entry, latest))
    count = f"{len(pages)} {'story' if len(pages) == 1 else 'stories'}"
    articles = ""
    if single:
        count += f", {len(single)} single {'article' if len(single) == 1 else 'articles'}"
        rows = "".join(
            map(_single_entry, sorted(single, key=lambda article: article.day, reverse=True))
        )
        articles = f'<h2 id="alone">Single articles</h2>\n<ol id="articles">\n{rows}</ol>\n'
    body = (
        "<main>\n<h1>Stories</h1>\n"
        '<p class="search"><label for="search">Search</label> <input id="search" type="search" '
        f'autocomplete="off"> <span id="count" role="status">{count}</span></p>\n'
        f'<ol id="stories">\n{entries}</ol>\n{articles}</main>\n'
    )
    style = style_sheet("tatian.consolidation.render", "assets/collected.css")
    script = read_assets("tatian.consolidation.render", "assets/collected.js")
    return render_page("Stories", body, style, script)


def _single_entry(article: SingleArticle) -> str:
    about = " · ".join(filter(None, (article.day, article.source)))
    return (
        f'<li><h3>{escape(article.title)}</h3>\n<p class="about">{escape(about)}</p>\n'
        f"<p>{escape(article.excerpt)} …</p></li>\n"
    )


def _entry(entry: StoryPage) -> str:
    days = entry.first if entry.first == entry.last else f"{entry.first} to {entry.last}"
    about = [days, f"{entry.articles} articles", ", ".join(entry.sources)]
    return (
        f'<li><h2><a href="{escape(entry.story)}.html">{escape(entry.title)}</a></h2>\n'
        f'<p class="about">{escape(" · ".join(filter(None, about)))}</p>\n'
        f"<p>{escape(entry.excerpt)} …</p></li>\n"
    )
