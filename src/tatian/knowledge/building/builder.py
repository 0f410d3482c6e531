"""Building of a knowledge base from any number of sources, in constant memory."""

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
from tatian.knowledge.store import (
    APPLICATION_ID,
    INDEXES,
    SCHEMA,
    TABLES,
    Info,
    SourceInfo,
    read_info,
)
from tatian.knowledge.store import connect as connect_base
from tatian.progress import Progress, silent

_TEMPORARY = ("staging", "texts", "building", "terms")
"""Endings of a build's temporary files."""


def build(
    sources: Iterable[PageSource],
    output: str | os.PathLike[str],
    *,
    vectors: Vectors | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Info:
    """Merge `sources` into the knowledge base `output`, and write its terms to a second file.

    If sources disagree, the earlier one wins. `vectors` is called with "title: description" of
    every article. Terms are counted on `engine`, by default in this process. The files appear only
    when they are complete.
    """
    target = Path(output)
    if target.is_dir():
        raise InputError("is a directory: name a file", path=str(target))
    _delete_leftovers(target)
    staged, texts, new_base, terms = parts = [
        target.with_name(f".{target.name}.{os.getpid()}.{part}").absolute() for part in _TEMPORARY
    ]
    try:
        staging = Staging(staged, texts)
        _build(staging, list(sources), new_base, terms, vectors, engine or Inline(), progress)
        put_in_place(terms, target.with_name(target.name + TERMS_SUFFIX))
        put_in_place(new_base, target)
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


def _delete_leftovers(target: Path) -> None:
    """Delete the temporary files of killed builds of the same base."""
    for leftover in target.parent.glob(f".{glob.escape(target.name)}.*"):
        number, _, part = leftover.name.removeprefix(f".{target.name}.").partition(".")
        if part.startswith(_TEMPORARY) and number.isdecimal() and not _is_running(int(number)):
            if leftover.is_dir():
                shutil.rmtree(leftover)
            else:
                leftover.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
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
    new_base: Path,
    terms: Path,
    vectors: Vectors | None,
    engine: Engine,
    progress: Progress,
) -> None:
    connection = staging.connection
    try:
        source_infos = [staging.take(source, progress) for source in sources]
        if not staging.pages:
            names = ", ".join(source.name for source in sources) or "no source"
            raise EmptyInput(f"{names} has no pages: nothing to build a knowledge base from")
        progress("resolving titles", 0, 1)
        merge(connection, staging.pages)
        progress("resolving titles", 1, 1)
        connection.execute("ATTACH ? AS base", (str(new_base),))
        connection.execute("PRAGMA base.journal_mode=OFF")
        connection.execute("PRAGMA base.synchronous=OFF")
        connection.execute(f"PRAGMA base.application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA base.user_version={SCHEMA}")
        connection.executescript(TABLES.replace("CREATE TABLE ", "CREATE TABLE base."))
        fill(staging, terms, engine, progress)
        if vectors is not None:
            add_vectors(connection, vectors, progress)
        connection.executescript(INDEXES.replace(" INDEX ", " INDEX base."))
        _write_metadata(connection, source_infos)
    finally:
        connection.close()


def _write_metadata(connection: sqlite3.Connection, sources: list[SourceInfo]) -> None:
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
"""Returns a unit vector for each text, as a row."""
_BATCH = 256
_MAX_INT8 = 127
_MAX_ENCODED_CHARACTERS = 256
"""Maximum number of characters of a title and description that are encoded."""


def add_vectors(connection: sqlite3.Connection, vectors: Vectors, progress: Progress) -> None:
    """Add vectors as 8-bit integers with a scale each, at a quarter of the size."""
    articles = "FROM base.entities WHERE role = 'article'"
    (total,) = connection.execute(f"SELECT count(*) {articles}").fetchone()
    progress("computing vectors", 0, total)
    rows = connection.execute(f"SELECT id, title, description {articles} ORDER BY id")
    done = 0
    while batch := list(islice(rows, _BATCH)):
        texts = (f"{title}: {text}" if text else title for _, title, text in batch)
        matrix = vectors([text[:_MAX_ENCODED_CHARACTERS] for text in texts])
        scales = np.maximum(np.abs(matrix).max(axis=1), 1e-9) / _MAX_INT8
        steps = np.rint(matrix / scales[:, None]).astype(np.int8)
        encoded = (
            (id, float(scale), step.tobytes())
            for (id, *_), scale, step in zip(batch, scales, steps, strict=True)
        )
        insert(connection, "INSERT INTO base.vectors VALUES (?, ?, ?)", encoded)
        done += len(batch)
        progress("computing vectors", done, total)
