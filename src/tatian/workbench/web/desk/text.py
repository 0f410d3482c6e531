"""API of a project's text: consolidation, decisions, exports and events."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from functools import reduce
from operator import or_
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection
from starlette.responses import Response, StreamingResponse

from tatian import limits
from tatian.consolidation.render import EXPORTS
from tatian.workbench.desk import projects
from tatian.workbench.desk.decisions import (
    Decision,
    MarkConflict,
    Retype,
    Reword,
    SetLength,
    SetTitle,
    Settle,
    WriteSentence,
    sentence_ids,
)
from tatian.workbench.desk.leftout import LeftOutSentence, find_left_out
from tatian.workbench.desk.manuscript import PART
from tatian.workbench.desk.projects import Project, RunState
from tatian.workbench.desk.service import Desk
from tatian.workbench.desk.state import ProjectInputs
from tatian.workbench.desk.view import TextView
from tatian.workbench.desk.wordings import choose_wording
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.web.desk.common import ONE, Seen, inputs_of, project_of, state_of, view_of
from tatian.workbench.web.routing import Call, Nothing, Routes

ROUTES = Routes()
_LOOK = 0.2
"""Seconds between two checks for events."""
_ALIVE = 15.0
"""Seconds after which a quiet stream sends a sign of life."""
_LONGEST = 600.0
"""Seconds of one stream; browsers then open another."""


class ConsolidationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a consolidation."""

    anew: bool = False
    """True to arrange even an edited text from the start."""


class ChosenWording(Struct, frozen=True, tag_field="kind", tag="word", forbid_unknown_fields=True):
    """Reword a sentence by an offered wording."""

    sentence: str
    wording: str


class LeftOutView(Struct, frozen=True):
    """Source sentences that the text of a revision lacks, the least covered first."""

    revision: int
    sentences: list[LeftOutSentence]


_WANTED: Any = reduce(
    or_, [kind for kind in get_args(Decision) if kind is not Reword], ChosenWording
)


@ROUTES.add("POST", f"{ONE}/weave", "user", body=ConsolidationRequest, status=202)
def consolidate(call: Call) -> RunState:
    """Start a consolidation."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
    return call.site.desk.consolidate(project, anew=call.body.anew)


@ROUTES.add("DELETE", f"{ONE}/weave", "user")
def cancel(call: Call) -> RunState:
    """Stop a consolidation; the earlier text stays."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
    return call.site.desk.cancel(project)


@ROUTES.add("GET", f"{ONE}/woven", "user", query=Seen)
def get_text(call: Call) -> TextView:
    """Return the present text."""
    with call.database.reading() as connection:
        present = state_of(call, connection)
    return view_of(call, present, documents=True)


@ROUTES.add("GET", f"{ONE}/left-out", "user")
def get_left_out(call: Call) -> LeftOutView:
    """Return the source sentences that are not in the text."""
    with call.database.reading() as connection:
        present = state_of(call, connection)
    return LeftOutView(present.project.revision, find_left_out(present.edited))


@ROUTES.add("POST", f"{ONE}/decisions", "user", body=_WANTED, query=Seen)
def decide(call: Call) -> TextView:
    """Apply a decision to the text."""
    desk = call.site.desk
    with call.database.writing() as connection:
        ground = inputs_of(call, connection, lock=True)
        decision = _decision(desk, connection, ground, call.body)
        sources = ground.manuscript.sources
        texts = {
            id: sources[base].text
            for id in sentence_ids(decision)
            if (base := id.partition(PART)[0]) in sources
        }
        stored = projects.add_decision(connection, ground.project, decision, texts)
        if isinstance(decision, SetLength):
            after = state_of(call, connection)
        else:
            was = ground.project
            now = replace(was, done=was.done + 1, revision=was.revision + 1)
            decisions = (*ground.in_force, stored)
            after = desk.apply_decisions(
                connection, replace(ground, project=now, decisions=decisions)
            )
        if why := after.edited.effects[-1].why:
            raise BadRequest(why)
    desk.send_event(after.project.id, "woven", revision=after.project.revision)
    return view_of(call, after)


@ROUTES.add("POST", f"{ONE}/undo", "user", body=Nothing, query=Seen)
def undo(call: Call) -> TextView:
    """Undo the last decision."""
    return _undo_or_redo(call, -1)


