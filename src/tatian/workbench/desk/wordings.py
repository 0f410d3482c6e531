"""Alternative wordings of a sentence: as consolidated, as in a source, a union, or a model's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from tatian.text.layers import capitalized, render
from tatian.workbench.desk import results
from tatian.workbench.desk.decisions import Reword
from tatian.workbench.desk.jobs import Job, UnionJob, WriteJob
from tatian.workbench.desk.manuscript import Line, Words, with_full_stop
from tatian.workbench.desk.service import Desk
from tatian.workbench.desk.state import ProjectState, consolidated_sources, finding_key
from tatian.workbench.errors import BadRequest, NotFound

_MAX_MERGED_SENTENCES = 4
"""Maximum number of source sentences that a union or a model merges."""


class OfferedWording(Struct, frozen=True):
    """A wording that is offered for a sentence."""

    key: str
    kind: Literal["woven", "source", "union", "model"]
    words: Words
    origins: tuple[str, ...]

    @property
    def text(self) -> str:
        """The wording as a reader sees it."""
        return render(capitalized(self.words))


class OfferedWordings(Struct, frozen=True):
    """Wordings of a sentence."""

    wordings: list[OfferedWording]
    missing: list[tuple[str, Job]]
    """Pending jobs for models, with the key of each result."""
    problem: str
    """Reason why a model could not be asked."""


def offer_wordings(
    desk: Desk, connection: Connection, state: ProjectState, sentence: str, *, retry: bool = False
) -> OfferedWordings:
    """Return the wordings of a sentence; `retry` allows jobs that failed to run again."""
    line = next((line for line in state.edited.lines if line.id == sentence), None)
    if line is None:
        raise NotFound("the text does not have this sentence")
    wordings = list(_list_direct(state, line))
    sources = [id for id in (*line.origins, *line.covers) if id in state.manuscript.sources]
    sources = list(dict.fromkeys(sources))[:_MAX_MERGED_SENTENCES]
    missing: list[tuple[str, Job]] = []
    problem = ""
    for kind, job in _make_jobs(desk, state, sources):
        key_parts = [*sources, desk.language_models.writer] if kind == "model" else sources
        key = finding_key(kind, " ".join(key_parts), state.manuscript.stamp, desk.judge)
        if retry:
            desk.retry(state.project.id, key)
        stored = results.get_finding(connection, state.project.id, key)
        if stored is None:
            failure = desk.problem(state.project.id, key)
            problem = failure or problem
            missing += [] if failure else [(key, job)]
        elif words := msgspec.json.decode(stored, type=Words):
            wordings.append(OfferedWording(kind, kind, with_full_stop(words), tuple(sources)))
    by_text: dict[str, OfferedWording] = {}
    for wording in wordings:
        by_text.setdefault(wording.text, wording)
    return OfferedWordings(list(by_text.values()), missing, problem)


def _make_jobs(
    desk: Desk, state: ProjectState, sources: Sequence[str]
) -> Iterator[tuple[Literal["union", "model"], Job]]:
    """Yield the jobs for models that reword source sentences."""
    places = [state.manuscript.sources[id] for id in sources]
    spans = tuple((place.source.id, place.sentence.start, place.sentence.end) for place in places)
    used = {place.source.id for place in places}
    accounts = tuple(
        account for account in consolidated_sources(state.manuscript) if account.id in used
    )
    if len(spans) > 1:
        yield "union", UnionJob(accounts, spans, desk.judge)
        if writer := desk.language_models.writer:
            yield "model", WriteJob(accounts, spans, writer, desk.judge)


def choose_wording(
    desk: Desk, connection: Connection, state: ProjectState, sentence: str, key: str
) -> Reword:
    """Return the decision to use an offered wording."""
    for wording in offer_wordings(desk, connection, state, sentence).wordings:
        if wording.key == key:
            return Reword(sentence, wording.kind, wording.words, wording.origins)
    raise BadRequest("there is no such wording")


def _list_direct(state: ProjectState, line: Line) -> Iterator[OfferedWording]:
    """Yield the wordings that need no model."""
    for original in state.manuscript.lines:
        if original.id == line.id:
            yield OfferedWording("woven", "woven", original.words, original.origins)
    for id in dict.fromkeys((*line.origins, *line.covers)):
        if id in state.manuscript.sources:
            words = with_full_stop(state.manuscript.words_of_source(id))
            yield OfferedWording(f"source:{id}", "source", words, (id,))
