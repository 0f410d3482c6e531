"""Fast connections to PostgreSQL, with little overhead in Python for each statement.

psycopg's cursors build their state anew for each statement, which costs more than the statement
itself. Here a statement that a connection sees again is prepared once, and libpq runs it directly.
psycopg still converts values and rows, and runs each statement the first time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import pq
from psycopg.adapt import PyFormat, Transformer

_MAX_PREPARED = 200
"""Maximum number of queries that a connection knows, and of statements that it keeps prepared.

The oldest is dropped. A query whose values have other types is another statement."""
_MAX_CACHED_CHARACTERS = 10_000
"""Maximum length of statements that are cached; longer ones are rarely repeated."""
_PLACEHOLDER = re.compile(r"%(?:\((\w+)\)s|(%))")
_IDLE = pq.TransactionStatus.IDLE
_ROWS = pq.ExecStatus.TUPLES_OK
_DONE = pq.ExecStatus.COMMAND_OK


class _Prepared:
    """A statement that a connection has seen."""

    __slots__ = ("description", "formats", "names", "prepared_names", "text")

    def __init__(self, query: str) -> None:
        self.names: list[str] = []
        """Names of the values."""
        self.text = _PLACEHOLDER.sub(self._number, query).encode()
        self.formats = [PyFormat.AUTO] * len(self.names)
        self.prepared_names: dict[tuple[int, ...], bytes] = {}
        """Name of the prepared statement by the types of the values."""
        self.description: list[tuple[Any, ...]] | None = None

    def _number(self, placeholder: re.Match[str]) -> str:
        if placeholder[2]:
            return "%"
        if placeholder[1] not in self.names:
            self.names.append(placeholder[1])
        return f"${self.names.index(placeholder[1]) + 1}"


def connect(*arguments: Any, **options: Any) -> QuickConnection:
    """Open a connection; the arguments are psycopg's."""
    # Psycopg prepares nothing: after an error it would drop the statements prepared here as well.
    return QuickConnection.connect(*arguments, **{**options, "prepare_threshold": None})


class QuickConnection(psycopg.Connection[Any]):
    """A connection with `QuickCursor` as its default cursor.

    It belongs to one thread at a time, as the pool gives it out.
    """

    def __init__(self, pgconn: Any, row_factory: Any = psycopg.rows.tuple_row) -> None:
        super().__init__(pgconn, row_factory)
        self._known: dict[str, _Prepared | None] = {}
        self._statements: dict[bytes, tuple[_Prepared, tuple[int, ...]]] = {}
        self._count = 0
        self._transformer: Any = None
        self._single = False

    def cursor(self, *arguments: Any, **options: Any) -> Any:
        """Return a quick cursor, or psycopg's if there are arguments."""
        return super().cursor(*arguments, **options) if arguments or options else QuickCursor(self)

    @contextmanager
    def single(self) -> Iterator[None]:
        """During the block, commit each statement by itself, without a transaction."""
        self._single = True
        try:
            yield
        finally:
            self._single = False

    def end_single(self) -> None:
        """Commit what psycopg began for a single statement."""
        if self._single:
            self.commit()

    def slow_cursor(self) -> psycopg.Cursor[Any]:
        """Return a cursor of psycopg itself."""
        return super().cursor()

    def commit(self) -> None:
        """Commit; return once the changes are on disk."""
        if self.pgconn.transaction_status != _IDLE:
            self._checked(self.pgconn.exec_(b"COMMIT"))

    def rollback(self) -> None:
        """Roll back the transaction, if there is one."""
        if self.pgconn.transaction_status != _IDLE:
            super().rollback()

    def find_statement(self, query: str) -> _Prepared | None:
        """Return a statement that was seen before, and note that it was seen."""
        if query not in self._known:
            if len(query) <= _MAX_CACHED_CHARACTERS:
                if len(self._known) >= _MAX_PREPARED:
                    forgotten = self._known.pop(next(iter(self._known)))
                    for name in [*forgotten.prepared_names.values()] if forgotten else ():
                        self._drop_statement(name)
                self._known[query] = None
            return None
        statement = self._known[query]
        if statement is None:
            statement = self._known[query] = _Prepared(query)
        return statement

    def run(self, statement: _Prepared, values: dict[str, Any]) -> tuple[Any, list[Any]]:
        """Return the result of a statement, and its rows."""
        if not (self._single or self.autocommit) and self.pgconn.transaction_status == _IDLE:
            level = self.isolation_level
            named = "" if level is None else f" ISOLATION LEVEL {level.name.replace('_', ' ')}"
            self._checked(self.pgconn.exec_(f"BEGIN{named}".encode()))
        transformer = self._transformer
        if transformer is None:
            transformer = self._transformer = Transformer(self)
        ordered = [values[name] for name in statement.names]
        dumped = transformer.dump_sequence(ordered, statement.formats)
        types = transformer.types or ()
        name = statement.prepared_names.get(types)
        if name is None:
            name = self._prepare(statement, types)
        result = self._checked(self.pgconn.exec_prepared(name, dumped, transformer.formats))
        if result.status != _ROWS:
            return result, []
        transformer.set_pgresult(result)
        return result, transformer.load_rows(0, result.ntuples, tuple)

    def _prepare(self, statement: _Prepared, types: tuple[int, ...]) -> bytes:
        if len(self._statements) >= _MAX_PREPARED:
            self._drop_statement(next(iter(self._statements)))
        self._count += 1
        name = f"tatian_{self._count}".encode()
        self._checked(self.pgconn.prepare(name, statement.text, types))
        statement.prepared_names[types] = name
        self._statements[name] = statement, types
        return name

    def _drop_statement(self, name: bytes) -> None:
        statement, types = self._statements.pop(name)
        del statement.prepared_names[types]
        self._checked(self.pgconn.exec_(b"DEALLOCATE " + name))

    def _checked(self, result: Any) -> Any:
        if result.status in (_ROWS, _DONE):
            return result
        encoding = self.info.encoding
        if self.pgconn.status == pq.ConnStatus.BAD:
            raise psycopg.OperationalError(result.get_error_message(encoding))
        raise psycopg.errors.error_from_result(result, encoding)


