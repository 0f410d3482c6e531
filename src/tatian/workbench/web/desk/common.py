"""Common parts of the desk's API: the project in the URL, and its current text."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy import Connection

from tatian import limits
from tatian.corpora.reading import read_bytes
from tatian.errors import TatianError
from tatian.text import Document
from tatian.workbench.desk import projects
from tatian.workbench.desk.projects import Project
from tatian.workbench.desk.state import ProjectInputs, ProjectState
from tatian.workbench.desk.view import TextView, build_text_view
from tatian.workbench.errors import BadRequest, Conflict
from tatian.workbench.web.routing import Call

PATH = "/desk/projects/{project}"


def project_of(call: Call, connection: Connection, *, lock: bool = False) -> Project:
    """Return the user's project in the URL."""
    return projects.get(connection, call.user.id, call.path["project"], lock=lock)


def inputs_of(call: Call, connection: Connection, *, lock: bool = False) -> ProjectInputs:
    """Return the inputs of the text of the project in the URL."""
    project = project_of(call, connection, lock=lock)
    inputs = call.site.desk.load_inputs(connection, project)
    if inputs is None:
        raise Conflict("there is no text yet: consolidate the sources first")
    return inputs


def state_of(call: Call, connection: Connection) -> ProjectState:
    """Return the project in the URL with its text."""
    return call.site.desk.apply_decisions(connection, inputs_of(call, connection))


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """Revision that the page shows; unchanged parts are left out."""

    seen: Annotated[int, Meta(ge=0)] | None = None


class NamedFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Original name of a file."""

    name: Annotated[str, Meta(min_length=1, max_length=limits.DESK_METADATA_CHARACTERS)]


def read_upload(call: Call) -> tuple[list[Document], list[str]]:
    """Read the texts of an uploaded file; return them with notes."""
    notes: list[str] = []
    try:
        documents = read_bytes(
            call.body, call.query.name, warn=notes.append, wanted=lambda: not call.is_disconnected()
        )
    except TatianError as error:
        raise BadRequest(str(error)) from error
    return documents, notes


def view_of(call: Call, state: ProjectState, *, documents: bool = False) -> TextView:
    """Return the text as pages show it, and verify the sentences that a person typed."""
    call.site.desk.verify_typed(state)
    seen = call.query.seen if isinstance(call.query, Seen) else None
    return build_text_view(call.site.desk, state, documents=documents, seen=seen)
