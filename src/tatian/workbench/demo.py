"""A campaign of each task to look around with, so that one command shows what there is."""

from __future__ import annotations

from sqlalchemy import Connection

from tatian.workbench.campaigns import campaigns, invitations
from tatian.workbench.campaigns.audit import COMMAND_LINE
from tatian.workbench.campaigns.invitations import path
from tatian.workbench.campaigns.plans import CampaignPlan, make
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.migrations import secret
from tatian.workbench.tasks import Task, tasks

PREFIX = "demo-"
_LABEL = "demo"
_ANNOTATORS = 100
"""So many that whoever tries the demo finds something to do."""


def prepare(database: Database) -> bool:
    """Make the demo campaigns where there is no campaign at all; says whether it did."""
    with database.reading() as connection:
        if campaigns.listed(connection):
            return False
    plans = [plan(tasks.create(name)) for name in tasks.names()]
    with database.writing() as connection:
        if campaigns.listed(connection):
            return False
        for one in plans:
            _open(connection, one)
    return True


def plan(task: Task) -> CampaignPlan:
    """The demo campaign of a task: its own items, stages and guidelines."""
    return CampaignPlan(
        PREFIX + task.name.replace(".", "-"),
        task.name,
        f"Demo: {task.title}",
        CampaignSettings(annotators=_ANNOTATORS, stages=task.demo_stages),
        task.guidelines(),
        tuple(task.demo()),
    )


def paths(database: Database) -> list[tuple[str, str]]:
    """The title of each open demo campaign, and the path of the link that lets anybody in."""
    with database.reading() as connection:
        key = secret(connection)
        return [
            (campaign.title, path(key, campaign, one))
            for campaign in reversed(campaigns.listed(connection))
            if campaign.id.startswith(PREFIX) and campaign.state == "open"
            for one in invitations.listed(connection, campaign)
            if one.label == _LABEL and not one.revoked
        ]


def _open(connection: Connection, planned: CampaignPlan) -> None:
    made = make(connection, planned, COMMAND_LINE)
    campaigns.change(connection, made.id, COMMAND_LINE, state="open")
    invitations.create(connection, made, COMMAND_LINE, kind="open", label=_LABEL)
