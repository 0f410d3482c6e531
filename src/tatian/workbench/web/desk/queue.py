"""The API of the queue of jobs, which administrators see and can cancel."""

from __future__ import annotations

from msgspec import Struct

from tatian.workbench.accounts import users
from tatian.workbench.campaigns import audit
from tatian.workbench.errors import NotFound
from tatian.workbench.storage.plain import struct
from tatian.workbench.web.routing import Call, Nothing, Routes

ROUTES = Routes()


class JobView(Struct, frozen=True):
    """A job of somebody: not what it is about, which is theirs alone."""

    number: int
    owner: str
    kind: str
    place: int
    """In the queue; 0 for the one that is being done."""
    seconds: int
    """For how long it has been done."""


class QueueView(Struct, frozen=True):
    """The jobs of everybody, in the order in which they are done."""

    jobs: list[JobView]


@ROUTES.add("GET", "/desk/queue", "admin")
def queue(call: Call) -> QueueView:
    """List the jobs that wait or are being done."""
    with call.database.reading() as connection:
        names = {one.id: one.name for one in users.listed(connection)}
    jobs = call.site.desk.models.queue()
    return QueueView([struct(JobView, one, owner=names.get(one.owner, "")) for one in jobs])


@ROUTES.add("DELETE", "/desk/queue/{job}", "admin")
def cancel(call: Call) -> Nothing:
    """Cancel somebody's job; they are told who did it."""
    assert call.caller.user is not None
    why = f"cancelled by an administrator ({call.caller.user.name})"
    found = call.site.desk.models.cancel(call.path["job"], why)
    if found is None:
        raise NotFound("there is no such job: it is done or was cancelled")
    with call.database.writing() as connection:
        owner = users.numbered(connection, found.owner)
        subject = owner.name if owner else ""
        audit.note(connection, call.caller.actor, "desk.cancel", subject=subject)
    return Nothing()
