"""Checks for `attack.py` that answers outlast a killed server and a full disk."""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database
from workbench_load import CAMPAIGN, Server, count_differences, driven, fill_campaign
from workbench_people import BROKEN, Connection

Found = tuple[int, list[str]]
"""Number of attempts, and descriptions of failures."""
_WORK = f"/api/v1/work/{CAMPAIGN}"
_DISK = "size=32m"
_FULL = 507
"""Status of an answer for which there is no room."""
_WHILE_FULL, _AFTERWARDS = 30, 3
"""Numbers of answers sent while the disk is full, and once there is room again."""


def kill_repeatedly() -> Found:
    """Kill a server repeatedly; every answer that it acknowledged must still be stored."""
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{Path(name) / 'kills.db'}"
        options = _options(annotators=10, items=4000, seconds=9.0, faults=True)
        database = Database(url)
        everybody = fill_campaign(database, options)
        database.close()
        server = Server(url, Path(name) / "kills.log")
        server.start()
        try:
            log, _ = asyncio.run(driven(server, None, everybody, options))
        finally:
            server.kill()
        database = Database(url)
        wrong = count_differences(database, log)
        database.close()
    # The server may be killed between storing an answer and saying so.
    wrong.pop("stored without being acknowledged")
    lines = [f"{what} ({n + 1})" for what, count in wrong.items() for n in range(count)]
    return len(log.acknowledged), lines


def fill_disk() -> Found:
    """Send answers while the disk is full: each must be stored, or refused with status 507.

    With room again, answers must be stored. Nothing is tried if no disk may be mounted.
    """
    with tempfile.TemporaryDirectory() as name, _small_disk(Path(name)) as mounted:
        return asyncio.run(_filled_up(Path(name))) if mounted else (0, [])


def _options(**chosen: Any) -> argparse.Namespace:
    return argparse.Namespace(think=0.05, **chosen)


@contextmanager
def _small_disk(folder: Path) -> Iterator[bool]:
    command = ["mount", "-t", "tmpfs", "-o", _DISK, "tmpfs", str(folder)]
    mounted = False
    with suppress(OSError):
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


async def _filled_up(folder: Path) -> Found:
    url = f"sqlite:///{folder / 'full.db'}"
    database = Database(url)
    (person,) = fill_campaign(database, _options(annotators=1, items=200))
    database.close()
    with tempfile.TemporaryDirectory() as logs:
        server = Server(url, Path(logs) / "full.log")
        server.start()
        try:
            await server.ready()
            connection = Connection(server.port, person, server.cookie)
            with (folder / "ballast").open("wb", buffering=0) as ballast:
                with suppress(OSError):
                    while True:
                        ballast.write(bytes(1024))
                full = [await _answered(connection, n) for n in range(_WHILE_FULL)]
                ballast.truncate(0)
            after = [await _answered(connection, _WHILE_FULL + n) for n in range(_AFTERWARDS)]
            connection.close()
        finally:
            server.kill()
    database = Database(url)
    with database.reading() as reading:
        stored = set(reading.execute(select(tables.answers.c.id)).scalars())
    database.close()
    lines = [f"while full: {row}" for row in full if isinstance(row, int) and row != _FULL]
    lines += [f"with room again: {row}" for row in after if isinstance(row, int)]
    lines += [f"lost: {row}" for row in full + after if isinstance(row, str) and row not in stored]
    return len(full) + len(after), lines


async def _answered(connection: Connection, n: int) -> str | int:
    """Return the id of the acknowledged answer, or else the status."""
    try:
        status, work = await connection.ask("GET", _WORK)
        if status != 200:
            return status
        answer = {"type": "written", "base": 0, "merged": f"Told {n}.", "highlights": []}
        sent = {"nonce": f"{n:032x}", "answer": answer, "seconds": 1.0}
        path = f"{_WORK}/{work['item']['assignment']}/answer"
        status, received = await connection.ask("POST", path, sent)
    except (*BROKEN, json.JSONDecodeError):
        return 0
    return str(received["id"]) if status == 200 else status
