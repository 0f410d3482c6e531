"""The whole server as one application: pages, API, files and security."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from tatian import limits
from tatian.hosts import LOCAL, checked_url, names_of
from tatian.workbench.accounts.attempts import JOINING
from tatian.workbench.desk.models import DeskModels
from tatian.workbench.desk.service import Desk
from tatian.workbench.storage import migrations
from tatian.workbench.storage.database import Database
from tatian.workbench.web import (
    admin,
    api_adjudication,
    api_help,
    api_work,
    files,
    pages,
    sign_in,
)
from tatian.workbench.web import desk as desk_pages
from tatian.workbench.web.errors import HANDLERS, on_bug
from tatian.workbench.web.local import LocalEntrance
from tatian.workbench.web.routing import Call, Routes, mount
from tatian.workbench.web.security import Guard, protect
from tatian.workbench.web.site import Site, templates

_MODULES = (api_work, api_help, api_adjudication, sign_in, pages, desk_pages, admin)
ROUTES = Routes(route for module in _MODULES for route in module.ROUTES)


def create_app(
    database: Database,
    *,
    public_url: str | None = None,
    host: str | None = None,
    behind_proxy: bool = False,
    joins: int = JOINING.most,
    desk: bool = False,
    models: DeskModels | None = None,
    job_limit: float = limits.DESK_JOB_SECONDS,
) -> Starlette:
    """Return the workbench on a database, which is upgraded first.

    - `public_url`: address for browsers (``https://annotate.example.org``); without it only names
      of this machine, and `host`, are answered.
    - `behind_proxy`: trust the proxy's X-Forwarded-For and X-Forwarded-Proto.
    - `joins`: people who may join from one address within an hour.
    - `desk`: start at the desk, on this machine without a login.
    - `models`: language models of the desk; those that it does not name are chosen in the browser.
    - `job_limit`: seconds after which a job of the desk ends.
    """
    migrations.prepare(database)
    with database.reading() as connection:
        secret = migrations.secret(connection)
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
        exception_handlers={**HANDLERS, Exception: _bug(site)},
    )
    app.state.site = site
    return app


@ROUTES.page("GET", "/health", "anyone")
def health(call: Call) -> Response:
    """Return 200 if the server and its database answer."""
    with call.database.reading() as connection:
        connection.execute(select(1))
    return Response(b'{"status":"ok"}', media_type="application/json")


def _bug(site: Site) -> Any:
    """Return the handler of bugs, which runs outside the guard and so adds its headers here."""

    def answered(request: Request, error: Exception) -> Response:
        response = on_bug(request, error)
        protect(response.raw_headers, site.secure(request))
        return response

    return answered
