"""Work spread over processes or a Ray cluster: one description of it, the same results.

A `Job` says how its input is read, in chunks; what is done with every item of a chunk, by a model
that each worker loads once; and what is done in the worker with all results of a chunk. An `Engine`
runs it. An item that fails, takes too long or ends its worker twice gives a `Failed`, and the rest
goes on.
"""

from __future__ import annotations

from tatian.engine.job import Engine, Failed, Inline, Job, WorkChunk, cores
from tatian.errors import InputError

ENGINES = ("local", "ray")
PATIENCE = 600
"""Seconds that one item may take, unless said otherwise."""


def open_engine(
    name: str = "local",
    *,
    address: str | None = None,
    processes: int | None = None,
    patience: float = PATIENCE,
) -> Engine:
    """The engine called `name`, with so many processes; by default one per core.

    `address` is that of a Ray cluster; without it, Ray is started on this machine for the time of
    the job, unless $RAY_ADDRESS says otherwise.
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
