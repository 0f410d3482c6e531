"""What a rule makes of every item of a campaign, remembered, so that a queue is not judged anew.

Answers are only ever added. So an item is judged again once it has another answer, and all are once
something was logged that may change which answers count (`unchanged.rules`). What is remembered is
a line an item, never the answers.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, func, select

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.times import rules
from tatian.workbench.quality.cases import Case, answered, of_rows
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import adjudications, answers
from tatian.workbench.tasks import Task

MOST = 500_000
"""Lines that are remembered in all."""
_FEW = 2_000
"""Items that are fetched one by one; more of them are looked for among all."""


class Line(Struct, frozen=True):
    """An item in one line."""

    item: int
    key: str
    answers: int
    latest: int
    """When the last of them was submitted."""
    seen: bytes
    """Of their ids: `printed`."""
    differences: int
    open: int
    where: str
    """What the first difference is about, one that is open if any is."""
    settled: bool
    print: bytes
    """Of the answer that the rule makes of them: `printed`."""


class Held(Struct, frozen=True):
    """A decision in one line."""

    by: str
    at: int
    rule: str
    print: bytes | None
    """Of what was decided, where a rule did; of the ids of the answers, where a person did."""


def printed(answer: Any) -> bytes:
    """The same for two answers that are the same as JSON says them, and no other two."""
    written = msgspec.json.encode(answer, order="deterministic")
    return blake2b(written, digest_size=16).digest()


class _Known:
    """What is remembered of one campaign by one rule."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.stamp: Any = None
        self.counts: Mapping[int, int] = {}
        self.lines: dict[int, Line] = {}


class _Memory:
    """What is remembered of one database: the campaigns that were asked for last."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()
        self._prints: dict[int, bytes] = {}
        self._turn = threading.Lock()

    def of(self, campaign: str, rule: str) -> _Known:
        """What is known, or nothing yet."""
        with self._turn:
            known = self._known.setdefault((campaign, rule), _Known())
            self._known.move_to_end((campaign, rule))
            return known

    def prints(self, connection: Connection, decisions: list[int]) -> dict[int, bytes]:
        """`Held.print`, empty for none; nothing of it ever changes."""
        with self._turn:
            if len(self._prints) > MOST:
                self._prints.clear()
            known = dict(self._prints)
        missing = [id for id in decisions if id not in known]
        for start in range(0, len(missing), _FEW):
            some = missing[start : start + _FEW]
            columns = (adjudications.c[name] for name in ("id", "rule", "answer", "answers"))
            chosen = select(*columns).where(adjudications.c.id.in_(some))
            for row in connection.execute(chosen):
                told = row.answer if row.rule else row.answers
                known[row.id] = b"" if told is None else printed(plain.decode(told))
        with self._turn:
            self._prints |= known
        return known

    def shrink(self) -> None:
        """Forget whatever was not asked for the longest, while there is too much."""
        with self._turn:
            while self._known and sum(len(one.lines) for one in self._known.values()) > MOST:
                self._known.popitem(last=False)


_memories: WeakKeyDictionary[Engine, _Memory] = WeakKeyDictionary()
_making = threading.Lock()


def lines(connection: Connection, campaign: Campaign, task: Task, rule: str) -> dict[int, Line]:
    """Every item with two answers or more that count, by its number."""
    memory = _memory(connection)
    known = memory.of(campaign.id, rule)
    # Before any answer is read: what comes in between is then seen the next time.
    stamp, counts = rules(connection, campaign), _counts(connection, campaign)
    with known.turn:
        same = known.stamp == stamp
        before, kept = (known.counts, known.lines) if same else ({}, {})
        changed = {item for item, count in counts.items() if before.get(item) != count}
        found = {item: line for item, line in kept.items() if item not in changed}
        fresh = _fresh(connection, campaign, task, rule, changed)
        found.update((line.item, line) for line in fresh)
        known.stamp, known.counts, known.lines = stamp, counts, found
    memory.shrink()
    return found


def held(connection: Connection, campaign: Campaign) -> dict[int, Held]:
    """What was decided last about each item, by its number."""
    newest = (
        select(func.max(adjudications.c.id))
        .where(adjudications.c.campaign == campaign.id)
        .group_by(adjudications.c.item)
    )
    columns = (adjudications.c[name] for name in ("id", "item", "by", "at", "rule"))
    chosen = select(*columns).where(adjudications.c.id.in_(newest))
    rows = connection.execute(chosen).all()
    prints = _memory(connection).prints(connection, [row.id for row in rows])
    return {row.item: Held(row.by, row.at, row.rule, prints[row.id] or None) for row in rows}


def _memory(connection: Connection) -> _Memory:
    with _making:
        return _memories.setdefault(connection.engine, _Memory())


def _fresh(
    connection: Connection, campaign: Campaign, task: Task, rule: str, changed: set[int]
) -> Iterator[Line]:
    """The lines of items that have changed; many are looked for among all."""
    if not changed:
        return
    for rows in answered(connection, campaign, changed if len(changed) <= _FEW else None):
        if rows[0].item in changed and len(rows) > 1:
            yield _line(of_rows(task, rows, None, rule))


def _line(case: Case) -> Line:
    verdict = case.verdict
    first = (verdict.open or verdict.differences)[:1]
    return Line(
        case.item,
        case.key,
        len(case.answers),
        max(given.submitted for given in case.answers),
        printed(sorted(given.id for given in case.answers)),
        len(verdict.differences),
        len(verdict.open),
        first[0].where if first else "",
        verdict.settled,
        printed(verdict.answer),
    )


def _counts(connection: Connection, campaign: Campaign) -> dict[int, int]:
    """How many answers each item has, counting or not: read off an index."""
    found = (
        select(answers.c.item, func.count())
        .where(answers.c.campaign == campaign.id)
        .group_by(answers.c.item)
    )
    return {row[0]: row[1] for row in connection.execute(found)}
