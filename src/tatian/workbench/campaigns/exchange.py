"""Exchange of answers with other campaigns, tables and annotation tools.

Imported answers are checked like those of a page. Annotators get the names in the file; a
pseudonym of an earlier export is kept if it is free.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, insert, select, update

from tatian import formats
from tatian.corpora.decoding import decode_utf8
from tatian.errors import EmptyInput, InputError
from tatian.formats import label_studio, uima
from tatian.text import Document
from tatian.workbench.campaigns import audit, guidelines
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import pseudonym
from tatian.workbench.campaigns.records import CampaignRecord, from_iso
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import annotators, answers, assignments, items
from tatian.workbench.tasks import (
    Documenting,
    Exported,
    Json,
    NewItem,
    Records,
    Task,
    current_records,
)
from tatian.workbench.tasks.items import error_message, read_fields, read_header

Tool = Literal["label-studio", "webanno", "xmi"]
"""Formats of annotation tools that answers can be written in."""
TOOLS: tuple[Tool, ...] = get_args(Tool)
_ENDINGS = {"webanno": "tsv", "xmi": "xmi"}
_ANSWER = "answer."
"""Prefix of the columns of a table that hold fields of the answer."""
_PSEUDONYM = re.compile(r"a[0-9a-f]{16}")
_NAME_CHARACTERS = 200
"""Maximum length of an annotator's name."""
_SEED = 1
"""Seed of imported answers, which no page has shuffled."""
_GUARDED = re.compile(r"'[ \u00a0\ufeff]*[=+\-@＝＋－＠\t\r\n]")
"""Matches the beginning of a cell that `exports.guard_formula` changed."""


class ImportedAnswer(Struct, frozen=True):
    """A person's answer to an item, read from a file."""

    item: str
    by: str
    choices: tuple[Json, ...]
    """Possible readings of the answer, since a table does not distinguish numbers from text."""
    text: str = ""
    """Text of the item, which identifies the item if its key differs."""
    at: int | None = None
    """Time in milliseconds since 1970; None for now."""
    seconds: float = 0.0
    """Seconds of work."""


class ImportedAnswers(Struct, frozen=True):
    """Number of answers that were added, of those that existed already, and of their authors."""

    added: int
    known: int
    people: int


def read_answers(task: Task, name: str, data: bytes, by: str | None = None) -> list[ImportedAnswer]:
    """Read answers from a campaign's records or table, a tool's file, or items with gold.

    `by` is the annotator of a file without names.
    """
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    answers = list(_answers_in(task, name, data, text, by))
    if not answers:
        raise EmptyInput("the file contains no answers", path=name)
    if nameless := next((answer for answer in answers if not answer.by), None):
        raise InputError(f"whose answer to '{nameless.item}' is it? Say so with --by", path=name)
    return answers


def add_answers(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    answers: Iterable[ImportedAnswer],
    actor: str,
) -> ImportedAnswers:
    """Add answers to the campaign's items, all or none; known answers are skipped."""
    importer = _Import(connection, campaign, task)
    for answer in answers:
        try:
            importer.add(answer)
        except InputError as error:
            raise InputError(f"answer of '{answer.by}' to '{answer.item}': {error}") from error
    result = ImportedAnswers(importer.added, importer.known, len(importer.people))
    audit.note(connection, actor, "answers.import", campaign.id, detail=msgspec.to_builtins(result))
    return result


def tool_files(
    task: Task, items: Iterable[NewItem], records: Records, tool: Tool
) -> Iterator[Exported]:
    """Yield all answers in the format of a tool: one file, or one for each person and text."""
    if not isinstance(task, Documenting):
        raise InputError(f"{tool} holds spans and links, which answers to '{task.name}' are not")
    contents = {item.key: item.content for item in items}
    annotated = [
        (record.made.by, task.document(record.item, contents[record.item], record.answer))
        for record in current_records(records, contents)
    ]
    if tool == "label-studio":
        joined = "".join(label_studio.join_annotations(annotated))
        yield Exported("annotations.json", joined.encode())
        yield Exported("labelling-interface.xml", label_studio.CONFIG.encode())
        return
    format = formats.find(tool)
    for by, document in annotated:
        name = f"{safe_name(by)}/{safe_name(document.id)}.{_ENDINGS[tool]}"
        yield Exported(name, "".join(format.write([document])).encode())
    if tool == "xmi":
        yield Exported("TypeSystem.xml", uima.type_system().encode())


