"""The web application of the workbench, and the server that runs it."""

from __future__ import annotations

import errno
import gc
import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import uvicorn
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from tatian.errors import InputError
from tatian.hosts import LOCAL, checked_url, names_of
from tatian.limits import CONNECTIONS, DESK_JOB_SECONDS, HEADER_BYTES
from tatian.workbench.accounts import attempts, links, sessions, users
from tatian.workbench.accounts.attempts import JOINS
from tatian.workbench.campaigns import allocation, campaigns
from tatian.workbench.desk.models import NamedModels
from tatian.workbench.desk.service import Desk
from tatian.workbench.quality import queue
from tatian.workbench.storage import schema
from tatian.workbench.storage.database import Database, describe_problem, now
from tatian.workbench.storage.schema import ADDRESS_KEY, remember
from tatian.workbench.web import admin, api_advice, api_work, files, pages, sign_in
from tatian.workbench.web import desk as desk_pages
from tatian.workbench.web.errors import HANDLERS, on_bug
from tatian.workbench.web.routing import Call, Routes, mount
from tatian.workbench.web.security import Guard, protect
from tatian.workbench.web.site import LocalEntrance, Site, templates

_SHUTDOWN_SECONDS = 20
"""Seconds that open requests may take after the server is stopped."""


def serve(
    app: Starlette,
    host: str = "127.0.0.1",
    port: int = 8000,
    announce: Callable[[str], None] | None = None,
) -> None:
    """Run an application until Ctrl-C or SIGTERM; port 0 is any free port.

    `announce` is called with the sign-in address once the server listens; by default the address is
    printed to standard error.
    """
    site: Site = app.state.site
    listening = _listen(host, port)
    shown_host = f"[{host}]" if ":" in host else host
    base = site.public_url or f"http://{shown_host}:{listening.getsockname()[1]}"
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        lifespan="off",
        ws="none",
        http="h11",
        limit_concurrency=CONNECTIONS,
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    with site.database.writing() as connection:
        remember(connection, ADDRESS_KEY, base)
    if site.local:
        site.local.show = lambda path: _print(base + path)
    (announce or _print)(base + entrance_path(site))
    gc.freeze()  # Objects of the whole lifetime need no collection.
    server = uvicorn.Server(config)
    site.desk.stopping = lambda: server.should_exit
    with listening, closing(site.desk), housekeeping(site.database):
        server.run(sockets=[listening])


def entrance_path(site: Site) -> str:
    """Return the path at which to sign in.

    It is a one-time link until there is an admin with a password, and always on a local server.
    """
    if site.local:
        return site.local.path()
    with site.database.reading() as connection:
        existing = users.list_users(connection)
    if any(user.role == "admin" and user.password and not user.disabled for user in existing):
        return "/sign-in"
    return admin_link(site)


def admin_link(site: Site) -> str:
    """Return the path of a one-time link that signs the first admin in, valid for a day."""
    with site.database.writing() as connection:
        admin = users.first_admin(connection)
    return links.sign_in_path(site.secret, admin.id, now() + links.SIGN_IN_LIFETIME)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol, asyncio disables Nagle's algorithm, which delays answers by 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError, UnicodeError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        wrong_host = isinstance(error, (socket.gaierror, UnicodeError))
        wrong_host = wrong_host or getattr(error, "errno", None) == errno.EADDRNOTAVAIL
        advice = "give an address of this machine with --host"
        raise InputError(
            f"cannot listen on {host}:{port} ({reason.lower()}): "
            + (advice if wrong_host else "name another with --port")
        ) from error
    return listening


def _print(link: str) -> None:
    print(f"Sign in: {link}", file=sys.stderr, flush=True)


HOUSEKEEPING_SECONDS = 3600.0
"""Seconds between two rounds of housekeeping."""
_BATCH_PAUSE_SECONDS = 0.05
"""Seconds between two batches of housekeeping, left for requests."""
_log = logging.getLogger(__name__)


def delete_old_data(database: Database) -> None:
    """Delete old attempts, expired sessions and the rest of deleted campaigns; shorten leases."""
    with database.writing() as connection:
        attempts.delete_old_attempts(connection)
        sessions.delete_expired(connection)
    allocation.shorten_leases(database)
    campaigns.finish_deleting(database)
    database.scrub()


@contextmanager
def housekeeping(database: Database, every: float = HOUSEKEEPING_SECONDS) -> Iterator[None]:
    """Run `tidy` every `every` seconds during the block, and update the adjudication queues."""
    stopped = threading.Event()

    def run() -> None:
        while not stopped.is_set():
            try:
                delete_old_data(database)
                queue.refresh_all(database, lambda: stopped.wait(_BATCH_PAUSE_SECONDS))
            except (DBAPIError, PoolTimeout) as error:
                _log.warning("the database was not tidied: %s", describe_problem(error, database))
            stopped.wait(every)

    thread = threading.Thread(target=run, name="housekeeping", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


_MODULES = (api_work, api_advice, sign_in, pages, desk_pages, admin)
ROUTES = Routes(route for module in _MODULES for route in module.ROUTES)


def create_app(
    database: Database,
    *,
    public_url: str | None = None,
    host: str | None = None,
    behind_proxy: bool = False,
    joins: int = JOINS.most,
    desk: bool = False,
    models: NamedModels | None = None,
    job_limit: float = DESK_JOB_SECONDS,
) -> Starlette:
    """Return the web application on a database, whose tables are created if it is empty.

    - `public_url`: address for browsers (``https://annotate.example.org``); without it, only
      requests to names of this machine and to `host` are answered.
    - `behind_proxy`: trust the proxy's X-Forwarded-For and X-Forwarded-Proto.
    - `joins`: number of people who may join from one address within an hour.
    - `desk`: start at the desk, on this machine without a login.
    - `models`: language models of the desk; others can be chosen in the browser.
    - `job_limit`: seconds after which a job of the desk ends.
    """
    schema.prepare(database)
    with database.reading() as connection:
        secret = schema.secret(connection)
    url = checked_url(public_url)
    local = desk and url is None and not behind_proxy and (host or LOCAL[0]) in LOCAL
    site = Site(
        database,
        secret,
        templates(),
        url,
        names_of(url, host),
        behind_proxy,
        joins,
        Desk(database, models, job_limit),
        "/desk" if desk else "/campaigns",
        LocalEntrance(database, secret) if local else None,
    )
    app = Starlette(
        routes=[*mount(site, ROUTES), *files.mounts()],
        middleware=[Middleware(Guard, site=site)],
        exception_handlers={**HANDLERS, Exception: _bug_handler(site)},
    )
    app.state.site = site
    return app


@ROUTES.page("GET", "/health", "anyone")
def check_health(call: Call) -> Response:
    """Return 200 if the server and its database answer."""
    with call.database.reading() as connection:
        connection.execute(select(1))
    return Response(b'{"status":"ok"}', media_type="application/json")


def _bug_handler(site: Site) -> Any:
    """Return the handler of unexpected errors; it adds the headers, as `Guard` does not see it."""

    def handle(request: Request, error: Exception) -> Response:
        response = on_bug(request, error)
        protect(response.raw_headers, site.secure(request))
        return response

    return handle
