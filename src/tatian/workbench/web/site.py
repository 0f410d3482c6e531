"""Configuration of the server that every request needs, and sign-in on a local server."""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tatian.workbench.accounts import links, users
from tatian.workbench.desk.service import Desk
from tatian.workbench.errors import Gone
from tatian.workbench.storage.database import Database, now
from tatian.workbench.web.presentation import FILTERS


class Site(Struct, frozen=True):
    """A server: its database, its URL, and its trusted hosts."""

    database: Database
    secret: bytes
    """Key that signs links and the tokens of forms without a session."""
    templates: Environment
    public_url: str | None
    hosts: frozenset[str]
    """Host names that requests may have, so that no other name can point at this server."""
    behind_proxy: bool
    joins: int
    """Number of people who may join from one IP address within an hour."""
    desk: Desk
    home: str = "/campaigns"
    """Start page after signing in."""
    local: LocalEntrance | None = None
    """Signs in the person who started the server on this machine, without a login."""

    def address(self, request: Request) -> str:
        """Return the browser's IP address, as far as it can be trusted."""
        if self.behind_proxy:
            # Only the last entry comes from our proxy; the browser may have set the others.
            lines = request.headers.getlist("x-forwarded-for")
            forwarded = lines[-1].rpartition(",")[2].strip() if lines else ""
            if forwarded:
                return forwarded
        return request.client.host if request.client else "unknown"

    def secure(self, request: Request) -> bool:
        """Return True if the browser uses https."""
        if self.public_url:
            return self.public_url.startswith("https:")
        if self.behind_proxy:
            return request.headers.get("x-forwarded-proto", "").lower() == "https"
        return request.scope.get("scheme") == "https"

    def origin(self, request: Request) -> str:
        """Return scheme and host of our own pages."""
        if self.public_url:
            return self.public_url
        scheme = "https" if self.secure(request) else "http"
        return f"{scheme}://{request.headers.get('host', 'localhost').lower()}"

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """Render a template; every value is escaped."""
        return HTMLResponse(self.templates.get_template(template).render(**values), status)

    def stamp(self, purpose: str, value: str) -> str:
        """Return a signature of `value` for this purpose."""
        message = f"tatian {purpose}\0{value}".encode("utf-8", "surrogatepass")
        return hmac.new(self.secret, message, hashlib.sha256).hexdigest()


@cache
def templates() -> Environment:
    """Return templates that escape everything and fail on missing names."""
    environment = Environment(
        loader=PackageLoader("tatian.workbench.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment


LOCAL_USER = "local"
"""Name of the user who started the server; they need no password."""


class LocalEntrance:
    """One-time sign-in links, which are shown in the terminal of the server.

    All users of the machine can reach the port, but only one of them sees the terminal.
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
                expires = now() + links.SIGN_IN_LIFETIME
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
            link = links.read_token(self._secret, token, links.SIGN_IN) if token else None
        except Gone:
            return False
        if link is None:
            return False
        with self._database.reading() as connection:
            return not links.is_spent(connection, link)
