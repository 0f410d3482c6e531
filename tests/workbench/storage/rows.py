"""A row of every table."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, insert, select

from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import metadata

DESK = {
    "projects", "project_accounts", "project_weaves", "project_decisions", "project_findings"
}  # fmt: skip
"""The tables of the desk, in which campaigns have nothing."""
KINDS = ("sqlite", "postgresql")

ROWS: dict[str, list[dict[str, Any]]] = {
    "users": [{"id": 7, "name": "ann", "password": None, "role": "admin", "created": 1_700}],
    "campaigns": [
        {
            "id": "c",
            "task": "union",
            "title": "Ünïon <b>",
            "settings": "{}",
            "state": "open",
            "created": 1_800_000_000_000,
        }
    ],
    "members": [{"user": 7, "campaign": "c"}],
    "attempts": [{"id": 1, "what": "name:ann", "at": 5}],
    "guidelines": [{"campaign": "c", "version": 1, "text": "# Read\n", "created": 2}],
    "items": [
        {
            "id": 3,
            "campaign": "c",
            "key": "k",
            "stage": 0,
            "test": True,
            "position": 0,
            "wanted": None,
            "taken": 1,
            "retired": False,
            "content": '{"a":"\\u2028"}',
            "gold": '{"b":1}',
            "suggestion": None,
        }
    ],
    "invitations": [
        {
            "id": "i",
            "campaign": "c",
            "kind": "open",
            "label": "",
            "seats": None,
            "used": 1,
            "expires": None,
            "revoked": False,
            "created": 3,
        }
    ],
    "annotators": [
        {
            "id": "a1",
            "campaign": "c",
            "invitation": "i",
            "external": "P",
            "name": "Ann",
            "state": "active",
            "stage": 0,
            "details": "{}",
            "created": 4,
            "seen": 5,
        }
    ],
    "sessions": [
        {"hash": "s", "user": None, "annotator": "a1", "csrf": "x", "created": 1, "expires": 2}
    ],
    "assignments": [
        {
            "id": 11,
            "campaign": "c",
            "item": 3,
            "annotator": "a1",
            "state": "done",
            "given": 6,
            "expires": 7,
            "finished": 8,
            "seed": 2_147_483_647,
            "guideline": 1,
            "preannotated": True,
            "draft": "{}",
            "revision": 2,
        }
    ],
    "answers": [
        # The first to be inserted by its id corrects the second, which comes after it.
        {
            "id": "zz",
            "campaign": "c",
            "item": 3,
            "annotator": "a1",
            "assignment": 11,
            "nonce": "n1",
            "answer": '{"x":0.1}',
            "score": 1 / 3,
            "guideline": 1,
            "preannotated": True,
            "given": 6,
            "submitted": 8,
            "seconds": 1.25,
            "replaces": None,
        },
        {
            "id": "aa",
            "campaign": "c",
            "item": 3,
            "annotator": "a1",
            "assignment": 11,
            "nonce": "n2",
            "answer": '{"x":0.2}',
            "score": None,
            "guideline": 1,
            "preannotated": True,
            "given": 6,
            "submitted": 9,
            "seconds": 0.0,
            "replaces": "zz",
        },
    ],
    "audit": [
        {
            "id": 1,
            "at": 1,
            "actor": "user:ann",
            "action": "x",
            "campaign": None,
            "subject": "",
            "detail": "{}",
        }
    ],
    "adjudications": [
        {
            "id": 5,
            "campaign": "c",
            "item": 3,
            "answer": '{"x":0.1}',
            "by": "command line",
            "at": 10,
            "note": "",
            "rule": "majority",
            "replaces": None,
            "answers": '["r2"]',
        },
        {
            "id": 6,
            "campaign": "c",
            "item": 3,
            "answer": '{"x":"ü"}',
            "by": "user:ann",
            "at": 11,
            "note": "neither is <right>",
            "rule": "",
            "replaces": 5,
            "answers": '["answer"]',
        },
    ],
    "verdicts": [
        {
            "item": 3,
            "rule": "majority",
            "campaign": "c",
            "answers": 1,
            "stamp": "0a",
            "line": None,
        }
    ],
    "projects": [
        {
            "id": "p",
            "owner": 7,
            "title": "Ferry",
            "created": 1,
            "changed": 2,
            "revision": 3,
            "given": 1,
            "done": 1,
            "weaving": "{}",
        }
    ],
    "project_accounts": [
        {
            "project": "p",
            "id": "a1",
            "place": 0,
            "title": "Fähre",
            "date": None,
            "source": None,
            "file": "a.txt",
            "text": "A ferry sank.",
            "words": 3,
        }
    ],
    "project_weaves": [{"project": "p", "stamp": "5", "at": 4, "length": None, "woven": "{}"}],
    "project_decisions": [{"project": "p", "number": 1, "decision": "{}"}],
    "project_findings": [{"project": "p", "key": "k", "at": 5, "value": "[]"}],
    "terms": [{"campaign": "c", "hash": "5e", "text": "Ünd *so* <i>weiter</i>.", "created": 12}],
}


def fill(database: Database) -> None:
    """Insert the rows into a database."""
    with database.writing() as connection:
        for name, rows in ROWS.items():
            for row in rows:
                connection.execute(insert(metadata.tables[name]), row)


def held(database: Database) -> dict[str, int]:
    """Return the number of rows by table."""
    with database.reading() as connection:
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in metadata.tables.items()
        }
