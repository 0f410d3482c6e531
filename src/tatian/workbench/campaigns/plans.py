"""A campaign in one step: from files, or as the second round of mention detection."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from tatian import limits
from tatian.errors import EmptyInput, InputError
from tatian.mentions import annotation as ground_truth
from tatian.mentions.annotation import Detection
from tatian.text.streams import open_stream
from tatian.workbench import fields, protocols
from tatian.workbench.campaigns import campaigns, item_files, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import exported_items, recorded
from tatian.workbench.errors import explained
from tatian.workbench.settings import (
    CampaignSettings,
    CampaignStage,
    NewSettings,
)
from tatian.workbench.tasks import NewItem, Task, tasks
from tatian.workbench.tasks.confirmation import ConfirmationTask
from tatian.workbench.tasks.detection import DetectionTask, text_of
from tatian.workbench.tasks.detection.agreement import typed

T = TypeVar("T")
_ENDING = re.compile(r"(\.(gz|csv|tsv|jsonl?|ndjson|txt))+$", re.IGNORECASE)


class File(Struct, frozen=True):
    """A file's bytes, unpacked, and what errors call it."""

    name: str
    data: bytes

    @classmethod
    def read(cls, path: str) -> File:
        """A file on this machine, plain or gzipped; ``-`` is standard input."""
        with open_stream(path, limit=limits.CAMPAIGN_FILE_BYTES) as stream:
            return cls(stream.name, stream.read())

    @property
    def stem(self) -> str:
        """Its name without folders and endings, to tell items of two files apart."""
        return _ENDING.sub("", Path(self.name).name) or "file"

    def text(self) -> str:
        """Its text, such as guidelines."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8 text: {error}", path=self.name) from error

    def settings(self) -> CampaignSettings:
        """Its JSON as a campaign's settings."""
        return self._read(NewSettings).settings()

    def change(self) -> dict[str, Any]:
        """Its JSON as what of a campaign's settings is to be different; the rest stays."""
        new = self._read(NewSettings)
        return {name: getattr(new, name) for name in self._read(dict[str, Any])}

    def _read(self, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(self.data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            message = str(error).replace("`", "'")
            if isinstance(error, msgspec.ValidationError):
                message = explained(error, kind)
            raise InputError(f"not a campaign's settings: {message}", path=self.name) from error


class CampaignPlan(Struct, frozen=True):
    """A campaign that is not there yet."""

    id: str
    task: str
    title: str
    settings: CampaignSettings
    guidelines: str
    items: tuple[NewItem, ...]

    def counts(self) -> Counter[tuple[int, bool]]:
        """How many items there are, by stage and by whether they are hidden tests."""
        last = len(self.settings.stages) - 1
        return Counter((last if one.stage is None else one.stage, one.test) for one in self.items)

    def empty_stages(self) -> list[str]:
        """The names of the stages that none of the items is of."""
        counts = self.counts()
        stages = enumerate(self.settings.stages)
        return [stage.name for at, stage in stages if not counts[at, False]]


def make(connection: Connection, plan: CampaignPlan, actor: str) -> Campaign:
    """Create what is planned, as a draft; all of it or nothing."""
    told = plan.guidelines
    made = campaigns.create(connection, plan.id, plan.task, plan.title, plan.settings, told, actor)
    if plan.items:
        items.add(connection, made, plan.items, actor)
    return made


def plan(
    id: str,
    files: Sequence[File],
    *,
    task: str | None = None,
    protocol: str | None = None,
    title: str | None = None,
    settings: CampaignSettings | None = None,
    changes: Mapping[str, Any] | None = None,
    values: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    training: Sequence[tuple[str, File]] = (),
    tests: Sequence[File] = (),
    gold: bool = True,
    guidelines: str | None = None,
) -> CampaignPlan:
    """What files and options together describe.

    A `protocol` says the task and the settings to begin with. `changes`, then `values` written as
    ``NAME=VALUE``, are made to `settings`. `training` names stages before production, in order.
    """
    if protocol is not None:
        if settings is not None:
            raise InputError("settings come from a protocol or from a file: name one of them")
        task, settings = task_of(protocol, task), protocols.begun(protocol)
    if task is None:
        raise InputError(
            f"say what is asked, with one of the tasks {', '.join(tasks.names())}, or with one of "
            f"the protocols {', '.join(protocols.PROTOCOLS)}"
        )
    asked = tasks.create(task)
    wanted = replace(settings or CampaignSettings(), **(changes or {}))
    wanted = fields.changed(wanted, values, asked.options)
    wanted = staged(wanted, [name for name, _ in training])
    return CampaignPlan(
        id,
        task,
        id if title is None else title,
        wanted,
        asked.guidelines() if guidelines is None else guidelines,
        gather(asked, files, mapping, training, tests, wanted, gold=gold),
    )


def task_of(protocol: str, task: str | None = None) -> str:
    """The task of a protocol; refuses another one beside it."""
    asks = protocols.protocol(protocol).task
    if task not in (None, asks):
        raise InputError(f"the protocol '{protocol}' is of the task '{asks}', not of '{task}'")
    return asks


def gather(
    task: Task,
    files: Sequence[File],
    mapping: Mapping[str, str] | None = None,
    training: Sequence[tuple[str, File]] = (),
    tests: Sequence[File] = (),
    settings: CampaignSettings | None = None,
    *,
    gold: bool = True,
) -> tuple[NewItem, ...]:
    """The items of several files; where two have items of one name, the file's name goes before.

    Where there is training or a test, a mapping of ``gold`` is also for those of `files` that have
    that column.
    """
    names = [stage.name for stage in (settings or CampaignSettings()).stages]
    mapping = dict(mapping or {})
    unanswered = {ours: theirs for ours, theirs in mapping.items() if ours != "gold"}

    def produced(file: File) -> dict[str, str]:
        if not (training or tests) or "gold" not in mapping:
            return mapping
        answered = item_files.has_column(file.name, file.data, mapping["gold"])
        return mapping if answered else unanswered

    def found(file: File, mapping: dict[str, str], **options: Any) -> list[NewItem]:
        return item_files.items(task, file.name, file.data, mapping, **options)

    read = [
        *((file, found(file, mapping, stage=names.index(name))) for name, file in training),
        *((file, found(file, produced(file), gold=gold)) for file in files),
        *((file, found(file, mapping, test=True)) for file in tests),
    ]
    together = [item for _, new in read for item in new]
    if len({item.key for item in together}) < len(together) and len(read) > 1:
        together = [
            replace(item, key=f"{file.stem}:{item.key}") for file, new in read for item in new
        ]
    return tuple(together)


def staged(settings: CampaignSettings, training: Sequence[str]) -> CampaignSettings:
    """The settings with a stage for each kind of training that they do not know yet."""
    known = {stage.name for stage in settings.stages}
    new = tuple(
        CampaignStage(name, feedback=True) for name in dict.fromkeys(training) if name not in known
    )
    if settings.stages and settings.stages[-1].name in training:
        raise InputError(f"'{settings.stages[-1].name}' is production: name a stage before it")
    if new and len(settings.stages) > 1:
        raise InputError(f"the settings have no stage '{new[0].name}'")
    return replace(settings, stages=new + settings.stages)


def second_round(
    connection: Connection,
    detection: Campaign,
    id: str,
    *,
    annotators: int = 10,
    repeats: bool = False,
) -> CampaignPlan:
    """What everybody linked in a campaign so far, as a campaign in which it is confirmed.

    Every place and page is a candidate of its own. With `repeats` a term that was linked at one
    place is a candidate at its other places too (§8.1, technical guideline 5).
    Ten annotators is what the benchmark had (§3). The new campaign uses the same knowledge base,
    and asks people on the same terms: consent, requirements, pay, and the fewest items that count.
    Where the first one follows the benchmark's protocol, this one follows that of its second round.
    From a panel they come in the same way, but a second study has codes of its own to go back with.
    """
    if detection.task != DetectionTask.name:
        raise InputError(
            f"campaign '{detection.id}' asks for '{detection.task}': only what "
            f"'{DetectionTask.name}' gathered can be confirmed"
        )
    kept = exported_items(connection, detection, everything=False, retired=False)
    texts = {item.key: text_of(item) for item in kept}
    given = typed(list(recorded(connection, detection, everything=False)), texts, Detection)
    found = ground_truth.union(given, texts, repeats=repeats)
    task = ConfirmationTask()
    items = [
        NewItem(key, task.asked(text, found[key])) for key, text in texts.items() if found.get(key)
    ]
    if not items:
        raise EmptyInput(f"nobody has linked anything in campaign '{detection.id}' yet")
    first = detection.settings
    follows = {"mentions-2018": "mentions-confirm-2018"}.get(first.protocol)
    settings = replace(
        protocols.begun(follows) if follows else CampaignSettings(),
        annotators=annotators,
        least=min(first.least, len(items)),
        panel=first.panel
        and replace(first.panel, code="", failed="", excluded="", over="", redirect=""),
        consent=first.consent,
        requirements=first.requirements,
        pay=first.pay,
        options=first.options,
    )
    return CampaignPlan(
        id,
        ConfirmationTask.name,
        f"{detection.title}: confirmation",
        settings,
        task.guidelines(),
        tuple(items),
    )
