"""Users and their roles, and one's own password."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from msgspec import to_builtins
from starlette.responses import Response

from tatian.errors import InputError
from tatian.workbench.accounts import links, users
from tatian.workbench.accounts.users import Role, User
from tatian.workbench.campaigns import audit, campaigns
from tatian.workbench.errors import BadRequest, Conflict, Refused
from tatian.workbench.storage.database import now
from tatian.workbench.web import sign_in
from tatian.workbench.web.admin.common import Blank, Form, confirm, page, to, user
from tatian.workbench.web.routing import Call, Pages

PAGES = Pages()

_ROLES = ("manager", "admin")


@PAGES.add("GET", "/users", "admin")
def everybody(call: Call) -> Response:
    """All users, and a form for a new one."""
    return _everybody(call, Form({}))


@PAGES.add("POST", "/users", "admin")
def add(call: Call) -> Response:
    """Let somebody in, and go on to their campaigns; without a password, by a link."""
    form = Form(call.body)
    name = form.text("name", most=64, required=True)
    password = _password(form) if form.fields.get("password") else None
    role = _role(form)
    if not form.problems:
        try:
            with call.database.writing() as connection:
                made = users.create(connection, name, role, password)
                audit.note(
                    connection, call.caller.actor, "user.create", None, made.name, {"role": role}
                )
            return to(_href(made), "saved")
        except (InputError, Conflict, BadRequest) as error:
            form.problems["name"] = _sentence(error)
    return _everybody(call, form)


@PAGES.add("GET", "/users/{name}", "admin")
def one(call: Call) -> Response:
    """Somebody's role, campaigns, password and access."""
    return _one(call, _found(call), Form({}))


@PAGES.add("POST", "/users/{name}", "admin")
def change(call: Call) -> Response:
    """Change one of these; shutting somebody out asks first."""
    person, form = _found(call), Form(call.body)
    field, detail, password = "role", dict[str, Any](), None
    match call.body.get("do"):
        case "role":
            detail = {"role": _role(form)}
        case "password":
            field, password = "password", _password(form)
        case "campaigns":
            prefix = "member."
            named = [name.removeprefix(prefix) for name in form.fields if name.startswith(prefix)]
            detail = {"campaigns": sorted(named)}
        case "enable":
            detail = {"disabled": False}
        case "disable":
            question = f"Disable {person.name}?"
            consequence = "They are signed out at once."
            if asking := confirm(call, question, consequence, "Disable", _href(person)):
                return asking
            detail = {"disabled": True}
        case _:
            raise BadRequest("not a form that this page sent")
    if not form.problems:
        try:
            with call.database.writing() as connection:
                if "campaigns" in detail:
                    users.set_campaigns(connection, person, detail["campaigns"])
                elif password is not None:
                    users.set_password(connection, person, password)
                else:
                    role, off = detail.get("role", person.role), detail.get("disabled")
                    users.set_role(
                        connection, person, role, person.disabled if off is None else off
                    )
                by = call.caller.actor
                audit.note(connection, by, "user.change", None, person.name, detail)
            return to(_href(person), "saved")
        except (InputError, Conflict, BadRequest) as error:
            form.problems[field] = _sentence(error)
    return _one(call, person, form)


@PAGES.add("POST", "/users/{name}/link", "admin")
def link(call: Call) -> Response:
    """A link that signs somebody in once, shown on their page."""
    person = _found(call)
    if person.disabled:
        raise Refused(f"'{person.name}' is disabled")
    with call.database.writing() as connection:
        audit.note(connection, call.caller.actor, "user.link", None, person.name)
    path = sign_in.link_for(call.site, person, now() + links.SIGN_IN_LASTS)
    return _one(call, person, Form({}), link=call.link(path))


@PAGES.add("GET", "/account", "user")
def account(call: Call) -> Response:
    """One's own password."""
    return _account(call, Form({}))


@PAGES.add("POST", "/account/password", "user")
def set_password(call: Call) -> Response:
    """Change one's own password, which ends every session: sign in anew."""
    form = Form(call.body)
    password, me = _password(form), user(call)
    with call.database.reading() as connection:
        _, stored = users.checked(connection, me.name)
    if stored is not None and not users.matches(form.fields.get("present", ""), stored):
        form.problems["present"] = "The current password is wrong."
    if form.problems:
        return _account(call, form)
    with call.database.writing() as connection:
        users.set_password(connection, me, password)
        audit.note(connection, call.caller.actor, "user.password", None, me.name)
    return to("/sign-in")


def _everybody(call: Call, form: Form) -> Response:
    with call.database.reading() as connection:
        found = users.listed(connection)
    return page(
        call,
        "users.html",
        status=422 if form.problems else 200,
        users=[{**to_builtins(person), "href": _href(person)} for person in found],
        problems=form.problems,
        values=Blank(form.fields),
        shortest=users.SHORTEST,
    )


def _one(call: Call, person: User, form: Form, link: str = "") -> Response:
    with call.database.reading() as connection:
        known = campaigns.listed(connection)
    return page(
        call,
        "user.html",
        status=422 if form.problems else 200,
        user={**to_builtins(person), "href": _href(person)},
        campaigns=known,
        problems=form.problems,
        link=link,
        shortest=users.SHORTEST,
    )


def _account(call: Call, form: Form) -> Response:
    return page(
        call,
        "account.html",
        status=422 if form.problems else 200,
        has_password=user(call).password,
        problems=form.problems,
        shortest=users.SHORTEST,
    )


def _found(call: Call) -> User:
    with call.database.reading() as connection:
        return users.named(connection, call.path["name"])


def _password(form: Form) -> str:
    """A password as it was typed, blanks and all."""
    value = form.fields.get("password", "")
    if not users.SHORTEST <= len(value) <= users.LONGEST:
        form.problems["password"] = f"At least {users.SHORTEST} characters, please."
    return value


def _role(form: Form) -> Role:
    return "admin" if form.choice("role", _ROLES, "manager") == "admin" else "manager"


def _href(person: User) -> str:
    return f"/users/{quote(person.name, safe='')}"


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
