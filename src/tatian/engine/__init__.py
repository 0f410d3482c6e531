"""Engines that run a job on local processes or on a Ray cluster, with the same results.

A `Job` reads its input in chunks, applies a function to every item, and combines the results of a
chunk in the worker. Each worker loads the models once. An item that fails, times out or crashes its
worker twice gives a `Failed`; the other items are still processed.
"""

from __future__ import annotations

from tatian.engine.job import Engine, Failed, Inline, Job, WorkChunk, cores
from tatian.errors import InputError

ENGINES = ("local", "ray")
PATIENCE = 600
"""Default limit on the time for one item, in seconds."""


def open_engine(
    name: str = "local",
    *,
    address: str | None = None,
    processes: int | None = None,
    patience: float = PATIENCE,
) -> Engine:
    """Return the engine called `name`; it has one process per core unless `processes` is given.

    `address` is that of a Ray cluster, by default $RAY_ADDRESS. Without either, Ray is started on
    this machine for the job. `patience` is the time limit for one item, in seconds.
    """
    if name == "local":
        if address:
            raise InputError("an address is for Ray: give --engine ray, or no --address")
        from tatian.engine.local import LocalEngine

        return LocalEngine(processes, patience)
    from tatian.engine.cluster import RayEngine

    return RayEngine(address, processes, patience)


__all__ = [
    "ENGINES",
    "PATIENCE",
    "Engine",
    "Failed",
    "Inline",
    "Job",
    "WorkChunk",
    "cores",
    "open_engine",
]