@ROUTES.add("POST", f"{ONE}/redo", "user", body=Nothing, query=Seen)
def redo(call: Call) -> TextView:
    """Redo the decision that was undone last."""
    return _undo_or_redo(call, 1)


@ROUTES.add("GET", f"{ONE}/export/{{format}}", "user")
def export(call: Call) -> Response:
    """Return the text as a file."""
    form = EXPORTS.get(call.path["format"])
    if form is None:
        raise NotFound(f"there is no such format: {', '.join(EXPORTS)}")
    with call.database.reading() as connection:
        present = state_of(call, connection)
    data = form.write(present.edited.consolidation)
    name = re.sub(r"[^A-Za-z0-9]+", "-", present.project.title).strip("-")[:60] or "text"
    headers = {"content-disposition": f'attachment; filename="{name}{form.ending}"'}
    return Response(data, headers=headers, media_type=form.media)


@ROUTES.add("GET", f"{ONE}/events", "user")
def events(call: Call) -> Response:
    """Stream the events of a project as server-sent events."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
    stream = _stream(call.site.desk, project)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _stream(desk: Desk, project: Project) -> AsyncIterator[bytes]:
    number, _ = desk.events_since(project.id, 0)
    last = desk.run_state(project)
    yield _event("weaving", last) + _event("woven", {"revision": project.revision})
    waited = quiet = 0.0
    while waited < _LONGEST and not desk.stopping():
        number, new = desk.events_since(project.id, number)
        ended = [event for event in new if event.kind == "weaving"]
        now = desk.progress(project.id) or (ended[-1].data["state"] if ended else last)
        chunk = b"".join(_event(event.kind, event.data) for event in new if event.kind != "weaving")
        if now != last:
            chunk = _event("weaving", now) + chunk
            last = now
        quiet = 0.0 if chunk else quiet + _LOOK
        if quiet >= _ALIVE:
            chunk, quiet = b": still here\n\n", 0.0
        if chunk:
            yield chunk
        await asyncio.sleep(_LOOK)
        waited += _LOOK


def _event(kind: str, data: Any) -> bytes:
    return b"event: " + kind.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


def _undo_or_redo(call: Call, by: Literal[-1, 1]) -> TextView:
    with call.database.writing() as connection:
        projects.undo_or_redo(connection, project_of(call, connection, lock=True), by)
        present = state_of(call, connection)
    call.site.desk.send_event(present.project.id, "woven", revision=present.project.revision)
    return view_of(call, present)


def _decision(desk: Desk, connection: Connection, ground: ProjectInputs, wanted: Any) -> Decision:
    if isinstance(wanted, Retype | WriteSentence) and not wanted.text.strip():
        raise BadRequest("type some words, or drop the sentence")
    most = limits.DESK_TYPED_CHARACTERS
    if isinstance(wanted, Retype | WriteSentence | Settle | SetTitle) and len(wanted.text) > most:
        raise BadRequest(f"at most {most:,} characters can be typed at once")
    if isinstance(wanted, SetLength) and wanted.words is not None and not 1 <= wanted.words < 10**7:
        raise BadRequest("a text has at least one word")
    if isinstance(wanted, ChosenWording):
        present = desk.apply_decisions(connection, ground)
        return choose_wording(desk, connection, present, wanted.sentence, wanted.wording)
    if isinstance(wanted, MarkConflict):
        return _with_words(ground, wanted)
    decision: Decision = wanted
    return decision


def _with_words(ground: ProjectInputs, wanted: MarkConflict) -> MarkConflict:
    """Return a marked conflict with the words of its places."""
    first, second = wanted.places
    if first.account == second.account:
        raise BadRequest("choose places in two sources")
    places = []
    for place in wanted.places:
        at = ground.manuscript.indices.get(place.account)
        text = ground.manuscript.consolidation.documents[at].text if at is not None else ""
        if not 0 <= place.start < place.end <= len(text):
            raise BadRequest("the source has no words there")
        words = text[place.start : place.end]
        if words.strip() != words or "\n\n" in words or len(words) > limits.DESK_MARKED_CHARACTERS:
            raise BadRequest("choose some words of one sentence")
        places.append(replace(place, words=words))
    return replace(wanted, places=(places[0], places[1]))
