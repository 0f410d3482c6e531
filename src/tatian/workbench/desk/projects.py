"""Database queries on projects of the desk, their sources and their decisions.

The caller opens the transaction. A project of another owner is reported as missing.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from tatian import limits
from tatian.corpora.reading import PLAIN_BLANKS
from tatian.errors import InputError
from tatian.text import Document, Metadata
from tatian.text.language import require_english
from tatian.workbench.desk.decisions import Decision, SetLength, StoredDecision
from tatian.workbench.desk.publication import add_publication
from tatian.workbench.errors import BadRequest, Conflict, NotFound
from tatian.workbench.storage.codec import UNPRINTABLE, check_text, to_struct
from tatian.workbench.storage.database import count_rows, now
from tatian.workbench.storage.tables import (
    project_accounts,
    project_decisions,
    project_findings,
    project_weaves,
    projects,
)

UNTITLED = "Untitled"
"""Title of a project until a person or the first consolidation sets one."""
_INVISIBLE = re.compile(r"\u00ad(?:\n[ \t]*)?|[\0\u200b\u2060\ufeff]")
"""Matches invisible characters; a soft hyphen includes the line end after it."""
RunStateName = Literal["idle", "waiting", "running", "cancelled", "failed", "interrupted"]


class RunState(Struct, frozen=True):
    """Progress of a consolidation, or how the last one ended."""

    state: RunStateName = "idle"
    stage: str = ""
    done: int = 0
    of: int = 0
    problem: str = ""
    place: int = 0
    """Place in the queue, from 1; 0 unless it waits."""


class ProjectSource(Struct, frozen=True):
    """A source of a project."""

    id: str
    title: str | None
    date: str | None
    source: str | None
    file: str | None
    text: str

    def document(self) -> Document:
        """Return the source as a document for consolidation."""
        about = Metadata(self.title, self.date, self.source, path=self.file)
        return Document(self.id, self.text, about)


class Project(Struct, frozen=True):
    """A project of the desk: sources of one story."""

    id: str
    owner: int
    title: str
    created: int
    changed: int
    revision: int
    done: int
    """Number of decisions in force; the ones after them are undone."""
    weaving: RunState


class ProjectSummary(Struct, frozen=True):
    """A project in a list."""

    id: str
    title: str
    created: int
    changed: int
    accounts: int
    words: int
    """Number of words in all its sources."""
    weaving: RunStateName


def create(connection: Connection, owner: int, title: str) -> Project:
    """Create a project without sources."""
    if count_rows(connection, projects, projects.c.owner == owner) >= limits.DESK_PROJECTS:
        raise BadRequest(
            f"the limit of {limits.DESK_PROJECTS} projects is reached: delete some first"
        )
    created = now()
    id = secrets.token_urlsafe(9)
    project = Project(id, owner, _title(title), created, created, 1, 0, RunState())
    row = msgspec.structs.asdict(project) | {"given": 0, "weaving": _json(project.weaving)}
    connection.execute(insert(projects).values(row))
    return project


def list_projects(connection: Connection, owner: int) -> list[ProjectSummary]:
    """List the projects of an owner, the last changed first."""
    columns = project_accounts.c
    totals = func.count().label("accounts"), func.sum(columns.words).label("words")
    counted = select(columns.project, *totals).group_by(columns.project).subquery()
    owned = (
        select(projects, counted.c.accounts, counted.c.words)
        .outerjoin(counted, counted.c.project == projects.c.id)
        .where(projects.c.owner == owner)
        .order_by(projects.c.changed.desc(), projects.c.id)
    )
    return [
        to_struct(
            ProjectSummary,
            row,
            accounts=row.accounts or 0,
            words=int(row.words or 0),
            weaving=_run_state(row).state,
        )
        for row in connection.execute(owned)
    ]


def get(connection: Connection, owner: int, id: str, *, lock: bool = False) -> Project:
    """Return a project of an owner; `lock` blocks other changes until the transaction ends."""
    query = select(projects).where(projects.c.id == id, projects.c.owner == owner)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise NotFound("there is no such project")
    return to_struct(Project, row, weaving=_run_state(row))


def exists(connection: Connection, id: str) -> bool:
    """Return True if a project exists."""
    return connection.execute(select(projects.c.id).where(projects.c.id == id)).first() is not None


def touch(connection: Connection, id: str, **changes: object) -> None:
    """Increase the revision of a project, set the time of its last change, and apply `changes`."""
    values = {"revision": projects.c.revision + 1, "changed": now(), **changes}
    connection.execute(update(projects).where(projects.c.id == id).values(values))


def rename(connection: Connection, project: Project, title: str) -> None:
    """Give a project another title."""
    touch(connection, project.id, title=_title(title))


def set_missing_title(connection: Connection, id: str, title: str) -> None:
    """Set the title of a project that is untitled."""
    untitled = (projects.c.id == id) & (projects.c.title == UNTITLED)
    named = _title(title[: limits.DESK_TITLE_CHARACTERS])
    connection.execute(update(projects).where(untitled).values(title=named))


def remove(connection: Connection, project: Project) -> None:
    """Delete a project with everything in it."""
    for table in (project_findings, project_decisions, project_weaves, project_accounts):
        connection.execute(delete(table).where(table.c.project == project.id))
    connection.execute(delete(projects).where(projects.c.id == project.id))


def store_run_state(connection: Connection, id: str, state: RunState) -> None:
    """Store the progress of a consolidation."""
    connection.execute(update(projects).where(projects.c.id == id).values(weaving=_json(state)))


def list_sources(connection: Connection, project: str) -> list[ProjectSource]:
    """List a project's sources, in order."""
    query = select(project_accounts).where(project_accounts.c.project == project)
    rows = connection.execute(query.order_by(project_accounts.c.place)).all()
    return [to_struct(ProjectSource, row) for row in rows]


