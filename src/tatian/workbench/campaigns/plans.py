"""Plans of new campaigns: from files, or for the second round of mention detection."""

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
from tatian.formats.labels import Detection
from tatian.mentions import annotation as ground_truth
from tatian.text.streams import open_stream
from tatian.workbench import fields, protocols
from tatian.workbench.campaigns import campaigns, item_files, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import items_for_export, read_records
from tatian.workbench.errors import explain_error
from tatian.workbench.settings import CampaignSettings, CampaignStage, NewSettings
from tatian.workbench.tasks import NewItem, Task, tasks
from tatian.workbench.tasks.confirmation import ConfirmationTask
from tatian.workbench.tasks.detection import DetectionTask, text_of, typed_records
from tatian.workbench.tasks.items import error_message

T = TypeVar("T")
_ENDINGS = re.compile(r"(\.(gz|csv|tsv|jsonl?|ndjson|txt))+$", re.IGNORECASE)


class CampaignFile(Struct, frozen=True):
    """The unpacked content of a file."""

    name: str
    """Name in errors."""
    data: bytes

    @classmethod
    def read(cls, path: str) -> CampaignFile:
        """Read a file on this machine, plain or gzipped; ``-`` is standard input."""
        with open_stream(path, limit=limits.CAMPAIGN_FILE_BYTES) as stream:
            return cls(stream.name, stream.read())

    @property
    def stem(self) -> str:
        """Name without folders and endings, as a prefix of keys."""
        return _ENDINGS.sub("", Path(self.name).name) or "file"

    def text(self) -> str:
        """Return the content as text."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8 text: {error}", path=self.name) from error

    def settings(self) -> CampaignSettings:
        """Return the settings of a campaign in JSON."""
        return self._decode(NewSettings).settings()

    def change(self) -> dict[str, Any]:
        """Return only the settings that JSON mentions."""
        new = self._decode(NewSettings)
        return {name: getattr(new, name) for name in self._decode(dict[str, Any])}

    def _decode(self, type: type[T]) -> T:
        try:
            return msgspec.json.decode(self.data, type=type)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            message = error_message(error)
            if isinstance(error, msgspec.ValidationError):
                message = explain_error(error, type)
            raise InputError(f"not a campaign's settings: {message}", path=self.name) from error


class CampaignPlan(Struct, frozen=True):
    """Content of a campaign that does not exist yet."""

    id: str
    task: str
    title: str
    settings: CampaignSettings
    guidelines: str
    items: tuple[NewItem, ...]

    def counts(self) -> Counter[tuple[int, bool]]:
        """Return the number of items by stage and by whether they are hidden tests."""
        last = len(self.settings.stages) - 1
        return Counter(
            (last if item.stage is None else item.stage, item.test) for item in self.items
        )

    def empty_stages(self) -> list[str]:
        """Return the names of the stages without items."""
        counts, stages = self.counts(), enumerate(self.settings.stages)
        return [stage.name for number, stage in stages if not counts[number, False]]


def create_planned(connection: Connection, plan: CampaignPlan, actor: str) -> Campaign:
    """Create the planned campaign as a draft, completely or not at all."""
    values = plan.id, plan.task, plan.title, plan.settings, plan.guidelines
    campaign = campaigns.create(connection, *values, actor)
    if plan.items:
        items.add(connection, campaign, plan.items, actor)
    return campaign


def plan_campaign(
    id: str,
    files: Sequence[CampaignFile],
    *,
    task: str | None = None,
    protocol: str | None = None,
    title: str | None = None,
    settings: CampaignSettings | None = None,
    changes: Mapping[str, Any] | None = None,
    values: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    training: Sequence[tuple[str, CampaignFile]] = (),
    tests: Sequence[CampaignFile] = (),
    gold: bool = True,
) -> CampaignPlan:
    """Return the campaign that files and options describe.

    A `protocol` gives the task and the initial settings. `changes`, then `values` written as
    ``NAME=VALUE``, change `settings`. `training` names stages before production, in order.
    """
    if protocol is not None:
        if settings is not None:
            raise InputError("settings come from a protocol or from a file: name one of them")
        task, settings = protocol_task(protocol, task), protocols.initial_settings(protocol)
    if task is None:
        raise InputError(
            f"say what is asked, with one of the tasks {', '.join(tasks.names())}, or with one of "
            f"the protocols {', '.join(protocols.PROTOCOLS)}"
        )
    annotation_task = tasks.create(task)
    new_settings = replace(settings or CampaignSettings(), **(changes or {}))
    new_settings = fields.change_settings(new_settings, values, annotation_task.options)
    new_settings = add_stages(new_settings, [name for name, _ in training])
    return CampaignPlan(
        id,
        task,
        id if title is None else title,
        new_settings,
        annotation_task.guidelines(),
        read_item_files(annotation_task, files, mapping, training, tests, new_settings, gold=gold),
    )


def protocol_task(protocol: str, task: str | None = None) -> str:
    """Return the task of a protocol; raise InputError if `task` is another."""
    own_task = protocols.get_protocol(protocol).task
    if task not in (None, own_task):
        raise InputError(
            f"the protocol '{protocol}' is for the task '{own_task}', not for '{task}'"
        )
    return own_task


def read_item_files(
    task: Task,
    files: Sequence[CampaignFile],
    mapping: Mapping[str, str] | None = None,
    training: Sequence[tuple[str, CampaignFile]] = (),
    tests: Sequence[CampaignFile] = (),
    settings: CampaignSettings | None = None,
    *,
    gold: bool = True,
) -> tuple[NewItem, ...]:
    """Return the items of several files; if keys are equal, the file's name goes before them.

    With training or tests, a mapping of ``gold`` applies to `files` only if they have that column.
    """
    names = [stage.name for stage in (settings or CampaignSettings()).stages]
    mapping = dict(mapping or {})
    without_gold = {ours: theirs for ours, theirs in mapping.items() if ours != "gold"}

    def mapping_of(file: CampaignFile) -> dict[str, str]:
        if not (training or tests) or "gold" not in mapping:
            return mapping
        has_gold = item_files.has_column(file.name, file.data, mapping["gold"])
        return mapping if has_gold else without_gold

    def read_items(file: CampaignFile, mapping: dict[str, str], **options: Any) -> list[NewItem]:
        return item_files.read_items(task, file.name, file.data, mapping, **options)

    items_by_file = [
        *((file, read_items(file, mapping, stage=names.index(name))) for name, file in training),
        *((file, read_items(file, mapping_of(file), gold=gold)) for file in files),
        *((file, read_items(file, mapping, test=True)) for file in tests),
    ]
    all_items = [item for _, new in items_by_file for item in new]
    if len({item.key for item in all_items}) < len(all_items) and len(items_by_file) > 1:
        all_items = [
            replace(item, key=f"{file.stem}:{item.key}")
            for file, new in items_by_file
            for item in new
        ]
    return tuple(all_items)


def add_stages(settings: CampaignSettings, training: Sequence[str]) -> CampaignSettings:
    """Return the settings with a stage for each kind of training that is new."""
    names = {stage.name for stage in settings.stages}
    new = tuple(
        CampaignStage(name, feedback=True) for name in dict.fromkeys(training) if name not in names
    )
    if settings.stages and settings.stages[-1].name in training:
        raise InputError(f"'{settings.stages[-1].name}' is production: name a stage before it")
    if new and len(settings.stages) > 1:
        raise InputError(f"the settings have no stage '{new[0].name}'")
    return replace(settings, stages=new + settings.stages)


def plan_second_round(
    connection: Connection,
    detection: Campaign,
    id: str,
    *,
    annotators: int = 10,
    repeats: bool = False,
) -> CampaignPlan:
    """Return a campaign to confirm all links that people made in a campaign so far.

    Each page of each linked phrase is a candidate. With `repeats`, a term that was linked at one
    place is a candidate at its other places too (§8.1, technical guideline 5). The benchmark had
    ten annotators (§3).

    The new campaign has the same knowledge base, consent, requirements, pay, and minimum number of
    items. If the first campaign follows the benchmark's protocol, this one follows that of the
    second round. Panel settings are kept without the codes, since a second study has its own.
    """
    if detection.task != DetectionTask.name:
        raise InputError(
            f"campaign '{detection.id}' asks for '{detection.task}': only what "
            f"'{DetectionTask.name}' gathered can be confirmed"
        )
    exported = items_for_export(connection, detection, everything=False, retired=False)
    texts = {item.key: text_of(item) for item in exported}
    records = typed_records(
        list(read_records(connection, detection, everything=False)), texts, Detection
    )
    links = ground_truth.union(records, texts, repeats=repeats)
    task = ConfirmationTask()
    items = [
        NewItem(key, task.item_content(text, links[key]))
        for key, text in texts.items()
        if links.get(key)
    ]
    if not items:
        raise EmptyInput(f"nobody has linked anything in campaign '{detection.id}' yet")
    old_settings = detection.settings
    next_protocol = {"mentions-2018": "mentions-confirm-2018"}.get(old_settings.protocol)
    settings = replace(
        protocols.initial_settings(next_protocol) if next_protocol else CampaignSettings(),
        annotators=annotators,
        least=min(old_settings.least, len(items)),
        panel=old_settings.panel
        and replace(old_settings.panel, code="", failed="", excluded="", over="", redirect=""),
        consent=old_settings.consent,
        requirements=old_settings.requirements,
        pay=old_settings.pay,
        options=old_settings.options,
    )
    return CampaignPlan(
        id,
        ConfirmationTask.name,
        f"{detection.title}: confirmation",
        settings,
        task.guidelines(),
        tuple(items),
    )
