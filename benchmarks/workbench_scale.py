"""Response times of the workbench in a large campaign, for frequent requests.

A campaign of 20,000 items, 60 people and 300,000 answers is written straight into the database, on
SQLite and on PostgreSQL (`workbench_scale_data.py`). Then the engine's own calls do what annotators
do, and requests to the application do what managers do. ``first`` is the first time after the
server has started; p50 and p95 are of the later times. An answer comes in before each, so that no
cached result is measured. CPU ms is the mean CPU time of server and database together. The queue of
adjudication is updated before that, as a server does when it starts and every hour; the time of the
first update is given, too. Exports run in a process of their own; memory is their peak beyond that
of a small export. In the end the campaign is deleted while somebody else writes a row every ten
milliseconds.

    python benchmarks/workbench_scale.py --format markdown
    python benchmarks/workbench_scale.py --items 2000 --answers 30000 --database sqlite
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from starlette.testclient import TestClient

from tatian.statistics import Column, Table
from tatian.workbench.accounts import sessions, users
from tatian.workbench.campaigns import allocation, audit, campaigns, exports, submission
from tatian.workbench.quality.monitor import measure_agreement
from tatian.workbench.quality.queue import refresh_all
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import tasks
from tatian.workbench.web.server import create_app
from workbench_load import Postgres, open_database
from workbench_scale_data import CAMPAIGN, CRITERIA, SMALL, SYSTEMS, TASK, fill_campaigns

PAGE = f"/campaigns/{CAMPAIGN}"
ASKED = (
    ("adjudication queue (page)", f"{PAGE}/adjudicate"),
    ("adjudication, next", f"{PAGE}/adjudicate/next"),
    ("items (page)", f"{PAGE}/items"),
    ("items, last page", f"{PAGE}/items?page=400"),
    ("dashboard (page)", f"{PAGE}/dashboard"),
    ("campaign (page)", PAGE),
    ("annotators (page)", f"{PAGE}/annotators"),
)
FORMS: tuple[exports.ExportForm, ...] = ("records", "csv", "task")


class Annotators:
    """Everybody in a campaign, working in turn."""

    def __init__(self, database: Database, everybody: list[str]) -> None:
        self.database = database
        self.everybody = everybody
        self.task = tasks.create(TASK)
        with database.reading() as connection:
            self.campaign = campaigns.get(connection, CAMPAIGN)
        self.turn = 0

    def take(self) -> allocation.Assignment:
        """Return the next item of the next person."""
        self.turn += 1
        annotator = self.everybody[self.turn % len(self.everybody)]
        with self.database.writing() as connection:
            mine = allocation.assign_next(connection, self.campaign, annotator)[1]
        if mine is None:
            raise SystemExit("nothing is left to give out: ask for more items")
        return mine

    def submit(self, mine: allocation.Assignment) -> None:
        """Submit an answer to an item."""
        ratings = {criterion: [1] * len(SYSTEMS) for criterion in CRITERIA}
        with self.database.writing() as connection:
            submission.submit(
                connection, self.campaign, self.task, mine.annotator, mine.id,
                f"nonce-{mine.id}", {"ratings": ratings}, 12.5,
            )  # fmt: skip

    def agree(self, _: str) -> None:
        """Compute the agreement over all items."""
        with self.database.reading() as connection:
            measure_agreement(connection, self.campaign, self.task)


class Taken(NamedTuple):
    """Milliseconds that something took."""

    wall: float
    cpu: float
    """CPU time of this process and of the database: other work on the machine hardly changes it."""


class Clock:
    """Clock of wall and CPU time; reading PostgreSQL's time is not counted."""

    def __init__(self, postgres: Postgres | None) -> None:
        self._spent = postgres.spent if postgres else float

    def timed(
        self, times: int, prepare: Callable[[], Any], work: Callable[[Any], Any]
    ) -> list[Taken]:
        """Return the time of each repetition."""
        taken = []
        for _ in range(times):
            prepared = prepare()
            theirs = self._spent()
            wall, ours = time.perf_counter(), time.process_time()
            work(prepared)
            wall, ours = time.perf_counter() - wall, time.process_time() - ours
            taken.append(Taken(wall * 1000, (ours + self._spent() - theirs) * 1000))
        return taken


def manager_client(database: Database) -> Callable[[str], None]:
    """Return a function that sends requests as a manager's browser does."""
    client = TestClient(create_app(database), base_url="http://localhost", follow_redirects=False)
    with database.writing() as connection:
        user = users.create(connection, "ada", "admin", None)
        cookie, _ = sessions.begin(connection, user=user.id)
    client.cookies.set("tatian_session", cookie)

    def ask(path: str) -> None:
        reply = client.get(path)
        if reply.status_code not in (200, 303):
            raise SystemExit(f"{path}: {reply.status_code} {reply.text[:300]}")

    return ask


