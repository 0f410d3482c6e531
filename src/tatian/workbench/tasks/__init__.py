"""What can be asked of annotators: a package for each task, the same shape each, chosen by name.

A task knows its items, its answers, its instructions and its page; campaigns, assignment, storage
and the web server know none of that. Other packages add tasks under the entry point group
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
from tatian.workbench.tasks.items import NewItem, Plain, converted, each, gold, item, plain

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
"""What people answered, in the order of their answers."""


class Exported(Struct, frozen=True):
    """One file of an export in the task's own formats."""

    name: str
    content: bytes | Iterable[bytes]
    """The whole file, or its pieces, which are made only as they are written."""

    @classmethod
    def lines(cls, name: str, values: Iterable[Any]) -> Exported:
        """A file with each value as a line of JSON."""
        return cls(name, (msgspec.json.encode(value) + b"\n" for value in values))

    def chunks(self) -> Iterable[bytes]:
        """Its bytes, piece by piece, once."""
        return (self.content,) if isinstance(self.content, bytes) else self.content

    @property
    def data(self) -> bytes:
        """All of it, where pieces have not been read yet."""
        return b"".join(self.chunks())


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign can be told where there is nothing to tell it."""


class Task(ABC):
    """What a task does. Methods raise InputError where something does not fit."""

    name: str
    """As in ``Record.task`` and in the registry: ``union``, ``mentions.detect``."""
    title: str
    folder: Path
    """Where its files lie: ``guidelines.md``, ``demo.jsonl``, and the folder ``page``, which is all
    of it that browsers are given."""
    module: str
    """The JavaScript module of its page, in ``page``."""
    columns: tuple[str, ...]
    """The columns or fields of files that it reads, which `read` may be told other names of."""
    holds: Callable[[Any], Struct]
    """Makes the struct of an item's content: `items.form`; refuses what is none."""
    demo_stages: tuple[CampaignStage, ...]
    """The stages of its demo campaign; `demo` has items of each, the last is production."""
    options: ClassVar[type[Struct]] = NoOptions
    """What a campaign of it can be told."""
    usual_rule: RuleName = "majority"
    """From how many on something is agreed, unless somebody names another rule."""

    def rule(self, settings: CampaignSettings) -> RuleName:
        """The rule of a campaign: the one that its settings name, or the usual one."""
        return settings.rule or self.usual_rule

    def guidelines(self) -> str:
        """Instructions in Markdown; a line ``## Title`` begins a tab."""
        return (self.folder / "guidelines.md").read_text("utf-8")

    def demo(self) -> Sequence[NewItem]:
        """A few items to look around with, of each stage of `demo_stages`."""
        file = self.folder / "demo.jsonl"
        return list(self.read(file.name, file.read_bytes(), {}))

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Items from a file, of lines of JSONL or rows of a table unless a task reads others, too.

        `name` is what errors call the file, `mapping` renames columns or fields: {ours: theirs}.
        """
        return each(name, data, mapping, self.item)

    def item(self, row: Plain, number: int) -> NewItem:
        """The item of a line or row; one without an id is called by its number."""
        content, right = self.row(row), gold(row)
        return item(row, number, content, None if right is None else self.gold(content, right))

    def row(self, row: Plain) -> Plain:
        """The content of an item out of its line or row."""
        return self.content({name: row[name] for name in self.columns if row.get(name)})

    def content(self, content: Plain) -> Plain:
        """The content of an item, checked and complete."""
        return plain(self.holds(content))

    @abstractmethod
    def gold(self, content: Plain, gold: Any) -> Plain:
        """The right answer to an item of that content, checked and complete."""

    def check_options(self, options: Plain) -> None:
        """Refuse options that a campaign of this task cannot run with, before anybody sees it."""
        converted(options, self.options, "options of the campaign")

    @abstractmethod
    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """What the browser is given: nothing that would unblind, shuffled by `seed`."""

    @abstractmethod
    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """What the browser sent, checked against the content and unshuffled: what is stored."""

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """The opposite of `received`: a stored answer as its page sent it, shuffled again.

        Annotators are given their own answers only in this shape, so that they stay blind.
        """
        return answer

    @abstractmethod
    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """How right a stored answer is, 0 to 1."""

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """What a training page shows beside one's own answer."""
        score = self.score(content, gold, answer)
        return {"gold": gold, "note": gold.get("note", ""), "score": score}

    def suggest(self, content: Plain) -> Plain | None:
        """A model's draft in the shape of a page's state; None where no model has one."""
        return None

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """How far annotators agree, over all items that two or more answered."""
        return [equal_answers(answers)]

    def settled(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """What the answers agree on under a rule, and where they differ."""
        return most_common(answers)

    @abstractmethod
    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """The answers in the formats that this house's scorers and dataset builders read.

        Both can be gone through more than once, and are read anew each time: a task that keeps
        neither can export however many there are.
        """


def standing(records: Records, items: Container[str] | None = None) -> Iterator[Record[Plain]]:
    """The records that no later one replaces; only those about `items`, where these are named."""
    replaced = {record.replaces for record in records}
    kept = (one for one in records if one.id not in replaced)
    return (one for one in kept if items is None or one.item in items)


def by_model(draft: Callable[P, T]) -> Callable[P, T | None]:
    """A draft that a model makes, one at a time; None where the model cannot work."""
    turn = threading.Lock()

    @wraps(draft)
    def drafted(*given: P.args, **named: P.kwargs) -> T | None:
        try:
            with turn:
                return draft(*given, **named)
        except TatianError:
            return None

    return drafted


class Note(Struct, frozen=True, omit_defaults=True):
    """Something that a rule says of one marked phrase."""

    markable: str
    """Its id in the answer."""
    rule: str
    section: str
    """Of the definition that the rule comes from."""
    severity: str
    """``error`` or ``advice``."""
    message: str
    advice: str
    """What to do about it."""


class Advice(Struct, frozen=True):
    """All notes on an answer, in the order of the text; nothing of it is stored."""

    notes: tuple[Note, ...]
    phrases: tuple[tuple[int, int, int, int], ...] | None = None
    """Where phrases that can be marked begin and end, and their heads; None where not asked for."""
    complete: bool = True
    """Whether every rule could be asked; some need an analysis that may not be installed."""


@runtime_checkable
class Advising(Protocol):
    """A task with rules that pages can ask while somebody works; advice never blocks an answer."""

    def advise(self, content: Plain, options: Plain, answer: Any, *, phrases: bool) -> Advice:
        """What the rules say; InputError where the answer cannot be read at all."""
        ...


@runtime_checkable
class Documenting(Protocol):
    """A task whose answers are spans and links of a text, which other tools can take over."""

    def document(self, key: str, content: Plain, answer: Plain | None) -> Document:
        """The item's text, with chains or links as an answer has them."""
        ...

    def of_document(self, document: Document) -> Plain:
        """The answer that a document's chains or links are."""
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
    method="received",
    noun="task",
)
