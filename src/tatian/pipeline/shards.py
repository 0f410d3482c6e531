"""Resumable runs of a step over a corpus, from files to shards."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Struct

import tatian
from tatian.analysis.installed import CHECKSUMS, weights_directory
from tatian.corpora.archives import BY_ENDING
from tatian.corpora.articles import Advance
from tatian.corpora.decoding import Refuse, Warn
from tatian.corpora.reading import iterate, name_text
from tatian.engine import Engine, Failed, WorkChunk
from tatian.errors import InputError, MissingExtra, TatianError
from tatian.formats import Loss, Losses
from tatian.pipeline.folder import Folder, InputFile, input_files
from tatian.progress import Progress, silent
from tatian.text import Document
from tatian.text.language import require_english
from tatian.text.streams import printable

MANIFEST = "manifest.json"
FAILED = "failed.jsonl"
SHARD_CHARACTERS = 250_000
"""Approximate number of characters of text in a shard, which are lost if a worker dies."""
MAX_SHARD_DOCUMENTS = 1_000
"""Maximum number of documents in a shard."""
_MAX_GROUP_BYTES = 4 << 20
"""Maximum total size of files that are read together as one part, in bytes."""
Packing = Literal["plain", "gz", "parquet"]


class DocumentStep(Protocol):
    """A step for each document: a struct of settings, which the manifest records."""

    def begin(self) -> Callable[[Document], Document]:
        """Load the models and return the function for a document."""
        ...

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """Return the text of a shard."""
        ...

    @property
    def ending(self) -> str:
        """Ending of a shard's name: ``.jsonl``."""
        ...

    @property
    def weights(self) -> str:
        """Fingerprint of its models."""
        ...


class RunManifest(Struct, frozen=True):
    """Identity of a run; a run with other values cannot continue its shards."""

    version: str
    step: str
    options: dict[str, Any]
    weights: str
    length: int
    packing: str
    inputs: tuple[InputFile, ...]


class ChunkRead(Struct, frozen=True):
    """Report of a reader on a chunk."""

    ids: tuple[tuple[str, str], ...]
    """Ids of the documents, with their files."""
    warnings: tuple[Loss, ...]


class ShardReport(Struct, frozen=True):
    """Report of a worker on a chunk."""

    documents: int
    failed: int
    size: int
    read: ChunkRead


class RunCounts(Struct, frozen=True):
    """Summary of a run."""

    documents: int
    """Number of documents processed, without those of shards that existed before."""
    failed: int
    """Number of failed documents in all shards."""
    shards: int
    seconds: float
    warnings: tuple[str, ...]
    """Distinct warnings of readers."""


class ShardJob(Struct, frozen=True):
    """Job of an engine that turns chunks of documents into shards."""

    step: Any
    """A `DocumentStep`."""
    parts: tuple[tuple[int, tuple[InputFile, ...]], ...]
    folder: Folder
    packing: Packing
    length: int
    done: frozenset[str]

    def read(self, part: tuple[int, tuple[InputFile, ...]]) -> Iterator[WorkChunk]:
        """Yield a part's documents in chunks of `length`; chunks of finished shards are empty."""
        number, files = part
        items: list[Document | Failed] = []
        ids: list[tuple[str, str]] = []
        losses = Losses()
        length = count = position_before = position_read = 0

        def cut() -> WorkChunk:
            nonlocal items, ids, length, count, position_before
            key = f"{number:05d}-{count:05d}"
            kept = () if self.name(key) in self.done else tuple(items)
            report = ChunkRead(tuple(ids), losses.drain())
            chunk = WorkChunk(key, kept, position_read - position_before, report)
            items, ids, length, count, position_before = [], [], 0, count + 1, position_read
            return chunk

        def refuse(error: TatianError) -> None:
            items.append(Failed(str(error)))

        finished = 0
        for file in files:
            finished += file.size

            def advance(position: int, start: int = finished - file.size) -> None:
                nonlocal position_read
                position_read = start + position

            try:
                for document in _documents(file, losses.add_message, refuse, advance):
                    items.append(document)
                    ids.append((document.id, file.path))
                    length += len(document.text)
                    if length >= self.length or len(items) >= MAX_SHARD_DOCUMENTS:
                        yield cut()
            except MissingExtra as error:
                refuse(InputError(str(error), path=printable(file.path)))
            position_read = finished
        if items or losses.counts or not count:
            yield cut()

    def begin(self) -> Callable[[Document], Document]:
        """Return the step's function, for documents in English."""
        run: Callable[[Document], Document] = self.step.begin()

        def done(document: Document) -> Document:
            require_english(document)
            return run(document)

        return done

    def end(self, chunk: WorkChunk, results: list[Document | Failed]) -> ShardReport:
        """Write the failures, then the shard, so that no shard lacks its failures."""
        if self.name(chunk.key) in self.done:
            return ShardReport(0, 0, chunk.size, chunk.about)
        failed = [
            _failure_line(item, result.error)
            for item, result in zip(chunk.items, results, strict=True)
            if isinstance(result, Failed)
        ]
        failures_file = f".failed-{chunk.key}.jsonl"
        if failed:
            self.folder.write(failures_file, b"".join(failed))
        else:
            self.folder.remove(failures_file)
        documents = [result for result in results if isinstance(result, Document)]
        self.folder.write(self.name(chunk.key), self._pack(documents))
        return ShardReport(len(documents), len(failed), chunk.size, chunk.about)

    def name(self, key: str) -> str:
        """Return the file name of a shard."""
        ending = ".parquet" if self.packing == "parquet" else self.step.ending
        return f"part-{key}{ending}{'.gz' if self.packing == 'gz' else ''}"

    def _pack(self, documents: list[Document]) -> bytes:
        if self.packing == "parquet":
            return _parquet(documents, [self._text([document]) for document in documents])
        data = self._text(documents).encode()
        return gzip.compress(data, mtime=0) if self.packing == "gz" else data

    def _text(self, documents: list[Document]) -> str:
        return "".join(self.step.write(documents)) if documents else ""


