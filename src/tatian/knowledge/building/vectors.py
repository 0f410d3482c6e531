"""A vector of every article, from its title and description, for comparing it with contexts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import islice

import numpy as np
import numpy.typing as npt

from tatian.knowledge.building.staging import insert
from tatian.progress import Progress

Vectors = Callable[[list[str]], npt.NDArray[np.float32]]
"""Gives every text a row of length one."""
_BATCH = 256
_GREATEST = 127
_READ = 256
"""Characters of a title and description that tell what a thing is; the rest would only cost."""


def add_vectors(connection: sqlite3.Connection, vectors: Vectors, progress: Progress) -> None:
    """Add them in steps of 1/127 of their greatest part: a quarter of the size, nearly the same."""
    wanted = "FROM base.entities WHERE role = 'article'"
    (total,) = connection.execute(f"SELECT count(*) {wanted}").fetchone()
    progress("computing vectors", 0, total)
    rows = connection.execute(f"SELECT id, title, description {wanted} ORDER BY id")
    done = 0
    while batch := list(islice(rows, _BATCH)):
        told = (f"{title}: {text}" if text else title for _, title, text in batch)
        found = vectors([one[:_READ] for one in told])
        scales = np.maximum(np.abs(found).max(axis=1), 1e-9) / _GREATEST
        steps = np.rint(found / scales[:, None]).astype(np.int8)
        packed = (
            (row[0], float(scale), step.tobytes())
            for row, scale, step in zip(batch, scales, steps, strict=True)
        )
        insert(connection, "INSERT INTO base.vectors VALUES (?, ?, ?)", packed)
        done += len(batch)
        progress("computing vectors", done, total)
