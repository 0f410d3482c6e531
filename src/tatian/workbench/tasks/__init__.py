"""What can be asked of annotators: one file per task, the same shape each, chosen by name.

A task knows its items, its answers, its instructions and its page; campaigns, assignment, storage
and the web server know none of that. Other packages add tasks under the entry point group
``tatian.workbench``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from tatian.registry import Registry
from tatian.text.records import Record
from tatian.workbench.settings import Stage

Plain = dict[str, Any]
"""What JSON can say, as the database and the browser hold it."""


class NewItem(Struct, frozen=True, omit_defaults=True):
    """An item before it is stored."""

    key: str
    """Names it within the campaign, as its source does."""
    content: Plain
    gold: Plain | None = None
    """The right answer, of training items and hidden tests."""
    stage: int | None = None
    """The stage it belongs to; None: the last."""
    test: bool = False
    priority: int = 0
    deadline: int | None = None


class Exported(Struct, frozen=True):
    """One file of an export in the task's own formats."""

    name: str
    data: bytes


class Task(Protocol):
    """What a task does. Methods raise InputError where something does not fit."""

    name: str
    """As in ``Record.task``: ``union``, ``union.judge``, ``mentions.detect``."""
    title: str
    folder: Path
    """Where its files lie; browsers are given those in ``page``, and no others."""
    module: str
    """The JavaScript module of its page, in ``page``."""
    columns: tuple[str, ...]
    """The columns or fields of files that it reads, which `read` may be told other names of."""
    demo_stages: tuple[Stage, ...]
    """The stages of its demo campaign; `demo` has items of each, the last is production."""

    def guidelines(self) -> str:
        """Instructions in Markdown; a line ``## Title`` begins a tab."""
        ...

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Items from a file of one of the formats of this house; `name` is what errors call it.

        `mapping` renames columns or fields: {ours: theirs}.
        """
        ...

    def content(self, plain: Plain) -> Plain:
        """The content of an item, checked and complete."""
        ...

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """The right answer to an item of that content, checked and complete."""
        ...

    def check_options(self, options: Plain) -> None:
        """Refuse options that a campaign of this task cannot run with, before anybody sees it."""
        ...

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """What the browser is given: nothing that would unblind, shuffled by `seed`."""
        ...

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """What the browser sent, checked against the content and unshuffled: what is stored."""
        ...

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """The opposite of `received`: a stored answer as its page sent it, shuffled again.

        Annotators are given their own answers only in this shape, so that they stay blind.
        """
        ...

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """How right a stored answer is, 0 to 1."""
        ...

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """What a training page shows beside one's own answer."""
        ...

    def suggest(self, content: Plain) -> Plain | None:
        """A model's draft in the shape of a page's state; None where no model has one."""
        ...

    def export(
        self, items: Sequence[NewItem], records: Sequence[Record[Plain]]
    ) -> Iterable[Exported]:
        """The answers in the formats that this house's scorers and dataset builders read."""
        ...

    def demo(self) -> Sequence[NewItem]:
        """A few items to look around with, of each stage of `demo_stages`."""
        ...


tasks: Registry[Task] = Registry(
    "workbench",
    {
        "aggregation": "tatian.workbench.tasks.aggregation:AggregationTask",
        "union": "tatian.workbench.tasks.union:UnionTask",
        "union.judge": "tatian.workbench.tasks.judging:JudgingTask",
        "union.mark": "tatian.workbench.tasks.marking:MarkingTask",
        "mentions.detect": "tatian.workbench.tasks.detection:DetectionTask",
        "mentions.confirm": "tatian.workbench.tasks.confirmation:ConfirmationTask",
        "coreference": "tatian.workbench.tasks.coreference:CoreferenceTask",
    },
    "union",
    method="received",
    noun="task",
)
