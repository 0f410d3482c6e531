"""Simulated annotators: each takes items, saves drafts and submits, until time is up.

They speak HTTP/1.1 over connections that stay open, as browsers do. Little of Python's own time is
spent in between, so that the server is measured. Failed requests are repeated with the same nonce
until they are acknowledged, as the page does.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

BROKEN = (ConnectionError, asyncio.IncompleteReadError, TimeoutError, OSError)
_PATIENCE = 30.0
"""Most seconds of a request."""


@dataclass(frozen=True)
class Person:
    """A person with a session."""

    annotator: str
    cookie: str
    csrf: str


@dataclass(frozen=True)
class Acknowledged:
    """An answer that the server has acknowledged."""

    id: str
    annotator: str
    assignment: int
    merged: str


@dataclass
class Log:
    """Observations of all annotators."""

    times: dict[str, list[float]] = field(default_factory=dict)
    acknowledged: list[Acknowledged] = field(default_factory=list)
    retried: int = 0
    refused: list[str] = field(default_factory=list)
    """Unexpected answers of the server."""

    def requests(self) -> int:
        """Number of answered requests."""
        return sum(map(len, self.times.values()))

    def took(self, kind: str, seconds: float) -> None:
        """Record the time of one acknowledged request."""
        self.times.setdefault(kind, []).append(seconds)


class Connection:
    """One browser's connection, reopened whenever it breaks."""

    def __init__(self, port: int, person: Person, cookie_name: str) -> None:
        self.port = port
        self.head = (
            f"Host: 127.0.0.1:{port}\r\nCookie: {cookie_name}={person.cookie}\r\n"
            f"X-CSRF-Token: {person.csrf}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            "Content-Type: application/json\r\n"
        )
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Return the status and the JSON of the answer; raise one of `BROKEN` on failure."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\n{self.head}Content-Length: {len(data)}\r\n\r\n"
        try:
            async with asyncio.timeout(_PATIENCE):
                if self._streams is None:
                    self._streams = await asyncio.open_connection("127.0.0.1", self.port)
                reader, writer = self._streams
                writer.write(head.encode() + data)
                await writer.drain()
                return await self._answer(reader)
        except BROKEN:
            self.close()
            raise

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, Any]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(head.split(" ", 2)[1])
        fields = dict(
            line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line
        )
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
        return status, json.loads(body) if body else None

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


class Worker:
    """One person at work."""

    def __init__(
        self, person: Person, connection: Connection, campaign: str, think: float, log: Log
    ) -> None:
        self.person = person
        self.connection = connection
        self.base = f"/api/v1/work/{campaign}"
        self.think = think
        self.log = log
        self.lots = random.Random(person.annotator)

    async def work(self, until: float) -> None:
        """Answer items until the given time; an answer under way is finished."""
        await asyncio.sleep(self.lots.uniform(0, self.think))
        while time.monotonic() < until:
            status, work = await self._insist("item", "GET", self.base)
            if status != 200 or work["state"] != "item":
                self.log.refused.append(f"item: {status} {str(work)[:200]}")
                return
            await self._answer(work["item"])
        self.connection.close()

    async def _answer(self, item: dict[str, Any]) -> None:
        sentences = item["content"]["sentences"]
        path = f"{self.base}/{item['assignment']}"
        merged = f"{sentences[0]['text']} {self.person.annotator} {self.lots.random()}"
        draft = {"revision": item["revision"], "draft": {"merged": merged}}
        status, _ = await self._insist("draft", "PUT", f"{path}/draft", draft)
        if status not in (200, 409):
            self.log.refused.append(f"draft: {status}")
        await asyncio.sleep(self.lots.expovariate(1 / self.think) if self.think else 0)
        answer = {"type": "written", "base": 0, "merged": merged, "highlights": []}
        sent = {"nonce": f"{self.lots.getrandbits(128):032x}", "answer": answer, "seconds": 1.0}
        status, received = await self._insist("answer", "POST", f"{path}/answer", sent)
        if status == 200:
            record = Acknowledged(received["id"], self.person.annotator, item["assignment"], merged)
            self.log.acknowledged.append(record)
        else:
            self.log.refused.append(f"answer: {status} {str(received)[:200]}")

    async def _insist(self, kind: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Repeat a request until it is answered; only the last try is timed."""
        wait = 0.1
        while True:
            begun = time.perf_counter()
            try:
                status, answer = await self.connection.ask(method, path, body)
            except BROKEN:
                status, answer = 0, None
            if 0 < status < 500:
                self.log.took(kind, time.perf_counter() - begun)
                return status, answer
            self.log.retried += 1
            await asyncio.sleep(wait * self.lots.uniform(0.5, 1.5))
            wait = min(2.0, wait * 2)