class QuickCursor:
    """A cursor for one statement at a time, by the Python database API."""

    arraysize = 1

    def __init__(self, connection: QuickConnection) -> None:
        self.connection = connection
        self.description: Sequence[Any] | None = None
        self.rowcount = -1
        self._rows: list[Any] = []
        self._next = 0
        self._slow: psycopg.Cursor[Any] | None = None

    def execute(self, query: Any, values: Any = None, **options: Any) -> QuickCursor:
        """Run a statement."""
        statement = self.connection.find_statement(query) if type(values) is dict else None
        if statement is None or options:
            slow = self._psycopg()
            slow.execute(query, values, **options)
            self._take_over(slow)
            self.connection.end_single()
            return self
        result, self._rows = self.connection.run(statement, values)
        self._next = 0
        if result.status == _ROWS:
            if statement.description is None:
                statement.description = [
                    (result.fname(column).decode(), result.ftype(column), *[None] * 5)
                    for column in range(result.nfields)
                ]
            self.description, self.rowcount = statement.description, len(self._rows)
        else:
            counted = result.command_tuples
            self.description, self.rowcount = None, -1 if counted is None else counted
        return self

    def executemany(self, query: Any, values: Any, **options: Any) -> None:
        """Run a statement once for each set of values."""
        slow = self._psycopg()
        slow.executemany(query, values, **options)
        self._take_over(slow)

    def copy(self, statement: Any, *arguments: Any, **options: Any) -> Any:
        """Return psycopg's COPY."""
        return self._psycopg().copy(statement, *arguments, **options)

    def fetchone(self) -> Any:
        """Return the next row; None after the last."""
        if self._next >= len(self._rows):
            return None
        self._next += 1
        return self._rows[self._next - 1]

    def fetchmany(self, size: int = 0) -> list[Any]:
        """Return the next rows, at most `size`."""
        return self._taken(self._next + (size or self.arraysize))

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""
        return self._taken(len(self._rows))

    def close(self) -> None:
        """Release the rows."""
        self._rows = []
        if self._slow is not None:
            self._slow.close()

    def _taken(self, end: int) -> list[Any]:
        rows = self._rows[self._next : end]
        self._next += len(rows)
        return rows

    def _psycopg(self) -> psycopg.Cursor[Any]:
        if self._slow is None:
            self._slow = self.connection.slow_cursor()
        return self._slow

    def _take_over(self, slow: psycopg.Cursor[Any]) -> None:
        self.description, self.rowcount, self._next = slow.description, slow.rowcount, 0
        self._rows = [] if slow.description is None else slow.fetchall()