def safe_name(name: str) -> str:
    """Return a file name with unsafe characters replaced."""
    return re.sub(r"[^\w.-]", "_", name).strip(".") or "_"


def _answers_in(
    task: Task, name: str, data: bytes, text: str, by: str | None
) -> Iterator[ImportedAnswer]:
    start_of_text = text[: formats.HEAD]
    tool = next((format for format in formats.tools() if format.recognizes(start_of_text)), None)
    if tool is not None:
        if not isinstance(task, Documenting):
            raise InputError(f"'{task.name}' has no spans and links to be found in it", path=name)
        annotated: Iterable[tuple[str, Document]]
        annotated = (("", document) for document in tool.read(text, name))
        if tool.name == label_studio.NAME:
            annotated = label_studio.by_annotator(text, name)
        for author, document in annotated:
            answer = task.of_document(document)
            yield ImportedAnswer(document.id, by or author, (answer,), document.text)
    elif _is_record(text):
        yield from _records(task, text, name)
    elif any(column.startswith(_ANSWER) for column in read_header(text[: 2**20], name)):
        table = [row for _, row in read_fields(name, data, {})]
        replaced = {row.get("replaces") for row in table} - {None, ""}
        for row in table:
            if row.get("id") not in replaced:
                yield from _read_row(row)
    else:
        mapping = {"gold": "chains"} if _needs_chains(task, name, text) else {}
        for item in task.read(name, data, mapping):
            if item.gold is not None:
                answer = {field: value for field, value in item.gold.items() if field != "note"}
                item_text = str(item.content.get("text", ""))
                yield ImportedAnswer(item.key, by or "", (answer,), item_text)


def _needs_chains(task: Task, name: str, text: str) -> bool:
    """Return True for a corpus file whose chains are the answers of a coreference task."""
    if task.name != "coreference" or text.lstrip().startswith("{"):
        return False
    try:
        formats.recognize(text, name, "coreference")
    except InputError:
        return False
    return True


def _is_record(text: str) -> bool:
    """Return True if the first line is a `CampaignRecord`."""
    line = text.lstrip().partition("\n")[0]
    return line.startswith("{") and all(f'"{name}"' in line for name in ("made", "answer", "item"))


def _records(task: Task, text: str, name: str) -> Iterator[ImportedAnswer]:
    decode = msgspec.json.Decoder(CampaignRecord).decode
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                records.append(decode(line))
            except (msgspec.DecodeError, RecursionError) as error:
                message = f"not a record: {error_message(error)}"
                raise InputError(message, path=name, line=number) from error
    for record in current_records(records):
        if record.task != task.name:
            raise InputError(f"answers to '{record.task}', not to '{task.name}'", path=name)
        if isinstance(record, CampaignRecord) and not record.excluded:
            by, moment = record.made.by, record.made.at
            at = from_iso(moment) if moment else None
            yield ImportedAnswer(record.item, by, (record.answer,), "", at, record.seconds)


def _read_row(row: Mapping[str, str]) -> Iterator[ImportedAnswer]:
    """Yield the answer in a row of an exported table, unless its annotator is excluded."""
    if row.get("excluded") == "true":
        return
    cells = {
        name.removeprefix(_ANSWER): (cell[1:] if _GUARDED.match(cell) else cell)
        for name, cell in row.items()
        if name.startswith(_ANSWER) and cell != ""
    }
    decoded = {name: _parse_json(cell) for name, cell in cells.items()}
    only_nested = {
        name: value if isinstance(value, dict | list) else cells[name]
        for name, value in decoded.items()
    }
    at = from_iso(row["submitted"]) if row.get("submitted") else None
    seconds = float(row.get("seconds") or 0)
    choices = (decoded,) if decoded == only_nested else (decoded, only_nested)
    yield ImportedAnswer(row["item"], row.get("annotator", ""), choices, "", at, seconds)


