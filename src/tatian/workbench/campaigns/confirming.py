"""The second round of mention detection out of the first: a campaign of what anybody linked."""

from __future__ import annotations

from sqlalchemy import Connection

from tatian.errors import EmptyInput, InputError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.making import Plan
from tatian.workbench.campaigns.records import exported_items, recorded
from tatian.workbench.campaigns.settings import Settings
from tatian.workbench.tasks import Plain
from tatian.workbench.tasks.confirmation import ConfirmationTask
from tatian.workbench.tasks.confirmation_items import confirmation_items
from tatian.workbench.tasks.detection import DetectionTask


def plan(
    connection: Connection,
    detection: Campaign,
    id: str,
    *,
    title: str | None = None,
    annotators: int = 10,
    repeats: bool = False,
    guidelines: str | None = None,
) -> Plan:
    """What everybody linked in a campaign so far, as a campaign in which it is confirmed.

    Ten annotators is what the benchmark had (§3). The new campaign uses the same knowledge base.
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
    return Plan(
        id,
        ConfirmationTask.name,
        title or f"{detection.title}: confirmation",
        Settings(annotators=annotators, options=detection.settings.options),
        (guidelines or ConfirmationTask().guidelines(),),
        tuple(items),
    )
