"""Annotation tasks: one package each, all of the same shape, chosen by name.

A task knows its items, its answers, its instructions and its page. Campaigns, assignment, storage
and the web server know none of these. Other packages add tasks under the entry point group
``tatian.workbench``: docs/add-a-task.md.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar, ParamSpec, Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec import Struct

from tatian.errors import TatianError
from tatian.registry import Registry
from tatian.text import Document
from tatian.text.layers import Record
from tatian.workbench.settings import CampaignSettings, CampaignStage, RuleName
from tatian.workbench.tasks.agreement import (
    Answers,
    ByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    equal_answers,
    most_common,
)
from tatian.workbench.tasks.items import NewItem, Plain, convert, gold, item, read_rows, to_plain

__all__ = [
    "Advice",
    "Advising",
    "Documenting",
    "Exported",
    "NewItem",
    "Note",
    "Plain",
    "Task",
    "tasks",
]

P = ParamSpec("P")
T = TypeVar("T")
Records = Iterable[Record[Plain]]
"""Answers of all people, in the order of submission."""


class Exported(Struct, frozen=True):
    """A file of an export, in a format of the task."""

    name: str
    content: bytes | Iterable[bytes]
    """The whole file, or its pieces, which are made only as they are written."""

    @classmethod
    def lines(cls, name: str, values: Iterable[Any]) -> Exported:
        """Return a file with each value as a line of JSON."""
        return cls(name, (msgspec.json.encode(value) + b"\n" for value in values))

    def chunks(self) -> Iterable[bytes]:
        """Return the bytes piece by piece; works once."""
        return (self.content,) if isinstance(self.content, bytes) else self.content

    @property
    def data(self) -> bytes:
        """All bytes, if no piece was read before."""
        return b"".join(self.chunks())


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a task that has none."""


