"""From any earlier version's database to this one's: numbered steps, each taken once, in order.

A step is SQL that is never edited once released; a change of `tables` is a new step at the end.
Each is either one text for both databases, with the names of `_NAMES` for what they spell
differently, or one text per database. All of an upgrade happens or none of it.
"""

from __future__ import annotations

import secrets

from msgspec import Struct
from sqlalchemy import Connection, insert, inspect, select, text, update

from tatian.errors import InputError
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import metadata, settings

_VERSION = "version"
_SECRET = "secret"
_LOCK = 7_083_841
"""What two servers that start at the same time on PostgreSQL wait on."""

_NAMES = {
    "sqlite": {
        "id": "INTEGER NOT NULL PRIMARY KEY",
        "ref": "INTEGER",
        "kept": "retired = 0",
    },
    "postgresql": {
        "id": "BIGSERIAL NOT NULL PRIMARY KEY",
        "ref": "BIGINT",
        "kept": "NOT retired",
    },
}


class Migration(Struct, frozen=True):
    """One step: what it is for, and its statements, separated by semicolons."""

    version: int
    why: str
    sqlite: str
    postgresql: str

    def statements(self, dialect: str) -> list[str]:
        """What one kind of database is told."""
        sql = self.sqlite if dialect == "sqlite" else self.postgresql
        for name, meaning in _NAMES[dialect].items():
            sql = sql.replace(f"{{{name}}}", meaning)
        return [statement.strip() for statement in sql.split(";") if statement.strip()]


def _both(version: int, why: str, sql: str) -> Migration:
    return Migration(version, why, sql, sql)


MIGRATIONS = (
    _both(
        1,
        "the first tables",
        """
        CREATE TABLE settings (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE users (
            id {id},
            name TEXT NOT NULL UNIQUE,
            password TEXT,
            role TEXT NOT NULL,
            created BIGINT NOT NULL,
            disabled BOOLEAN DEFAULT FALSE NOT NULL
        );
        CREATE TABLE campaigns (
            id TEXT NOT NULL PRIMARY KEY,
            task TEXT NOT NULL,
            title TEXT NOT NULL,
            settings TEXT NOT NULL,
            state TEXT NOT NULL,
            created BIGINT NOT NULL
        );
        CREATE TABLE members (
            "user" {ref} NOT NULL REFERENCES users (id),
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            PRIMARY KEY ("user", campaign)
        );
        CREATE TABLE tokens (
            hash TEXT NOT NULL PRIMARY KEY,
            "user" {ref} NOT NULL REFERENCES users (id),
            label TEXT NOT NULL,
            created BIGINT NOT NULL,
            used BIGINT
        );
        CREATE TABLE attempts (id {id}, what TEXT NOT NULL, at BIGINT NOT NULL);
        CREATE INDEX attempts_by_what ON attempts (what, at);
        CREATE TABLE guidelines (
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            version INTEGER NOT NULL,
            text TEXT NOT NULL,
            created BIGINT NOT NULL,
            PRIMARY KEY (campaign, version)
        );
        CREATE TABLE items (
            id {id},
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            key TEXT NOT NULL,
            stage INTEGER DEFAULT 0 NOT NULL,
            test BOOLEAN DEFAULT FALSE NOT NULL,
            batch INTEGER DEFAULT 0 NOT NULL,
            priority INTEGER DEFAULT 0 NOT NULL,
            position INTEGER NOT NULL,
            wanted INTEGER,
            taken INTEGER DEFAULT 0 NOT NULL,
            deadline BIGINT,
            retired BOOLEAN DEFAULT FALSE NOT NULL,
            content TEXT NOT NULL,
            gold TEXT,
            suggestion TEXT,
            UNIQUE (campaign, key)
        );
        CREATE INDEX items_next ON items (campaign, stage, test, priority DESC, position)
            WHERE {kept} AND (wanted IS NULL OR taken < wanted);
        CREATE INDEX items_in_turn ON items (campaign, stage, test, batch, priority DESC, position)
            WHERE {kept} AND (wanted IS NULL OR taken < wanted);
        CREATE TABLE invitations (
            id TEXT NOT NULL PRIMARY KEY,
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            kind TEXT NOT NULL,
            label TEXT DEFAULT '' NOT NULL,
            seats INTEGER,
            used INTEGER DEFAULT 0 NOT NULL,
            expires BIGINT,
            revoked BOOLEAN DEFAULT FALSE NOT NULL,
            created BIGINT NOT NULL
        );
        CREATE TABLE annotators (
            id TEXT NOT NULL PRIMARY KEY,
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            invitation TEXT REFERENCES invitations (id),
            external TEXT,
            name TEXT DEFAULT '' NOT NULL,
            state TEXT NOT NULL,
            stage INTEGER DEFAULT 0 NOT NULL,
            details TEXT DEFAULT '{}' NOT NULL,
            created BIGINT NOT NULL,
            seen BIGINT NOT NULL,
            UNIQUE (campaign, external)
        );
        CREATE TABLE sessions (
            hash TEXT NOT NULL PRIMARY KEY,
            "user" {ref} REFERENCES users (id),
            annotator TEXT REFERENCES annotators (id),
            csrf TEXT NOT NULL,
            created BIGINT NOT NULL,
            expires BIGINT NOT NULL
        );
        CREATE TABLE assignments (
            id {id},
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            item {ref} NOT NULL REFERENCES items (id),
            annotator TEXT NOT NULL REFERENCES annotators (id),
            state TEXT NOT NULL,
            given BIGINT NOT NULL,
            expires BIGINT NOT NULL,
            finished BIGINT,
            seed INTEGER NOT NULL,
            guideline INTEGER NOT NULL,
            preannotated BOOLEAN DEFAULT FALSE NOT NULL,
            draft TEXT,
            revision INTEGER DEFAULT 0 NOT NULL,
            UNIQUE (item, annotator)
        );
        CREATE INDEX assignments_of_people ON assignments (annotator, state);
        CREATE INDEX assignments_of_campaigns ON assignments (campaign, state);
        CREATE INDEX assignments_to_return ON assignments (state, expires);
        CREATE TABLE answers (
            id TEXT NOT NULL PRIMARY KEY,
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            item {ref} NOT NULL REFERENCES items (id),
            annotator TEXT NOT NULL REFERENCES annotators (id),
            assignment {ref} NOT NULL REFERENCES assignments (id),
            nonce TEXT NOT NULL,
            answer TEXT NOT NULL,
            score FLOAT,
            guideline INTEGER NOT NULL,
            preannotated BOOLEAN DEFAULT FALSE NOT NULL,
            given BIGINT NOT NULL,
            submitted BIGINT NOT NULL,
            seconds FLOAT NOT NULL,
            replaces TEXT UNIQUE REFERENCES answers (id),
            UNIQUE (assignment, nonce)
        );
        CREATE INDEX answers_of_items ON answers (campaign, item);
        CREATE TABLE audit (
            id {id},
            at BIGINT NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            campaign TEXT,
            subject TEXT DEFAULT '' NOT NULL,
            detail TEXT DEFAULT '{}' NOT NULL
        );
        CREATE INDEX audit_of_campaigns ON audit (campaign, id)
        """,
    ),
    _both(
        2,
        "decisions between answers that differ",
        """
        CREATE TABLE adjudications (
            id {id},
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            item {ref} NOT NULL REFERENCES items (id),
            answer TEXT NOT NULL,
            by TEXT NOT NULL,
            at BIGINT NOT NULL,
            note TEXT DEFAULT '' NOT NULL,
            rule TEXT DEFAULT '' NOT NULL,
            replaces {ref} UNIQUE REFERENCES adjudications (id)
        );
        CREATE INDEX adjudications_of_items ON adjudications (campaign, item)
        """,
    ),
    _both(
        3,
        "what people agreed to",
        """
        CREATE TABLE terms (
            campaign TEXT NOT NULL REFERENCES campaigns (id),
            hash TEXT NOT NULL,
            text TEXT NOT NULL,
            created BIGINT NOT NULL,
            PRIMARY KEY (campaign, hash)
        )
        """,
    ),
    _both(
        4,
        "the answers that decisions were made of",
        "ALTER TABLE adjudications ADD COLUMN answers TEXT",
    ),
)
VERSION = MIGRATIONS[-1].version
"""Of the schema that this program works with."""


