"""Resumable extraction over a whole corpus, with progress."""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import msgspec
from msgspec import Struct, field

from tatian.aggregation.data.jsonl import encode
from tatian.aggregation.data.records import Instance
from tatian.atomic import put_in_place, unwritable
from tatian.corpora.articles import Article, ArticleSource, Years
from tatian.engine import Engine, Failed
from tatian.errors import InputError
from tatian.formats import Losses
from tatian.knowledge import KnowledgeBase
from tatian.knowledge.base import open_base
from tatian.mentions.models import detectors
from tatian.pipeline.article_job import ArticleJob, FailedArticles, run_articles
from tatian.pipeline.instances.background import Background, Corrections
from tatian.pipeline.instances.extraction import ExtractionCounts, Extractor
from tatian.pipeline.pipeline import Pipeline
from tatian.progress import Progress, silent
from tatian.text.streams import printable

PARTIAL = ".part"
"""Suffix of the output file while a run writes it."""
STATE = ".state"
"""Suffix of the file that an interrupted run leaves behind."""
ARTICLES_PER_SAVE = 200
"""Number of articles after which the state is saved."""
_MEGABYTE = 10**6


class ExtractionState(Struct, omit_defaults=True):
    """State of a run, from which it can be resumed."""

    settings: str
    """Settings of the run, which must be equal to resume it."""
    source: int = 0
    """Number of sources done."""
    articles: int = 0
    """Number of articles done of the current source."""
    written: int = 0
    """Number of bytes of the output that are valid."""
    counts: dict[str, int] = {}
    defects: dict[str, int] = {}
    first: dict[str, str] = {}
    sample: tuple[Instance, ...] = ()


class ArticleStep(Struct, frozen=True):
    """Result of one article: its position and its instances."""

    source: int
    articles: int
    """Number of articles of its source that are done, including this one."""
    instances: tuple[Instance, ...]


class ExtractionTask(Struct, frozen=True):
    """Settings of an extraction; it is also its `ArticleTask`."""

    kb: str | None = None
    corrections: str | None = None
    background: int = 600
    unit: Literal["characters", "tokens"] = "characters"
    window: int | None = None
    link: bool = False
    """True if names are linked to pages by their context."""
    fast: bool = False

    def extractor(self) -> Extractor:
        """Return the extractor with these settings."""
        base = open_base(self.kb) if self.kb else None
        background = None
        if base is not None:
            table = Corrections.read(self.corrections) if self.corrections else None
            if table is not None:
                table.check(base)
            background = Background(base, table, self.background, self.unit)
        return Extractor(self._pipeline(base), background=background, window=self.window)

    def _pipeline(self, base: KnowledgeBase | None) -> Pipeline:
        """Return a pipeline for names and coreference, and for links if `link` is set."""
        if self.fast:
            return Pipeline.fast()
        if base is None or not self.link:
            return Pipeline(detector="names")
        return Pipeline(detector=detectors.create("tatian", kb=base))

    def wants(self, article: Article) -> bool:
        """Return True: every article is wanted."""
        return True

    def begin(self) -> Callable[[Article], tuple[tuple[Instance, ...], dict[str, int]]]:
        """Return the function for an article's instances and figures."""
        extractor = self.extractor()

        def extract(article: Article) -> tuple[tuple[Instance, ...], dict[str, int]]:
            extractor.counts = ExtractionCounts()
            instances = tuple(extractor.extract(article))
            return instances, extractor.counts.values()

        return extract


class EngineRun(NamedTuple):
    """Engine on which articles are extracted, and the file for those that fail."""

    engine: Engine
    task: ExtractionTask
    failed: FailedArticles