def _parse_json(cell: str) -> Any:
    try:
        return msgspec.json.decode(cell)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return cell


class _Import:
    """An import in progress: the campaign's items and people, and counts of answers."""

    def __init__(self, connection: Connection, campaign: Campaign, task: Task) -> None:
        self.connection = connection
        self.campaign = campaign
        self.task = task
        self.added = self.known = 0
        self.people: dict[str, str] = {}
        columns = (items.c.id, items.c.key, items.c.content, items.c.gold)
        rows = connection.execute(select(*columns).where(items.c.campaign == campaign.id))
        self._items = {row.key: row for row in rows}
        self._texts = {
            _strip_blanks(str(codec.decode(row.content).get("text", ""))): row
            for row in self._items.values()
        }
        self._guideline = guidelines.latest(connection, campaign.id)

    def add(self, imported: ImportedAnswer) -> None:
        """Add an answer, unless it exists already."""
        row = self._items.get(imported.item) or (
            imported.text and self._texts.get(_strip_blanks(imported.text))
        )
        if not row:
            raise InputError("the campaign has no such item: import the items first")
        content = codec.decode(row.content)
        answer = self._stored_form(content, imported)
        person = self._person(imported.by)
        query = (
            select(answers.c.answer)
            .where(answers.c.item == row.id, answers.c.annotator == person)
            .order_by(answers.c.submitted.desc())
        )
        stored = self.connection.execute(query).scalars().first()
        if stored is not None:
            if codec.decode(stored) != answer:
                raise InputError("another answer is there already")
            self.known += 1
            return
        at = now() if imported.at is None else imported.at
        gold = None if row.gold is None else codec.decode(row.gold)
        shared = {
            "campaign": self.campaign.id,
            "item": row.id,
            "annotator": person,
            "given": at,
            "guideline": self._guideline,
        }
        assignment = {**shared, "state": "done", "expires": at, "finished": at, "seed": _SEED}
        inserted = self.connection.execute(insert(assignments), assignment).inserted_primary_key
        assert inserted
        self.connection.execute(
            insert(answers),
            {
                **shared,
                "id": secrets.token_hex(16),
                "assignment": inserted[0],
                "nonce": "imported",
                "answer": codec.encode(answer, "the answer"),
                "score": None if gold is None else float(self.task.score(content, gold, answer)),
                "submitted": at,
                "seconds": imported.seconds,
            },
        )
        taken = update(items).where(items.c.id == row.id).values(taken=items.c.taken + 1)
        self.connection.execute(taken)
        self.added += 1

    def _stored_form(self, content: Json, imported: ImportedAnswer) -> Json:
        """Return an answer in the form that is stored, checked by the task."""
        options = self.campaign.settings.options
        problems: list[InputError] = []
        for choice in imported.choices:
            try:
                sent = self.task.answer_to_page(content, _SEED, options, choice)
                return self.task.from_page(content, _SEED, options, sent)
            except InputError as error:
                problems.append(error)
        raise problems[0]

    def _person(self, by: str) -> str:
        """Return the id of the annotator with a name or pseudonym; add one if there is none."""
        if by in self.people:
            return self.people[by]
        codec.check_text(by, "the annotator", _NAME_CHARACTERS, least=1)
        of_campaign = select(annotators.c.id).where(
            annotators.c.campaign == self.campaign.id,
            (annotators.c.id == by) | (annotators.c.name == by),
        )
        id = self.connection.execute(of_campaign).scalars().first()
        if id is None:
            taken = select(annotators.c.id).where(annotators.c.id == by)
            is_free = bool(_PSEUDONYM.fullmatch(by)) and not self.connection.execute(taken).first()
            id = by if is_free else pseudonym()
            row = {
                "id": id,
                "campaign": self.campaign.id,
                "name": "" if is_free else by,
                "state": "active",
                "stage": self.campaign.last,
                "created": now(),
                "seen": now(),
            }
            self.connection.execute(insert(annotators), row)
        self.people[by] = id
        return id


def _strip_blanks(text: str) -> str:
    return "".join(text.split())