def run_step(
    step: DocumentStep,
    paths: Sequence[str],
    output: str,
    engine: Engine,
    *,
    packing: Packing = "plain",
    resume: bool = False,
    length: int = SHARD_CHARACTERS,
    progress: Progress = silent,
) -> RunCounts:
    """Run a step on every document of `paths`, and write shards into the folder `output`.

    With `resume`, shards of a run with the same inputs, options, version and weights are kept.
    Documents that fail are written to ``failed.jsonl`` with their errors. Documents with equal ids
    end the run, since shards could not distinguish them.
    """
    if packing == "parquet" and step.ending != ".jsonl":
        raise InputError("Parquet holds a record for each document: choose --to json or jsonl")
    losses = Losses()
    inputs = tuple(input_files(paths, losses.add_message))
    _refuse_repeated({}, _first_ids(inputs))
    folder = Folder(output)
    name, options = type(step).__name__.lower(), msgspec.to_builtins(step)
    manifest = RunManifest(tatian.__version__, name, options, step.weights, length, packing, inputs)
    # As it will be read back, for the comparison with an earlier one.
    manifest = msgspec.json.decode(msgspec.json.encode(manifest), type=RunManifest)
    done = _existing_shards(folder, manifest, resume)
    job = ShardJob(step, _parts(inputs), folder, packing, length, done)
    total = sum(file.size for file in inputs)
    started = time.monotonic()
    documents = failed = size = shards = 0
    ids: dict[int, str] = {}
    for report in engine.run(job):
        documents += report.documents
        failed += report.failed
        shards += 1
        if report.documents or report.failed:
            size += report.size
        else:
            total -= report.size
        for loss in report.read.warnings:
            losses.add(*loss)
        _refuse_repeated(ids, report.read.ids)
        seen = documents + failed
        progress("documents", seen, max(seen, round(seen * total / size)) if size else seen)
    folder.tidy()
    failures = _gather_failed(folder)
    seconds = time.monotonic() - started
    return RunCounts(documents, failures, shards, seconds, tuple(losses.messages()))


def _documents(
    file: InputFile, warn: Warn, refuse: Refuse, advance: Advance | None = None
) -> Iterator[Document]:
    """Yield the documents of a file; a repeated file name is numbered."""
    taken = {name_text(file.path)[0]: file.before} if file.before else {}
    return iterate(file.path, warn=warn, refuse=refuse, advance=advance, taken=taken)


def _first_ids(inputs: Sequence[InputFile]) -> Iterator[tuple[str, str]]:
    """Yield the first id of every file of records, to detect numbered records early."""
    for file in inputs if len(inputs) > 1 else ():
        if BY_ENDING.get(name_text(file.path)[1]) in ("lines", "parquet"):
            read = _documents(file, lambda message: None, lambda error: None)
            with suppress(MissingExtra):
                yield from ((document.id, file.path) for document in islice(read, 1))