class Extraction(Struct, frozen=True):
    """An extraction; `defects` collects what could not be read."""

    sources: Sequence[ArticleSource]
    extractor: Extractor
    years: Years | None = None
    defects: Losses = field(default_factory=Losses)
    progress: Progress = silent
    engine_run: EngineRun | None = None

    def steps(
        self, begin: tuple[int, int] = (0, 0), done_ids: frozenset[str] = frozenset()
    ) -> Iterator[ArticleStep]:
        """Yield new articles' instances from source `begin[0]`, article `begin[1]` on."""
        seen = set(done_ids)
        if self.engine_run:
            return self._on_engine(self.engine_run, begin, seen)
        return self._in_process(begin, seen)

    def _in_process(self, begin: tuple[int, int], seen: set[str]) -> Iterator[ArticleStep]:
        sizes = [source.size for source in self.sources]
        total = sum(sizes)
        for number in range(begin[0], len(self.sources)):
            before = sum(sizes[:number])
            skipped = begin[1] if number == begin[0] else 0
            losses = Losses()

            def advance(done: int, before: int = before) -> None:
                read = (before + done) // _MEGABYTE
                self.progress("megabytes read", read, -(-total // _MEGABYTE))

            articles = self.sources[number].articles(self.years, losses, advance)
            for count, article in enumerate(articles, start=1):
                if count <= skipped:
                    seen.add(article.id)
                    losses.drain()
                    continue
                self._record_losses(losses)
                instances: tuple[Instance, ...] = ()
                if self._is_new(article, seen):
                    instances = tuple(self.extractor.extract(article))
                if not total:
                    self.progress("articles", count - 1, count)
                yield ArticleStep(number, count, instances)
            self._record_losses(losses)

    def _on_engine(
        self, engine_run: EngineRun, begin: tuple[int, int], seen: set[str]
    ) -> Iterator[ArticleStep]:
        """Yield the steps from an engine; results of repeated articles are left out."""
        job = ArticleJob(engine_run.task, tuple(self.sources), self.years, begin)
        results = run_articles(job, engine_run.engine, self.defects)
        for number, result in enumerate(results, start=1):
            instances: tuple[Instance, ...] = ()
            if self._is_new(result.article, seen):
                if isinstance(result.result, Failed):
                    engine_run.failed.add(result.article, result.result)
                else:
                    instances, counts = result.result
                    self.extractor.counts.update(counts)
            self.progress("articles", number, number)
            yield ArticleStep(result.source, result.number, instances)

    def _is_new(self, article: Article, seen: set[str]) -> bool:
        if article.id in seen:
            self.extractor.counts.add("repeated articles")
            return False
        seen.add(article.id)
        return True

    def _record_losses(self, losses: Losses) -> None:
        for loss in losses.drain():
            self.defects.add(*loss)


class Run:
    """Resumable writer of the instances of a corpus, or of a sample of them."""

    def __init__(
        self,
        output: str,
        *,
        settings: str,
        sample: Sample | None = None,
        resume: bool = False,
        every: int = ARTICLES_PER_SAVE,
    ) -> None:
        self._output = Path(output)
        self._partial = Path(output + PARTIAL)
        self._state_path = Path(output + STATE)
        self._sample = sample
        self._every = every
        self.state = ExtractionState(settings)
        if resume:
            self.state = self._stored_state(settings)
            for instance in self.state.sample:
                if sample is not None:
                    sample.add(instance)

    def write(self, work: Extraction) -> ExtractionCounts:
        """Do the remaining work and return the counts of the whole run."""
        state, defects = self.state, work.defects
        work.extractor.counts = counts = ExtractionCounts(state.counts)
        for what, count in state.defects.items():
            defects.add(what, state.first.get(what, ""), count)
        try:
            with self._open() as file:
                remaining = work.steps((state.source, state.articles), self._done_ids(file))
                for number, step in enumerate(remaining, start=1):
                    for instance in step.instances:
                        if self._sample is not None:
                            self._sample.add(instance)
                        else:
                            file.write(_line(instance))
                    if number % self._every == 0:
                        self._save(file, step, counts, defects)
                for instance in self._sample or ():
                    counts.add("sampled", type=instance.type)
                    file.write(_line(instance))
            put_in_place(self._partial, self._output)
            self._state_path.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(error, str(self._output)) from error
        finally:
            if not self._state_path.exists():
                self._partial.unlink(missing_ok=True)
        return counts

    def _open(self) -> BinaryIO:
        """Open the output with its valid part, ready to be added to."""
        if not self.state.written:
            self._state_path.unlink(missing_ok=True)
            return self._partial.open("w+b")
        file = self._partial.open("r+b")
        file.seek(0, os.SEEK_END)
        if file.tell() < self.state.written:
            file.close()
            message = "shorter than the interrupted run left it: start anew"
            raise InputError(message, path=str(self._partial))
        file.truncate(self.state.written)
        file.seek(self.state.written)
        return file

    def _done_ids(self, file: BinaryIO) -> frozenset[str]:
        """Return the ids of articles that already have instances in the output or the sample."""
        kept = {instance.source for instance in self.state.sample}
        file.seek(0)
        for line in file:
            kept.add(msgspec.json.decode(line, type=Instance).source)
        file.seek(self.state.written)
        return frozenset(kept)

    def _save(
        self, file: BinaryIO, step: ArticleStep, counts: ExtractionCounts, defects: Losses
    ) -> None:
        file.flush()
        state = ExtractionState(
            self.state.settings,
            step.source,
            step.articles,
            file.tell(),
            counts.values(),
            dict(defects.counts),
            dict(defects.first),
            tuple(self._sample or ()),
        )
        new = Path(f"{self._state_path}.new")
        new.write_bytes(msgspec.json.encode(state))
        new.replace(self._state_path)

    def _stored_state(self, settings: str) -> ExtractionState:
        """Return the saved state of an interrupted run with the same settings."""
        name = printable(str(self._state_path))
        try:
            state = msgspec.json.decode(self._state_path.read_bytes(), type=ExtractionState)
        except FileNotFoundError as error:
            raise InputError("no such file: there is nothing to resume", path=name) from error
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=name) from error
        except msgspec.DecodeError as error:
            raise InputError(f"damaged ({error}): start anew", path=name) from error
        if state.settings != settings:
            message = "left by a run with other options: start anew, or give the same ones"
            raise InputError(message, path=name)
        return state


def _line(instance: Instance) -> bytes:
    return (encode(instance) + "\n").encode()


class Sample:
    """Random sample: the `size` instances with the lowest seeded hashes of their ids.

    The sample depends neither on the order of the corpus nor on interruptions. Instances are
    returned in the order in which they were added.
    """

    def __init__(self, size: int, seed: int = 0, kept: Iterable[Instance] = ()) -> None:
        if size < 1:
            raise ValueError("a sample has at least one instance")
        self.size = size
        self._key = seed.to_bytes(16, "big", signed=True)
        self._heap: list[tuple[int, int, Instance]] = []
        self._count = 0
        for instance in kept:
            self.add(instance)

    def add(self, instance: Instance) -> None:
        """Add an instance."""
        self._count += 1
        id = instance.id.encode("utf-8", "surrogatepass")
        rank = int.from_bytes(blake2b(id, key=self._key, digest_size=8).digest(), "big")
        entry = (-rank, -self._count, instance)
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)
        elif entry[:2] > self._heap[0][:2]:
            heapq.heapreplace(self._heap, entry)

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Instance]:
        for _, _, instance in sorted(self._heap, key=lambda entry: -entry[1]):
            yield instance
