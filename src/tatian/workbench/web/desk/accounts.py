"""The API of projects and their accounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from sqlalchemy import Connection

from tatian.consolidation.render import EXPORTS
from tatian.corpora.reading import headed
from tatian.limits import DESK_METADATA_CHARACTERS, DESK_TITLE_CHARACTERS, UPLOAD_BYTES
from tatian.text import Metadata
from tatian.workbench.desk import projects
from tatian.workbench.desk.mastheads import described
from tatian.workbench.desk.projects import Project, ProjectAccount, ProjectSummary, Weaving
from tatian.workbench.desk.view import WovenView
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.storage.plain import struct
from tatian.workbench.web.desk.common import (
    ONE,
    NamedFile,
    owner_of,
    project_of,
    read_upload,
    shown_of,
)
from tatian.workbench.web.routing import Call, Nothing, Routes

ROUTES = Routes()

Title = Annotated[str, Meta(max_length=DESK_TITLE_CHARACTERS)]
About = Annotated[str, Meta(max_length=DESK_METADATA_CHARACTERS)]


class NewProject(Struct, frozen=True, forbid_unknown_fields=True):
    """A project to begin."""

    title: Title = ""


class PastedAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """An account as text."""

    text: str
    title: About | None = None
    date: About | None = None
    source: About | None = None


class AccountChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be different about an account; the rest stays."""

    title: About | UnsetType | None = UNSET
    date: About | UnsetType | None = UNSET
    source: About | UnsetType | None = UNSET
    text: str | UnsetType = UNSET


class AccountOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """Every account of a project once."""

    accounts: list[str]


class AccountView(ProjectAccount, frozen=True):
    """An account of a project."""

    words: int


class AccountsView(Struct, frozen=True):
    """The accounts after a change."""

    accounts: list[AccountView]
    added: list[str]
    notes: list[str]
    """What is to be known of the files that were read."""


class ProjectsView(Struct, frozen=True):
    """Somebody's projects."""

    projects: list[ProjectSummary]


class ExportView(Struct, frozen=True):
    """A form that a text can be taken out in."""

    format: str
    label: str
    ending: str


class ProjectView(Struct, frozen=True):
    """A project with all that its page shows."""

    id: str
    title: str
    created: int
    changed: int
    accounts: list[AccountView]
    weaving: Weaving
    woven: WovenView | None
    exports: list[ExportView]


@ROUTES.add("GET", "/desk/projects", "user")
def listed(call: Call) -> ProjectsView:
    """One's projects, those changed last first."""
    with call.database.reading() as connection:
        found = projects.listed(connection, owner_of(call))
    return ProjectsView([call.site.desk.now(one) for one in found])


@ROUTES.add("POST", "/desk/projects", "user", body=NewProject, status=201)
def create(call: Call) -> ProjectView:
    """Begin a project."""
    with call.database.writing() as connection:
        made = projects.create(connection, owner_of(call), call.body.title)
    return _view(call, made.id)


@ROUTES.add("GET", ONE, "user")
def show(call: Call) -> ProjectView:
    """A project with its accounts and its text."""
    return _view(call, call.path["project"])


@ROUTES.add("PATCH", ONE, "user", body=NewProject)
def rename(call: Call) -> ProjectView:
    """Give a project another title."""
    with call.database.writing() as connection:
        projects.rename(connection, project_of(call, connection, lock=True), call.body.title)
    return _view(call, call.path["project"])


@ROUTES.add("DELETE", ONE, "user")
def remove(call: Call) -> Nothing:
    """Delete a project and everything in it."""
    with call.database.writing() as connection:
        project = project_of(call, connection, lock=True)
        projects.remove(connection, project)
    call.site.desk.forget(project)
    call.database.scrub()
    return Nothing()


@ROUTES.add(
    "POST", f"{ONE}/accounts", "user", body=bytes, query=NamedFile, status=201, limit=UPLOAD_BYTES
)
def upload(call: Call) -> AccountsView:
    """Put in what a file holds: one account, or several."""
    documents, notes = read_upload(call)
    with call.database.writing() as connection:
        added = projects.add_accounts(
            connection, project_of(call, connection, lock=True), documents
        )
    return _accounts(call, added, notes)


