"""What was made of a project, in the database: woven texts, and what models found out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select

import tatian
from tatian.chat import Answer
from tatian.workbench.desk import projects
from tatian.workbench.desk.projects import ProjectAccount
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import project_findings, project_weaves

_ANSWER = "answer-"
"""Begins the keys of findings that are answers of a language model."""
_FOUND = 1000
"""Findings of one project that are kept."""
_KEPT = 4
"""Weaves of one project that are kept, so that a length that was tried is there again at once."""


class StoredWeave(Struct, frozen=True):
    """What was woven, and of what."""

    stamp: str
    length: int | None
    woven: str
    """A `Consolidation` as JSON."""


def stamp(held: Iterable[ProjectAccount], length: int | None) -> str:
    """What tells a weave of these accounts from any other."""
    about = [(one.id, one.text, one.date, one.source) for one in held]
    data = msgspec.json.encode((tatian.__version__, about, length))
    return hashlib.sha256(data).hexdigest()


def weave_for(connection: Connection, project: str, wanted: str) -> str | None:
    """The stamp of the weave that is shown: the wanted one, or else the newest."""
    held = select(project_weaves.c.stamp).where(project_weaves.c.project == project)
    exact = project_weaves.c.stamp == wanted
    return connection.execute(held.order_by(exact.desc(), project_weaves.c.at.desc())).scalar()


def weave(connection: Connection, project: str, stamp: str) -> str:
    """The weave of a stamp, a `Consolidation` as JSON."""
    one = (project_weaves.c.project == project) & (project_weaves.c.stamp == stamp)
    return str(connection.execute(select(project_weaves.c.woven).where(one)).scalar_one())


def last_weave(connection: Connection, project: str, length: int | None) -> str | None:
    """The newest weave of that length, a `Consolidation` as JSON."""
    same = project_weaves.c.length.is_not_distinct_from(length)
    held = select(project_weaves.c.woven).where(project_weaves.c.project == project, same)
    return connection.execute(held.order_by(project_weaves.c.at.desc()).limit(1)).scalar()


def keep_weave(
    connection: Connection, project: str, made: StoredWeave, title: str | None = None
) -> None:
    """Keep what was woven, and forget all but the newest few; `title` is for one without."""
    of = project_weaves.c.project == project
    connection.execute(delete(project_weaves).where(of, project_weaves.c.stamp == made.stamp))
    row = {"project": project, "at": now(), **msgspec.structs.asdict(made)}
    connection.execute(insert(project_weaves).values(row))
    newest = select(project_weaves.c.stamp).where(of).order_by(project_weaves.c.at.desc())
    old = connection.execute(newest.offset(_KEPT)).scalars().all()
    connection.execute(delete(project_weaves).where(of, project_weaves.c.stamp.in_(old)))
    projects.touch(connection, project)
    if title:
        projects.entitle(connection, project, title)


def finding(connection: Connection, project: str, key: str) -> str | None:
    """What was found out, if it was."""
    one = (project_findings.c.project == project) & (project_findings.c.key == key)
    return connection.execute(select(project_findings.c.value).where(one)).scalar()


def findings(connection: Connection, project: str, keys: Sequence[str]) -> dict[str, str]:
    """What was found out about each, where it was."""
    wanted = select(project_findings.c.key, project_findings.c.value)
    some = wanted.where(project_findings.c.project == project, project_findings.c.key.in_(keys))
    return {row.key: row.value for row in connection.execute(some)} if keys else {}


def keep_finding(connection: Connection, project: str, key: str, value: str) -> None:
    """Keep what was found out."""
    _keep(connection, project, key, value)
    projects.touch(connection, project)


def answers(connection: Connection, project: str) -> dict[str, Answer]:
    """What a language model answered for a project, by the fingerprint of the question."""
    wanted = select(project_findings.c.key, project_findings.c.value)
    of = project_findings.c.project == project
    mine = project_findings.c.key.startswith(_ANSWER, autoescape=True)
    return {
        row.key.removeprefix(_ANSWER): msgspec.json.decode(row.value, type=Answer)
        for row in connection.execute(wanted.where(of, mine))
    }


def keep_answers(connection: Connection, project: str, answers: Mapping[str, Answer]) -> None:
    """Keep what a language model answered, so that it is deleted with the project."""
    for key, answer in answers.items():
        _keep(connection, project, _ANSWER + key, msgspec.json.encode(answer).decode())


def _keep(connection: Connection, project: str, key: str, value: str) -> None:
    one = (project_findings.c.project == project) & (project_findings.c.key == key)
    connection.execute(delete(project_findings).where(one))
    row = {"project": project, "key": key, "at": now(), "value": value}
    connection.execute(insert(project_findings).values(row))
    of = project_findings.c.project == project
    newest = select(project_findings.c.key).where(of).order_by(project_findings.c.at.desc())
    old = connection.execute(newest.offset(_FOUND)).scalars().all()
    connection.execute(delete(project_findings).where(of, project_findings.c.key.in_(old)))
