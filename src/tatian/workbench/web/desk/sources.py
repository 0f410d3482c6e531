"""API of projects and their sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from sqlalchemy import Connection

from tatian.consolidation.render import EXPORTS
from tatian.corpora.reading import add_heading
from tatian.limits import DESK_METADATA_CHARACTERS, DESK_TITLE_CHARACTERS, UPLOAD_BYTES
from tatian.text import Metadata
from tatian.workbench.desk import projects
from tatian.workbench.desk.projects import Project, ProjectSource, ProjectSummary, RunState
from tatian.workbench.desk.publication import add_publication
from tatian.workbench.desk.view import TextView
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.storage.codec import to_struct
from tatian.workbench.web.desk.common import PATH, NamedFile, project_of, read_upload, view_of
from tatian.workbench.web.routing import Call, Nothing, Routes

ROUTES = Routes()

Title = Annotated[str, Meta(max_length=DESK_TITLE_CHARACTERS)]
About = Annotated[str, Meta(max_length=DESK_METADATA_CHARACTERS)]


class NewProject(Struct, frozen=True, forbid_unknown_fields=True):
    """A new project."""

    title: Title = ""


class PastedSource(Struct, frozen=True, forbid_unknown_fields=True):
    """A source as text."""

    text: str
    title: About | None = None
    date: About | None = None
    source: About | None = None


class SourceChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to a source; other fields are kept."""

    title: About | UnsetType | None = UNSET
    date: About | UnsetType | None = UNSET
    source: About | UnsetType | None = UNSET
    text: str | UnsetType = UNSET


class SourceOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """All sources of a project, each once."""

    accounts: list[str]


class SourceView(ProjectSource, frozen=True):
    """A source of a project."""

    words: int


class SourcesView(Struct, frozen=True):
    """Sources after a change."""

    accounts: list[SourceView]
    added: list[str]
    notes: list[str]
    """Notes on the files that were read."""


class ExportView(Struct, frozen=True):
    """An export format of a text."""

    format: str
    label: str
    ending: str


class ProjectView(Struct, frozen=True):
    """A project with everything that its page shows."""

    id: str
    title: str
    created: int
    changed: int
    accounts: list[SourceView]
    weaving: RunState
    woven: TextView | None
    exports: list[ExportView]


@ROUTES.add("GET", "/desk/projects", "user")
def list_projects(call: Call) -> list[ProjectSummary]:
    """List the user's projects, the last changed first."""
    with call.database.reading() as connection:
        summaries = projects.list_projects(connection, call.user.id)
    return [call.site.desk.with_progress(summary) for summary in summaries]


@ROUTES.add("POST", "/desk/projects", "user", body=NewProject, status=201)
def create_project(call: Call) -> ProjectView:
    """Create a project."""
    with call.database.writing() as connection:
        project = projects.create(connection, call.user.id, call.body.title)
    return _project_view(call, project.id)


@ROUTES.add("GET", PATH, "user")
def get_project(call: Call) -> ProjectView:
    """Return a project with its sources and its text."""
    return _project_view(call, call.path["project"])


@ROUTES.add("PATCH", PATH, "user", body=NewProject)
def rename_project(call: Call) -> ProjectView:
    """Rename a project."""
    with call.database.writing() as connection:
        projects.rename(connection, project_of(call, connection, lock=True), call.body.title)
    return _project_view(call, call.path["project"])


@ROUTES.add("DELETE", PATH, "user")
def delete_project(call: Call) -> Nothing:
    """Delete a project with everything in it."""
    with call.database.writing() as connection:
        project = project_of(call, connection, lock=True)
        projects.remove(connection, project)
    call.site.desk.forget(project)
    call.database.scrub()
    return Nothing()


@ROUTES.add(
    "POST", f"{PATH}/accounts", "user", body=bytes, query=NamedFile, status=201, limit=UPLOAD_BYTES
)
def upload_source(call: Call) -> SourcesView:
    """Add the sources in a file: one or several."""
    documents, notes = read_upload(call)
    with call.database.writing() as connection:
        added = projects.add_sources(connection, project_of(call, connection, lock=True), documents)
    return _sources_view(call, added, notes)


