"""A MediaWiki XML export as a source of pages: Wikipedia's own, or any other wiki's."""

from __future__ import annotations

import hashlib
import logging
import multiprocessing
import os
import re
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.descriptions import description_of
from tatian.knowledge.building.files import open_stream
from tatian.knowledge.building.kinds import kind_of
from tatian.knowledge.building.mediawiki_xml import BATCH, Batch, RawPage, batches, pages_of
from tatian.knowledge.building.pages import Page, Redirect
from tatian.knowledge.building.wikitext import Wikitext, parse_wikitext
from tatian.knowledge.building.wikitext_links import redirect_target
from tatian.knowledge.entities import Role, page_title
from tatian.progress import Progress, silent

LONGEST_TEXT = 2_000_000
"""Characters of wikitext read of a page; what is longer is a table or a mistake."""
MOST_PROCESSES = 8
SMALL = 4 << 20
"""A file of fewer bytes is read faster without worker processes."""

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
    """The articles and redirects of an export, in its order, read by several processes.

    `work` is a directory where finished batches are kept; a build that was broken off and is
    started again with the same file and directory goes on from there. Start worker processes only
    from a script's ``if __name__ == "__main__":``, as `multiprocessing` wants.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        processes: int | None = None,
        work: Path | None = None,
        progress: Progress = silent,
    ) -> None:
        self.path = path
        self.name = Path(path).name
        self._processes = processes
        self._work = work
        self._progress = progress

    def __iter__(self) -> Iterator[Page | Redirect]:
        shards = None
        if self._work is not None and str(self.path) != "-":
            if not Path(self.path).is_file():
                raise InputError("no such file", path=str(self.path))
            shards = Shards(self._work_directory(Path(self._work)), Path(self.path), BATCH)
        empty = True
        for shard in self._shards(shards):
            items = decode(shard)
            empty = empty and not items
            yield from items
        if empty:
            raise EmptyInput("the export has no articles", path=str(self.path))

    def _work_directory(self, work: Path) -> Path:
        """One for each dump, so that several can share a directory."""
        place = hashlib.sha256(str(Path(self.path).resolve()).encode()).hexdigest()[:8]
        return work / f"{self.name}-{place}"

    def _shards(self, kept: Shards | None) -> Iterator[bytes]:
        """Every batch's pages, in order, from what was kept or made anew."""
        if kept is not None and kept.is_complete:
            yield from kept.all()
            return
        done = 0
        with open_stream(self.path) as stream, _Workers(self._count(stream.size)) as workers:
            for batch, shard in workers.map(batches(stream), str(self.path), kept):
                if kept is not None and not kept.has(batch.number):
                    kept.put(batch.number, shard)
                done = batch.number + 1
                self._progress(f"reading {self.name}", batch.done, stream.size)
                yield shard
        if kept is not None:
            kept.complete(done)

    def _count(self, size: int) -> int:
        if self._processes is not None:
            return max(1, self._processes)
        if 0 < size < SMALL:
            return 1
        return min(MOST_PROCESSES, os.cpu_count() or 1)


class _Workers:
    """Processes that read batches; with one, this process does it itself."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> _Workers:
        if self._count > 1:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._count, context, initializer=_leave_interrupts)
        return self

    def __exit__(self, *raised: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def map(
        self, given: Iterator[Batch], path: str, kept: Shards | None
    ) -> Iterator[tuple[Batch, bytes]]:
        """Batches with their shards, in order; never more under way than twice the processes."""
        under_way: deque[tuple[Batch, Future[bytes] | None]] = deque()
        failure: InputError | None = None
        while True:
            while failure is None and len(under_way) < 2 * self._count:
                try:
                    batch = next(given, None)
                except InputError as error:
                    failure = error
                    break
                if batch is None:
                    break
                under_way.append((batch, self._start(batch, path, kept)))
            if not under_way:
                break
            batch, future = under_way.popleft()
            yield batch, self._result(batch, future, path, kept)
        if failure is not None:
            raise failure

    def _start(self, batch: Batch, path: str, kept: Shards | None) -> Future[bytes] | None:
        if self._pool is None or (kept is not None and kept.has(batch.number)):
            return None
        try:
            return self._pool.submit(read_batch, batch, path)
        except BrokenProcessPool as error:
            raise _worker_died(path) from error

    def _result(
        self, batch: Batch, future: Future[bytes] | None, path: str, kept: Shards | None
    ) -> bytes:
        if kept is not None and kept.has(batch.number):
            return kept.get(batch.number)
        if future is None:
            return read_batch(batch, path)
        try:
            return future.result()
        except BrokenProcessPool as error:
            raise _worker_died(path) from error


def _leave_interrupts() -> None:
    """Ctrl-C ends the process that started the workers, which then ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _worker_died(path: str) -> InputError:
    return InputError(
        "a worker process ended unexpectedly (out of memory, or started outside of "
        "`if __name__ == '__main__':`); use fewer processes",
        path=path,
    )


