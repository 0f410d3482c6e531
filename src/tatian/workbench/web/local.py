"""Sign-in on a person's own machine, where others may reach the port too."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tatian.workbench.accounts import links, users
from tatian.workbench.errors import Gone
from tatian.workbench.storage.database import Database, now

LOCAL_USER = "local"
"""Name of the user who started the server; they need no password."""


class LocalEntrance:
    """Sign-in links for the terminal in which the server was started; each works once.

    Every user of the machine can reach the port, but only one of them sees the terminal.
    """

    def __init__(self, database: Database, secret: bytes) -> None:
        self.show: Callable[[str], None] = lambda path: None
        """Called with the path of each link after the first."""
        self._database = database
        self._secret = secret
        self._lock = threading.Lock()
        self._path = ""

    def path(self) -> str:
        """Return the path of an unused link: the last one, or a new one."""
        with self._lock:
            if not self._works():
                with self._database.writing() as connection:
                    user = users.get_or_create(connection, LOCAL_USER)
                expires = now() + links.SIGN_IN_LASTS
                self._path = links.sign_in_path(self._secret, user.id, expires)
            return self._path

    def renew(self) -> None:
        """Show a new link, unless the last one still works."""
        before = self._path
        if (path := self.path()) != before:
            self.show(path)

    def _works(self) -> bool:
        token = self._path.rpartition("/")[2]
        try:
            link = links.read(self._secret, token, links.SIGN_IN) if token else None
        except Gone:
            return False
        if link is None:
            return False
        with self._database.reading() as connection:
            return not links.is_spent(connection, link)
