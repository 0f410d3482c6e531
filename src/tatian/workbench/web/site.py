"""What every request needs to know about this server."""

from __future__ import annotations

import hashlib
import hmac
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tatian.errors import InputError
from tatian.workbench.desk.room import Desk
from tatian.workbench.storage.database import Database
from tatian.workbench.web.local import LocalEntrance
from tatian.workbench.web.presentation import FILTERS

LOCAL = ("localhost", "127.0.0.1", "::1")
"""What this machine is called by itself."""
_HOUR = 3_600_000
_PORTS = {"http": 80, "https": 443}


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
        return request.url.scheme == "https"

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


def hosts_of(public_url: str | None, host: str | None) -> frozenset[str]:
    """The names a server answers to: its public one, or else `host`; and those of this machine."""
    if public_url is not None:
        return frozenset({_parts(public_url)[1], *map(_bracketed, LOCAL)})
    return frozenset(map(_bracketed, (*LOCAL, *([host.lower()] if host else []))))


def checked_url(public_url: str | None) -> str | None:
    """The public address as browsers name it: scheme, host, and a port that is not the usual."""
    if public_url is None:
        return None
    scheme, host, port = _parts(public_url)
    usual = port is None or port == _PORTS[scheme]
    return f"{scheme}://{host}" if usual else f"{scheme}://{host}:{port}"


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


def _parts(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of an address that has nothing else."""
    wrong = InputError(f"'{url}' is no public address: give one such as https://example.org")
    try:
        parts = urlsplit(url.lower())
        host, port = _bracketed(parts.hostname or ""), parts.port
    except ValueError as error:
        raise wrong from error
    surplus = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in _PORTS or not host or surplus:
        raise wrong
    return parts.scheme, host, port


def _bracketed(host: str) -> str:
    """A host as addresses write it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
