"""Stored consolidations and model findings of a project."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select

import tatian
from tatian.chat import Answer
from tatian.workbench.desk import projects
from tatian.workbench.desk.projects import ProjectSource
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import project_findings, project_weaves

_ANSWER = "answer-"
"""Prefix of findings that are answers of a language model."""
_MOST_FINDINGS = 1000
"""Findings of a project that are kept, at most."""
_MOST_CONSOLIDATIONS = 4
"""Consolidations of a project that are kept, so that an earlier length is there at once."""


class StoredConsolidation(Struct, frozen=True):
    """A consolidation with the fingerprint of its sources."""

    stamp: str
    length: int | None
    woven: str
    """A `Consolidation` as JSON."""


def compute_stamp(accounts: Iterable[ProjectSource], length: int | None) -> str:
    """Return the fingerprint of sources and length that identifies their consolidation."""
    about = [(account.id, account.text, account.date, account.source) for account in accounts]
    data = msgspec.json.encode((tatian.__version__, about, length))
    return hashlib.sha256(data).hexdigest()


def find_stamp(connection: Connection, project: str, wanted: str) -> str | None:
    """Return the stamp of the consolidation to show: the wanted one, or else the newest."""
    held = select(project_weaves.c.stamp).where(project_weaves.c.project == project)
    exact = project_weaves.c.stamp == wanted
    return connection.execute(held.order_by(exact.desc(), project_weaves.c.at.desc())).scalar()


def get_consolidation(connection: Connection, project: str, stamp: str) -> str:
    """Return the consolidation with a stamp, as JSON."""
    row = (project_weaves.c.project == project) & (project_weaves.c.stamp == stamp)
    return str(connection.execute(select(project_weaves.c.woven).where(row)).scalar_one())


def last_consolidation(connection: Connection, project: str, length: int | None) -> str | None:
    """Return the newest consolidation of a length, as JSON."""
    same = project_weaves.c.length.is_not_distinct_from(length)
    held = select(project_weaves.c.woven).where(project_weaves.c.project == project, same)
    return connection.execute(held.order_by(project_weaves.c.at.desc()).limit(1)).scalar()


def store_consolidation(
    connection: Connection, project: str, stored: StoredConsolidation, title: str | None = None
) -> None:
    """Store a consolidation and delete all but the newest few; `title` is for an untitled one."""
    of = project_weaves.c.project == project
    connection.execute(delete(project_weaves).where(of, project_weaves.c.stamp == stored.stamp))
    row = {"project": project, "at": now(), **msgspec.structs.asdict(stored)}
    connection.execute(insert(project_weaves).values(row))
    newest = select(project_weaves.c.stamp).where(of).order_by(project_weaves.c.at.desc())
    old = connection.execute(newest.offset(_MOST_CONSOLIDATIONS)).scalars().all()
    connection.execute(delete(project_weaves).where(of, project_weaves.c.stamp.in_(old)))
    projects.touch(connection, project)
    if title:
        projects.set_missing_title(connection, project, title)


def get_finding(connection: Connection, project: str, key: str) -> str | None:
    """Return a finding, if there is one."""
    row = (project_findings.c.project == project) & (project_findings.c.key == key)
    return connection.execute(select(project_findings.c.value).where(row)).scalar()


def get_findings(connection: Connection, project: str, keys: Sequence[str]) -> dict[str, str]:
    """Return the findings that exist, by key."""
    wanted = select(project_findings.c.key, project_findings.c.value)
    chosen = wanted.where(project_findings.c.project == project, project_findings.c.key.in_(keys))
    return {row.key: row.value for row in connection.execute(chosen)} if keys else {}


def store_finding(connection: Connection, project: str, key: str, value: str) -> None:
    """Store a finding."""
    _store(connection, project, key, value)
    projects.touch(connection, project)


def get_answers(connection: Connection, project: str) -> dict[str, Answer]:
    """Return a language model's answers for a project, by the fingerprint of the question."""
    wanted = select(project_findings.c.key, project_findings.c.value)
    of = project_findings.c.project == project
    mine = project_findings.c.key.startswith(_ANSWER, autoescape=True)
    return {
        row.key.removeprefix(_ANSWER): msgspec.json.decode(row.value, type=Answer)
        for row in connection.execute(wanted.where(of, mine))
    }


def store_answers(connection: Connection, project: str, answers: Mapping[str, Answer]) -> None:
    """Store answers of a language model with the project, so that both are deleted together."""
    for key, answer in answers.items():
        _store(connection, project, _ANSWER + key, msgspec.json.encode(answer).decode())


def _store(connection: Connection, project: str, key: str, value: str) -> None:
    same = (project_findings.c.project == project) & (project_findings.c.key == key)
    connection.execute(delete(project_findings).where(same))
    row = {"project": project, "key": key, "at": now(), "value": value}
    connection.execute(insert(project_findings).values(row))
    of = project_findings.c.project == project
    newest = select(project_findings.c.key).where(of).order_by(project_findings.c.at.desc())
    old = connection.execute(newest.offset(_MOST_FINDINGS)).scalars().all()
    connection.execute(delete(project_findings).where(of, project_findings.c.key.in_(old)))
