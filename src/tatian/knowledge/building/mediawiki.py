"""A MediaWiki XML export as a source of pages: of Wikipedia, or any other wiki."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from tatian import limits
from tatian.atomic import open_replaced
from tatian.engine import Engine, Failed, Inline, WorkChunk, cores, open_engine
from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.descriptions import description_of
from tatian.knowledge.building.kinds import guess_kind
from tatian.knowledge.building.mediawiki_xml import BATCH, Batch, RawPage, batches, pages_of
from tatian.knowledge.building.pages import Page, Redirect
from tatian.knowledge.building.staging import StagedPage, stage_page
from tatian.knowledge.building.wikitext import Wikitext, parse_wikitext
from tatian.knowledge.building.wikitext_scan import redirect_target
from tatian.knowledge.entities import Role, page_title
from tatian.progress import Progress, silent
from tatian.text.streams import STDIN, open_stream

MAX_PROCESSES = 8
SMALL_BYTES = 4 << 20
"""Bytes below which a file is read faster without worker processes."""

_log = logging.getLogger(__name__)
_LIST_TITLE = re.compile(
    r"(?:lists? of|outline of|index of|timeline of|glossary of)\b", re.IGNORECASE
)
_DISAMBIGUATION = re.compile(
    r"(?:.*disambig.*|dab|hndis|geodis|surname|given name|letter-number combination disambiguation|"
    r"(?:human name|place name|mountain|school|ship|road|station|number|math(?:ematical)?|species|"
    r"call sign|hospital|airport|military unit|lake|river|tax\w*|wp) ?(?:dis|index)|mil-unit-dis|"
    r"shipindex|sia|set index(?: article)?|hndab|geodab|numberdis|roadindex|schooldis)"
)


class Dump:
    """The articles and redirects of an export, in its order, read by processes or an engine.

    `work` is a directory for finished batches; an interrupted build that is started again with the
    same file and directory continues from there. Start worker processes only from a script's ``if
    __name__ == "__main__":``, as `multiprocessing` requires.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        processes: int | None = None,
        work: Path | None = None,
        progress: Progress = silent,
        warn: Callable[[str], None] = _log.warning,
        engine: Engine | None = None,
    ) -> None:
        self.path = path
        self.name = Path(path).name
        self._processes = processes
        self._chosen_engine = engine
        self._work = work
        self._progress = progress
        self._warn = warn

    def __iter__(self) -> Iterator[Page | Redirect]:
        for item in self.staged():
            yield item.page if isinstance(item, StagedPage) else item

    def staged(self) -> Iterator[StagedPage | Redirect]:
        """Yield the pages as a build stores them; workers parse them."""
        shards = None
        if self._work is not None and str(self.path) != "-":
            if not Path(self.path).is_file():
                raise InputError("no such file", path=str(self.path))
            shards = Shards(Path(self._work), Path(self.path))
        empty = True
        for shard in self._shards(shards):
            items = _SHARD.decode(shard)
            empty = empty and not items
            yield from items
        if empty:
            raise EmptyInput("the export has no articles", path=str(self.path))

    def _shards(self, kept: Shards | None) -> Iterator[bytes]:
        """Yield every batch's pages, in order, stored or made anew."""
        if kept is not None and (finished := kept.all()) is not None:
            yield from finished
            return
        size = Path(self.path).stat().st_size if Path(self.path).is_file() else 0
        stored = kept.numbers() if kept is not None else frozenset()
        done = 0
        for batch in self._engine(size).run(BatchJob(str(self.path), stored), ordered=True):
            shard = batch.shard
            if kept is not None and batch.number in stored:
                shard = kept.get(batch.number)
            elif kept is not None:
                kept.put(batch.number, shard)
            for message in batch.warnings:
                self._warn(message)
            done = batch.number + 1
            self._progress(f"reading {self.name}", batch.done, size)
            yield shard
        if kept is not None:
            kept.complete(done)

    def _engine(self, size: int) -> Engine:
        """Return the engine that was asked for; else processes, unless there is little to read."""
        if self._chosen_engine is not None:
            if str(self.path) == STDIN:
                message = "standard input cannot be read on an engine: name a file"
                raise InputError(message, path=STDIN)
            return self._chosen_engine
        count = self._processes or min(MAX_PROCESSES, cores())
        if count == 1 or (self._processes is None and 0 < size < SMALL_BYTES):
            return Inline()
        return open_engine(processes=count)


class BatchDone(NamedTuple):
    """A batch of pages that was read."""

    number: int
    done: int
    """Bytes of the file up to its end."""
    shard: bytes
    """Empty if it existed already."""
    warnings: tuple[str, ...] = ()


