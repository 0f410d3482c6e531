"""The API for accounts: oneself, other people, and the tokens of programs."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tatian.workbench.accounts import links, tokens, users
from tatian.workbench.accounts.tokens import ApiToken
from tatian.workbench.accounts.users import Role, User
from tatian.workbench.campaigns import audit
from tatian.workbench.errors import Refused
from tatian.workbench.storage.database import now
from tatian.workbench.web import sign_in
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()

Name = Annotated[str, Meta(min_length=1, max_length=64)]
Password = Annotated[
    str, Meta(min_length=users.SHORTEST, max_length=users.LONGEST, description="In clear.")
]


class NewUser(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to let in; without a password, by a link only."""

    name: Name
    role: Role = "manager"
    password: Password | None = None
    campaigns: tuple[str, ...] = ()


class UserChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be different; the rest stays."""

    role: Role | None = None
    disabled: bool | None = None
    password: Password | None = None
    campaigns: tuple[str, ...] | None = None


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """One's own new password; the current one where there is one."""

    password: Password
    current: Annotated[str, Meta(max_length=users.LONGEST)] = ""


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token for a program."""

    label: Annotated[str, Meta(min_length=1, max_length=200)]


class MadeToken(Struct, frozen=True):
    """A new token; this is the only time that it is shown."""

    token: str
    entry: ApiToken


class SignInLink(Struct, frozen=True):
    """A link that signs somebody in once."""

    link: str
    expires: int


class Nothing(Struct, frozen=True):
    """Done; nothing to say."""


@ROUTES.add("GET", "/account", "user")
def myself(call: Call) -> User:
    """Oneself."""
    return _me(call)


@ROUTES.add("POST", "/account/password", "user", body=PasswordChange, browser=True)
def change_password(call: Call) -> Nothing:
    """Change one's own password; ends every session."""
    me, change = _me(call), call.body
    with call.database.reading() as connection:
        _, stored = users.checked(connection, me.name)
    if stored is not None and not users.matches(change.current, stored):
        raise Refused("the current password is wrong")
    with call.database.writing() as connection:
        users.set_password(connection, me, change.password)
        audit.note(connection, call.caller.actor, "user.password", subject=me.name)
    return Nothing()


@ROUTES.add("GET", "/users", "admin")
def listed(call: Call) -> list[User]:
    """Everybody who signs in."""
    with call.database.reading() as connection:
        return users.listed(connection)


@ROUTES.add("POST", "/users", "admin", body=NewUser, status=201)
def create(call: Call) -> User:
    """Let somebody in."""
    new: NewUser = call.body
    with call.database.writing() as connection:
        user = users.create(connection, new.name, new.role, new.password)
        users.set_campaigns(connection, user, new.campaigns)
        detail = {"role": new.role, "campaigns": list(new.campaigns)}
        audit.note(connection, call.caller.actor, "user.create", subject=user.name, detail=detail)
        return users.named(connection, user.name)


@ROUTES.add("PATCH", "/users/{name}", "admin", body=UserChange)
def change(call: Call) -> User:
    """Change somebody's role, password or campaigns, or shut them out."""
    changed: UserChange = call.body
    with call.database.writing() as connection:
        user = users.named(connection, call.path["name"])
        if changed.role is not None or changed.disabled is not None:
            disabled = user.disabled if changed.disabled is None else changed.disabled
            users.set_role(connection, user, changed.role or user.role, disabled)
        if changed.campaigns is not None:
            users.set_campaigns(connection, user, changed.campaigns)
        if changed.password is not None:
            users.set_password(connection, user, changed.password)
        given = ("role", "disabled", "campaigns")
        detail = {
            name: getattr(changed, name) for name in given if getattr(changed, name) is not None
        }
        audit.note(connection, call.caller.actor, "user.change", subject=user.name, detail=detail)
        return users.named(connection, user.name)


@ROUTES.add("POST", "/users/{name}/link", "admin", status=201)
def link(call: Call) -> SignInLink:
    """A link that signs somebody in once."""
    expires = now() + links.SIGN_IN_LASTS
    with call.database.writing() as connection:
        user = users.named(connection, call.path["name"])
        if user.disabled:
            raise Refused(f"'{user.name}' is disabled")
        audit.note(connection, call.caller.actor, "user.link", subject=user.name)
    return SignInLink(call.link(sign_in.link_for(call.site, user, expires)), expires)


@ROUTES.add("GET", "/tokens", "user")
def own_tokens(call: Call) -> list[ApiToken]:
    """One's own tokens."""
    with call.database.reading() as connection:
        return tokens.listed(connection, _me(call).id)


@ROUTES.add("POST", "/tokens", "user", body=NewToken, status=201, browser=True)
def create_token(call: Call) -> MadeToken:
    """A token for a program; shown only now."""
    with call.database.writing() as connection:
        token, entry = tokens.create(connection, _me(call).id, call.body.label)
        audit.note(connection, call.caller.actor, "token.create", subject=entry.id)
    return MadeToken(token, entry)


@ROUTES.add("DELETE", "/tokens/{token}", "user")
def revoke_token(call: Call) -> Nothing:
    """Make a token worthless."""
    with call.database.writing() as connection:
        tokens.revoke(connection, _me(call).id, call.path["token"])
        audit.note(connection, call.caller.actor, "token.revoke", subject=call.path["token"])
    return Nothing()


def _me(call: Call) -> User:
    assert call.caller.user is not None
    return call.caller.user
