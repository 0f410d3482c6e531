"""A large campaign, written straight into a database for `workbench_scale.py`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, func, insert, select, text, update

from tatian.workbench.campaigns import campaigns, items, people
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database, now
from tatian.workbench.storage.schema import prepare
from tatian.workbench.storage.tables import answers, assignments
from tatian.workbench.storage.tables import items as items_table
from tatian.workbench.tasks import Json, NewItem

CAMPAIGN, SMALL = "scale", "small"
"""The large campaign, and one of the same kind with almost nothing in it."""
TASK = "union.judge"
SYSTEMS = ("first", "second")
CRITERIA = ("coverage", "faithfulness", "redundancy", "fluency")
_FREE = 0.02
"""Share of items that still need answers."""
_AGREEING_SHARE = 0.7
_ROWS_AT_ONCE = 5_000
_DAY_MILLISECONDS = 86_400_000
Row = dict[str, Any]


def fill_campaigns(database: Database, count: int, size: int, total: int) -> list[str]:
    """Fill both campaigns, the large one with these sizes; return its people."""
    prepare(database)
    with database.writing() as connection:
        _campaign(connection, SMALL, 20, 4, 60, 10 * total)
        everybody = _campaign(connection, CAMPAIGN, count, size, total, 0)
        if not database.sqlite:
            last = select(func.max(assignments.c.id)).scalar_subquery()
            sequence = func.pg_get_serial_sequence("assignments", "id")
            connection.execute(select(func.setval(sequence, last)))
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        if not database.sqlite:
            connection.execute(text("VACUUM ANALYZE"))
    return everybody


def _campaign(
    connection: Connection, id: str, count: int, size: int, total: int, first: int
) -> list[str]:
    per_item = total // count
    settings = CampaignSettings(annotators=per_item)
    campaign = campaigns.create(connection, id, TASK, "Scale", settings, "Judge.", "scale")
    new = [NewItem(f"item-{number}", judging_content(number)) for number in range(count)]
    items.add(connection, campaign, new, "scale")
    campaign = campaigns.change(connection, id, "scale", state="open")
    everybody = [people.enter(connection, campaign).id for _ in range(size)]
    ids = select(items_table.c.id).where(items_table.c.campaign == id)
    numbers = connection.execute(ids.order_by(items_table.c.position)).scalars().all()
    rows = _rows(id, list(numbers), everybody, per_item, first)
    while batch := list(islice(rows, _ROWS_AT_ONCE)):
        _put(connection, assignments, [row for row, _ in batch])
        _put(connection, answers, [row for _, row in batch])
    taken = select(func.count()).where(assignments.c.item == items_table.c.id).scalar_subquery()
    connection.execute(update(items_table).where(items_table.c.campaign == id).values(taken=taken))
    return everybody


def _rows(
    id: str, numbers: list[int], everybody: list[str], per_item: int, first: int
) -> Iterator[tuple[Row, Row]]:
    """Yield assignments with their answers, over the last thirty days."""
    lots = random.Random(0)
    full = len(numbers) - int(len(numbers) * _FREE)
    begun, number = now() - 30 * _DAY_MILLISECONDS, first
    step = 29 * _DAY_MILLISECONDS // (len(numbers) * per_item)
    for place, item in enumerate(numbers):
        right = lots.randint(1, 3)
        for turn in range(per_item if place < full else per_item // 2):
            number += 1
            assigned = begun + (number - first) * step
            seconds = round(lots.lognormvariate(3, 0.6), 1)
            finished = assigned + int(seconds * 1000)
            shared = {
                "campaign": id,
                "item": item,
                "annotator": everybody[(7 * place + turn) % len(everybody)],
                "given": assigned,
                "guideline": 1,
            }
            yield (
                {
                    "id": number, "state": "done", "expires": finished, "finished": finished,
                    "seed": number, **shared,
                },
                {
                    "id": f"answer-{number}", "assignment": number, "nonce": str(number),
                    "answer": _answer(lots, right), "submitted": finished, "seconds": seconds,
                    **shared,
                },
            )  # fmt: skip


def _put(connection: Connection, table: Table, rows: list[Row]) -> None:
    """Insert rows; in PostgreSQL by COPY, which is many times faster."""
    if connection.dialect.name == "sqlite":
        connection.execute(insert(table), rows)
        return
    names = list(rows[0])
    raw = connection.connection.cursor()
    with raw.copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([row[name] for name in names])


def judging_content(number: int) -> Json:
    """Return an item to judge."""
    return {
        "sentences": [f"The ferry {number} ran aground.", f"It was ferry {number}, he said."],
        "reference": f"The ferry {number} ran aground, he said.",
        "systems": {name: f"Ferry {number} ran aground, the {name} said." for name in SYSTEMS},
    }


def _answer(lots: random.Random, right: int) -> str:
    """Return ratings in stored form, most of them the right one."""
    systems = {
        name: {
            criterion: right if lots.random() < _AGREEING_SHARE else lots.randint(1, 3)
            for criterion in CRITERIA
        }
        for name in SYSTEMS
    }
    return msgspec.json.encode({"systems": systems}).decode()
