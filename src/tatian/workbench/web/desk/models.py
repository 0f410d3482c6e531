"""API for the desk's language models: those in use, and those that run on this machine."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from tatian.chat.endpoint import ModelServer, find_servers
from tatian.chat.local import missing_local
from tatian.consolidation.verification.verdict import LOCAL, SMALL
from tatian.errors import InputError
from tatian.hosts import LOCAL as THIS_MACHINE
from tatian.workbench.campaigns import audit
from tatian.workbench.desk.models import DeskModels, NamedModels, check_models
from tatian.workbench.errors import BadRequest, Refused
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
Use = Literal["writer", "editor", "judge"]


class ModelsView(Struct, frozen=True):
    """Language models of the desk."""

    writer: str
    editor: str
    judge: str
    fixed: list[Use]
    """Uses whose model is set on the command line."""
    judges: list[str]
    """Judges that need no server."""
    elsewhere: list[str]
    """Chosen addresses that are not on this machine."""
    may_change: bool


@ROUTES.add("GET", "/desk/models", "user")
def get_models(call: Call) -> ModelsView:
    """Return the language models of the desk."""
    return _view(call)


@ROUTES.add("PUT", "/desk/models", "user", body=DeskModels)
def choose_models(call: Call) -> ModelsView:
    """Choose other language models; nothing is sent to them yet."""
    _check_may_change(call)
    desk, chosen = call.site.desk, call.body
    for use in _list_fixed(desk.command_line):
        if getattr(chosen, use) != getattr(desk.command_line, use):
            raise BadRequest(f"the {use} is set by --{use}: start the desk without it")
    try:
        check_models(chosen, files=desk.command_line.places)
    except InputError as error:
        raise BadRequest(str(error)) from error
    desk.choose_models(chosen)
    if call.site.local is None:
        with call.database.writing() as connection:
            audit.note(connection, call.caller.actor, "desk.models")
    return _view(call)


@ROUTES.add("GET", "/desk/models/servers", "user")
def list_servers(call: Call) -> list[ModelServer]:
    """Return the servers that listen on this machine, as `tatian doctor` does."""
    _check_may_change(call)
    return list(find_servers())


def _may_change(call: Call) -> bool:
    """Return True on a local desk, and for administrators of a shared desk."""
    return call.site.local is not None or call.user.role == "admin"


def _check_may_change(call: Call) -> None:
    if not _may_change(call):
        raise Refused("only an admin may choose the language models of a shared desk")


def _list_fixed(named: NamedModels) -> list[Use]:
    text: list[Use] = ["writer", "editor"] if named.text_model else []
    return [*text, "judge"] if named.judge is not None else text


def _view(call: Call) -> ModelsView:
    desk = call.site.desk
    chosen = desk.language_models
    return ModelsView(
        chosen.writer,
        chosen.editor,
        chosen.judge,
        _list_fixed(desk.command_line),
        [SMALL] if missing_local("judge") else [SMALL, LOCAL],
        [
            address
            for address in (chosen.text_model, chosen.judge)
            if "://" in address and urlsplit(address).hostname not in THIS_MACHINE
        ],
        _may_change(call),
    )
