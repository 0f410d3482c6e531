"""Loading of the encoder's files: checked and read once per process, when first needed.

``docs/models/weights.md`` describes their contents.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.installed import CHECKSUMS, unavailable, weights_directory
from tatian.analysis.pieces import WordPieces
from tatian.assets import Asset
from tatian.engine import cores
from tatian.errors import AssetError, InputError, TatianError

T = TypeVar("T")
R = TypeVar("R")

MAX_THREADS = 8
"""Maximum number of threads, unless more are asked for."""
AHEAD = 4
"""Tasks per thread that are started ahead of the result that is due."""


def thread_count(requested: int | None = None) -> int:
    """Return the number of threads: the given one, $TATIAN_THREADS or the number of cores."""
    setting = os.environ.get("TATIAN_THREADS", "")
    if requested is None and setting:
        try:
            requested = int(setting)
        except ValueError:
            requested = 0
        if requested < 1:
            raise InputError(f"TATIAN_THREADS is '{setting}': give a whole number above 0")
    if requested is None:
        return max(1, min(MAX_THREADS, cores()))
    if requested < 1:
        raise InputError(f"{requested} threads: at least one is needed")
    return requested


def batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Group indices of items of similar length, no longer than `budget` together when padded."""
    grouped: list[list[int]] = []
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > budget:
            grouped.append(batch)
            batch = []
        batch.append(index)
    return [*grouped, batch] if batch else grouped


def in_threads(function: Callable[[T], R], items: Iterable[T], threads: int) -> Iterator[R]:
    """Run ``map(function, items)`` on several threads, in order, reading only a little ahead."""
    items = iter(items)
    first = list(islice(items, 2))
    items = chain(first, items)
    if threads == 1 or len(first) < 2:
        unread: deque[T] = deque()
        for item in items:
            unread.append(item)
            if len(unread) >= AHEAD:
                yield function(unread.popleft())
        yield from map(function, unread)
        return
    waiting: deque[Future[R]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="tatian") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) >= AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


SCHEMA = 1
Body = Literal["tokens", "pairs", "vectors", "edit", "coref", "proof", "wording"]
Arrays = dict[str, npt.NDArray[Any]]

SLOW_OPTIMIZERS = ("SkipLayerNormFusion",)
"""Optimizers that cost time: the fused operator is 10 to 20% slower on this model."""

_LOADING = threading.Lock()


class Labels(Struct, frozen=True):
    """Meanings of the output indices: ``labels.json``."""

    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    features: tuple[str, ...]
    relations: tuple[str, ...]
    names: tuple[str, ...]
    scripts: tuple[str, ...]
    shapes: tuple[str, ...]
    endings: tuple[str, ...]
    entailment: tuple[str, ...]
    width: int
    positions: int
    word_pieces: int
    transitions: tuple[tuple[float, ...], ...] = ()
    """Scores of steps from one name label to the next."""
    schema: int = SCHEMA


class _Checksum(Struct, frozen=True):
    sha256: str
    size: int


def load(directory: Path | None = None) -> Weights:
    """Return the weights of a directory; one object per directory, also between threads."""
    resolved = (directory or weights_directory()).resolve()
    with _LOADING:
        return _load(resolved, os.getpid())


@lru_cache(maxsize=4)
def _load(directory: Path, process: int) -> Weights:
    """Load the weights; a forked process loads its own, as sessions do not survive a fork."""
    return Weights(directory)