@ROUTES.add(
    "POST", f"{PATH}/accounts/paste", "user", body=PastedSource, status=201, limit=UPLOAD_BYTES
)
def paste_source(call: Call) -> SourcesView:
    """Add a source as text."""
    pasted = call.body
    metadata = add_heading(Metadata(pasted.title, pasted.date, pasted.source), pasted.text)
    fields = metadata.title, metadata.date, metadata.source
    document = projects.make_document(pasted.text, *fields, None)
    with call.database.writing() as connection:
        added = projects.add_sources(
            connection, project_of(call, connection, lock=True), [document]
        )
    return _sources_view(call, added)


@ROUTES.add("PATCH", f"{PATH}/accounts/{{account}}", "user", body=SourceChange, limit=UPLOAD_BYTES)
def change_source(call: Call) -> SourcesView:
    """Change a source or its metadata."""
    with call.database.writing() as connection:
        project, source = _find_source(call, connection)
        changes = {
            name: value
            for name, value in msgspec.structs.asdict(call.body).items()
            if value is not UNSET
        }
        new = msgspec.structs.replace(source, **changes)
        document = projects.make_document(new.text, new.title, new.date, new.source, new.file)
        projects.change_source(connection, project, source.id, document)
    return _sources_view(call)


@ROUTES.add(
    "PUT",
    f"{PATH}/accounts/{{account}}/file",
    "user",
    body=bytes,
    query=NamedFile,
    limit=UPLOAD_BYTES,
)
def replace_source(call: Call) -> SourcesView:
    """Replace a source by another file."""
    documents, notes = read_upload(call)
    if len(documents) != 1:
        raise BadRequest(f"the file contains {len(documents)} sources: upload a file with one")
    with call.database.writing() as connection:
        project, source = _find_source(call, connection)
        projects.change_source(connection, project, source.id, add_publication(documents[0]))
    return _sources_view(call, notes=notes)


@ROUTES.add("DELETE", f"{PATH}/accounts/{{account}}", "user")
def delete_source(call: Call) -> SourcesView:
    """Delete a source."""
    with call.database.writing() as connection:
        project, source = _find_source(call, connection)
        projects.remove_source(connection, project, source.id)
    return _sources_view(call)


@ROUTES.add("PUT", f"{PATH}/accounts/order", "user", body=SourceOrder)
def order_sources(call: Call) -> SourcesView:
    """Reorder the sources."""
    with call.database.writing() as connection:
        projects.order_sources(
            connection, project_of(call, connection, lock=True), call.body.accounts
        )
    return _sources_view(call)


def _find_source(call: Call, connection: Connection) -> tuple[Project, ProjectSource]:
    project = project_of(call, connection, lock=True)
    for source in projects.list_sources(connection, project.id):
        if source.id == call.path["account"]:
            return project, source
    raise NotFound("there is no such source")


def _sources_view(call: Call, added: Sequence[str] = (), notes: Sequence[str] = ()) -> SourcesView:
    with call.database.reading() as connection:
        project = project_of(call, connection)
        sources = projects.list_sources(connection, project.id)
    call.site.desk.send_event(project.id, "accounts")
    return SourcesView([_source_view(source) for source in sources], list(added), list(notes))


def _source_view(source: ProjectSource) -> SourceView:
    return to_struct(SourceView, source, words=len(source.text.split()))


def _project_view(call: Call, id: str) -> ProjectView:
    desk = call.site.desk
    with call.database.reading() as connection:
        project = projects.get(connection, call.user.id, id)
        sources = projects.list_sources(connection, id)
        inputs = desk.load_inputs(connection, project)
        edited = desk.apply_decisions(connection, inputs) if inputs else None
    return to_struct(
        ProjectView,
        project,
        accounts=[_source_view(account) for account in sources],
        weaving=desk.run_state(project),
        woven=view_of(call, edited, documents=True) if edited else None,
        exports=[ExportView(name, form.label, form.ending) for name, form in EXPORTS.items()],
    )
