"""Sign-in and sign-out of users, by password or one-time link, and change of passwords."""

from __future__ import annotations

from functools import partial

from starlette.responses import RedirectResponse, Response

from tatian import limits
from tatian.workbench.accounts import attempts, links, sessions, users
from tatian.workbench.accounts.users import User
from tatian.workbench.campaigns import audit
from tatian.workbench.errors import Gone, TooMany, WorkbenchError
from tatian.workbench.web import security
from tatian.workbench.web.admin.common import Form, page, redirect
from tatian.workbench.web.routing import Call, Delayed, Routes
from tatian.workbench.web.site import LOCAL_USER, LocalEntrance

ROUTES = Routes()

_LINK_HINT = "'tatian campaign user link' on the server prints one"


@ROUTES.page("GET", "/sign-in", "anyone")
def show_sign_in(call: Call) -> Response:
    """Show the form, or redirect people who are signed in."""
    with call.database.reading() as connection:
        if security.find_user(connection, call.site, call.request) is not None:
            return RedirectResponse(call.site.home, 303)
    if call.site.local:
        return _terminal_link_page(call, call.site.local)
    return _form(call, None, "", 200)


@ROUTES.page("POST", "/sign-in", "anyone")
def sign_in_by_password(call: Call) -> Response | Delayed:
    """Sign in with a name and a password; attempts are limited by name and by address."""
    name, password = call.body.get("name", "").strip().lower()[:200], call.body.get("password", "")
    try:
        with call.database.writing() as connection:
            delay = attempts.count_sign_in(connection, name, _address(call))
    except TooMany as error:
        problem = f"{str(error).capitalize()}, or open a link: {_LINK_HINT}."
        return _form(call, problem, name, 429)
    answer = partial(_check_password, call, name, password)
    return Delayed(delay, answer) if delay else answer()


def _check_password(call: Call, name: str, password: str) -> Response:
    with call.database.reading() as connection:
        user, stored = users.find_for_sign_in(connection, name)
    if not users.check_password(password, stored) or user is None:
        if user is not None:
            with call.database.writing() as connection:
                audit.note(connection, "anonymous", "user.sign_in_failed", subject=user.name)
        return _form(call, "The name or the password is wrong.", name, 401)
    return _enter(call, user, call.site.home)


def _address(call: Call) -> str:
    return attempts.client_network(call.site.address(call.request))


@ROUTES.page("GET", "/sign-in/{token}", "anyone")
def sign_in_by_link(call: Call) -> Response:
    """Sign in the first person who opens a sign-in link."""
    try:
        link = read_link(call, links.SIGN_IN)
        with call.database.writing() as connection:
            user = users.find_by_id(connection, int(link.subject))
            if user is None or user.disabled:
                raise Gone("this link is no longer valid")
            links.spend(connection, link)
    except Gone:
        if call.site.local:
            return show_sign_in(call)
        raise
    return _enter(call, user, call.site.home)


@ROUTES.page("POST", "/sign-out", "user")
def sign_out(call: Call) -> Response:
    """End the sessions of this browser, on the server too."""
    response = RedirectResponse("/sign-in", 303)
    with call.database.writing() as connection:
        for name, value in security.own_cookies(call.site, call.request):
            sessions.end(connection, value)
            security.set_cookie(call.site, call.request, response, name, "")
    return response


def read_link(call: Call, purpose: str) -> links.SignedLink:
    """Return the data of a link in the address; wrong links are rate-limited."""
    try:
        return links.read_token(call.site.secret, call.path["token"], purpose)
    except WorkbenchError:
        with call.database.writing() as connection:
            attempts.count_attempt(connection, attempts.WRONG_LINKS, _address(call))
        raise


def _enter(call: Call, user: User, address: str) -> Response:
    """Start a session, and end the browser's earlier session."""
    name = security.cookie_name(call.site, call.request, security.USER)
    local = call.site.local is not None and user.name == LOCAL_USER
    lifetime = sessions.LOCAL_USER_LIFETIME if local else sessions.USER_LIFETIME
    with call.database.writing() as connection:
        sessions.end(connection, call.request.cookies.get(name))
        cookie, _ = sessions.begin(connection, user=user.id, lasts=lifetime)
        attempts.forget_sign_in(connection, user.name, _address(call))
        audit.note(connection, f"user:{user.name}", "user.sign_in")
    response = RedirectResponse(address, 303)
    security.set_cookie(call.site, call.request, response, name, cookie, lifetime)
    return response


def _terminal_link_page(call: Call, entrance: LocalEntrance) -> Response:
    """Show the sign-in instructions of a local server to a browser without a session."""
    entrance.renew()
    text = (
        "This desk is for whoever started it. Open the newest link that 'tatian desk' has printed "
        "in its terminal. Each link works once; if it has been used, a new one is printed there."
    )
    return call.site.page("message.html", 401, title="Use the link from the terminal", text=text)


def _form(call: Call, problem: str | None, name: str, status: int) -> Response:
    values = {"title": "Sign in", "viewer": None, "notice": "", "place": "", "name": name}
    template = "admin/sign_in.html"
    return security.visitor_page(
        call.site, call.request, template, status, problem=problem, **values
    )


@ROUTES.page("GET", "/account", "user")
def show_account(call: Call) -> Response:
    """Show the page to change the password."""
    return _account(call, Form({}))


@ROUTES.page("POST", "/account/password", "user")
def set_password(call: Call) -> Response:
    """Change the password, which ends every session of the user."""
    form, me = Form(call.body), call.user
    password = form.fields.get("password", "")  # As typed, with white space.
    if not limits.PASSWORD_SHORTEST <= len(password) <= limits.PASSWORD_LONGEST:
        form.problems["password"] = f"Enter at least {limits.PASSWORD_SHORTEST} characters."
    with call.database.reading() as connection:
        _, stored = users.find_for_sign_in(connection, me.name)
    if stored is not None and not users.check_password(form.fields.get("present", ""), stored):
        form.problems["present"] = "The current password is wrong."
    if form.problems:
        return _account(call, form)
    with call.database.writing() as connection:
        users.set_password(connection, me, password)
        audit.note(connection, call.caller.actor, "user.password", None, me.name)
    return redirect("/sign-in")


def _account(call: Call, form: Form) -> Response:
    return page(
        call,
        "account.html",
        status=422 if form.problems else 200,
        has_password=call.user.password,
        problems=form.problems,
        shortest=limits.PASSWORD_SHORTEST,
    )
