"""API of the queue of jobs, which administrators can see and cancel."""

from __future__ import annotations

from msgspec import Struct

from tatian.workbench.accounts import users
from tatian.workbench.campaigns import audit
from tatian.workbench.errors import NotFound
from tatian.workbench.storage.plain import struct
from tatian.workbench.web.routing import Call, Nothing, Routes

ROUTES = Routes()


class JobView(Struct, frozen=True):
    """A person's job, without its content, which is private."""

    number: int
    owner: str
    kind: str
    place: int
    """Place in the queue; 0 for the running job."""
    seconds: int
    """Seconds since it started."""


class QueueView(Struct, frozen=True):
    """Jobs of all people, in the order in which they run."""

    jobs: list[JobView]


@ROUTES.add("GET", "/desk/queue", "admin")
def queue(call: Call) -> QueueView:
    """List the jobs that wait or run."""
    with call.database.reading() as connection:
        names = {user.id: user.name for user in users.list_users(connection)}
    jobs = call.site.desk.models.queue()
    return QueueView([struct(JobView, job, owner=names.get(job.owner, "")) for job in jobs])


@ROUTES.add("DELETE", "/desk/queue/{job}", "admin")
def cancel(call: Call) -> Nothing:
    """Cancel a person's job; they see who did it."""
    assert call.caller.user is not None
    why = f"cancelled by an administrator ({call.caller.user.name})"
    ticket = call.site.desk.models.cancel(call.path["job"], why)
    if ticket is None:
        raise NotFound("there is no such job: it is done or was cancelled")
    with call.database.writing() as connection:
        owner = users.find_by_id(connection, ticket.owner)
        subject = owner.name if owner else ""
        audit.note(connection, call.caller.actor, "desk.cancel", subject=subject)
    return Nothing()
