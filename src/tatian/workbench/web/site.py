"""What every request needs to know about this server."""

from __future__ import annotations

import hashlib
import hmac
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tatian.workbench.desk.room import Desk
from tatian.workbench.storage.database import Database
from tatian.workbench.web.local import LocalEntrance
from tatian.workbench.web.presentation import FILTERS


class Site(Struct, frozen=True):
    """A server: its database, its address, and what it trusts."""

    database: Database
    secret: bytes
    """Signs links and the tokens of forms that nobody has signed in for."""
    templates: Environment
    public_url: str | None
    hosts: frozenset[str]
    """Host names that requests may be for, so that no other name can be pointed at this server."""
    behind_proxy: bool
    joins: int
    """People who may join from one address within an hour."""
    desk: Desk
    home: str = "/campaigns"
    """Where those begin who have signed in."""
    local: LocalEntrance | None = None
    """Lets in whoever started the server on this machine, who needs no account."""

    def address(self, request: Request) -> str:
        """Where the person's browser is, as far as we trust what we are told."""
        if self.behind_proxy:
            # Our proxy's word is the last one of the last line: the rest is the browser's own.
            lines = request.headers.getlist("x-forwarded-for")
            forwarded = lines[-1].rpartition(",")[2].strip() if lines else ""
            if forwarded:
                return forwarded
        return request.client.host if request.client else "unknown"

    def secure(self, request: Request) -> bool:
        """Whether the browser came by https."""
        if self.public_url:
            return self.public_url.startswith("https:")
        if self.behind_proxy:
            return request.headers.get("x-forwarded-proto", "").lower() == "https"
        return request.scope.get("scheme") == "https"

    def origin(self, request: Request) -> str:
        """The scheme and host that our own pages have."""
        if self.public_url:
            return self.public_url
        scheme = "https" if self.secure(request) else "http"
        return f"{scheme}://{request.headers.get('host', 'localhost').lower()}"

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A template filled in; every value is escaped."""
        return HTMLResponse(self.templates.get_template(template).render(**values), status)

    def stamp(self, purpose: str, value: str) -> str:
        """A proof that this server has seen `value` before, for this purpose."""
        message = f"tatian {purpose}\0{value}".encode("utf-8", "surrogatepass")
        return hmac.new(self.secret, message, hashlib.sha256).hexdigest()


@cache
def templates() -> Environment:
    """Escapes everything, and fails on a name that nobody gave."""
    made = Environment(
        loader=PackageLoader("tatian.workbench.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS)
    return made
