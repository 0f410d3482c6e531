"""Users and their roles, one's own password, and tokens for programs."""

from __future__ import annotations

from urllib.parse import quote

from msgspec import to_builtins
from starlette.responses import Response

from tatian.errors import InputError
from tatian.workbench.accounts import tokens, users
from tatian.workbench.accounts.users import Role, User
from tatian.workbench.campaigns import campaigns
from tatian.workbench.errors import BadRequest, Conflict, Refused
from tatian.workbench.web import api_users
from tatian.workbench.web.admin.common import Blank, Form, confirm, page, to, told, user
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
    new = api_users.NewUser(name, _role(form), password)
    if not form.problems:
        try:
            return to(_href(api_users.create(told(call, new))), "saved")
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
    field, changed = "role", api_users.UserChange()
    match call.body.get("do"):
        case "role":
            changed = api_users.UserChange(role=_role(form))
        case "password":
            field, changed = "password", api_users.UserChange(password=_password(form))
        case "campaigns":
            prefix = "member."
            named = [name.removeprefix(prefix) for name in form.fields if name.startswith(prefix)]
            changed = api_users.UserChange(campaigns=tuple(sorted(named)))
        case "enable":
            changed = api_users.UserChange(disabled=False)
        case "disable":
            question = f"Disable {person.name}?"
            consequence = "They are signed out at once, and their tokens stop working."
            if asking := confirm(call, question, consequence, "Disable", _href(person)):
                return asking
            changed = api_users.UserChange(disabled=True)
        case _:
            raise BadRequest("not a form that this page sent")
    if not form.problems:
        try:
            api_users.change(told(call, changed))
            return to(_href(person), "saved")
        except (InputError, Conflict, BadRequest) as error:
            form.problems[field] = _sentence(error)
    return _one(call, person, form)


@PAGES.add("POST", "/users/{name}/link", "admin")
def link(call: Call) -> Response:
    """A link that signs somebody in once, shown on their page."""
    made = api_users.link(call)
    return _one(call, _found(call), Form({}), link=made.link)


@PAGES.add("GET", "/account", "user")
def account(call: Call) -> Response:
    """One's own password and tokens."""
    return _account(call, Form({}))


@PAGES.add("POST", "/account/password", "user")
def set_password(call: Call) -> Response:
    """Change one's own password, which ends every session: sign in anew."""
    form = Form(call.body)
    change = api_users.PasswordChange(_password(form), form.fields.get("present", ""))
    if not form.problems:
        try:
            api_users.change_password(told(call, change))
            return to("/sign-in")
        except Refused as error:
            form.problems["present"] = _sentence(error)
    return _account(call, form)


@PAGES.add("POST", "/account/tokens", "user")
def add_token(call: Call) -> Response:
    """A new token, shown this once."""
    form = Form(call.body)
    label = form.text("label", most=100, required=True)
    if form.problems:
        return _account(call, form)
    made = api_users.create_token(told(call, api_users.NewToken(label)))
    return _account(call, Form({}), made.token)


@PAGES.add("POST", "/account/tokens/{token}/revoke", "user")
def revoke_token(call: Call) -> Response:
    """Make a token worthless; asks first."""
    consequence = "Programs that use it can no longer sign in. This cannot be undone."
    if asking := confirm(call, "Revoke this token?", consequence, "Revoke", "/account"):
        return asking
    api_users.revoke_token(call)
    return to("/account", "revoked")


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


def _account(call: Call, form: Form, fresh: str = "") -> Response:
    me = user(call)
    with call.database.reading() as connection:
        own = tokens.listed(connection, me.id)
    return page(
        call,
        "account.html",
        status=422 if form.problems else 200,
        has_password=me.password,
        tokens=own,
        fresh=fresh,
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