def add_sources(
    connection: Connection, project: Project, documents: Sequence[Document]
) -> list[str]:
    """Append sources and return their ids."""
    in_project = project_accounts.c.project == project.id
    count = count_rows(connection, project_accounts, in_project)
    if count + len(documents) > limits.DESK_SOURCES:
        raise BadRequest(f"a project can have at most {limits.DESK_SOURCES} sources")
    query = select(projects.c.given).where(projects.c.id == project.id)
    last_number = connection.execute(query).scalar_one()
    last = connection.execute(select(func.max(project_accounts.c.place)).where(in_project)).scalar()
    rows: list[dict[str, str | int | None]] = []
    for place, document in enumerate(documents, 0 if last is None else last + 1):
        number = last_number + len(rows) + 1
        row = _source_row(add_publication(document))
        if not (row["file"] or row["title"] or row["source"]):
            row["file"] = f"pasted text {number}"
        rows.append({"project": project.id, "id": f"a{number}", "place": place, **row})
    connection.execute(insert(project_accounts), rows)
    touch(connection, project.id, given=last_number + len(rows))
    return [str(row["id"]) for row in rows]


def change_source(connection: Connection, project: Project, id: str, document: Document) -> None:
    """Replace the text or the metadata of a source."""
    change = update(project_accounts).where(_is_source(project.id, id))
    connection.execute(change.values(_source_row(document)))
    touch(connection, project.id)


def set_days(connection: Connection, project: str, days: Mapping[str, str]) -> None:
    """Set the dates of sources, by id."""
    for id, day in days.items():
        change = update(project_accounts).where(_is_source(project, id))
        connection.execute(change.values(date=day))
    touch(connection, project)


def remove_source(connection: Connection, project: Project, id: str) -> None:
    """Delete a source."""
    deletion = delete(project_accounts).where(_is_source(project.id, id))
    if not connection.execute(deletion).rowcount:
        raise NotFound("there is no such source")
    touch(connection, project.id)


def order_sources(connection: Connection, project: Project, ids: Sequence[str]) -> None:
    """Reorder the sources."""
    if sorted(ids) != sorted(account.id for account in list_sources(connection, project.id)):
        raise BadRequest("the order must name every source of the project exactly once")
    for index, id in enumerate(ids):
        change = update(project_accounts).where(_is_source(project.id, id))
        connection.execute(change.values(place=index))
    touch(connection, project.id)


