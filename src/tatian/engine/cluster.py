"""Engine on Ray, on this machine or a cluster, with Ray Data."""

from __future__ import annotations

import logging
import os
import pickle
import secrets
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from tatian.children import safe_path
from tatian.engine.job import Job
from tatian.engine.worker import DEATHS, Worker, read
from tatian.errors import MissingExtra, TatianError

_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
"""Settings that Ray reads when it is imported: no usage reports, no log among our messages."""
_OWN = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token"}
"""Settings of a Ray that we start: it listens on the loopback address and wants a token."""
_PASSED = ("TATIAN_WEIGHTS", "TATIAN_CACHE")
_STORE = 200 << 20
"""Bytes of the object store of a Ray that we start; chunks are small."""
_READERS = 32
"""Workers that one reading task can keep busy."""


class RayEngine:
    """Engine with an actor for each process asked for, or for each core of the cluster."""

    def __init__(self, address: str | None, processes: int | None, patience: float) -> None:
        self._address = address
        self._processes = processes
        self._patience = patience
        settings = dict(_QUIET)
        if not address and not os.environ.get("RAY_ADDRESS"):
            settings |= _OWN
            if not any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")):
                settings["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
        for name, value in settings.items():
            os.environ.setdefault(name, value)
        try:
            import ray.data
        except ImportError as error:
            raise MissingExtra("--engine ray", "ray") from error
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        warnings.filterwarnings("ignore", category=UserWarning, module=r"ray\.")
        self._ray = ray

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """Run a job; Ray is started or joined, and left again at the end."""
        ours = not self._ray.is_initialized()
        if ours:
            self._join()
        try:
            yield from self._results(job, ordered)
        finally:
            if ours:
                self._ray.shutdown()

    def _join(self) -> None:
        settings = {name: os.environ[name] for name in _PASSED if name in os.environ}
        arguments: dict[str, Any] = {"address": self._address} if self._address else {}
        alone = not self._address and not os.environ.get("RAY_ADDRESS")
        if alone:
            arguments = {"num_cpus": self._processes, "object_store_memory": _STORE}
        if not (self._address or os.environ.get("RAY_ADDRESS", "")).startswith("ray://"):
            arguments["job_config"] = _job_config()
        try:
            with _silence_stderr(), safe_path():
                self._ray.init(
                    **arguments,
                    include_dashboard=None if self._address else False,
                    log_to_driver=False,
                    logging_level="ERROR",
                    runtime_env={"env_vars": settings} if settings else None,
                )
        except (ConnectionError, RuntimeError, ValueError) as error:
            where = self._address or os.environ.get("RAY_ADDRESS") or "this machine"
            reason = str(error).partition("\n")[0]
            raise TatianError(f"Ray cannot be used at {where}: {reason}") from error
        if alone and not _is_loopback(listening := self._ray.util.get_node_ip_address()):
            self._ray.shutdown()
            raise TatianError(
                f"Ray would listen on {listening}, where other machines can reach it: start a "
                "cluster with 'ray start' and name it with --address, or import ray after tatian"
            )

    def _results(self, job: Job, ordered: bool) -> Iterator[Any]:
        ray = self._ray
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.print_on_execution_start = False
        context.target_max_block_size = 1  # One block per chunk.
        context.max_tasks_in_flight_per_actor = 2
        context.execution_options.preserve_order = ordered
        count = self._processes or int(ray.cluster_resources().get("CPU", 1)) or 1
        parts = ray.data.from_items(
            [{"part": pickle.dumps(part)} for part in job.parts],
            override_num_blocks=len(job.parts),
        )
        this_node = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=True
        )
        deaths = ray.remote(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy=this_node
        )(_Deaths).remote()
        results = parts.map_batches(
            _read,
            fn_kwargs={"job": job},
            batch_size=1,
            num_cpus=0,
            compute=ray.data.TaskPoolStrategy(size=1 + count // _READERS),
        ).map_batches(
            _Actor,
            fn_constructor_args=(job, self._patience, deaths),
            batch_size=1,
            num_cpus=1,
            compute=ray.data.ActorPoolStrategy(size=count),
        )
        for row in results.iter_rows():
            result = pickle.loads(row["result"])
            if isinstance(result, TatianError):
                raise result
            yield result


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address.removeprefix("::ffff:")).is_loopback
    except ValueError:
        return address == "localhost"


def _job_config() -> Any:
    """Return a job whose workers import what we do; Ray would put the current folder first."""
    from ray.job_config import JobConfig

    class OwnPath(JobConfig):  # type: ignore[misc, unused-ignore]
        def _runtime_env_has_working_dir(self) -> bool:
            """Return True, so that Ray leaves the import path alone."""
            return True

    script = str(Path(sys.argv[0]).resolve().parent)
    return OwnPath(_py_driver_sys_path=[script] if script in sys.path else [])


@contextmanager
def _silence_stderr() -> Iterator[None]:
    """Hide what Ray's native code writes to standard error."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _read(rows: dict[str, Any], job: Job) -> Iterator[dict[str, list[bytes]]]:
    for part in rows["part"]:
        for chunk in read(job, pickle.loads(part)):
            yield {"chunk": [pickle.dumps(chunk)]}


class _Actor:
    """A worker, created once by each of Ray's actors."""

    def __init__(self, job: Job, patience: float, deaths: Any) -> None:
        self._worker = Worker(job, patience)
        self._deaths = deaths

    def __call__(self, rows: dict[str, Any]) -> dict[str, list[bytes]]:
        import ray

        (packed,) = rows["chunk"]
        chunk = pickle.loads(packed)
        key = getattr(chunk, "key", "")
        again, deadly = ray.get(self._deaths.begin.remote(key))

        def at(place: int) -> None:
            if again:
                ray.get(self._deaths.at.remote(key, place))

        result = self._worker.run(chunk, deadly, at)
        self._deaths.end.remote(key)
        return {"result": [pickle.dumps(result)]}


class _Deaths:
    """Records which chunks were begun and not ended, and at which item.

    From the second try on a worker reports its position, so that an item that ends every worker is
    found after a few tries.
    """

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._counts: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def begin(self, key: str) -> tuple[bool, list[int]]:
        again = key in self._place
        if again:
            self._counts[key][self._place[key]] += 1
        self._place[key] = -1
        return again, [p for p, n in self._counts[key].items() if n >= DEATHS and p >= 0]

    def at(self, key: str, place: int) -> None:
        self._place[key] = place

    def end(self, key: str) -> None:
        self._place.pop(key, None)
        self._counts.pop(key, None)
