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
from tatian.workbench.web.desk.common import PATH, Seen, inputs_of, project_of, state_of, view_of
from tatian.workbench.web.routing import Call, Nothing, Routes, attachment

ROUTES = Routes()
_CHECK_INTERVAL = 0.2
"""Seconds between two checks for events."""
_KEEP_ALIVE = 15.0
"""Seconds without events after which a stream sends a comment."""
_STREAM_SECONDS = 600.0
"""Duration of one stream in seconds; browsers then open another."""


class ConsolidationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a consolidation."""

    anew: bool = False
    """True to consolidate an edited text again instead of extending it."""


class ChosenWording(Struct, frozen=True, tag_field="kind", tag="word", forbid_unknown_fields=True):
    """Request to reword a sentence by an offered wording."""

    sentence: str
    wording: str


class LeftOutView(Struct, frozen=True):
    """Source sentences that the text of a revision lacks, the least covered first."""

    revision: int
    sentences: list[LeftOutSentence]


_REQUESTED: Any = reduce(
    or_, [kind for kind in get_args(Decision) if kind is not Reword], ChosenWording
)


@ROUTES.add("POST", f"{PATH}/weave", "user", body=ConsolidationRequest, status=202)
def consolidate(call: Call) -> RunState:
    """Start a consolidation."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
    return call.site.desk.consolidate(project, anew=call.body.anew)


@ROUTES.add("DELETE", f"{PATH}/weave", "user")
def cancel(call: Call) -> RunState:
    """Stop a consolidation."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
    return call.site.desk.cancel(project)


@ROUTES.add("GET", f"{PATH}/woven", "user", query=Seen)
def get_text(call: Call) -> TextView:
    """Return the current text."""
    with call.database.reading() as connection:
        state = state_of(call, connection)
    return view_of(call, state, documents=True)


@ROUTES.add("GET", f"{PATH}/left-out", "user")
def get_left_out(call: Call) -> LeftOutView:
    """Return the source sentences that are not in the text."""
    with call.database.reading() as connection:
        state = state_of(call, connection)
    return LeftOutView(state.project.revision, find_left_out(state.edited))


@ROUTES.add("POST", f"{PATH}/decisions", "user", body=_REQUESTED, query=Seen)
def add_decision(call: Call) -> TextView:
    """Apply a decision to the text."""
    desk = call.site.desk
    with call.database.writing() as connection:
        inputs = inputs_of(call, connection, lock=True)
        decision = _decision(desk, connection, inputs, call.body)
        sources = inputs.manuscript.sources
        texts = {
            id: sources[base].text
            for id in sentence_ids(decision)
            if (base := id.partition(PART)[0]) in sources
        }
        stored = projects.add_decision(connection, inputs.project, decision, texts)
        if isinstance(decision, SetLength):
            state = state_of(call, connection)
        else:
            project = inputs.project
            updated = replace(project, done=project.done + 1, revision=project.revision + 1)
            decisions = (*inputs.in_force, stored)
            state = desk.apply_decisions(
                connection, replace(inputs, project=updated, decisions=decisions)
            )
        if problem := state.edited.effects[-1].why:
            raise BadRequest(problem)
    desk.send_event(state.project.id, "woven", revision=state.project.revision)
    return view_of(call, state)


@ROUTES.add("POST", f"{PATH}/undo", "user", body=Nothing, query=Seen)
def undo(call: Call) -> TextView:
    """Undo the last decision."""
    return _undo_or_redo(call, -1)


@ROUTES.add("POST", f"{PATH}/redo", "user", body=Nothing, query=Seen)
def redo(call: Call) -> TextView:
    """Redo the decision that was undone last."""
    return _undo_or_redo(call, 1)


@ROUTES.add("GET", f"{PATH}/export/{{format}}", "user")
def export_text(call: Call) -> Response:
    """Return the text as a file."""
    format = EXPORTS.get(call.path["format"])
    if format is None:
        raise NotFound(f"there is no such format: {', '.join(EXPORTS)}")
    with call.database.reading() as connection:
        state = state_of(call, connection)
    data = format.write(state.edited.consolidation)
    name = re.sub(r"[^A-Za-z0-9]+", "-", state.project.title).strip("-")[:60] or "text"
    return attachment(data, f"{name}{format.ending}", format.media)


@ROUTES.add("GET", f"{PATH}/events", "user")
def stream_events(call: Call) -> Response:
    """Stream the events of a project as server-sent events."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
    stream = _stream(call.site.desk, project)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _stream(desk: Desk, project: Project) -> AsyncIterator[bytes]:
    number, _ = desk.events_since(project.id, 0)
    last = desk.run_state(project)
    yield _event("weaving", last) + _event("woven", {"revision": project.revision})
    waited = silence = 0.0
    while waited < _STREAM_SECONDS and not desk.stopping():
        number, new = desk.events_since(project.id, number)
        runs = [event for event in new if event.kind == "weaving"]
        current = desk.progress(project.id) or (runs[-1].data["state"] if runs else last)
        chunk = b"".join(_event(event.kind, event.data) for event in new if event.kind != "weaving")
        if current != last:
            chunk = _event("weaving", current) + chunk
            last = current
        silence = 0.0 if chunk else silence + _CHECK_INTERVAL
        if silence >= _KEEP_ALIVE:
            chunk, silence = b": still here\n\n", 0.0
        if chunk:
            yield chunk
        await asyncio.sleep(_CHECK_INTERVAL)
        waited += _CHECK_INTERVAL


def _event(kind: str, data: Any) -> bytes:
    return b"event: " + kind.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


def _undo_or_redo(call: Call, by: Literal[-1, 1]) -> TextView:
    with call.database.writing() as connection:
        projects.undo_or_redo(connection, project_of(call, connection, lock=True), by)
        state = state_of(call, connection)
    call.site.desk.send_event(state.project.id, "woven", revision=state.project.revision)
    return view_of(call, state)


def _decision(desk: Desk, connection: Connection, inputs: ProjectInputs, request: Any) -> Decision:
    if isinstance(request, Retype | WriteSentence) and not request.text.strip():
        raise BadRequest("type some words, or drop the sentence")
    limit = limits.DESK_TYPED_CHARACTERS
    if (
        isinstance(request, Retype | WriteSentence | Settle | SetTitle)
        and len(request.text) > limit
    ):
        raise BadRequest(f"at most {limit:,} characters can be typed at once")
    if (
        isinstance(request, SetLength)
        and request.words is not None
        and not 1 <= request.words < 10**7
    ):
        raise BadRequest("a text has at least one word")
    if isinstance(request, ChosenWording):
        state = desk.apply_decisions(connection, inputs)
        return choose_wording(desk, connection, state, request.sentence, request.wording)
    if isinstance(request, MarkConflict):
        return _fill_words(inputs, request)
    decision: Decision = request
    return decision


def _fill_words(inputs: ProjectInputs, request: MarkConflict) -> MarkConflict:
    """Fill in the words of a marked conflict."""
    first, second = request.places
    if first.account == second.account:
        raise BadRequest("choose places in two sources")
    places = []
    for place in request.places:
        index = inputs.manuscript.indices.get(place.account)
        text = inputs.manuscript.consolidation.documents[index].text if index is not None else ""
        if not 0 <= place.start < place.end <= len(text):
            raise BadRequest("the source has no words there")
        words = text[place.start : place.end]
        if words.strip() != words or "\n\n" in words or len(words) > limits.DESK_MARKED_CHARACTERS:
            raise BadRequest("choose some words of one sentence")
        places.append(replace(place, words=words))
    return replace(request, places=(places[0], places[1]))