class Weights:
    """Directory of weights; each file is checked against its checksum, then read."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        if problem := unavailable(directory):
            raise AssetError(problem)
        try:
            data = (directory / CHECKSUMS).read_bytes()
            self._checksums = msgspec.json.decode(data, type=dict[str, _Checksum])
        except (OSError, msgspec.DecodeError) as error:
            raise AssetError(f"{directory / CHECKSUMS} cannot be read: {error}") from error
        self._sessions: dict[Body, Any] = {}
        self._lock = threading.Lock()

    def file(self, name: str) -> Path:
        """Return the path of one file, once it has been found intact."""
        listed = self._checksums.get(name)
        if listed is None:
            raise AssetError(f"{self.directory} lists no file '{name}': reinstall tatian")
        asset = Asset(
            name=f"the encoder's {name}",
            sha256=listed.sha256,
            size=listed.size,
            licence="LICENSE.md beside the file",
            path=str(self.directory / name),
        )
        return asset.locate()

    @property
    def size(self) -> int:
        """Total size of all files in bytes."""
        return sum(checksum.size for checksum in self._checksums.values())

    def version(self, body: Body) -> str:
        """Return the start of a body's checksum, which distinguishes its trainings."""
        return self._checksums[self._name(body)].sha256[:12]

    def _name(self, body: str) -> str:
        """Return the file name of a body; a file that nothing points into may be packed."""
        names = (f"{body}.diff.gz", f"{body}.onnx.gz")
        return next((name for name in names if name in self._checksums), f"{body}.onnx")

    def has(self, body: Body) -> bool:
        """Return True if the directory has a body; an older one may lack some."""
        return self._name(body) in self._checksums

    def model(self, body: str) -> str | bytes:
        """Return the path of a body, or its content if it is packed."""
        path = self.file(self._name(body))
        if path.suffix != ".gz":
            return str(path)
        data = gzip.decompress(path.read_bytes())
        if not path.name.endswith(".diff.gz"):
            return data
        differences, rest = read_header(data)
        base = self.model(differences.base)
        return restore_body(
            differences, rest, Path(base).read_bytes() if isinstance(base, str) else base
        )

    @cached_property
    def labels(self) -> Labels:
        """Label inventories."""
        path = self.file("labels.json")
        try:
            labels = msgspec.json.decode(path.read_bytes(), type=Labels)
        except msgspec.DecodeError as error:
            raise AssetError(f"{path} is not a file of labels: {error}") from error
        if labels.schema != SCHEMA:
            problem = f"of schema {labels.schema}, this version of tatian reads {SCHEMA}"
            raise AssetError(f"{path} is {problem}")
        return labels

    @cached_property
    def pieces(self) -> WordPieces:
        """Word pieces."""
        vocabulary = self.file("vocab.txt").read_text("utf-8").removesuffix("\n").split("\n")
        return WordPieces(vocabulary, self.labels.word_pieces)

    @cached_property
    def relations(self) -> npt.NDArray[np.float32]:
        """Weights ``[labels, rank + 1, rank + 1]`` that score the relations of an arc."""
        weights: npt.NDArray[np.float32] = np.load(self.file("relations.npy")).astype(np.float32)
        return weights

    @cached_property
    def _table(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
        rows = np.load(self.file("embeddings.npy"), mmap_mode="r")
        return rows, np.load(self.file("scales.npy")).astype(np.float32)

    def embeddings(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the vectors of the pieces in `rows`, whatever its shape, along a new last axis."""
        table, scales = self._table
        return np.multiply(table[rows], scales[rows][..., None], dtype=np.float32)

    def run(self, body: Body, inputs: Arrays, outputs: tuple[str, ...]) -> Arrays:
        """Return the outputs of one body; several threads may call at once."""
        session = self._sessions.get(body) or self._session(body)
        return dict(zip(outputs, session.run(list(outputs), inputs), strict=True))

    def _session(self, body: Body) -> Any:
        """Open a session of one thread per run, so that outputs do not depend on threads."""
        with self._lock:
            if body not in self._sessions:
                try:
                    runtime = importlib.import_module("onnxruntime")
                except ImportError as error:
                    raise TatianError(f"onnxruntime cannot be loaded: {error}") from error
                options = runtime.SessionOptions()
                options.intra_op_num_threads = 1
                options.inter_op_num_threads = 1
                options.log_severity_level = 3
                self._sessions[body] = runtime.InferenceSession(
                    self.model(body),
                    options,
                    providers=["CPUExecutionProvider"],
                    disabled_optimizers=list(SLOW_OPTIMIZERS),
                )
            return self._sessions[body]


# --- bodies stored as differences from the body that their training started from -----------------


class MatrixPlace(Struct, frozen=True, array_like=True):
    """Byte offsets of a matrix and its column scales, in the file and in the base."""

    rows: int
    columns: int
    matrix: int
    scales: int
    base_matrix: int
    base_scales: int


class Differences(Struct, frozen=True):
    """First line of a file of differences."""

    base: str
    """Name of the body that the predictions are from."""
    sha256: str
    """Checksum of the restored file: another base would give other weights."""
    places: tuple[MatrixPlace, ...]


def read_header(data: bytes) -> tuple[Differences, bytes]:
    """Return the first line of a file of differences, and what follows it."""
    line, _, rest = data.partition(b"\n")
    try:
        return msgspec.json.decode(line, type=Differences), rest
    except msgspec.DecodeError as error:
        raise AssetError(f"not a file of differences: {error}") from error


def restore_body(differences: Differences, data: bytes, base: bytes) -> bytes:
    """Return the ONNX file of which `data` holds the differences from `base`."""
    restored = bytearray(data)
    for place in differences.places:
        matrix = read_matrix(restored, place.matrix, place)
        matrix += predict_matrix(restored, base, place)
    if hashlib.sha256(restored).hexdigest() != differences.sha256:
        raise AssetError(f"differences from another training of '{differences.base}': reinstall")
    return bytes(restored)


def predict_matrix(
    data: bytes | bytearray, base: bytes, place: MatrixPlace
) -> npt.NDArray[np.int8]:
    """Return the base's matrix in the units of the other file's scales."""
    count = place.columns
    scales = np.frombuffer(data, "<f4", count, place.scales)
    ratio = np.frombuffer(base, "<f4", count, place.base_scales) / scales
    predicted = np.rint(read_matrix(base, place.base_matrix, place) * ratio)
    rounded: npt.NDArray[np.int8] = np.clip(predicted, -127, 127).astype(np.int8)
    return rounded


def read_matrix(data: bytes | bytearray, offset: int, place: MatrixPlace) -> npt.NDArray[np.int8]:
    """Return a view of the matrix of a place."""
    size = place.rows * place.columns
    return np.frombuffer(data, np.int8, size, offset).reshape(place.rows, place.columns)
