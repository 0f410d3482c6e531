"""Authentication, permissions, and the security headers of responses."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tatian import hosts
from tatian.workbench.accounts import sessions, users
from tatian.workbench.accounts.sessions import Session
from tatian.workbench.accounts.users import User
from tatian.workbench.errors import NotFound, Refused, WorkbenchError
from tatian.workbench.web.errors import answer
from tatian.workbench.web.site import Site

Who = Literal["anyone", "annotator", "user", "manager", "admin"]
"""Role required for a URL; annotators and managers must belong to its campaign."""


class Caller(Struct, frozen=True):
    """The sender of a request, identified by a cookie."""

    user: User | None = None
    annotator: str | None = None
    """Id in the campaign of the URL."""
    session: Session | None = None

    @property
    def actor(self) -> str:
        """Name in the audit log."""
        if self.user is not None:
            return f"user:{self.user.name}"
        return f"annotator:{self.annotator}" if self.annotator else "anonymous"

    @property
    def csrf(self) -> str:
        """Token that their forms and scripts send; empty without a session."""
        return self.session.csrf if self.session else ""


def manages(user: User, campaign: str) -> bool:
    """Return True if the user runs this campaign."""
    return user.role == "admin" or campaign in user.campaigns


def allow(user: User, who: Who, campaign: str | None) -> None:
    """Raise Refused or NotFound if a user lacks a role.

    Campaigns of others are reported as missing.
    """
    if who in ("admin", "manager") and campaign is not None and not manages(user, campaign):
        raise NotFound(f"there is no campaign '{campaign}'")
    if who == "admin" and user.role != "admin":
        raise Refused("only an admin may do this")


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = [
    (name.encode(), value.encode())
    for name, value in (
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        ("cache-control", "no-store"),
    )
]
_HSTS = (b"strict-transport-security", b"max-age=31536000")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
USER, WORK, _VISIT = "tatian_session", "tatian_work", "tatian_visit"
"""Names of the cookies of users, annotators, and visitors without a session."""


class SignInNeeded(WorkbenchError, code="sign_in", status=401):
    """Nobody is signed in, or the session has expired."""


class Guard:
    """Middleware that rejects unknown Host headers and adds security headers to every response."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        secure = self.site.secure(request)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = list(message["headers"])
                protect(message["headers"], secure)
            await send(message)

        if hosts.is_for(self.site.hosts, request.headers.getlist("host")):
            await self.app(scope, receive, guarded)
        else:
            message = "unknown host name; the operator of this server can set it with --public-url"
            refusal = answer(request, 400, "bad_host", message)
            await refusal(scope, receive, guarded)


def protect(headers: list[tuple[bytes, bytes]], secure: bool) -> None:
    """Add the security headers that a response lacks."""
    present = {name for name, _ in headers}
    headers.extend(header for header in _HEADERS if header[0] not in present)
    if secure:
        headers.append(_HSTS)


def admit(
    connection: Connection, site: Site, request: Request, who: Who, campaign: str | None
) -> Caller:
    """Return the caller, identified by a cookie; raise an error if their role is not `who`."""
    if who == "anyone":
        return Caller()
    if who == "annotator":
        return find_annotator(connection, site, request, campaign or "")
    caller = find_user(connection, site, request)
    if caller is None or caller.user is None:
        raise SignInNeeded("sign in first")
    allow(caller.user, who, campaign)
    return caller


def find_user(connection: Connection, site: Site, request: Request) -> Caller | None:
    """Return the signed-in user; None if there is none."""
    session = sessions.find(connection, request.cookies.get(cookie_name(site, request, USER)))
    if session is None or session.user is None:
        return None
    user = users.find_by_id(connection, session.user)
    return None if user is None or user.disabled else Caller(user, session=session)


def find_annotator(connection: Connection, site: Site, request: Request, campaign: str) -> Caller:
    """Return the annotator of a campaign, by the cookie for that campaign."""
    cookie = request.cookies.get(cookie_name(site, request, WORK, campaign))
    session = sessions.find(connection, cookie, campaign)
    if session is not None:
        return Caller(annotator=session.annotator, session=session)
    raise SignInNeeded("open your invitation or your own link to this campaign again")


def check_origin(site: Site, request: Request) -> None:
    """Reject changes requested by pages of other sites."""
    if request.method in _SAFE:
        return
    origin = request.headers.get("origin")
    if origin is not None and origin.lower() != site.origin(request):
        raise Refused("the request comes from another site")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refused("the request comes from another site")


def check_token(request: Request, caller: Caller, token: str | None) -> None:
    """Reject changes in a session without its CSRF token."""
    if request.method in _SAFE or caller.session is None:
        return
    if token is None or not hmac.compare_digest(token.encode(), caller.session.csrf.encode()):
        raise Refused("the page is out of date: reload it and try again")


def cookie_name(site: Site, request: Request, kind: str, campaign: str = "") -> str:
    """Return the name of a cookie; annotators have one for each campaign.

    It includes the port, as browsers send cookies to all ports of a host. With https, the prefix
    ``__Host-`` prevents other hosts from setting it.
    """
    suffix = f"_{hashlib.sha256(campaign.encode()).hexdigest()[:16]}" if campaign else ""
    host_and_port = site.origin(request).partition("://")[2]
    port = hosts.split_port(host_and_port)[1][:5]
    port_part = f"-{port}" if port else ""
    prefix = "__Host-" if site.secure(request) else ""
    return f"{prefix}{kind}{port_part}{suffix}"


def own_cookies(site: Site, request: Request) -> list[tuple[str, str]]:
    """Return names and values of this server's session cookies."""
    user, work = (cookie_name(site, request, kind) for kind in (USER, WORK))
    return [
        (name, value)
        for name, value in request.cookies.items()
        if name == user or name.startswith(f"{work}_")
    ]


def set_cookie(
    site: Site,
    request: Request,
    response: Response,
    name: str,
    value: str,
    lifetime_ms: int = sessions.USER_LIFETIME,
) -> None:
    """Set an HttpOnly, SameSite cookie; an empty value removes it."""
    response.set_cookie(
        name,
        value,
        max_age=lifetime_ms // 1000 if value else 0,
        path="/",
        secure=site.secure(request),
        httponly=True,
        samesite="lax",
    )


def visitor_page(
    site: Site, request: Request, template: str, status: int, **values: Any
) -> Response:
    """Render a form for visitors without a session; its CSRF token is tied to a cookie."""
    name = cookie_name(site, request, _VISIT)
    cookie = request.cookies.get(name) or secrets.token_urlsafe(32)
    response = site.page(template, status, csrf=site.stamp("visit", cookie), **values)
    set_cookie(site, request, response, name, cookie)
    return response


def check_visit(site: Site, request: Request, fields: dict[str, Any]) -> None:
    """Reject a form whose token does not match the browser's cookie from `visitor_page`."""
    cookie = request.cookies.get(cookie_name(site, request, _VISIT), "")
    token = str(fields.get("csrf", ""))
    if not cookie or not hmac.compare_digest(
        token.encode("utf-8", "surrogatepass"), site.stamp("visit", cookie).encode()
    ):
        raise Refused("the page is out of date, or your browser blocks cookies: reload it")
