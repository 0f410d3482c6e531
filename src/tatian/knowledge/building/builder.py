"""Builds a knowledge base from any number of sources, in constant memory."""

from __future__ import annotations

import glob
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

import tatian
from tatian.atomic import put_in_place
from tatian.engine import Engine, Inline
from tatian.errors import EmptyInput, InputError
from tatian.knowledge.base import TERMS_SUFFIX
from tatian.knowledge.building.filling import fill
from tatian.knowledge.building.pages import PageSource
from tatian.knowledge.building.staging import Staging, insert, merge
from tatian.knowledge.store import APPLICATION, INDEXES, SCHEMA, TABLES, Info, SourceInfo, read_info
from tatian.knowledge.store import connect as connect_base
from tatian.progress import Progress, silent

_PARTS = ("staging", "texts", "building", "terms")
"""Files that a build writes before it is done."""


def build(
    sources: Iterable[PageSource],
    output: str | os.PathLike[str],
    *,
    vectors: Vectors | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Info:
    """Write the merged content of `sources` to the file `output`, and its terms to one beside it.

    Earlier sources win where they disagree. `vectors` is called with "title: description" of every
    article that has one. Terms are counted on `engine`, by default in this process. The files
    appear when they are complete, or not at all.
    """
    target = Path(output)
    if target.is_dir():
        raise InputError("is a directory: name a file", path=str(target))
    _sweep(target)
    staged, texts, fresh, terms = parts = [
        target.with_name(f".{target.name}.{os.getpid()}.{part}").absolute() for part in _PARTS
    ]
    try:
        staging = Staging(staged, texts)
        _build(staging, list(sources), fresh, terms, vectors, engine or Inline(), progress)
        put_in_place(terms, target.with_name(target.name + TERMS_SUFFIX))
        put_in_place(fresh, target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be written: {reason}", path=str(target)) from error
    except sqlite3.Error as error:
        raise InputError(f"cannot be written: {error}", path=str(target)) from error
    finally:
        for leftover in parts:
            leftover.unlink(missing_ok=True)
    connection = connect_base(str(target))
    try:
        return read_info(connection, str(target))
    finally:
        connection.close()


def _sweep(target: Path) -> None:
    """Delete files that killed builds of the same base left behind."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.*"):
        number, _, part = left.name.removeprefix(f".{target.name}.").partition(".")
        if part.startswith(_PARTS) and number.isdecimal() and not _runs(int(number)):
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _build(
    staging: Staging,
    sources: list[PageSource],
    fresh: Path,
    terms: Path,
    vectors: Vectors | None,
    engine: Engine,
    progress: Progress,
) -> None:
    connection = staging.connection
    try:
        taken = [staging.take(source, progress) for source in sources]
        if not staging.pages:
            named = ", ".join(source.name for source in sources) or "no source"
            raise EmptyInput(f"{named} has no pages: nothing to build a knowledge base from")
        progress("resolving titles", 0, 1)
        merge(connection, staging.pages)
        progress("resolving titles", 1, 1)
        connection.execute("ATTACH ? AS base", (str(fresh),))
        connection.execute("PRAGMA base.journal_mode=OFF")
        connection.execute("PRAGMA base.synchronous=OFF")
        connection.execute(f"PRAGMA base.application_id={APPLICATION}")
        connection.execute(f"PRAGMA base.user_version={SCHEMA}")
        connection.executescript(TABLES.replace("CREATE TABLE ", "CREATE TABLE base."))
        fill(staging, terms, engine, progress)
        if vectors is not None:
            add_vectors(connection, vectors, progress)
        connection.executescript(INDEXES.replace(" INDEX ", " INDEX base."))
        _describe(connection, taken)
    finally:
        connection.close()


def _describe(connection: sqlite3.Connection, sources: list[SourceInfo]) -> None:
    def count(query: str) -> int:
        return int(connection.execute(f"SELECT count(*) FROM base.{query}").fetchone()[0])

    kinds = connection.execute(
        "SELECT kind, count(*) FROM base.entities WHERE role = 'article' GROUP BY kind"
    )
    (links,) = connection.execute("SELECT total(inlinks) FROM base.entities").fetchone()
    counts = {
        "entities": count("entities"),
        "articles": count("entities WHERE role = 'article'"),
        "lists": count("entities WHERE role = 'list'"),
        "disambiguations": count("entities WHERE role = 'disambiguation'"),
        "kinds": dict(kinds),
        "redirects": count("redirects"),
        "terms": count("terms"),
        "senses": count("senses"),
        "links": int(links),
        "facts": count("facts"),
        "described": count("entities WHERE description != ''"),
        "vectors": count("vectors"),
    }
    meta = {
        "schema": str(SCHEMA),
        "tatian": tatian.__version__,
        "sources": msgspec.json.encode(sources).decode(),
        "counts": msgspec.json.encode(counts).decode(),
    }
    connection.executemany("INSERT INTO base.meta VALUES (?, ?)", sorted(meta.items()))


Vectors = Callable[[list[str]], npt.NDArray[np.float32]]
"""Returns a row of length one for every text."""
_BATCH = 256
_GREATEST = 127
_READ = 256
"""Characters of a title and description that are encoded; more would only cost time."""


def add_vectors(connection: sqlite3.Connection, vectors: Vectors, progress: Progress) -> None:
    """Add vectors in steps of 1/127 of their greatest part, for a quarter of the size."""
    wanted = "FROM base.entities WHERE role = 'article'"
    (total,) = connection.execute(f"SELECT count(*) {wanted}").fetchone()
    progress("computing vectors", 0, total)
    rows = connection.execute(f"SELECT id, title, description {wanted} ORDER BY id")
    done = 0
    while batch := list(islice(rows, _BATCH)):
        titles = (f"{title}: {text}" if text else title for _, title, text in batch)
        rows_of_vectors = vectors([text_of_page[:_READ] for text_of_page in titles])
        scales = np.maximum(np.abs(rows_of_vectors).max(axis=1), 1e-9) / _GREATEST
        steps = np.rint(rows_of_vectors / scales[:, None]).astype(np.int8)
        packed = (
            (row[0], float(scale), step.tobytes())
            for row, scale, step in zip(batch, scales, steps, strict=True)
        )
        insert(connection, "INSERT INTO base.vectors VALUES (?, ?, ?)", packed)
        done += len(batch)
        progress("computing vectors", done, total)
