"""What every request needs to know about this server, and what waits on it between requests."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import shutil
import threading
import weakref
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct, field
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tatian.errors import InputError, TatianError
from tatian.workbench.campaigns import audit, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.desk.room import Desk
from tatian.workbench.errors import NotFound
from tatian.workbench.storage.database import Database, now
from tatian.workbench.tasks import tasks

LOCAL = ("localhost", "127.0.0.1", "::1")
"""What this machine is called by itself."""
_HOUR = 3_600_000
_PORTS = {"http": 80, "https": 443}


class Suggesting:
    """The campaigns of one server that a model is at work on: each once at a time.

    What goes wrong while nobody waits is told in the audit log.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: set[str] = set()

    def begin(self, database: Database, campaign: Campaign, actor: str) -> BackgroundTask | None:
        """The work to do once the answer is out; None where it is under way already."""
        with self._lock:
            if campaign.id in self._under_way:
                return None
            self._under_way.add(campaign.id)
        return BackgroundTask(self._work, database, campaign, actor)

    def under_way(self, campaign: Campaign) -> bool:
        """Whether a model is at work on a campaign."""
        with self._lock:
            return campaign.id in self._under_way

    def _work(self, database: Database, campaign: Campaign, actor: str) -> None:
        try:
            items.suggest(database, campaign, tasks.create(campaign.task), actor)
        except TatianError as error:
            detail = {"problem": str(error)[:500]}
            with database.writing() as connection:
                audit.note(connection, actor, "items.suggest_failed", campaign.id, "", detail)
        finally:
            with self._lock:
                self._under_way.discard(campaign.id)


class Upload(Struct, frozen=True):
    """A file, and what it is called where it came from."""

    name: str
    data: bytes


class _Waiting(Struct, frozen=True):
    user: str
    campaign: str
    name: str
    at: int


class Uploads:
    """What waits between a form and its preview; of one person only the latest few."""

    def __init__(self, *, each: int = 3) -> None:
        self._each = each
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._waiting: dict[str, _Waiting] = {}

    def keep(self, user: str, campaign: str, upload: Upload) -> str:
        """Put a file aside; the token brings it back."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            mine = [key for key, one in self._waiting.items() if one.user == user]
            late = [key for key, one in self._waiting.items() if one.at < now() - _HOUR]
            for key in {*late, *mine[: max(0, len(mine) - self._each + 1)]}:
                self._forget(key)
            if self._folder is None:
                self._folder = Path(mkdtemp(prefix="tatian-uploads-"))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._file(token).write_bytes(upload.data)
            self._waiting[token] = _Waiting(user, campaign, upload.name, now())
        return token

    def get(self, user: str, campaign: str, token: str) -> Upload:
        """The file behind a token, for whoever sent it and the campaign they sent it to."""
        with self._lock:
            found = self._waiting.get(token)
            mine = found is not None and (found.user, found.campaign) == (user, campaign)
            if found is None or not mine or not self._file(token).exists():
                raise NotFound("this file is no longer waiting: send it again")
            return Upload(found.name, self._file(token).read_bytes())

    def drop(self, token: str) -> None:
        """Forget a file that has been imported."""
        with self._lock:
            if token in self._waiting:
                self._forget(token)

    def _forget(self, token: str) -> None:
        del self._waiting[token]
        self._file(token).unlink(missing_ok=True)

    def _file(self, token: str) -> Path:
        assert self._folder is not None
        return self._folder / token


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
    local: bool = False
    """Whether whoever comes is at this machine and needs no account."""
    suggesting: Suggesting = field(default_factory=Suggesting)
    uploads: Uploads = field(default_factory=Uploads)

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
    return Environment(
        loader=PackageLoader("tatian.workbench.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


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
