"""Database queries on consolidations of a project and on findings: other results of models."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Column, Connection, Select, delete, insert, select

import tatian
from tatian.chat import Answer
from tatian.workbench.desk import projects
from tatian.workbench.desk.projects import ProjectSource
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import project_findings, project_weaves

_ANSWER = "answer-"
"""Prefix of the keys of findings that are answers of a language model."""
_MAX_FINDINGS = 1000
"""Maximum number of stored findings per project; the oldest are deleted."""
_MAX_CONSOLIDATIONS = 4
"""Maximum number of stored consolidations per project, such as those of other lengths."""


class StoredConsolidation(Struct, frozen=True):
    """A consolidation with the hash of its sources and length."""

    stamp: str
    """Hash by `compute_stamp`."""
    length: int | None
    woven: str
    """A `Consolidation` as JSON."""


def compute_stamp(sources: Iterable[ProjectSource], length: int | None) -> str:
    """Return a hash of sources, length and version, which identifies a consolidation."""
    fields = [(source.id, source.text, source.date, source.source) for source in sources]
    data = msgspec.json.encode((tatian.__version__, fields, length))
    return hashlib.sha256(data).hexdigest()


def find_stamp(connection: Connection, project: str, wanted: str) -> str | None:
    """Return the wanted stamp if there is such a consolidation, else that of the newest one."""
    query = select(project_weaves.c.stamp).where(project_weaves.c.project == project)
    is_wanted = project_weaves.c.stamp == wanted
    return connection.execute(query.order_by(is_wanted.desc(), project_weaves.c.at.desc())).scalar()


def get_consolidation(connection: Connection, project: str, stamp: str) -> str:
    """Return the consolidation with a stamp, as JSON."""
    return str(connection.execute(_select(project_weaves.c.woven, project, stamp)).scalar_one())


def get_time(connection: Connection, project: str, stamp: str) -> int:
    """Return when the consolidation with a stamp was stored."""
    return int(connection.execute(_select(project_weaves.c.at, project, stamp)).scalar_one())


def _select(column: Column[Any], project: str, stamp: str) -> Select[Any]:
    of_stamp = project_weaves.c.stamp == stamp
    return select(column).where(project_weaves.c.project == project, of_stamp)


def last_consolidation(connection: Connection, project: str, length: int | None) -> str | None:
    """Return the newest consolidation of a length, as JSON."""
    same_length = project_weaves.c.length.is_not_distinct_from(length)
    query = select(project_weaves.c.woven).where(project_weaves.c.project == project, same_length)
    return connection.execute(query.order_by(project_weaves.c.at.desc()).limit(1)).scalar()


def store_consolidation(
    connection: Connection, project: str, stored: StoredConsolidation, title: str | None = None
) -> None:
    """Store a consolidation and delete old ones; `title` is for an untitled project."""
    row = {"project": project, **msgspec.structs.asdict(stored)}
    _replace_row(connection, project_weaves.c.stamp, row, _MAX_CONSOLIDATIONS)
    projects.touch(connection, project)
    if title:
        projects.set_missing_title(connection, project, title)


def get_finding(connection: Connection, project: str, key: str) -> str | None:
    """Return a finding as JSON; None if there is none."""
    condition = (project_findings.c.project == project) & (project_findings.c.key == key)
    return connection.execute(select(project_findings.c.value).where(condition)).scalar()


def get_findings(connection: Connection, project: str, keys: Sequence[str]) -> dict[str, str]:
    """Return the findings that exist, by key."""
    query = select(project_findings.c.key, project_findings.c.value)
    selected = query.where(project_findings.c.project == project, project_findings.c.key.in_(keys))
    return {row.key: row.value for row in connection.execute(selected)} if keys else {}


def store_finding(connection: Connection, project: str, key: str, value: str) -> None:
    """Store a finding."""
    _store(connection, project, key, value)
    projects.touch(connection, project)


def get_answers(connection: Connection, project: str) -> dict[str, Answer]:
    """Return a language model's answers for a project, by the fingerprint of the question."""
    query = select(project_findings.c.key, project_findings.c.value)
    in_project = project_findings.c.project == project
    is_answer = project_findings.c.key.startswith(_ANSWER, autoescape=True)
    return {
        row.key.removeprefix(_ANSWER): msgspec.json.decode(row.value, type=Answer)
        for row in connection.execute(query.where(in_project, is_answer))
    }


def store_answers(connection: Connection, project: str, answers: Mapping[str, Answer]) -> None:
    """Store answers of a language model with the project, so that they are deleted with it."""
    for key, answer in answers.items():
        _store(connection, project, _ANSWER + key, msgspec.json.encode(answer).decode())


def _store(connection: Connection, project: str, key: str, value: str) -> None:
    row = {"project": project, "key": key, "value": value}
    _replace_row(connection, project_findings.c.key, row, _MAX_FINDINGS)


def _replace_row(connection: Connection, key: Column[str], row: dict[str, Any], most: int) -> None:
    """Store a row in place of one with the same key; keep only the newest `most` of its project."""
    table = key.table
    in_project = table.c.project == row["project"]
    connection.execute(delete(table).where(in_project, key == row[key.name]))
    connection.execute(insert(table).values(row | {"at": now()}))
    newest = select(key).where(in_project).order_by(table.c.at.desc())
    old = connection.execute(newest.offset(most)).scalars().all()
    connection.execute(delete(table).where(in_project, key.in_(old)))