@ROUTES.add(
    "POST", f"{ONE}/accounts/paste", "user", body=PastedAccount, status=201, limit=UPLOAD_BYTES
)
def paste(call: Call) -> AccountsView:
    """Put in an account as text."""
    one = call.body
    about = headed(Metadata(one.title, one.date, one.source), one.text)
    told = about.title, about.date, about.source
    document = projects.account_document(one.text, *told, None)
    with call.database.writing() as connection:
        added = projects.add_accounts(
            connection, project_of(call, connection, lock=True), [document]
        )
    return _accounts(call, added)


@ROUTES.add("PATCH", f"{ONE}/accounts/{{account}}", "user", body=AccountChange, limit=UPLOAD_BYTES)
def change(call: Call) -> AccountsView:
    """Change an account, or what is known of it."""
    with call.database.writing() as connection:
        project, held = _account(call, connection)
        given = {
            name: value
            for name, value in msgspec.structs.asdict(call.body).items()
            if value is not UNSET
        }
        now = msgspec.structs.replace(held, **given)
        document = projects.account_document(now.text, now.title, now.date, now.source, now.file)
        projects.change_account(connection, project, held.id, document)
    return _accounts(call)


@ROUTES.add(
    "PUT",
    f"{ONE}/accounts/{{account}}/file",
    "user",
    body=bytes,
    query=NamedFile,
    limit=UPLOAD_BYTES,
)
def replace(call: Call) -> AccountsView:
    """Put another file in the place of an account."""
    documents, notes = read_upload(call)
    if len(documents) != 1:
        raise BadRequest(f"the file holds {len(documents)} accounts: one is to be replaced")
    with call.database.writing() as connection:
        project, held = _account(call, connection)
        projects.change_account(connection, project, held.id, described(documents[0]))
    return _accounts(call, notes=notes)


@ROUTES.add("DELETE", f"{ONE}/accounts/{{account}}", "user")
def take_out(call: Call) -> AccountsView:
    """Take an account out."""
    with call.database.writing() as connection:
        project, held = _account(call, connection)
        projects.remove_account(connection, project, held.id)
    return _accounts(call)


@ROUTES.add("PUT", f"{ONE}/accounts/order", "user", body=AccountOrder)
def order(call: Call) -> AccountsView:
    """Put the accounts in another order."""
    with call.database.writing() as connection:
        projects.order_accounts(
            connection, project_of(call, connection, lock=True), call.body.accounts
        )
    return _accounts(call)


def _account(call: Call, connection: Connection) -> tuple[Project, ProjectAccount]:
    project = project_of(call, connection, lock=True)
    for one in projects.accounts(connection, project.id):
        if one.id == call.path["account"]:
            return project, one
    raise NotFound("there is no such account")


def _accounts(call: Call, added: Sequence[str] = (), notes: Sequence[str] = ()) -> AccountsView:
    with call.database.reading() as connection:
        project = project_of(call, connection)
        held = projects.accounts(connection, project.id)
    call.site.desk.tell(project.id, "accounts")
    return AccountsView([_account_view(one) for one in held], list(added), list(notes))


def _account_view(one: ProjectAccount) -> AccountView:
    return struct(AccountView, one, words=len(one.text.split()))


def _view(call: Call, id: str) -> ProjectView:
    desk = call.site.desk
    with call.database.reading() as connection:
        project = projects.get(connection, owner_of(call), id)
        held = projects.accounts(connection, id)
        ground = desk.ground(connection, project)
        present = desk.worked(connection, ground) if ground else None
    return struct(
        ProjectView,
        project,
        accounts=[_account_view(one) for one in held],
        weaving=desk.weaving(project),
        woven=shown_of(call, present, documents=True) if present else None,
        exports=[ExportView(name, form.label, form.ending) for name, form in EXPORTS.items()],
    )
