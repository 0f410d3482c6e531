"""Runs work on processes or a Ray cluster, with the same description and the same results.

A `Job` reads its input in chunks, applies a function to every item, and combines the results of a
chunk in the worker. Each worker loads the models once. An `Engine` runs the job. An item that
fails, takes too long or ends its worker twice gives a `Failed`, and the rest goes on.
"""

from __future__ import annotations

from tatian.engine.job import Engine, Failed, Inline, Job, WorkChunk, cores
from tatian.errors import InputError

ENGINES = ("local", "ray")
PATIENCE = 600
"""Seconds that one item may take by default."""


def open_engine(
    name: str = "local",
    *,
    address: str | None = None,
    processes: int | None = None,
    patience: float = PATIENCE,
) -> Engine:
    """Return the engine called `name`, with so many processes; by default one per core.

    `address` is that of a Ray cluster. Without it, Ray is started on this machine for the job,
    unless $RAY_ADDRESS names one.
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
