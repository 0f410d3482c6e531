"""The second round of mention detection out of the first: a campaign of what anybody linked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from sqlalchemy import Connection

from tatian.errors import EmptyInput, InputError
from tatian.mentions import ground_truth
from tatian.mentions.annotation import Detection
from tatian.mentions.data.records import LinkedText
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.plans import File, Plan, gather, staged
from tatian.workbench.campaigns.records import exported_items, recorded
from tatian.workbench.settings import Panel, Settings
from tatian.workbench.tasks import NewItem, Plain, tasks
from tatian.workbench.tasks.agreement import Answers
from tatian.workbench.tasks.confirmation import ConfirmationTask, plain_terms
from tatian.workbench.tasks.detection import Content, DetectionTask
from tatian.workbench.tasks.detection.rules import records
from tatian.workbench.tasks.reading import converted


def plan(
    connection: Connection,
    detection: Campaign,
    id: str,
    *,
    title: str | None = None,
    annotators: int = 10,
    repeats: bool = False,
    guidelines: str | None = None,
    training: Sequence[tuple[str, File]] = (),
    tests: Sequence[File] = (),
) -> Plan:
    """What everybody linked in a campaign so far, as a campaign in which it is confirmed.

    Ten annotators is what the benchmark had (§3). The new campaign uses the same knowledge base,
    and asks people on the same terms: consent, requirements, pay, and the fewest items that count.
    From a panel they come in the same way, but a second study has codes of its own to go back with.
    `training` names stages before production, in order, with files that have the right verdicts;
    `tests` are files of hidden test questions.
    """
    if detection.task != DetectionTask.name:
        raise InputError(
            f"campaign '{detection.id}' asks for '{detection.task}': only what "
            f"'{DetectionTask.name}' gathered can be confirmed"
        )
    contents = {
        item.key: item.content
        for item, retired in exported_items(connection, detection, everything=False)
        if not retired
    }
    answers: dict[str, dict[str, Plain]] = {}
    for record in recorded(connection, detection, everything=False):
        answers.setdefault(record.item, {})[record.made.by] = record.answer
    items = confirmation_items(contents, answers, repeats=repeats)
    if not items:
        raise EmptyInput(f"nobody has linked anything in campaign '{detection.id}' yet")
    first = detection.settings
    settings = Settings(
        annotators=annotators,
        least=min(first.least, len(items)),
        panel=None if first.panel is None else _without_codes(first.panel),
        consent=first.consent,
        requirements=first.requirements,
        pay=first.pay,
        options=first.options,
    )
    settings = staged(settings, [name for name, _ in training])
    task = tasks.create(ConfirmationTask.name)
    known = gather(task, (), None, training, tests, settings)
    return Plan(
        id,
        ConfirmationTask.name,
        title or f"{detection.title}: confirmation",
        settings,
        (guidelines or task.guidelines(),),
        (*known, *items),
    )


def _without_codes(panel: Panel) -> Panel:
    return replace(panel, code="", failed="", excluded="", over="", redirect="")


def confirmation_items(
    contents: Mapping[str, Plain], answers: Mapping[str, Answers], *, repeats: bool = False
) -> list[NewItem]:
    """An item for each text in which anybody linked anything, in the order of `contents`.

    Every place and page is a candidate of its own. With `repeats` a term that was linked at one
    place is a candidate at its other places too (§8.1, technical guideline 5).
    """
    texts = {key: _text(key, content) for key, content in contents.items()}
    known = {key: by_person for key, by_person in answers.items() if key in texts}
    detections = records(known, Detection, "mentions.detect")
    found = ground_truth.union(detections, texts, repeats=repeats)
    task = ConfirmationTask()
    return [
        NewItem(
            key,
            task.content(
                {"text": text.text, "topic": text.topic, "candidates": plain_terms(found[key])}
            ),
        )
        for key, text in texts.items()
        if found.get(key)
    ]


def _text(key: str, content: Plain) -> LinkedText:
    item = converted(content, Content, f"item '{key}'")
    return LinkedText(key, item.text, item.topic)