def measure_requests(
    database: Database, everybody: list[str], times: int, clock: Clock
) -> dict[str, list[Taken]]:
    """Time everything that is requested."""
    timed = clock.timed
    annotators, ask = Annotators(database, everybody), manager_client(database)

    def arrive(path: str) -> str:
        annotators.submit(annotators.take())
        return path

    held: list[allocation.Assignment] = []

    def hand_in() -> None:
        while held:
            annotators.submit(held.pop())

    times_by_action = {
        "next item": timed(4 * times, hand_in, lambda _: held.append(annotators.take())),
        "submit": timed(4 * times, annotators.take, annotators.submit),
    }
    hand_in()
    for name, path in ASKED:
        times_by_action[name] = timed(times, partial(arrive, path), ask)
    times_by_action["agreement, all items"] = timed(1, partial(arrive, ""), annotators.agree)
    return times_by_action


def _export(url: str, campaign: str, form: exports.ExportForm, results: Any) -> None:
    """Export in a process of its own: wall seconds, CPU seconds, bytes, peak memory in KiB."""
    database = Database(url)
    begun, spent = time.perf_counter(), time.process_time()
    size = sum(map(len, exports.export(database, campaign, form).chunks()))
    seconds, spent = time.perf_counter() - begun, time.process_time() - spent
    database.close()
    status = Path("/proc/self/status").read_text()
    results.send((seconds, spent, size, int(status.partition("VmHWM:")[2].split()[0])))


def run_export(url: str, campaign: str, form: exports.ExportForm) -> tuple[float, float, int, int]:
    """Return the result of `_export`."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(
        target=_export, args=(url, campaign, form, theirs)
    )
    process.start()
    theirs.close()
    result: tuple[float, float, int, int] = ours.recv()
    process.join()
    return result


def delete_campaign(database: Database) -> tuple[float, float, float]:
    """Return the seconds of deleting the campaign, and the median and longest wait of others."""
    with database.writing() as connection:
        campaigns.change(connection, CAMPAIGN, "scale", state="closed")
    over = threading.Event()
    waits: list[float] = []

    def write() -> None:
        while not over.wait(0.01):
            begun = time.perf_counter()
            with database.writing() as connection:
                audit.note(connection, "scale", "scale")
            waits.append(time.perf_counter() - begun)

    other = threading.Thread(target=write)
    other.start()
    begun = time.perf_counter()
    campaigns.delete(database, CAMPAIGN, "scale")
    seconds = time.perf_counter() - begun
    over.set()
    other.join()
    return seconds, float(np.median(waits)), max(waits)


def main() -> None:
    """Measure each database and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--answers", type=int, default=300_000)
    parser.add_argument("--times", type=int, default=4, help="how often each thing is asked")
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args()
    chosen = ["sqlite", "postgresql"] if options.database == "both" else [options.database]
    rows: list[list[Any]] = []
    files: list[list[Any]] = []
    gone: list[list[Any]] = []
    for kind in chosen:
        with (
            tempfile.TemporaryDirectory() as name,
            open_database(kind, Path(name)) as (url, postgres),
        ):
            Path(name).chmod(0o755)
            database = Database(url)
            everybody = fill_campaigns(database, options.items, options.people, options.answers)
            clock = Clock(postgres)
            label = "adjudication queue, made by the server"
            refresh = partial(refresh_all, should_stop=lambda: False)
            times_by_action = {label: clock.timed(1, lambda database=database: database, refresh)}
            times_by_action |= measure_requests(database, everybody, options.times, clock)
            for what, taken in times_by_action.items():
                wall, cpu = zip(*(taken[1:] or taken), strict=True)
                late = float(np.percentile(wall, 95))
                figures = (taken[0].wall, float(np.median(wall)), late, float(np.mean(cpu)))
                rows.append([kind, what, len(taken), *figures])
            database.close()
            for form in FORMS:
                *_, least = run_export(url, SMALL, form)
                seconds, spent, size, most = run_export(url, CAMPAIGN, form)
                megabytes = [size / 2**20, (most - least) / 2**10]
                files.append([kind, form, seconds, spent, options.answers / spent, *megabytes])
            database = Database(url)
            gone.append([kind, *delete_campaign(database)])
            database.close()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    figures = [Column(name, precision=1) for name in ("first ms", "p50 ms", "p95 ms", "CPU ms")]
    print(Table.of(["database", "what", "times", *figures], rows).render(options.format))
    figures = [
        Column(name, precision=digits)
        for name, digits in (
            ("seconds", 1),
            ("CPU s of its process", 1),
            ("records a CPU s", 0),
            ("MiB", 0),
            ("memory MiB", 0),
        )
    ]
    print(Table.of(["database", "export", *figures], files).render(options.format))
    waits = [
        Column(name, scale=1000, precision=0) for name in ("median wait ms", "longest wait ms")
    ]
    figures = [Column("deleting, seconds", precision=1), *waits]
    print(Table.of(["database", *figures], gone).render(options.format))


if __name__ == "__main__":
    main()
