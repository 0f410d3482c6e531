"""Other ways to say a sentence: as it was woven, as an account has it, the union, a model's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from tatian.text.layers import capitalized, render
from tatian.workbench.desk import weaves
from tatian.workbench.desk.decisions import Reword
from tatian.workbench.desk.jobs import UnionJob, WriteJob
from tatian.workbench.desk.manuscript import Line, Words, closed
from tatian.workbench.desk.room import Desk, Present, as_woven, finding_key
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


def offered(
    desk: Desk, connection: Connection, present: Present, sentence: str
) -> tuple[list[OfferedWording], bool]:
    """The wordings of a sentence, and whether more are being made."""
    line = _line(present, sentence)
    found = list(_at_hand(present, line))
    sources = [id for id in (*line.origins, *line.told) if id in present.manuscript.sources]
    sources = list(dict.fromkeys(sources))[:_MOST]
    waiting = False
    for kind in ("union", "model") if len(sources) > 1 else ():
        if kind == "model" and not desk.writer:
            continue
        key = _key(present, kind, sources)
        held = weaves.finding(connection, present.project.id, key)
        if held is not None:
            words = msgspec.json.decode(held, type=Words)
            if words:
                found.append(OfferedWording(kind, kind, closed(words), tuple(sources)))
        elif not desk.problem(present.project.id, key):
            waiting = True
    said: dict[str, OfferedWording] = {}
    for one in found:
        said.setdefault(one.text, one)
    return list(said.values()), waiting


def ask(desk: Desk, present: Present, sentence: str) -> None:
    """Let the models word a sentence, where they have not yet."""
    line = _line(present, sentence)
    sources = list(dict.fromkeys((*line.origins, *line.told)))[:_MOST]
    places = [present.manuscript.sources[id] for id in sources if id in present.manuscript.sources]
    if len(places) < 2:
        return
    accounts = as_woven(present.manuscript)
    spans = tuple((one.account.id, one.sentence.start, one.sentence.end) for one in places)
    named = {one.account.id for one in places}
    some = tuple(account for account in accounts if account.id in named)
    project = present.project.id
    union = UnionJob(some, spans)
    desk.ask(project, _key(present, "union", sources), union, "wordings", sentence=sentence)
    if desk.writer:
        model = WriteJob(some, spans, desk.writer)
        desk.ask(project, _key(present, "model", sources), model, "wordings", sentence=sentence)


def chosen(desk: Desk, connection: Connection, present: Present, sentence: str, key: str) -> Reword:
    """The decision for a wording that was offered."""
    for one in offered(desk, connection, present, sentence)[0]:
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


def _key(present: Present, kind: str, sources: list[str]) -> str:
    return finding_key(kind, " ".join(sources), present.manuscript.stamp)


def _line(present: Present, sentence: str) -> Line:
    for line in present.edited.lines:
        if line.id == sentence:
            return line
    raise NotFound("the text does not have this sentence")
