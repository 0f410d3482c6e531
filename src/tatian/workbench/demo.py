"""Demo campaigns, one of each task, so that one command shows them all."""

from __future__ import annotations

from tatian.workbench.campaigns import campaigns, invitations
from tatian.workbench.campaigns.audit import COMMAND_LINE
from tatian.workbench.campaigns.invitations import link_path
from tatian.workbench.campaigns.plans import CampaignPlan, create_planned
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import secret
from tatian.workbench.tasks import Task, tasks

PREFIX = "demo-"
"""Prefix of the campaigns' ids."""
_LABEL = "demo"
"""Label of their invitations."""
_ANNOTATORS = 100
"""Number of annotators per item, so that every visitor finds something to do."""


def create_demos(database: Database) -> bool:
    """Create the demo campaigns if there is no campaign at all; return True if it did."""
    with database.reading() as connection:
        if campaigns.list_campaigns(connection):
            return False
    plans = [demo_plan(tasks.create(name)) for name in tasks.names()]
    with database.writing() as connection:
        if campaigns.list_campaigns(connection):
            return False
        for planned in plans:
            campaign = create_planned(connection, planned, COMMAND_LINE)
            campaigns.change(connection, campaign.id, COMMAND_LINE, state="open")
            invitations.create(connection, campaign, COMMAND_LINE, kind="open", label=_LABEL)
    return True


def demo_plan(task: Task) -> CampaignPlan:
    """Return the demo campaign of a task: its own items, stages and guidelines."""
    return CampaignPlan(
        PREFIX + task.name.replace(".", "-"),
        task.name,
        f"Demo: {task.title}",
        CampaignSettings(annotators=_ANNOTATORS, stages=task.demo_stages),
        task.guidelines(),
        tuple(task.demo()),
    )


def demo_paths(database: Database) -> list[tuple[str, str]]:
    """Return title and invitation path of each open demo campaign."""
    with database.reading() as connection:
        key = secret(connection)
        return [
            (campaign.title, link_path(key, campaign, invitation))
            for campaign in reversed(campaigns.list_campaigns(connection))
            if campaign.id.startswith(PREFIX) and campaign.state == "open"
            for invitation in invitations.list_invitations(connection, campaign)
            if invitation.label == _LABEL and not invitation.revoked
        ]