class BatchJob(Struct, frozen=True):
    """An export cut into batches by one reader, which workers turn into shards."""

    path: str
    stored: frozenset[int]
    """Numbers of batches whose shards are stored."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The file."""
        return (self.path,)

    def read(self, part: str) -> Iterator[WorkChunk]:
        """Yield every batch, without its pages if it is stored already."""
        with open_stream(part, bzip2=True) as stream:
            for batch in batches(stream):
                if batch.number in self.stored:
                    batch = msgspec.structs.replace(batch, data=b"")
                yield WorkChunk(str(batch.number), (batch,))

    def begin(self) -> Callable[[Batch], BatchDone | InputError]:
        """Return the function for batches; nothing is loaded."""
        return self._read_batch

    def _read_batch(self, batch: Batch) -> BatchDone | InputError:
        if batch.number in self.stored:
            return BatchDone(batch.number, batch.done, b"")
        warnings: list[str] = []
        try:
            shard = read_batch(batch, self.path, warnings.append)
            return BatchDone(batch.number, batch.done, shard, tuple(warnings))
        except InputError as error:
            return error

    def end(self, chunk: WorkChunk, results: list[BatchDone | InputError | Failed]) -> BatchDone:
        """Return the result; a failure ends the build, since pages would be missing."""
        (batch,), (result,) = chunk.items, results
        if isinstance(result, InputError):
            raise result
        if isinstance(result, Failed):
            raise InputError(result.error, path=self.path, line=batch.line + 1)
        return result


def read_batch(batch: Batch, path: str, warn: Callable[[str], None]) -> bytes:
    """Turn the XML of whole pages into a shard of pages and redirects, in a worker."""
    if batch.cut:
        warn(f"{path}:{batch.line + 1}: page cut, {batch.cut} bytes left out")
    items: list[StagedPage | Redirect] = []
    for raw in pages_of(batch, path):
        item = parse_page(raw)
        if isinstance(item, Page):
            if len(raw.text) > limits.WIKI_TEXT_CHARACTERS:
                warn(f"{path}: page '{item.title}' cut at {limits.WIKI_TEXT_CHARACTERS} characters")
            items.append(stage_page(item))
        elif item is not None:
            items.append(item)
    return msgspec.msgpack.encode(items)


def parse_page(raw: RawPage) -> Page | Redirect | None:
    """Return a page of the export; None for talk, categories, templates and the like."""
    title = page_title(raw.title)
    if raw.namespace != 0 or not title or raw.model != "wikitext":
        return None
    target = page_title(raw.redirect.partition("#")[0]) or redirect_target(raw.text)
    if target:
        return Redirect(title, target) if target != title else None
    wikitext = parse_wikitext(raw.text[: limits.WIKI_TEXT_CHARACTERS], title)
    role = role_of(title, wikitext)
    return Page(
        title=title,
        kind=guess_kind(title, wikitext) if role == "article" else None,
        role=role,
        description=description_of(wikitext.lead),
        categories=wikitext.categories,
        anchors=wikitext.anchors,
        text=wikitext.text,
    )


def role_of(title: str, wikitext: Wikitext) -> Role:
    """Return the role of a page: article, list or disambiguation page."""
    if title.lower().endswith("(disambiguation)") or any(
        map(_DISAMBIGUATION.fullmatch, wikitext.templates)
    ):
        return "disambiguation"
    if any("disambiguation pages" in category.lower() for category in wikitext.categories):
        return "disambiguation"
    return "list" if _LIST_TITLE.match(title) else "article"


PARSER_VERSION = 4
"""Version of the parser's results; shards of other versions are not reused."""


_SHARD = msgspec.msgpack.Decoder(list[StagedPage | Redirect])


class Shards:
    """Finished batches of an export; if that changes, another folder is used."""

    def __init__(self, work: Path, dump: Path) -> None:
        stat = dump.stat()
        identity = (str(dump.resolve()), stat.st_size, stat.st_mtime_ns, BATCH, PARSER_VERSION)
        digest = hashlib.sha256(repr(identity).encode()).hexdigest()[:8]
        self._directory = work / f"{dump.name}-{digest}"
        self._end = self._directory / "batches"
        """File with the number of batches, once the end was reached."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot be used as the directory of unfinished work: {error.strerror}"
            raise InputError(message, path=str(self._directory)) from error

    def all(self) -> Iterator[bytes] | None:
        """Return every shard, in order; None if some part of the export must be read."""
        count = int(self._end.read_text()) if self._end.exists() else None
        if count is None or not self.numbers().issuperset(range(count)):
            return None
        return map(self.get, range(count))

    def numbers(self) -> frozenset[int]:
        """Return the numbers of finished batches."""
        return frozenset(int(path.stem) for path in self._directory.glob("[0-9]*.msgpack"))

    def get(self, number: int) -> bytes:
        """Return the shard of a finished batch."""
        return self._path(number).read_bytes()

    def put(self, number: int, shard: bytes) -> None:
        """Keep the shard of a finished batch."""
        write_atomically(self._path(number), shard)

    def complete(self, batches: int) -> None:
        """Record the number of batches, once all are finished."""
        write_atomically(self._end, str(batches).encode())

    def _path(self, number: int) -> Path:
        return self._directory / f"{number:07d}.msgpack"


def write_atomically(path: Path, data: bytes) -> None:
    """Write all data or nothing, even if the process ends."""
    with open_replaced(path) as file:
        file.write(data)
