"""Answers of an earlier export back into a campaign, as if they had been given there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, bindparam, insert, select, update

from tatian.errors import EmptyInput, InputError
from tatian.workbench.campaigns import audit
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.item_files import LIMIT, label, unpacked
from tatian.workbench.campaigns.records import Answered, milliseconds
from tatian.workbench.errors import BadRequest
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import annotators, answers, assignments, items
from tatian.workbench.tasks import NewItem, Task

_ID = 200
"""The longest id of a record or an annotator."""
_LARGEST = 2**31 - 1
_LONGEST = 1e9

# Made once: putting a statement together takes longer than running it.
_FIND_ANSWER = select(answers).where(answers.c.id == bindparam("which"))
_FIND_CORRECTION = select(answers.c.id).where(answers.c.replaces == bindparam("which"))
_FIND_ITEM = select(items).where(
    items.c.campaign == bindparam("of"), items.c.key == bindparam("which")
)
_FIND_ASSIGNMENT = select(assignments.c.id).where(
    assignments.c.item == bindparam("of"), assignments.c.annotator == bindparam("who")
)
_ADD_ANSWER = insert(answers)
_ADD_ASSIGNMENT = insert(assignments)
_TAKE = update(items).where(items.c.id == bindparam("which")).values(taken=items.c.taken + 1)


class Imported(Struct, frozen=True):
    """How many records came in, and how many were there already."""

    added: int
    known: int


class _Item(Struct, frozen=True):
    id: int
    new: NewItem


def add_records(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    name: str,
    data: bytes,
    actor: str,
    *,
    limit: int = LIMIT,
) -> Imported:
    """Add the answers of a file of records, all or none.

    The campaign has their items already. Annotators keep their pseudonyms; whoever is not there yet
    is entered without anything personal. Records that are there already, the same in everything,
    are passed over, so that a file can be imported twice.
    """
    shown = label(name)
    records = list(_parsed(unpacked(name, data, limit), shown))
    if not records:
        raise EmptyInput("no records in it", path=shown)
    entering = _Entering(connection, campaign, task, shown)
    for line, record in _in_order(records, shown):
        entering.add(line, record)
    imported = Imported(entering.added, len(records) - entering.added)
    audit.note(
        connection, actor, "records.import", campaign.id, shown, msgspec.to_builtins(imported)
    )
    return imported


def _parsed(data: bytes, name: str) -> Iterator[tuple[int, Answered]]:
    decoder = msgspec.json.Decoder(Answered)
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield number, decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(f"not a record: {error}", path=name, line=number) from error


def _in_order(records: list[tuple[int, Answered]], name: str) -> Iterator[tuple[int, Answered]]:
    """Each correction after what it corrects, whatever their order in the file."""
    waiting = {record.id: (line, record) for line, record in records}
    if len(waiting) < len(records):
        seen: set[str] = set()
        for line, record in records:
            if record.id in seen:
                raise InputError(f"a second record '{record.id}'", path=name, line=line)
            seen.add(record.id)
    for id in [record.id for _, record in records]:
        chain: list[tuple[int, Answered]] = []
        while id in waiting:
            line, record = waiting.pop(id)
            chain.append((line, record))
            id = record.replaces or ""
        yield from reversed(chain)


class _Entering:
    """One import: what the campaign knows of its items and people, and what was added."""

    def __init__(self, connection: Connection, campaign: Campaign, task: Task, name: str) -> None:
        self.connection = connection
        self.campaign = campaign
        self.task = task
        self.name = name
        self.added = 0
        self._items: dict[str, _Item] = {}
        self._people: set[str] = set()
        self._excluded: set[str] = set()
        """Those entered by this import whose answers so far do not count."""

    def add(self, line: int, record: Answered) -> None:
        """Enter one record, or nothing where it is there already."""
        try:
            values = self._checked(record)
            if self._known(record.id, values):
                return
            item = self._items[record.item]
            self._enter_annotator(record, values)
            values["assignment"] = self._assignment(record, item, values)
            self.connection.execute(_ADD_ANSWER, values)
            self.added += 1
        except (InputError, BadRequest) as error:
            raise InputError(str(error), path=self.name, line=line) from error

    def _checked(self, record: Answered) -> dict[str, Any]:
        """The row of an answer, without its assignment."""
        if record.task != self.campaign.task:
            raise InputError(
                f"an answer to '{record.task}', and the campaign asks for '{self.campaign.task}'"
            )
        for what, text in (("record", record.id), ("annotator", record.made.by)):
            plain.words(text, f"the id of the {what}", _ID, least=1)
        plain.words(record.replaces or "", "the id of what is corrected", _ID)
        if not 0 <= record.seconds <= _LONGEST:
            raise InputError(f"{record.seconds} seconds at work cannot be")
        if not (0 < record.guideline <= _LARGEST and abs(record.seed) <= _LARGEST):
            raise InputError("no campaign has such a version of its guidelines, or such a seed")
        item = self._item(record.item)
        for file in self.task.export([item.new], [record]):
            for _ in file.chunks():
                pass
        try:
            submitted = milliseconds(record.made.at or "")
            given = milliseconds(record.given) if record.given else submitted
        except (ValueError, OverflowError) as error:
            raise InputError(f"not a time as 2026-01-31T09:30:00Z: {error}") from error
        return {
            "id": record.id,
            "campaign": self.campaign.id,
            "item": item.id,
            "annotator": record.made.by,
            "nonce": f"imported {record.id}",
            "answer": plain.encode(record.answer, "the answer"),
            "score": record.score,
            "guideline": record.guideline,
            "preannotated": record.preannotated,
            "given": given,
            "submitted": submitted,
            "seconds": record.seconds,
            "replaces": record.replaces,
        }

    def _item(self, key: str) -> _Item:
        if key not in self._items:
            plain.words(key, "the key of the item")
            row = self.connection.execute(
                _FIND_ITEM, {"of": self.campaign.id, "which": key}
            ).first()
            if row is None:
                raise InputError(f"the campaign has no item '{key}': import the items first")
            self._items[key] = _Item(row.id, NewItem(key, plain.decode(row.content)))
        return self._items[key]

    def _known(self, id: str, values: dict[str, Any]) -> bool:
        row = self.connection.execute(_FIND_ANSWER, {"which": id}).first()
        if row is None:
            return False
        if row.campaign != self.campaign.id:
            raise InputError(
                f"an answer of campaign '{row.campaign}' in this database: records come back into "
                "the campaign that they are from, or into another database"
            )
        there = row._asdict()
        compared = values.keys() - {"nonce", "answer"}
        answer = plain.decode(there["answer"]) == plain.decode(values["answer"])
        if not answer or any(there[name] != values[name] for name in compared):
            raise InputError(f"another answer '{id}' is there already")
        return True

    def _enter_annotator(self, record: Answered, values: dict[str, Any]) -> None:
        id = record.made.by
        if id in self._people:
            self._count_again(record)
            return
        row = self.connection.execute(select(annotators).where(annotators.c.id == id)).first()
        if row is None:
            self.connection.execute(
                insert(annotators).values(
                    id=id,
                    campaign=self.campaign.id,
                    state="excluded" if record.excluded else "active",
                    stage=len(self.campaign.settings.stages) - 1,
                    created=values["given"],
                    seen=values["submitted"],
                )
            )
            if record.excluded:
                self._excluded.add(id)
        elif row.campaign != self.campaign.id:
            raise InputError(f"annotator '{id}' is one of campaign '{row.campaign}'")
        self._people.add(id)
        self._count_again(record)

    def _count_again(self, record: Answered) -> None:
        """Whoever was entered as excluded, by an earlier record, and has an answer that counts."""
        if not record.excluded and record.made.by in self._excluded:
            self._excluded.remove(record.made.by)
            chosen = update(annotators).where(annotators.c.id == record.made.by)
            self.connection.execute(chosen.values(state="active"))

    def _assignment(self, record: Answered, item: _Item, values: dict[str, Any]) -> int:
        """The assignment that the answer belongs to: there already for a correction."""
        whose = {"of": item.id, "who": record.made.by}
        mine = self.connection.execute(_FIND_ASSIGNMENT, whose).scalar()
        if record.replaces is not None:
            return self._corrected(record.replaces, mine)
        if mine is not None:
            raise InputError(f"'{record.made.by}' has item '{record.item}' already")
        row = {
            "campaign": self.campaign.id,
            "item": item.id,
            "annotator": record.made.by,
            "state": "void" if record.excluded else "done",
            "given": values["given"],
            "expires": values["submitted"],
            "finished": values["submitted"],
            "seed": record.seed,
            "guideline": record.guideline,
            "preannotated": record.preannotated,
        }
        made = self.connection.execute(_ADD_ASSIGNMENT, row)
        if not record.excluded:
            self.connection.execute(_TAKE, {"which": item.id})
        assert made.inserted_primary_key
        return int(made.inserted_primary_key[0])

    def _corrected(self, replaced: str, mine: int | None) -> int:
        """The assignment of an answer that is corrected, which must be one's own and the last."""
        earlier = self.connection.execute(_FIND_ANSWER, {"which": replaced}).first()
        if mine is None or earlier is None or earlier.assignment != mine:
            raise InputError(f"corrects '{replaced}', which is not there")
        if self.connection.execute(_FIND_CORRECTION, {"which": replaced}).first():
            raise InputError(f"corrects '{replaced}', which another record corrects already")
        return mine