def _refuse_repeated(paths: dict[int, str], ids: Iterable[tuple[str, str]]) -> None:
    """Add ids, as hashes to save memory, with their files; raise an InputError for a repeat."""
    for id, path in ids:
        if other := paths.get(hash(id)):
            raise InputError(
                f"the id '{id}' is that of a document in {printable(other)} as well: give records "
                "ids of their own, or each file a folder of its own",
                path=printable(path),
            )
        paths[hash(id)] = sys.intern(path)


def _existing_shards(folder: Folder, manifest: RunManifest, resume: bool) -> frozenset[str]:
    """Return the existing shards; raise an InputError unless the folder is new or resumed."""
    folder.make()
    names = folder.names()
    where = printable(folder.path)
    if MANIFEST not in names:
        if any(name.startswith("part-") for name in names):
            raise InputError(f"has shards but no {MANIFEST}: name another folder", path=where)
        folder.write(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        return frozenset()
    try:
        earlier = msgspec.json.decode(folder.read(MANIFEST), type=RunManifest)
    except msgspec.DecodeError as error:
        raise InputError(f"damaged ({error}): name another folder", path=where) from error
    for field in RunManifest.__struct_fields__:
        if getattr(earlier, field) != getattr(manifest, field):
            message = f"left by a run with other {_describe_difference(field, earlier, manifest)}"
            raise InputError(f"{message}: name another folder, or give the same", path=where)
    if not resume:
        raise InputError("holds a run already: continue it with --resume", path=where)
    return frozenset(name for name in names if name.startswith("part-"))


def _describe_difference(field: str, earlier: RunManifest, now: RunManifest) -> str:
    if field == "version":
        return f"version ({earlier.version}, this is {now.version})"
    if field == "inputs":
        old = {file.path: file for file in earlier.inputs}
        changed = [file.path for file in now.inputs if old.get(file.path) != file]
        return f"inputs ({changed[0]})" if changed else "inputs"
    if field == "options":
        names = [name for name, value in now.options.items() if earlier.options.get(name) != value]
        return f"options ({', '.join(names)})"
    return {"length": "sizes of shards", "packing": "shards (--shards)"}.get(field, field)


def _parts(inputs: Sequence[InputFile]) -> tuple[tuple[int, tuple[InputFile, ...]], ...]:
    """Group small neighbouring files; large files are alone."""
    groups: list[list[InputFile]] = []
    bytes_left = 0
    for file in inputs:
        if not groups or bytes_left < file.size:
            groups.append([])
            bytes_left = _MAX_GROUP_BYTES
        groups[-1].append(file)
        bytes_left -= file.size
    return tuple((number, tuple(group)) for number, group in enumerate(groups))


def _failure_line(item: Document | Failed, error: str) -> bytes:
    """Return a failed document with its error, as a record that can be read again."""
    document = item.to_json() if isinstance(item, Document) else {}
    return msgspec.json.encode({**document, "error": error}) + b"\n"


def _gather_failed(folder: Folder) -> int:
    """Write all failures into one file, in the order of the input, and return their number."""
    names = sorted(name for name in folder.names() if name.startswith(".failed-"))
    data = b"".join(map(folder.read, names))
    folder.write(FAILED, data)
    return data.count(b"\n")


def _parquet(documents: Sequence[Document], records: Sequence[str]) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("writing Parquet", "ray") from error
    metadata = [document.metadata for document in documents]
    columns = {
        "id": [document.id for document in documents],
        "text": [document.text for document in documents],
        "title": [item.title for item in metadata],
        "date": [item.date for item in metadata],
        "source": [item.source for item in metadata],
        "topic": [item.topic for item in metadata],
        "record": [record.rstrip("\n") for record in records],
    }
    schema = pyarrow.schema([(name, pyarrow.string()) for name in columns])
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns, schema=schema), file, compression="zstd")
    return file.getvalue()


def shipped_weights(*files: str) -> str:
    """Return a fingerprint of the encoder's weights, and of further files."""
    digest = hashlib.sha256()
    checks = weights_directory() / CHECKSUMS
    digest.update(checks.read_bytes() if checks.is_file() else b"none")
    for file in input_files([name for name in files if name]):
        digest.update(msgspec.json.encode(file))
    return digest.hexdigest()[:16]