class Task(ABC):
    """Interface of a task. Methods raise InputError for data that does not fit."""

    name: str
    """Name in the registry and in ``Record.task``: ``union``, ``mentions.detect``."""
    title: str
    folder: Path
    """Folder with ``guidelines.md``, ``demo.jsonl`` and ``page``, the only part that browsers get.
    """
    module: str
    """JavaScript module of its page, in ``page``."""
    columns: tuple[str, ...]
    """Columns or fields of the files that it reads; the mapping of `read` can rename them."""
    holds: Callable[[Any], Struct]
    """Converts an item's content to its struct (`items.form`), and refuses anything else."""
    demo_stages: tuple[CampaignStage, ...]
    """Stages of its demo campaign; `demo` has items of each, the last is production."""
    options: ClassVar[type[Struct]] = NoOptions
    """Struct of the options that a campaign can set."""
    usual_rule: RuleName = "majority"
    """Voting rule unless the campaign names another."""

    def rule(self, settings: CampaignSettings) -> RuleName:
        """Return the rule of a campaign: the one in its settings, or the usual one."""
        return settings.rule or self.usual_rule

    def guidelines(self) -> str:
        """Return the instructions in Markdown; a line ``## Title`` begins a tab."""
        return (self.folder / "guidelines.md").read_text("utf-8")

    def demo(self) -> Sequence[NewItem]:
        """Return a few items to try the task with, of each stage of `demo_stages`."""
        file = self.folder / "demo.jsonl"
        return list(self.read(file.name, file.read_bytes(), {}))

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Read items from a file: lines of JSONL or rows of a table, unless a task reads others.

        `name` is what errors call the file, `mapping` renames columns or fields: {ours: theirs}.
        """
        return read_rows(name, data, mapping, self.item)

    def item(self, row: Plain, number: int) -> NewItem:
        """Return the item of a line or row; its number serves as id if it has none."""
        content, right = self.row(row), gold(row)
        return item(row, number, content, None if right is None else self.gold(content, right))

    def row(self, row: Plain) -> Plain:
        """Return the content of an item from its line or row."""
        return self.content({name: row[name] for name in self.columns if row.get(name)})

    def content(self, content: Plain) -> Plain:
        """Return the content of an item, checked and complete."""
        return to_plain(self.holds(content))

    @abstractmethod
    def gold(self, content: Plain, gold: Any) -> Plain:
        """Return the right answer to an item with that content, checked and complete."""

    def check_options(self, options: Plain) -> None:
        """Refuse options that a campaign of this task cannot run with, before anyone sees it."""
        convert(options, self.options, "options of the campaign")

    @abstractmethod
    def to_page(self, content: Plain, seed: int, options: Plain) -> Plain:
        """Return the data for the browser, shuffled by `seed`; nothing in it may unblind."""

    @abstractmethod
    def from_page(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Return the browser's answer in the form that is stored: checked and unshuffled."""

    def answer_to_page(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """Return a stored answer as its page sent it, shuffled again: the inverse of `from_page`.

        Annotators are given their own answers only in this shape, so that they stay blind.
        """
        return answer

    @abstractmethod
    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """Return how right a stored answer is, 0 to 1."""

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """Return the data that a training page shows beside a person's answer."""
        score = self.score(content, gold, answer)
        return {"gold": gold, "note": gold.get("note", ""), "score": score}

    def suggest(self, content: Plain) -> Plain | None:
        """Return a model's draft as the state of a page; None if no model has one."""
        return None

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """Return how far annotators agree, over all items that two or more answered."""
        return [equal_answers(answers)]

    def settle(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """Return what the answers agree on under a rule, and where they differ."""
        return most_common(answers)

    def lines(
        self,
        name: str,
        items: Iterable[NewItem],
        records: Records,
        line: Callable[[Record[Plain], Any], Any],
    ) -> Exported:
        """Return a file with a line for each current record, made of it and its item's content."""
        contents = {item.key: self.holds(item.content) for item in items}
        current = current_records(records, contents)
        return Exported.lines(name, (line(record, contents[record.item]) for record in current))

    @abstractmethod
    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield the answers in the formats that Tatian's scorers and dataset builders read.

        `items` and `records` can be iterated more than once and are read anew each time. A task
        that keeps neither in memory can export any number of them.
        """


def current_records(
    records: Records, items: Container[str] | None = None
) -> Iterator[Record[Plain]]:
    """Yield the records that no later one replaces; if `items` is given, only those about them."""
    replaced = {record.replaces for record in records}
    kept = (record for record in records if record.id not in replaced)
    return (record for record in kept if items is None or record.item in items)


def by_model(draft: Callable[P, T]) -> Callable[P, T | None]:
    """Wrap a draft that a model makes, one call at a time; it is None if the model fails."""
    turn = threading.Lock()

    @wraps(draft)
    def drafted(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            with turn:
                return draft(*args, **kwargs)
        except TatianError:
            return None

    return drafted


class Note(Struct, frozen=True, omit_defaults=True):
    """Remark of a rule on one marked phrase."""

    markable: str
    """Id of the phrase in the answer."""
    rule: str
    section: str
    """Section of the definition that the rule comes from."""
    severity: str
    """``error`` or ``advice``."""
    message: str
    advice: str
    """Advice on what to do about it."""


class Advice(Struct, frozen=True):
    """All remarks on an answer, in the order of the text; they are not stored."""

    notes: tuple[Note, ...]
    phrases: tuple[tuple[int, int, int, int], ...] | None = None
    """Start and end of each phrase that can be marked, and of its head; None if not asked for."""
    complete: bool = True
    """True if every rule was checked; some need an analysis that may not be installed."""


@runtime_checkable
class Advising(Protocol):
    """Task with rules that pages check while a person works; advice never blocks an answer."""

    def advise(self, content: Plain, options: Plain, answer: Any, *, phrases: bool) -> Advice:
        """Return the remarks of the rules; InputError if the answer cannot be read at all."""
        ...


@runtime_checkable
class Documenting(Protocol):
    """Task whose answers are spans and links of a text, which other tools can read."""

    def document(self, key: str, content: Plain, answer: Plain | None) -> Document:
        """Return the item's text with the chains or links of an answer."""
        ...

    def of_document(self, document: Document) -> Plain:
        """Return a document's chains or links as an answer."""
        ...


tasks: Registry[Task] = Registry(
    "workbench",
    {
        "aggregation": "tatian.workbench.tasks.aggregation:AggregationTask",
        "union": "tatian.workbench.tasks.union:UnionTask",
        "union.judge": "tatian.workbench.tasks.judging:JudgingTask",
        "union.mark": "tatian.workbench.tasks.marking:MarkingTask",
        "union.errors": "tatian.workbench.tasks.causes:CausesTask",
        "union.skips": "tatian.workbench.tasks.skips:SkipsTask",
        "union.relations": "tatian.workbench.tasks.relations:RelationsTask",
        "mentions.detect": "tatian.workbench.tasks.detection:DetectionTask",
        "mentions.confirm": "tatian.workbench.tasks.confirmation:ConfirmationTask",
        "coreference": "tatian.workbench.tasks.coreference:CoreferenceTask",
    },
    "union",
    method="from_page",
    noun="task",
)
