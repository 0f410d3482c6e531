"""Other ways to say a sentence: as it was woven, as an account has it, the union, a model's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from tatian.text.layers import capitalized, render
from tatian.workbench.desk import weaves
from tatian.workbench.desk.decisions import Reword
from tatian.workbench.desk.jobs import Job, UnionJob, WriteJob
from tatian.workbench.desk.manuscript import Line, Words, closed
from tatian.workbench.desk.present import Present, as_woven, finding_key
from tatian.workbench.desk.room import Desk
from tatian.workbench.errors import BadRequest, NotFound

_MOST = 4
"""Sentences that are told in one."""


class OfferedWording(Struct, frozen=True):
    """Words for a sentence."""

    key: str
    kind: Literal["woven", "source", "union", "model"]
    words: Words
    origins: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it would be read."""
        return render(capitalized(self.words))


class OfferedWordings(Struct, frozen=True):
    """The wordings of a sentence."""

    wordings: list[OfferedWording]
    missing: list[tuple[str, Job]]
    """What models are still to be asked, by what it is kept under."""
    problem: str
    """Why one could not be asked."""


def offered(
    desk: Desk, connection: Connection, present: Present, sentence: str, *, again: bool = False
) -> OfferedWordings:
    """The wordings of a sentence; `again`: what could not be asked is to be asked once more."""
    line = _line(present, sentence)
    found = list(_at_hand(present, line))
    sources = [id for id in (*line.origins, *line.told) if id in present.manuscript.sources]
    sources = list(dict.fromkeys(sources))[:_MOST]
    missing: list[tuple[str, Job]] = []
    problem = ""
    for kind, job in _jobs(desk, present, sources):
        key = finding_key(kind, " ".join(sources), present.manuscript.stamp, desk.judge)
        if again:
            desk.again(present.project.id, key)
        held = weaves.finding(connection, present.project.id, key)
        if held is None:
            why = desk.problem(present.project.id, key)
            problem = why or problem
            missing += [] if why else [(key, job)]
        elif words := msgspec.json.decode(held, type=Words):
            found.append(OfferedWording(kind, kind, closed(words), tuple(sources)))
    said: dict[str, OfferedWording] = {}
    for one in found:
        said.setdefault(one.text, one)
    return OfferedWordings(list(said.values()), missing, problem)


def _jobs(
    desk: Desk, present: Present, sources: Sequence[str]
) -> Iterator[tuple[Literal["union", "model"], Job]]:
    """What models can be asked about sentences of accounts."""
    places = [present.manuscript.sources[id] for id in sources]
    spans = tuple((one.account.id, one.sentence.start, one.sentence.end) for one in places)
    named = {one.account.id for one in places}
    some = tuple(one for one in as_woven(present.manuscript) if one.id in named)
    if len(spans) > 1:
        yield "union", UnionJob(some, spans, desk.judge)
        if desk.writer:
            yield "model", WriteJob(some, spans, desk.writer, desk.judge)


def chosen(desk: Desk, connection: Connection, present: Present, sentence: str, key: str) -> Reword:
    """The decision for a wording that was offered."""
    for one in offered(desk, connection, present, sentence).wordings:
        if one.key == key:
            return Reword(sentence, one.kind, one.words, one.origins)
    raise BadRequest("there is no such wording")


def _at_hand(present: Present, line: Line) -> Iterator[OfferedWording]:
    """What needs no model."""
    for was in present.manuscript.lines:
        if was.id == line.id:
            yield OfferedWording("woven", "woven", was.words, was.origins)
    for id in dict.fromkeys((*line.origins, *line.told)):
        if id in present.manuscript.sources:
            words = closed(present.manuscript.copied(id))
            yield OfferedWording(f"source:{id}", "source", words, (id,))


def _line(present: Present, sentence: str) -> Line:
    for line in present.edited.lines:
        if line.id == sentence:
            return line
    raise NotFound("the text does not have this sentence")
