"""Facts about this server that every request needs."""

from __future__ import annotations

import hashlib
import hmac
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tatian.workbench.desk.service import Desk
from tatian.workbench.storage.database import Database
from tatian.workbench.web.local import LocalEntrance
from tatian.workbench.web.presentation import FILTERS


class Site(Struct, frozen=True):
    """A server: its database, its address, and what it trusts."""

    database: Database
    secret: bytes
    """Signs links and the tokens of forms without a session."""
    templates: Environment
    public_url: str | None
    hosts: frozenset[str]
    """Host names that requests may have, so that no other name can point at this server."""
    behind_proxy: bool
    joins: int
    """People who may join from one address within an hour."""
    desk: Desk
    home: str = "/campaigns"
    """Start page after signing in."""
    local: LocalEntrance | None = None
    """Signs in the person who started the server on this machine, without a login."""

    def address(self, request: Request) -> str:
        """Return the address of the person's browser, as far as it can be trusted."""
        if self.behind_proxy:
            # Only the last entry comes from our proxy; the browser may have set the others.
            lines = request.headers.getlist("x-forwarded-for")
            forwarded = lines[-1].rpartition(",")[2].strip() if lines else ""
            if forwarded:
                return forwarded
        return request.client.host if request.client else "unknown"

    def secure(self, request: Request) -> bool:
        """Return True if the browser came by https."""
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
        """Return a proof that this server has seen `value` before, for this purpose."""
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
