"""Annotation tasks, each in its own package, chosen by name.

Only the task knows the form of its items and answers, its instructions and its page. Other packages
can add tasks under the entry point group ``tatian.workbench``, see docs/add-a-task.md.
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
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    equal_answers,
    most_common_answer,
)
from tatian.workbench.tasks.items import (
    Json,
    NewItem,
    convert,
    item_gold,
    make_item,
    read_rows,
    to_json,
)

__all__ = [
    "Advice",
    "Advising",
    "Documenting",
    "Exported",
    "Json",
    "NewItem",
    "Note",
    "Task",
    "tasks",
]

P = ParamSpec("P")
T = TypeVar("T")
Records = Iterable[Record[Json]]
"""Records of all answers, in the order of submission."""


class Exported(Struct, frozen=True):
    """A file of an export, in a format of the task."""

    name: str
    content: bytes | Iterable[bytes]
    """The whole file, or an iterable of its pieces."""

    @classmethod
    def lines(cls, name: str, values: Iterable[Any]) -> Exported:
        """Return a JSONL file with one value per line."""
        return cls(name, (msgspec.json.encode(value) + b"\n" for value in values))

    def chunks(self) -> Iterable[bytes]:
        """Return the pieces, which can be iterated only once."""
        return (self.content,) if isinstance(self.content, bytes) else self.content

    @property
    def data(self) -> bytes:
        """All bytes; only before `chunks` is used."""
        return b"".join(self.chunks())


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a task without options."""


class Task(ABC):
    """Interface of a task; its methods raise InputError for invalid data."""

    name: str
    """Name in the registry and in ``Record.task``, such as ``mentions.detect``."""
    title: str
    folder: Path
    """Folder with ``guidelines.md``, ``demo.jsonl`` and ``page``, whose files browsers can load."""
    module: str
    """JavaScript module of its page, in ``page``."""
    columns: tuple[str, ...]
    """Columns or fields of its input files."""
    convert_item: Callable[[Any], Struct]
    """Function that converts an item's content to its struct, such as `items.converter` returns."""
    demo_stages: tuple[CampaignStage, ...]
    """Stages of its demo campaign, the last one production; `demo` returns items of each."""
    options: ClassVar[type[Struct]] = NoOptions
    """Struct of the options that a campaign can set."""
    usual_rule: RuleName = "majority"
    """Default voting rule."""

    def rule(self, settings: CampaignSettings) -> RuleName:
        """Return the voting rule of a campaign, by default `usual_rule`."""
        return settings.rule or self.usual_rule

    def guidelines(self) -> str:
        """Return the instructions in Markdown; each ``## Title`` starts a tab."""
        return (self.folder / "guidelines.md").read_text("utf-8")

    def demo(self) -> Sequence[NewItem]:
        """Return the items of the demo campaign."""
        file = self.folder / "demo.jsonl"
        return list(self.read(file.name, file.read_bytes(), {}))

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Read items from a file, by default from JSONL or a table.

        `name` is the file's name in errors. `mapping` maps names of `columns` to those of the file.
        """
        return read_rows(name, data, mapping, self.item)

    def item(self, row: Json, number: int) -> NewItem:
        """Return the item of a line or row; its default id is its number."""
        content, right = self.row(row), item_gold(row)
        return make_item(row, number, content, None if right is None else self.gold(content, right))

    def row(self, row: Json) -> Json:
        """Return the content of an item from its line or row."""
        return self.content({name: row[name] for name in self.columns if row.get(name)})

    def content(self, content: Json) -> Json:
        """Return the content of an item, checked and with defaults filled in."""
        return to_json(self.convert_item(content))

    @abstractmethod
    def gold(self, content: Json, gold: Any) -> Json:
        """Return the gold answer to an item, checked and with defaults filled in."""

    def check_options(self, options: Json) -> None:
        """Raise InputError if a campaign cannot run with the options."""
        convert(options, self.options, "options of the campaign")

    @abstractmethod
    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the data for the page, shuffled by `seed`; it must not reveal blinded data."""

    @abstractmethod
    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return the page's answer in the form that is stored: checked and unshuffled."""

    def answer_to_page(self, content: Json, seed: int, options: Json, answer: Json) -> Json:
        """Return a stored answer as the page sent it, shuffled by `seed`: inverts `from_page`."""
        return answer

    @abstractmethod
    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return the score of a stored answer against gold, from 0 to 1."""

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        """Return the feedback on an answer, which training pages show."""
        score = self.score(content, gold, answer)
        return {"gold": gold, "note": gold.get("note", ""), "score": score}

    def suggest(self, content: Json) -> Json | None:
        """Return a model's answer as the state of a page; None if there is none."""
        return None

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return measures of agreement on all items with several answers."""
        return [equal_answers(answers)]

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the agreed answer under a rule, with the differences."""
        return most_common_answer(answers)

    def lines(
        self,
        name: str,
        items: Iterable[NewItem],
        records: Records,
        line: Callable[[Record[Json], Any], Any],
    ) -> Exported:
        """Return a JSONL file of `line(record, content)` for each current record."""
        contents = {item.key: self.convert_item(item.content) for item in items}
        current = current_records(records, contents)
        return Exported.lines(name, (line(record, contents[record.item]) for record in current))

    @abstractmethod
    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield the answers in the formats that Tatian's scorers and dataset builders read.

        `items` and `records` can be iterated repeatedly, and need not fit into memory.
        """


def current_records(
    records: Records, items: Container[str] | None = None
) -> Iterator[Record[Json]]:
    """Yield the records that no later one replaces, of all items or of `items`."""
    replaced = {record.replaces for record in records}
    current = (record for record in records if record.id not in replaced)
    return (record for record in current if items is None or record.item in items)


def by_model(function: Callable[P, T]) -> Callable[P, T | None]:
    """Decorate a function that uses a model: run one call at a time; return None if it fails."""
    lock = threading.Lock()

    @wraps(function)
    def locked_function(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            with lock:
                return function(*args, **kwargs)
        except TatianError:
            return None

    return locked_function


class Note(Struct, frozen=True, omit_defaults=True):
    """Remark of a rule on a marked phrase."""

    markable: str
    """Id of the phrase in the answer."""
    rule: str
    section: str
    """Section of the definition that the rule comes from."""
    severity: str
    """``error`` or ``advice``."""
    message: str
    advice: str
    """Possible remedy."""


class Advice(Struct, frozen=True):
    """Remarks on an answer, in the order of the text."""

    notes: tuple[Note, ...]
    phrases: tuple[tuple[int, int, int, int], ...] | None = None
    """Start and end of each phrase that can be marked, and of its head; None if not requested."""
    complete: bool = True
    """True if all rules were checked; some need an analysis that may be unavailable."""


@runtime_checkable
class Advising(Protocol):
    """Task whose pages show remarks on unfinished answers."""

    def advise(self, content: Json, options: Json, answer: Any, *, phrases: bool) -> Advice:
        """Return the remarks on an answer; with `phrases`, also the phrases that can be marked."""


@runtime_checkable
class Documenting(Protocol):
    """Task whose answers can be converted to annotated documents."""

    def document(self, key: str, content: Json, answer: Json | None) -> Document:
        """Return the item's text with the chains or links of an answer."""

    def of_document(self, document: Document) -> Json:
        """Return a document's chains or links as an answer."""


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
