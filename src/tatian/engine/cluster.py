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
from tatian.engine.worker import MAX_CRASHES, Worker, read
from tatian.errors import MissingExtra, TatianError

_QUIET_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
"""Settings that Ray reads when it is imported: no usage reports, no log among our messages."""
_PRIVATE_SETTINGS = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token"}
"""Settings of a Ray started here: it listens on the loopback address and requires a token."""
_PASSED_VARIABLES = ("TATIAN_WEIGHTS", "TATIAN_CACHE")
_STORE_BYTES = 200 << 20
"""Size of the object store of a Ray started here; chunks are small."""
_WORKERS_PER_READER = 32
"""Number of workers that one reading task can supply with chunks."""


class RayEngine:
    """Engine on Ray with `processes` actors, or with one per core of the cluster."""

    def __init__(self, address: str | None, processes: int | None, patience: float) -> None:
        self._address = address
        self._processes = processes
        self._patience = patience
        settings = dict(_QUIET_SETTINGS)
        if not address and not os.environ.get("RAY_ADDRESS"):
            settings |= _PRIVATE_SETTINGS
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
        """Run a job; start or join Ray before it, and shut it down or leave it after it."""
        must_connect = not self._ray.is_initialized()
        if must_connect:
            self._connect()
        try:
            yield from self._results(job, ordered)
        finally:
            if must_connect:
                self._ray.shutdown()

    def _connect(self) -> None:
        settings = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
        arguments: dict[str, Any] = {"address": self._address} if self._address else {}
        address = self._address or os.environ.get("RAY_ADDRESS")
        if not address:
            sizes = {"num_cpus": self._processes, "object_store_memory": _STORE_BYTES}
            arguments = {"address": "local", **sizes}
        if not (address or "").startswith("ray://"):
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
            reason = str(error).partition("\n")[0]
            where = address or "this machine"
            raise TatianError(f"Ray cannot be used at {where}: {reason}") from error
        if not address and not _is_loopback(node_ip := self._ray.util.get_node_ip_address()):
            self._ray.shutdown()
            raise TatianError(
                f"Ray would listen on {node_ip}, where other machines can reach it: start a "
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
            [{"part": pickle.dumps(part)} for part in job.parts], override_num_blocks=len(job.parts)
        )
        this_node = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=True
        )
        crashes = ray.remote(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy=this_node
        )(_CrashRecord).remote()
        results = parts.map_batches(
            _read_parts,
            fn_kwargs={"job": job},
            batch_size=1,
            num_cpus=0,
            compute=ray.data.TaskPoolStrategy(size=1 + count // _WORKERS_PER_READER),
        ).map_batches(
            _Actor,
            fn_constructor_args=(job, self._patience, crashes),
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
    """Return a job whose workers have our import path; Ray would put the current folder first."""
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
    saved, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)


def _read_parts(rows: dict[str, Any], job: Job) -> Iterator[dict[str, list[bytes]]]:
    for part in rows["part"]:
        for chunk in read(job, pickle.loads(part)):
            yield {"chunk": [pickle.dumps(chunk)]}


class _Actor:
    """A worker, created once by each of Ray's actors."""

    def __init__(self, job: Job, patience: float, crashes: Any) -> None:
        self._worker = Worker(job, patience)
        self._crashes = crashes

    def __call__(self, rows: dict[str, Any]) -> dict[str, list[bytes]]:
        import ray

        (packed,) = rows["chunk"]
        chunk = pickle.loads(packed)
        key = getattr(chunk, "key", "")
        is_retry, skipped = ray.get(self._crashes.begin.remote(key))

        def report_index(index: int) -> None:
            if is_retry:
                ray.get(self._crashes.set_index.remote(key, index))

        result = self._worker.run(chunk, skipped, report_index)
        self._crashes.end.remote(key)
        return {"result": [pickle.dumps(result)]}


class _CrashRecord:
    """Unfinished chunks, and the items at which their workers crashed.

    Workers report their position only on a retry, so an item that crashes every worker is found
    after a few tries.
    """

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._counts: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def begin(self, key: str) -> tuple[bool, list[int]]:
        """Note the start of a chunk; return whether it is a retry, and the items to skip."""
        is_retry = key in self._index
        if is_retry:
            self._counts[key][self._index[key]] += 1
        self._index[key] = -1
        counts = self._counts[key].items()
        return is_retry, [index for index, count in counts if count >= MAX_CRASHES and index >= 0]

    def set_index(self, key: str, index: int) -> None:
        self._index[key] = index

    def end(self, key: str) -> None:
        self._index.pop(key, None)
        self._counts.pop(key, None)