def read_batch(batch: Batch, path: str) -> bytes:
    """What a worker does: XML of whole pages in, a shard of pages and redirects out."""
    if batch.cut:
        _log.warning("%s:%d: page cut, %d bytes left out", path, batch.line + 1, batch.cut)
    items: list[Page | Redirect] = []
    for raw in pages_of(batch, path):
        item = page_of(raw)
        if item is not None:
            items.append(item)
    return encode(items)


def page_of(raw: RawPage) -> Page | Redirect | None:
    """What a page of the export says; None for talk, categories, templates and the like."""
    title = page_title(raw.title)
    if raw.namespace != 0 or not title or raw.model != "wikitext":
        return None
    target = page_title(raw.redirect.partition("#")[0]) or redirect_target(raw.text)
    if target:
        return Redirect(title, target) if target != title else None
    if len(raw.text) > LONGEST_TEXT:
        _log.warning("page '%s' cut at %d characters", title, LONGEST_TEXT)
    wikitext = parse_wikitext(raw.text[:LONGEST_TEXT], title)
    role = role_of(title, wikitext)
    return Page(
        title=title,
        kind=kind_of(title, wikitext) if role == "article" else None,
        role=role,
        description=description_of(wikitext.lead),
        categories=wikitext.categories,
        anchors=wikitext.anchors,
        text=wikitext.text,
    )


def role_of(title: str, wikitext: Wikitext) -> Role:
    """Whether a page is about one thing, about several of one name, or a list."""
    if title.lower().endswith("(disambiguation)") or any(
        map(_DISAMBIGUATION.fullmatch, wikitext.templates)
    ):
        return "disambiguation"
    if any("disambiguation pages" in category.lower() for category in wikitext.categories):
        return "disambiguation"
    return "list" if _LIST_TITLE.match(title) else "article"


PARSER = 2
"""Raised when the parser gives other results, so that old shards are not taken for new ones."""

_MANIFEST = "manifest.json"


class ShardRecord(Struct, frozen=True, array_like=True):
    """A page or a redirect, as a shard has it."""

    page: Page | None
    redirect: Redirect | None

    @property
    def item(self) -> Page | Redirect:
        """Whichever it is."""
        found = self.page or self.redirect
        assert found is not None
        return found


class Manifest(Struct, frozen=True, kw_only=True):
    """Which file the shards came from, and whether all of it is there."""

    name: str
    size: int
    mtime: int
    batch: int
    parser: int = PARSER
    batches: int | None = None
    """How many there are in all; None until the end was reached."""


_records = msgspec.msgpack.Decoder(list[ShardRecord])


def encode(items: list[Page | Redirect]) -> bytes:
    """A batch's pages and redirects as one shard."""
    return msgspec.msgpack.encode(
        [
            ShardRecord(item, None) if isinstance(item, Page) else ShardRecord(None, item)
            for item in items
        ]
    )


def decode(shard: bytes) -> list[Page | Redirect]:
    """The pages and redirects of a shard."""
    return [record.item for record in _records.decode(shard)]


class Shards:
    """A directory of shards of one export."""

    def __init__(self, directory: Path, dump: Path, batch: int) -> None:
        self._directory = directory
        stat = dump.stat()
        now = Manifest(name=dump.name, size=stat.st_size, mtime=stat.st_mtime_ns, batch=batch)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            before = self._read()
            if before is None or msgspec.structs.replace(before, batches=None) != now:
                self._clear()
                before = now
                self._write(now)
        except OSError as error:
            raise InputError(
                f"cannot be used as the directory of unfinished work: {error.strerror}",
                path=str(directory),
            ) from error
        self.manifest = before

    @property
    def is_complete(self) -> bool:
        """Whether nothing of the export needs to be read again."""
        count = self.manifest.batches
        return count is not None and all(map(self.has, range(count)))

    def all(self) -> Iterator[bytes]:
        """Every shard, in order."""
        for number in range(self.manifest.batches or 0):
            yield self.get(number)

    def has(self, number: int) -> bool:
        """Whether a batch was finished."""
        return self._path(number).exists()

    def get(self, number: int) -> bytes:
        """The shard of a finished batch."""
        return self._path(number).read_bytes()

    def put(self, number: int, shard: bytes) -> None:
        """Keep the shard of a finished batch."""
        write_whole(self._path(number), shard)

    def complete(self, batches: int) -> None:
        """Note that there are no more batches than these."""
        self.manifest = msgspec.structs.replace(self.manifest, batches=batches)
        self._write(self.manifest)

    def _path(self, number: int) -> Path:
        return self._directory / f"{number:07d}.msgpack"

    def _read(self) -> Manifest | None:
        path = self._directory / _MANIFEST
        try:
            return msgspec.json.decode(path.read_bytes(), type=Manifest)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def _write(self, manifest: Manifest) -> None:
        write_whole(self._directory / _MANIFEST, msgspec.json.encode(manifest))

    def _clear(self) -> None:
        for shard in self._directory.glob("[0-9]*.msgpack"):
            shard.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """All of it or nothing, whenever the process ends."""
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(data)
    unfinished.replace(path)
