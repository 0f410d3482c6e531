"""Forgets what a server need not know any longer, though nobody comes by to make it do so."""

from __future__ import annotations

import logging
import threading
from types import TracebackType

from sqlalchemy.exc import DBAPIError

from tatian.workbench.accounts import limits, sessions
from tatian.workbench.storage.database import Database

EVERY = 3600.0
"""Seconds between two rounds."""
_log = logging.getLogger(__name__)


def tidy(database: Database) -> None:
    """Delete tries that are a day old, which have addresses in them, and sessions that are over."""
    with database.writing() as connection:
        limits.purge(connection)
        sessions.purge(connection)
    database.scrub()


class Housekeeping:
    """While the block lasts, `tidy` from time to time; a database that is away is tried again."""

    def __init__(self, database: Database, every: float = EVERY) -> None:
        self._database = database
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="housekeeping", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                tidy(self._database)
            except DBAPIError as error:
                _log.warning("the database does not answer: %s", type(error).__name__)
            if self._over.wait(self._every):
                return