def _is_source(project: str, id: str) -> ColumnElement[bool]:
    return (project_accounts.c.project == project) & (project_accounts.c.id == id)


def list_decisions(connection: Connection, project: str) -> list[StoredDecision]:
    """List all decisions in order, including those that are undone."""
    query = select(project_decisions.c.decision).where(project_decisions.c.project == project)
    rows = connection.execute(query.order_by(project_decisions.c.number)).scalars()
    return [msgspec.json.decode(row, type=StoredDecision) for row in rows]


def add_decision(
    connection: Connection, project: Project, decision: Decision, sentence_texts: dict[str, str]
) -> StoredDecision:
    """Store a decision, and delete those that are undone."""
    if project.done >= limits.DESK_DECISIONS:
        raise BadRequest(f"a project can have at most {limits.DESK_DECISIONS} decisions")
    undone = project_decisions.c.number > project.done
    in_project = project_decisions.c.project == project.id
    connection.execute(delete(project_decisions).where(in_project, undone))
    stored = StoredDecision(project.done + 1, decision, now(), sentence_texts)
    row = {"project": project.id, "number": stored.number, "decision": _json(stored)}
    connection.execute(insert(project_decisions).values(row))
    touch(connection, project.id, done=stored.number)
    return stored


def undo_or_redo(connection: Connection, project: Project, step: Literal[-1, 1]) -> None:
    """Undo the last decision in force, or redo the one that was undone last."""
    in_project = project_decisions.c.project == project.id
    total = count_rows(connection, project_decisions, in_project)
    if not 0 <= project.done + step <= total:
        raise Conflict("there is nothing to undo" if step < 0 else "there is nothing to redo")
    touch(connection, project.id, done=project.done + step)


def wanted_length(project: Project, decisions: Iterable[StoredDecision]) -> int | None:
    """Return the target length in words, set by the last decision in force about it."""
    in_force = (stored.decision for stored in decisions if stored.number <= project.done)
    lengths = [decision.words for decision in in_force if isinstance(decision, SetLength)]
    return lengths[-1] if lengths else None


def make_document(
    text: str, title: str | None, day: str | None, source: str | None, file: str | None
) -> Document:
    """Return a source as a document, with checked metadata."""
    path = _single_line(file)
    metadata = Metadata(_single_line(title), _day(day), _single_line(source), path=path)
    return Document(path or metadata.title or "the text", text, metadata)


def _source_row(document: Document) -> dict[str, str | int | None]:
    """Return a source as a row; raise an error if it has no words or is not in English."""
    metadata = document.metadata
    text = re.sub(r"\r\n?", "\n", document.text).translate(PLAIN_BLANKS)
    text = check_text(_INVISIBLE.sub("", text), "the source", limits.DESK_SOURCE_CHARACTERS)
    if not any(map(str.isalnum, text)):
        raise BadRequest("the source is empty: there are no words in it")
    require_english(document)
    return {
        "title": _single_line(metadata.title),
        "date": _day(metadata.date, strict=False),
        "source": _single_line(metadata.source),
        "file": _single_line(metadata.path),
        "text": text,
        "words": len(text.split()),
    }


def _single_line(value: str | None) -> str | None:
    """Return metadata on one line; None if empty."""
    plain = " ".join(UNPRINTABLE.sub(" ", value or "").split())
    return plain[: limits.DESK_METADATA_CHARACTERS] or None


def _day(value: str | None, *, strict: bool = True) -> str | None:
    """Return a date as ISO 8601; an invalid one is an error if `strict`, else None."""
    text = (value or "").strip()
    try:
        return date.fromisoformat(text[:10]).isoformat() if text else None
    except ValueError as error:
        if strict:
            raise BadRequest(f"'{text[:40]}' is not a date: write it as 2026-03-14") from error
        return None


def _title(value: str) -> str:
    line = " ".join(UNPRINTABLE.sub(" ", value).split())
    return check_text(line, "the title", limits.DESK_TITLE_CHARACTERS) or UNTITLED


def _run_state(row: Row[tuple[object, ...]]) -> RunState:
    return msgspec.json.decode(row.weaving, type=RunState)


def _json(value: object) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError as error:
        raise InputError("the text contains an invalid character (a lone surrogate)") from error