def prepare(database: Database, *, version: int = VERSION) -> None:
    """Create the tables, or upgrade them to `version`; nothing to do where they are that already.

    InputError where a newer program made them: an old one would spoil what it does not know.
    """
    with database.writing() as connection:
        if not database.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        found = stored_version(connection)
        if found > VERSION:
            raise InputError(
                f"the database is of a newer version ({found}; this program knows up to "
                f"{VERSION}): upgrade tatian, or restore a backup into another database"
            )
        for migration in MIGRATIONS:
            if found < migration.version <= version:
                _take(connection, migration)


def stored_version(connection: Connection) -> int:
    """The version of a database's schema; 0 where there is nothing yet.

    InputError where there are tables that are not the workbench's.
    """
    names = set(inspect(connection).get_table_names())
    if settings.name in names:
        found = connection.execute(select(settings.c.value).where(settings.c.key == _VERSION))
        value = found.scalar()
        if value is not None and value.isdecimal():
            return int(value)
    elif not names & set(metadata.tables):
        return 0
    raise InputError(
        "the database holds tables of the same names that are not the workbench's: use another"
    )


def secret(connection: Connection) -> bytes:
    """The key that signs this server's links; made with the database, and backed up with it."""
    found = connection.execute(select(settings.c.value).where(settings.c.key == _SECRET)).scalar()
    if found is None:
        raise InputError("the database has lost its secret: restore it from a backup")
    return bytes.fromhex(found)


def _take(connection: Connection, migration: Migration) -> None:
    for statement in migration.statements(connection.dialect.name):
        connection.exec_driver_sql(statement)
    if migration.version == 1:
        first = {_VERSION: "1", _SECRET: secrets.token_hex(32)}
        rows = [{"key": key, "value": value} for key, value in first.items()]
        connection.execute(insert(settings), rows)
        return
    connection.execute(
        update(settings).where(settings.c.key == _VERSION).values(value=str(migration.version))
    )
